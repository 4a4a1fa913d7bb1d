//! Memories by their ids, of many stores and for many who may see the same, in one statement: it says also whether
//! there is such a store.

use super::memory_row::{COLUMNS, CONTENT, record};
use super::{MemoryRecord, Refusal, Scope};
use crate::storage::StorageError;
use crate::storage::sql::{Engine, Query, Value, keyed};
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
    type Found = Result<MemoryRecord, Refusal>;

    async fn look_up(&self, kind: &Seen, keys: &[Ids]) -> Result<Vec<Self::Found>, StorageError> {
        let rows = self.0.all(query(kind, keys)).await?;
        let seals = match kind.content {
            true => Some(self.0.with_keys(&rows, CONTENT).await?),
            false => None,
        };
        let mut found: Vec<Self::Found> = keys.iter().map(|_| Err(Refusal::NoStore)).collect();
        for row in rows {
            let place = row.count(PLACE)? as usize;
            let (Some(found), Some(ids)) = (found.get_mut(place), keys.get(place)) else {
                continue;
            };
            *found = match row.get::<Option<String>>(0)? {
                Some(_) => Ok(record(&row, &ids.store, seals)?),
                None => Err(Refusal::NoMemory),
            };
        }
        Ok(found)
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
