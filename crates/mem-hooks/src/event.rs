//! What the host says of an event: one JSON object, of any version.
//! Source of the fields: <https://code.claude.com/docs/en/hooks>.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::HookError;
use mem_agent::transcript::{source_of_call, turn_source, wait_for_call};
use mem_core::TextSource;
use serde_json::{Map, Value};

use crate::patch;
use mem_hosts::InputNames;

/// Events of more bytes are not read: a file that is written whole stands in one.
const EVENT_BYTES_MAX: u64 = 64 << 20;
/// The argument with which a tool of Visual Studio Code edits several files.
const SEVERAL_FILES: &str = "replacements";
/// An id of more characters is none.
const ID_CHARS_MAX: usize = 128;

/// An event; what is not known of it is ignored, and so is what has another type.
#[derive(Debug, Default)]
pub(crate) struct HookEvent(Map<String, Value>);

impl HookEvent {
    /// Reads an event. Bytes that are no text are replaced.
    ///
    /// # Errors
    /// It is no JSON object, too large or unreadable.
    pub(crate) fn read(source: impl Read) -> Result<Self, HookError> {
        let mut bytes = Vec::new();
        let mut source = source.take(EVENT_BYTES_MAX + 1);
        source
            .read_to_end(&mut bytes)
            .map_err(|error| format!("cannot read the event: {error}"))?;
        if bytes.len() as u64 > EVENT_BYTES_MAX {
            return Err(format!("the event is larger than {} MiB", EVENT_BYTES_MAX >> 20).into());
        }
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        if bytes.trim_ascii().is_empty() {
            return Err("there was no event to read".into());
        }
        let fields = serde_json::from_str(&String::from_utf8_lossy(bytes));
        Ok(Self(fields.map_err(|error| {
            format!("the event is no JSON object: {error}")
        })?))
    }

    /// Takes the names that Claude Code has in place of those of a host. What has such a name already keeps it.
    pub(crate) fn rename(&mut self, names: &InputNames) {
        rename_fields(&mut self.0, names.fields);
        let tool = self.text_field("tool_name").unwrap_or_default();
        let known = names.tools.iter().find(|(own, _)| *own == tool);
        if let Some((_, name)) = known {
            self.0.insert("tool_name".to_owned(), (*name).into());
        }
        if let Some(Value::Object(input)) = self.0.get_mut("tool_input") {
            rename_fields(input, names.arguments);
            let several = input.get_mut(SEVERAL_FILES).and_then(Value::as_array_mut);
            for one in several
                .into_iter()
                .flatten()
                .filter_map(Value::as_object_mut)
            {
                rename_fields(one, names.arguments);
            }
        }
    }

    /// The same event for each file that a patch or a list of edits writes, where the tool is given one; else itself.
    pub(crate) fn for_each_file(self) -> Vec<Self> {
        let input = self.tool_input();
        // Copilot hands a patch over as it is.
        let command = input.get("command").unwrap_or(input).as_str();
        let mut calls = patch::file_calls(command.unwrap_or_default());
        let several = input.get(SEVERAL_FILES).and_then(Value::as_array);
        let edits = several.into_iter().flatten();
        calls.extend(edits.map(|edit| ("Edit", edit.clone())));
        if calls.is_empty() {
            return vec![self];
        }
        let event = |(tool, input): (&str, Value)| {
            let mut fields = self.0.clone();
            fields.insert("tool_name".to_owned(), tool.into());
            fields.insert("tool_input".to_owned(), input);
            Self(fields)
        };
        calls.into_iter().map(event).collect()
    }

