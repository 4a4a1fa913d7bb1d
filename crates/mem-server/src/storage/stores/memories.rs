//! Memories: what is asked for, what is answered; one, and pages of them in the order of their paths' bytes. Paths are
//! absolute, `/a/b.md`, and valid: without control characters, which lists and conflicts rely on.

use jiff::Timestamp;
use mem_core::history::Sha256;
use mem_stores::tools::store::MemoryInfo;

use super::catalogue::find as find_store;
use super::{AccessScope, IndexMark, ListPage, StoreRefusal, StoresError};
use crate::storage::sealing::ContentCipher;
use crate::storage::sql::{Engine, SqlQuery, SqlRow, SqlValue, from_columns, sql};
use crate::storage::{Database, StorageError};

/// A memory that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryRecord {
    /// `mem_…`.
    pub id: String,
    /// `memstore_…`.
    pub store_id: String,
    /// Where it is.
    pub path: String,
    /// Where it was asked for, and can be opened. Changes answer with it always.
    pub content: Option<String>,
    /// Of the raw UTF-8.
    pub content_sha256: Sha256,
    /// Of the raw UTF-8, in bytes.
    pub content_size: u64,
    /// The newest version, `memver_…`.
    pub version_id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

from_columns!(MemoryRecord: id, store_id, path, content_sha256, content_size, version_id, created_at, updated_at;
    content);

impl MemoryRecord {
    /// What the tools of agents say of it in lists.
    pub(crate) fn info(&self) -> MemoryInfo {
        MemoryInfo {
            path: self.path.clone(),
            sha256: self.content_sha256,
            bytes: self.content_size,
            updated_at: self.updated_at.to_string(),
        }
    }
}

/// What is to be changed of a memory; `None` leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryChange {
    /// Its content.
    pub content: Option<String>,
    /// Its path; the id stays.
    pub path: Option<String>,
    /// Only then.
    pub precondition: Option<WriteCondition>,
}

/// What has to be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteCondition {
    /// The memory's content has this checksum. Where it has another, but all is already as the change would
    /// have it, that is a success.
    ContentSha256(Sha256),
    /// Nothing is where a rename leads to; else the change as a whole is left out, which is a success.
    NotExists,
}

/// Which memories are asked for; in the order of their paths' bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryQuery {
    /// Paths that begin with this text; with `/` at its end that is whole segments. Empty: all.
    pub prefix: String,
    /// What lies deeper than the first segment below the prefix is rolled up into one item a folder.
    pub roll_up: bool,
    /// With content.
    pub content: bool,
    /// A content that cannot be opened is left out of its item; else nothing is told of the page.
    pub as_far_as_open: bool,
    /// At most so many items; one at least.
    pub limit: u32,
    /// Those after this path, or this folder (with `/` at its end).
    pub after: Option<String>,
    /// A moment that the caller knows of: a standby that has reached it may answer.
    pub reached: Option<IndexMark>,
}

/// An item of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedMemory {
    /// A memory.
    Memory(Box<MemoryRecord>),
    /// A folder, `/` at its end, that has memories below it.
    Prefix(String),
}

impl ListPage<ListedMemory, String> {
    /// The memories of a page, without the folders.
    pub fn into_memories(self) -> impl Iterator<Item = MemoryRecord> {
        self.items.into_iter().filter_map(|item| match item {
            ListedMemory::Memory(memory) => Some(*memory),
            ListedMemory::Prefix(_) => None,
        })
    }
}

/// Of a memory `m`.
pub(super) const COLUMNS: &str = "m.id, m.store_id, m.path, m.content_sha256, m.content_size, m.version_id, m.created_at, m.updated_at";
/// The column of the path.
const PATH: usize = 2;
/// The column of the content, where it is asked for.
pub(super) const CONTENT: usize = 8;

/// Rows that are read at once after a folder was left behind: what is in the next one may be many more.
const PROBE: i64 = 8;

