//! One machine: what survives a crash of it, and what goes wrong at its calls to the outside.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

use mem_core::history::Sha256;
use mem_core::state_file::StateError;
use mem_sync::base::{SyncState, SyncStateStorage};
use mem_sync::files::{BatchFile, FilesError, SyncFiles};
use mem_sync::key::EntryKey;
use mem_sync::remote::Remote;

use super::simulation::KEYS;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// The call does not happen.
    Before,
    /// The call happens, and its answer is lost.
    After,
    /// A person edits a file just before the call.
    Edit(usize),
    /// Somebody else writes to the remote just before the call.
    Race(usize),
}

/// One machine: what survives a crash.
#[derive(Debug, Default)]
pub(super) struct Disk {
    pub(super) files: BTreeMap<EntryKey, Vec<u8>>,
    /// The history: every text that ever stood here.
    pub(super) earlier: BTreeMap<Sha256, Vec<u8>>,
    pub(super) state: SyncState,
    /// The same as a power failure leaves it.
    pub(super) synced: SyncState,
    /// Calls until the fault.
    pub(super) fault: Option<(u32, Fault)>,
    pub(super) lines: u32,
    pub(super) name: usize,
    /// Of files that were deleted here and are not back: their lines.
    pub(super) removed: BTreeMap<EntryKey, BTreeSet<String>>,
    /// Lines of files that were deleted here and begun anew before any round: an edit like others.
    pub(super) rewritten: BTreeSet<(EntryKey, String)>,
    /// Files whose deletion a person here took back.
    pub(super) taken_back: BTreeSet<EntryKey>,
}

impl Disk {
    pub(super) fn write(&mut self, key: &EntryKey, bytes: Vec<u8>) {
        self.removed.remove(key);
        self.earlier.insert(Sha256::digest(&bytes), bytes.clone());
        self.files.insert(key.clone(), bytes);
    }

    /// A line that is there once in the world.
    pub(super) fn line(&mut self, word: &str) -> String {
        self.lines += 1;
        format!("{word} {}-{}\n", self.name, self.lines)
    }

    pub(super) fn edit(&mut self, key: &EntryKey, word: &str, in_front: bool) {
        let line = self.line(word).into_bytes();
        let removed = self.removed.remove(key).unwrap_or_default();
        self.rewritten
            .extend(removed.into_iter().map(|line| (key.clone(), line)));
        let old = self.files.get(key).cloned().unwrap_or_default();
        let new = if in_front {
            [line, old].concat()
        } else {
            [old, line].concat()
        };
        self.write(key, new);
    }

    /// Counts a call to the outside.
    pub(super) fn fault(&mut self) -> Option<Fault> {
        let (left, fault) = self.fault.take()?;
        if left > 0 {
            self.fault = Some((left - 1, fault));
            return None;
        }
        if let Fault::Edit(key) = fault {
            self.edit(&EntryKey::parse(KEYS[key]).unwrap(), "line", false);
        }
        Some(fault)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Machine(pub(super) Rc<RefCell<Disk>>);

pub(super) fn lost() -> io::Error {
    io::Error::other("the machine stopped")
}

impl SyncFiles for Machine {
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
        let disk = self.0.borrow();
        let files = disk.files.iter();
        Ok(files
            .map(|(key, bytes)| (key.to_string(), Sha256::digest(bytes)))
            .collect())
    }

    fn read(&mut self, key: &EntryKey) -> Result<Option<Vec<u8>>, FilesError> {
        Ok(self.0.borrow().files.get(key).cloned())
    }

    fn earlier(&mut self, _: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        self.0.borrow().earlier.get(&sha256).cloned()
    }

    fn is_restored(&mut self, key: &EntryKey) -> bool {
        self.0.borrow().taken_back.contains(key)
    }

    fn apply(&mut self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError> {
        let mut disk = self.0.borrow_mut();
        let fault = disk.fault();
        let mut applied = BTreeSet::new();
        for (at, change) in changes.iter().enumerate() {
            // A crash in the middle: some files are written, some are not.
            if fault == Some(Fault::Before) && at >= changes.len() / 2 {
                return Err(FilesError(lost().into()));
            }
            let now = disk
                .files
                .get(&change.key)
                .map(|bytes| Sha256::digest(bytes));
            if now != change.expected {
                continue;
            }
            match &change.new {
                Some(bytes) => disk.write(&change.key, bytes.to_vec()),
                None => drop(disk.files.remove(&change.key)),
            }
            applied.insert(change.key.clone());
        }
        match fault {
            Some(Fault::After | Fault::Before) => Err(FilesError(lost().into())),
            _ => Ok(applied),
        }
    }
}

impl Machine {
    fn keep(&self, state: &mut SyncState, sync: bool) -> Result<(), StateError> {
        let mut disk = self.0.borrow_mut();
        let fault = disk.fault();
        if fault != Some(Fault::Before) {
            // Through its text, as a file would.
            disk.state = SyncState::of_text(state.text()).unwrap();
            if sync {
                disk.synced = disk.state.clone();
            }
            state.mark_saved();
        }
        match fault {
            Some(Fault::Before | Fault::After) => Err(StateError::Access {
                step: "write",
                path: "state.json".into(),
                source: lost(),
            }),
            _ => Ok(()),
        }
    }
}

impl SyncStateStorage for Machine {
    fn save(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.keep(state, true)
    }

    fn note(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.keep(state, false)
    }
}

/// Opens the remote for a person.
pub(super) type Elsewhere = Rc<dyn Fn(&str) -> Box<dyn Remote>>;
