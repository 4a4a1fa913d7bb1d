//! What changes do to a store: a function over the part of the store that they can touch. The database reads that
//! part before ([`super::load`]) and stores what changed after ([`super::flush`]), within one transaction.
//!
//! The PUTs of the team protocol and the edits of the memory stores API change the same rows, one after the other.
//! In a repository's store a path has to be a key, no two paths differ in case only, and a deletion leaves a
//! tombstone. In any other store paths exclude each other by their bytes, and a deletion leaves versions only.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_sync::EntryKey;
use mem_sync::key::Clash;
use mem_sync::limits::{ENTRIES_MAX, ENTRY_BYTES_MAX};
use mem_sync::wire::{KeyRejection, PutAnswer, RejectionCode};

use super::group::{GroupWrite, PutRequest, RequestOutcome, WriteRequest};
use super::store_row::StoreRow;
use super::stores::edit::{Act, MemoryEdit};
use super::stores::{
    MemoryChange, MemoryRecord, StoreRefusal, StoresError, VersionOperation, WriteCondition,
};
use super::{StorageActor, StorageError, id, load};

/// A path that holds, or held, a memory.
#[derive(Clone, Debug)]
pub(super) struct PathRow {
    pub(super) id: String,
    pub(super) path: String,
    /// The form that paths share which exclude each other.
    pub(super) folded: String,
    pub(super) live: bool,
    pub(super) version_id: String,
    pub(super) sequence: u64,
    /// Of what is there, or of what was deleted.
    pub(super) sha256: Sha256,
    pub(super) size: u64,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// What it holds, where that may be needed.
    pub(super) content: Option<String>,
}

/// A version that a change makes.
#[derive(Debug)]
pub(super) struct NewVersion {
    /// The store's number after everything that was done at once with this.
    pub(super) change: u64,
    pub(super) operation: VersionOperation,
    pub(super) actor: StorageActor,
    /// Why something was deleted, where the PUT gave a reason.
    pub(super) reason: Option<String>,
    /// What the path is with it.
    pub(super) row: PathRow,
}

/// The part of one store that some changes can touch.
#[derive(Debug, Default)]
pub(super) struct WorkingSet {
    /// As it is after the changes.
    store: StoreRow,
    /// What is live, by id.
    placed: BTreeMap<String, PathRow>,
    /// Ids of what is live, by folded path.
    taken: BTreeMap<String, String>,
    /// What was deleted from paths that hold nothing now.
    deleted: BTreeMap<String, Sha256>,
    /// Tombstones that changes made, by path.
    tombstones: BTreeMap<String, PathRow>,
    versions: Vec<NewVersion>,
    /// Ids of what is live and changed.
    touched: BTreeSet<String>,
    /// Ids of memories that are not where they were any more.
    gone: BTreeSet<String>,
    /// Who asks for what is carried out, and when.
    actor: StorageActor,
    now: Timestamp,
}

impl WorkingSet {
    /// A store, and the paths that may matter.
    pub(super) fn new(store: &StoreRow, paths: impl IntoIterator<Item = PathRow>) -> Self {
        let mut set = Self {
            store: store.clone(),
            ..Self::default()
        };
        for one in paths {
            match one.live {
                true => set.place(one),
                false => drop(set.deleted.insert(one.path, one.sha256)),
            }
        }
        set
    }

    /// The store with the counters that it has after the changes.
    pub(super) fn store(&self) -> &StoreRow {
        &self.store
    }

    /// What is to be stored, in the order of its numbers.
    pub(super) fn versions(&self) -> &[NewVersion] {
        &self.versions
    }

    /// What is at the paths that changed, each path once.
    pub(super) fn rows(&self) -> Vec<&PathRow> {
        let live = self.touched.iter().filter_map(|id| self.placed.get(id));
        let tombstones = self.tombstones.values();
        let tombstones = tombstones.filter(|one| self.at(&one.path, &one.folded).is_none());
        live.chain(tombstones).collect()
    }

    /// Ids of memories that are not where they were any more.
    pub(super) fn gone(&self) -> Vec<&str> {
        self.gone.iter().map(String::as_str).collect()
    }

    /// Carries out a request, after those before it.
    pub(super) fn carry_out(
        &mut self,
        request: &WriteRequest,
    ) -> Result<RequestOutcome, StorageError> {
        let (actor, now) = match request {
            WriteRequest::Put(put) => (&put.actor, put.now),
            WriteRequest::Edit(edit) => (&edit.writing.actor, edit.writing.now),
        };
        (self.actor, self.now) = (actor.clone(), now);
        match request {
            WriteRequest::Put(put) => self.put(put).map(RequestOutcome::Put),
            WriteRequest::Edit(edit) => match self.edit(edit) {
                Ok(memory) => Ok(RequestOutcome::Edit(Ok(memory))),
                Err(StoresError::Refused(refusal)) => Ok(RequestOutcome::Edit(Err(refusal))),
                Err(StoresError::Storage(error)) => Err(error),
            },
        }
    }

