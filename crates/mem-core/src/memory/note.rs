//! One memory as it is listed.

use std::path::PathBuf;

use jiff::Timestamp;

use crate::history::{CitationSnapshot, NoteId};
use crate::text_detection::not_text_warning;
use crate::topic::TopicFile;
use crate::{MemoryPath, Scope};

/// A topic file with its place, its id and its age.
#[derive(Clone, Debug)]
pub struct Note {
    /// The id, kept in the history.
    pub id: NoteId,
    /// The tier.
    pub scope: Scope,
    /// The path within its tier, `/`-separated.
    pub file: String,
    /// The path within its store.
    pub path: MemoryPath,
    /// The absolute path.
    pub absolute: PathBuf,
    /// What was read of it.
    pub topic: TopicFile,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How old its content is: `modified` in the file, else the last change of content in the
    /// history, else the file's mtime.
    pub modified: Timestamp,
    /// What its content rested on when it was written, where that was recorded.
    pub cited: CitationSnapshot,
}

impl Note {
    /// The name, else the stem of the file.
    pub fn title(&self) -> &str {
        self.topic.title(self.path.stem())
    }

    /// Whether its text is one.
    pub fn is_plain_text(&self) -> bool {
        self.topic.is_plain_text(&self.bytes)
    }

    /// The warning of a memory that is no text.
    pub fn text_warning(&self) -> Option<String> {
        (!self.is_plain_text()).then(|| not_text_warning(self.path.as_str()))
    }

    /// The file as one names it: with its tier where it is not the private one.
    pub fn label(&self) -> String {
        self.scope.label(&self.file)
    }
}
