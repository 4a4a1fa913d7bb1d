//! What a session has been shown: a note is not shown again unless it says something else by now.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use mem_core::history::Sha256;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::oldest_files::forget_oldest;
use mem_core::{Now, RunContext, Scope, TextSource};
use serde::{Deserialize, Serialize};

use crate::documents::document_key;
use crate::record;
use crate::use_counts;

/// Notes that are remembered for one session; those that were seen first go.
const NOTES_MAX: usize = 512;
/// Sessions that are remembered; those that were silent for the longest time go.
const SESSIONS_MAX: usize = 64;
/// A note that is read so long after it was recalled was not read because of it.
const USE_SECONDS_MAX: i64 = 86_400;

/// What a session has seen, by the keys of the index.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ShownMemories {
    notes: BTreeMap<String, SessionSight>,
    /// The characters that its prompts were given so far.
    given_chars: usize,
    /// The topic files that it wrote in this turn: whether the index names them is looked at when it ends.
    unlisted: BTreeSet<String>,
    /// The least trusted source of its turn, as far as no transcript tells it, or tells it too late.
    source: Option<TextSource>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SessionSight {
    /// What the note said.
    sha256: Sha256,
    /// When, seconds since 1970.
    at: i64,
    /// When it was recalled; nothing where it was not, or that has led to its being used.
    recalled: Option<i64>,
}

impl ShownMemories {
    /// What a session of this memory has seen; an unknown session has seen nothing.
    pub fn for_memory(memory: &ProjectMemory, session: Option<&str>) -> Self {
        session.map_or_else(Self::default, |session| {
            record::read_record(&session_file(memory, session))
        })
    }

    /// Whether it has seen a note with this content.
    pub fn holds_content(&self, key: &str, sha256: &Sha256) -> bool {
        self.notes
            .get(key)
            .is_some_and(|sight| sight.sha256 == *sha256)
    }

    /// Whether it has seen a note as it is now.
    pub fn has_seen(&self, note: &Note) -> bool {
        self.holds_content(
            &document_key(note.scope, &note.file),
            &Sha256::digest(&note.bytes),
        )
    }

    /// The least trusted source of its turn, where that was recorded.
    pub fn source(&self) -> Option<TextSource> {
        self.source
    }

    /// The characters that its prompts were given so far.
    pub fn given_chars(&self) -> usize {
        self.given_chars
    }

    fn add_sight(&mut self, key: String, sight: SessionSight) {
        self.notes.insert(key, sight);
        while self.notes.len() > NOTES_MAX {
            let first = self.notes.iter().min_by_key(|(_, sight)| sight.at);
            let Some(first) = first.map(|(key, _)| key.clone()) else {
                return;
            };
            self.notes.remove(&first);
        }
    }
}

/// Remembers that a session was shown notes, in so many characters that a host put before its model.
/// Says whether those were the first.
///
/// # Errors
/// The state cannot be written.
pub fn mark_shown(
    memory: &ProjectMemory,
    session: &str,
    notes: &[&Note],
    chars: usize,
    now: Now,
) -> io::Result<bool> {
    if notes.is_empty() {
        return Ok(false);
    }
    let path = session_file(memory, session);
    make_room(&path);
    let at = now.0.as_second();
    let mut is_first = false;
    record::change_record(&path, |seen: &mut ShownMemories| {
        is_first = chars > 0 && seen.given_chars == 0;
        seen.given_chars = seen.given_chars.saturating_add(chars);
        for note in notes {
            let sight = SessionSight {
                sha256: Sha256::digest(&note.bytes),
                at,
                recalled: Some(at),
            };
            seen.add_sight(document_key(note.scope, &note.file), sight);
        }
    })?;
    Ok(is_first)
}

/// Forgets what a session has seen, but not how much that was: its context was compacted.
///
/// # Errors
/// The state cannot be written.
pub fn forget_seen(memory: &ProjectMemory, session: &str) -> io::Result<()> {
    let path = session_file(memory, session);
    if !path.exists() {
        return Ok(());
    }
    record::change_record(&path, |seen: &mut ShownMemories| seen.notes.clear())
}

/// Remembers that a session wrote a topic file whose index entry may follow.
///
/// # Errors
/// The state cannot be written.
pub fn note_unlisted(memory: &ProjectMemory, session: &str, key: String) -> io::Result<()> {
    let path = session_file(memory, session);
    make_room(&path);
    record::change_record(&path, |seen: &mut ShownMemories| {
        if seen.unlisted.len() < NOTES_MAX {
            seen.unlisted.insert(key);
        }
    })
}

