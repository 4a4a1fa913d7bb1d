//! Memories: one, and pages of them in the order of their paths' bytes.

use super::catalogue::require;
use super::{Listed, MemoryQuery, MemoryRecord, Page, Refusal, Scope, StoresError};
use crate::storage::sealing::Seals;
use crate::storage::sql::{Engine, Query, Row, Transaction, Value};
use crate::storage::{StorageError, time};

/// Of a memory `m`.
pub(super) const COLUMNS: &str =
    "m.id, m.path, m.content_sha256, m.content_size, m.version_id, m.created_at, m.updated_at";
/// The column of the content, where it is asked for.
pub(super) const CONTENT: usize = 7;
/// Rows that are read at once after a folder was left behind: what is in the next one may be many more.
const PROBE: i64 = 8;

/// How many there are.
pub(super) async fn count(engine: &Engine, scope: &Scope, store: &str) -> Result<u64, StoresError> {
    let (seen, values) = scope.condition(2);
    let sql = format!("SELECT s.live_memories FROM memory_store s WHERE s.id = $1 AND {seen}");
    let query = Query::built(sql, true).bind(store).bind_all(values);
    let rows = engine.all(query).await?;
    let row = rows.first().ok_or(Refusal::NoStore)?;
    Ok(row.count(0)?)
}

/// A page.
pub(super) async fn list(
    engine: &Engine,
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<Page<Listed, String>, StoresError> {
    let page = match asked.roll_up {
        false => plain(engine, scope, store, asked).await?,
        true => rolled_up(engine, scope, store, asked).await?,
    };
    if page.items.is_empty() {
        require(engine, scope, store).await?;
    }
    Ok(page)
}

async fn plain(
    engine: &Engine,
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<Page<Listed, String>, StoresError> {
    let from = From::of(asked);
    let rows = i64::from(asked.limit) + 1;
    let rows = engine.all(query(scope, store, asked, &from, rows)?).await?;
    let seals = match asked.content {
        true => Some(engine.with_keys(&rows, CONTENT).await?),
        false => None,
    };
    let items = rows.iter().take(asked.limit as usize);
    let items = items.map(|row| record(row, store, seals));
    let items = items.map(|one| one.map(|one| Listed::Memory(Box::new(one))));
    let items = items.collect::<Result<Vec<Listed>, StorageError>>()?;
    Ok(page(items, asked, rows.len()))
}

/// What is below a folder is not read: after a few rows of it, reading goes on behind it. All of it sees one state.
async fn rolled_up(
    engine: &Engine,
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<Page<Listed, String>, StoresError> {
    let base = match asked.prefix.as_str() {
        "" => "/",
        prefix => prefix,
    };
    let wanted = asked.limit as usize + 1;
    let (mut items, mut from) = (Vec::new(), From::of(asked));
    let mut rows_at_once = wanted as i64;
    let mut within = engine.snapshot().await?;
    while items.len() < wanted {
        let query = query(scope, store, asked, &from, rows_at_once)?;
        let rows = within.all(query).await?;
        let is_end = (rows.len() as i64) < rows_at_once;
        if asked.content {
            within.meet_keys(&rows, CONTENT).await?;
        }
        let seals = asked.content.then(|| engine.seals());
        let in_folder = roll_up(&rows, base, store, seals, &mut items, &mut from)?;
        if is_end {
            break;
        }
        rows_at_once = match in_folder {
            true => PROBE,
            false => (rows_at_once * 2).min(wanted as i64),
        };
    }
    end(within).await?;
    let found = items.len();
    items.truncate(asked.limit as usize);
    Ok(page(items, asked, found))
}

async fn end(within: Transaction) -> Result<(), StorageError> {
    Ok(within.commit().await?)
}

/// Adds items for rows, moves on behind them, and says whether the last one was within a folder.
fn roll_up(
    rows: &[Row],
    base: &str,
    store: &str,
    seals: Option<&Seals>,
    items: &mut Vec<Listed>,
    from: &mut From,
) -> Result<bool, StorageError> {
    let mut in_folder = false;
    for row in rows {
        let path: String = row.get(1)?;
        if from.is_before(&path) {
            continue;
        }
        let rest = path.get(base.len()..).unwrap_or_default();
        let folder = rest.find('/').and_then(|at| path.get(..=base.len() + at));
        in_folder = folder.is_some();
        match folder {
            Some(folder) => {
                items.push(Listed::Prefix(folder.to_owned()));
                *from = From::behind(folder);
            }
            None => {
                let one = record(row, store, seals)?;
                items.push(Listed::Memory(Box::new(one)));
                *from = From::behind(&path);
            }
        }
    }
    Ok(in_folder)
}

fn page(items: Vec<Listed>, asked: &MemoryQuery, found: usize) -> Page<Listed, String> {
    let has_more = found > asked.limit as usize;
    let next = items.last().filter(|_| has_more).map(|last| match last {
        Listed::Memory(memory) => memory.path.clone(),
        Listed::Prefix(folder) => folder.clone(),
    });
    Page { items, next }
}

/// Where reading goes on: at a path, or behind it.
#[derive(Clone, Debug)]
struct From {
    path: String,
    is_behind: bool,
}

impl From {
    fn of(asked: &MemoryQuery) -> Self {
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
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
    from: &From,
    rows: i64,
) -> Result<Query, StorageError> {
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
    let mut values: Vec<Value> = vec![store.into(), from.path.as_str().into()];
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
    Ok(Query::built(sql, true).bind_all(values))
}

/// A memory from the columns of a list, and its content from the one behind them.
pub(super) fn record(
    row: &Row,
    store: &str,
    seals: Option<&Seals>,
) -> Result<MemoryRecord, StorageError> {
    let content = match seals {
        Some(seals) => seals.content(row, CONTENT, store, &row.get::<String>(4)?)?,
        None => None,
    };
    Ok(MemoryRecord {
        id: row.get(0)?,
        store_id: store.to_owned(),
        path: row.get(1)?,
        content,
        content_sha256: row.sha256(2)?,
        content_size: row.count(3)?,
        version_id: row.get(4)?,
        created_at: time::from_stored(row.get(5)?)?,
        updated_at: time::from_stored(row.get(6)?)?,
    })
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
