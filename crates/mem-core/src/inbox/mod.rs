//! Writes of agents that wait for a person: outside of the memory directory, one file each.
//!
//! `<state>/stores/<key>/inbox/<id>.json` is an [`InboxEntry`]; what was rejected, or replaced by a
//! newer write of the same session, stands in `inbox/rejected/` for a while, so that nothing that
//! was written is lost. Only a write under the store's lock adds entries ([`ConsentGate`]).

mod accept;
mod content;
mod entry;
mod error;
mod put;
mod redaction;
mod scoped;
mod write_policy;

use std::fs;
use std::path::{Path, PathBuf};

use crate::compact_sort::CompactSort as _;
use crate::error::{Diagnose as _, ErrorKind};
use crate::history::ProposalId;
use crate::limits::INBOX_ENTRY_BYTES_MAX;
use crate::regular_file::if_there;
use crate::sealing::{SealError, StateCipher, is_sealed};
use crate::state_file;
use crate::store::{MemoryPaths, StoreError};

pub use content::EntryContent;
pub use entry::{File, InboxEntry};
pub use error::InboxError;
pub use redaction::RedactedEntries;
pub use scoped::{EditOutcome, ScopedEntry};
pub(crate) use write_policy::AWAITS_CONSENT;
pub use write_policy::{ConsentGate, ReviewEachGate, ReviewGate};

/// What errors call an entry.
const ENTRY: &str = "an entry of the inbox";
/// What is sealed is a little longer.
const STORED_BYTES_MAX: u64 = INBOX_ENTRY_BYTES_MAX as u64 + 1024;

/// The inbox of one memory directory.
#[derive(Clone, Debug)]
pub struct Inbox {
    folder: PathBuf,
    seal: StateCipher,
}

/// What an inbox holds, the oldest first.
#[derive(Debug, Default)]
pub struct PendingEntries {
    /// The entries.
    pub entries: Vec<InboxEntry>,
    /// What cannot be read.
    pub warnings: Vec<String>,
    /// Why the first of those that are sealed could not be opened, a missing key before anything else.
    pub closed: Option<SealError>,
}

impl PendingEntries {
    fn leave_out(&mut self, error: InboxError) {
        self.warnings.push(error.to_string());
        let InboxError::Sealed(error) = error else {
            return;
        };
        let is_damage = |error: &SealError| error.kind() == ErrorKind::Corrupt;
        if self
            .closed
            .as_ref()
            .is_none_or(|before| is_damage(before) && !is_damage(&error))
        {
            self.closed = Some(error);
        }
    }

    /// What waits. What is damaged is left out as long as something else is there; without the key nobody says that
    /// nothing waits.
    ///
    /// # Errors
    /// Something is sealed and its key is not there, or nothing could be opened.
    pub fn opened(self) -> Result<(Vec<InboxEntry>, Vec<String>), InboxError> {
        match self.closed {
            Some(error) if self.entries.is_empty() || error.kind() != ErrorKind::Corrupt => {
                Err(error.into())
            }
            _ => Ok((self.entries, self.warnings)),
        }
    }
}

impl Inbox {
    /// The inbox of a memory directory. Nothing is touched yet.
    pub fn for_paths(places: &MemoryPaths) -> Self {
        Self {
            folder: places.inbox(),
            seal: places.seal.clone(),
        }
    }

    /// What waits.
    pub fn waiting(&self) -> PendingEntries {
        self.read_all(&self.folder)
    }

    /// What was rejected or replaced, and is still kept.
    pub fn rejected(&self) -> PendingEntries {
        self.read_all(&self.rejected_folder())
    }

    /// How many wait, without reading them.
    pub fn count(&self) -> usize {
        entry_files(&self.folder).len()
    }

    /// Takes over what waits in another inbox, which it leaves one by one: nothing is ever in neither. Says how many
    /// there were.
    ///
    /// # Errors
    /// One cannot be taken in, or cannot be read: that one and those after it stay where they are.
    pub(crate) fn take_over(&self, other: &Self) -> Result<usize, InboxError> {
        let mut paths = entry_files(&other.folder);
        paths.sort_unstable();
        let entries = paths.iter().map(|path| other.read(path));
        let mut entries: Vec<InboxEntry> = entries.collect::<Result<_, _>>()?;
        entries.compact_sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        for entry in &entries {
            self.put(entry.clone())?;
            remove_file(&file_of(&other.folder, &entry.id))?;
        }
        Ok(entries.len())
    }

