//! How far a transcript was read.

use std::io::{self, SeekFrom};

use serde::{Deserialize, Serialize};

use super::TranscriptBytes;

/// A place between two lines of a transcript. Every reader of a session keeps one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cursor {
    /// Bytes before the place.
    pub offset: u64,
    /// The `uuid` of the last record before it that has one; empty where none has.
    pub uuid: String,
}

impl Cursor {
    /// Moves `file` to the place and returns it, or the beginning where the file has no line
    /// ending there: it was truncated, or is another one.
    pub(super) fn valid_for(&self, file: &mut dyn TranscriptBytes) -> io::Result<Self> {
        if self.offset > 0 && self.offset <= file.seek(SeekFrom::End(0))? {
            file.seek(SeekFrom::Start(self.offset - 1))?;
            let mut before = [0];
            file.read_exact(&mut before)?;
            if before == *b"\n" {
                return Ok(self.clone());
            }
        }
        file.seek(SeekFrom::Start(0))?;
        Ok(Self::default())
    }
}
