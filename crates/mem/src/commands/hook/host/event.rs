//! What the host says of an event: one JSON object, of any version.
//! Source of the fields: <https://code.claude.com/docs/en/hooks>.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use mem_agent::transcript::{source_of_call, turn_source};
use mem_core::TextSource;
use serde_json::{Map, Value};

use super::patch;

/// Events of more bytes are not read: a file that is written whole stands in one.
const EVENT_BYTES_MAX: u64 = 64 << 20;
/// An id of more characters is none.
const ID_CHARS_MAX: usize = 128;

/// An event; what is not known of it is ignored, and so is what has another type.
#[derive(Debug, Default)]
pub(super) struct HookEvent(Map<String, Value>);

impl HookEvent {
    /// Reads an event. Bytes that are no text are replaced.
    ///
    /// # Errors
    /// It is no JSON object, too large or unreadable.
    pub(super) fn read(source: impl Read) -> Result<Self> {
        let mut bytes = Vec::new();
        let mut source = source.take(EVENT_BYTES_MAX + 1);
        source
            .read_to_end(&mut bytes)
            .context("cannot read the event")?;
        if bytes.len() as u64 > EVENT_BYTES_MAX {
            bail!("the event is larger than {} MiB", EVENT_BYTES_MAX >> 20);
        }
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        if bytes.trim_ascii().is_empty() {
            bail!("there was no event to read");
        }
        let fields = serde_json::from_str(&String::from_utf8_lossy(bytes));
        Ok(Self(fields.context("the event is no JSON object")?))
    }

    /// The same event for each file that a patch writes, where the tool is given one; else itself.
    pub(super) fn for_each_file(self) -> Vec<Self> {
        let command = self.tool_input().get("command").and_then(Value::as_str);
        let calls = patch::file_calls(command.unwrap_or_default());
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
    pub(super) fn text_field(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The session's id.
    pub(super) fn session_id(&self) -> Option<&str> {
        let id = self.text_field("session_id")?;
        (!id.is_empty() && id.chars().count() <= ID_CHARS_MAX).then_some(id)
    }

    /// Where the session stands.
    pub(super) fn cwd(&self) -> Option<PathBuf> {
        self.path_field("cwd")
    }

    /// The session's transcript.
    pub(super) fn transcript_path(&self) -> Option<PathBuf> {
        self.path_field("transcript_path")
    }

    fn path_field(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(self.text_field(name)?);
        path.is_absolute().then(|| path.to_owned())
    }

    /// The least trusted source of the turn: by the transcript, else by the calls that a plugin has seen.
    pub(super) fn turn_source(&self) -> Option<TextSource> {
        if let Some(transcript) = self.transcript_path() {
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
    pub(super) fn tool_input(&self) -> &Value {
        self.0.get("tool_input").unwrap_or(&Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