    fn put(&mut self, put: &PutRequest) -> Result<GroupWrite, StorageError> {
        if self.store.is_archived {
            return Ok(GroupWrite::Archived);
        }
        let etag = self.store.etag()?;
        if put.if_match.as_ref().is_some_and(|tag| *tag != etag) {
            return Ok(GroupWrite::Raced { etag });
        }
        let (mut answer, earlier) = (PutAnswer::default(), self.versions.len());
        for key in &put.body.delete {
            let reason = put.body.reasons.get(key).cloned();
            if let Err(why) = self.delete_key(key, reason)? {
                answer.rejected.insert(key.clone().into(), why);
            }
        }
        for (key, text) in &put.body.entries {
            let sha256 = Sha256::digest(text.as_bytes());
            let revives = put.body.revive.contains(key);
            match self.write_key(key, text, sha256, revives)? {
                Ok(()) => drop(answer.written.insert(key.clone(), sha256)),
                Err(why) => drop(answer.rejected.insert(key.clone().into(), why)),
            }
        }
        // What a PUT did at once has one number to the log: a reader that pages by it sees all of the PUT or nothing.
        for version in self.versions.iter_mut().skip(earlier) {
            version.change = self.store.sequence;
        }
        answer.version = self.store.sequence;
        let etag = self.store.etag()?;
        Ok(GroupWrite::Done { etag, answer })
    }

    fn write_key(
        &mut self,
        key: &EntryKey,
        text: &str,
        sha256: Sha256,
        revives: bool,
    ) -> Result<Result<(), KeyRejection>, StorageError> {
        let path = load::path(key);
        // An old client sends it: one that has seen the tombstone, and means it, says so.
        if !revives && self.deleted.get(&path) == Some(&sha256) {
            return Ok(no(RejectionCode::Deleted, "this very content was deleted"));
        }
        let live = self.at(&path, &load::folded(key));
        if live.is_some_and(|row| row.sha256 == sha256) {
            return Ok(Ok(()));
        }
        if text.len() > ENTRY_BYTES_MAX {
            let why = "its content is larger than 102,400 bytes";
            return Ok(no(RejectionCode::TooLarge, why));
        }
        if live.is_none() && self.is_full() {
            let why = "the store holds 10,000 entries already";
            return Ok(no(RejectionCode::StoreFull, why));
        }
        let written = match live.map(|row| row.id.clone()) {
            Some(id) => self.update(&id, content(text.to_owned())),
            None => self.create(path, text.to_owned()),
        };
        match written {
            Ok(_) => Ok(Ok(())),
            Err(StoresError::Refused(refusal)) => Ok(Err(rejection(key, &refusal))),
            Err(StoresError::Storage(error)) => Err(error),
        }
    }

    fn delete_key(
        &mut self,
        key: &EntryKey,
        reason: Option<String>,
    ) -> Result<Result<(), KeyRejection>, StorageError> {
        let live = self.at(&load::path(key), &load::folded(key)).cloned();
        let Some(live) = live else {
            return Ok(no(RejectionCode::NotFound, "there is no such entry"));
        };
        self.remove(live, reason)?;
        Ok(Ok(()))
    }

    /// What there is after an edit; `None`: the memory is deleted.
    fn edit(&mut self, edit: &MemoryEdit) -> Result<Option<MemoryRecord>, StoresError> {
        let writing = &edit.writing;
        // Those that were decided together with it have numbers already.
        let seen = writing.only_after;
        if seen.is_some_and(|seen| seen != self.store.sequence) {
            return Err(StoreRefusal::Precondition.into());
        }
        let is_archived = self.store.is_archived;
        self.store.is_archived &= !writing.is_past_archive;
        let done = match edit.act.clone() {
            Act::Create { path, content } => self.create(path, content).map(Some),
            Act::Upsert {
                path,
                content,
                not_exists,
            } => self.upsert(path, content, not_exists).map(Some),
            Act::Update { id, change } => self.update(&id, change).map(Some),
            Act::Delete { id, expected } => self.delete(&id, expected).map(|()| None),
        };
        self.store.is_archived = is_archived;
        done
    }

