//! The stable JSON of a memory, shared by every command that prints one.

use mem_core::Now;
use mem_core::memory::Note;
use mem_drift::Drift;
use serde::Serialize;

/// One memory; null where there is none.
#[derive(Serialize)]
pub(crate) struct NoteJson<'n> {
    id: &'n str,
    file: &'n str,
    path: String,
    name: Option<&'n str>,
    description: Option<&'n str>,
    #[serde(rename = "type")]
    kind: Option<&'static str>,
    scope: &'static str,
    tags: &'n [String],
    when: &'n [String],
    importance: Option<u8>,
    expires: Option<String>,
    /// Left out where the command does not tell it: whether recall leaves it out by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    expired: Option<bool>,
    pinned: bool,
    modified: String,
    size_bytes: usize,
    warnings: Vec<String>,
    /// Left out where the command does not tell them: whether pruning leaves it alone, and its text.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    content: Option<ContentJson>,
    /// Left out where the command does not tell it; null where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<Option<Drift>>,
}

/// What a list has on request only.
#[derive(Serialize)]
struct ContentJson {
    pinned: bool,
    text: String,
}

impl NoteJson<'_> {
    /// The same with whether it is pinned, and the text below its frontmatter.
    pub(crate) fn with_content(self, note: &Note) -> Self {
        let text = note.topic.text(&note.bytes).to_string();
        let pinned = note.topic.pinned;
        Self {
            content: Some(ContentJson { pinned, text }),
            ..self
        }
    }

    /// The same with whether it has expired.
    pub(crate) fn with_expiry(self, note: &Note, now: Now) -> Self {
        let expires = note.topic.expires;
        Self {
            expired: Some(expires.is_some_and(|expires| expires.is_past(now.0))),
            ..self
        }
    }

    /// The same with what is known of its drift.
    pub(crate) fn with_drift(self, drift: Option<Drift>) -> Self {
        Self {
            drift: Some(drift),
            ..self
        }
    }
}

impl<'n> From<&'n Note> for NoteJson<'n> {
    fn from(note: &'n Note) -> Self {
        let topic = &note.topic;
        Self {
            id: note.id.as_str(),
            file: &note.file,
            path: note.absolute.display().to_string(),
            name: topic.name.as_deref(),
            description: topic.description.as_deref(),
            kind: topic.kind.map(mem_core::MemoryType::as_str),
            scope: note.scope.as_str(),
            tags: &topic.tags,
            when: &topic.when,
            importance: topic.importance,
            expires: topic.expires.map(|expires| expires.to_string()),
            expired: None,
            pinned: topic.pinned,
            modified: note.modified.to_string(),
            size_bytes: note.bytes.len(),
            warnings: topic.warnings.iter().map(ToString::to_string).collect(),
            content: None,
            drift: None,
        }
    }
}
