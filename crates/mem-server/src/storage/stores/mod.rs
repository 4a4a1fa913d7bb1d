//! Memory stores: what the memory stores API asks of the database.
//!
//! # Layout
//! - `scope`: what a caller may see, as a part of every statement.
//! - `store`, `memory`, `version`: what is asked for and what is answered.
//! - `refusal`: why something was not done.
//! - `catalogue`: the stores themselves. `listing`: pages of memories. `history`: versions.
//! - `edit`: one change of a memory; `board` decides it as a function, `touched` reads what it needs. Changes
//!   wait in the queues of [`super::queue`] together with the PUTs of team memory, and share their syncs.
//! - `retention`: which versions end.

mod api;
mod memory;
mod refusal;
mod scope;
mod store;
mod version;

pub use memory::{Listed, MemoryChange, MemoryQuery, MemoryRecord, Precondition};
pub use refusal::{Refusal, StoresError};
pub use scope::Scope;
pub use store::{NewStore, Page, StoreChange, StorePosition, StoreQuery, StoreRecord};
pub use version::{Operation, VersionQuery, VersionRecord};