    /// A memory where nothing is.
    fn create(&mut self, path: String, content: String) -> Result<MemoryRecord, StoresError> {
        let folded = self.may_have(&path, None)?;
        if self.is_full() {
            return Err(StoreRefusal::Full.into());
        }
        let row = PathRow {
            id: id::random(id::MEMORY)?,
            path,
            folded,
            live: true,
            version_id: id::random(id::VERSION)?,
            sequence: self.store.sequence + 1,
            sha256: Sha256::digest(content.as_bytes()),
            size: content.len() as u64,
            created_at: self.now,
            updated_at: self.now,
            content: Some(content),
        };
        self.store.live += 1;
        Ok(self.record(row, VersionOperation::Created))
    }

    /// A memory, or another content for the one that is at this very path. One that was to be new and is there
    /// with this very content is what was asked for: its sender did not see the first answer.
    fn upsert(
        &mut self,
        path: String,
        text: String,
        not_exists: bool,
    ) -> Result<MemoryRecord, StoresError> {
        let folded = self.store.folded(&path).unwrap_or_default();
        let Some(there) = self.at(&path, &folded) else {
            return self.create(path, text);
        };
        let is_same = there.sha256 == Sha256::digest(text.as_bytes());
        if not_exists && !self.store.is_archived && !is_same {
            return Err(StoreRefusal::Precondition.into());
        }
        let id = there.id.clone();
        self.update(&id, content(text))
    }

    /// Another content, another path.
    fn update(&mut self, id: &str, change: MemoryChange) -> Result<MemoryRecord, StoresError> {
        let before = self.placed.get(id).ok_or(StoreRefusal::NoMemory)?.clone();
        if self.store.is_archived {
            return Err(StoreRefusal::Archived.into());
        }
        let sha256 = change.content.as_ref();
        let sha256 = sha256.map_or(before.sha256, |text| Sha256::digest(text.as_bytes()));
        let path = change.path.unwrap_or_else(|| before.path.clone());
        if sha256 == before.sha256 && path == before.path {
            let mut shown = self.shown(&before);
            shown.content = shown.content.or(change.content);
            return Ok(shown);
        }
        if let Some(WriteCondition::ContentSha256(wanted)) = change.precondition
            && wanted != before.sha256
        {
            return Err(StoreRefusal::Precondition.into());
        }
        let folded = match path == before.path {
            true => before.folded.clone(),
            false => match self.may_have(&path, Some(&before)) {
                Err(StoreRefusal::PathConflict { path: other, .. })
                    if other == path && change.precondition == Some(WriteCondition::NotExists) =>
                {
                    return Ok(self.shown(&before));
                }
                folded => folded?,
            },
        };
        let content = change.content.or_else(|| before.content.clone());
        let content = content.ok_or(StorageError::Corrupt("a memory without content"))?;
        let row = PathRow {
            path,
            folded,
            version_id: id::random(id::VERSION)?,
            sequence: self.store.sequence + 1,
            sha256,
            size: content.len() as u64,
            updated_at: self.now,
            content: Some(content),
            ..before.clone()
        };
        if row.path != before.path {
            self.leave(&before, &row)?;
        }
        Ok(self.record(row, VersionOperation::Modified))
    }

    /// The end of a memory, in an archived store too.
    fn delete(&mut self, id: &str, expected: Option<Sha256>) -> Result<(), StoresError> {
        let before = self.placed.get(id).ok_or(StoreRefusal::NoMemory)?.clone();
        if expected.is_some_and(|expected| expected != before.sha256) {
            return Err(StoreRefusal::Precondition.into());
        }
        Ok(self.remove(before, None)?)
    }

    fn remove(&mut self, before: PathRow, reason: Option<String>) -> Result<(), StorageError> {
        let row = PathRow {
            live: false,
            version_id: id::random(id::VERSION)?,
            sequence: self.store.sequence + 1,
            updated_at: self.now,
            content: None,
            ..before
        };
        self.placed.remove(&row.id);
        self.touched.remove(&row.id);
        self.taken.remove(&row.folded);
        self.store.live = self.store.live.saturating_sub(1);
        self.note(&row, reason, VersionOperation::Deleted);
        // In a repository's store the row of the path becomes the tombstone.
        if !self.store.is_repository() {
            self.gone.insert(row.id.clone());
        }
        self.bury(row);
        Ok(())
    }

    /// What is live at this very path.
    fn at(&self, path: &str, folded: &str) -> Option<&PathRow> {
        let live = self.placed.get(self.taken.get(folded)?)?;
        Some(live).filter(|live| live.path == path)
    }

