//! One replication of an offline copy with its store: the copy as the files, what is known of both as the state, and
//! what may leave, for the engine that also keeps team memory in step ([`mem_sync::client`]). The server's side is
//! in `remote`.
//!
//! # State
//! The engine's state is made of `base.json` and `standing.json` when a replication begins, and what changed of it is
//! written back there: ids of memories, which every write needs, have no place in it. The newest version that was
//! seen is remembered once nothing of it is still to be written here.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Instant;

use jiff::Timestamp;
use mem_core::Now;
use mem_core::error::message_with_causes;
use mem_core::history::Sha256;
use mem_core::percent::{percent_decoded, percent_encoded};
use mem_core::state_file::StateError;
use mem_scan::outbound::OutboundScanner;
use mem_sync::EntryKey;
use mem_sync::base::{self, Conflict, KeyView, SyncState, SyncStateStorage};
use mem_sync::client::{Direction, Policy, RoundReport, StopReason, SyncClient};
use mem_sync::decide::KnownKey as At;
use mem_sync::files::{BatchFile, FilesError, SyncFiles};
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use mem_sync::plan::BlockedFile;
use mem_sync::remote::RemoteError;
use mem_sync::wire::{ETag, RejectionCode};

use super::copy::OfflineCopy;
use super::error::CopyError;
use super::state::{BlockedUpload, LastSynced, VersionCursor};
use crate::StorePath;
use crate::client::Blocking;

/// A round begins anew so often where somebody else was faster.
const ROUNDS_MAX: u32 = 8;

/// The number of every state of a store that goes on from what was known of it. One that was put back to an older state
/// has 0: the engine only asks which is larger.
pub(super) const VERSION: u64 = 1;

/// Why a text gave way.
const CHANGED: &str = "it was changed here and at the server; the server's text stands";
const READ_ONLY: &str =
    "it was written here, and the store may only be read; the server's text stands";
const LOST: &str = "the server does not know it any more, not even as deleted: it was put back to an older state, or \
                    the text was erased there";
const DELETED: &str = "it was changed here and deleted or moved at the server";

/// A copy and its server, while they are brought in step.
pub(super) struct Replica<'r> {
    pub(super) copy: &'r OfflineCopy,
    pub(super) server: Blocking,
    /// The id of the store.
    pub(super) store: &'r str,
    pub(super) screen: &'r OutboundScanner,
    pub(super) now: Now,
    pub(super) deadline: Option<Instant>,
    /// Whether a person asked for it: what the server did not take is tried again then.
    pub(super) is_wanted: bool,
    /// Is told how many memories came.
    pub(super) count: &'r dyn Fn(usize),
    pub(super) view: RefCell<ServerView>,
    /// Why the server did not answer as it was hoped.
    pub(super) failure: RefCell<Option<CopyError>>,
    /// Whether the deadline was over first.
    pub(super) is_unfinished: Cell<bool>,
}

/// What is known of the server.
#[derive(Default)]
pub(super) struct ServerView {
    /// What it has, by path.
    pub(super) there: BTreeMap<String, LastSynced>,
    /// Contents that came unasked.
    pub(super) texts: BTreeMap<String, String>,
    /// The newest version; `None` where everything is to be listed.
    pub(super) cursor: Option<VersionCursor>,
    /// Whether it was asked what is new.
    pub(super) was_asked: bool,
    /// Whether everything was listed.
    pub(super) is_whole: bool,
    /// Whether it was put back to an older state since the newest version that was seen.
    pub(super) was_put_back: bool,
    /// Paths of what it then does not even know as deleted.
    pub(super) lost: BTreeSet<String>,
    /// What it does not take or may not have, and why.
    pub(super) refused: BTreeMap<String, BlockedUpload>,
    /// What of it cannot be a file here.
    pub(super) skipped: BTreeSet<String>,
    /// Where memories are to be moved to, by where they were.
    pub(super) renames: BTreeMap<String, StorePath>,
    /// What was deleted here, and whether the server refused that before.
    deletions: BTreeMap<String, bool>,
    /// Texts that give way to the next batch of files.
    conflicts: BTreeMap<EntryKey, Conflict>,
    /// What both have in common, as it was written down.
    pub(super) base: BTreeMap<String, LastSynced>,
}

