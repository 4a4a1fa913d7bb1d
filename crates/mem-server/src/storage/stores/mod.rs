//! Memory stores: what the memory stores API asks of the database.
//!
//! # Layout
//! - `scope`: what a caller may see, as a part of every statement.
//! - `catalogue`: the stores themselves. `memories`: one, and pages of them. `history`: versions, and the end of one's
//!   content.
//! - `refusal`: why something was not done.
//! - `edit`: one change of a memory. It waits in the queues together with the PUTs of team memory.
//! - `indexing`: what an index of contents is kept in step by.

mod catalogue;
pub(super) mod edit;
mod history;
mod indexing;
mod memories;
mod refusal;
mod scope;

pub use catalogue::{
    CreateStore, ListPage, StorePosition, StoreQuery, StoreRecord, StoreUsage, UpdateStore,
};
pub use edit::Writing;
pub use history::{VersionOperation, VersionQuery, VersionRecord};
pub use indexing::{Changes, IndexMark};
pub use memories::{ListedMemory, MemoryChange, MemoryQuery, MemoryRecord, WriteCondition};
pub use refusal::{StoreRefusal, StoresError};
pub use scope::AccessScope;
