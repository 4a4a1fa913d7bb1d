//! Repairing and fitting the index of a tier.

use super::ProjectMemory;
use super::error::MemoryError;
use super::scope_dir::{ScopeDir, tier_of};
use crate::index::{self, Age, Fitted, NewIndexEntry, Repair};
use crate::memory_path::is_at_or_below;
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::store::{ChangeMetadata, StoreError, WriteGate, WriteOutcome, WriteTransaction};
use crate::topic::TopicFile;
use crate::{MemoryPath, Scope};

/// A memory of the tier under work.
struct Member {
    file: MemoryPath,
    path: MemoryPath,
    /// An error where the system does not let the file, or a folder, be read.
    topic: Result<TopicFile, StoreError>,
}

/// What was done to the index of a tier by [`ProjectMemory::mend_indexes`].
#[derive(Debug)]
pub struct IndexRepair {
    /// The tier.
    pub scope: Scope,
    /// The pointers.
    pub repair: Repair,
    /// The files whose pointers moved to the archive, because the index was over the cap.
    pub archived: Vec<String>,
}

impl ProjectMemory {
    /// Adds missing pointers and removes dangling and repeated ones, in one write.
    ///
    /// # Errors
    /// The index cannot be read or written, or the gate refuses.
    pub fn repair_index(
        &self,
        scope: Scope,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<Repair>, MemoryError> {
        let store = self.store(scope);
        store.write(order, gate, |draft| repair(draft, ScopeDir(scope)))
    }

    /// Moves the stalest pointers of an index to the archive, in one write, where nine tenths of
    /// the cap are used.
    ///
    /// # Errors
    /// The index cannot be read or written, or the gate refuses.
    pub fn fit_index(
        &self,
        scope: Scope,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<WriteOutcome<Fitted>, MemoryError> {
        let store = self.store(scope);
        store.write(order, gate, |draft| fit(draft, ScopeDir(scope)))
    }

    /// Repairs the indexes of some tiers, and fits those that are over the cap: one change for
    /// each directory. Says what was done where there was something to do.
    ///
    /// # Errors
    /// An index cannot be read or written, or the gate refuses.
    pub fn mend_indexes(
        &self,
        scopes: &[Scope],
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Vec<IndexRepair>, MemoryError> {
        let mut done = Vec::new();
        for tiers in [&[Scope::Private, Scope::Team][..], &[Scope::Global]] {
            let mut tiers = tiers
                .iter()
                .filter(|scope| scopes.contains(scope))
                .peekable();
            let Some(first) = tiers.peek() else {
                continue;
            };
            let store = self.store(**first);
            let tiers: Vec<Scope> = tiers.copied().collect();
            let written = store.write(order, gate, |draft| {
                let mended = tiers.iter().map(|scope| repair_scope(draft, *scope));
                mended.collect::<Result<Vec<_>, _>>()
            })?;
            done.extend(written.value.into_iter().flatten());
        }
        Ok(done)
    }
}

/// Repairs and fits one tier; `None` where there is nothing to do.
fn repair_scope(
    draft: &mut WriteTransaction<'_>,
    scope: Scope,
) -> Result<Option<IndexRepair>, MemoryError> {
    let tier = ScopeDir(scope);
    let repair = repair(draft, tier)?;
    let archived = match index::size(&repair.bytes).is_over() {
        true => fit(draft, tier)?.moved,
        false => Vec::new(),
    };
    let is_idle = repair.added.is_empty()
        && repair.removed.is_empty()
        && repair.repeated.is_empty()
        && archived.is_empty();
    Ok((!is_idle).then_some(IndexRepair {
        scope,
        repair,
        archived,
    }))
}

fn repair(draft: &mut WriteTransaction<'_>, tier: ScopeDir) -> Result<Repair, MemoryError> {
    let members = members(draft, tier)?;
    let old = draft.read(&tier.path(INDEX_FILE)?)?;
    let archive = draft.read(&tier.path(ARCHIVE_FILE)?)?;
    let pointers: Vec<NewIndexEntry<'_>> = members.iter().filter_map(Member::pointer).collect();
    let unreadable = members.iter().filter(|member| member.topic.is_err());
    let unreadable: Vec<&MemoryPath> = unreadable.map(|member| &member.file).collect();
    let bytes = old.as_deref().unwrap_or_default();
    let mut repair = index::repair(bytes, archive.as_deref(), &pointers, &unreadable, tier.0);
    let errors = members
        .iter()
        .filter_map(|member| member.topic.as_ref().err());
    repair.unread = errors.map(ToString::to_string).collect();
    if old.is_some() || !repair.bytes.is_empty() {
        draft.put(&tier.path(INDEX_FILE)?, repair.bytes.clone())?;
    }
    Ok(repair)
}

fn fit(draft: &mut WriteTransaction<'_>, tier: ScopeDir) -> Result<Fitted, MemoryError> {
    let members = members(draft, tier)?;
    let (index_path, archive_path) = (tier.path(INDEX_FILE)?, tier.path(ARCHIVE_FILE)?);
    let bytes = draft.read(&index_path)?.unwrap_or_default();
    let archive = draft.read(&archive_path)?.unwrap_or_default();
    let catalog = draft.catalog();
    let recorded = |member: &Member| {
        let entry = catalog.get(&member.path);
        let topic = member.topic.as_ref().ok();
        let modified = topic.and_then(|topic| topic.modified);
        modified.or(entry.map(|entry| entry.content_time))
    };
    // What cannot be read may be pinned.
    let is_pinned = |member: &Member| member.topic.as_ref().ok().is_none_or(|topic| topic.pinned);
    let age = |file: &str| {
        let is_it = |member: &&Member| is_at_or_below(file, member.file.as_str());
        let member = members.iter().find(is_it);
        Age {
            changed: member.and_then(recorded),
            pinned: member.is_some_and(is_pinned),
        }
    };
    let fitted = index::fit(&bytes, &archive, &age);
    if !fitted.moved.is_empty() {
        draft.put(&index_path, fitted.index.clone())?;
        draft.put(&archive_path, fitted.archive.clone())?;
    }
    Ok(fitted)
}

impl Member {
    fn pointer(&self) -> Option<NewIndexEntry<'_>> {
        let topic = self.topic.as_ref().ok()?;
        Some(NewIndexEntry::from_topic(&self.file, topic))
    }
}

/// The tiers of the store that has a tier.
fn store_tiers(scope: Scope) -> &'static [Scope] {
    match scope {
        Scope::Private | Scope::Team => &[Scope::Private, Scope::Team],
        Scope::Global => &[Scope::Global],
    }
}

/// Every memory of a tier, and each file and folder that the system does not let be read: a pointer to it is not
/// dangling. What is too large to be read is no memory.
fn members(draft: &mut WriteTransaction<'_>, tier: ScopeDir) -> Result<Vec<Member>, MemoryError> {
    let mut members = Vec::new();
    for path in draft.files() {
        let Some(file) = tier.note(&path) else {
            continue;
        };
        let file = MemoryPath::parse(file)?;
        let topic = match draft.read(&path) {
            Err(StoreError::Oversized { .. }) => continue,
            Err(error @ StoreError::Io { .. }) => Err(error),
            read => Ok(TopicFile::parse(&read?.unwrap_or_default())),
        };
        members.push(Member { file, path, topic });
    }
    let tiers = store_tiers(tier.0);
    for (path, error) in draft.unreadable() {
        // No index links to what is no memory path.
        if let Some((scope, file, path)) = tier_of(path, tiers)
            && scope == tier.0
        {
            let topic = Err(error);
            members.push(Member { file, path, topic });
        }
    }
    Ok(members)
}
