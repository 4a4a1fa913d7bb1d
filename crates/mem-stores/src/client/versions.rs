//! Versions: list, retrieve, redact.

use reqwest::Method;

use super::StoresClient;
use super::error::ClientError;
use super::pages::PageReader;
use super::request::{Ask, id};
use crate::limits::{PAGE_FULL_MAX, PAGE_MAX};
use crate::wire::{ContentView, MemoryVersion, VersionOperation};

/// Which versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionsQuery {
    /// Those of one memory.
    pub memory_id: Option<String>,
    /// Those of one kind.
    pub operation: Option<VersionOperation>,
    /// RFC 3339.
    pub created_from: Option<String>,
    /// RFC 3339.
    pub created_to: Option<String>,
    /// With contents.
    pub is_full: bool,
}

impl StoresClient {
    /// Versions, the newest first, at most so many.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn versions(
        &self,
        store: &str,
        query: &VersionsQuery,
        max: usize,
    ) -> Result<Vec<MemoryVersion>, ClientError> {
        let (view, page) = match query.is_full {
            true => (ContentView::Full, PAGE_FULL_MAX),
            false => (ContentView::Basic, PAGE_MAX),
        };
        let ask = Ask::new(Method::GET, &[id(store)?, "memory_versions"])
            .with("memory_id", query.memory_id.as_ref())
            .with("operation", query.operation.map(VersionOperation::as_str))
            .with("created_at[gte]", query.created_from.as_ref())
            .with("created_at[lte]", query.created_to.as_ref())
            .with("view", Some(view.as_str()))
            .with("limit", Some(max.clamp(1, page)));
        PageReader::starting_at(ask).collect(self, max).await
    }

    /// One version.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn version(
        &self,
        store: &str,
        version: &str,
        view: ContentView,
    ) -> Result<MemoryVersion, ClientError> {
        let ask = Ask::new(Method::GET, &[id(store)?, "memory_versions", id(version)?]);
        self.send(ask.with("view", Some(view.as_str()))).await
    }

    /// Takes the content of a version out for good; who wrote it and when stays.
    ///
    /// # Errors
    /// See [`ClientError`].
    pub async fn redact_version(
        &self,
        store: &str,
        version: &str,
    ) -> Result<MemoryVersion, ClientError> {
        let segments = [id(store)?, "memory_versions", id(version)?, "redact"];
        self.send(Ask::new(Method::POST, &segments)).await
    }
}
