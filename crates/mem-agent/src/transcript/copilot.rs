//! A line of GitHub Copilot CLI (`session-state/ID/events.jsonl`): a type, and data of its own. Seen in what 1.0.102
//! writes.
//!
//! ```text
//! session.start            sessionId, context {cwd}
//! user.message             content; a source, where no person wrote it
//! assistant.message        messageId, content, toolRequests [{toolCallId, name, arguments}]
//! tool.execution_complete  toolCallId, success, result {content} or error {message}
//! ```
//!
//! What a subagent does stands in the same file, with an `agentId`.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::content::MessagePart;
use super::lenient_json::{Flag, LooseText};
use super::origin::RecordOrigin;
use super::record::RecordBody;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
pub(super) struct EventData<'a> {
    content: LooseText<'a>,
    source: LooseText<'a>,
    message_id: LooseText<'a>,
    tool_requests: Option<&'a RawValue>,
    tool_call_id: LooseText<'a>,
    success: Flag,
    result: Option<&'a RawValue>,
    error: Option<&'a RawValue>,
    context: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase", bound(deserialize = "'de: 'a"))]
struct ToolRequest<'a> {
    tool_call_id: LooseText<'a>,
    name: LooseText<'a>,
    arguments: Option<&'a RawValue>,
}

/// The text of an answer, of an error, or the folder of a session.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct EventDetail<'a> {
    content: LooseText<'a>,
    message: LooseText<'a>,
    cwd: LooseText<'a>,
}

/// Whether a type of a line is one of Copilot.
pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "session.start" | "user.message" | "assistant.message" | "tool.execution_complete"
    )
}

/// The folder in which a session stands, by the data of its first line.
pub(super) fn session_folder<'a>(context: Option<&'a RawValue>) -> LooseText<'a> {
    detail(context).cwd
}

impl<'a> EventData<'a> {
    /// The folder of the session, and what a line of this type says.
    pub(super) fn into_body(self, kind: &str) -> (LooseText<'a>, RecordBody<'a>) {
        let said = match kind {
            "user.message" => {
                let parts = vec![MessagePart::Text(self.content.0)];
                let origin = match self.source.0.is_empty() {
                    true => RecordOrigin::from_parts(&parts),
                    false => RecordOrigin::Host,
                };
                RecordBody::User { origin, parts }
            }
            "assistant.message" => {
                let text = self.content.into_nonempty().map(MessagePart::Text);
                let requests = self.tool_requests.map_or("[]", RawValue::get);
                let requests: Vec<ToolRequest<'a>> =
                    serde_json::from_str(requests).unwrap_or_default();
                RecordBody::Assistant {
                    message: self.message_id.into_nonempty(),
                    parts: text
                        .into_iter()
                        .chain(requests.into_iter().map(tool_use))
                        .collect(),
                }
            }
            "tool.execution_complete" => {
                let (result, error) = (detail(self.result), detail(self.error));
                RecordBody::User {
                    origin: RecordOrigin::Host,
                    parts: vec![MessagePart::ToolResult {
                        id: self.tool_call_id.0,
                        text: error.message.into_nonempty().unwrap_or(result.content.0),
                        is_error: !self.success.0,
                    }],
                }
            }
            _ => RecordBody::Other,
        };
        (session_folder(self.context), said)
    }
}

fn detail<'a>(value: Option<&'a RawValue>) -> EventDetail<'a> {
    let read = value.and_then(|value| serde_json::from_str(value.get()).ok());
    read.unwrap_or_default()
}

/// A call, with the name that tools of its kind have in other hosts.
fn tool_use<'a>(request: ToolRequest<'a>) -> MessagePart<'a> {
    let name = match &*request.name.0 {
        "view" => "Read",
        "create" => "Write",
        "edit" | "str_replace_editor" => "Edit",
        "bash" | "powershell" => "Bash",
        name => name,
    };
    MessagePart::ToolUse {
        name: name.to_owned().into(),
        id: request.tool_call_id.0,
        input: request.arguments.map_or("", RawValue::get).into(),
    }
}
