//! Reads the part of a store that some changes can touch.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::Precondition;
use super::board::{Board, Placed};
use super::edit::{Act, Edit};
use super::rules::Rules;
use crate::storage::StorageError;
use crate::storage::load::{self, add_ranges};
use crate::storage::sealing::Seals;
use crate::storage::sql::{Query, Row, Transaction, Value, values};
use crate::storage::store_row::StoreRow;

/// Up to so many values a statement is prepared for good.
const PREPARED: usize = 4;

const BY_ID: &str = "SELECT m.id, m.path, m.live, m.version_id, m.sequence, m.content_sha256, \
    m.content_size, m.created_at, m.updated_at, m.path_folded";

/// The column of the content, where it is asked for.
const CONTENT: usize = 10;

/// Loads the memories that are named, those at the paths that are wanted, above and below.
pub(super) async fn board(
    within: &mut Transaction,
    store: &StoreRow,
    edits: &[&Edit],
) -> Result<Board, StorageError> {
    let rules = match store.handle {
        None => Rules::Plain,
        Some(_) => Rules::Team,
    };
    let (mut ranges, mut ids, mut with_content) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for edit in edits {
        if let Some(folded) = path(&edit.act).and_then(|path| rules.folded(path).ok()) {
            add_ranges(&mut ranges, &folded);
        }
        match &edit.act {
            Act::Update { id, change }
                if change.content.is_none()
                    || change.precondition == Some(Precondition::NotExists) =>
            {
                with_content.insert(id.as_str());
            }
            Act::Update { id, .. } | Act::Delete { id, .. } => {
                ids.insert(id.as_str());
            }
            Act::Create { .. } | Act::Upsert { .. } => {}
        }
    }
    ids.retain(|id| !with_content.contains(id));
    let mut placed = BTreeMap::new();
    let mut add = |one: Placed| {
        placed.entry(one.memory.id.clone()).or_insert(one);
    };
    // With content first: what comes after is not taken instead.
    for (ids, content) in [(with_content, true), (ids, false)] {
        if !ids.is_empty() {
            let rows = within.all(by_id(store, &ids, content)).await?;
            if content {
                within.meet_keys(&rows, CONTENT).await?;
            }
            let seals = content.then(|| within.seals());
            for row in &rows {
                add(of_row(store, row, seals)?);
            }
        }
    }
    let ranges: Vec<(String, String)> = ranges.into_iter().collect();
    for chunk in ranges.chunks(load::RANGES_MAX) {
        for row in within.all(load::query(store, chunk)).await? {
            if row.get::<bool>(2)? {
                add(of_row(store, &row, None)?);
            }
        }
    }
    Ok(Board::new(store, rules, placed.into_values()))
}

/// The path that a change wants.
fn path(act: &Act) -> Option<&str> {
    match act {
        Act::Create { path, .. } | Act::Upsert { path, .. } => Some(path),
        Act::Update { change, .. } => change.path.as_deref(),
        Act::Delete { .. } => None,
    }
}

fn by_id(store: &StoreRow, ids: &BTreeSet<&str>, content: bool) -> Query {
    let (column, join) = match content {
        true => (
            ", v.content",
            " JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence",
        ),
        false => ("", ""),
    };
    let sql = format!(
        "{BY_ID}{column} FROM memory m{join} WHERE m.store_id = $1 AND m.live AND m.id IN (VALUES {})",
        values(2, ids.len(), 1)
    );
    Query::built(sql, ids.len() <= PREPARED)
        .bind(store.id.clone())
        .bind_all(ids.iter().map(|id| Value::from(*id)))
}

fn of_row(store: &StoreRow, row: &Row, seals: Option<&Seals>) -> Result<Placed, StorageError> {
    let content = match seals {
        Some(seals) => seals.content(row, CONTENT, &store.id, row.text(3)?)?,
        None => None,
    };
    Ok(Placed {
        path: row.get(1)?,
        folded: row.get(9)?,
        memory: load::memory(row)?,
        content: content.map(Cow::into_owned),
    })
}
