//! What an end has to be able to do for the tools: find a store, and read and write in it.

use mem_core::history::Sha256;

use super::ToolError;
use crate::{PathPrefix, StorePath};

/// What a call is going to do with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolAccess {
    /// Read.
    Read,
    /// Read and write.
    Write,
}

/// The stores that a caller has.
pub trait ToolStores: Sync {
    /// One of them.
    type Store: OpenStore;

    /// The store of this id or name; without one, the only one that there is.
    ///
    /// # Errors
    /// [`ToolError::NoStore`], [`ToolError::WhichStore`], [`ToolError::ReadOnly`]; those of the end.
    fn open(
        &self,
        named: Option<&str>,
        access: ToolAccess,
    ) -> impl Future<Output = Result<Self::Store, ToolError>> + Send;
}

/// A store as one call finds it.
pub trait OpenStore: Send + Sync {
    /// What answers call it.
    fn name(&self) -> &str;

    /// Memories in the order of their paths' bytes: those below the folder and behind the path.
    ///
    /// # Errors
    /// Those of the end.
    fn list(
        &self,
        asked: &StorePage,
    ) -> impl Future<Output = Result<Vec<MemoryInfo>, ToolError>> + Send;

    /// What has to do with a query, the best first.
    ///
    /// # Errors
    /// Those of the end.
    fn search(
        &self,
        asked: &StoreSearch,
    ) -> impl Future<Output = Result<Vec<MemoryHit>, ToolError>> + Send;

    /// The memory at a path.
    ///
    /// # Errors
    /// Those of the end.
    fn read(
        &self,
        path: &StorePath,
    ) -> impl Future<Output = Result<Option<MemoryText>, ToolError>> + Send;

    /// Creates or replaces the memory at a path. Decided where the store is kept, not before.
    ///
    /// # Errors
    /// [`ToolError::Stale`] where it is not the one that was read, [`ToolError::Occupied`] where
    /// another memory is in the way; those of the end.
    fn write(
        &self,
        path: &StorePath,
        content: String,
        expected: Option<Sha256>,
    ) -> impl Future<Output = Result<ToolWrite, ToolError>> + Send;

    /// Deletes the memory at a path.
    ///
    /// # Errors
    /// [`ToolError::NotFound`], [`ToolError::Stale`]; those of the end.
    fn delete(
        &self,
        path: &StorePath,
        expected: Option<Sha256>,
    ) -> impl Future<Output = Result<(), ToolError>> + Send;
}

/// A part of a store's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePage {
    /// Only what is below it; `None`: the whole store.
    pub folder: Option<PathPrefix>,
    /// Only what comes behind this path.
    pub after: Option<StorePath>,
    /// At most so many.
    pub limit: usize,
}

/// What is searched for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreSearch {
    /// Words; neither empty nor too long.
    pub query: String,
    /// Only what is below it; `None`: the whole store.
    pub folder: Option<PathPrefix>,
    /// At most so many.
    pub limit: usize,
}

/// What a list says of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// Where.
    pub path: String,
    /// Of its content.
    pub sha256: Sha256,
    /// Of its content.
    pub bytes: u64,
    /// When its content or path came to be, RFC 3339.
    pub updated_at: String,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryText {
    /// What a list says of it.
    pub info: MemoryInfo,
    /// Its text.
    pub content: String,
}

/// A memory that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryHit {
    /// What a list says of it.
    pub info: MemoryInfo,
    /// How well it fits, from 0 to 1; `None` where only letters were compared.
    pub score: Option<f32>,
    /// The lines that say why.
    pub lines: Vec<MemoryLine>,
}

/// A line of a memory, or a part of a long one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLine {
    /// From 1.
    pub number: usize,
    /// What it says.
    pub text: String,
}

/// What a write came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolWrite {
    /// The memory as it is now.
    pub info: MemoryInfo,
    /// Whether there was none before.
    pub is_new: bool,
    /// Whether anything changed.
    pub is_change: bool,
}