    /// A text.
    pub(crate) fn text_field(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The session's id.
    pub(crate) fn session_id(&self) -> Option<&str> {
        let id = self.text_field("session_id")?;
        (!id.is_empty() && id.chars().count() <= ID_CHARS_MAX).then_some(id)
    }

    /// Where the session stands. A host whose hooks run elsewhere names the folders that are open.
    pub(crate) fn cwd(&self) -> Option<PathBuf> {
        let opened = || {
            let roots = self.0.get("workspace_roots")?.as_array()?;
            absolute_path(roots.first()?.as_str()?)
        };
        self.path_field("cwd").or_else(opened)
    }

    /// The session's transcript.
    pub(crate) fn transcript_path(&self) -> Option<PathBuf> {
        self.path_field("transcript_path")
    }

    fn path_field(&self, name: &str) -> Option<PathBuf> {
        absolute_path(self.text_field(name)?)
    }

    /// The least trusted source of the turn: by the transcript, else by the calls that a plugin has seen.
    pub(crate) fn turn_source(&self) -> Option<TextSource> {
        if let Some(transcript) = self.transcript_path() {
            if let Some(call) = self.text_field("tool_use_id") {
                wait_for_call(&transcript, call);
            }
            return turn_source(&transcript);
        }
        let calls = self.0.get("turn_tools").and_then(Value::as_array);
        let of_call = |call: &Value| {
            let name = call.get("name").and_then(Value::as_str)?;
            let input = call.get("input").map(Value::to_string);
            source_of_call(name, &input.unwrap_or_default())
        };
        calls.into_iter().flatten().filter_map(of_call).max()
    }

    /// What a tool was given.
    pub(crate) fn tool_input(&self) -> &Value {
        self.0.get("tool_input").unwrap_or(&Value::Null)
    }
}

fn absolute_path(text: &str) -> Option<PathBuf> {
    let path = Path::new(text);
    path.is_absolute().then(|| path.to_owned())
}

fn rename_fields(fields: &mut Map<String, Value>, names: &[(&str, &str)]) {
    for (own, name) in names {
        if !fields.contains_key(*name)
            && let Some(value) = fields.remove(*own)
        {
            fields.insert((*name).to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mem_hosts::HookHost;

    fn named(host: HookHost, text: &str) -> HookEvent {
        let mut event = HookEvent::read(text.as_bytes()).unwrap();
        event.rename(&host.profile().input);
        event
    }

    /// The first is from Copilot CLI 1.0.102, the others from the documentation of the hosts.
    #[test]
    fn a_host_s_names_become_those_of_claude_code() {
        let event = named(
            HookHost::Copilot,
            r#"{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"Edit",
                "tool_input":{"path":"/w/a","old_str":"one","new_str":"two"}}"#,
        );
        let edit =
            serde_json::json!({"file_path": "/w/a", "old_string": "one", "new_string": "two"});
        assert_eq!(event.tool_input(), &edit);
        let event = named(
            HookHost::Copilot,
            r#"{"hookEventName":"PreToolUse","sessionId":"s","cwd":"/w","tool_name":"create_file",
                "tool_input":{"filePath":"/w/a","content":"x"}}"#,
        );
        assert_eq!(event.session_id(), Some("s"));
        assert_eq!(event.text_field("tool_name"), Some("Write"));
        assert_eq!(event.tool_input()["file_path"], "/w/a");
        let event = named(
            HookHost::Cursor,
            r#"{"conversation_id":"s","cwd":"","workspace_roots":["/w","/v"],"tool_name":"Write",
                "tool_input":{"path":"/w/a","contents":"x"}}"#,
        );
        assert_eq!(
            (event.session_id(), event.cwd()),
            (Some("s"), Some("/w".into()))
        );
        assert_eq!(event.tool_input()["content"], "x");
        // A name that is taken stays.
        let event = named(
            HookHost::Cursor,
            r#"{"session_id":"a","conversation_id":"b"}"#,
        );
        assert_eq!(event.session_id(), Some("a"));
    }

    #[test]
    fn each_of_several_files_is_an_event() {
        let event = named(
            HookHost::Copilot,
            r#"{"tool_name":"multi_replace_string_in_file","tool_input":{"replacements":[
                {"filePath":"/a","oldString":"x","newString":"y"},{"filePath":"/b","newString":"z"}]}}"#,
        );
        let files = event.for_each_file();
        let path = |event: &HookEvent| event.tool_input()["file_path"].clone();
        assert_eq!(files.iter().map(path).collect::<Vec<_>>(), ["/a", "/b"]);
        assert_eq!(files[0].text_field("tool_name"), Some("Edit"));
        let patch = "*** Begin Patch\n*** Add File: /c\n+text\n*** End Patch";
        for input in [
            serde_json::json!(patch),
            serde_json::json!({"input": patch}),
        ] {
            let event = serde_json::json!({"tool_name": "Edit", "tool_input": input});
            let files = named(HookHost::Copilot, &event.to_string()).for_each_file();
            assert_eq!(files.iter().map(path).collect::<Vec<_>>(), ["/c"]);
        }
    }

    #[test]
    fn what_is_not_understood_is_not_there() {
        let read = |text: &[u8]| HookEvent::read(text);
        let event = read(b"\xEF\xBB\xBF {\"session_id\":7,\"cwd\":\"rel\",\"new\":[1]}").unwrap();
        assert_eq!((event.session_id(), event.cwd()), (None, None));
        assert!(event.tool_input().is_null());
        let event = read(b"{\"session_id\":\"s\",\"cwd\":\"/x\",\"prompt\":\"\xFF\"}").unwrap();
        assert_eq!(event.text_field("prompt"), Some("\u{fffd}"));
        assert_eq!(event.cwd(), Some(PathBuf::from("/x")));
        for broken in [&b""[..], b"[]", b"{", b"null", b"{}{}"] {
            assert!(read(broken).is_err());
        }
        let deep = [b"{\"a\":".as_slice(), &b"[".repeat(100_000)].concat();
        assert!(read(&deep).is_err());
    }
}
