//! What changes of memories do to a store: a function over the part of the store that they can touch.

use std::collections::{BTreeMap, BTreeSet};

use mem_core::history::Sha256;
use mem_sync::limits::ENTRIES_MAX;

use super::rules::Rules;
use super::{MemoryChange, MemoryRecord, Operation, Precondition, Refusal};
use crate::storage::flush::Row;
use crate::storage::shelf::{By, Memory, NewVersion};
use crate::storage::store_row::StoreRow;
use crate::storage::{StorageError, id};

/// A memory where it is.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) path: String,
    pub(super) folded: String,
    pub(super) memory: Memory,
    /// Where it may be needed.
    pub(super) content: Option<String>,
}

/// The part of one store that some changes can touch.
#[derive(Debug)]
pub(super) struct Board {
    store_id: String,
    rules: Rules,
    is_archived: bool,
    sequence: u64,
    live: u64,
    /// By id.
    placed: BTreeMap<String, Placed>,
    /// Ids of what is live, by folded path.
    taken: BTreeMap<String, String>,
    /// Tombstones that changes made, by path.
    tombstones: BTreeMap<String, Placed>,
    versions: Vec<NewVersion>,
    touched: BTreeSet<String>,
    /// Ids of those that are not where they were any more.
    gone: BTreeSet<String>,
}

/// A change that is refused is left out as a whole; what fails ends all.
type Outcome<T> = Result<Result<T, Refusal>, StorageError>;

impl Board {
    pub(super) fn new(
        store: &StoreRow,
        rules: Rules,
        placed: impl IntoIterator<Item = Placed>,
    ) -> Self {
        let placed: BTreeMap<String, Placed> = placed
            .into_iter()
            .map(|one| (one.memory.id.clone(), one))
            .collect();
        let taken = placed.values();
        let taken = taken.map(|one| (one.folded.clone(), one.memory.id.clone()));
        Self {
            store_id: store.id.clone(),
            rules,
            is_archived: store.is_archived,
            sequence: store.sequence,
            live: store.live,
            taken: taken.collect(),
            placed,
            tombstones: BTreeMap::new(),
            versions: Vec::new(),
            touched: BTreeSet::new(),
            gone: BTreeSet::new(),
        }
    }

