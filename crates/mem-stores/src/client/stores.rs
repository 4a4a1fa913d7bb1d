//! Stores: create, retrieve, list, update, archive, delete.

use reqwest::Method;

use super::StoresClient;
use super::error::ClientError;
use super::pages::PageReader;
use super::request::{Ask, id};
use crate::limits::PAGE_MAX;
use crate::wire::{CreateStore, DeletedStore, MemoryStore, UpdateStore};

impl StoresClient {
    /// A new store. It is not sent again where it may have been made: there would be two.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn create_store(&self, new: &CreateStore) -> Result<MemoryStore, ClientError> {
        let mut ask = Ask::new(Method::POST, &[]).json(new)?;
        ask.is_repeatable = false;
        self.send(ask).await
    }

    /// One store.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn store(&self, store: &str) -> Result<MemoryStore, ClientError> {
        self.send(Ask::new(Method::GET, &[id(store)?])).await
    }

    /// Stores, the newest first, at most so many; on request with those that were archived.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn stores(
        &self,
        include_archived: bool,
        max: usize,
    ) -> Result<Vec<MemoryStore>, ClientError> {
        let archived = include_archived.then_some("true");
        let ask = Ask::new(Method::GET, &[])
            .with("include_archived", archived)
            .with("limit", Some(max.clamp(1, PAGE_MAX)));
        PageReader::starting_at(ask).collect(self, max).await
    }

    /// A store with another name, description or metadata.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn update_store(
        &self,
        store: &str,
        change: &UpdateStore,
    ) -> Result<MemoryStore, ClientError> {
        let ask = Ask::new(Method::POST, &[id(store)?]).json(change)?;
        self.send(ask).await
    }

    /// A store that nobody writes to any more.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn archive_store(&self, store: &str) -> Result<MemoryStore, ClientError> {
        self.send(Ask::new(Method::POST, &[id(store)?, "archive"]))
            .await
    }

    /// Deletes a store with all that is in it.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn delete_store(&self, store: &str) -> Result<DeletedStore, ClientError> {
        let sent = self.send_counted(Ask::new(Method::DELETE, &[id(store)?]));
        let sent = sent.await;
        match sent.answer {
            // The first attempt did it, and its answer was lost.
            Err(error) if error.is_not_found() && sent.attempts > 1 => Ok(DeletedStore {
                id: store.to_owned(),
            }),
            answer => answer,
        }
    }
}
