//! Workspaces: what tokens and stores belong to. Also the key that the replicas of one database sign with.

use jiff::Timestamp;
use mem_core::Diagnose;
use mem_core::memory_path::printable;

use super::sql::{Engine, from_columns, sql};
use super::{Database, StorageError, id};

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

from_columns!(Workspace: id, name, created_at);

/// A workspace that is not there, or is there already.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum WorkspaceError {
    /// None has the name.
    #[error("there is no workspace `{}`", printable(.0))]
    #[diagnose(
        NotFound,
        hint = "`mem server workspace list` has the names, `mem server workspace create` makes one"
    )]
    Unknown(String),
    /// One has the name.
    #[error("there is a workspace `{}` already", printable(.0))]
    #[diagnose(
        Conflict,
        hint = "make a token for it with `mem server token create --workspace`"
    )]
    Taken(String),
    /// It has the records of every user of another one.
    #[error("`{}` is for records, which each user reaches with a token of their own workspace", printable(.0))]
    #[diagnose(
        Refused,
        hint = "a token with `--grant records:write` reads and writes the records of its own name"
    )]
    OfRecords(String),
    /// The database.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl Database {
    /// Makes a workspace. `None` where one has the name already.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn create_workspace(
        &self,
        name: &str,
        now: Timestamp,
    ) -> Result<Option<Workspace>, StorageError> {
        let (id, name) = (id::random(id::WORKSPACE)?, name.to_owned());
        let insert = "INSERT INTO workspace (id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING";
        let made = self.engine().run(sql!(insert; &id, &name, now)).await?;
        let created_at = now;
        Ok((made == 1).then_some(Workspace {
            id,
            name,
            created_at,
        }))
    }

    /// The id of the workspace of this name; where there is none it is made.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn workspace_named_or_new(
        &self,
        name: &str,
        now: Timestamp,
    ) -> Result<String, StorageError> {
        // Another replica may be faster.
        for _ in 0..2 {
            let mut all = self.workspaces().await?.into_iter();
            if let Some(found) = all.find(|workspace| workspace.name == name) {
                return Ok(found.id);
            }
            self.create_workspace(name, now).await?;
        }
        Err(StorageError::Corrupt(
            "a workspace that is neither there nor can be made",
        ))
    }

    /// Every workspace, by name.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn workspaces(&self) -> Result<Vec<Workspace>, StorageError> {
        let all = "SELECT id, name, created_at FROM workspace ORDER BY name";
        self.reading(|| self.engine().read_all(sql!(all))).await
    }

    /// The workspace of this name or id.
    ///
    /// # Errors
    /// There is none; the database.
    pub async fn find_workspace(&self, name: &str) -> Result<Workspace, WorkspaceError> {
        let mut all = self.workspaces().await?.into_iter();
        let found = all.find(|one| one.name == name || one.id == name);
        found.ok_or_else(|| WorkspaceError::Unknown(name.to_owned()))
    }

    /// What all replicas of this database sign with; made by whoever asks first. The same for as long as the database
    /// lives.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn signing_key(&self) -> Result<[u8; 32], StorageError> {
        if let Some(key) = stored_key(self.engine()).await? {
            return Ok(key);
        }
        let fresh = id::random_key()?;
        let insert =
            "INSERT INTO signing_key (id, secret) VALUES (1, $1) ON CONFLICT (id) DO NOTHING";
        self.engine().run(sql!(insert; fresh.to_vec())).await?;
        let key = stored_key(self.engine()).await?;
        key.ok_or(StorageError::Corrupt("no key to sign with"))
    }
}

async fn stored_key(engine: &Engine) -> Result<Option<[u8; 32]>, StorageError> {
    let query = sql!("SELECT secret FROM signing_key WHERE id = 1");
    engine.read_one(query).await
}
