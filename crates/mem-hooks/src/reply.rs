//! What the host is told: one JSON object in the form that Claude Code documents and others follow, or nothing.

use mem_core::delimiters::escape;
use serde_json::{Map, Value, json};

use mem_hosts::{AnswerForm, HostProfile};

/// Strings stay below this. Hosts put a longer one into a file, of which the model sees the beginning
/// only (10,000 characters in Claude Code).
pub(crate) const STRING_CHARS_MAX: usize = 9_500;

/// Characters as the host counts them: of UTF-16, in which an emoji is two.
pub(crate) fn count_units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// An answer.
#[derive(Debug, Default)]
pub struct HookReply {
    /// For the model.
    pub context: Option<String>,
    /// For the user only.
    pub message: Option<String>,
    /// Why a tool may not do what it is about to do.
    pub denied: Option<String>,
}

impl HookReply {
    /// Says what another answer says as well; the first refusal is the reason.
    pub(crate) fn take_in(&mut self, other: Self) {
        self.message = self.message.take().or(other.message);
        self.denied = self.denied.take().or(other.denied);
        self.context = match (self.context.take(), other.context) {
            (Some(text), Some(more)) => Some(format!("{text}\n{more}")),
            (text, more) => text.or(more),
        };
    }

    /// Only a text for the model.
    pub(crate) fn with_context(text: String) -> Self {
        Self {
            context: Some(text),
            ..Self::default()
        }
    }

    /// Only a refusal.
    pub(crate) fn deny_tool(reason: String) -> Self {
        Self {
            denied: Some(reason),
            ..Self::default()
        }
    }

    /// The object, as the answer to an event of a host; `None` where there is nothing to say.
    pub fn into_json(self, host: &HostProfile, event: &str) -> Option<Value> {
        if host.answer == AnswerForm::Snake {
            return self.into_snake_json();
        }
        let mut object = Map::new();
        let event = host.event_name(event).unwrap_or_default();
        if let Some(message) = self.message {
            object.insert("systemMessage".to_owned(), shorten_text(message).into());
        }
        let denied = self
            .denied
            .map(|reason| shorten_text(escape(&reason).into_owned()));
        let specific = match (denied, self.context) {
            (Some(reason), _) if host.answer == AnswerForm::Decision => {
                object.insert("decision".to_owned(), "deny".into());
                object.insert("reason".to_owned(), reason.into());
                None
            }
            (Some(reason), _) => Some(json!({
                "hookEventName": event,
                "permissionDecision": "deny",
                "permissionDecisionReason": reason,
            })),
            (None, Some(text)) => {
                let text = shorten_text(text);
                if host.answer == AnswerForm::Beside {
                    object.insert("additionalContext".to_owned(), text.clone().into());
                }
                Some(json!({ "hookEventName": event, "additionalContext": text }))
            }
            (None, None) => None,
        };
        if let Some(specific) = specific {
            object.insert("hookSpecificOutput".to_owned(), specific);
        }
        (!object.is_empty()).then_some(Value::Object(object))
    }

    /// The object in the names of [`AnswerForm::Snake`], which has none for a text that the user alone is to see.
    fn into_snake_json(self) -> Option<Value> {
        if let Some(reason) = self.denied {
            let reason = shorten_text(escape(&reason).into_owned());
            return Some(json!({
                "permission": "deny", "user_message": reason, "agent_message": reason,
            }));
        }
        let text = shorten_text(self.context?);
        Some(json!({ "additional_context": text }))
    }
}

/// The last word on length; whoever makes a text keeps below it in whole entries.
fn shorten_text(mut text: String) -> String {
    if count_units(&text) < STRING_CHARS_MAX {
        return text;
    }
    let mut count = 0;
    let end = text.char_indices().find(|(_, c)| {
        count += c.len_utf16();
        count >= STRING_CHARS_MAX
    });
    text.truncate(end.map_or(0, |(at, _)| at));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_hosts::HookHost;

    #[test]
    fn each_host_is_told_in_its_own_form() {
        let context = |host: HookHost, event: &str| {
            let reply = HookReply::with_context("x".to_owned());
            reply.into_json(host.profile(), event).unwrap()
        };
        let denied = |host: HookHost| {
            let reply = HookReply::deny_tool("no".to_owned());
            reply.into_json(host.profile(), "pre-tool-use").unwrap()
        };
        let specific = |event: &str| json!({"hookEventName": event, "additionalContext": "x"});
        let start = context(HookHost::Claude, "session-start");
        assert_eq!(
            start,
            json!({"hookSpecificOutput": specific("SessionStart")})
        );
        let beside =
            json!({"additionalContext": "x", "hookSpecificOutput": specific("UserPromptSubmit")});
        assert_eq!(context(HookHost::Copilot, "user-prompt-submit"), beside);
        let text = json!({"additional_context": "x"});
        assert_eq!(context(HookHost::Cursor, "session-start"), text);
        let decision = json!({"decision": "deny", "reason": "no"});
        assert_eq!(denied(HookHost::Gemini), decision);
        let answer = denied(HookHost::Copilot);
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
        let refusal = json!({"permission": "deny", "user_message": "no", "agent_message": "no"});
        assert_eq!(denied(HookHost::Cursor), refusal);
    }

    #[test]
    fn no_string_is_longer_than_a_host_takes() {
        for text in ["x", "é", "🙂", "x🙂"] {
            let long = shorten_text(text.repeat(9_600));
            assert!(
                (9_490..9_500).contains(&count_units(&long)),
                "{}",
                count_units(&long)
            );
        }
        assert_eq!(shorten_text("x".repeat(9_499)).len(), 9_499);
    }
}
