//! A version: what is asked for, and what is answered.

use jiff::Timestamp;
use mem_core::history::Sha256;
pub use mem_stores::wire::Operation;

use crate::storage::Actor;

/// One mutation of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionRecord {
    /// `memver_…`.
    pub id: String,
    /// Its number in the store's order.
    pub sequence: u64,
    /// `mem_…`.
    pub memory_id: String,
    /// `memstore_…`.
    pub store_id: String,
    /// What was done.
    pub operation: Operation,
    /// Where the memory was with it; `None` once redacted.
    pub path: Option<String>,
    /// Where it was asked for; `None` of a deletion, and once redacted.
    pub content: Option<String>,
    /// `None` of a deletion, and once redacted.
    pub content_sha256: Option<Sha256>,
    /// In bytes; `None` of a deletion, and once redacted.
    pub content_size: Option<u64>,
    /// When.
    pub created_at: Timestamp,
    /// Who.
    pub created_by: Actor,
    /// When it was redacted.
    pub redacted_at: Option<Timestamp>,
    /// Who redacted it.
    pub redacted_by: Option<Actor>,
}

/// Which versions of a store are asked for; the newest first. All that is said has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VersionQuery {
    /// By this token.
    pub api_key_id: Option<String>,
    /// By this service account.
    pub service_account_id: Option<String>,
    /// By this session.
    pub session_id: Option<String>,
    /// Of this memory.
    pub memory_id: Option<String>,
    /// That did this.
    pub operation: Option<Operation>,
    /// Then or later.
    pub created_from: Option<Timestamp>,
    /// Then or earlier.
    pub created_to: Option<Timestamp>,
    /// With content.
    pub content: bool,
    /// At most so many; one at least.
    pub limit: u32,
    /// Those with smaller numbers.
    pub after: Option<u64>,
}
