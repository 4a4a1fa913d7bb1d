//! What is left of an object that was deleted.

use serde::{Deserialize, Serialize};

/// A store that is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "memory_store_deleted")]
pub struct DeletedStore {
    /// The id that it had.
    pub id: String,
}

/// A memory that is gone; its versions stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename = "memory_deleted")]
pub struct DeletedMemory {
    /// The id that it had.
    pub id: String,
}
