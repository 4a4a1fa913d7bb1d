//! Appending to a file: one `write` call, so that writers who know nothing of our lock lose
//! nothing either.
//!
//! The file of the day is opened for appending by several programs at once, and the system puts each write behind the
//! last one. An exchange would leave their handles at the old file. So the order of a commit is turned round: bytes,
//! sync, then the history, as a change that is made already. A crash between the two leaves an external edit, which the
//! next command records; no text is lost by that, only its author. Test:
//! `store::write::the_log_is_appended_to_by_many_and_each_entry_is_a_change`.

use std::io::Write as _;

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::fs::OpenOptions;

use super::change_metadata::ChangeMetadata;
use super::error::StoreError;
use super::folders::BatchFolders;
use super::gate::{GatedFile, ProposedChange, ProposedFile, WriteGate};
use super::local_store::{LocalStore, WriteOutcome};
use super::locked_store::LockedStore;
use super::versions::{self, FileDelta, Identities};
use super::walk::Stat;
use crate::MemoryPath;
use crate::history::{Change, CitationSnapshot, FileChange, Sha256};
use crate::limits::HISTORY_FILE_BYTES_MAX;

impl LocalStore {
    /// Appends bytes to a file, which is made (beginning with `head`) where it does not exist.
    ///
    /// # Errors
    /// A gate refuses, the file is a link or over the limit, or the system refuses.
    pub fn append(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        path: &MemoryPath,
        head: &[u8],
        bytes: &[u8],
    ) -> Result<WriteOutcome<()>, StoreError> {
        let mut locked = LockedStore::begin(self, order.now)?;
        let scope = self.tiers.scope_of(path);
        let (old, text) = locked.appended(path, head, bytes)?;
        locked.check_file_limit((usize::from(old.is_none()), 0))?;
        let new = [old.as_deref().unwrap_or_default(), &text].concat();
        let warnings = gate.check(&GatedFile {
            scope,
            path,
            bytes: &new,
            old: old.as_deref(),
            author: &order.author,
        })?;
        gate.consent(&ProposedChange {
            order,
            places: &self.places,
            files: vec![ProposedFile {
                scope,
                path,
                renamed_from: None,
                old: old.as_deref(),
                new: Some(&new),
                by: None,
            }],
            brings_history: false,
        })?;
        let change = locked.append(order, path, old.as_deref(), &text)?;
        let external_change = locked.external_change.take();
        let warnings = locked.with_repaired(warnings);
        Ok(WriteOutcome {
            value: (),
            change: Some(change),
            external_change,
            warnings,
        })
    }
}

impl LockedStore<'_> {
    /// What stands in the file, and what is added to it.
    fn appended(
        &self,
        path: &MemoryPath,
        head: &[u8],
        bytes: &[u8],
    ) -> Result<(Option<Vec<u8>>, Vec<u8>), StoreError> {
        let old = self.tree.read(path)?.map(|(old, _)| old);
        let size = old.as_ref().map_or(0, Vec::len) + head.len() + bytes.len();
        if size as u64 > HISTORY_FILE_BYTES_MAX {
            let (path, limit_bytes) = (path.clone(), HISTORY_FILE_BYTES_MAX);
            return Err(StoreError::TooLarge {
                path,
                bytes: size as u64,
                limit_bytes,
            });
        }
        let text = match &old {
            None => [head, bytes].concat(),
            Some(old) if old.last().is_some_and(|&last| last != b'\n') => [b"\n", bytes].concat(),
            Some(_) => bytes.to_vec(),
        };
        Ok((old, text))
    }

    fn append(
        &mut self,
        order: &ChangeMetadata,
        path: &MemoryPath,
        old: Option<&[u8]>,
        text: &[u8],
    ) -> Result<Change, StoreError> {
        self.append_once(path, text)?;
        self.record_appended(order, path, old.map(Sha256::digest))
    }

    /// The one `write` call, synced.
    fn append_once(&self, path: &MemoryPath, text: &[u8]) -> Result<(), StoreError> {
        let folder = BatchFolders::default().open(&self.tree, path)?.dir;
        let mut options = OpenOptions::new();
        options.create(true).append(true).follow(FollowSymlinks::No);
        let opened = folder.open_with(path.file_name(), &options);
        let mut file = opened.map_err(|error| self.tree.explain("open", path, error))?;
        let written = file.write_all(text).and_then(|()| file.sync_all());
        written.map_err(|error| self.tree.explain("append to", path, error))
    }

    fn record_appended(
        &mut self,
        order: &ChangeMetadata,
        path: &MemoryPath,
        before: Option<Sha256>,
    ) -> Result<Change, StoreError> {
        // Read again, and not put together from the old bytes and ours: another program may have appended in between.
        let read = self.tree.read(path)?;
        let (bytes, stat) = read.ok_or_else(|| StoreError::NotFound(path.clone()))?;
        let digest = Sha256::digest(&bytes);
        let after = Some((digest, bytes.len() as u64));
        let delta = FileDelta {
            path: path.clone(),
            before,
            after,
            stat: Stat::default(),
            content_time: None,
            cited: CitationSnapshot::default(),
            by: None,
        };
        let key = &self.store.places.key;
        let identities = Identities::default();
        let change = versions::change_of(order, &[delta], &identities, &self.catalog, key);
        // The bytes are in place: there is nothing to roll forward.
        let file = FileChange {
            path,
            before: None,
            bytes: Some(&bytes),
            after: Some(digest),
            is_lost: false,
        };
        let head = self.history.record_done(&change, &[file])?;
        self.catalog.apply(&change, head);
        self.catalog.set_stat(path, stat);
        self.catalog.save(&self.store.places.catalog())?;
        Ok(change)
    }
}
