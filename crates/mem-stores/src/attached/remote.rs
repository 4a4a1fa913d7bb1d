//! The memory stores API as the remote of a replication: what is new in a store, and what is written to it, each on
//! the condition that it still has what was in common.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use jiff::Timestamp;
use mem_core::compact_sort::CompactSort as _;
use mem_core::history::Sha256;
use mem_sync::EntryKey;
use mem_sync::limits::GIT_WRITE_BYTES_MAX;
use mem_sync::remote::{Fetched, PutOutcome, Remote, RemoteError, StateQuery};
use mem_sync::wire::{
    ETag, KeyRejection, PutAnswer, PutBody, RejectionCode, RemoteEntry, StateAnswer, Tombstone,
};

use super::copy::LockedCopy;
use super::error::CopyError;
use super::replica::{Replica, VERSION, key_of, path_of};
use super::skipped_deletion;
use super::state::{BlockedUpload, LastSynced, VersionCursor};
use crate::StorePath;
use crate::client::{ClientError, MemoriesQuery, StoresClient, VersionsQuery};
use crate::wire::{
    ContentView as Detail, CreateMemory, MemoryItem, MemoryVersion, Precondition, StoreMemory,
    UpdateMemory, VersionOperation,
};

/// More versions than these are not looked through one by one.
const DELTA_MAX: usize = 400;
/// The days that a store keeps each version at least.
const VERSION_DAYS_MIN: u64 = 30;
/// Memories that are fetched at a time.
const FETCHES_MAX: usize = 8;

/// A memory as the server has it now, by its id; `None`: it is gone.
type Incoming = (String, Option<RemoteMemory>);

/// Where a memory stands, and what it says.
pub(super) struct RemoteMemory {
    pub(super) path: String,
    pub(super) known: LastSynced,
    content: Option<String>,
}

/// What became of one write.
enum RemoteWrite {
    Done,
    /// The store has something else by now.
    Raced,
    /// The server does not take it: why.
    Refused(String),
}

impl RemoteMemory {
    /// `None` where the server does not say what the memory holds.
    fn from_memory(memory: StoreMemory) -> Option<Self> {
        let sha256 = match &memory.content {
            Some(content) => Sha256::digest(content.as_bytes()),
            None => memory.content_sha256.parse().ok()?,
        };
        Some(Self {
            path: memory.path,
            known: LastSynced {
                id: memory.id,
                sha256,
                bytes: memory.content_size_bytes,
                updated_at: memory.updated_at,
            },
            content: memory.content,
        })
    }

    /// What a version left behind; `None` where it does not say that.
    fn of_version(version: &MemoryVersion) -> Option<Self> {
        let content = version.content.clone()?;
        Some(Self {
            path: version.path.clone()?,
            known: LastSynced {
                id: version.memory_id.clone(),
                sha256: Sha256::digest(content.as_bytes()),
                bytes: content.len() as u64,
                updated_at: version.created_at.clone(),
            },
            content: Some(content),
        })
    }
}

impl Remote for &Replica<'_> {
    /// Each memory is a request of its own: this only bounds what is held in memory.
    fn put_bytes_max(&self) -> usize {
        GIT_WRITE_BYTES_MAX
    }

    fn get_state(
        &mut self,
        query: &StateQuery,
        if_none_match: Option<&ETag>,
    ) -> Result<Fetched, RemoteError> {
        let replica = *self;
        if !query.keys.is_empty() {
            return replica.wait_for_server(|client| replica.fetch_contents(client, &query.keys));
        }
        if !query.hashes && replica.view.borrow().was_asked {
            // Nobody needs the contents of all: those that changed are asked for by name.
            return Err(RemoteError::AnswerTooLarge);
        }
        let is_known = if_none_match.is_some();
        replica.wait_for_server(|client| replica.fetch_state(client, is_known, !query.hashes))
    }

    fn put_entries(&mut self, body: &PutBody, _: Option<&ETag>) -> Result<PutOutcome, RemoteError> {
        let replica = *self;
        let answer = replica.wait_for_server(|client| replica.write(client, body))?;
        let answer = answer.ok_or(RemoteError::Raced { etag: None })?;
        // The next look finds these writes among the newest versions, with those of others.
        let etag = replica.view.borrow().state_etag();
        Ok(PutOutcome { etag, answer })
    }
}