impl ServerView {
    /// What is remembered of a copy.
    pub(super) fn for_copy(copy: &OfflineCopy, now: Now) -> Result<Self, CopyError> {
        let mut locked = copy.lock_copy(now)?;
        if locked.is_read_only() {
            locked.unsent.paths.clear();
            locked.status.held.clear();
        }
        let base = locked.base.memories.clone();
        // Of a base that was lost nobody can tell what is new.
        let is_whole = locked.status.is_whole && !base.is_empty();
        let cursor = locked.status.cursor.clone().filter(|_| is_whole);
        let skipped = locked.status.skipped.keys().cloned().collect();
        locked.finish_changes()?;
        Ok(Self {
            there: base.clone(),
            cursor,
            skipped,
            base,
            ..Self::default()
        })
    }

    /// The name of this state of the server.
    pub(super) fn state_etag(&self) -> ETag {
        let version = self.cursor.as_ref().map(|cursor| cursor.version.as_str());
        ETag::from_name(version.unwrap_or_default())
    }
}

impl Replica<'_> {
    /// Brings both in step, as far as the direction allows it.
    ///
    /// # Errors
    /// What the server says, or the system; what was done until then is remembered.
    pub(super) fn run(&self, direction: Direction) -> Result<(), CopyError> {
        let mut client = SyncClient::new(self, self, self, self, self.read_state()?);
        client.policy = Policy {
            merges: false,
            // What was erased at the server is not to come back from a colleague's copy.
            resends_lost: false,
            is_read_only: self.copy.is_read_only(),
            ..Policy::default()
        };
        for _ in 0..ROUNDS_MAX {
            match client.round(direction) {
                Ok(report) => return self.save_report(&report),
                Err(StopReason::Remote(RemoteError::Raced { .. })) => {}
                Err(why) => return Err(self.failure.take().unwrap_or_else(|| why.into())),
            }
        }
        let times = ROUNDS_MAX;
        Err(StopReason::Outrun { times }.into())
    }

    fn read_state(&self) -> Result<SyncState, CopyError> {
        let view = self.view.borrow();
        let mut state = SyncState::default();
        for (path, known) in &view.base {
            let Some(key) = key_of(path) else { continue };
            let content = At::At(known.sha256);
            let seen = KeyView {
                updated_at: known.updated_at.clone(),
                ..content.into()
            };
            state.set_seen(&key, Some(seen));
            state.set_base(&key, Some(content));
        }
        state.view.version = VERSION;
        state.view.etag = view.cursor.as_ref().map(|_| view.state_etag());
        if !self.is_wanted {
            let held = self.copy.read_status().held.into_iter();
            let held = held.filter_map(|(path, held)| {
                let held = base::RejectedContent {
                    sha256: held.sha256?,
                    code: RejectionCode::Other,
                    message: held.why,
                    etag: None,
                };
                Some((key_of(&path)?, held))
            });
            state.held = held.collect();
        }
        // A round that changes nothing writes nothing.
        state.mark_saved();
        Ok(state)
    }

    /// Writes down what changed of the state. Texts that give way are kept with the next batch of files.
    fn save_state(&self, state: &mut SyncState) -> Result<(), CopyError> {
        let mut locked = self.copy.lock_copy(self.now)?;
        let mut view = self.view.borrow_mut();
        let view = &mut *view;
        let mut conflicts = std::mem::take(&mut state.conflicts);
        if locked.is_read_only() {
            // A text that the server has somewhere else is not lost.
            let there = view.there.values().map(|known| known.sha256);
            let there: BTreeSet<Sha256> = there.collect();
            conflicts.retain(|one| !there.contains(&Sha256::digest(one.local.as_bytes())));
        }
        let conflicts = conflicts.into_iter();
        view.conflicts = conflicts.map(|one| (one.key.clone(), one)).collect();
        let mut is_behind = false;
        for (name, line) in state.rows() {
            let (Some(row), Some(path)) = (line.value(), path_named(name)) else {
                continue;
            };
            let (base, remote) = (content_digest(row.base), content_digest(row.remote));
            is_behind |= base != remote && !locked.status.skipped.contains_key(&path);
            let there = view.there.get(&path);
            let known = match base {
                // A conflict copy is made of it; a round that ends before that starts over.
                None if there.is_some() => continue,
                None => None,
                Some(sha256) => match there.filter(|known| known.sha256 == sha256) {
                    None => continue,
                    known => known.cloned(),
                },
            };
            if view.base.get(&path) == known.as_ref() {
                continue;
            }
            match known {
                Some(known) => {
                    let memories = &mut locked.base.memories;
                    memories.insert(path.clone(), known.clone());
                    view.base.insert(path, known);
                }
                None => {
                    locked.base.memories.remove(&path);
                    view.base.remove(&path);
                }
            }
        }
        if view.was_asked && !is_behind {
            locked.status.cursor.clone_from(&view.cursor);
            locked.status.is_whole |= view.is_whole;
        }
        locked.finish_changes()
    }

    /// Writes down what stays here and why, and that what both have does not wait.
    fn save_report(&self, report: &RoundReport) -> Result<(), CopyError> {
        let mut locked = self.copy.lock_copy(self.now)?;
        let view = self.view.take();
        let mut refused = view.refused;
        for blocked in &report.blocked {
            let key = match blocked {
                // The scan has noted it.
                BlockedFile::Secret { .. } => continue,
                BlockedFile::AboutPerson(key)
                | BlockedFile::NotText(key)
                | BlockedFile::TooLargeAsSent(key)
                | BlockedFile::TooLarge { key, .. } => key,
            };
            let path = path_of(key)?;
            let held = BlockedUpload {
                sha256: locked.memory_digest(&path)?,
                why: blocked.to_string(),
            };
            refused.insert(path.as_str().to_owned(), held);
        }
        locked.drop_settled()?;
        let waiting = &locked.unsent.paths;
        let held = &mut locked.status.held;
        held.extend(refused);
        held.retain(|path, _| waiting.contains(path));
        if view.was_asked {
            locked.status.pulled = Some(self.now.0.as_second());
        }
        locked.finish_changes()
    }

    /// The memories here, and what is to be moved at the server: one that is gone while one with its content is new.
    /// Every file of a copy that may only be read is looked at, else those that were changed by an agent's tools.
    fn list_local(&self) -> Result<BTreeMap<String, Sha256>, CopyError> {
        let locked = self.copy.lock_copy(self.now)?;
        let mut here = BTreeMap::new();
        if locked.is_read_only() {
            for path in locked.memory_paths()? {
                // What is too large to be read is none of an agent's tools, and is not shown by them.
                if let Ok(Some(sha256)) = locked.memory_digest(&path) {
                    here.insert(path.as_str().to_owned(), sha256);
                }
            }
            return Ok(here);
        }
        let memories = &locked.base.memories;
        here.extend(
            memories
                .iter()
                .map(|(path, known)| (path.clone(), known.sha256)),
        );
        let (mut gone, mut new) = (Vec::new(), Vec::new());
        for path in &locked.unsent.paths {
            let path = StorePath::parse(path)?;
            let base = here.remove(path.as_str());
            match (base, locked.memory_digest(&path)?) {
                (base, Some(sha256)) => {
                    here.insert(path.as_str().to_owned(), sha256);
                    new.extend(base.is_none().then_some((path, sha256)));
                }
                (Some(base), None) => gone.push((path, base)),
                (None, None) => {}
            }
        }
        let deletions = gone.iter().map(|(path, _)| {
            let is_refused = locked.status.held.contains_key(path.as_str());
            (path.as_str().to_owned(), is_refused && !self.is_wanted)
        });
        self.view.borrow_mut().deletions = deletions.collect();
        new.retain(|(path, _)| self.screen.leak(path.as_str(), "").is_none());
        let renames = gone.into_iter().filter_map(|(from, sha256)| {
            let at = new.iter().position(|(_, new)| *new == sha256)?;
            Some((from.as_str().to_owned(), new.swap_remove(at).0))
        });
        self.view.borrow_mut().renames = renames.collect();
        locked.finish_changes()?;
        Ok(here)
    }

    /// Notes why something stays here.
    pub(super) fn record_blocked(&self, path: &StorePath, held: BlockedUpload) {
        let refused = &mut self.view.borrow_mut().refused;
        refused.insert(path.as_str().to_owned(), held);
    }

    /// Whether a memory was deleted here by an agent's tools, and whether the server refused that.
    fn deletion_refusal(&self, key: &EntryKey) -> Option<bool> {
        let path = path_of(key).ok()?;
        let view = self.view.borrow();
        let was_refused = view.deletions.get(path.as_str())?;
        Some(*was_refused || view.refused.contains_key(path.as_str()))
    }

    fn apply_changes(&self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, CopyError> {
        let mut locked = self.copy.lock_copy(self.now)?;
        let mut view = self.view.borrow_mut();
        let mut done = BTreeSet::new();
        // Places are left before they are taken.
        let (writes, removals): (Vec<_>, Vec<_>) =
            changes.iter().partition(|change| change.new.is_some());
        for change in removals.into_iter().chain(writes) {
            let path = path_of(&change.key)?;
            let here = locked.memory_digest(&path)?;
            let new = change.new.as_deref();
            let is_done = here == new.map(|bytes| Sha256::digest(bytes));
            if !is_done && here != change.expected {
                continue;
            }
            if let Some(conflict) = view.conflicts.remove(&change.key)
                && !is_done
            {
                let why = match view.lost.contains(path.as_str()) {
                    true => LOST,
                    false => conflict_reason(&conflict, locked.is_read_only()),
                };
                locked.put_aside(&path, conflict.local.as_bytes(), why)?;
            }
            let written = match new {
                Some(_) if is_done => Ok(()),
                Some(bytes) => locked.write(&path, bytes),
                None => locked.remove_memory(&path),
            };
            if let Err(error) = written {
                // One name that this file system does not take keeps no other memory out.
                let skipped = &mut locked.status.skipped;
                skipped.insert(path.as_str().to_owned(), message_with_causes(&error));
                continue;
            }
            locked.unsent.paths.remove(path.as_str());
            done.insert(change.key.clone());
        }
        locked.finish_changes()?;
        Ok(done)
    }
}

