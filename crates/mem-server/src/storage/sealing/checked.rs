//! Whether contents open: each of them, one by one, beside readers and writers.

use mem_core::history::Sha256;
use mem_vault::VaultError;

use super::change::each_store;
use super::{CONTENT, damaged};
use crate::storage::StorageError;
use crate::storage::sql::{Engine, Query, Row};

/// Versions that are read at once.
const AT_ONCE: i64 = 64;

/// What a look at every content came to.
#[derive(Debug, Default)]
pub struct Checked {
    /// How many open.
    pub open: u64,
    /// Those that do not.
    pub closed: Vec<Closed>,
}

/// A content that does not open, or is not the one that was stored.
#[derive(Debug)]
pub struct Closed {
    /// The store, `memstore_…`.
    pub store: String,
    /// Where the memory was then.
    pub path: Option<String>,
    /// Which version, `memver_…`.
    pub version: String,
    /// Why.
    pub error: VaultError,
}

/// Opens every content.
pub(in crate::storage) async fn check_all(engine: &Engine) -> Result<Checked, StorageError> {
    let mut checked = Checked::default();
    each_store(engine, async |store| {
        let mut after = 0;
        loop {
            let sql = "SELECT sequence, id, content, path, content_sha256 FROM memory_version \
                       WHERE store_id = $1 AND sequence > $2 AND content IS NOT NULL ORDER BY sequence LIMIT $3";
            let query = || Query::new(sql).bind(store).bind(after).bind(AT_ONCE);
            let rows = engine.with_contents(query, 2).await?;
            for row in &rows {
                after = row.get(0)?;
                match one(engine, store, row) {
                    Ok(()) => checked.open += 1,
                    Err(StorageError::Content { version, error, .. }) => {
                        checked.closed.push(Closed {
                            store: store.to_owned(),
                            path: row.get(3)?,
                            version,
                            error,
                        });
                    }
                    Err(error) => return Err(error),
                }
            }
            if (rows.len() as i64) < AT_ONCE {
                return Ok(());
            }
        }
    })
    .await?;
    Ok(checked)
}

/// A content that opens may still be another than its checksum says: one that somebody stored plain, say.
fn one(engine: &Engine, store: &str, row: &Row) -> Result<(), StorageError> {
    let version = row.text(1)?;
    let text = engine.seals().content(row, 2, store, version)?;
    let bytes = text.as_deref().unwrap_or_default().as_bytes();
    match Sha256::of(bytes) == row.sha256(4)? {
        true => Ok(()),
        false => Err(damaged(version, VaultError::Tampered(CONTENT))),
    }
}