    /// Carries something out as if the store were not archived.
    pub(super) fn past_archive<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let is_archived = std::mem::replace(&mut self.is_archived, false);
        let done = act(self);
        self.is_archived = is_archived;
        done
    }

    /// The number of the newest change.
    pub(super) fn sequence(&self) -> u64 {
        self.sequence
    }

    /// How many memories there are.
    pub(super) fn live(&self) -> u64 {
        self.live
    }

    /// What is to be stored, in the order of its numbers.
    pub(super) fn versions(&self) -> &[NewVersion] {
        &self.versions
    }

    /// What is at the paths that changed.
    pub(super) fn rows(&self) -> Vec<Row<'_>> {
        let live = self.touched.iter().filter_map(|id| self.placed.get(id));
        let buried = self.tombstones.values();
        let buried = buried.filter(|one| match self.taken.get(&one.folded) {
            // Somebody has the path again.
            Some(id) => self.placed.get(id).is_none_or(|now| now.path != one.path),
            None => true,
        });
        let rows = live.chain(buried).map(|one| Row {
            path: one.path.clone(),
            folded: one.folded.clone(),
            memory: &one.memory,
        });
        rows.collect()
    }

    /// Ids of memories that are not where they were any more.
    pub(super) fn gone(&self) -> Vec<&str> {
        self.gone.iter().map(String::as_str).collect()
    }

    /// A memory where nothing is.
    pub(super) fn create(
        &mut self,
        path: String,
        content: String,
        by: By<'_>,
    ) -> Outcome<MemoryRecord> {
        let folded = match self.may_have(&path, None) {
            Ok(folded) => folded,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if self.live >= ENTRIES_MAX as u64 {
            return Ok(Err(Refusal::Full));
        }
        let memory = Memory {
            id: id::memory()?,
            live: true,
            version_id: id::version()?,
            sequence: self.sequence + 1,
            sha256: Sha256::of(content.as_bytes()),
            size: content.len(),
            created_at: by.now,
            updated_at: by.now,
        };
        self.live += 1;
        let placed = Placed {
            path,
            folded,
            memory,
            content: Some(content),
        };
        Ok(Ok(self.record(placed, Operation::Created, by)))
    }

    /// A memory, or another content for the one that is at this very path. One that was to be new and is there
    /// with this very content is what was asked for: whoever sends it again did not see the first answer.
    pub(super) fn upsert(
        &mut self,
        path: String,
        content: String,
        not_exists: bool,
        by: By<'_>,
    ) -> Outcome<MemoryRecord> {
        let known = self.rules.folded(&path).ok();
        let known = known.and_then(|folded| self.taken.get(&folded)).cloned();
        let there = known.filter(|id| self.placed.get(id).is_some_and(|one| one.path == path));
        let Some(id) = there else {
            return self.create(path, content, by);
        };
        let is_same = |one: &Placed| one.memory.sha256 == Sha256::of(content.as_bytes());
        if not_exists && !self.is_archived && !self.placed.get(&id).is_some_and(is_same) {
            return Ok(Err(Refusal::Precondition));
        }
        let change = MemoryChange {
            content: Some(content),
            ..MemoryChange::default()
        };
        self.update(&id, change, by)
    }

    /// Another content, another path.
    pub(super) fn update(
        &mut self,
        id: &str,
        change: MemoryChange,
        by: By<'_>,
    ) -> Outcome<MemoryRecord> {
        let Some(before) = self.placed.get(id).cloned() else {
            return Ok(Err(Refusal::NoMemory));
        };
        if self.is_archived {
            return Ok(Err(Refusal::Archived));
        }
        let sha256 = change
            .content
            .as_ref()
            .map(|text| Sha256::of(text.as_bytes()));
        let sha256 = sha256.unwrap_or(before.memory.sha256);
        let path = change.path.unwrap_or_else(|| before.path.clone());
        if sha256 == before.memory.sha256 && path == before.path {
            let mut shown = self.shown(&before);
            shown.content = shown.content.or(change.content);
            return Ok(Ok(shown));
        }
        if let Some(Precondition::ContentSha256(wanted)) = change.precondition
            && wanted != before.memory.sha256
        {
            return Ok(Err(Refusal::Precondition));
        }
        let folded = match path == before.path {
            true => before.folded.clone(),
            false => match self.may_have(&path, Some(&before)) {
                Ok(folded) => folded,
                Err(Refusal::PathConflict { path: other, .. })
                    if other == path && change.precondition == Some(Precondition::NotExists) =>
                {
                    return Ok(Ok(self.shown(&before)));
                }
                Err(refusal) => return Ok(Err(refusal)),
            },
        };
        let content = change.content.or_else(|| before.content.clone());
        let content = content.ok_or(StorageError::Corrupt("a memory without content"))?;
        let memory = Memory {
            version_id: id::version()?,
            sequence: self.sequence + 1,
            sha256,
            size: content.len(),
            updated_at: by.now,
            ..before.memory.clone()
        };
        if path != before.path {
            self.leave(&before, &memory)?;
        }
        let after = Placed {
            path,
            folded,
            memory,
            content: Some(content),
        };
        Ok(Ok(self.record(after, Operation::Modified, by)))
    }

    /// The end of a memory, in an archived store too.
    pub(super) fn delete(&mut self, id: &str, expected: Option<Sha256>, by: By<'_>) -> Outcome<()> {
        let Some(before) = self.placed.get(id).cloned() else {
            return Ok(Err(Refusal::NoMemory));
        };
        if expected.is_some_and(|expected| expected != before.memory.sha256) {
            return Ok(Err(Refusal::Precondition));
        }
        let memory = Memory {
            live: false,
            version_id: id::version()?,
            sequence: self.sequence + 1,
            updated_at: by.now,
            ..before.memory.clone()
        };
        self.placed.remove(id);
        self.touched.remove(id);
        self.taken.remove(&before.folded);
        self.gone.insert(id.to_owned());
        self.live = self.live.saturating_sub(1);
        let buried = Placed {
            memory,
            content: None,
            ..before
        };
        self.note(&buried, Operation::Deleted, by);
        self.bury(buried);
        Ok(Ok(()))
    }

    /// The folded form of a path that a memory is to have.
    fn may_have(&self, path: &str, own: Option<&Placed>) -> Result<String, Refusal> {
        if self.is_archived {
            return Err(Refusal::Archived);
        }
        let folded = self.rules.folded(path)?;
        if own.is_some_and(|own| own.folded == folded) {
            let why = "it differs from the present one in case only";
            return Err(Refusal::TeamPath(why.to_owned()));
        }
        match self.other(&folded, own) {
            None => Ok(folded),
            Some(id) => {
                let other = self.placed.get(id);
                Err(Refusal::PathConflict {
                    memory_id: id.clone(),
                    path: other.map_or_else(|| path.to_owned(), |other| other.path.clone()),
                })
            }
        }
    }

    /// The memory, another one, that is at a path, above or below it.
    fn other(&self, folded: &str, own: Option<&Placed>) -> Option<&String> {
        let above = folded.match_indices('/').filter(|(at, _)| *at > 0);
        let above = above.map(|(at, _)| &folded[..at]);
        let in_line = above.chain([folded]);
        let in_line = in_line.filter_map(|path| self.taken.get(path));
        let folder = format!("{folded}/");
        let below = self.taken.range(folder.clone()..);
        let below = below.take_while(|(path, _)| path.starts_with(&folder));
        let own = own.map(|own| &own.memory.id);
        let mut others = in_line.chain(below.map(|(_, id)| id));
        others.find(|id| Some(*id) != own)
    }

    /// A memory goes from its path to another. The id of what marks that in a repository's store is nobody's.
    fn leave(&mut self, before: &Placed, after: &Memory) -> Result<(), StorageError> {
        self.taken.remove(&before.folded);
        self.gone.insert(before.memory.id.clone());
        let memory = Memory {
            id: id::memory()?,
            live: false,
            sha256: before.memory.sha256,
            size: before.memory.size,
            ..after.clone()
        };
        self.bury(Placed {
            memory,
            content: None,
            ..before.clone()
        });
        Ok(())
    }

    /// Colleagues have to be told what is not there any more; nobody else has.
    fn bury(&mut self, placed: Placed) {
        if self.rules == Rules::Team {
            self.tombstones.insert(placed.path.clone(), placed);
        }
    }

    fn record(&mut self, placed: Placed, operation: Operation, by: By<'_>) -> MemoryRecord {
        let id = placed.memory.id.clone();
        self.note(&placed, operation, by);
        self.taken.insert(placed.folded.clone(), id.clone());
        self.touched.insert(id.clone());
        let shown = self.shown(&placed);
        self.placed.insert(id, placed);
        shown
    }

    fn note(&mut self, placed: &Placed, operation: Operation, by: By<'_>) {
        self.sequence = placed.memory.sequence;
        self.versions.push(NewVersion {
            reason: None,
            change: self.sequence,
            path: placed.path.clone(),
            operation: operation.as_str(),
            content: placed.content.clone(),
            actor: by.actor.clone(),
            memory: placed.memory.clone(),
        });
    }

    fn shown(&self, placed: &Placed) -> MemoryRecord {
        let memory = &placed.memory;
        MemoryRecord {
            id: memory.id.clone(),
            store_id: self.store_id.clone(),
            path: placed.path.clone(),
            content: placed.content.clone(),
            content_sha256: memory.sha256,
            content_size: memory.size as u64,
            version_id: memory.version_id.clone(),
            created_at: memory.created_at,
            updated_at: memory.updated_at,
        }
    }
}
