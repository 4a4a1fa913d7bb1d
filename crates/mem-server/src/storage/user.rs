//! The end of everything that one user of a workspace wrote: their records, the stores that are theirs alone, and
//! what they wrote where others write too.
//!
//! A user is a name in a workspace, as for records: the name of tokens, or what somebody called themselves at a
//! server without tokens; where a token has no name, its id. What others wrote stays: a memory that they wrote too
//! goes back to what they wrote last.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::erase::end_store;
use super::sql::{SqlQuery, from_columns, sql};
use super::stores::{AccessScope, MemoryChange, StoresError, Writing};
use super::{ActorKind, Database, Doomed, StorageActor, StorageError, id};

/// Who is said to have written what an erased user wrote, and what an erasure did.
const ERASED: &str = "erased";
/// Versions that are read at once.
const AT_ONCE: i64 = 200;

/// The name of the workspace that has the records of another workspace's users. No token is made for it.
pub(crate) fn records_workspace(workspace: &str) -> String {
    format!("records of {workspace}")
}

/// Whether a name is one that the workspaces of records have, and nobody else's can.
#[must_use]
pub fn is_of_records(workspace: &str) -> bool {
    workspace.starts_with(&records_workspace(id::WORKSPACE))
}

/// The name of the store that has a user's records. It is shown nowhere; a hash has neither length nor characters
/// to be held to.
pub(crate) fn records_store(user: &str) -> String {
    Sha256::digest(user.as_bytes()).to_string()
}

/// What a user has, as an administrator sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DoomedUser {
    /// The workspace, by its id.
    pub workspace: String,
    /// Who.
    pub name: String,
    /// The stores of their records, with the numbers of these alone.
    pub records: Vec<Doomed>,
    /// What the audit trail says of records that went.
    pub trail: u64,
    /// Stores that people named, to which nobody else ever wrote.
    pub alone: Vec<Doomed>,
    /// Memories elsewhere that they wrote last.
    pub written: Vec<WrittenLast>,
    /// Versions elsewhere that they wrote.
    pub versions: u64,
    /// Their tokens.
    pub tokens: u64,
}

/// A memory that a user wrote last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenLast {
    store: String,
    memory: String,
    path: String,
    version: String,
    /// The newest version of somebody else that has a content.
    before: Option<String>,
}

from_columns!(WrittenLast: store, memory, path, version, before);

/// What a repository's store says of a memory that was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTombstone {
    /// The store, as `team:owner/repo`.
    pub store: String,
    /// Where the memory was.
    pub path: String,
    /// The checksum of what was deleted.
    pub sha256: Sha256,
    /// Whether the database has this checksum in other rows, too: of a memory that is there, of a version, or of
    /// another workspace.
    pub has_copies: bool,
}

from_columns!(StoredTombstone: store, path, sha256, has_copies);

impl DoomedUser {
    /// Whether nothing is kept for them.
    pub fn is_nothing(&self) -> bool {
        self.records.is_empty()
            && self.alone.is_empty()
            && self.written.is_empty()
            && self.versions == 0
            && self.tokens == 0
    }

    /// Memories that they wrote last and nobody before them: these go.
    pub fn going(&self) -> usize {
        self.written.len() - self.going_back()
    }

    /// Memories that go back to what somebody else wrote.
    pub fn going_back(&self) -> usize {
        let back = self.written.iter().filter(|one| one.before.is_some());
        back.count()
    }
}

