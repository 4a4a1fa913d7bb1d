//! A line of a Codex rollout (`sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`): a type, and a payload with one of its own.
//! Seen in what 0.169.0 writes; older versions leave out where a message comes from.
//!
//! ```text
//! session_meta   id, cwd               turn_context   cwd              compacted
//! response_item  message               role, content [input_text | output_text]
//!                function_call         name, arguments (JSON as a text), call_id
//!                custom_tool_call      name, input (a text), call_id
//!                web_search_call       what the service searched for
//!                *_output              call_id, output
//! event_msg      what happened, for the screen: said by the items as well
//! ```

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::content::{MessageContent, MessagePart};
use super::lenient_json::LooseText;
use super::origin::RecordOrigin;
use super::record::{RecordBody, TranscriptRecord};

/// The lines of a patch that name a file.
const PATCHED: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
pub(super) struct Payload<'a> {
    #[serde(rename = "type")]
    kind: LooseText<'a>,
    id: LooseText<'a>,
    cwd: LooseText<'a>,
    role: LooseText<'a>,
    content: MessageContent<'a>,
    name: LooseText<'a>,
    arguments: LooseText<'a>,
    input: LooseText<'a>,
    call_id: LooseText<'a>,
    output: Option<&'a RawValue>,
    #[serde(rename = "internal_chat_message_metadata_passthrough")]
    metadata: Option<MessageMetadata>,
}

/// Where the parts of a message come from.
#[derive(Deserialize)]
struct MessageMetadata {
    #[serde(default)]
    content_item_kinds: Vec<String>,
}

/// Whether a type of a line is one of Codex.
pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "session_meta"
            | "turn_context"
            | "response_item"
            | "event_msg"
            | "compacted"
            | "world_state"
    )
}

impl<'a> Payload<'a> {
    /// Reads the payload of a line of a type, written at a time.
    pub(super) fn into_record(self, line: &str, time: LooseText<'a>) -> TranscriptRecord<'a> {
        let mut cwd = None;
        let said = match (line, &*self.kind.0) {
            ("compacted", _) => RecordBody::Compacted,
            ("session_meta" | "turn_context", _) => {
                cwd = self.cwd.into_nonempty();
                RecordBody::Other
            }
            ("response_item", "message") => said_by(&self.role.0, self.content.0, self.metadata),
            ("response_item", "function_call") => {
                let (id, name) = (self.call_id.0, self.name.0);
                called(id, name, self.arguments.0)
            }
            ("response_item", "custom_tool_call") => {
                let (id, name) = (self.call_id.0, self.name.0);
                called(id, name, self.input.0)
            }
            // The host searches by itself, and writes down that it has.
            ("response_item", "web_search_call") => {
                called(self.call_id.0, "WebSearch".into(), "{}".into())
            }
            ("response_item", kind) if kind.ends_with("_output") => {
                answered(self.call_id.0, self.output.map_or("", RawValue::get))
            }
            _ => RecordBody::Other,
        };
        TranscriptRecord {
            uuid: self.id.into_nonempty(),
            time: time.into_nonempty(),
            cwd,
            said,
        }
    }
}

fn said_by<'a>(
    role: &str,
    parts: Vec<MessagePart<'a>>,
    metadata: Option<MessageMetadata>,
) -> RecordBody<'a> {
    match role {
        "assistant" => RecordBody::Assistant {
            message: None,
            parts,
        },
        "user" => {
            let kinds = metadata
                .map(|one| one.content_item_kinds)
                .unwrap_or_default();
            let is_host = kinds.iter().any(|kind| !kind.starts_with("user."));
            let origin = match is_host {
                true => RecordOrigin::Host,
                false => RecordOrigin::from_parts(&parts),
            };
            RecordBody::User { origin, parts }
        }
        _ => RecordBody::Other,
    }
}

/// A call, with the names that the tools of other hosts have.
fn called<'a>(id: Cow<'a, str>, name: Cow<'a, str>, input: Cow<'a, str>) -> RecordBody<'a> {
    let (name, input) = match &*name {
        "apply_patch" => {
            let path = input
                .lines()
                .find_map(|line| PATCHED.iter().find_map(|head| line.strip_prefix(head)));
            (
                "Edit".into(),
                json!({ "file_path": path }).to_string().into(),
            )
        }
        "shell" | "exec_command" | "local_shell" => {
            let command = shell_command(&input);
            (
                "Bash".into(),
                json!({ "command": command }).to_string().into(),
            )
        }
        _ => (name, input),
    };
    RecordBody::Assistant {
        message: None,
        parts: vec![MessagePart::ToolUse { id, name, input }],
    }
}

/// The command of a call: a text, or the words of a program that is often a shell.
fn shell_command(arguments: &str) -> Option<String> {
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    let command = arguments.get("command").or_else(|| arguments.get("cmd"))?;
    let words: Vec<&str> = match command {
        Value::String(text) => return Some(text.clone()),
        Value::Array(words) => words.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    Some(match words[..] {
        [_, "-c" | "-lc", script] => script.to_owned(),
        _ => words.join(" "),
    })
}

/// What a tool answered: a text, or an object (older versions wrote that as a text) with the output and how it ended.
fn answered<'a>(id: Cow<'a, str>, output: &'a str) -> RecordBody<'a> {
    let mut output: Value = serde_json::from_str(output).unwrap_or_default();
    if let Some(inner) = output
        .as_str()
        .and_then(|text| serde_json::from_str(text).ok())
    {
        let inner: Value = inner;
        if inner.is_object() {
            output = inner;
        }
    }
    let text = match &output {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let text = ["output", "content"]
                .iter()
                .find_map(|name| fields.get(*name)?.as_str());
            text.unwrap_or_default().to_owned()
        }
        _ => String::new(),
    };
    let code = output
        .pointer("/metadata/exit_code")
        .and_then(Value::as_i64);
    let is_error = code.is_some_and(|code| code != 0) || has_failed(&text);
    RecordBody::User {
        origin: RecordOrigin::Host,
        parts: vec![MessagePart::ToolResult {
            id,
            text: text.into(),
            is_error,
        }],
    }
}

/// Whether the text about a command says that it failed.
fn has_failed(text: &str) -> bool {
    let code = text.lines().take(10).find_map(|line| {
        let code = line.strip_prefix("Process exited with code ");
        code.or_else(|| line.strip_prefix("Exit code: "))
    });
    code.is_some_and(|code| code.trim() != "0") || text.starts_with("unsupported call:")
}
