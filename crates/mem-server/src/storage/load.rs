//! Reads the part of a store that some changes can touch, in one statement.

use std::collections::BTreeSet;

use mem_sync::Key;
use mem_sync::wire::PutBody;

use super::shelf::{Memory, Shelf};
use super::sql::{Query, Row, Transaction, values};
use super::store_row::StoreRow;
use super::{StorageError, time};

/// Ranges of one statement; SQLite allows 32,766 values in one.
pub(super) const RANGES_MAX: usize = 4000;
/// Up to so many ranges a statement is prepared for good.
const RANGES_PREPARED: usize = 16;

/// How a key is stored: as the path that the memory stores API says.
pub(super) fn path(key: &Key) -> String {
    format!("/{key}")
}

/// The key of a stored path; `None` for one that the team protocol cannot say.
pub(super) fn key(path: &str) -> Option<Key> {
    Key::parse(path.strip_prefix('/')?).ok()
}

/// The folded form that twins share, as it is stored.
pub(super) fn folded(key: &Key) -> String {
    format!("/{}", key.folded())
}

/// Loads all that the bodies can touch: their keys in any case, the folders above and all below.
pub(super) async fn shelf(
    within: &mut Transaction,
    store: &StoreRow,
    bodies: impl Iterator<Item = &PutBody>,
) -> Result<Shelf, StorageError> {
    let mut ranges = BTreeSet::new();
    for body in bodies {
        for key in body.entries.keys().chain(&body.delete) {
            add_ranges(&mut ranges, &folded(key));
        }
    }
    let ranges: Vec<(String, String)> = ranges.into_iter().collect();
    let mut memories = Vec::new();
    for chunk in ranges.chunks(RANGES_MAX) {
        for row in within.all(query(store, chunk)).await? {
            let path: String = row.get(1)?;
            if let Some(key) = key(&path) {
                memories.push((key, memory(&row)?));
            }
        }
    }
    Ok(Shelf::new(store.sequence, store.live, memories))
}

/// Half-open ranges of folded paths. No path contains control characters, so the first ends right after
/// the path itself; `0` follows `/`, so the second holds everything below.
pub(super) fn add_ranges(ranges: &mut BTreeSet<(String, String)>, folded: &str) {
    let above = folded.match_indices('/').filter(|(at, _)| *at > 0);
    let above = above.map(|(at, _)| &folded[..at]);
    for path in above.chain([folded]) {
        ranges.insert((path.to_owned(), format!("{path}\u{1}")));
    }
    ranges.insert((format!("{folded}/"), format!("{folded}0")));
}

/// `CROSS JOIN` keeps SQLite from looking at every memory of the store first.
pub(super) fn query(store: &StoreRow, ranges: &[(String, String)]) -> Query {
    let sql = format!(
        "SELECT m.id, m.path, m.live, m.version_id, m.sequence, m.content_sha256, m.content_size, \
         m.created_at, m.updated_at, m.path_folded FROM (VALUES {}) AS r CROSS JOIN memory m \
         WHERE m.store_id = ${} AND m.path_folded >= r.column1 AND m.path_folded < r.column2",
        values(1, ranges.len(), 2),
        2 * ranges.len() + 1
    );
    let texts = ranges
        .iter()
        .flat_map(|(from, to)| [from.clone().into(), to.clone().into()]);
    Query::built(sql, ranges.len() <= RANGES_PREPARED)
        .bind_all(texts)
        .bind(store.id.clone())
}

pub(super) fn memory(row: &Row) -> Result<Memory, StorageError> {
    let size = usize::try_from(row.count(6)?);
    Ok(Memory {
        id: row.get(0)?,
        live: row.get(2)?,
        version_id: row.get(3)?,
        sequence: row.count(4)?,
        sha256: row.sha256(5)?,
        size: size.map_err(|_| StorageError::Corrupt("a size that is none"))?,
        created_at: time::from_stored(row.get(7)?)?,
        updated_at: time::from_stored(row.get(8)?)?,
    })
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