impl Database {
    /// What a user has in a workspace.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn doomed_user(
        &self,
        workspace: &str,
        name: &str,
    ) -> Result<DoomedUser, StorageError> {
        let engine = self.engine();
        // Beside them are the trail, and when they were used; a version without a path was a record's.
        let records = "SELECT s.id, s.name, \
            (SELECT count(*) FROM memory m WHERE m.store_id = s.id AND m.path LIKE '/records/%'), \
            (SELECT count(*) FROM memory_version v WHERE v.store_id = s.id \
            AND coalesce(v.path, '/records/') LIKE '/records/%'), \
            (SELECT count(*) FROM memory m WHERE m.store_id = s.id AND m.path LIKE '/audit/%') \
            FROM memory_store s JOIN workspace w ON w.id = s.workspace_id \
            WHERE w.name = $1 AND s.name = $2 ORDER BY s.id";
        let records = sql!(records; records_workspace(workspace), records_store(name));
        let records: Vec<(Doomed, u64)> = engine.read_all(records).await?;
        let alone = "SELECT s.id, s.name, (SELECT count(*) FROM memory m WHERE m.store_id = s.id), \
            (SELECT count(*) FROM memory_version v WHERE v.store_id = s.id) \
            FROM memory_store s WHERE s.workspace_id = $1 AND s.handle IS NULL \
            AND EXISTS (SELECT 1 FROM memory_version v WHERE v.store_id = s.id) \
            AND NOT EXISTS (SELECT 1 FROM memory_version v WHERE v.store_id = s.id \
            AND v.actor_name <> $2 AND v.actor_id <> $2) ORDER BY s.id";
        let mut doomed = DoomedUser {
            workspace: workspace.to_owned(),
            name: name.to_owned(),
            trail: records.iter().map(|(_, trail)| trail).sum(),
            records: records.into_iter().map(|(store, _)| store).collect(),
            alone: engine.read_all(sql!(alone; workspace, name)).await?,
            ..DoomedUser::default()
        };
        doomed.written = self.written_last(&doomed).await?;
        let theirs = doomed.alone.iter().map(|one| one.versions).sum();
        let versions = "SELECT count(*) FROM memory_version v JOIN memory_store s ON s.id = v.store_id \
                        WHERE s.workspace_id = $1 AND (v.actor_name = $2 OR v.actor_id = $2)";
        doomed.versions = self
            .count(of(&doomed, versions))
            .await?
            .saturating_sub(theirs);
        let tokens =
            "SELECT count(*) FROM api_key WHERE workspace_id = $1 AND (name = $2 OR id = $2)";
        doomed.tokens = self.count(of(&doomed, tokens)).await?;
        Ok(doomed)
    }

    /// Shows the ids of the memories and versions in the stores that go, and every content that the user wrote.
    /// What cannot be opened is passed over.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn show_user(
        &self,
        user: &DoomedUser,
        mut show_id: impl FnMut(&str),
        mut show_content: impl FnMut(&str),
    ) -> Result<(), StorageError> {
        for store in user.records.iter().chain(&user.alone) {
            show_id(&store.id);
            let shown = |version: &str, memory: &str, content: Option<&str>| {
                show_id(version);
                show_id(memory);
                content.into_iter().for_each(&mut show_content);
            };
            self.show_all(&store.id, shown).await?;
        }
        let (mut store, mut sequence) = (String::new(), 0_i64);
        loop {
            let some = "SELECT v.store_id, v.sequence, v.id, v.content FROM memory_version v \
                        JOIN memory_store s ON s.id = v.store_id \
                        WHERE s.workspace_id = $1 AND (v.actor_name = $2 OR v.actor_id = $2) \
                        AND (v.store_id > $3 OR (v.store_id = $3 AND v.sequence > $4)) \
                        ORDER BY v.store_id, v.sequence LIMIT $5";
            let some = of(user, some).bind(&store).bind(sequence).bind(AT_ONCE);
            let mut rows = self.engine().all(some).await?;
            let seals = self.engine().with_keys(&mut rows, 3).await.ok();
            for row in &rows {
                (store, sequence) = row.get(0)?;
                let id = row.text(2)?;
                let text = seals.and_then(|seals| seals.content(row, 3, &store, id).ok());
                text.flatten()
                    .as_deref()
                    .into_iter()
                    .for_each(&mut show_content);
            }
            if (rows.len() as i64) < AT_ONCE {
                return Ok(());
            }
        }
    }

    /// Erases it all. Stores that go take their keys with them.
    ///
    /// # Errors
    /// See [`StorageError`]; what was erased before stays so, and it is to be done again.
    pub async fn erase_user(&self, user: &DoomedUser, now: Timestamp) -> Result<(), StorageError> {
        self.may_write()?;
        // Before anything changes: what others wrote may have to come back from there.
        self.engine().objects.check(self.engine()).await?;
        let mut within = self.engine().begin().await?;
        // Nobody writes as them any more.
        let tokens = "DELETE FROM api_key WHERE workspace_id = $1 AND (name = $2 OR id = $2)";
        within.run(of(user, tokens)).await?;
        // Somebody may sign in to several workspaces: they are forgotten with their last token.
        let person = "DELETE FROM identity_user WHERE user_name = $2 AND NOT EXISTS \
                      (SELECT 1 FROM api_key k WHERE k.user_id = identity_user.id AND k.workspace_id <> $1)";
        within.run(of(user, person)).await?;
        for store in user.records.iter().chain(&user.alone) {
            end_store(&mut within, &store.id).await?;
        }
        within.commit().await?;
        for store in user.records.iter().chain(&user.alone) {
            self.engine().objects.delete_store(&store.id).await?;
        }
        for one in &user.written {
            self.give_up(user, one, now).await?;
        }
        let mut within = self.engine().begin().await?;
        within.run(of(user, MEMORIES_GONE).bind(ERASED)).await?;
        within.run(of(user, BLANKED).bind(ERASED).bind(now)).await?;
        let released = sql!(OBJECTS_RELEASED; &user.workspace, ERASED);
        within.run(released).await?;
        within.run(of(user, REDACTOR).bind(ERASED)).await?;
        within.run(of(user, TOLD).bind(ERASED)).await?;
        within.commit().await?;
        self.end_erasure().await
    }

    /// The memories that a user wrote last, in stores that others write to.
    async fn written_last(&self, user: &DoomedUser) -> Result<Vec<WrittenLast>, StorageError> {
        let sql = "SELECT m.store_id, m.id, m.path, m.version_id, (SELECT o.id FROM memory_version o \
                   WHERE o.store_id = m.store_id AND o.memory_id = m.id AND o.content IS NOT NULL \
                   AND o.actor_name <> $2 AND o.actor_id <> $2 ORDER BY o.sequence DESC LIMIT 1) \
                   FROM memory m JOIN memory_store s ON s.id = m.store_id \
                   JOIN memory_version v ON v.store_id = m.store_id AND v.id = m.version_id \
                   WHERE s.workspace_id = $1 AND m.live AND (v.actor_name = $2 OR v.actor_id = $2) \
                   ORDER BY m.id";
        let mut written: Vec<WrittenLast> = self.engine().read_all(of(user, sql)).await?;
        written.retain(|one| user.alone.iter().all(|alone| alone.id != one.store));
        Ok(written)
    }

    /// A memory goes back to what somebody else wrote, or goes.
    async fn give_up(
        &self,
        user: &DoomedUser,
        one: &WrittenLast,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let scope = AccessScope::everything(&user.workspace);
        let actor = StorageActor::new(ActorKind::User, ERASED, "");
        // An archived store keeps what somebody else wrote, too.
        let writing = || Writing {
            is_past_archive: true,
            ..Writing::new(&scope, &one.store, &actor, now)
        };
        let before = match &one.before {
            Some(before) => match self.version(&scope, &one.store, before, true).await {
                Ok(version) => Some(version),
                // What cannot be opened cannot come back. What cannot be reached now can, the next time.
                Err(StoresError::Storage(error)) if !error.is_of_one_content() => {
                    return Err(error);
                }
                Err(_) => None,
            },
            None => None,
        };
        let content = before.and_then(|version| version.content);
        if content.is_some() {
            let change = MemoryChange {
                content: content.clone(),
                ..MemoryChange::default()
            };
            let after = self.update_memory(writing(), &one.memory, change).await;
            if allowed(after)?.is_some_and(|after| after.version_id != one.version) {
                return Ok(());
            }
        }
        allowed(self.delete_memory(writing(), &one.memory, None).await)?;
        // Both wrote the very same: it stands again, and not as theirs.
        if let Some(content) = content {
            let path = one.path.clone();
            allowed(self.create_memory(writing(), path, content).await)?;
        }
        Ok(())
    }

    /// The tombstones in the repositories' stores of a workspace.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn tombstones(&self, workspace: &str) -> Result<Vec<StoredTombstone>, StorageError> {
        let sql = "SELECT s.handle, m.path, m.content_sha256, \
            (m.content_sha256 IN (SELECT v.content_sha256 FROM memory_version v WHERE v.content_sha256 IS NOT NULL) \
            OR m.content_sha256 IN (SELECT o.content_sha256 FROM memory o JOIN memory_store t ON t.id = o.store_id \
            WHERE o.live OR t.workspace_id <> $1 OR t.handle IS NULL)) \
            FROM memory m JOIN memory_store s ON s.id = m.store_id \
            WHERE s.workspace_id = $1 AND s.handle IS NOT NULL AND NOT m.live ORDER BY s.handle, m.path";
        self.engine().read_all(sql!(sql; workspace)).await
    }

    /// The ids of the stores of a workspace whose name, description or metadata has this user's name as a word.
    ///
    /// # Errors
    /// See [`StorageError`].
    pub async fn stores_naming(
        &self,
        workspace: &str,
        user: &str,
    ) -> Result<Vec<String>, StorageError> {
        let sql = "SELECT id, name, description, metadata FROM memory_store WHERE workspace_id = $1 ORDER BY id";
        let mut naming = Vec::new();
        for row in self.engine().all(sql!(sql; workspace)).await? {
            let said: [String; 3] = [row.get(1)?, row.get(2)?, row.get(3)?];
            if said.iter().any(|text| has_word(text, user)) {
                naming.push(row.get(0)?);
            }
        }
        Ok(naming)
    }

    async fn count(&self, query: SqlQuery) -> Result<u64, StorageError> {
        Ok(self.engine().read_one(query).await?.unwrap_or_default())
    }
}

