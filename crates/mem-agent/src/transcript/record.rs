//! One line of a transcript.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::codex;
use super::content::{MessageContent, MessagePart};
use super::copilot;
use super::gemini;
use super::lenient_json::{Flag, LooseText};
use super::origin::RecordOrigin;

/// What a line says.
#[derive(Debug)]
pub struct TranscriptRecord<'a> {
    /// Names the record; many kinds have none.
    pub uuid: Option<Cow<'a, str>>,
    /// When, as the file has it (RFC 3339).
    pub time: Option<Cow<'a, str>>,
    /// The directory that the session stood in, as the file has it.
    pub cwd: Option<Cow<'a, str>>,
    /// What was said or done.
    pub said: RecordBody<'a>,
}

/// What a record is about.
#[derive(Debug)]
pub enum RecordBody<'a> {
    /// Words of the user's side, results of tools among them.
    User {
        /// Who wrote the texts.
        origin: RecordOrigin,
        /// In order.
        parts: Vec<MessagePart<'a>>,
    },
    /// Words of the model, often only a part of one message.
    Assistant {
        /// The message that the parts belong to: several records share one.
        message: Option<Cow<'a, str>>,
        /// In order.
        parts: Vec<MessagePart<'a>>,
    },
    /// The session was given a title.
    Title {
        /// The title.
        text: Cow<'a, str>,
        /// By a person, not by the host.
        is_chosen: bool,
    },
    /// The context was compacted here.
    Compacted,
    /// Anything else.
    Other,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct RecordLine<'a> {
    #[serde(rename = "type")]
    kind: LooseText<'a>,
    uuid: LooseText<'a>,
    timestamp: LooseText<'a>,
    cwd: LooseText<'a>,
    subtype: LooseText<'a>,
    is_sidechain: Flag,
    is_meta: Flag,
    is_compact_summary: Flag,
    is_api_error_message: Flag,
    team_name: LooseText<'a>,
    ai_title: LooseText<'a>,
    custom_title: LooseText<'a>,
    title: LooseText<'a>,
    summary: LooseText<'a>,
    message: Option<RecordMessage<'a>>,
    attachment: Option<TurnAttachment<'a>>,
    /// Of Codex.
    payload: Option<&'a RawValue>,
    /// Of Copilot CLI, and whose it is where a subagent wrote it.
    data: Option<&'a RawValue>,
    agent_id: LooseText<'a>,
    /// Of Gemini CLI, as is the content beside it and what tools were called.
    id: LooseText<'a>,
    content: MessageContent<'a>,
    tool_calls: Option<&'a RawValue>,
    /// Of Qwen Code: who wrote it.
    provenance: LooseText<'a>,
}

/// What a host adds to a turn: among others prompts that were queued while it ran.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct TurnAttachment<'a> {
    #[serde(rename = "type")]
    kind: LooseText<'a>,
    prompt: MessageContent<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct RecordMessage<'a> {
    id: LooseText<'a>,
    content: MessageContent<'a>,
    /// In place of the content, of Qwen Code.
    parts: MessageContent<'a>,
}

impl<'a> RecordMessage<'a> {
    fn into_parts(self) -> Vec<MessagePart<'a>> {
        match self.parts.0.is_empty() {
            true => self.content.0,
            false => self.parts.0,
        }
    }
}

impl<'a> TranscriptRecord<'a> {
    /// Reads a line; `None` where it is no JSON object.
    pub fn parse(line: &'a [u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        // Some editors begin a file with a mark of its encoding.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // A list would be read as the fields in their order.
        text.trim_start().strip_prefix('{')?;
        let line: RecordLine<'a> = serde_json::from_str(text).ok()?;
        Some(line.into_record())
    }