impl SyncFiles for &Replica<'_> {
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
        let listed = self.list_local().map_err(files_error)?.into_iter();
        let listed = listed.filter_map(|(path, sha256)| Some((key_of(&path)?.into(), sha256)));
        Ok(listed.collect())
    }

    fn read(&mut self, key: &EntryKey) -> Result<Option<Vec<u8>>, FilesError> {
        let read = || self.copy.lock_copy(self.now)?.read(&path_of(key)?);
        read().map_err(files_error)
    }

    /// No earlier text is kept, and nothing is merged.
    fn earlier(&mut self, _: &EntryKey, _: Sha256) -> Option<Vec<u8>> {
        None
    }

    /// Where the store has an older text than it had, both stay: one there, a copy of the other here.
    fn base_after_rollback(&mut self, key: &EntryKey, base: Option<At>, _: Sha256) -> Option<At> {
        let view = self.view.borrow();
        let path = path_of(key).ok()?;
        let known = [&view.there, &view.base].map(|all| all.get(path.as_str()));
        let [there, before] =
            known.map(|known| known.and_then(|known| known.updated_at.parse::<Timestamp>().ok()));
        base.filter(|_| there.is_some() && there > before)
    }

    /// What cannot be a file here is not fetched again and again.
    fn awaits(&mut self, key: &EntryKey, _: Sha256) -> bool {
        let view = self.view.borrow();
        path_of(key).is_ok_and(|path| view.skipped.contains(path.as_str()))
    }

    fn is_removed(&mut self, key: &EntryKey) -> bool {
        self.deletion_refusal(key) == Some(false)
    }

    fn is_undeletable(&mut self, key: &EntryKey) -> bool {
        self.deletion_refusal(key) == Some(true)
    }

    fn apply(&mut self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError> {
        self.apply_changes(changes).map_err(files_error)
    }
}

