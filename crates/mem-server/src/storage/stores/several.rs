//! Memories by their ids, of many stores and for many who may see the same, in one statement: it says also whether
//! there is such a store.

use std::sync::Arc;

use mem_vault::VaultError;

use super::memory_row::{COLUMNS, CONTENT, record};
use super::{MemoryRecord, Refusal, Scope, StoresError};
use crate::storage::StorageError;
use crate::storage::sealing::Seals;
use crate::storage::sql::{Engine, Query, Row, Value, keyed};
use crate::storage::together::LookUp;

/// Looks memories up.
#[derive(Clone, Debug)]
pub(in crate::storage) struct Memories(pub(in crate::storage) Engine);

/// What one statement has in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::storage) struct Seen {
    /// What may be seen.
    pub(in crate::storage) scope: Scope,
    /// Whether contents are wanted.
    pub(in crate::storage) content: bool,
}

/// A memory, by the ids of its store and its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::storage) struct Ids {
    pub(in crate::storage) store: String,
    pub(in crate::storage) memory: String,
}

impl LookUp for Memories {
    type Kind = Seen;
    type Key = Ids;
    type Found = Result<MemoryRecord, NotTold>;

    async fn look_up(&self, kind: &Seen, keys: &[Ids]) -> Result<Vec<Self::Found>, StorageError> {
        let (rows, seals) = self.rows(kind, keys).await?;
        let none = || Err(NotTold::Refused(Refusal::NoStore));
        let mut found: Vec<Self::Found> = keys.iter().map(|_| none()).collect();
        for row in rows {
            let place = row.count(PLACE)? as usize;
            let (Some(found), Some(ids)) = (found.get_mut(place), keys.get(place)) else {
                continue;
            };
            *found = match row.get::<Option<String>>(0)? {
                Some(_) => match record(&row, &ids.store, seals.as_ref()) {
                    // Whoever asks at the same time for something else is told that.
                    Err(error) if error.is_of_one_content() => Err(NotTold::Closed(error.into())),
                    told => Ok(told?),
                },
                None => Err(NotTold::Refused(Refusal::NoMemory)),
            };
        }
        Ok(found)
    }
}

impl Memories {
    async fn rows(
        &self,
        kind: &Seen,
        keys: &[Ids],
    ) -> Result<(Vec<Row>, Option<Seals>), StorageError> {
        let rows = self.0.all(query(kind, keys)).await?;
        if !kind.content {
            return Ok((rows, None));
        }
        match self.0.with_keys(&rows, CONTENT).await {
            // It ended meanwhile, or is gone and costs what it sealed.
            Err(StorageError::Vault(VaultError::LostKey(_))) => {
                let (rows, seals) = self.0.in_one_state(query(kind, keys), CONTENT).await?;
                Ok((rows, Some(seals)))
            }
            met => Ok((rows, Some(met?.clone()))),
        }
    }
}

/// Why one is not told.
#[derive(Clone, Debug)]
pub(in crate::storage) enum NotTold {
    Refused(Refusal),
    /// Its content cannot be opened.
    Closed(Arc<StorageError>),
}

impl From<NotTold> for StoresError {
    fn from(why: NotTold) -> Self {
        match why {
            NotTold::Refused(refusal) => refusal.into(),
            NotTold::Closed(error) => error.alike().into(),
        }
    }
}

/// The column that says which of the keys it is, behind the content.
const PLACE: usize = 8;

/// `CROSS JOIN` has SQLite begin with what is asked for.
fn query(kind: &Seen, keys: &[Ids]) -> Query {
    let (list, rows) = keyed(keys.len(), 2);
    let (seen, of_scope) = kind.scope.condition(2 * rows + 1);
    let (content, join) = match kind.content {
        true => (
            "v.content",
            " LEFT JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence",
        ),
        false => ("0", ""),
    };
    let sql = format!(
        "SELECT {COLUMNS}, {content}, r.column1 FROM (VALUES {list}) AS r CROSS JOIN memory_store s \
         LEFT JOIN memory m ON m.store_id = s.id AND m.id = r.column3 AND m.live{join} \
         WHERE s.id = r.column2 AND {seen}"
    );
    let ids = keys.iter();
    let values = ids.flat_map(|ids| [Value::from(ids.store.as_str()), ids.memory.as_str().into()]);
    let nothing = std::iter::repeat_n(Value::Text(None), 2 * (rows - keys.len()));
    let query = Query::built(sql, true).bind_all(values);
    query.bind_all(nothing).bind_all(of_scope)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::DEFAULT_WORKSPACE;

    #[test]
    fn few_statements_do_for_any_number_of_memories() {
        let kind = Seen {
            scope: Scope::everything(DEFAULT_WORKSPACE),
            content: true,
        };
        let ids = |count: usize| -> Vec<Ids> {
            let id = |number| Ids {
                store: format!("memstore_{number}"),
                memory: format!("mem_{number}"),
            };
            (0..count).map(id).collect()
        };
        let all = (1..=32).map(|count| query(&kind, &ids(count)));
        let texts: std::collections::BTreeSet<String> =
            all.map(|one| one.text().to_owned()).collect();
        assert_eq!(texts.len(), 6);
    }
}
