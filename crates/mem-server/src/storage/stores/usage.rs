//! How much a store holds.

use super::{AccessScope, StoreRefusal, StoresError};
use crate::storage::Database;
use crate::storage::sql::from_columns;

/// What a store holds. Sizes are bytes of the texts, before they are sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreUsage {
    /// Memories that were not deleted.
    pub memories: u64,
    /// What these say.
    pub memory_bytes: u64,
    /// Versions that are kept, deletions and redacted ones too.
    pub versions: u64,
    /// What these say.
    pub version_bytes: u64,
}

from_columns!(StoreUsage: memories, memory_bytes, versions, version_bytes);

impl Database {
    /// How much a store holds.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn store_usage(
        &self,
        scope: &AccessScope,
        store: &str,
    ) -> Result<StoreUsage, StoresError> {
        // PostgreSQL adds up to a type of its own.
        let columns = "s.live_memories, \
            (SELECT CAST(COALESCE(SUM(m.content_size), 0) AS BIGINT) FROM memory m WHERE m.store_id = s.id AND m.live), \
            (SELECT COUNT(*) FROM memory_version v WHERE v.store_id = s.id), \
            (SELECT CAST(COALESCE(SUM(v.content_size), 0) AS BIGINT) FROM memory_version v WHERE v.store_id = s.id)";
        let query = || scope.of_store(store, columns, "");
        let found = self.reading(|| self.engine().read_one(query())).await?;
        Ok(found.ok_or(StoreRefusal::NoStore)?)
    }
}