impl SyncStateStorage for &Replica<'_> {
    fn save(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.save_state(state).map_err(|error| StateError::Access {
            step: "write",
            path: self.copy.state.folder().to_owned(),
            source: io::Error::other(error),
        })?;
        state.mark_saved();
        Ok(())
    }
}

impl OutboundScan for &Replica<'_> {
    fn find_leaks(&self, key: &EntryKey, text: &str) -> Result<Vec<Leak>, OutboundScanError> {
        let path = path_of(key).map_err(|error| OutboundScanError(error.to_string()))?;
        let leak = self.screen.leak(path.as_str(), text);
        if let Some(leak) = &leak {
            let held = BlockedUpload {
                sha256: Some(Sha256::digest(text.as_bytes())),
                why: format!("it holds a secret: {leak}"),
            };
            self.record_blocked(&path, held);
        }
        Ok(leak.into_iter().collect())
    }
}

fn conflict_reason(conflict: &Conflict, is_read_only: bool) -> &'static str {
    match conflict.remote {
        _ if is_read_only => READ_ONLY,
        At::At(_) => CHANGED,
        At::Gone(_) => DELETED,
    }
}

fn content_digest(known: Option<At>) -> Option<Sha256> {
    match known {
        Some(At::At(sha256)) => Some(sha256),
        Some(At::Gone(_)) | None => None,
    }
}

