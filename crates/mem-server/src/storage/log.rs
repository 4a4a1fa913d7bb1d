//! Who changed what, the newest first.

use jiff::Timestamp;
use mem_sync::remote::LogQuery;
use mem_sync::wire::{ChangeLogEntry, LogOperation, LogPage};

use super::read::label;
use super::sql::{Engine, SqlQuery, SqlRow, sql};
use super::store_row::{StoreRow, by_repository};
use super::{Database, RepositoryName, StorageError, load};

impl Database {
    /// Who changed what in a repository's store, the newest first. Pages stay where they are whatever is
    /// written meanwhile: each is named by the number of the last change before it.
    ///
    /// # Errors
    /// See [`StorageError`]; [`StorageError::Page`] for a page that this log did not hand out.
    pub async fn log(
        &self,
        repo: &RepositoryName,
        asked: &LogQuery,
    ) -> Result<LogPage, StorageError> {
        self.reading(|| page(self.engine(), repo, asked)).await
    }
}

async fn page(
    engine: &Engine,
    repo: &RepositoryName,
    asked: &LogQuery,
) -> Result<LogPage, StorageError> {
    let below = match asked.page.as_deref().map(str::parse::<i64>) {
        None => i64::MAX,
        Some(Ok(below)) if below > 0 => below,
        Some(_) => return Err(StorageError::Page),
    };
    let Some(StoreRow { id: store, .. }) = engine.read_one(by_repository(repo)).await? else {
        return Ok(LogPage::default());
    };
    let limit = asked.page_size() as usize;
    let rows = engine.all(query(&store, asked, below)).await?;
    let mut page = LogPage::default();
    for row in rows.iter().take(limit) {
        page.changes.extend(entry(row)?);
    }
    if let Some(last) = rows.get(limit - 1).filter(|_| rows.len() > limit) {
        page.next_page = Some(last.get::<i64>(0)?.to_string());
    }
    Ok(page)
}

/// The path of a version. One that was redacted through the memory stores API has none of its own any more; who
/// and when stay in the log, under the path that the memory had before it, had after it, or has.
const KNOWN: &str = "coalesce(v.path, \
    (SELECT s.path FROM memory_version s WHERE s.memory_id = v.memory_id AND s.store_id = v.store_id \
     AND s.sequence < v.sequence AND s.path IS NOT NULL ORDER BY s.sequence DESC LIMIT 1), \
    (SELECT s.path FROM memory_version s WHERE s.memory_id = v.memory_id AND s.store_id = v.store_id \
     AND s.sequence > v.sequence AND s.path IS NOT NULL ORDER BY s.sequence LIMIT 1), \
    (SELECT m.path FROM memory m WHERE m.id = v.memory_id AND m.store_id = v.store_id))";

/// Versions that may be of the path `$4`, before it is known what those without a path are known as.
const OF_KEY: &str = " AND (v.path = $4 OR (v.path IS NULL AND v.memory_id IN \
    (SELECT s.memory_id FROM memory_version s WHERE s.store_id = $1 AND s.path = $4 \
     UNION SELECT m.id FROM memory m WHERE m.store_id = $1 AND m.path = $4)))";

fn query(store: &str, asked: &LogQuery, below: i64) -> SqlQuery {
    let columns = "sequence, known, operation, content_sha256, content_size, actor_id, actor_name, created_at, \
                   change, redacted_at, redactor_id, redactor_name, reason";
    let (may_be, is) = match asked.key {
        Some(_) => (OF_KEY, "known = $4"),
        None => ("", "known IS NOT NULL"),
    };
    let inner = columns.replace("known", &format!("{KNOWN} AS known"));
    let sql = format!(
        "SELECT {columns} FROM (SELECT {inner} FROM memory_version v \
         WHERE v.store_id = $1 AND v.sequence < $2{may_be}) AS log WHERE {is} \
         ORDER BY sequence DESC LIMIT $3"
    );
    let limit = i64::from(asked.page_size()) + 1;
    sql!(sql; store, below, limit).bind_all(asked.key.iter().map(load::path))
}

/// `None` for a path that the team protocol cannot say.
fn entry(row: &SqlRow) -> Result<Option<ChangeLogEntry>, StorageError> {
    let Some(key) = load::key(row.text(1)?) else {
        return Ok(None);
    };
    let (at, redacted_at): (Timestamp, Option<Timestamp>) = (row.get(7)?, row.get(9)?);
    let redacted_by = redacted_at.map(|_| label(row, 10)).transpose()?;
    Ok(Some(ChangeLogEntry {
        key,
        operation: operation(row.text(2)?),
        sha256: row.get(3)?,
        size_bytes: row.get(4)?,
        actor: label(row, 5)?,
        at: at.to_string(),
        version: row.get(8)?,
        redacted_at: redacted_at.map(|time| time.to_string()),
        redacted_by,
        reason: row.get(12)?,
    }))
}

fn operation(stored: &str) -> LogOperation {
    match stored {
        "created" => LogOperation::Created,
        "modified" => LogOperation::Modified,
        "deleted" => LogOperation::Deleted,
        _ => LogOperation::Other,
    }
}