    fn is_full(&self) -> bool {
        self.store.live >= ENTRIES_MAX as u64
    }

    /// The folded form of a path that a memory is to have.
    fn may_have(&self, path: &str, own: Option<&PathRow>) -> Result<String, StoreRefusal> {
        if self.store.is_archived {
            return Err(StoreRefusal::Archived);
        }
        let folded = self.store.folded(path)?;
        if own.is_some_and(|own| own.folded == folded) {
            let why = "it differs from the present one in case only";
            return Err(StoreRefusal::TeamPath(why.to_owned()));
        }
        match self.other(&folded, own) {
            None => Ok(folded),
            Some(id) => {
                let other = self.placed.get(id);
                Err(StoreRefusal::PathConflict {
                    memory_id: id.clone(),
                    path: other.map_or_else(|| path.to_owned(), |other| other.path.clone()),
                })
            }
        }
    }

    /// The memory, another one, that is at a path, above or below it.
    fn other(&self, folded: &str, own: Option<&PathRow>) -> Option<&String> {
        let above = folded.match_indices('/').filter(|(at, _)| *at > 0);
        let above = above.map(|(at, _)| &folded[..at]);
        let in_line = above.chain([folded]);
        let in_line = in_line.filter_map(|path| self.taken.get(path));
        let folder = format!("{folded}/");
        let below = self.taken.range(folder.clone()..);
        let below = below.take_while(|(path, _)| path.starts_with(&folder));
        let own = own.map(|own| &own.id);
        let mut others = in_line.chain(below.map(|(_, id)| id));
        others.find(|id| Some(*id) != own)
    }

    /// A memory goes from its path to another. The id of the tombstone that a repository's store gets is new.
    fn leave(&mut self, before: &PathRow, after: &PathRow) -> Result<(), StorageError> {
        self.taken.remove(&before.folded);
        self.gone.insert(before.id.clone());
        self.bury(PathRow {
            id: id::random(id::MEMORY)?,
            path: before.path.clone(),
            folded: before.folded.clone(),
            live: false,
            sha256: before.sha256,
            size: before.size,
            content: None,
            ..after.clone()
        });
        Ok(())
    }

    /// Colleagues have to learn what is not there any more; other stores have no tombstones.
    fn bury(&mut self, row: PathRow) {
        if self.store.is_repository() {
            self.deleted.insert(row.path.clone(), row.sha256);
            self.tombstones.insert(row.path.clone(), row);
        }
    }

    fn place(&mut self, one: PathRow) {
        let id = one.id.clone();
        self.taken.insert(one.folded.clone(), id.clone());
        self.placed.insert(id, one);
    }

    fn record(&mut self, row: PathRow, operation: VersionOperation) -> MemoryRecord {
        self.note(&row, None, operation);
        self.deleted.remove(&row.path);
        self.touched.insert(row.id.clone());
        let shown = self.shown(&row);
        self.place(row);
        shown
    }

    fn note(&mut self, row: &PathRow, reason: Option<String>, operation: VersionOperation) {
        self.store.sequence = row.sequence;
        self.versions.push(NewVersion {
            change: row.sequence,
            operation,
            actor: self.actor.clone(),
            reason,
            row: row.clone(),
        });
    }

    fn shown(&self, row: &PathRow) -> MemoryRecord {
        MemoryRecord {
            id: row.id.clone(),
            store_id: self.store.id.clone(),
            path: row.path.clone(),
            content: row.content.clone(),
            content_sha256: row.sha256,
            content_size: row.size,
            version_id: row.version_id.clone(),
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

fn content(text: String) -> MemoryChange {
    MemoryChange {
        content: Some(text),
        ..MemoryChange::default()
    }
}

fn no(code: RejectionCode, message: &str) -> Result<(), KeyRejection> {
    let message = message.to_owned();
    Err(KeyRejection { code, message })
}

/// What a refusal is called in the answer to a PUT.
fn rejection(key: &EntryKey, refusal: &StoreRefusal) -> KeyRejection {
    let StoreRefusal::PathConflict { path, .. } = refusal else {
        let message = refusal.to_string();
        let code = RejectionCode::Other;
        return KeyRejection { code, message };
    };
    let folded = load::folded(key);
    let clash = match load::key(path) {
        Some(other) if load::folded(&other) == folded => Clash::Twin(other),
        Some(other) if folded.starts_with(&format!("{}/", load::folded(&other))) => {
            Clash::Below(other)
        }
        _ => Clash::Folder,
    };
    KeyRejection {
        code: RejectionCode::from_clash(&clash),
        message: clash.to_string(),
    }
}
