//! How much a store holds.

use super::{AccessScope, StoreRefusal, StoresError};
use crate::storage::Database;
use crate::storage::sql::sql;

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
        let (seen, values) = scope.condition(2);
        // PostgreSQL adds up to a type of its own.
        let sql = format!(
            "SELECT s.live_memories, \
             (SELECT CAST(COALESCE(SUM(m.content_size), 0) AS BIGINT) FROM memory m WHERE m.store_id = s.id AND m.live), \
             (SELECT COUNT(*) FROM memory_version v WHERE v.store_id = s.id), \
             (SELECT CAST(COALESCE(SUM(v.content_size), 0) AS BIGINT) FROM memory_version v WHERE v.store_id = s.id) \
             FROM memory_store s WHERE s.id = $1 AND {seen}"
        );
        self.reading(|| async {
            let query = sql!(sql.clone(); store).bind_all(values.clone());
            let row = self.engine().one(query).await?;
            let row = row.ok_or(StoreRefusal::NoStore)?;
            Ok(StoreUsage {
                memories: row.count(0)?,
                memory_bytes: row.count(1)?,
                versions: row.count(2)?,
                version_bytes: row.count(3)?,
            })
        })
        .await
    }
}
