//! Memories: one, and pages of them in the order of their paths' bytes.

use super::catalogue::require;
use super::memory_page::Item;
use super::memory_row::{COLUMNS, CONTENT, PATH};
use super::{MemoryPage, MemoryQuery, Refusal, Scope, StoresError};
use crate::storage::StorageError;
use crate::storage::sql::{Engine, Query, Row, Transaction, Value};

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
) -> Result<MemoryPage, StoresError> {
    let page = match asked.roll_up {
        false => plain(engine, scope, store, asked).await?,
        true => rolled_up(engine, scope, store, asked).await?,
    };
    if page.is_empty() {
        require(engine, scope, store).await?;
    }
    Ok(page)
}

async fn plain(
    engine: &Engine,
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<MemoryPage, StoresError> {
    let from = From::of(asked);
    let rows = i64::from(asked.limit) + 1;
    let query = query(scope, store, asked, &from, rows)?;
    let (rows, seals) = match (asked.content, asked.as_far_as_open) {
        (true, true) => {
            let (rows, seals) = engine.in_one_state(query, CONTENT).await?;
            (rows, Some(seals))
        }
        (true, false) => {
            let rows = engine.all(query).await?;
            let seals = engine.with_keys(&rows, CONTENT).await?.clone();
            (rows, Some(seals))
        }
        (false, _) => (engine.all(query).await?, None),
    };
    let items = rows.into_iter().map(Item::Memory).collect();
    Ok(MemoryPage::of(items, store, asked, seals)?)
}

/// What is below a folder is not read: after a few rows of it, reading goes on behind it. All of it sees one state.
async fn rolled_up(
    engine: &Engine,
    scope: &Scope,
    store: &str,
    asked: &MemoryQuery,
) -> Result<MemoryPage, StoresError> {
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
        let in_folder = roll_up(rows, base, &mut items, &mut from)?;
        if is_end {
            break;
        }
        rows_at_once = match in_folder {
            true => PROBE,
            false => (rows_at_once * 2).min(wanted as i64),
        };
    }
    end(within).await?;
    let seals = asked.content.then(|| engine.seals().clone());
    Ok(MemoryPage::of(items, store, asked, seals)?)
}

async fn end(within: Transaction) -> Result<(), StorageError> {
    Ok(within.commit().await?)
}

/// Adds items for rows, moves on behind them, and says whether the last one was within a folder.
fn roll_up(
    rows: Vec<Row>,
    base: &str,
    items: &mut Vec<Item>,
    from: &mut From,
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
        *from = From::behind(folder.unwrap_or(path));
        let folder = folder.map(|folder| Item::Folder(folder.to_owned()));
        items.push(folder.unwrap_or(Item::Memory(row)));
    }
    Ok(in_folder)
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
