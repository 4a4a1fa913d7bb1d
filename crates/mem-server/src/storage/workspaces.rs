//! Workspaces: what tokens and stores belong to.

use jiff::Timestamp;

use super::sql::{Engine, SqlQuery};
use super::{StorageError, id, time};

/// A workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    /// `wrkspc_…`.
    pub id: String,
    /// For people; no two have the same.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Makes one; `None` where one has the name.
pub(super) async fn create(
    engine: &Engine,
    name: &str,
    now: Timestamp,
) -> Result<Option<Workspace>, StorageError> {
    let workspace = Workspace {
        id: id::workspace()?,
        name: name.to_owned(),
        created_at: now,
    };
    let insert = SqlQuery::new(
        "INSERT INTO workspace (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING",
    );
    let insert = insert.bind(workspace.id.as_str()).bind(name);
    let mut within = engine.begin().await?;
    let made = within.run(insert.bind(now.as_microsecond())).await?;
    within.commit().await?;
    Ok((made == 1).then_some(workspace))
}

/// All, by their names.
pub(super) async fn list(engine: &Engine) -> Result<Vec<Workspace>, StorageError> {
    let sql = "SELECT id, name, created_at FROM workspace ORDER BY name";
    let rows = engine.all(SqlQuery::new(sql)).await?;
    let read = |row: &super::sql::SqlRow| {
        Ok(Workspace {
            id: row.get(0)?,
            name: row.get(1)?,
            created_at: time::from_stored(row.get(2)?)?,
        })
    };
    rows.iter().map(read).collect()
}
