//! [`CallerStore`]: a store of somebody, as the tools use it.

use mem_core::history::Sha256;
use mem_stores::tools::store::{
    MemoryHit, MemoryInfo, MemoryText, StorePage, StoreSearch, ToolWrite,
};
use mem_stores::tools::{OpenStore, ToolError};
use mem_stores::{PathPrefix, StorePath};

use super::caller_stores::CallerStores;
use crate::access::Caller;
use crate::app::Shared;
use crate::http::problem::HttpProblem;
use crate::quota::DayMeasure;
use crate::storage::stores::{
    AccessScope, ListPage, ListedMemory, MemoryChange, MemoryQuery, MemoryRecord, StoreRecord,
    StoreRefusal, StoresError, WriteCondition, Writing,
};
use crate::storage::{StorageError, Verb};

/// A store.
pub(super) struct CallerStore {
    app: Shared,
    caller: Caller,
    /// What may be read.
    scope: AccessScope,
    /// What may be written.
    writing: AccessScope,
    store: StoreRecord,
}

impl CallerStore {
    /// A store of `stores`, which was looked up in `scope`.
    pub(super) fn new(stores: &CallerStores, scope: AccessScope, store: StoreRecord) -> Self {
        Self {
            app: stores.app.clone(),
            caller: stores.caller.clone(),
            scope,
            writing: stores.caller.scope(Verb::Write),
            store,
        }
    }

    /// A change of this store, now.
    fn writing(&self) -> Writing {
        let now = (self.app.now)();
        Writing::new(&self.writing, &self.store.id, &self.caller.actor, now)
    }

    /// Refuses where nothing may be written, or nothing can be.
    pub(super) async fn require_writing(&self) -> Result<(), ToolError> {
        if self.store.archived_at.is_some() {
            return Err(ToolError::Archived(self.store.name.clone()));
        }
        // Grants that read all that they write are the rule; only others are worth a question.
        if self.writing == self.scope {
            return Ok(());
        }
        let found = self.app.database.store(&self.writing, &self.store.id).await;
        found.map(drop).map_err(|error| self.failed("", error))
    }

    /// Some memories; `path` is what an error tells of.
    async fn page(
        &self,
        path: &str,
        query: &MemoryQuery,
    ) -> Result<ListPage<ListedMemory, String>, ToolError> {
        let page = self
            .app
            .database
            .memories(&self.scope, &self.store.id, query);
        page.await.map_err(|error| self.failed(path, error))
    }

    /// The memory at a path.
    async fn at(&self, path: &StorePath, content: bool) -> Result<Option<MemoryRecord>, ToolError> {
        let query = MemoryQuery {
            prefix: path.as_str().to_owned(),
            content,
            limit: 1,
            ..MemoryQuery::default()
        };
        // Nothing that begins with a path comes before the path itself.
        let page = self.page(path.as_str(), &query).await?;
        Ok(page
            .into_memories()
            .find(|memory| memory.path == path.as_str()))
    }

    /// What an error of a store comes to, at a path.
    fn failed(&self, path: &str, error: StoresError) -> ToolError {
        let path = path.to_owned();
        match error {
            StoresError::Refused(StoreRefusal::NoStore) => {
                ToolError::ReadOnly(self.store.name.clone())
            }
            StoresError::Refused(StoreRefusal::Archived) => {
                ToolError::Archived(self.store.name.clone())
            }
            StoresError::Refused(StoreRefusal::NoMemory) => ToolError::NotFound(path),
            StoresError::Refused(StoreRefusal::Precondition) => ToolError::Stale { path, is: None },
            StoresError::Refused(StoreRefusal::PathConflict { path: other, .. }) => {
                ToolError::Occupied { path, other }
            }
            StoresError::Refused(StoreRefusal::Full) => ToolError::Full,
            error => refused(error),
        }
    }
}

impl OpenStore for CallerStore {
    fn name(&self) -> &str {
        let StoreRecord { id, .. } = &self.store;
        id
    }