fn files_error(error: CopyError) -> FilesError {
    FilesError(Box::new(error))
}

/// The key of a path. Stores have names that some system does not take, such as `/con`: they are percent-encoded.
/// `None` where that makes one too long.
pub(super) fn key_of(path: &str) -> Option<EntryKey> {
    let path = path.strip_prefix('/')?;
    if !path.contains('%')
        && let Ok(key) = EntryKey::parse(path)
    {
        return Some(key);
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let segments = path.split('/').map(|segment| {
        // With its first character encoded a segment is no system's word.
        let first = segment.chars().next().map_or(0, char::len_utf8);
        let (first, rest) = segment.split_at(first);
        percent_encoded(first, |_| false) + &percent_encoded(rest, is_plain)
    });
    let segments: Vec<String> = segments.collect();
    EntryKey::parse(&segments.join("/")).ok()
}

/// The path of a key.
pub(super) fn path_of(key: &EntryKey) -> Result<StorePath, CopyError> {
    let path = path_named(key.as_str()).ok_or(CopyError::Key)?;
    Ok(StorePath::parse(&path)?)
}

fn path_named(key: &str) -> Option<String> {
    Some(format!("/{}", percent_decoded(key)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_leads_back_to_its_path() {
        for path in [
            "/a.md",
            "/of Kolibri street.md",
            "/100%.md",
            "/%61",
            "/con",
            "/dots./aux.md",
            "/back\\slash",
            "/c:/x",
            "/MEMORY.md/below",
            "/\u{d55c}\u{ae00}. ",
        ] {
            let key = key_of(path).unwrap();
            assert_eq!(path_of(&key).unwrap().as_str(), path, "{key}");
        }
        assert_ne!(key_of("/%61"), key_of("/a"));
        assert_eq!(key_of("/plain.md").unwrap().as_str(), "plain.md");
        assert_eq!(key_of(&format!("/{}", "%".repeat(1_000))), None);
    }
}
