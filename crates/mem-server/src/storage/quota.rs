//! How much a workspace and a user have, compared with what they may have before a change is handed in.
//!
//! A total that every transaction keeps exact would be one row that all writers of a workspace wait for. So a total is
//! read now and then, and what was admitted since is added to it: the difference between what a change brings and what
//! it replaces. Before somebody is refused the total is read again. A limit can be passed by what all replicas admit
//! within the time that a total is used; a change that adds nothing is never refused, and neither is a deletion.

use std::collections::HashMap;
use std::ops::AddAssign;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::group::WriteRequest;
use super::sql::{SqlQuery, from_columns, sql, values};
use super::stores::edit::Act;
use super::{DEFAULT_WORKSPACE, Database, StorageActor, StorageError, load};
use crate::locks::lock;
use crate::quota::{QuotaOwner, QuotaSettings};

/// How long a total is used that refuses nobody.
const FRESH: Duration = Duration::from_secs(10);
/// How long a total is used that refuses somebody, where nothing was admitted since it was read.
const FRESH_TO_REFUSE: Duration = Duration::from_secs(1);
/// Totals that are remembered; beyond that all are forgotten.
const TOTALS_MAX: usize = 10_000;
/// Memories of one statement; SQLite allows 32,766 values in one.
const NAMES_MAX: usize = 10_000;

/// What somebody has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StorageTotal {
    /// Of the contents of memories that were not deleted.
    pub(crate) bytes: u64,
    /// Memories that were not deleted.
    pub(crate) memories: u64,
}

from_columns!(StorageTotal: bytes, memories);

impl StorageTotal {
    fn new(bytes: usize, memories: usize) -> Self {
        Self {
            bytes: bytes as u64,
            memories: memories as u64,
        }
    }

    fn saturating_sub(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(other.bytes),
            memories: self.memories.saturating_sub(other.memories),
        }
    }
}

impl AddAssign for StorageTotal {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.memories += other.memories;
    }
}

/// A total as it was read, and what was admitted since.
#[derive(Clone, Copy, Debug)]
struct KnownTotal {
    read_at: Instant,
    total: StorageTotal,
    /// Whether nothing was admitted since it was read.
    is_exact: bool,
}

/// The limits, and the totals that were read.
#[derive(Debug, Default)]
pub(super) struct StorageQuota {
    settings: QuotaSettings,
    totals: Mutex<HashMap<QuotaOwner, KnownTotal>>,
}

/// What a request brings.
enum BroughtTotal {
    /// What it says itself.
    Known(StorageTotal),
    /// An update by id makes no memory. The one that is there counts for its last writer from then on, with these bytes
    /// or with those that it has.
    Update(Option<u64>),
}