/// `None` for what the store refuses: it is gone already.
fn allowed<T>(done: Result<T, StoresError>) -> Result<Option<T>, StorageError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(StoresError::Refused(_)) => Ok(None),
        Err(StoresError::Storage(error)) => Err(error),
    }
}

/// A statement with the workspace as `$1` and the name as `$2`.
fn of(user: &DoomedUser, sql: &'static str) -> SqlQuery {
    sql!(sql; &user.workspace, &user.name)
}

/// Every version of memories that are gone and that nobody else wrote. A repository's log stays whole: colleagues
/// have to be told what is not there any more.
const MEMORIES_GONE: &str = "DELETE FROM memory_version WHERE store_id IN \
    (SELECT id FROM memory_store WHERE workspace_id = $1 AND handle IS NULL) \
    AND memory_id IN (SELECT t.memory_id FROM memory_version t \
    WHERE t.actor_name = $2 OR t.actor_id = $2) \
    AND NOT EXISTS (SELECT 1 FROM memory m \
    WHERE m.store_id = memory_version.store_id AND m.id = memory_version.memory_id) \
    AND NOT EXISTS (SELECT 1 FROM memory_version o \
    WHERE o.store_id = memory_version.store_id AND o.memory_id = memory_version.memory_id \
    AND o.actor_name <> $2 AND o.actor_id <> $2 AND o.actor_id <> $3)";

