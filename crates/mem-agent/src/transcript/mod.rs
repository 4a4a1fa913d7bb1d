//! A session's transcript: what was said and done, read as a stream from where the last reader
//! stopped.
//!
//! The format (one JSON object a line) is the host's own and changes without notice, so a line counts for what is
//! understood of it, and one that is not understood for nothing. Each line tells by its fields which host wrote it:
//! `record` reads Claude Code's, `codex`, `copilot` and `gemini` (with Qwen Code) what others have of their own;
//! `opencode` makes such lines of the rows of a database. Tools that read, write or run have Claude Code's names
//! afterwards. A last line without its line break is still being written, and left for the next time.

mod codex;
mod content;
mod copilot;
mod cursor;
mod gemini;
mod identity;
mod lenient_json;
mod lines;
mod newest_call;
pub(crate) mod opencode;
mod origin;
mod parallel;
mod record;
mod turn_source;

pub use content::MessagePart;
pub use cursor::Cursor;
pub use identity::SessionIdentity;
pub use newest_call::newest_call;
pub use origin::RecordOrigin;
pub use record::{RecordBody, TranscriptRecord};
pub use turn_source::{source_of_call, turn_source, wait_for, wait_for_call};

use std::fmt;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use mem_core::{Diagnose, ErrorKind, regular_file};

use lines::LineReader;

/// Lines longer than this (a pasted film, say) are passed over.
pub const LINE_BYTES_MAX: usize = 16 * 1024 * 1024;
/// So long a transcript is waited for, and looked at so often.
const FILE_WAIT_MAX: Duration = Duration::from_secs(5);
const FILE_WAIT_STEP: Duration = Duration::from_millis(50);

/// Why a transcript cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the transcript `{}`: {source}", path.display())]
pub struct TranscriptError {
    path: PathBuf,
    source: io::Error,
}

impl Diagnose for TranscriptError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::from(&self.source)
    }

    fn hint(&self) -> Option<String> {
        Some("name the session's `.jsonl` file with --transcript".to_owned())
    }
}

/// Whether a transcript is there, as a file or in a database.
pub fn is_there(path: &Path) -> bool {
    path.exists() || opencode::parse_path(path).is_some()
}

/// Waits a while for a transcript that a host may write behind its hooks: Copilot CLI begins one after the end of the
/// first turn was told.
pub fn wait_for_transcript(path: &Path) {
    let end = Instant::now() + FILE_WAIT_MAX;
    while !is_there(path) && Instant::now() < end {
        thread::sleep(FILE_WAIT_STEP);
    }
}

/// The bytes of a transcript: a file of the host, or the lines that are made of a session in its database.
trait TranscriptBytes: Read + Seek + fmt::Debug + Send {}

impl<T: Read + Seek + fmt::Debug + Send> TranscriptBytes for T {}

/// Opens a transcript, up to what is whole, or with what is being written.
fn open_bytes(path: &Path, with_unfinished: bool) -> io::Result<Box<dyn TranscriptBytes>> {
    Ok(match opencode::parse_path(path) {
        Some((database, id)) => {
            let lines = opencode::read_session(database, id, with_unfinished)?;
            Box::new(io::Cursor::new(lines))
        }
        None => Box::new(regular_file::open(path)?),
    })
}

/// A transcript that is open for reading.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    lines: LineReader<Box<dyn TranscriptBytes>>,
    cursor: Cursor,
}

impl Transcript {
    /// Opens a transcript where `cursor` stands, or at its beginning where the cursor belongs to
    /// another file or to one that was rewritten since.
    ///
    /// # Errors
    /// It is not there, no regular file, or the system refuses.
    pub fn open_at(path: &Path, cursor: &Cursor) -> Result<Self, TranscriptError> {
        let fail = |source| TranscriptError {
            path: path.to_owned(),
            source,
        };
        let mut file = open_bytes(path, false).map_err(fail)?;
        let cursor = cursor.valid_for(&mut *file).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            lines: LineReader::new(file),
            cursor,
        })
    }

    /// Whether it is read from its beginning.
    pub fn is_fresh(&self) -> bool {
        self.cursor.offset == 0
    }

    /// Hands every further record to `see`, and returns where the next reader goes on.
    ///
    /// # Errors
    /// The system's.
    pub fn read(
        mut self,
        mut see: impl FnMut(&TranscriptRecord<'_>),
    ) -> Result<Cursor, TranscriptError> {
        let path = self.path;
        let fail = |source| TranscriptError { path, source };
        let cursor = &mut self.cursor;
        self.lines
            .each_line(|line, bytes| {
                cursor.offset += bytes;
                if let Some(record) = line.and_then(TranscriptRecord::parse) {
                    if let Some(uuid) = &record.uuid {
                        cursor.uuid.replace_range(.., uuid);
                    }
                    see(&record);
                }
            })
            .map_err(fail)?;
        Ok(self.cursor)
    }

    /// Makes something of every further record, on all cores, and hands it to `take` in the order of the records.
    /// Returns where the next reader goes on.
    ///
    /// # Errors
    /// The system's.
    pub fn read_on_cores<T: Send>(
        mut self,
        make: impl Fn(&TranscriptRecord<'_>) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<Cursor, TranscriptError> {
        let cursor = &mut self.cursor;
        let read = parallel::read(&mut self.lines, make, |made| {
            cursor.offset += made.taken;
            if let Some(uuid) = made.uuid {
                cursor.uuid = uuid;
            }
            made.of_records.into_iter().for_each(&mut take);
        });
        let path = self.path;
        read.map_err(|source| TranscriptError { path, source })?;
        Ok(self.cursor)
    }
}
