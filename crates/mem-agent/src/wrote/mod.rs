//! Whether the agent itself wrote memory in a part of a session, so that whoever extracts memories
//! from it can keep out of its way.
//!
//! What counts is a call that succeeded: a file tool on a file of a memory directory, the memory
//! tool, a tool of `mem`'s MCP server, and in a shell a command of `mem` that writes, or one that puts a file into a
//! memory directory. What subagents do is not of the conversation and does not count.

mod call;
mod files;
mod line;
mod script;
mod shell;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::transcript::{Cursor, Part, Record, Said, Transcript, TranscriptError};

/// Calls whose results are waited for; an agent has only a few at once.
const PENDING_MAX: usize = 1_024;
/// Files that are named.
const FILES_MAX: usize = 1_000;

/// What the agent wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrote {
    /// The tools by which it wrote: `Write`, `memory`, `mcp__mem__memory_edit`, `mem save`.
    pub by: BTreeSet<String>,
    /// The files, as the calls name them; of a shell command those that it puts there itself.
    pub files: BTreeSet<String>,
    /// Whether the record was found after which to look; without it the whole transcript counts.
    pub is_since_found: bool,
}

impl Wrote {
    /// Whether it wrote at all.
    pub fn any(&self) -> bool {
        !self.by.is_empty()
    }
}

/// A call that would write memory, if it succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Writing {
    by: String,
    file: Option<String>,
}

/// Reads a transcript for what was written after the record `since`. `is_memory` says whether a file
/// is one of a memory directory.
///
/// A call that was made before `since` and answered after it counts: who looked up to `since` has
/// not seen it succeed.
///
/// # Errors
/// The transcript cannot be read.
pub fn wrote(
    transcript: &Path,
    since: &str,
    is_memory: &dyn Fn(&Path) -> bool,
) -> Result<Wrote, TranscriptError> {
    let mut watch = Watch::default();
    let open = Transcript::open(transcript, &Cursor::default())?;
    open.read(|record| {
        watch.take(record, is_memory);
        if record.uuid.as_deref() == Some(since) {
            watch.found = Wrote {
                is_since_found: true,
                ..Wrote::default()
            };
        }
    })?;
    Ok(watch.found)
}

/// What was written so far, record by record.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    pending: BTreeMap<String, Writing>,
    /// What succeeded.
    pub(crate) found: Wrote,
}

/// A call that may write memory, or what came of any call.
#[derive(Debug)]
pub(crate) enum Call {
    Made {
        id: String,
        tool: String,
        input: String,
        /// The folder that the session was in.
        folder: Option<String>,
    },
    Answered {
        id: String,
        is_error: bool,
    },
}

/// The calls of a record, as far as they matter.
pub(crate) fn calls(record: &Record<'_>) -> Vec<Call> {
    let (Said::User { parts, .. } | Said::Assistant { parts, .. }) = &record.said else {
        return Vec::new();
    };
    let calls = parts.iter().filter_map(|part| match part {
        Part::ToolUse { id, name, input } => call::may_write(name, input).then(|| Call::Made {
            id: id.to_string(),
            tool: name.to_string(),
            input: (*input).to_owned(),
            folder: record.cwd.as_deref().map(str::to_owned),
        }),
        Part::ToolResult { id, is_error, .. } => Some(Call::Answered {
            id: id.to_string(),
            is_error: *is_error,
        }),
        Part::Text(_) => None,
    });
    calls.collect()
}

impl Watch {
    /// Takes in the next record.
    pub(crate) fn take(&mut self, record: &Record<'_>, is_memory: &dyn Fn(&Path) -> bool) {
        self.take_calls(calls(record), is_memory);
    }

    /// Takes in the calls of the next record.
    pub(crate) fn take_calls(&mut self, calls: Vec<Call>, is_memory: &dyn Fn(&Path) -> bool) {
        let Self { pending, found } = self;
        for call in calls {
            match call {
                Call::Made {
                    id,
                    tool,
                    input,
                    folder,
                } => {
                    let folder = Path::new(folder.as_deref().unwrap_or_default());
                    let writing = call::writing(&tool, &input, folder, is_memory);
                    if let Some(writing) = writing.filter(|_| pending.len() < PENDING_MAX) {
                        pending.insert(id, writing);
                    }
                }
                Call::Answered { id, is_error } => {
                    let Some(writing) = pending.remove(&id).filter(|_| !is_error) else {
                        continue;
                    };
                    found.by.insert(writing.by);
                    if found.files.len() < FILES_MAX {
                        found.files.extend(writing.file);
                    }
                }
            }
        }
    }
}
