//! What goes over the line, version 1: `GET` and `PUT` of [`PATH`], with the query `repo=owner/repo`.
//!
//! ```text
//! GET                  {"version":7,"entries":{KEY:{"content","sha256","updated_at","actor"}},
//!                       "deleted":{KEY:{"sha256","updated_at","actor"}}}     ETag: "..."
//! GET &view=hashes     the same without `content`
//! GET &keys=KEY&keys=KEY    these keys only
//! PUT                  {"entries":{KEY:TEXT},"delete":[KEY],"reasons":{KEY:TEXT}}   If-Match: "..."
//!                   -> {"version":8,"written":{KEY:SHA256},"rejected":{KEY:{"code","message"}}}
//! GET LOG_PATH [&key=KEY][&limit=N][&page=P]
//!                   -> {"changes":[{"key","operation","sha256","size_bytes","actor","at","version",
//!                                   "redacted_at","redacted_by","reason"}],"next_page":null}
//! POST REDACT_PATH     {"key":KEY,"name":false} -> {"redacted":N,"note","name":false}
//! POST REFUSED_PATH    {"key":KEY,"rule":NAME} -> {"told":true}
//! else                 {"type":"error","error":{"type","message"},"request_id"}
//! ```
//!
//! Fields that are not known are passed over. Whatever is wrong with one key rejects that key; only a
//! body whose outer form is wrong, or that is too large, is refused whole. What is said about a body
//! never quotes its contents.

mod body;
mod failure;
mod log;
mod pairs;
mod put_answer;
mod redact;
mod refusal;
mod rejection;
mod state_answer;
mod tag;

pub use body::PutBody;
pub use failure::{WireEnvelope, WireFailure};
pub use log::{ChangeLogEntry, LogOperation, LogPage};
#[cfg(feature = "git")]
pub(crate) use pairs::Pairs;
pub use put_answer::PutAnswer;
pub use redact::{RedactBody, RedactOutcome};
pub use refusal::{RefusalOutcome, RefusalReport};
pub use rejection::{KeyRejection, RejectedKey, RejectionCode};
pub use state_answer::{RemoteEntry, StateAnswer, Tombstone};
pub use tag::ETag;

/// The version of these types; sent along, so that a later one can be told apart.
pub const VERSION: u32 = 1;
/// Where they are spoken.
pub const PATH: &str = "/api/claude_code/team_memory";
/// Where a store's log is read; not every server has it.
pub const LOG_PATH: &str = "/api/claude_code/team_memory/log";
/// Where earlier contents are taken out of a store; not every server has it.
pub const REDACT_PATH: &str = "/api/claude_code/team_memory/redact";
/// Where a memory is reported that was not sent, because it holds a secret; not every server has it.
pub const REFUSED_PATH: &str = "/api/claude_code/team_memory/refused";

/// Why a body cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// Not the JSON that was expected.
    #[error("the body is not what the protocol says, at line {line} column {column}")]
    Form {
        /// From 1.
        line: usize,
        /// From 1, or 0 at a line's start.
        column: usize,
    },
    /// Larger than the limit.
    #[error("the body has {bytes} bytes, more than {max}")]
    Size {
        /// What it has.
        bytes: usize,
        /// What it may have.
        max: usize,
    },
}

/// Reads JSON of at most `max` bytes.
fn read<T: serde::de::DeserializeOwned>(bytes: &[u8], max: usize) -> Result<T, WireError> {
    if bytes.len() > max {
        let bytes = bytes.len();
        return Err(WireError::Size { bytes, max });
    }
    // Serde would take a list for the fields of an object in their order.
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first != Some(&b'{') {
        return Err(WireError::Form { line: 1, column: 1 });
    }
    // Serde's own message would quote values.
    serde_json::from_slice(bytes).map_err(|error| WireError::Form {
        line: error.line(),
        column: error.column(),
    })
}

/// Why something was deleted, as it is kept: cut, on one line and without control characters.
pub fn clean_reason(text: &str) -> String {
    let plain = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain = plain.filter(|c| !c.is_control());
    plain.take(crate::limits::REASON_CHARS_MAX).collect()
}

/// The same of an answer, where it may be absent.
pub(crate) fn optional_reason<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Option<String>, D::Error> {
    let text = <Option<String> as serde::Deserialize>::deserialize(from)?;
    Ok(text.map(|text| clean_reason(&text)))
}

/// A text of the other end, cut and without control characters.
pub(crate) fn deserialize_label<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<String, D::Error> {
    let text = <String as serde::Deserialize>::deserialize(from)?;
    let plain = text.chars().filter(|c| !c.is_control());
    Ok(plain.take(crate::limits::LABEL_CHARS_MAX).collect())
}
