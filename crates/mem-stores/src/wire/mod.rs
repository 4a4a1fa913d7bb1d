//! What goes over the line: objects, pages, requests and errors, in both dialects.
//!
//! ```text
//! POST /v1/memory_stores                         CreateStore  -> MemoryStore
//! GET  /v1/memory_stores                                      -> Page<MemoryStore>
//! GET, POST, DELETE .../{store}                  UpdateStore  -> MemoryStore, DeletedStore
//! POST .../{store}/archive                                    -> MemoryStore
//! POST .../{store}/memories                      CreateMemory -> Memory
//! GET  .../{store}/memories                                   -> Page<MemoryItem>
//! GET, POST, DELETE .../memories/{memory}        UpdateMemory -> Memory, DeletedMemory
//! GET  .../{store}/memory_versions                            -> Page<MemoryVersion>
//! GET  .../memory_versions/{version}                          -> MemoryVersion
//! POST .../memory_versions/{version}/redact                   -> MemoryVersion
//! else                                                        -> Envelope
//! ```
//!
//! Times are texts in RFC 3339. Whoever reads an answer passes over fields that are not known; what a
//! server reads goes through [`crate::strict`].

mod actor;
mod deleted;
mod failure;
mod memory;
mod page;
mod precondition;
mod request_memory;
mod request_store;
mod store;
mod version;

pub use actor::ApiActor;
pub use deleted::{DeletedMemory, DeletedStore};
pub use failure::{ApiFailure, FailureEnvelope, FailureKind};
pub use memory::{MemoryItem, MemoryPrefix, StoreMemory};
pub use page::ApiPage;
pub use precondition::Precondition;
pub use request_memory::{CreateMemory, UpdateMemory};
pub use request_store::{CreateStore, UpdateStore};
pub use store::MemoryStore;
pub use version::{MemoryVersion, VersionOperation};

use serde::{Deserialize, Serialize};

/// Where all of it is spoken.
pub const STORES_PATH: &str = "/v1/memory_stores";

/// Whether contents come along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContentView {
    /// Without.
    Basic,
    /// With.
    Full,
}

impl ContentView {
    /// As it is asked for.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Full => "full",
        }
    }

    /// What is asked for by this word.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Basic, Self::Full]
            .into_iter()
            .find(|view| view.as_str() == text)
    }
}
