//! Whether the agent itself wrote memory in a part of a session, so that extraction does not write the same again.
//!
//! A call counts once it succeeded. File tools, the memory tool and the tools of `mem`'s MCP server name what they
//! write. A shell command may write in any way, and its text does not tell: it counts where the history has a write
//! within the time that it ran.
//!
//! ```text
//! call    |----- shell command -----|          |--- shell command ---|
//! history           x (a write by an agent or an unknown program)
//!         counts                                does not count
//! ```
//!
//! Calls of subagents are not part of the conversation and do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde_json::Value;

use crate::transcript::{
    Cursor, MessagePart, RecordBody, Transcript, TranscriptError, TranscriptRecord,
};

/// Calls that wait for their results at a time; an agent has only a few.
const PENDING_MAX: usize = 1_024;
/// Files that are listed.
const FILES_MAX: usize = 1_000;
/// The file tools of hosts, and the field that names the file.
const FILE_TOOLS: [(&str, &str); 4] = [
    ("Write", "file_path"),
    ("Edit", "file_path"),
    ("MultiEdit", "file_path"),
    ("NotebookEdit", "notebook_path"),
];
/// The commands of the memory tool that write.
const MEMORY_COMMANDS: [&str; 5] = ["create", "str_replace", "insert", "delete", "rename"];
/// The tools of `mem`'s MCP server that write.
const MCP_TOOLS: [&str; 4] = [
    "memory_write",
    "memory_edit",
    "memory_delete",
    "memory_store",
];
const SHELLS: [&str; 2] = ["Bash", "PowerShell"];

/// How to find out what was written to memory.
#[derive(Clone, Copy)]
pub struct MemoryWrites<'a> {
    /// Whether a file is in a memory directory.
    pub is_memory: &'a dyn Fn(&Path) -> bool,
    /// Whether an agent or an unknown program wrote to memory from the first instant to the second, both included.
    pub is_written: &'a dyn Fn(Timestamp, Timestamp) -> bool,
}

/// What the agent wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrote {
    /// The tools by which it wrote: `Write`, `memory`, `mcp__mem__memory_edit`, `Bash`.
    pub by: BTreeSet<String>,
    /// The files, as the calls name them; a shell command names none.
    pub files: BTreeSet<String>,
    /// Whether the transcript has the record after which to look; without it the whole transcript counts.
    pub is_since_found: bool,
}

impl Wrote {
    /// Whether it wrote at all.
    pub fn has_written(&self) -> bool {
        !self.by.is_empty()
    }
}

