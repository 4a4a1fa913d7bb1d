//! Memories: create, retrieve, list, update, delete.

use reqwest::Method;

use super::StoresClient;
use super::error::{ClientError, ServerRefusal};
use super::pages::PageReader;
use super::request::{Ask, id};
use crate::limits::{PAGE_FULL_MAX, PAGE_MAX};
use crate::wire::{
    ContentView, CreateMemory, DeletedMemory, MemoryItem, StoreMemory, UpdateMemory,
};

/// Which memories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoriesQuery {
    /// Those below a folder; ends with `/`.
    pub path_prefix: Option<String>,
    /// Only what stands in the folder itself; what is deeper is rolled up.
    pub is_flat: bool,
    /// With contents.
    pub is_full: bool,
}

impl StoresClient {
    /// A new memory. Never replaces one.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn create_memory(
        &self,
        store: &str,
        new: &CreateMemory,
    ) -> Result<StoreMemory, ClientError> {
        let ask = Ask::new(Method::POST, &[id(store)?, "memories"]).json(new)?;
        let sent = self.send_counted(ask).await;
        match sent.answer {
            Err(ClientError::Refused(refusal)) if sent.attempts > 1 => {
                // The first attempt may have made it, and its answer been lost.
                let made = self.made_before(store, new, &refusal).await;
                made.ok_or(ClientError::Refused(refusal))
            }
            answer => answer,
        }
    }

    async fn made_before(
        &self,
        store: &str,
        new: &CreateMemory,
        refusal: &ServerRefusal,
    ) -> Option<StoreMemory> {
        if refusal.status != 409 {
            return None;
        }
        let memory = refusal.conflicting_memory_id.as_deref()?;
        let memory = self.memory(store, memory, ContentView::Full).await.ok()?;
        let is_same = memory.path == new.path.as_str()
            && memory.content.as_deref() == Some(new.content.as_str());
        is_same.then_some(memory)
    }

    /// One memory.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn memory(
        &self,
        store: &str,
        memory: &str,
        view: ContentView,
    ) -> Result<StoreMemory, ClientError> {
        let ask = Ask::new(Method::GET, &[id(store)?, "memories", id(memory)?]);
        self.send(ask.with("view", Some(view.as_str()))).await
    }

    /// Memories in the order of the server, page by page.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub fn memories_stepwise(
        &self,
        store: &str,
        query: &MemoriesQuery,
    ) -> Result<PageReader<MemoryItem>, ClientError> {
        let (view, limit) = match query.is_full {
            true => (ContentView::Full, PAGE_FULL_MAX),
            false => (ContentView::Basic, PAGE_MAX),
        };
        let ask = Ask::new(Method::GET, &[id(store)?, "memories"])
            .with("depth", query.is_flat.then_some(1))
            .with("path_prefix", query.path_prefix.as_ref())
            .with("view", Some(view.as_str()))
            .with("limit", Some(limit));
        Ok(PageReader::starting_at(ask))
    }

    /// All memories at once.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn memories(
        &self,
        store: &str,
        query: &MemoriesQuery,
    ) -> Result<Vec<MemoryItem>, ClientError> {
        let pages = self.memories_stepwise(store, query)?;
        pages.collect(self, usize::MAX).await
    }

    /// A memory with another content, at another path, or both.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn update_memory(
        &self,
        store: &str,
        memory: &str,
        change: &UpdateMemory,
    ) -> Result<StoreMemory, ClientError> {
        let ask = Ask::new(Method::POST, &[id(store)?, "memories", id(memory)?]);
        self.send(ask.json(change)?).await
    }

    /// Deletes a memory; only if it has this content, where one is given.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn delete_memory(
        &self,
        store: &str,
        memory: &str,
        expected_sha256: Option<&str>,
    ) -> Result<DeletedMemory, ClientError> {
        let ask = Ask::new(Method::DELETE, &[id(store)?, "memories", id(memory)?])
            .with("expected_content_sha256", expected_sha256);
        let sent = self.send_counted(ask).await;
        match sent.answer {
            Err(error) if error.is_not_found() && sent.attempts > 1 => Ok(DeletedMemory {
                id: memory.to_owned(),
            }),
            answer => answer,
        }
    }
}
