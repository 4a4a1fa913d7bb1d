//! What is asked of the server of an attached store: what is new there.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mem_core::Now;
use mem_stores::client::{Client, MemoriesQuery, VersionsQuery};
use mem_stores::wire::{Memory, MemoryItem, MemoryVersion, Operation, View};

use super::copy::Copy;
use super::incoming::{Incoming, There, take};
use super::state::Cursor;
use crate::stores::screen::StoreScreen;

/// More versions than these are not looked through one by one.
const DELTA_MAX: usize = 400;
/// Memories that are fetched at a time.
const FETCHES_MAX: usize = 8;
/// Memories that are written down together: each time, what is remembered is written once.
const BATCH: usize = 500;

/// One talk with the server, about one copy.
pub(super) struct Talk<'t> {
    pub(super) copy: &'t Copy,
    pub(super) client: &'t Client,
    /// The id of the store.
    pub(super) store: &'t str,
    pub(super) screen: &'t StoreScreen,
    pub(super) now: Now,
    /// Whether a person asked for it: what the server did not take is tried again then.
    pub(super) is_wanted: bool,
    /// Is told how many memories came.
    pub(super) count: &'t dyn Fn(usize),
}

impl Talk<'_> {
    /// Takes over what is new at the server.
    ///
    /// # Errors
    /// What the server says; what came until then is taken over.
    pub(super) async fn pull(&self) -> Result<()> {
        // Whoever opens it finds out whether what is known of it is damaged.
        self.copy.lock(self.now)?.finish()?;
        let standing = self.copy.standing();
        if standing.is_whole
            && let Some(cursor) = standing.cursor
            && self.since(&cursor).await?
        {
            return Ok(());
        }
        self.whole().await
    }

    /// Takes over what changed since a version. `false` where that cannot be told from the versions.
    async fn since(&self, cursor: &Cursor) -> Result<bool> {
        let Some(newest) = self.newest().await? else {
            return Ok(false);
        };
        if newest.version == cursor.version {
            self.take(&[], None)?;
            return Ok(true);
        }
        let query = VersionsQuery {
            created_from: Some(cursor.created_at.clone()),
            is_full: true,
            ..VersionsQuery::default()
        };
        let versions = self.client.versions(self.store, &query, DELTA_MAX).await?;
        let end = versions.iter().position(|one| one.id == cursor.version);
        let Some(end) = end else {
            return Ok(false);
        };
        let Some(incoming) = newest_of_each(&versions[..end]) else {
            return Ok(false);
        };
        (self.count)(incoming.len());
        self.take(&incoming, versions.first().map(cursor_of))?;
        Ok(true)
    }

    /// Takes over everything, and finds out what is gone.
    pub(super) async fn whole(&self) -> Result<()> {
        // Looked up first: what changes meanwhile is looked at again.
        let newest = self.newest().await?;
        let base = self.copy.base();
        let query = MemoriesQuery {
            is_full: base.memories.is_empty(),
            ..MemoriesQuery::default()
        };
        let mut pages = self.client.memories_stepwise(self.store, &query)?;
        let (mut seen, mut batch) = (BTreeSet::new(), Vec::new());
        while let Some(page) = pages.next(self.client).await? {
            let memories: Vec<Memory> = page.into_iter().filter_map(memory).collect();
            seen.extend(memories.iter().map(|one| one.id.clone()));
            let is_same = |one: &Memory| {
                let known = base.memories.get(&one.path);
                known.is_some_and(|known| {
                    known.id == one.id && known.sha256.to_string() == one.content_sha256
                })
            };
            let new = memories.into_iter().filter(|one| !is_same(one)).collect();
            let new = self.with_content(new).await?;
            (self.count)(new.len());
            batch.extend(new);
            if batch.len() >= BATCH {
                self.take(&std::mem::take(&mut batch), None)?;
            }
        }
        let missing = base.memories.into_values().map(|known| known.id);
        let missing = missing.filter(|id| !seen.contains(id)).collect();
        batch.extend(self.looked_up(missing).await?);
        take(self.copy, &batch, self.now, |standing| {
            standing.is_whole = true;
            standing.cursor = newest;
            standing.pulled = Some(self.now.0.as_second());
        })
    }

    /// The memory of an id, as it is there now.
    pub(super) async fn look_up(&self, id: &str) -> Result<Incoming> {
        match self.client.memory(self.store, id, View::Full).await {
            Ok(memory) => Ok(Incoming::of(memory).unwrap_or_else(|| Incoming::gone(id))),
            Err(error) if error.is_not_found() => {
                // Is it the store that is gone? Then nothing here goes with it.
                self.client.store(self.store).await?;
                Ok(Incoming::gone(id))
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn looked_up(&self, ids: Vec<String>) -> Result<Vec<Incoming>> {
        let each = ids
            .into_iter()
            .map(|id| async move { self.look_up(&id).await });
        stream::iter(each)
            .buffer_unordered(FETCHES_MAX)
            .try_collect()
            .await
    }

    /// Memories with their contents; those that vanish meanwhile are left out.
    async fn with_content(&self, memories: Vec<Memory>) -> Result<Vec<Incoming>> {
        let (whole, bare): (Vec<Memory>, Vec<Memory>) =
            memories.into_iter().partition(|one| one.content.is_some());
        let mut all: Vec<Incoming> = whole.into_iter().filter_map(Incoming::of).collect();
        let bare = bare.into_iter().map(|one| one.id).collect();
        all.extend(self.looked_up(bare).await?);
        Ok(all)
    }

    async fn newest(&self) -> Result<Option<Cursor>> {
        let query = VersionsQuery::default();
        let versions = self.client.versions(self.store, &query, 1).await?;
        Ok(versions.first().map(cursor_of))
    }

    /// Takes memories over, and with a cursor remembers how far that is.
    pub(super) fn take(&self, incoming: &[Incoming], cursor: Option<Cursor>) -> Result<()> {
        let now = self.now.0.as_second();
        take(self.copy, incoming, self.now, |standing| {
            if cursor.is_some() {
                standing.cursor = cursor;
            }
            standing.pulled = Some(now);
        })
    }
}

fn memory(item: MemoryItem) -> Option<Memory> {
    match item {
        MemoryItem::Memory(memory) => Some(*memory),
        MemoryItem::Prefix(_) => None,
    }
}

fn cursor_of(version: &MemoryVersion) -> Cursor {
    Cursor {
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
            Operation::Deleted => None,
            Operation::Created | Operation::Modified => Some(There {
                path: version.path.clone()?,
                content: version.content.clone()?,
                updated_at: version.created_at.clone(),
            }),
        };
        Some(Incoming {
            id: version.memory_id.clone(),
            there,
        })
    });
    each.collect()
}
