//! The bytes of a transcript: a file of the host, or the lines that are made of a session in its database.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use mem_core::regular_file;

use super::opencode;

/// A transcript that is open.
#[derive(Debug)]
pub(super) enum TranscriptBytes {
    File(File),
    Lines(Cursor<Vec<u8>>),
}

impl TranscriptBytes {
    /// Opens a transcript, up to what is whole.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::open_with(path, false)
    }

    /// The same with what is being written.
    pub(super) fn open_unfinished(path: &Path) -> io::Result<Self> {
        Self::open_with(path, true)
    }

    fn open_with(path: &Path, with_unfinished: bool) -> io::Result<Self> {
        match opencode::parse_path(path) {
            Some((database, id)) => {
                let lines = opencode::read_session(database, id, with_unfinished)?;
                Ok(Self::Lines(Cursor::new(lines)))
            }
            None => Ok(Self::File(regular_file::open(path)?)),
        }
    }

    /// How many there are.
    pub(super) fn length(&self) -> io::Result<u64> {
        match self {
            Self::File(file) => Ok(file.metadata()?.len()),
            Self::Lines(lines) => Ok(lines.get_ref().len() as u64),
        }
    }
}

impl Read for TranscriptBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Lines(lines) => lines.read(buffer),
        }
    }
}

impl Seek for TranscriptBytes {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Lines(lines) => lines.seek(to),
        }
    }
}