/// For whom a request counts, what it brings, and which memories of which store it replaces or deletes.
struct WriteClaim {
    owners: [QuotaOwner; 2],
    brought: BroughtTotal,
    /// A column that names the store, and its value.
    store: (&'static str, String),
    /// A column that names its memories, and its values.
    memories: (&'static str, Vec<String>),
}

impl WriteClaim {
    fn from_request(request: &WriteRequest) -> Self {
        match request {
            WriteRequest::Put(put) => {
                let contents = put.body.entries.values();
                let bytes = contents.map(String::len).sum();
                let keys = put.body.entries.keys().chain(&put.body.delete);
                Self {
                    owners: owners(DEFAULT_WORKSPACE, &put.actor),
                    brought: BroughtTotal::Known(StorageTotal::new(bytes, put.body.entries.len())),
                    store: ("s.handle", put.repo.handle()),
                    memories: ("m.path", keys.map(load::path).collect()),
                }
            }
            WriteRequest::Edit(edit) => {
                let (brought, column, name) = match &edit.act {
                    Act::Create { path, content } | Act::Upsert { path, content, .. } => {
                        let brought = StorageTotal::new(content.len(), 1);
                        (BroughtTotal::Known(brought), "m.path", path)
                    }
                    Act::Update { id, change } => {
                        let bytes = change.content.as_ref().map(|text| text.len() as u64);
                        (BroughtTotal::Update(bytes), "m.id", id)
                    }
                    Act::Delete { id, .. } => {
                        (BroughtTotal::Known(StorageTotal::default()), "m.id", id)
                    }
                };
                Self {
                    owners: owners(edit.writing.scope.workspace(), &edit.writing.actor),
                    brought,
                    store: ("s.id", edit.writing.store.clone()),
                    memories: (column, vec![name.clone()]),
                }
            }
        }
    }
}

fn owners(workspace: &str, actor: &StorageActor) -> [QuotaOwner; 2] {
    [
        QuotaOwner::Workspace(workspace.to_owned()),
        QuotaOwner::user(workspace, &actor.id),
    ]
}

/// Sums what somebody has: of everything, or of some memories of the store of a claim. A user has the memories whose
/// newest version is theirs.
fn sum_query(owner: &QuotaOwner, some: Option<(&WriteClaim, &[String])>) -> SqlQuery {
    let (of_user, mut bound) = match owner {
        QuotaOwner::Workspace(id) => ("", vec![id.clone()]),
        QuotaOwner::User { workspace, id } => (
            "JOIN memory_version v ON v.store_id = m.store_id AND v.sequence = m.sequence AND v.actor_id = $1",
            vec![id.clone(), workspace.clone()],
        ),
    };
    let of_workspace = format!("s.workspace_id = ${}", bound.len());
    let mut of_some = String::new();
    if let Some((claim, names)) = some {
        let ((store_column, store), (column, _)) = (&claim.store, &claim.memories);
        let at = bound.len() + 1;
        let list = values(at + 1, names.len(), 1);
        of_some = format!(" AND {store_column} = ${at} AND {column} IN (VALUES {list})");
        bound.push(store.clone());
        bound.extend_from_slice(names);
    }
    let sum = format!(
        "SELECT CAST(coalesce(sum(m.content_size), 0) AS BIGINT), count(*) FROM memory m \
         JOIN memory_store s ON s.id = m.store_id {of_user} WHERE {of_workspace} AND m.live{of_some}"
    );
    // Unprepared: the text has each value once, in the order of the list.
    sql!(sum).bind_all(bound).prepared(some.is_none())
}

impl StorageQuota {
    /// With these limits.
    pub(super) fn new(settings: QuotaSettings) -> Self {
        Self {
            settings,
            totals: Mutex::default(),
        }
    }

    fn fresh_total(&self, owner: &QuotaOwner) -> Option<StorageTotal> {
        let totals = lock(&self.totals);
        let known = totals.get(owner)?;
        (known.read_at.elapsed() <= FRESH).then_some(known.total)
    }

    fn may_refuse(&self, owner: &QuotaOwner) -> bool {
        let totals = lock(&self.totals);
        let is_current =
            |known: &KnownTotal| known.is_exact && known.read_at.elapsed() <= FRESH_TO_REFUSE;
        totals.get(owner).is_some_and(is_current)
    }

    fn remember_total(&self, owner: &QuotaOwner, total: StorageTotal) {
        let mut totals = lock(&self.totals);
        if totals.len() >= TOTALS_MAX {
            totals.clear();
        }
        let known = KnownTotal {
            read_at: Instant::now(),
            total,
            is_exact: true,
        };
        totals.insert(owner.clone(), known);
    }

    /// Adds what a change adds that is let through. It may take something away too, or fail.
    fn admit(&self, owner: &QuotaOwner, added: StorageTotal) {
        if let Some(known) = lock(&self.totals).get_mut(owner) {
            known.total += added;
            known.is_exact = false;
        }
    }

    /// Which limit somebody is at with this total that a change would add to.
    fn reached_limit(
        &self,
        owner: &QuotaOwner,
        total: StorageTotal,
        added: StorageTotal,
    ) -> Option<StorageError> {
        let limits = self.settings.limits(owner);
        let reached = [
            ("bytes", total.bytes, added.bytes, limits.bytes),
            ("memories", total.memories, added.memories, limits.memories),
        ];
        reached
            .into_iter()
            .find_map(|(measure, used, added, limit)| {
                let limit = limit.filter(|limit| added > 0 && used >= *limit)?;
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
    /// Refuses a change that would add to what somebody has who has all that they may have.
    ///
    /// # Errors
    /// [`StorageError::Quota`].
    pub(super) async fn require_room(&self, request: &WriteRequest) -> Result<(), StorageError> {
        let quota = &self.0.quota;
        let claim = WriteClaim::from_request(request);
        for owner in &claim.owners {
            let limits = quota.settings.limits(owner);
            if limits.bytes.is_none() && limits.memories.is_none() {
                continue;
            }
            let brought = self.brought_total(&claim).await?;
            if brought == StorageTotal::default() {
                quota.admit(owner, brought);
                continue;
            }
            let mut total = match quota.fresh_total(owner) {
                Some(total) => total,
                None => self.storage_total(owner).await?,
            };
            let replaced = self.replaced_total(owner, &claim).await?;
            let added = brought.saturating_sub(replaced);
            if quota.reached_limit(owner, total, added).is_some() && !quota.may_refuse(owner) {
                total = self.storage_total(owner).await?;
            }
            if let Some(refusal) = quota.reached_limit(owner, total, added) {
                return Err(refusal);
            }
            quota.admit(owner, added);
        }
        Ok(())
    }

    /// What a change brings. Of an update the workspace has what is there already.
    async fn brought_total(&self, claim: &WriteClaim) -> Result<StorageTotal, StorageError> {
        let bytes = match claim.brought {
            BroughtTotal::Known(brought) => return Ok(brought),
            BroughtTotal::Update(bytes) => bytes,
        };
        let [workspace, _] = &claim.owners;
        let there = self.replaced_total(workspace, claim).await?;
        let is_there = there.memories > 0;
        Ok(StorageTotal {
            bytes: bytes.filter(|_| is_there).unwrap_or(there.bytes),
            memories: there.memories,
        })
    }

    /// What somebody has of the memories that a change replaces or deletes.
    async fn replaced_total(
        &self,
        owner: &QuotaOwner,
        claim: &WriteClaim,
    ) -> Result<StorageTotal, StorageError> {
        let mut replaced = StorageTotal::default();
        let (_, names) = &claim.memories;
        for some in names.chunks(NAMES_MAX) {
            let sum = || sum_query(owner, Some((claim, some)));
            let found: Option<StorageTotal> =
                self.reading(|| self.engine().read_one(sum())).await?;
            replaced += found.unwrap_or_default();
        }
        Ok(replaced)
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
        self.0.quota.fresh_total(owner)
    }

    /// What somebody has now.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub(crate) async fn storage_total(
        &self,
        owner: &QuotaOwner,
    ) -> Result<StorageTotal, StorageError> {
        let sum = || sum_query(owner, None);
        let total: Option<StorageTotal> = self.reading(|| self.engine().read_one(sum())).await?;
        let total = total.unwrap_or_default();
        self.0.quota.remember_total(owner, total);
        Ok(total)
    }
}