    /// Removes an entry that was carried out, wherever it stands.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(&self, id: &ProposalId) -> Result<(), InboxError> {
        for folder in [self.folder.clone(), self.rejected_folder()] {
            remove_file(&file_of(&folder, id))?;
        }
        Ok(())
    }

    /// Writes what a person made of an entry, which waits on under its id.
    ///
    /// # Errors
    /// It does not wait as it was read, it is too large, or the system refuses.
    pub(crate) fn amend(&self, read: &InboxEntry, amended: &InboxEntry) -> Result<(), InboxError> {
        let path = file_of(&self.folder, &read.id);
        if !path.exists() || self.read(&path)? != *read {
            return Err(InboxError::Decided(read.id.clone()));
        }
        self.write(&self.folder, amended)
    }

    fn rejected_folder(&self) -> PathBuf {
        self.folder.join("rejected")
    }

    /// Writes every entry as its place wants it by now. Says how many those are, and which cannot be opened or written,
    /// and why: these stay as they are.
    pub(crate) fn reseal(&self) -> (usize, Vec<(PathBuf, String)>) {
        let (mut count, mut unopened) = (0, Vec::new());
        for folder in [&self.folder, &self.rejected_folder()] {
            for path in entry_files(folder) {
                match self.reseal_entry(&path) {
                    Ok(()) => count += 1,
                    Err(error) => unopened.push((path, error.to_string())),
                }
            }
        }
        (count, unopened)
    }

    fn reseal_entry(&self, path: &Path) -> Result<(), InboxError> {
        let plain = self.content(path)?;
        let sealed = self.seal.closed(plain, &belonging(id_of(path)))?;
        Ok(state_file::write(path, &sealed)?)
    }

    /// How many entries open, and which do not, with the reason.
    pub(crate) fn opened(&self) -> (usize, Vec<(PathBuf, String)>) {
        let (mut open, mut closed) = (0, Vec::new());
        for path in [&self.folder, &self.rejected_folder()]
            .into_iter()
            .flat_map(|folder| entry_files(folder))
        {
            match self.read(&path) {
                Ok(_) => open += 1,
                Err(error) => closed.push((path, error.to_string())),
            }
        }
        (open, closed)
    }

    /// The bytes of an entry, opened.
    fn content(&self, path: &Path) -> Result<Vec<u8>, InboxError> {
        let stored = crate::regular_file::read(path, STORED_BYTES_MAX);
        let stored = stored.map_err(|error| unreadable(path, &error))?;
        let opened = self.seal.opened(stored, &belonging(id_of(path)), ENTRY)?;
        Ok(opened.into_owned())
    }

    /// How many entries are sealed by the key of today, and how many are otherwise.
    pub(crate) fn count_sealed(&self) -> (usize, usize) {
        let key = self.seal.key_name().ok().flatten();
        let rejected = self.rejected_folder();
        let files = [&self.folder, &rejected].map(|folder| entry_files(folder));
        let is_sealed = |path: &PathBuf| {
            crate::regular_file::read(path, STORED_BYTES_MAX)
                .is_ok_and(|bytes| is_sealed(&bytes) && Some(self.seal.name_of(&bytes)) == key)
        };
        let (sealed, other): (Vec<_>, Vec<_>) = files.into_iter().flatten().partition(is_sealed);
        (sealed.len(), other.len())
    }

    fn read_all(&self, folder: &Path) -> PendingEntries {
        let mut waiting = PendingEntries::default();
        for path in entry_files(folder) {
            match self.read(&path) {
                Ok(entry) => waiting.entries.push(entry),
                Err(error) => waiting.leave_out(error),
            }
        }
        waiting
            .entries
            .compact_sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        waiting
    }

    fn read(&self, path: &Path) -> Result<InboxEntry, InboxError> {
        let id = id_of(path);
        let bytes = self.content(path)?;
        let entry: InboxEntry =
            serde_json::from_slice(&bytes).map_err(|error| unreadable(path, &error))?;
        match id == entry.id.as_str() {
            true => Ok(entry),
            false => Err(unreadable(path, &"it is the entry of another file")),
        }
    }
}

/// What an entry is sealed for.
fn belonging(id: &str) -> [&str; 2] {
    ["inbox", id]
}

/// The id in the name of an entry's file.
fn id_of(path: &Path) -> &str {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or_default()
}

fn unreadable(path: &Path, cause: &dyn std::fmt::Display) -> InboxError {
    InboxError::Unreadable {
        path: path.to_owned(),
        cause: cause.to_string(),
    }
}

fn file_of(folder: &Path, id: &ProposalId) -> PathBuf {
    folder.join(format!("{id}.json"))
}

fn entry_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_entry = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        path.extension().is_some_and(|end| end == "json")
            && stem.is_some_and(|stem| ProposalId::parse(stem).is_some())
    };
    entries.map(|entry| entry.path()).filter(is_entry).collect()
}

fn remove_file(path: &Path) -> Result<(), StoreError> {
    let removed = if_there(fs::remove_file(path));
    removed.map(drop).map_err(StoreError::io("remove", path))
}
