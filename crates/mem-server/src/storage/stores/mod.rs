//! Memory stores: what the memory stores API asks of the database.
//!
//! # Layout
//! - `scope`: what a caller may see, as a part of every statement.
//! - `store`, `memory`, `version`: what is asked for and what is answered.
//! - `refusal`: why something was not done.
//! - `catalogue`: the stores themselves. `listing`: pages of memories; one of them by its id. `history`: versions. `redaction`: the end of
//!   one's content.
//! - `edit`: one change of a memory. It waits in the queues together with the PUTs of team memory.
//! - `indexing`: what an index of contents is kept in step by.

mod api;
mod catalogue;
pub(super) mod edit;
mod history;
mod indexing;
mod listing;
mod memory;
mod redaction;
mod refusal;
mod scope;
mod store;
mod version;

pub use edit::Writing;
pub use indexing::{Changes, Mark};
pub use memory::{Listed, MemoryChange, MemoryQuery, MemoryRecord, Precondition};
pub use refusal::{Refusal, StoresError};
pub use scope::Scope;
pub use store::{NewStore, Page, StoreChange, StorePosition, StoreQuery, StoreRecord};
pub use version::{Operation, VersionQuery, VersionRecord};