/// Reads a transcript for what was written after the record `since`.
///
/// A call before `since` whose result comes after it counts: a reader up to `since` has not seen it succeed.
///
/// # Errors
/// The transcript cannot be read.
pub fn find_writes(
    transcript: &Path,
    since: &str,
    writes: MemoryWrites<'_>,
) -> Result<Wrote, TranscriptError> {
    let mut watch = Watch::default();
    let open = Transcript::open_at(transcript, &Cursor::default())?;
    open.read(|record| {
        watch.take_calls(record_calls(record), writes);
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
    pending: BTreeMap<String, Pending>,
    /// What succeeded.
    pub(crate) found: Wrote,
}

/// A call without its result.
#[derive(Debug)]
enum Pending {
    /// It writes memory if it succeeds.
    Write { by: String, file: Option<String> },
    /// A shell command that began at this time.
    Shell { by: String, start: Timestamp },
}

/// A call that may write memory, or the result of any call.
#[derive(Debug)]
pub(crate) enum Call {
    Made {
        id: String,
        tool: String,
        /// The arguments as JSON; empty for a shell, of which only the time counts.
        input: String,
        /// The working directory of the session.
        folder: Option<String>,
        time: Option<Timestamp>,
    },
    Answered {
        id: String,
        is_error: bool,
        time: Option<Timestamp>,
    },
}

/// The calls of a record, as far as they matter.
pub(crate) fn record_calls(record: &TranscriptRecord<'_>) -> Vec<Call> {
    let (RecordBody::User { parts, .. } | RecordBody::Assistant { parts, .. }) = &record.said
    else {
        return Vec::new();
    };
    let time = || record.time.as_deref()?.parse().ok();
    let calls = parts.iter().filter_map(|part| match part {
        MessagePart::ToolUse { id, name, input } if may_write(name) => Some(Call::Made {
            id: id.to_string(),
            tool: name.to_string(),
            input: match SHELLS.contains(&&**name) {
                true => String::new(),
                false => input.to_string(),
            },
            folder: record.cwd.as_deref().map(str::to_owned),
            time: time(),
        }),
        MessagePart::ToolResult { id, is_error, .. } => Some(Call::Answered {
            id: id.to_string(),
            is_error: *is_error,
            time: time(),
        }),
        MessagePart::ToolUse { .. } | MessagePart::Text(_) => None,
    });
    calls.collect()
}

impl Watch {
    /// Takes in the calls of the next record.
    pub(crate) fn take_calls(&mut self, calls: Vec<Call>, writes: MemoryWrites<'_>) {
        for call in calls {
            match call {
                Call::Made {
                    id,
                    tool,
                    input,
                    folder,
                    time,
                } => {
                    let folder = Path::new(folder.as_deref().unwrap_or_default());
                    let pending = match SHELLS.contains(&&*tool) {
                        true => time.map(|start| Pending::Shell { by: tool, start }),
                        false => pending_write(tool, &input, folder, writes.is_memory),
                    };
                    if let Some(pending) = pending.filter(|_| self.pending.len() < PENDING_MAX) {
                        self.pending.insert(id, pending);
                    }
                }
                Call::Answered { id, is_error, time } => match self.pending.remove(&id) {
                    // A command may fail after it wrote; the history knows.
                    Some(Pending::Shell { by, start })
                        if time.is_some_and(|end| (writes.is_written)(start, end)) =>
                    {
                        self.found.by.insert(by);
                    }
                    Some(Pending::Write { by, file }) if !is_error => {
                        self.found.by.insert(by);
                        if self.found.files.len() < FILES_MAX {
                            self.found.files.extend(file);
                        }
                    }
                    _ => {}
                },
            }
        }
    }
}

/// What a call from a folder would write; `None` where that is not memory.
fn pending_write(
    tool: String,
    input: &str,
    folder: &Path,
    is_memory: &dyn Fn(&Path) -> bool,
) -> Option<Pending> {
    let input: Value = serde_json::from_str(input).ok()?;
    let field = |names: &[&str]| {
        let found = names.iter().find_map(|name| input.get(name)?.as_str());
        found.map(str::to_owned)
    };
    let file = if tool == "memory" {
        let command = field(&["command"])?;
        if !MEMORY_COMMANDS.contains(&&*command) {
            return None;
        }
        field(&["path", "new_path", "old_path"])
    } else if let Some((_, name)) = FILE_TOOLS.iter().find(|(name, _)| *name == tool) {
        let file = field(&[name])?;
        let path = match file.starts_with(['~', '$']) {
            true => PathBuf::from(&file),
            false => folder.join(&file),
        };
        if !is_memory(&path) {
            return None;
        }
        Some(file)
    } else {
        field(&["path", "file", "name"])
    };
    Some(Pending::Write { by: tool, file })
}

/// Whether a tool can write memory. Most calls are of others.
fn may_write(tool: &str) -> bool {
    SHELLS.contains(&tool)
        || tool == "memory"
        || FILE_TOOLS.iter().any(|(name, _)| *name == tool)
        || is_mcp_tool(tool)
}

/// Whether a host's name of a tool, `mcp__SERVER__TOOL`, is one of our tools that write.
fn is_mcp_tool(tool: &str) -> bool {
    let name = tool
        .strip_prefix("mcp__")
        .and_then(|rest| rest.rsplit_once("__"));
    name.is_some_and(|(_, name)| MCP_TOOLS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(tool: &str, input: &str, folder: &str) -> Option<String> {
        let is_memory = |path: &Path| path.starts_with("/m");
        if !may_write(tool) {
            return None;
        }
        match pending_write(tool.to_owned(), input, Path::new(folder), &is_memory)? {
            Pending::Write { by, .. } | Pending::Shell { by, .. } => Some(by),
        }
    }

    #[test]
    fn calls_that_write_memory_are_told_from_others() {
        let edit = "mcp__plugin_mem_mem__memory_edit";
        for (tool, input, folder, is_write) in [
            ("Write", r#"{"file_path":"/m/a.md"}"#, "/", true),
            ("Write", r#"{"file_path":"MEMORY.md"}"#, "/m", true),
            ("Write", r#"{"file_path":"MEMORY.md"}"#, "/src", false),
            (
                "NotebookEdit",
                r#"{"notebook_path":"/m/a.ipynb"}"#,
                "/",
                true,
            ),
            ("Edit", r#"{"file_path":"/src/a.md"}"#, "/", false),
            ("Read", r#"{"file_path":"/m/a.md"}"#, "/", false),
            (
                "memory",
                r#"{"command":"create","path":"/memories/a"}"#,
                "/",
                true,
            ),
            (
                "memory",
                r#"{"command":"view","path":"/memories"}"#,
                "/",
                false,
            ),
            ("mcp__mem__memory_write", "{}", "/", true),
            (edit, r#"{"path":"a.md"}"#, "/", true),
            ("mcp__mem__memory_read", "{}", "/", false),
            ("mcp__mem__memory_write", "broken", "/", false),
        ] {
            let want = is_write.then_some(tool);
            assert_eq!(by(tool, input, folder).as_deref(), want, "{tool} {input}");
        }
    }
}
