//! Makes the index of a store, and brings one up to what the store is now.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mem_recall::{Document, RecallIndex};
use tokio::sync::Semaphore;

use super::index_cache::run_blocking;
use crate::storage::stores::{
    AccessScope, IndexMark, MemoryQuery, MemoryRecord, StoreRecord, StoresError,
};
use crate::storage::{Database, StorageError};

/// More changes than these are read with everything else.
const CHANGES_MAX: u32 = 1_000;
/// Memories whose contents are read at a time.
const PAGE: usize = 64;
/// A store with more text than this is indexed by the beginnings of its memories.
const TEXT_BYTES_MAX: usize = 64 * 1024 * 1024;
/// The beginning of a memory.
const BEGINNING_BYTES: usize = 6 * 1024;
/// How often a store is read whole for one request, while others write to it.
const BUILDS_MAX: usize = 3;

/// An index, and the moment that it is true at.
#[derive(Clone, Debug)]
pub(super) struct Built {
    mark: IndexMark,
    pub(super) index: Arc<RecallIndex>,
    /// Of each memory, so much is in it.
    bytes_max: usize,
}

impl Built {
    /// Whether it knows all that was there when `store` was looked up.
    pub(super) fn is_of(&self, store: &StoreRecord) -> bool {
        IndexMark::from_store(store).is_some_and(|mark| self.mark.covers(&mark))
    }
}

/// Where an index is made from.
struct IndexSource<'a> {
    database: &'a Database,
    scope: &'a AccessScope,
    store: &'a str,
    permits: &'a Arc<Semaphore>,
}

/// An index that knows all that was there when `store` was looked up.
pub(super) async fn renewed(
    before: Option<Built>,
    database: &Database,
    scope: &AccessScope,
    store: &StoreRecord,
    permits: &Arc<Semaphore>,
) -> Result<Built, StoresError> {
    let source = IndexSource {
        database,
        scope,
        store: &store.id,
        permits,
    };
    let start =
        IndexMark::from_store(store).ok_or(StorageError::Corrupt("a store without a state"))?;
    let mut built = before;
    for _ in 0..BUILDS_MAX {
        let known = match built.take() {
            Some(known) => known,
            None => source.build_index(start.clone()).await?,
        };
        if let Some(done) = source.stepped(known).await? {
            return Ok(done);
        }
    }
    // So much is written that nothing but the whole is ever read: that has to do.
    source.build_index(start).await
}

impl IndexSource<'_> {
    /// An index of everything. `mark` is a moment before it is read.
    async fn build_index(&self, mark: IndexMark) -> Result<Built, StoresError> {
        let reached = Some(mark.clone());
        let mut built = Built {
            mark,
            index: Arc::default(),
            bytes_max: usize::MAX,
        };
        let mut text = 0;
        let mut query = MemoryQuery {
            content: true,
            // One is found by its path still.
            as_far_as_open: true,
            limit: PAGE as u32,
            reached,
            ..MemoryQuery::default()
        };
        loop {
            let page = self.database.memories(self.scope, self.store, &query);
            let page = page.await?;
            let next = page.next.clone();
            let memories: Vec<MemoryRecord> = page.into_memories().collect();
            let sizes = memories.iter().map(|memory| memory.content_size as usize);
            text += sizes.map(|size| size.min(built.bytes_max)).sum::<usize>();
            if text > TEXT_BYTES_MAX && built.bytes_max > BEGINNING_BYTES {
                built.index = Arc::default();
                built.bytes_max = BEGINNING_BYTES;
                (text, query.after) = (0, None);
                continue;
            }
            built = self.with_memories(built, memories, Vec::new()).await?;
            query.after = next;
            if query.after.is_none() {
                return Ok(built);
            }
        }
    }

    /// The index with what changed since; nothing where that is too much.
    async fn stepped(&self, mut built: Built) -> Result<Option<Built>, StoresError> {
        let changed =
            self.database
                .memories_changed_since(self.scope, self.store, &built.mark, CHANGES_MAX);
        let changes = changed.await?;
        let Some(ids) = changes.ids else {
            return Ok(None);
        };
        for ids in ids.chunks(PAGE) {
            let there =
                self.database
                    .memories_by_id(self.scope, self.store, ids, Some(&changes.mark));
            built = self
                .with_memories(built, there.await?, ids.to_vec())
                .await?;
        }
        built.mark = changes.mark;
        let is_large =
            built.bytes_max > BEGINNING_BYTES && built.index.memory_bytes() > TEXT_BYTES_MAX;
        Ok(Some(built).filter(|_| !is_large))
    }

    /// The index with these memories; those of `ids` that are not among them are gone.
    async fn with_memories(
        &self,
        built: Built,
        memories: Vec<MemoryRecord>,
        ids: Vec<String>,
    ) -> Result<Built, StoresError> {
        if memories.is_empty() && ids.is_empty() {
            return Ok(built);
        }
        run_blocking(self.permits, move || {
            let Built {
                mark,
                mut index,
                bytes_max,
            } = built;
            let documents = memories.iter().map(|memory| document(memory, bytes_max));
            let documents: Vec<Document> = documents.collect();
            // Those who search at this moment keep theirs.
            let changed = Arc::make_mut(&mut index);
            let moved = elsewhere(changed, &documents, &ids);
            changed.remove_all(moved.iter().map(String::as_str));
            changed.add_documents(&documents);
            Built {
                mark,
                index,
                bytes_max,
            }
        })
        .await
    }
}

/// A memory as it is indexed: by its path, with its id beside.
fn document(memory: &MemoryRecord, bytes_max: usize) -> Document {
    let content = memory.content.as_deref().unwrap_or_default();
    let end = content.floor_char_boundary(bytes_max);
    Document {
        key: memory.path.clone(),
        name: memory.path.clone(),
        body: content.get(..end).unwrap_or_default().to_owned(),
        stamp: memory.id.clone().into_bytes(),
        ..Document::default()
    }
}

/// The paths that these memories had and have no more.
fn elsewhere(index: &RecallIndex, documents: &[Document], ids: &[String]) -> Vec<String> {
    if ids.is_empty() {
        return Vec::new();
    }
    let ids: HashSet<&[u8]> = ids.iter().map(String::as_bytes).collect();
    let now = documents.iter();
    let now: HashMap<&[u8], &str> = now
        .map(|document| (document.stamp.as_slice(), document.key.as_str()))
        .collect();
    let were = index.document_stamps().filter(|(_, id)| ids.contains(id));
    let gone = were.filter(|(path, id)| now.get(id) != Some(path));
    gone.map(|(path, _)| path.to_owned()).collect()
}
