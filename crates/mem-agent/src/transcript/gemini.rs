//! What Gemini CLI and Qwen Code have of their own in a line of a transcript. Seen in what 0.61.0 and 0.24.4 write.
//!
//! ```text
//! Gemini CLI   tmp/PROJECT/chats/session-TIME-ID.jsonl
//!   {sessionId, kind}                        the head; the folder of the session stands in PROJECT/.project_root
//!   {"$set": ..}                             what the program remembers
//!   {id, type: user, content: [{text}]}      a prompt, or {functionResponse} what a tool answered
//!   {id, type: gemini, content, toolCalls}   an answer: written again under its id once its tools have run
//! Qwen Code    projects/SLUG/chats/ID.jsonl
//!   the envelope of Claude Code; message.parts as above, and a provenance
//! ```
//!
//! Both give a prompt the context that hooks brought, beside the words of the person or before them.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::content::{FunctionCall, MessagePart};
use super::origin::RecordOrigin;
use super::record::RecordBody;

/// The elements in which a prompt has what hooks brought.
const CONTEXT_ELEMENTS: [&str; 2] = ["hook_context", "qwen:user-prompt-submit-context"];

/// A prompt, or what tools answered; of a prompt only the words of the person.
pub(super) fn user_body<'a>(mut parts: Vec<MessagePart<'a>>, provenance: &str) -> RecordBody<'a> {
    for part in &mut parts {
        if let MessagePart::Text(text) = part {
            *text = without_context(std::mem::take(text));
        }
    }
    parts.retain(|part| !matches!(part, MessagePart::Text(text) if text.trim().is_empty()));
    let origin = match provenance {
        "" | "real_user" => RecordOrigin::from_parts(&parts),
        _ => RecordOrigin::Host,
    };
    RecordBody::User { origin, parts }
}

/// An answer of Gemini CLI. Its text was told when it was written first, without its calls.
pub(super) fn answer_body<'a>(
    message: Option<Cow<'a, str>>,
    texts: Vec<MessagePart<'a>>,
    calls: Option<&'a RawValue>,
) -> RecordBody<'a> {
    let calls =
        calls.and_then(|calls| serde_json::from_str::<Vec<FunctionCall<'a>>>(calls.get()).ok());
    let parts = match calls {
        None => texts,
        Some(calls) => calls.into_iter().map(tool_use).collect(),
    };
    RecordBody::Assistant { message, parts }
}

/// A call, with the name that tools of its kind have in other hosts.
pub(super) fn tool_use(call: FunctionCall<'_>) -> MessagePart<'_> {
    let name = match &*call.name.0 {
        "read_file" => "Read",
        "write_file" => "Write",
        "replace" | "edit" => "Edit",
        "run_shell_command" => "Bash",
        name => name,
    };
    MessagePart::ToolUse {
        name: name.to_owned().into(),
        id: call.id.0,
        input: call.args.map_or("", RawValue::get).into(),
    }
}

/// A text without what hooks put before it.
fn without_context(text: Cow<'_, str>) -> Cow<'_, str> {
    let rest = CONTEXT_ELEMENTS.iter().find_map(|element| {
        let rest = text.trim_start().strip_prefix(&format!("<{element}>"))?;
        Some(match rest.split_once(&format!("</{element}>")) {
            Some((_, own)) => own.trim_start().to_owned(),
            None => String::new(),
        })
    });
    rest.map_or(text, Cow::Owned)
}
