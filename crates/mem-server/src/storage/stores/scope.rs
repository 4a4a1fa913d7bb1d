//! What a caller may see, as a part of every statement: what is outside of it is never read.

use std::fmt::Write as _;

use crate::storage::sql::{SqlQuery, SqlValue, names, sql};
use crate::storage::store_row::StoreRow;
use crate::storage::{Grant, Verb};

/// The resources of team memory.
const TEAM: &str = "team:";
/// The resources of stores that people name freely.
const STORE: &str = "store:";

/// A workspace, and the stores of it that some grants cover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessScope {
    workspace: String,
    everything: bool,
    /// Every store that is not a repository's.
    every_plain: bool,
    /// Ids.
    stores: Vec<String>,
    /// Handles of repositories.
    repositories: Vec<String>,
    /// What handles of repositories begin with, `team:owner/`.
    owners: Vec<String>,
}

impl AccessScope {
    /// All of a workspace: of a server that asks for no tokens.
    pub fn everything(workspace: &str) -> Self {
        Self {
            everything: true,
            ..Self::nothing(workspace)
        }
    }

    /// What grants cover for a verb. `*`: everything; `store:*`: every store that is not a repository's;
    /// `store:memstore_...`: that one; `team:OWNER/REPO`, `team:OWNER/*`: repositories' own.
    pub fn from_grants(workspace: &str, grants: &[Grant], verb: Verb) -> Self {
        let mut scope = Self::nothing(workspace);
        for grant in grants.iter().filter(|grant| verb <= grant.verb) {
            let resource = grant.resource.as_str();
            if resource == "*" {
                scope.everything = true;
            } else if let Some(store) = resource.strip_prefix(STORE) {
                match store {
                    "*" => scope.every_plain = true,
                    id => scope.stores.push(id.to_owned()),
                }
            } else if resource.starts_with(TEAM) {
                match resource.strip_suffix('*') {
                    Some(owner) => scope.owners.push(owner.to_owned()),
                    None => scope.repositories.push(resource.to_owned()),
                }
            }
        }
        scope
    }

    /// The workspace.
    pub fn workspace(&self) -> &str {
        &self.workspace
    }

    /// Whether stores that are not there yet would be covered: who may make some.
    pub fn covers_new_stores(&self) -> bool {
        self.everything || self.every_plain
    }

    /// The same for deleting or archiving a whole store: what a grant for new stores covers. A grant for one
    /// store or repository is for what stands in it.
    #[must_use]
    pub fn for_whole_stores(self) -> Self {
        Self {
            stores: Vec::new(),
            repositories: Vec::new(),
            owners: Vec::new(),
            ..self
        }
    }

    fn nothing(workspace: &str) -> Self {
        Self {
            workspace: workspace.to_owned(),
            ..Self::default()
        }
    }

    /// Whether this store is in it: the same as [`Self::condition`], of a row that is there.
    pub(in crate::storage) fn covers(&self, store: &StoreRow) -> bool {
        let is_granted = match &store.handle {
            _ if self.everything || self.stores.contains(&store.id) => true,
            None => self.every_plain,
            Some(handle) => {
                self.repositories.contains(handle)
                    || self.owners.iter().any(|owner| handle.starts_with(owner))
            }
        };
        store.workspace == self.workspace && is_granted
    }

    /// Asks for columns of one store `s`; nothing where it is not in the scope.
    pub(crate) fn of_store(&self, store: &str, columns: &str, end: &str) -> SqlQuery {
        let (seen, values) = self.condition(2);
        let sql = format!("SELECT {columns} FROM memory_store s WHERE s.id = $1 AND {seen}{end}");
        sql!(sql; store).bind_all(values)
    }

    /// The condition on a store `s`, with values counted from `first`, and the values.
    pub(crate) fn condition(&self, first: usize) -> (String, Vec<SqlValue>) {
        let mut values: Vec<SqlValue> = vec![self.workspace.as_str().into()];
        let mut sql = format!("s.workspace_id = ${first}");
        if self.everything {
            return (sql, values);
        }
        let mut any = vec!["FALSE".to_owned()];
        if self.every_plain {
            any.push("s.handle IS NULL".to_owned());
        }
        for (column, list) in [("id", &self.stores), ("handle", &self.repositories)] {
            if !list.is_empty() {
                let names = names(first + values.len(), list.len());
                any.push(format!("s.{column} IN ({names})"));
                values.extend(list.iter().map(SqlValue::from));
            }
        }
        for owner in &self.owners {
            values.push(owner.into());
            let place = first + values.len() - 1;
            // No byte order of the database's is relied on.
            any.push(format!(
                "substr(s.handle, 1, {}) = ${place}",
                owner.chars().count()
            ));
        }
        let _ = write!(sql, " AND ({})", any.join(" OR "));
        (sql, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(grants: &[(&str, Verb)], verb: Verb) -> AccessScope {
        let grants: Vec<Grant> = grants
            .iter()
            .map(|(resource, verb)| Grant {
                resource: (*resource).to_owned(),
                verb: *verb,
            })
            .collect();
        AccessScope::from_grants("wrkspc_default", &grants, verb)
    }

    #[test]
    fn the_condition_counts_its_values() {
        let some = [
            ("store:memstore_a", Verb::Write),
            ("store:memstore_b", Verb::Read),
            ("team:acme/app", Verb::Write),
            ("team:acme/*", Verb::Write),
        ];
        let (sql, values) = scope(&some, Verb::Read).condition(3);
        assert_eq!(
            sql,
            "s.workspace_id = $3 AND (FALSE OR s.id IN ($4, $5) OR s.handle IN ($6) \
             OR substr(s.handle, 1, 10) = $7)"
        );
        assert_eq!(values.len(), 5);
        let (sql, values) = scope(&some, Verb::Write).condition(1);
        assert!(sql.contains("s.id IN ($2) OR"), "{sql}");
        assert_eq!(values.len(), 4);
    }

    #[test]
    fn nothing_granted_is_nothing_seen() {
        let (sql, _) = scope(&[("*", Verb::Read)], Verb::Write).condition(1);
        assert_eq!(sql, "s.workspace_id = $1 AND (FALSE)");
        assert!(scope(&[("store:*", Verb::Write)], Verb::Write).covers_new_stores());
        assert!(!scope(&[("store:memstore_a", Verb::Write)], Verb::Write).covers_new_stores());
    }
}
