//! Notes of what administrators did beside a server, for the audit log of one.

use jiff::Timestamp;

use super::sql::{from_columns, sql};
use super::{Database, StorageError, id};

/// For writing one down.
const LEASE_US: i64 = 30_000_000;
/// Notes of one look.
const AT_ONCE: i64 = 100;

/// What an administrator did.
#[derive(Clone, Debug)]
pub(crate) struct AdministrationNote {
    pub(crate) id: String,
    pub(crate) at: Timestamp,
    pub(crate) action: String,
    pub(crate) resource: String,
}

from_columns!(AdministrationNote: id, at, action, resource);

impl Database {
    /// Notes what an administrator did to what: `token.revoke` and the token's public id, for example.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn note_administration(
        &self,
        action: &str,
        resource: &str,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let insert = "INSERT INTO administration (id, at, action, resource, lease_ends_at) VALUES ($1, $2, $3, $4, 0)";
        let insert = sql!(insert; id::random(id::EVENT)?, now, action, resource);
        self.run_alone(insert).await.map(drop)
    }

    /// Takes the next notes, which no other replica takes meanwhile.
    pub(crate) async fn take_administration(
        &self,
    ) -> Result<Vec<AdministrationNote>, StorageError> {
        let now = self.engine().dialect().now_us();
        // Nothing is written where there is none.
        let waiting = format!("SELECT 1 FROM administration WHERE lease_ends_at < {now} LIMIT 1");
        if self.engine().one(sql!(waiting)).await?.is_none() {
            return Ok(Vec::new());
        }
        let take = format!(
            "UPDATE administration SET lease_ends_at = {now} + {LEASE_US} WHERE lease_ends_at < {now} AND id IN \
             (SELECT id FROM administration WHERE lease_ends_at < {now} ORDER BY at, id LIMIT $1) \
             RETURNING id, at, action, resource"
        );
        let take = sql!(take; AT_ONCE);
        let notes = self
            .engine()
            .transact(async |within| within.read_all(take).await);
        let mut notes: Vec<AdministrationNote> = notes.await?;
        notes.sort_by(|one, other| (one.at, &one.id).cmp(&(other.at, &other.id)));
        Ok(notes)
    }

    /// Removes one that was written down.
    pub(crate) async fn forget_administration(&self, id: &str) -> Result<(), StorageError> {
        let forget = sql!("DELETE FROM administration WHERE id = $1"; id);
        self.run_alone(forget).await.map(drop)
    }

    /// Removes those that no server wrote down for so long: none has an audit log.
    pub(crate) async fn prune_administration(&self, before: Timestamp) -> Result<(), StorageError> {
        let prune = sql!("DELETE FROM administration WHERE at < $1"; before);
        self.run_alone(prune).await.map(drop)
    }
}
