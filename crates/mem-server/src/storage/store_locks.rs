//! The stores that a group of requests is about, locked by one statement.

use std::collections::{BTreeMap, BTreeSet};

use super::group::{PutRequest, WriteRequest};
use super::sql::{SqlDialect, SqlQuery, SqlValue, Transaction, names, sql};
use super::store_row::{StoreRow, WORKSPACE, locked};
use super::{RepositoryName, StorageError};

/// Up to so many values the statement is prepared for good.
const PREPARED: usize = 4;

/// What requests are about. A request is named by its place in the group.
#[derive(Debug, Default)]
pub(super) struct LockedRows<'r> {
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
    requests: &[&'r WriteRequest],
) -> Result<LockedRows<'r>, StorageError> {
    let rows: Vec<StoreRow> = within.read_all(query(within.dialect(), requests)).await?;
    let mut stores: Vec<(StoreRow, Vec<usize>)> =
        rows.into_iter().map(|row| (row, Vec::new())).collect();
    let mut locked = LockedRows::default();
    for (place, request) in requests.iter().enumerate() {
        let of_it = stores.iter_mut().find(|(store, _)| is_of(request, store));
        match (of_it, request) {
            (Some((_, places)), _) => places.push(place),
            (None, WriteRequest::Put(put)) => {
                locked.missing.entry(&put.repo).or_default().push(place);
            }
            (None, WriteRequest::Edit(_)) => locked.refused.push(place),
        }
    }
    // One that none of its callers may change stays as it is.
    stores.retain(|(_, places)| !places.is_empty());
    locked.stores = stores;
    Ok(locked)
}

/// Whether a request is about this store, and may be: another request of the group may see more.
fn is_of(request: &WriteRequest, store: &StoreRow) -> bool {
    match request {
        WriteRequest::Put(PutRequest { repo, .. }) => {
            store.workspace == WORKSPACE && store.repository().as_ref() == Some(repo)
        }
        WriteRequest::Edit(edit) => {
            edit.writing.store == store.id && edit.writing.scope.covers(store)
        }
    }
}

/// The rows of stores. Whether a caller may change one is checked before anything of it is read.
fn query(dialect: SqlDialect, requests: &[&WriteRequest]) -> SqlQuery {
    let (mut handles, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for request in requests {
        match request {
            WriteRequest::Put(put) => drop(handles.insert(put.repo.handle())),
            WriteRequest::Edit(edit) => drop(ids.insert(edit.writing.store.as_str())),
        }
    }
    let mut any = Vec::new();
    let mut values: Vec<SqlValue> = Vec::new();
    if !handles.is_empty() {
        values.push(WORKSPACE.into());
        let names = names(2, handles.len());
        any.push(format!("(s.workspace_id = $1 AND s.handle IN ({names}))"));
        values.extend(handles.into_iter().map(SqlValue::from));
    }
    if !ids.is_empty() {
        any.push(format!("s.id IN ({})", names(values.len() + 1, ids.len())));
        values.extend(ids.into_iter().map(SqlValue::from));
    }
    let sql = locked(dialect, &format!("{} ORDER BY s.id", any.join(" OR ")));
    let persistent = values.len() <= PREPARED;
    sql!(sql).bind_all(values).prepared(persistent)
}
