//! What others changed since the last look: recorded as one foreign change, or as that of somebody who
//! is known to have made it.
//!
//! Steps: walk over catalog and files together; read the files whose stat does not prove them unchanged; match vanished
//! with new files as renames; record one change; bring the catalog up to it. **Invariant:** a plan starts from files
//! that the history knows, so that an undo of the plan cannot take an edit of another program back with it. **Cost:**
//! one `stat` per file; reads only of files whose stat is new. A file or folder that cannot be read is left for the next
//! run and holds up nobody.
//!
//! Tests: `store::external_edits::foreign_writes_are_one_change_when_next_seen`,
//! `store::external_edits::a_foreign_rename_keeps_the_id`,
//! `store::external_edits::what_a_known_author_wrote_is_their_change_and_the_rest_is_still_foreign`.

use std::time::Duration;

use super::catalog::{CatalogEntry, MergedPath};
use super::change_metadata::ChangeMetadata;
use super::error::StoreError;
use super::local_store::LocalStore;
use super::locked_store::LockedStore;
use super::renames::{self, RenamedFile};
use super::versions::{self, FileDelta, Identities};
use super::walk::Stat;
use crate::compact_sort::CompactSort as _;
use crate::history::{Author, AuthorKind, Change, CitationSnapshot, FileChange, Sha256};
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::sorted_lines::SortedLine;
use crate::{MemoryPath, Now};

/// Files whose stat alone is new are read again by the next command; more than this are worth
/// a catalog of their own.
const UNSAVED_STATS_MAX: usize = 16;

/// How long a witness waits for the lock: hosts end a hook after ten seconds, and then nothing is said of the write.
const WITNESS_WAIT_MAX: Duration = Duration::from_secs(2);

/// A file that differs from what was last seen.
struct ExternalEdit {
    delta: FileDelta,
    bytes: Option<Vec<u8>>,
}

impl LocalStore {
    /// Records what the author of an order wrote to one file without the store, such as an agent with
    /// its host's own tools: as their change. What else differs is left for the next look. `None`
    /// where the file is as it was last seen.
    ///
    /// # Errors
    /// Another process keeps the lock for two seconds; whatever the system has against it.
    pub fn witness(
        &self,
        path: &MemoryPath,
        order: &ChangeMetadata,
    ) -> Result<Option<Change>, StoreError> {
        if !self.places.root.exists() {
            return Ok(None);
        }
        LockedStore::begin_unseen_within(self, WITNESS_WAIT_MAX)?.record(order, Some(path))
    }
}

