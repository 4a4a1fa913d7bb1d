//! What an index of a store's contents is kept in step by: what changed since, and contents by id.
//! Also stores by what people call them.

use super::memories::{COLUMNS, CONTENT, record_as_far_as_open};
use super::{AccessScope, MemoryRecord, StoreRecord, StoreRefusal, StoresError};
use crate::storage::queue::reading;
use crate::storage::sql::{SqlQuery, Transaction, from_columns, sql, values};
use crate::storage::{Database, StorageError};

/// Up to so many rows a statement is prepared for good.
const ROWS_PREPARED: usize = 64;

/// A moment in the life of a store's memories.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexMark {
    pub(in crate::storage) epoch: String,
    /// The number of the newest change.
    pub(crate) sequence: u64,
}

from_columns!(IndexMark: epoch, sequence);

impl IndexMark {
    /// The moment that a store was looked up at.
    pub fn from_store(store: &StoreRecord) -> Option<Self> {
        let (epoch, sequence) = store.state.rsplit_once('-')?;
        Some(Self {
            epoch: epoch.to_owned(),
            sequence: sequence.parse().ok()?,
        })
    }

    /// Whether nothing that another moment knows is unknown at this one.
    pub fn covers(&self, other: &Self) -> bool {
        self.epoch == other.epoch && self.sequence >= other.sequence
    }

    /// Whether a transaction of a standby sees a store at this moment or a later one. What is no standby may be a copy,
    /// whose history is another one.
    pub(in crate::storage) async fn is_reached(
        &self,
        store: &str,
        within: &mut Transaction,
    ) -> Result<bool, StorageError> {
        let state = "SELECT epoch, sequence, pg_is_in_recovery() FROM memory_store WHERE id = $1";
        match within.read_one::<(Self, bool)>(sql!(state; store)).await? {
            Some((_, false)) => Err(StorageError::Corrupt("no standby")),
            Some((mark, true)) => Ok(mark.covers(self)),
            None => Ok(false),
        }
    }
}

/// What became of a store since a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// The moment that this is true at.
    pub mark: IndexMark,
    /// The memories that were made, changed or deleted; `None`: too many, or another life of the store.
    pub ids: Option<Vec<String>>,
}

impl Database {
    /// The memories of a store that changed since a moment, if they are at most `max`.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn memories_changed_since(
        &self,
        scope: &AccessScope,
        store: &str,
        since: &IndexMark,
        max: u32,
    ) -> Result<Changes, StoresError> {
        reading(|| async {
            let mut within = self.engine().snapshot().await?;
            let mark = scope.of_store(store, "s.epoch, s.sequence", "");
            let mark = within.read_one(mark).await?;
            let mark: IndexMark = mark.ok_or(StoreRefusal::NoStore)?;
            if !mark.covers(since) {
                return Ok(Changes { mark, ids: None });
            }
            let changed = "SELECT DISTINCT memory_id FROM memory_version WHERE store_id = $1 AND sequence > $2 LIMIT $3";
            let changed = sql!(changed; store, since.sequence, i64::from(max) + 1);
            let ids: Vec<String> = within.read_all(changed).await?;
            within.commit().await?;
            let ids = Some(ids).filter(|ids| ids.len() <= max as usize);
            Ok(Changes { mark, ids })
        })
        .await
    }

    /// The memories of a store that have these ids and are there, with their contents as far as they can be opened, at
    /// this moment or later.
    ///
    /// # Errors
    /// The database.
    pub async fn memories_by_id(
        &self,
        scope: &AccessScope,
        store: &str,
        ids: &[String],
        reached: Option<&IndexMark>,
    ) -> Result<Vec<MemoryRecord>, StoresError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        reading(|| async {
            let (engine, query) = (self.engine(), || by_id(scope, store, ids));
            let reached = reached.map(|mark| (store, mark));
            let rows = engine.with_contents(reached, query, Some(CONTENT)).await?;
            let read = |row| record_as_far_as_open(row, Some(&engine.seals));
            Ok(rows.iter().map(read).collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The ids of the stores that have this name, or are of this repository; at most so many.
    ///
    /// # Errors
    /// The database.
    pub async fn stores_named(
        &self,
        scope: &AccessScope,
        name: &str,
        limit: u32,
    ) -> Result<Vec<String>, StoresError> {
        reading(|| async {
            let (seen, of_scope) = scope.condition(3);
            let sql = format!(
                "SELECT s.id FROM memory_store s WHERE (s.name = $1 OR s.handle = $2) AND {seen} \
                 ORDER BY s.created_at, s.id LIMIT {limit}"
            );
            let named = sql!(sql; name, name).bind_all(of_scope);
            Ok(self.engine().read_all(named).await?)
        })
        .await
    }
}

/// `CROSS JOIN` keeps SQLite from looking at every memory of the store.
fn by_id(scope: &AccessScope, store: &str, ids: &[String]) -> SqlQuery {
    let (seen, of_scope) = scope.condition(ids.len() + 2);
    let sql = format!(
        "SELECT {COLUMNS}, v.content FROM (VALUES {}) AS r CROSS JOIN memory m \
         JOIN memory_store s ON s.id = m.store_id \
         JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence \
         WHERE m.id = r.column1 AND m.store_id = ${} AND m.live AND {seen}",
        values(1, ids.len(), 1),
        ids.len() + 1
    );
    let query = sql!(sql).bind_all(ids).bind(store).bind_all(of_scope);
    query.prepared(ids.len() <= ROWS_PREPARED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_covers_those_before_it_in_the_same_life() {
        let mark = |epoch: &str, sequence| IndexMark {
            epoch: epoch.to_owned(),
            sequence,
        };
        assert!(mark("a", 2).covers(&mark("a", 2)) && mark("a", 3).covers(&mark("a", 2)));
        assert!(!mark("a", 1).covers(&mark("a", 2)) && !mark("b", 9).covers(&mark("a", 2)));
    }
}