impl Database {
    /// How many memories a store has.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn count_memories(
        &self,
        scope: &AccessScope,
        store: &str,
    ) -> Result<u64, StoresError> {
        let count = || scope.of_store(store, "s.live_memories", "");
        let found = self.reading(|| self.engine().read_one(count())).await?;
        Ok(found.ok_or(StoreRefusal::NoStore)?)
    }

    /// A memory: one statement, which says also whether there is such a store.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`], `NoMemory`.
    pub async fn memory(
        &self,
        scope: &AccessScope,
        store: &str,
        id: &str,
        content: bool,
    ) -> Result<MemoryRecord, StoresError> {
        self.reading(|| async {
            let (engine, column) = (self.engine(), content.then_some(CONTENT));
            let query = || by_id(scope, store, id, content);
            let rows = engine.with_contents(None, query, column).await?;
            let row = rows.first().ok_or(StoreRefusal::NoStore)?;
            match row.get::<Option<String>>(0)? {
                None => Err(StoreRefusal::NoMemory.into()),
                Some(_) => Ok(record(row, content.then_some(&engine.seals))?),
            }
        })
        .await
    }

    /// Memories and folders, in the order of their paths' bytes.
    ///
    /// # Errors
    /// [`StoreRefusal::NoStore`].
    pub async fn memories(
        &self,
        scope: &AccessScope,
        store: &str,
        asked: &MemoryQuery,
    ) -> Result<ListPage<ListedMemory, String>, StoresError> {
        self.reading(|| async {
            let engine = self.engine();
            let items = match asked.roll_up {
                false => plain(engine, scope, store, asked).await?,
                true => rolled_up(engine, scope, store, asked).await?,
            };
            if items.is_empty() {
                find_store(engine, scope, store).await?;
            }
            let seals = asked.content.then_some(&engine.seals);
            Ok(page(items, asked, seals)?)
        })
        .await
    }
}

fn by_id(scope: &AccessScope, store: &str, id: &str, content: bool) -> SqlQuery {
    let (seen, of_scope) = scope.condition(3);
    let (column, join) = match content {
        true => (
            ", v.content",
            " LEFT JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence",
        ),
        false => ("", ""),
    };
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory_store s \
         LEFT JOIN memory m ON m.store_id = s.id AND m.id = $2 AND m.live{join} \
         WHERE s.id = $1 AND {seen}"
    );
    sql!(sql; store, id).bind_all(of_scope)
}

/// A memory from the columns of a row, and its content from the one behind them.
pub(super) fn record(
    row: &SqlRow,
    seals: Option<&ContentCipher>,
) -> Result<MemoryRecord, StorageError> {
    let mut record: MemoryRecord = row.get(0)?;
    if let Some(seals) = seals {
        let content = seals.content(row, CONTENT, &record.store_id, &record.version_id);
        record.content = content.map_err(|error| error.at(&record.path))?;
    }
    Ok(record)
}

/// The same without a content that cannot be opened: a line of the log names its version.
pub(super) fn record_as_far_as_open(
    row: &SqlRow,
    seals: Option<&ContentCipher>,
) -> Result<MemoryRecord, StorageError> {
    match record(row, seals) {
        Err(StorageError::Content { version, error, .. }) => {
            tracing::error!(version, %error, "a content cannot be opened");
            record(row, None)
        }
        read => read,
    }
}

/// An item of a page that is not read yet.
enum PageItem {
    Memory(SqlRow),
    /// With `/` at its end.
    Folder(String),
}

/// What was found; one item more than was asked for says that more follow, and is not read.
fn page(
    mut items: Vec<PageItem>,
    asked: &MemoryQuery,
    seals: Option<&ContentCipher>,
) -> Result<ListPage<ListedMemory, String>, StorageError> {
    let has_more = items.len() > asked.limit as usize;
    items.truncate(asked.limit as usize);
    let read = match asked.as_far_as_open {
        true => record_as_far_as_open,
        false => record,
    };
    let items = items.into_iter().map(|item| match item {
        PageItem::Memory(row) => Ok(ListedMemory::Memory(Box::new(read(&row, seals)?))),
        PageItem::Folder(folder) => Ok(ListedMemory::Prefix(folder)),
    });
    let items: Vec<ListedMemory> = items.collect::<Result<_, StorageError>>()?;
    let next = items.last().filter(|_| has_more).map(|last| match last {
        ListedMemory::Memory(memory) => memory.path.clone(),
        ListedMemory::Prefix(folder) => folder.clone(),
    });
    Ok(ListPage { items, next })
}

