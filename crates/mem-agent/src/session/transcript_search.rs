//! Transcripts of hosts that still hold what was redacted or erased. Hosts keep injected memory in them. They are not
//! ours to change: each is named, with a command that shows the lines and does not repeat the text.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mem_core::compact_sort::CompactSort as _;
use mem_core::{RunContext, regular_file};
use serde::Serialize;
use serde_json::{Value, json};

use super::place;

/// Transcripts are searched up to this size in all, the newest first.
pub const BYTES_MAX: u64 = 4 << 30;
/// A longer line is searched in pieces of this size.
const PIECE_BYTES_MAX: u64 = 64 << 20;
/// A command shows this number of lines of a file.
const LINES_SHOWN_MAX: usize = 5;

/// A transcript that holds it.
#[derive(Debug, Serialize)]
pub struct HoldingTranscript {
    /// Its file, or how a session of a database is named.
    pub path: PathBuf,
    /// The first lines that hold it, from 1.
    pub lines: Vec<u64>,
    /// How many lines hold it.
    #[serde(rename = "line_count")]
    pub count: usize,
    /// A command of a shell that shows them.
    pub command: String,
}

/// What a search through the transcripts came to.
#[derive(Debug, Default)]
pub struct TranscriptSearch {
    /// Those that hold it.
    pub holders: Vec<HoldingTranscript>,
    searched: usize,
    /// Those that cannot be read, and those beyond the limit.
    pub not_searched: usize,
}

/// Files that may be transcripts, with time and size.
pub struct TranscriptFiles(Vec<(SystemTime, u64, PathBuf)>);

impl TranscriptFiles {
    /// The transcripts of the hosts that `mem` knows, of all projects, the newest first.
    pub fn of_hosts(run: &RunContext) -> Self {
        let mut files = Vec::new();
        for place in transcript_dirs(run) {
            gather_files(&place, &mut files);
        }
        files.compact_sort_by(|a, b| b.cmp(a));
        Self(files)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

/// Looks through transcripts, and through the sessions that are no files.
pub fn search_transcripts(
    files: TranscriptFiles,
    run: &RunContext,
    is_hit: &dyn Fn(&[u8]) -> bool,
) -> TranscriptSearch {
    let (mut found, mut left) = (TranscriptSearch::default(), BYTES_MAX);
    for (_, bytes, path) in files.0 {
        let Some(rest) = left.checked_sub(bytes) else {
            found.not_searched += 1;
            continue;
        };
        left = rest;
        match hit_lines(&path, is_hit) {
            Ok((_, 0)) => found.searched += 1,
            Ok((lines, count)) => {
                found.searched += 1;
                let command = lines_command(&path, &lines);
                found.holders.push(HoldingTranscript {
                    path,
                    lines,
                    count,
                    command,
                });
            }
            Err(_) => found.not_searched += 1,
        }
    }
    found.add_opencode(run, is_hit);
    found.holders.compact_sort_by(|a, b| a.path.cmp(&b.path));
    found
}

impl TranscriptSearch {
    /// Looks through the database of opencode, whose sessions are no files.
    fn add_opencode(&mut self, run: &RunContext, is_hit: &dyn Fn(&[u8]) -> bool) {
        let dirs = run.dirs().ok();
        let Some(found) = dirs.and_then(|dirs| place::find_in_opencode(dirs, is_hit)) else {
            return;
        };
        let Ok(found) = found else {
            self.not_searched += 1;
            return;
        };
        self.searched += 1;
        let home = dirs.and_then(|dirs| dirs.home.as_deref());
        let holder = |(id, count): (String, usize)| HoldingTranscript {
            path: place::opencode_session(home.unwrap_or(Path::new("")), None, &id),
            lines: Vec::new(),
            count,
            command: format!("opencode export {}", place::shell_word(&id)),
        };
        self.holders.extend(found.into_iter().map(holder));
    }

    /// How many files were searched.
    pub fn count(&self) -> usize {
        self.searched + self.not_searched
    }

    /// The same for programs.
    pub fn to_json(&self) -> Value {
        json!({
            "searched": self.searched, "not_searched": self.not_searched, "untouched": true,
            "holding": self.holders,
        })
    }
}

/// A command of a shell that prints lines of a file.
fn lines_command(path: &Path, lines: &[u64]) -> String {
    let lines = lines.iter().map(|line| format!("{line}p"));
    let lines = lines.collect::<Vec<_>>().join(";");
    let path = place::shell_word(&path.to_string_lossy());
    format!("sed -n '{lines}' {path}")
}

/// Where hosts keep transcripts, and what they copy prompts, files and outputs to.
fn transcript_dirs(run: &RunContext) -> Vec<PathBuf> {
    let Ok(dirs) = run.dirs() else {
        return Vec::new();
    };
    let claude = ["projects", "history.jsonl", "file-history", "paste-cache"];
    let mut places: Vec<PathBuf> = claude.iter().map(|name| dirs.base.join(name)).collect();
    let home = dirs.home.as_ref();
    let codex = run.env.get("CODEX_HOME").map(PathBuf::from);
    if let Some(codex) = codex.or_else(|| Some(home?.join(".codex"))) {
        let names = ["sessions", "archived_sessions", "history.jsonl"];
        places.extend(names.iter().map(|name| codex.join(name)));
    }
    if let Some(home) = home {
        let names = [
            ".copilot/session-state",
            ".gemini/tmp",
            ".qwen/tmp",
            ".qwen/projects",
        ];
        places.extend(names.iter().map(|name| home.join(name)));
    }
    places
}

/// Every file below a place, with its time and size. Memory directories are no transcripts, and links lead elsewhere.
fn gather_files(path: &Path, files: &mut Vec<(SystemTime, u64, PathBuf)>) {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return;
    };
    if meta.is_file() {
        let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        files.push((time, meta.len(), path.to_owned()));
    } else if meta.is_dir() && path.file_name().is_none_or(|name| name != "memory") {
        place::entries_in(path).for_each(|entry| gather_files(&entry.path(), files));
    }
}

/// The first lines of a file that are hits, and how many there are.
fn hit_lines(path: &Path, is_hit: &dyn Fn(&[u8]) -> bool) -> io::Result<(Vec<u64>, usize)> {
    let mut file = BufReader::new(regular_file::open(path)?);
    let (mut lines, mut count, mut number, mut line) = (Vec::new(), 0, 1, Vec::new());
    loop {
        line.clear();
        if file
            .by_ref()
            .take(PIECE_BYTES_MAX)
            .read_until(b'\n', &mut line)?
            == 0
        {
            return Ok((lines, count));
        }
        if is_hit(&line) && lines.last() != Some(&number) {
            count += 1;
            if lines.len() < LINES_SHOWN_MAX {
                lines.push(number);
            }
        }
        number += u64::from(line.ends_with(b"\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_a_command_shows_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's.jsonl");
        let mut file = regular_file::create_new(&path).unwrap();
        io::Write::write_all(&mut file, b"a\nx1\n\nx2\nb\nx3").unwrap();
        let (lines, count) = hit_lines(&path, &|line| line.starts_with(b"x")).unwrap();
        assert_eq!((lines.as_slice(), count), ([2, 4, 6].as_slice(), 3));
        let command = lines_command(&path, &lines);
        assert!(command.starts_with("sed -n '2p;4p;6p' '"), "{command}");
        assert!(command.ends_with("it'\\''s.jsonl'"), "{command}");
    }
}