/// What is left of theirs has neither content nor path, and nobody's name. What they wrote this very moment stays
/// for the next time: a memory without content would be none.
const BLANKED: &str = "UPDATE memory_version SET content = NULL, content_sha256 = NULL, content_size = NULL, \
    path = NULL, reason = NULL, redacted_at = coalesce(redacted_at, $4), \
    redactor_kind = coalesce(redactor_kind, 'user'), redactor_id = coalesce(redactor_id, $3), \
    redactor_name = coalesce(redactor_name, ''), \
    actor_kind = 'user', actor_id = $3, actor_name = '' \
    WHERE store_id IN (SELECT id FROM memory_store WHERE workspace_id = $1) \
    AND (actor_name = $2 OR actor_id = $2) AND NOT EXISTS \
    (SELECT 1 FROM memory m WHERE m.live AND m.version_id = memory_version.id \
    AND m.store_id = memory_version.store_id)";

/// Nor is their content in object storage.
const OBJECTS_RELEASED: &str = "UPDATE stored_object SET version_id = NULL WHERE version_id IN \
    (SELECT v.id FROM memory_version v JOIN memory_store s ON s.id = v.store_id \
    WHERE s.workspace_id = $1 AND v.actor_id = $2 AND v.content IS NULL)";

/// Nor does it say what they redacted.
const REDACTOR: &str = "UPDATE memory_version SET redactor_kind = 'user', redactor_id = $3, redactor_name = '' \
    WHERE store_id IN (SELECT id FROM memory_store WHERE workspace_id = $1) \
    AND (redactor_name = $2 OR redactor_id = $2)";

/// Nor are receivers told of them any more.
const TOLD: &str = "UPDATE event_delivery SET actor_kind = 'user', actor_id = $3, actor_name = '', path = NULL \
    WHERE workspace_id = $1 AND (actor_name = $2 OR actor_id = $2)";

/// Whether a text has a word, in whatever case, that is not a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_apart = |end: Option<char>| !end.is_some_and(char::is_alphanumeric);
    !word.is_empty()
        && text.match_indices(&word).any(|(at, found)| {
            is_apart(text[..at].chars().next_back())
                && is_apart(text[at + found.len()..].chars().next())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_as_a_word_in_any_case_and_not_within_another() {
        for text in [
            "Notes of Alice",
            "alice's",
            "{\"owner\":\"ALICE\"}",
            "é alice",
        ] {
            assert!(has_word(text, "alice"), "{text}");
        }
        for text in ["the malice of it", "alicetta", "", "ali ce"] {
            assert!(!has_word(text, "alice"), "{text}");
        }
        assert!(!has_word("anything", ""));
    }
}
