//! The stores that a group of requests is about, locked by one statement.

use std::collections::BTreeMap;

use super::group::{Put, Request};
use super::sql::{Dialect, Query, Row, Transaction, Value};
use super::store_row::{COLUMNS, StoreRow, WORKSPACE};
use super::stores::Scope;
use super::{RepositoryName, StorageError};

/// Up to so many values the statement is prepared for good.
const PREPARED: usize = 4;

/// What requests are about. A request is named by its place in the group.
#[derive(Debug, Default)]
pub(super) struct Locked<'r> {
    /// Stores that are there.
    pub(super) stores: Vec<(StoreRow, Vec<usize>)>,
    /// Repositories that have none yet, by name.
    pub(super) missing: BTreeMap<&'r RepositoryName, Vec<usize>>,
    /// Those whose store is none of the caller's.
    pub(super) refused: Vec<usize>,
}

/// Locks them, in the order of their ids.
pub(super) async fn lock<'r>(
    within: &mut Transaction,
    dialect: Dialect,
    requests: &[&'r Request],
) -> Result<Locked<'r>, StorageError> {
    let rows = within.all(query(dialect, requests)).await?;
    let rows: Vec<StoreRow> = rows.iter().map(read).collect::<Result<_, _>>()?;
    let mut stores: Vec<(StoreRow, Vec<usize>)> =
        rows.into_iter().map(|row| (row, Vec::new())).collect();
    let mut locked = Locked::default();
    for (place, request) in requests.iter().enumerate() {
        let of_it = stores.iter_mut().find(|(store, _)| is_of(request, store));
        match (of_it, request) {
            (Some((_, places)), _) => places.push(place),
            (None, Request::Put(put)) => locked.missing.entry(&put.repo).or_default().push(place),
            (None, Request::Edit(_)) => locked.refused.push(place),
        }
    }
    locked.stores = stores;
    Ok(locked)
}

fn read(row: &Row) -> Result<StoreRow, StorageError> {
    StoreRow::read(row)
}

/// Whether a request is about this store, and may be: another request of the group may see more.
fn is_of(request: &Request, store: &StoreRow) -> bool {
    match request {
        Request::Put(Put { repo, .. }) => {
            store.workspace == WORKSPACE && store.repository().as_ref() == Some(repo)
        }
        Request::Edit(edit) => edit.store == store.id && edit.scope.covers(store),
    }
}

/// What each caller may see stands in the statement, once for all that may see the same.
fn query(dialect: Dialect, requests: &[&Request]) -> Query {
    let (mut handles, mut scopes): (Vec<String>, Vec<(&Scope, Vec<&str>)>) = Default::default();
    for request in requests {
        match request {
            Request::Put(put) => handles.push(put.repo.handle()),
            Request::Edit(edit) => match scopes.iter_mut().find(|(one, _)| **one == edit.scope) {
                Some((_, ids)) => ids.push(&edit.store),
                None => scopes.push((&edit.scope, vec![&edit.store])),
            },
        }
    }
    handles.sort();
    handles.dedup();
    let (mut any, mut values): (Vec<String>, Vec<Value>) = Default::default();
    if !handles.is_empty() {
        values.push(WORKSPACE.into());
        let names = names(&mut values, handles.into_iter().map(Value::from));
        any.push(format!("(s.workspace_id = $1 AND s.handle IN ({names}))"));
    }
    for (scope, mut ids) in scopes {
        ids.sort_unstable();
        ids.dedup();
        let ids = names(&mut values, ids.into_iter().map(Value::from));
        let (seen, of_scope) = scope.condition(values.len() + 1);
        values.extend(of_scope);
        any.push(format!("(s.id IN ({ids}) AND {seen})"));
    }
    let sql = format!(
        "SELECT {COLUMNS} FROM memory_store s WHERE {} ORDER BY s.id{}",
        any.join(" OR "),
        dialect.for_update()
    );
    let persistent = values.len() <= PREPARED;
    Query::built(sql, persistent).bind_all(values)
}

/// Adds values, and says their names.
fn names(values: &mut Vec<Value>, more: impl Iterator<Item = Value>) -> String {
    let names: Vec<String> = more
        .map(|value| {
            values.push(value);
            format!("${}", values.len())
        })
        .collect();
    names.join(", ")
}