/// Records the least trusted source of a session's turn so far; `None` begins a turn.
///
/// # Errors
/// The state cannot be written.
pub fn record_source(
    memory: &ProjectMemory,
    session: &str,
    source: Option<TextSource>,
) -> io::Result<()> {
    let path = session_file(memory, session);
    // A turn calls several tools at a time: what another hook has recorded meanwhile stays.
    let new = |before: Option<TextSource>| source.and(before.max(source));
    let before = record::read_record::<ShownMemories>(&path).source;
    if new(before) == before {
        return Ok(());
    }
    make_room(&path);
    record::change_record(&path, |seen: &mut ShownMemories| {
        seen.source = new(seen.source);
    })
}

/// The least trusted source that hooks have recorded of the sessions whose records were changed at a time that counts.
pub fn latest_source(
    memory: &ProjectMemory,
    counts: &dyn Fn(SystemTime) -> bool,
) -> Option<TextSource> {
    let files = fs::read_dir(sessions_folder(memory)).ok()?.flatten();
    let files = files.filter(|file| {
        let changed = file.metadata().and_then(|meta| meta.modified());
        changed.is_ok_and(counts)
    });
    let sources = files.map(|file| record::read_record::<ShownMemories>(&file.path()).source);
    sources.max().flatten()
}

/// The topic files that a session wrote since this was asked last.
///
/// # Errors
/// The state cannot be written.
pub fn take_unlisted(memory: &ProjectMemory, session: &str) -> io::Result<BTreeSet<String>> {
    let path = session_file(memory, session);
    let mut unlisted = record::read_record::<ShownMemories>(&path).unlisted;
    if !unlisted.is_empty() {
        record::change_record(&path, |seen: &mut ShownMemories| {
            unlisted = std::mem::take(&mut seen.unlisted);
        })?;
    }
    Ok(unlisted)
}

/// Remembers that a memory was read in a host's session: it need not be recalled there again, and where it was recalled
/// before, that counts for it. Outside of sessions nothing is written.
pub fn note_read(run: &RunContext, memory: &ProjectMemory, note: &Note) {
    if let Some(session) = run.author().session
        && let Err(error) = mark_read(memory, &session, note, run.now)
    {
        run.detail(format_args!(
            "that this session read it is not remembered: {error}"
        ));
    }
}

/// Remembers that a session read a note by itself. Where the note was recalled before, within a
/// day, that counts as a use: once for each time that it was recalled.
///
/// # Errors
/// The state cannot be written.
pub fn mark_read(memory: &ProjectMemory, session: &str, note: &Note, now: Now) -> io::Result<()> {
    let (at, key) = (now.0.as_second(), document_key(note.scope, &note.file));
    let mut is_used = false;
    record::change_record(
        &session_file(memory, session),
        |seen: &mut ShownMemories| {
            let recalled = seen.notes.get(&key).and_then(|sight| sight.recalled);
            is_used = recalled.is_some_and(|then| at.saturating_sub(then) <= USE_SECONDS_MAX);
            let sight = SessionSight {
                sha256: Sha256::digest(&note.bytes),
                at,
                recalled: None,
            };
            seen.add_sight(key.clone(), sight);
        },
    )?;
    match is_used {
        true => use_counts::count_use(memory.store(note.scope), &key, now),
        false => Ok(()),
    }
}

/// Forgets the oldest sessions, for one that has no record yet.
fn make_room(path: &Path) {
    if !path.exists() {
        let folder = path.parent().unwrap_or(Path::new("."));
        forget_oldest(folder, ".json", SESSIONS_MAX);
    }
}

/// The record of a session: beside the project's own state, whatever the tier of its notes.
fn session_file(memory: &ProjectMemory, session: &str) -> PathBuf {
    let name = Sha256::digest(session.as_bytes()).to_string();
    sessions_folder(memory).join(format!("{}.json", &name[..16]))
}

fn sessions_folder(memory: &ProjectMemory) -> PathBuf {
    let project = memory.store(Scope::Private).places();
    project.recalled().join("sessions")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_remembers_so_many_notes() {
        let mut seen = ShownMemories::default();
        let sight = |at| SessionSight {
            sha256: Sha256::digest(b"x"),
            at,
            recalled: None,
        };
        for number in 0..NOTES_MAX + 3 {
            seen.add_sight(format!("private:{number}.md"), sight(number as i64));
        }
        assert_eq!(seen.notes.len(), NOTES_MAX);
        assert!(!seen.holds_content("private:2.md", &Sha256::digest(b"x")));
        assert!(seen.holds_content("private:3.md", &Sha256::digest(b"x")));
        assert!(!seen.holds_content("private:3.md", &Sha256::digest(b"changed")));
    }
}