impl LockedStore<'_> {
    /// Compares the files with the catalog and records the difference. Returns the change.
    pub(super) fn record_external_edits(&mut self, now: Now) -> Result<Option<Change>, StoreError> {
        self.record(&external_change(now), None)
    }

    /// Records what differs, or what of one file does.
    fn record(
        &mut self,
        order: &ChangeMetadata,
        only: Option<&MemoryPath>,
    ) -> Result<Option<Change>, StoreError> {
        let mut found = self.found()?;
        found.retain(|one| only.is_none_or(|only| one.delta.path == *only));
        self.record_all(order, found)
    }

    /// What differs from what was last seen.
    fn found(&mut self) -> Result<Vec<ExternalEdit>, StoreError> {
        let (changed, vanished) = self.differences();
        let mut found = self.changed_files(changed)?;
        found.extend(vanished);
        Ok(found)
    }

    fn record_all(
        &mut self,
        order: &ChangeMetadata,
        mut found: Vec<ExternalEdit>,
    ) -> Result<Option<Change>, StoreError> {
        if found.is_empty() {
            return Ok(None);
        }
        found.compact_sort_by(|a, b| a.delta.path.cmp(&b.delta.path));
        let renamed_from = self.renames_among(&found)?;
        for one in &mut found {
            let from = renamed_from.get(&one.delta.path);
            let old = from.and_then(|from| self.catalog.get(from));
            // What was only moved is as old as it was, whatever its mtime says.
            if let Some(old) = old
                && one.delta.after.map(|(digest, _)| digest) == Some(old.sha256)
            {
                one.delta.content_time = Some(old.content_time);
                one.delta.cited = old.cited();
            }
        }
        let identities = Identities {
            renamed_from,
            ..Identities::default()
        };
        let deltas: Vec<FileDelta> = found.iter().map(|one| one.delta.clone()).collect();
        let key = &self.store.places.key;
        let mut change = versions::change_of(order, &deltas, &identities, &self.catalog, key);
        self.remember(&mut change);
        self.record_found(&change, &found)?;
        Ok(Some(change))
    }

    /// Files that are not certainly as they were, and what is known of files that are gone.
    fn differences(&self) -> (Vec<MemoryPath>, Vec<ExternalEdit>) {
        let (mut changed, mut gone) = (Vec::new(), Vec::new());
        for one in self.catalog.merge_with_files(&self.walk.files) {
            match one {
                MergedPath::File {
                    path,
                    stat,
                    is_unchanged,
                    ..
                } => {
                    if !is_unchanged && stat.size <= HISTORY_FILE_BYTES_MAX {
                        changed.push(path.clone());
                    }
                }
                // What cannot be seen is left for the next look, as what cannot be read is.
                MergedPath::Gone(name, _) if self.walk.is_unseen(name) => {}
                MergedPath::Gone(name, line) => gone.extend(vanished(name, &line)),
            }
        }
        (changed, gone)
    }

    /// Files that appeared or whose bytes changed, among these. Others are not opened.
    fn changed_files(&mut self, paths: Vec<MemoryPath>) -> Result<Vec<ExternalEdit>, StoreError> {
        let mut found = Vec::new();
        let mut stats = Vec::new();
        for path in paths {
            // Unreadable or just gone: left for the next look, the rest goes on.
            let Ok(Some((bytes, stat))) = self.tree.read(&path) else {
                continue;
            };
            let digest = Sha256::digest(&bytes);
            let before = self.catalog.get(&path).map(|entry| entry.sha256);
            if before == Some(digest) {
                stats.push((path, stat));
            } else {
                let delta = delta_of(&path, before, Some((digest, bytes.len() as u64)), stat);
                found.push(ExternalEdit {
                    delta,
                    bytes: Some(bytes),
                });
            }
        }
        let many = stats.len() > UNSAVED_STATS_MAX;
        for (path, stat) in stats {
            self.catalog.set_stat(&path, stat);
        }
        // With a change the catalog is saved anyway. Without one, a new stat is saved only where reading the files
        // again would cost more than writing the catalog: after a checkout, all of them have new times.
        if many && found.is_empty() {
            self.catalog.save(&self.store.places.catalog())?;
        }
        Ok(found)
    }

    fn renames_among(
        &self,
        found: &[ExternalEdit],
    ) -> Result<std::collections::BTreeMap<MemoryPath, MemoryPath>, StoreError> {
        let mut gone = Vec::new();
        for one in found.iter().filter(|one| one.delta.after.is_none()) {
            let bytes = self
                .catalog
                .head
                .map(|head| self.history.content(head.sequence, &one.delta.path))
                .transpose()?;
            gone.push((&one.delta, bytes.flatten().unwrap_or_default()));
        }
        let gone: Vec<RenamedFile<'_>> = gone
            .iter()
            .map(|(delta, bytes)| RenamedFile { delta, bytes })
            .collect();
        let new: Vec<RenamedFile<'_>> = found
            .iter()
            .filter(|one| one.delta.before.is_none())
            .filter_map(|one| {
                Some(RenamedFile {
                    delta: &one.delta,
                    bytes: one.bytes.as_deref()?,
                })
            })
            .collect();
        Ok(renames::find(&gone, &new))
    }

    fn record_found(&mut self, change: &Change, found: &[ExternalEdit]) -> Result<(), StoreError> {
        let files = found.iter().map(|one| FileChange {
            path: &one.delta.path,
            before: None,
            bytes: one.bytes.as_deref(),
            after: one.delta.after.map(|(digest, _)| digest),
            is_lost: false,
        });
        // Not pending, and not synced: the files stand there already. What a power failure takes from the history
        // is found again by the next comparison.
        let head = self
            .history
            .record_done(change, &files.collect::<Vec<_>>())?;
        self.catalog.apply(change, head);
        for one in found {
            self.catalog.set_stat(&one.delta.path, one.delta.stat);
        }
        self.catalog.save(&self.store.places.catalog())
    }
}

/// The order of what somebody changed without the store.
fn external_change(now: Now) -> ChangeMetadata {
    ChangeMetadata::new("foreign", Author::from_actor(AuthorKind::Foreign), now)
}

/// A file that is gone.
fn vanished(name: &str, line: &SortedLine<'_, CatalogEntry>) -> Option<ExternalEdit> {
    let (path, entry) = (MemoryPath::parse(name).ok()?, line.value()?);
    Some(ExternalEdit {
        delta: delta_of(&path, Some(entry.sha256), None, Stat::default()),
        bytes: None,
    })
}

/// A delta whose content is as old as the file says.
fn delta_of(
    path: &MemoryPath,
    before: Option<Sha256>,
    after: Option<(Sha256, u64)>,
    stat: Stat,
) -> FileDelta {
    let nanoseconds = i128::from(stat.mtime_ns);
    let content_time = after.and_then(|_| jiff::Timestamp::from_nanosecond(nanoseconds).ok());
    FileDelta {
        path: path.clone(),
        before,
        after,
        stat,
        content_time,
        cited: CitationSnapshot::default(),
        by: None,
    }
}
