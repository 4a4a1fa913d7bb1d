//! The end of a store with all that is known of it, for an administrator: its rows, versions and keys, and what
//! the database's files still hold of them.

use super::sql::{SqlDialect, Transaction, from_columns, sql};
use super::{Database, StorageError, objects, outbox, scrub, sealing};

/// Versions that are read at once.
const AT_ONCE: i64 = 200;

/// A store, as an administrator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doomed {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Memories and tombstones.
    pub memories: u64,
    /// Versions.
    pub versions: u64,
}

from_columns!(Doomed: id, name, memories, versions);

impl Database {
    /// The stores of this id, of this name, or of the repository `team:owner/repo`, in any workspace.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn doomed(&self, name: &str) -> Result<Vec<Doomed>, StorageError> {
        let named = "SELECT s.id, s.name, (SELECT count(*) FROM memory m WHERE m.store_id = s.id), \
                     (SELECT count(*) FROM memory_version v WHERE v.store_id = s.id) \
                     FROM memory_store s WHERE s.id = $1 OR s.handle = $2 OR s.name = $3 ORDER BY s.id";
        self.engine().read_all(sql!(named; name, name, name)).await
    }

    /// Shows the ids of a store's versions and memories, and its contents where they can be opened.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn show_all(
        &self,
        store: &str,
        mut show: impl FnMut(&str, &str, Option<&str>),
    ) -> Result<(), StorageError> {
        let mut after = 0_i64;
        loop {
            let some = "SELECT sequence, id, memory_id, content FROM memory_version \
                        WHERE store_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3";
            let mut rows = self.engine().all(sql!(some; store, after, AT_ONCE)).await?;
            // Without the key there is no content to look for; it is erased all the same.
            let seals = self.engine().with_keys(&mut rows, 3).await.ok();
            for row in &rows {
                let (id, memory): (String, String) = row.get(1)?;
                let text = seals.and_then(|seals| seals.content(row, 3, store, &id).ok());
                show(&id, &memory, text.flatten().as_deref());
                after = row.get(0)?;
            }
            if (rows.len() as i64) < AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Erases a store. Where it was encrypted its key ends with it.
    ///
    /// # Errors
    /// See [`StorageError`]; a data directory's server has to be stopped.
    pub async fn erase_store(&self, store: &str) -> Result<(), StorageError> {
        self.may_write()?;
        self.engine().objects.check(self.engine()).await?;
        let mut within = self.engine().begin().await?;
        end_store(&mut within, store).await?;
        within.commit().await?;
        // What the database does not know of, after it was restored from a copy, say.
        self.engine().objects.delete_store(store).await?;
        self.end_erasure().await
    }

    /// Removes what nothing refers to any more after rows were erased: states, keys, bytes.
    pub(super) async fn end_erasure(&self) -> Result<(), StorageError> {
        self.forget_states();
        // What only they had sealed may have been the last of a key.
        sealing::end_unused(self.engine()).await?;
        let is_alone = self.engine().dialect() == SqlDialect::Sqlite;
        objects::remove_released(self.engine(), is_alone).await?;
        scrub::scrub(self.engine()).await
    }
}

/// Removes a store with what waits to be told of it. Nobody is told that it was erased: its name would be left where
/// that waits.
pub(super) async fn end_store(within: &mut Transaction, store: &str) -> Result<(), StorageError> {
    let delete = sql!("DELETE FROM memory_store WHERE id = $1"; store);
    within.run(delete).await?;
    within.run(outbox::forget_store(store)).await.map(drop)
}
