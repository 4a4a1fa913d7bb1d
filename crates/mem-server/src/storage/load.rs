//! Reads the part of a store that some changes can touch.

use std::collections::{BTreeMap, BTreeSet};

use mem_sync::EntryKey;

use super::StorageError;
use super::group::WriteRequest;
use super::sealing::ContentCipher;
use super::sql::{SqlQuery, SqlRow, Transaction, from_columns, sql, values};
use super::store_row::StoreRow;
use super::stores::WriteCondition;
use super::stores::edit::{Act, MemoryEdit};
use super::working_set::{PathRow, WorkingSet};

/// Ranges of one statement; SQLite allows 32,766 values in one.
const RANGES_MAX: usize = 4000;
/// Up to so many ranges a statement is prepared for good.
const RANGES_PREPARED: usize = 16;
/// Up to so many ids a statement is prepared for good.
const IDS_PREPARED: usize = 4;

const COLUMNS: &str = "m.id, m.path, m.live, m.version_id, m.sequence, m.content_sha256, m.content_size, \
    m.created_at, m.updated_at, m.path_folded";
/// The column of the content, where it is asked for.
const CONTENT: usize = 10;

from_columns!(PathRow: id, path, live, version_id, sequence, sha256, size, created_at, updated_at, folded; content);

/// How a key is stored: as the path that the memory stores API says.
pub(super) fn path(key: &EntryKey) -> String {
    format!("/{key}")
}

/// The key of a stored path; `None` for one that the team protocol has no name for.
pub(super) fn key(path: &str) -> Option<EntryKey> {
    EntryKey::parse(path.strip_prefix('/')?).ok()
}

/// The folded form that twins share, as it is stored.
pub(super) fn folded(key: &EntryKey) -> String {
    format!("/{}", key.folded())
}

/// What requests can touch.
#[derive(Default)]
struct Touched<'r> {
    /// Of folded paths.
    ranges: BTreeSet<(String, String)>,
    ids: BTreeSet<&'r str>,
    /// Ids of memories whose content may be needed.
    with_content: BTreeSet<&'r str>,
}

impl<'r> Touched<'r> {
    fn from_store(store: &StoreRow, requests: &[&'r WriteRequest]) -> Self {
        let mut touched = Self::default();
        for request in requests {
            match request {
                WriteRequest::Put(put) => {
                    for key in put.body.entries.keys().chain(&put.body.delete) {
                        add_ranges(&mut touched.ranges, &folded(key));
                    }
                }
                WriteRequest::Edit(edit) => touched.add(store, edit),
            }
        }
        touched.ids = &touched.ids - &touched.with_content;
        touched
    }

    fn add(&mut self, store: &StoreRow, edit: &'r MemoryEdit) {
        let path = match &edit.act {
            Act::Create { path, .. } | Act::Upsert { path, .. } => Some(path),
            Act::Update { id, change } => {
                let needs_content = change.content.is_none()
                    || change.precondition == Some(WriteCondition::NotExists);
                match needs_content {
                    true => self.with_content.insert(id),
                    false => self.ids.insert(id),
                };
                change.path.as_ref()
            }
            Act::Delete { id, .. } => {
                self.ids.insert(id);
                None
            }
        };
        if let Some(folded) = path.and_then(|path| store.folded(path).ok()) {
            add_ranges(&mut self.ranges, &folded);
        }
    }
}

/// Loads the memories that are named, and what is at the paths that are wanted in any case, above and below them.
pub(super) async fn working_set(
    within: &mut Transaction,
    store: &StoreRow,
    requests: &[&WriteRequest],
) -> Result<WorkingSet, StorageError> {
    let touched = Touched::from_store(store, requests);
    let mut placed = BTreeMap::new();
    let mut add = |row: PathRow| {
        placed.entry(row.id.clone()).or_insert(row);
    };
    // With content first: what comes after is not taken instead.
    for (ids, content) in [(touched.with_content, true), (touched.ids, false)] {
        if !ids.is_empty() {
            let mut rows = within.all(by_id(store, &ids, content)).await?;
            if content {
                within.meet_keys(&rows, CONTENT).await?;
                let objects = &within.objects;
                objects.fetch_contents(&mut rows, CONTENT).await?;
            }
            let seals = content.then_some(&within.seals);
            for row in &rows {
                add(read(store, row, seals)?);
            }
        }
    }
    let ranges: Vec<(String, String)> = touched.ranges.into_iter().collect();
    for chunk in ranges.chunks(RANGES_MAX) {
        for row in within.all(in_ranges(store, chunk)).await? {
            add(read(store, &row, None)?);
        }
    }
    Ok(WorkingSet::new(store, placed.into_values()))
}

/// Half-open ranges of folded paths. No path contains control characters, so the first ends right after
/// the path itself; `0` follows `/`, so the second holds everything below.
fn add_ranges(ranges: &mut BTreeSet<(String, String)>, folded: &str) {
    let above = folded.match_indices('/').filter(|(at, _)| *at > 0);
    let above = above.map(|(at, _)| &folded[..at]);
    for path in above.chain([folded]) {
        ranges.insert((path.to_owned(), format!("{path}\u{1}")));
    }
    ranges.insert((format!("{folded}/"), format!("{folded}0")));
}

/// `CROSS JOIN` keeps SQLite from looking at every memory of the store first.
fn in_ranges(store: &StoreRow, ranges: &[(String, String)]) -> SqlQuery {
    let sql = format!(
        "SELECT {COLUMNS} FROM (VALUES {}) AS r CROSS JOIN memory m \
         WHERE m.store_id = ${} AND m.path_folded >= r.column1 AND m.path_folded < r.column2",
        values(1, ranges.len(), 2),
        2 * ranges.len() + 1
    );
    let texts = ranges.iter().flat_map(|(from, to)| [from, to]);
    let query = sql!(sql).bind_all(texts).bind(&store.id);
    query.prepared(ranges.len() <= RANGES_PREPARED)
}

fn by_id(store: &StoreRow, ids: &BTreeSet<&str>, content: bool) -> SqlQuery {
    let (column, join) = match content {
        true => (
            ", v.content",
            " JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence",
        ),
        false => ("", ""),
    };
    let sql = format!(
        "SELECT {COLUMNS}{column} FROM memory m{join} WHERE m.store_id = $1 AND m.live AND m.id IN (VALUES {})",
        values(2, ids.len(), 1)
    );
    let query = sql!(sql; &store.id).bind_all(ids.iter().copied());
    query.prepared(ids.len() <= IDS_PREPARED)
}

fn read(
    store: &StoreRow,
    row: &SqlRow,
    seals: Option<&ContentCipher>,
) -> Result<PathRow, StorageError> {
    let mut read: PathRow = row.get(0)?;
    if let Some(seals) = seals {
        read.content = seals.content(row, CONTENT, &store.id, &read.version_id)?;
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_its_folders_and_all_below_are_loaded() {
        let mut ranges = BTreeSet::new();
        add_ranges(&mut ranges, "/a/b.md");
        let covers = |path: &str| {
            ranges
                .iter()
                .any(|(from, to)| **from <= *path && *path < **to)
        };
        for path in ["/a", "/a/b.md", "/a/b.md/c", "/a/b.md/\u{10ffff}"] {
            assert!(covers(path), "{path}");
        }
        for path in ["/", "/a/b", "/a/b.md0", "/a/b.mdx", "/a/c", "/b"] {
            assert!(!covers(path), "{path}");
        }
    }
}
