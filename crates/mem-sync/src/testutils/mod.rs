//! What tests of remotes need, here and in other crates: a remote in memory, and the suite that every remote has to
//! pass. Behind a feature of its own: no program is built with it.

pub mod conformance;
mod in_memory;

pub use in_memory::{InMemory, StoredVersion};
