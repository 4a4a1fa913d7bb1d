//! What agents wrote since a person last looked.

use std::collections::BTreeSet;

use jiff::Timestamp;
use mem_core::history::{AuthorKind, ChangeId, FileOperation, HistoryEntry, undone_changes};
use mem_core::inbox::Inbox;
use mem_core::memory::ProjectMemory;
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_core::store::LocalStore;
use mem_core::{MemoryPath, RunContext, state_file};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use mem_agent::extraction;

/// Changes that are looked through, newest first.
const CHANGES_MAX: usize = 1_000;

/// Where a person has looked up to, in `looked.json` of a store's state.
#[derive(Debug, Default, Serialize, Deserialize)]
struct LastLook {
    /// The newest change of then.
    change: Option<ChangeId>,
    /// When that was.
    time: Option<Timestamp>,
}

/// What agents did, over both stores.
#[derive(Debug, Default)]
pub struct AgentActivity {
    /// Their changes since then, that nobody took back.
    pub changes: usize,
    /// The files they wrote, the newest first.
    pub written: Vec<String>,
    /// The files they removed.
    pub removed: Vec<String>,
    /// When the person looked before; none the first time.
    pub since: Option<Timestamp>,
    /// What was taken from sessions: the change, the session, how many files.
    pub extracted: Vec<(ChangeId, String, usize)>,
    /// Writes of theirs that wait for a person.
    pub waiting: usize,
    /// Those of them that rest on what others wrote.
    pub untrusted: usize,
    /// What colleagues wrote and a person is to look at first.
    pub from_team: usize,
}

impl AgentActivity {
    /// Looks at the history of every store, past the change that is `told` by itself. A damaged one tells nothing here.
    pub fn for_memory(memory: &ProjectMemory, told: Option<&str>) -> Self {
        let mut agents = Self::default();
        for store in memory.distinct_stores() {
            let waiting = Inbox::for_paths(store.places()).waiting().entries;
            let is_of_team =
                |entry: &&mem_core::inbox::InboxEntry| entry.author.actor == AuthorKind::Team;
            let from_team = waiting.iter().filter(is_of_team).count();
            agents.from_team += from_team;
            agents.waiting += waiting.len() - from_team;
            let sources = waiting.iter().filter_map(|entry| entry.author.source);
            agents.untrusted += sources.filter(|source| source.is_outside()).count();
            let (looked, _) = state_file::read::<LastLook>(&store.places().looked());
            agents.since = agents.since.max(looked.time);
            agents.count_changes(store, &looked, told);
        }
        agents
    }

    fn count_changes(&mut self, store: &LocalStore, looked: &LastLook, told: Option<&str>) {
        let Ok(Some(history)) = store.open_history() else {
            return;
        };
        let is_new = |entry: &HistoryEntry| Some(&entry.change.id) != looked.change.as_ref();
        let entries = history.own_entries().take(CHANGES_MAX);
        let new: Vec<HistoryEntry> = entries.map_while(Result::ok).take_while(is_new).collect();
        let undone = undone_changes(&new);
        let mut seen = BTreeSet::new();
        for entry in &new {
            let change = &entry.change;
            let is_reported = told == Some(change.id.as_str()) || undone.contains(&change.id);
            if change.author.actor != AuthorKind::Agent || is_reported {
                continue;
            }
            self.changes += 1;
            if change.author.host.as_deref() == Some(extraction::HOST) {
                let is_note = |path: &MemoryPath| !is_list(path);
                let files = change
                    .versions
                    .iter()
                    .filter(|one| is_note(&one.path))
                    .count();
                let session = change.author.session.clone().unwrap_or_default();
                self.extracted.push((change.id.clone(), session, files));
            }
            for version in &change.versions {
                if is_list(&version.path) || !seen.insert(version.path.clone()) {
                    continue;
                }
                let label = store.tiers().label(&version.path);
                match version.operation {
                    FileOperation::Deleted => self.removed.push(label),
                    _ => self.written.push(label),
                }
            }
        }
    }

    /// What was taken from each session, the last one first: a session is read after each of its turns.
    pub fn by_session(&self) -> Vec<(&str, Vec<(&ChangeId, usize)>)> {
        let mut sessions: Vec<(&str, Vec<(&ChangeId, usize)>)> = Vec::new();
        for (change, session, files) in &self.extracted {
            match sessions.iter_mut().find(|(one, _)| one == session) {
                Some((_, changes)) => changes.push((change, *files)),
                None => sessions.push((session, vec![(change, *files)])),
            }
        }
        sessions
    }

    /// The stable shape.
    pub fn to_json(&self) -> Value {
        let extracted = self.extracted.iter().map(|(change, session, files)| {
            json!({ "change": change, "session": session, "files": files })
        });
        json!({
            "changes": self.changes, "written": self.written, "removed": self.removed,
            "extracted": extracted.collect::<Vec<_>>(),
            "since": self.since.map(|time| time.to_string()), "waiting": self.waiting, "untrusted": self.untrusted, "from_team": self.from_team,
        })
    }
}

/// Remembers that a person has seen everything up to now.
pub fn mark_looked(memory: &ProjectMemory, run: &RunContext) {
    if run.author().actor == AuthorKind::Agent {
        return;
    }
    for store in memory.distinct_stores() {
        let Ok(Some(history)) = store.open_history() else {
            continue;
        };
        let newest = history.own_entries().next().and_then(Result::ok);
        let path = store.places().looked();
        let saved = state_file::update(&path, |looked: &mut LastLook| {
            *looked = LastLook {
                change: newest.map(|entry| entry.change.id),
                time: Some(run.now.0),
            };
        });
        if let Err(error) = saved {
            let text = format_args!("that you looked is not remembered: {error}");
            run.detail(text);
        }
    }
}

/// Whether a file lists memories and is none.
fn is_list(path: &MemoryPath) -> bool {
    [INDEX_FILE, ARCHIVE_FILE].contains(&path.file_name())
}