    /// What the person (`true`) or the agent said; `None` of any other record.
    pub fn spoken_parts(&self) -> Option<(bool, &[MessagePart<'a>])> {
        match &self.said {
            RecordBody::User {
                origin: RecordOrigin::Person,
                parts,
            } => Some((true, parts)),
            RecordBody::Assistant { parts, .. } => Some((false, parts)),
            _ => None,
        }
    }
}

impl<'a> RecordLine<'a> {
    fn into_record(self) -> TranscriptRecord<'a> {
        if let Some(payload) = self.payload.filter(|_| codex::is_type(&self.kind.0)) {
            let (payload, kind) = match serde_json::from_str(payload.get()) {
                Ok(payload) => (payload, &*self.kind.0),
                Err(_) => (codex::Payload::default(), ""),
            };
            return payload.into_record(kind, self.timestamp);
        }
        if let Some(data) = self.data.filter(|_| copilot::is_type(&self.kind.0)) {
            return copilot_record(self, data);
        }
        // What a subagent or a teammate says is not of this conversation.
        let is_aside = self.is_sidechain.0 || !self.team_name.0.is_empty();
        let said = match &*self.kind.0 {
            "user" | "assistant" if is_aside => RecordBody::Other,
            "user" if self.message.is_none() => gemini::user_body(self.content.0, ""),
            "user" | "tool_result" if !self.provenance.0.is_empty() => {
                let parts = self.message.map(RecordMessage::into_parts);
                gemini::user_body(parts.unwrap_or_default(), &self.provenance.0)
            }
            "gemini" => {
                let id = self.id.into_nonempty();
                return TranscriptRecord {
                    said: gemini::answer_body(id.clone(), self.content.0, self.tool_calls),
                    uuid: id,
                    time: self.timestamp.into_nonempty(),
                    cwd: None,
                };
            }
            "user" => user_body(self.message, self.is_meta.0, self.is_compact_summary.0),
            "assistant" if self.is_api_error_message.0 => RecordBody::Other,
            "assistant" => assistant_body(self.message),
            "attachment" if is_aside => RecordBody::Other,
            "attachment" => queued_body(self.attachment),
            "system" if self.subtype.0 == "compact_boundary" => RecordBody::Compacted,
            "ai-title" => title_body([self.ai_title, self.title], false),
            "custom-title" => title_body([self.custom_title, self.title], true),
            "summary" => title_body([self.summary, self.title], false),
            _ => RecordBody::Other,
        };
        TranscriptRecord {
            uuid: self.uuid.into_nonempty().or(self.id.into_nonempty()),
            time: self.timestamp.into_nonempty(),
            cwd: self.cwd.into_nonempty(),
            said,
        }
    }
}

/// A line of Copilot CLI.
fn copilot_record<'a>(line: RecordLine<'a>, data: &'a RawValue) -> TranscriptRecord<'a> {
    let data: Result<copilot::EventData<'a>, _> = serde_json::from_str(data.get());
    let read = data.map(|data| data.into_body(&line.kind.0));
    let (cwd, said) = read.unwrap_or((LooseText::default(), RecordBody::Other));
    TranscriptRecord {
        uuid: line.id.into_nonempty(),
        time: line.timestamp.into_nonempty(),
        cwd: cwd.into_nonempty(),
        said: match line.agent_id.0.is_empty() {
            true => said,
            false => RecordBody::Other,
        },
    }
}

fn user_body(
    message: Option<RecordMessage<'_>>,
    is_meta: bool,
    is_summary: bool,
) -> RecordBody<'_> {
    let parts = message.map(RecordMessage::into_parts).unwrap_or_default();
    said_by(parts, is_meta, is_summary)
}

fn said_by(parts: Vec<MessagePart<'_>>, is_meta: bool, is_summary: bool) -> RecordBody<'_> {
    let origin = match (is_summary, is_meta) {
        (true, _) => RecordOrigin::Summary,
        (false, true) => RecordOrigin::Host,
        (false, false) => RecordOrigin::from_parts(&parts),
    };
    RecordBody::User { origin, parts }
}

/// A prompt that was queued in the middle of a turn. Notifications of tasks are queued there as well.
fn queued_body(attachment: Option<TurnAttachment<'_>>) -> RecordBody<'_> {
    let queued = attachment.filter(|one| &*one.kind.0 == "queued_command");
    queued.map_or(RecordBody::Other, |one| said_by(one.prompt.0, false, false))
}

fn assistant_body(message: Option<RecordMessage<'_>>) -> RecordBody<'_> {
    match message {
        Some(mut message) => RecordBody::Assistant {
            message: std::mem::take(&mut message.id).into_nonempty(),
            parts: message.into_parts(),
        },
        None => RecordBody::Other,
    }
}

fn title_body(texts: [LooseText<'_>; 2], is_chosen: bool) -> RecordBody<'_> {
    match texts.into_iter().find_map(LooseText::into_nonempty) {
        Some(text) => RecordBody::Title { text, is_chosen },
        None => RecordBody::Other,
    }
}