impl Replica<'_> {
    /// Waits for what is asked of the server, at most until the deadline.
    pub(super) fn wait_for_server<'s, T, F>(
        &'s self,
        ask: impl FnOnce(&'s StoresClient) -> F,
    ) -> Result<T, RemoteError>
    where
        F: Future<Output = Result<T, CopyError>> + 's,
    {
        let done = match self.deadline {
            None => Some(self.server.run(ask)),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.server.run_within(left, ask)
            }
        };
        let Some(done) = done else {
            self.is_unfinished.set(true);
            return Err(RemoteError::Unreachable("it takes long".to_owned()));
        };
        done.map_err(|error| {
            let text = error.to_string();
            self.failure.replace(Some(error));
            RemoteError::Unreachable(text)
        })
    }

    /// What the store holds, where that is not what is known already.
    async fn fetch_state(
        &self,
        client: &StoresClient,
        is_known: bool,
        with_contents: bool,
    ) -> Result<Fetched, CopyError> {
        self.view.borrow_mut().was_asked = true;
        let newest = self.newest_version(client).await?;
        let cursor = self.view.borrow().cursor.clone();
        if let (true, Some(cursor), Some(newest)) = (is_known, &cursor, &newest)
            && cursor.version == newest.version
        {
            return Ok(Fetched::NotModified);
        }
        let delta = match (&cursor, &newest) {
            (Some(cursor), Some(_)) => self.changes_since(client, cursor).await?,
            _ => None,
        };
        let (incoming, newest) = match delta {
            Some((incoming, first)) => (incoming, first.or(newest)),
            None => {
                if let Some(cursor) = &cursor {
                    let was_put_back = self.has_lost_version(client, cursor).await?;
                    self.view.borrow_mut().was_put_back |= was_put_back;
                }
                let incoming = self.list_all(client).await?;
                self.view.borrow_mut().is_whole = true;
                (incoming, newest)
            }
        };
        self.note_lost(client, &incoming).await?;
        self.record_incoming(incoming)?;
        let mut view = self.view.borrow_mut();
        view.cursor = newest;
        let mut texts = match with_contents {
            true => std::mem::take(&mut view.texts),
            false => BTreeMap::new(),
        };
        let there = view.there.iter().filter_map(|(path, known)| {
            let content = texts.remove(path);
            Some((key_of(path)?, remote_entry(known, content)))
        });
        let gone = view.base.iter();
        let gone = gone.filter(|(path, _)| !view.there.contains_key(*path));
        // Nobody deleted what an older state never knew of.
        let gone = gone.filter(|(path, _)| !view.lost.contains(*path));
        let gone = gone.filter_map(|(path, known)| {
            let tombstone = Tombstone {
                sha256: known.sha256,
                updated_at: String::new(),
                actor: String::new(),
            };
            Some((key_of(path)?, tombstone))
        });
        let mut fetched = fetched_state(view.state_etag(), there.collect(), gone.collect());
        if let Fetched::Found { answer, .. } = &mut fetched {
            answer.version = if view.was_put_back { 0 } else { VERSION };
        }
        Ok(fetched)
    }

    /// What changed since a version, and the newest one; `None` where the versions do not tell that.
    async fn changes_since(
        &self,
        client: &StoresClient,
        cursor: &VersionCursor,
    ) -> Result<Option<(Vec<Incoming>, Option<VersionCursor>)>, CopyError> {
        let query = VersionsQuery {
            created_from: Some(cursor.created_at.clone()),
            is_full: true,
            ..VersionsQuery::default()
        };
        let versions = client.versions(self.store, &query, DELTA_MAX).await?;
        let end = versions.iter().position(|one| one.id == cursor.version);
        let incoming = end.and_then(|end| newest_of_each(&versions[..end]));
        Ok(incoming.map(|incoming| {
            (self.count)(incoming.len());
            (incoming, versions.first().map(cursor_of))
        }))
    }

    /// Whether the store does not know a version that it had, and keeps each for longer than this one is old: it was put
    /// back to an older state. Times do not show that: versions written after it have newer ones.
    async fn has_lost_version(
        &self,
        client: &StoresClient,
        cursor: &VersionCursor,
    ) -> Result<bool, CopyError> {
        let made = cursor.created_at.parse::<Timestamp>();
        if made.is_ok_and(|made| self.now.days_since(made) >= VERSION_DAYS_MIN) {
            return Ok(false);
        }
        let version = client.version(self.store, &cursor.version, Detail::Basic);
        match version.await {
            Ok(_) => Ok(false),
            Err(error) if error.is_not_found() => {
                client.store(self.store).await?;
                Ok(true)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Notes what a store that was put back does not even know as deleted.
    async fn note_lost(
        &self,
        client: &StoresClient,
        incoming: &[Incoming],
    ) -> Result<(), CopyError> {
        if !self.view.borrow().was_put_back {
            return Ok(());
        }
        let gone: BTreeSet<&str> = incoming
            .iter()
            .filter(|(_, there)| there.is_none())
            .map(|(id, _)| id.as_str())
            .collect();
        let known = self.view.borrow().there.clone();
        for (path, known) in known
            .into_iter()
            .filter(|(_, known)| gone.contains(&*known.id))
        {
            let query = VersionsQuery {
                memory_id: Some(known.id),
                ..VersionsQuery::default()
            };
            if client.versions(self.store, &query, 1).await?.is_empty() {
                self.view.borrow_mut().lost.insert(path);
            }
        }
        Ok(())
    }

    /// Everything that the server has, and what is gone. What a list does not have is looked up before it counts as
    /// gone: it may have been moved meanwhile.
    async fn list_all(&self, client: &StoresClient) -> Result<Vec<Incoming>, CopyError> {
        let known = self.view.borrow().there.clone();
        let query = MemoriesQuery {
            is_full: known.is_empty(),
            ..MemoriesQuery::default()
        };
        let mut pages = client.memories_stepwise(self.store, &query)?;
        let (mut seen, mut all) = (BTreeSet::new(), Vec::new());
        while let Some(page) = pages.next(client).await? {
            let before = all.len();
            for item in page {
                if let MemoryItem::Memory(memory) = item {
                    let id = memory.id.clone();
                    seen.insert(id.clone());
                    all.extend(RemoteMemory::from_memory(*memory).map(|there| (id, Some(there))));
                }
            }
            (self.count)(all.len() - before);
        }
        let missing = known.into_values().map(|known| known.id);
        let missing = missing.filter(|id| !seen.contains(id)).collect();
        all.extend(self.looked_up(client, missing).await?);
        Ok(all)
    }

    /// Takes note of what the server has. Deletions of an agent that it overtook are noted.
    fn record_incoming(&self, incoming: Vec<Incoming>) -> Result<(), CopyError> {
        let mut locked = self.copy.lock_copy(self.now)?;
        let mut view = self.view.borrow_mut();
        let by_id: BTreeMap<String, String> = view
            .there
            .iter()
            .map(|(path, known)| (known.id.clone(), path.clone()))
            .collect();
        // Places are left before they are taken: two memories may have changed theirs.
        for (id, there) in &incoming {
            let Some(old) = by_id.get(id) else { continue };
            skipped_deletion::note_skipped_deletion(
                &mut locked,
                &StorePath::parse(old)?,
                there.as_ref(),
            )?;
            if there.as_ref().is_none_or(|there| there.path != *old) {
                view.there.remove(old);
            }
        }
        for there in incoming.into_iter().filter_map(|(_, there)| there) {
            let RemoteMemory {
                path,
                known,
                content,
            } = there;
            let obstacle = match StorePath::parse(&path) {
                // A file of the SDKs' own sync is no memory.
                Ok(path) if path.is_reserved() => continue,
                Ok(path) => LockedCopy::path_obstacle(&path),
                Err(error) => Some(error.reason),
            };
            if let Some(why) = obstacle {
                locked.status.skipped.insert(path, why.to_owned());
                continue;
            }
            locked.status.skipped.remove(&path);
            match content {
                Some(content) => view.texts.insert(path.clone(), content),
                None => view.texts.remove(&path),
            };
            view.there.insert(path, known);
        }
        view.skipped = locked.status.skipped.keys().cloned().collect();
        drop(view);
        locked.finish_changes()
    }

    /// The contents of some memories.
    async fn fetch_contents(
        &self,
        client: &StoresClient,
        keys: &BTreeSet<EntryKey>,
    ) -> Result<Fetched, CopyError> {
        let mut entries = BTreeMap::new();
        let mut missing = Vec::new();
        for key in keys {
            let path = path_of(key)?;
            let text = self.view.borrow_mut().texts.remove(path.as_str());
            match (self.last_synced(&path), text) {
                (Some(known), Some(text)) => {
                    drop(entries.insert(key.clone(), remote_entry(&known, Some(text))));
                }
                (Some(known), None) => missing.push(known.id),
                (None, _) => {}
            }
        }
        let looked_up = self.looked_up(client, missing).await?;
        entries.extend(looked_up.into_iter().filter_map(|(_, there)| {
            let there = there?;
            Some((
                key_of(&there.path)?,
                remote_entry(&there.known, there.content),
            ))
        }));
        let etag = self.view.borrow().state_etag();
        Ok(fetched_state(etag, entries, BTreeMap::new()))
    }

    /// The memory of an id, as it is there now.
    async fn look_up(
        &self,
        client: &StoresClient,
        id: &str,
    ) -> Result<Option<RemoteMemory>, CopyError> {
        match client.memory(self.store, id, Detail::Full).await {
            Ok(memory) => Ok(RemoteMemory::from_memory(memory)),
            Err(error) if error.is_not_found() => {
                // Is it the store that is gone? Then nothing here goes with it.
                client.store(self.store).await?;
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn looked_up(
        &self,
        client: &StoresClient,
        ids: Vec<String>,
    ) -> Result<Vec<Incoming>, CopyError> {
        let each = ids.into_iter().map(|id| async move {
            let there = self.look_up(client, &id).await?;
            Ok::<_, CopyError>((id, there))
        });
        let each = stream::iter(each).buffer_unordered(FETCHES_MAX);
        each.try_collect().await
    }

    async fn newest_version(
        &self,
        client: &StoresClient,
    ) -> Result<Option<VersionCursor>, CopyError> {
        let query = VersionsQuery::default();
        let versions = client.versions(self.store, &query, 1).await?;
        Ok(versions.first().map(cursor_of))
    }

    /// Carries out what is to be written, one memory after the other, those first that make room; `None` where
    /// the store has something else by now.
    async fn write(
        &self,
        client: &StoresClient,
        body: &PutBody,
    ) -> Result<Option<PutAnswer>, CopyError> {
        let deletions = body.delete.iter().map(|key| (key, None));
        let texts = body.entries.iter().map(|(key, text)| (key, Some(text)));
        let mut writes = Vec::new();
        for (key, text) in deletions.chain(texts) {
            let path = path_of(key)?;
            writes.push((key, self.last_synced(&path), path, text));
        }
        writes.compact_sort_by_key(|(_, known, _, text)| (text.is_some(), known.is_none()));
        let mut answer = PutAnswer::default();
        let mut is_raced = false;
        for (key, known, path, text) in writes {
            let written = match (text, known) {
                (Some(text), known) => self.put_text(client, &path, text, known).await?,
                (None, Some(known)) => self.delete_memory(client, &path, &known).await?,
                (None, None) => RemoteWrite::Done,
            };
            let sha256 = text.map(|text| Sha256::digest(text.as_bytes()));
            match written {
                RemoteWrite::Done => answer
                    .written
                    .extend(sha256.map(|sha256| (key.clone(), sha256))),
                RemoteWrite::Raced => is_raced = true,
                RemoteWrite::Refused(why) => {
                    let rejection = KeyRejection::new(RejectionCode::Other, why.clone());
                    answer.rejected.insert(key.to_string(), rejection);
                    self.record_blocked(&path, BlockedUpload { sha256, why });
                }
            }
        }
        Ok((!is_raced).then_some(answer))
    }

    async fn put_text(
        &self,
        client: &StoresClient,
        path: &StorePath,
        text: &str,
        known: Option<LastSynced>,
    ) -> Result<RemoteWrite, CopyError> {
        let made = match &known {
            // A rename has just brought it there.
            _ if self.is_there(path, text) => return Ok(RemoteWrite::Done),
            Some(known) => {
                let change = UpdateMemory {
                    content: Some(text.to_owned()),
                    path: None,
                    precondition: Some(write_precondition(known)),
                };
                client.update_memory(self.store, &known.id, &change).await
            }
            None => {
                let new = CreateMemory {
                    path: path.clone(),
                    content: text.to_owned(),
                    precondition: None,
                };
                client.create_memory(self.store, &new).await
            }
        };
        match made {
            Ok(memory) => {
                self.record_memory(path, memory);
                Ok(RemoteWrite::Done)
            }
            Err(error) if error.is_conflict() || error.is_not_found() => Ok(RemoteWrite::Raced),
            Err(error) => self.refusal_result(client, error).await,
        }
    }

    async fn delete_memory(
        &self,
        client: &StoresClient,
        path: &StorePath,
        known: &LastSynced,
    ) -> Result<RemoteWrite, CopyError> {
        if self.rename_memory(client, path, known).await? {
            return Ok(RemoteWrite::Done);
        }
        // The server compares the content only: one that somebody moved meanwhile is not what was deleted here.
        let there = self.look_up(client, &known.id).await?;
        if there.is_some_and(|there| there.path != path.as_str()) {
            return Ok(RemoteWrite::Raced);
        }
        let expected = known.sha256.to_string();
        let deleted = client.delete_memory(self.store, &known.id, Some(&expected));
        match deleted.await {
            Ok(_) => {}
            Err(error) if error.is_conflict() || error.is_not_found() => {
                if self.look_up(client, &known.id).await?.is_some() {
                    return Ok(RemoteWrite::Raced);
                }
            }
            Err(error) => return self.refusal_result(client, error).await,
        }
        self.view.borrow_mut().there.remove(path.as_str());
        Ok(RemoteWrite::Done)
    }

    /// Moves a memory that is gone here while one with its content is new: it keeps its id. `false` where it is to
    /// be done in two steps.
    async fn rename_memory(
        &self,
        client: &StoresClient,
        from: &StorePath,
        known: &LastSynced,
    ) -> Result<bool, CopyError> {
        let to = self.view.borrow().renames.get(from.as_str()).cloned();
        let Some(to) = to else {
            return Ok(false);
        };
        let change = UpdateMemory {
            content: None,
            path: Some(to.clone()),
            precondition: Some(write_precondition(known)),
        };
        match client.update_memory(self.store, &known.id, &change).await {
            Ok(memory) => {
                self.view.borrow_mut().there.remove(from.as_str());
                self.record_memory(&to, memory);
                Ok(true)
            }
            Err(error)
                if error.is_conflict()
                    || error.is_not_found()
                    || error.is_permanent()
                    || error.is_forbidden() =>
            {
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The server will never take it, not with this key, or not now.
    async fn refusal_result(
        &self,
        client: &StoresClient,
        error: ClientError,
    ) -> Result<RemoteWrite, CopyError> {
        if !(error.is_permanent() || error.is_forbidden()) {
            return Err(error.into());
        }
        let store = client.store(self.store).await?;
        if store.archived_at.is_some() {
            let mut locked = self.copy.lock_copy(self.now)?;
            locked.status.is_archived = true;
            locked.finish_changes()?;
        }
        Ok(RemoteWrite::Refused(error.to_string()))
    }

    /// The server has this at a path now.
    fn record_memory(&self, path: &StorePath, memory: StoreMemory) {
        if let Some(there) = RemoteMemory::from_memory(memory) {
            let path = path.as_str().to_owned();
            self.view.borrow_mut().there.insert(path, there.known);
        }
    }

    fn is_there(&self, path: &StorePath, text: &str) -> bool {
        let known = self.last_synced(path);
        known.is_some_and(|known| known.sha256 == Sha256::digest(text.as_bytes()))
    }

    fn last_synced(&self, path: &StorePath) -> Option<LastSynced> {
        self.view.borrow().there.get(path.as_str()).cloned()
    }
}

/// On the condition that it is what it was.
fn write_precondition(known: &LastSynced) -> Precondition {
    Precondition::ContentSha256 {
        content_sha256: known.sha256.to_string(),
    }
}

fn remote_entry(known: &LastSynced, content: Option<String>) -> RemoteEntry {
    RemoteEntry {
        content,
        sha256: known.sha256,
        updated_at: known.updated_at.clone(),
        actor: String::new(),
    }
}

fn fetched_state(
    etag: ETag,
    entries: BTreeMap<EntryKey, RemoteEntry>,
    deleted: BTreeMap<EntryKey, Tombstone>,
) -> Fetched {
    Fetched::Found {
        etag,
        answer: StateAnswer {
            entries,
            deleted,
            ..StateAnswer::default()
        },
        rejected: Vec::new(),
    }
}

fn cursor_of(version: &MemoryVersion) -> VersionCursor {
    VersionCursor {
        version: version.id.clone(),
        created_at: version.created_at.clone(),
    }
}

/// What the newest version of each memory says; `None` where one does not say it. Newest first.
fn newest_of_each(versions: &[MemoryVersion]) -> Option<Vec<Incoming>> {
    let mut newest = BTreeMap::new();
    for version in versions {
        newest.entry(version.memory_id.as_str()).or_insert(version);
    }
    let each = newest.into_values().map(|version| {
        let there = match version.operation {
            VersionOperation::Deleted => None,
            VersionOperation::Created | VersionOperation::Modified => {
                Some(RemoteMemory::of_version(version)?)
            }
        };
        Some((version.memory_id.clone(), there))
    });
    each.collect()
}
