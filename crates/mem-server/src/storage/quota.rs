//! How much a workspace and a user have, compared with what they may have before a change is handed in.
//!
//! A total that every transaction keeps exact would be one row that all writers of a workspace wait for. So a total is
//! read now and then, and what was admitted since is added to it: as if every change added all that it says. Before
//! somebody is refused the total is read again. A limit can be passed by what all replicas admit within the time that a
//! total is used; what is deleted is never refused.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::group::WriteRequest;
use super::sql::{from_columns, sql};
use super::stores::edit::Act;
use super::{DEFAULT_WORKSPACE, Database, StorageError};
use crate::quota::{QuotaOwner, QuotaSettings};

/// How long a total is used that refuses nobody.
const FRESH: Duration = Duration::from_secs(10);
/// How long a total is used that refuses somebody.
const FRESH_TO_REFUSE: Duration = Duration::from_secs(1);
/// Totals that are remembered; beyond that all are forgotten.
const TOTALS_MAX: usize = 10_000;

/// What somebody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageTotal {
    /// Of the contents of memories that were not deleted.
    pub(crate) bytes: u64,
    /// Memories that were not deleted.
    pub(crate) memories: u64,
}

from_columns!(StorageTotal: bytes, memories);

/// The limits, and the totals that were read.
#[derive(Debug, Default)]
pub(super) struct StorageQuota {
    settings: QuotaSettings,
    totals: Mutex<HashMap<QuotaOwner, (Instant, StorageTotal)>>,
}

/// For whom a request counts, and what it adds at most; `None` where it adds nothing.
fn read_claim(request: &WriteRequest) -> Option<([QuotaOwner; 2], StorageTotal)> {
    let (workspace, actor, bytes, memories) = match request {
        WriteRequest::Put(put) => {
            let contents = put.body.entries.values();
            let bytes = contents.map(String::len).sum();
            (DEFAULT_WORKSPACE, &put.actor, bytes, put.body.entries.len())
        }
        WriteRequest::Edit(edit) => {
            let (bytes, memories) = match &edit.act {
                Act::Create { content, .. } | Act::Upsert { content, .. } => (content.len(), 1),
                Act::Update { change, .. } => (change.content.as_ref().map_or(0, String::len), 0),
                Act::Delete { .. } => (0, 0),
            };
            let workspace = edit.writing.scope.workspace();
            (workspace, &edit.writing.actor, bytes, memories)
        }
    };
    let owners = [
        QuotaOwner::Workspace(workspace.to_owned()),
        QuotaOwner::user(workspace, &actor.id),
    ];
    let added = StorageTotal {
        bytes: bytes as u64,
        memories: memories as u64,
    };
    (added != StorageTotal::default()).then_some((owners, added))
}

impl StorageQuota {
    /// With these limits.
    pub(super) fn new(settings: QuotaSettings) -> Self {
        Self {
            settings,
            totals: Mutex::default(),
        }
    }

    fn lock_totals(&self) -> MutexGuard<'_, HashMap<QuotaOwner, (Instant, StorageTotal)>> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fresh_total(&self, owner: &QuotaOwner, age_max: Duration) -> Option<StorageTotal> {
        let totals = self.lock_totals();
        let (read_at, total) = totals.get(owner)?;
        (read_at.elapsed() <= age_max).then_some(*total)
    }

    fn remember_total(&self, owner: &QuotaOwner, total: StorageTotal) {
        let mut totals = self.lock_totals();
        if totals.len() >= TOTALS_MAX {
            totals.clear();
        }
        totals.insert(owner.clone(), (Instant::now(), total));
    }

    /// Which limit somebody is at, with this total.
    fn reached_limit(&self, owner: &QuotaOwner, total: StorageTotal) -> Option<StorageError> {
        let limits = self.settings.limits(owner);
        let reached = [
            ("bytes", total.bytes, limits.bytes),
            ("memories", total.memories, limits.memories),
        ];
        reached.into_iter().find_map(|(measure, used, limit)| {
            let limit = limit.filter(|limit| used >= *limit)?;
            Some(StorageError::Quota {
                owner: owner.noun(),
                measure,
                used,
                limit,
            })
        })
    }
}

impl Database {
    /// Refuses a change of somebody who has all that they may have.
    ///
    /// # Errors
    /// [`StorageError::Quota`].
    pub(super) async fn require_room(&self, request: &WriteRequest) -> Result<(), StorageError> {
        let quota = &self.0.quota;
        let Some((owners, added)) = read_claim(request) else {
            return Ok(());
        };
        for owner in owners {
            let limits = quota.settings.limits(&owner);
            if limits.bytes.is_none() && limits.memories.is_none() {
                continue;
            }
            let mut total = match quota.fresh_total(&owner, FRESH) {
                Some(total) => total,
                None => self.storage_total(&owner).await?,
            };
            if quota.reached_limit(&owner, total).is_some()
                && quota.fresh_total(&owner, FRESH_TO_REFUSE).is_none()
            {
                total = self.storage_total(&owner).await?;
            }
            if let Some(refusal) = quota.reached_limit(&owner, total) {
                return Err(refusal);
            }
            if let Some((_, known)) = quota.lock_totals().get_mut(&owner) {
                known.bytes += added.bytes;
                known.memories += added.memories;
            }
        }
        Ok(())
    }

    /// The sections of limits whose workspace or user is not there (yet).
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn unknown_owners(
        &self,
        settings: &QuotaSettings,
    ) -> Result<Vec<String>, StorageError> {
        let known = "SELECT id FROM workspace UNION SELECT id FROM api_key UNION SELECT id FROM identity_user";
        let known: Vec<String> = self.engine().read_all(sql!(known)).await?;
        let workspaces = settings.workspaces.keys().map(|id| ("workspaces", id));
        let users = settings.users.keys().map(|id| ("users", id));
        let unknown = workspaces
            .chain(users)
            .filter(|(_, id)| !known.contains(id));
        Ok(unknown.map(|(of, id)| format!("quota.{of}.{id}")).collect())
    }

    /// What somebody has, as it was last read.
    pub(crate) fn known_total(&self, owner: &QuotaOwner) -> Option<StorageTotal> {
        self.0.quota.fresh_total(owner, FRESH)
    }

    /// What somebody has now. A user has the memories whose newest version is theirs.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn storage_total(
        &self,
        owner: &QuotaOwner,
    ) -> Result<StorageTotal, StorageError> {
        let (of_user, values) = match owner {
            QuotaOwner::Workspace(id) => ("", vec![id]),
            QuotaOwner::User { workspace, id } => (
                "JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence AND v.actor_id = $2",
                vec![workspace, id],
            ),
        };
        let sum = format!(
            "SELECT CAST(coalesce(sum(m.content_size), 0) AS BIGINT), count(*) FROM memory m \
             JOIN memory_store s ON s.id = m.store_id {of_user} WHERE s.workspace_id = $1 AND m.live"
        );
        let sum = || sql!(sum.clone()).bind_all(values.clone());
        let total = self.reading(|| self.engine().read_one(sum())).await?;
        let total = total.unwrap_or_default();
        self.0.quota.remember_total(owner, total);
        Ok(total)
    }
}
