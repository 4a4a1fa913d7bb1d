//! One person's machine: files in a map, edits that can be told apart, and the real client.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use mem_core::history::Sha256;
use mem_core::state_file::StateError;
use mem_sync::EntryKey;
use mem_sync::base::{SyncState, SyncStateStorage};
use mem_sync::client::{Direction, RoundStep, SyncClient};
use mem_sync::files::{BatchFile, FilesError, SyncFiles};
use mem_sync::outbound_scan::{Leak, OutboundScan, OutboundScanError};
use mem_sync::remote::http::Http;

/// The files, and every text that ever stood in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tier(Arc<Mutex<Disk>>);

#[derive(Debug, Default)]
struct Disk {
    files: BTreeMap<EntryKey, Vec<u8>>,
    earlier: BTreeMap<Sha256, Vec<u8>>,
}

/// Lets everything pass.
#[derive(Debug)]
pub(super) struct Open;

/// Keeps nothing: these machines do not crash.
#[derive(Debug)]
pub(super) struct Forgetful;

/// The client and its files.
pub(super) struct Machine {
    pub(super) tier: Tier,
    pub(super) client: SyncClient<Http, Tier, Open, Forgetful>,
    name: usize,
    edits: u32,
    jitter: u32,
}

impl Tier {
    fn open(&self) -> MutexGuard<'_, Disk> {
        self.0.lock().unwrap()
    }

    pub(super) fn files(&self) -> BTreeMap<EntryKey, Vec<u8>> {
        self.open().files.clone()
    }

    fn write(&self, key: &EntryKey, bytes: Vec<u8>) {
        let mut open = self.open();
        open.earlier.insert(Sha256::digest(&bytes), bytes.clone());
        open.files.insert(key.clone(), bytes);
    }
}

impl SyncFiles for Tier {
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
        let files = self.files().into_iter();
        Ok(files
            .map(|(key, bytes)| (key.into(), Sha256::digest(&bytes)))
            .collect())
    }

    fn read(&mut self, key: &EntryKey) -> Result<Option<Vec<u8>>, FilesError> {
        Ok(self.open().files.get(key).cloned())
    }

    fn earlier(&mut self, _: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        self.open().earlier.get(&sha256).cloned()
    }

    fn apply(&mut self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError> {
        for change in changes {
            match &change.new {
                Some(bytes) => self.write(&change.key, bytes.to_vec()),
                None => drop(self.open().files.remove(&change.key)),
            }
        }
        Ok(changes.iter().map(|change| change.key.clone()).collect())
    }
}

impl OutboundScan for Open {
    fn find_leaks(&self, _: &EntryKey, _: &str) -> Result<Vec<Leak>, OutboundScanError> {
        Ok(Vec::new())
    }
}

impl SyncStateStorage for Forgetful {
    fn save(&mut self, _: &mut SyncState) -> Result<(), StateError> {
        Ok(())
    }
}

impl Machine {
    pub(super) fn new(name: usize, remote: Http) -> Self {
        let tier = Tier::default();
        let jitter = u32::try_from(name).unwrap();
        Self {
            client: SyncClient::new(remote, tier.clone(), Open, Forgetful, SyncState::default()),
            tier,
            name,
            edits: 0,
            jitter,
        }
    }

    /// Appends a line that is there once in the world, and returns it.
    pub(super) fn edit(&mut self, key: &EntryKey) -> String {
        self.edits += 1;
        let line = format!("- line {} of {}\n", self.edits, self.name);
        let old = self.tier.files().remove(key).unwrap_or_default();
        self.tier
            .write(key, [old, line.clone().into_bytes()].concat());
        line
    }

    /// Makes a round. Whether everything that it knew of is done.
    pub(super) fn round(&mut self) -> bool {
        self.jitter = self
            .jitter
            .wrapping_mul(1_664_525)
            .wrapping_add(1_013_904_223);
        matches!(
            self.client.step(Direction::Both, self.jitter),
            RoundStep::Done(_)
        )
    }

    /// The texts that gave way, as copies.
    pub(super) fn copies(&self) -> String {
        let copies = self.client.state().conflicts.iter();
        copies
            .map(|copy| String::from_utf8_lossy(copy.local.as_bytes()).into_owned())
            .collect()
    }
}