    async fn list(&self, asked: &StorePage) -> Result<Vec<MemoryInfo>, ToolError> {
        let folder = asked.folder.as_ref().map(PathPrefix::as_str);
        let query = MemoryQuery {
            prefix: folder.map(str::to_owned).unwrap_or_default(),
            limit: u32::try_from(asked.limit).unwrap_or(u32::MAX),
            after: asked.after.as_ref().map(|path| path.as_str().to_owned()),
            ..MemoryQuery::default()
        };
        let page = self.page("", &query).await?;
        Ok(page.into_memories().map(|memory| memory.info()).collect())
    }

    async fn search(&self, asked: &StoreSearch) -> Result<Vec<MemoryHit>, ToolError> {
        let counted = self.caller.count(&self.app, DayMeasure::SearchIndexes);
        counted.map_err(|problem| ToolError::Refused(problem.message().to_owned()))?;
        let searches = &self.app.searches;
        let found = searches.find(&self.app.database, &self.scope, &self.store, asked.clone());
        found.await.map_err(|error| self.failed("", error))
    }

    async fn read(&self, path: &StorePath) -> Result<Option<MemoryText>, ToolError> {
        let found = self.at(path, true).await?;
        Ok(found.map(|memory| MemoryText {
            info: memory.info(),
            content: memory.content.unwrap_or_default(),
        }))
    }

    async fn write(
        &self,
        path: &StorePath,
        content: String,
        expected: Option<Sha256>,
    ) -> Result<ToolWrite, ToolError> {
        let before = self.at(path, false).await?;
        let (database, writing, at) = (&self.app.database, self.writing(), path.as_str());
        let written = match (expected, &before) {
            (None, _) => {
                let to = at.to_owned();
                let upsert = database.upsert_memory(writing, to, content, false);
                upsert.await
            }
            (Some(_), None) => return Err(stale(at, None)),
            (Some(expected), Some(memory)) => {
                let change = MemoryChange {
                    content: Some(content),
                    path: None,
                    precondition: Some(WriteCondition::ContentSha256(expected)),
                };
                let update = database.update_memory(writing, &memory.id, change);
                match update.await {
                    Err(StoresError::Refused(StoreRefusal::NoMemory)) => {
                        return Err(stale(at, None));
                    }
                    Err(StoresError::Refused(StoreRefusal::Precondition)) => {
                        let is = Some(memory.content_sha256).filter(|is| *is != expected);
                        return Err(stale(at, is));
                    }
                    done => done,
                }
            }
        };
        let written = written.map_err(|error| self.failed(at, error))?;
        let version = before.as_ref().map(|before| before.version_id.as_str());
        Ok(ToolWrite {
            info: written.info(),
            is_new: before.is_none(),
            is_change: version != Some(written.version_id.as_str()),
        })
    }

    async fn delete(&self, path: &StorePath, expected: Option<Sha256>) -> Result<(), ToolError> {
        let at = path.as_str();
        let memory = self.at(path, false).await?;
        let memory = memory.ok_or_else(|| ToolError::NotFound(at.to_owned()))?;
        let writing = self.writing();
        let database = &self.app.database;
        match database.delete_memory(writing, &memory.id, expected).await {
            Err(StoresError::Refused(StoreRefusal::Precondition)) => {
                Err(stale(at, Some(memory.content_sha256)))
            }
            done => done.map_err(|error| self.failed(at, error)),
        }
    }
}

fn stale(path: &str, is: Option<Sha256>) -> ToolError {
    ToolError::Stale {
        path: path.to_owned(),
        is,
    }
}

/// What an error comes to that says nothing of a store's own; what a database said goes to the log.
pub(super) fn refused(error: StoresError) -> ToolError {
    match error {
        StoresError::Refused(refusal) => ToolError::Refused(refusal.to_string()),
        StoresError::Storage(error @ StorageError::Quota { .. }) => {
            ToolError::Refused(error.to_string())
        }
        StoresError::Storage(error) if error.is_of_one_content() => {
            let told = error.to_string();
            let _ = HttpProblem::from(error);
            ToolError::Refused(told)
        }
        StoresError::Storage(error) => {
            let _ = HttpProblem::from(error);
            ToolError::Unavailable("the server cannot do this now".to_owned())
        }
    }
}