async fn plain(
    engine: &Engine,
    scope: &AccessScope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<Vec<PageItem>, StoresError> {
    let rows = i64::from(asked.limit) + 1;
    let query = || query(scope, store, asked, &ReadStart::from_asked(asked), rows);
    let reached = asked.reached.as_ref().map(|mark| (store, mark));
    let rows = engine
        .with_contents(reached, query, asked.content.then_some(CONTENT))
        .await?;
    Ok(rows.into_iter().map(PageItem::Memory).collect())
}

/// What is below a folder is not read: after a few rows of it, reading goes on behind it. All of it sees one state.
async fn rolled_up(
    engine: &Engine,
    scope: &AccessScope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<Vec<PageItem>, StoresError> {
    let base = match asked.prefix.as_str() {
        "" => "/",
        prefix => prefix,
    };
    let wanted = asked.limit as usize + 1;
    let (mut items, mut from) = (Vec::new(), ReadStart::from_asked(asked));
    let mut rows_at_once = wanted as i64;
    let mut within = engine.snapshot().await?;
    while items.len() < wanted {
        let query = query(scope, store, asked, &from, rows_at_once);
        let mut rows = within.all(query).await?;
        let is_end = (rows.len() as i64) < rows_at_once;
        if asked.content {
            within.meet_keys(&rows, CONTENT).await?;
            engine.objects.fetch_contents(&mut rows, CONTENT).await?;
        }
        let in_folder = roll_up(rows, base, &mut items, &mut from)?;
        if is_end {
            break;
        }
        rows_at_once = match in_folder {
            true => PROBE,
            false => (rows_at_once * 2).min(wanted as i64),
        };
    }
    within.commit().await?;
    Ok(items)
}

/// Adds items for rows, moves on behind them, and says whether the last one was within a folder.
fn roll_up(
    rows: Vec<SqlRow>,
    base: &str,
    items: &mut Vec<PageItem>,
    from: &mut ReadStart,
) -> Result<bool, StorageError> {
    let mut in_folder = false;
    for row in rows {
        let path = row.text(PATH)?;
        if from.is_before(path) {
            continue;
        }
        let rest = path.get(base.len()..).unwrap_or_default();
        let folder = rest.find('/').and_then(|at| path.get(..=base.len() + at));
        in_folder = folder.is_some();
        *from = ReadStart::behind(folder.unwrap_or(path));
        let folder = folder.map(|folder| PageItem::Folder(folder.to_owned()));
        items.push(folder.unwrap_or(PageItem::Memory(row)));
    }
    Ok(in_folder)
}

/// Where reading goes on: at a path, or behind it.
#[derive(Clone, Debug)]
struct ReadStart {
    path: String,
    is_behind: bool,
}

impl ReadStart {
    fn from_asked(asked: &MemoryQuery) -> Self {
        match &asked.after {
            // Behind what is before the prefix is not in the list.
            Some(after) if after.as_str() > asked.prefix.as_str() => Self::behind(after),
            _ => Self {
                path: asked.prefix.clone(),
                is_behind: false,
            },
        }
    }

    /// Behind a memory, or behind all that is below a folder.
    fn behind(path: &str) -> Self {
        match path.ends_with('/').then(|| successor(path)).flatten() {
            Some(path) => Self {
                path,
                is_behind: false,
            },
            None => Self {
                path: path.to_owned(),
                is_behind: true,
            },
        }
    }

    fn is_before(&self, path: &str) -> bool {
        match self.is_behind {
            true => path <= self.path.as_str(),
            false => path < self.path.as_str(),
        }
    }
}

/// The least text that is greater than all that begin with this one.
fn successor(prefix: &str) -> Option<String> {
    let mut chars: Vec<char> = prefix.chars().collect();
    while let Some(last) = chars.pop() {
        let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
        if let Some(next) = next {
            chars.push(next);
            return Some(chars.into_iter().collect());
        }
    }
    None
}

fn query(
    scope: &AccessScope,
    store: &str,
    asked: &MemoryQuery,
    from: &ReadStart,
    rows: i64,
) -> SqlQuery {
    let column = match asked.content {
        true => {
            ", (SELECT v.content FROM memory_version v \
             WHERE v.store_id = m.store_id AND v.sequence = m.sequence)"
        }
        false => "",
    };
    let compared = match from.is_behind {
        true => ">",
        false => ">=",
    };
    let (seen, of_scope) = scope.condition(3);
    let mut values: Vec<SqlValue> = vec![store.into(), (&from.path).into()];
    values.extend(of_scope);
    let below = match successor(&asked.prefix) {
        Some(end) => {
            values.push(end.into());
            format!(" AND m.path < ${}", values.len())
        }
        None => String::new(),
    };
    // One table with an index in the order of the page, and lookups beside it: no database that knows little of a store
    // that was filled a moment ago begins at another one, and sorts all there is for a page.
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory m \
         WHERE m.store_id = $1 AND m.live AND m.path {compared} $2{below} \
         AND EXISTS (SELECT 1 FROM memory_store s WHERE s.id = $1 AND {seen}) \
         ORDER BY m.path LIMIT {rows}"
    );
    sql!(sql).bind_all(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_successor_is_behind_all_that_begin_so() {
        assert_eq!(successor("/a/").as_deref(), Some("/a0"));
        assert_eq!(successor("a\u{d7ff}").as_deref(), Some("a\u{e000}"));
        assert_eq!(successor("a\u{10ffff}").as_deref(), Some("b"));
        assert_eq!(successor(""), None);
        assert_eq!(successor("\u{10ffff}"), None);
    }
}
