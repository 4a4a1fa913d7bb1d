//! Erasing a store or a user of a server for good: what goes from the database, and whether its files still hold it.

use jiff::Timestamp;
use mem_core::Diagnose;
use mem_core::erasure::{
    ErasureError, KeptDigests, TracePatterns, TraceSearch, Unended, search_database,
};
use mem_core::plural::format_count;
use mem_core::state_file::StateError;
use mem_sync::limits::ENTRIES_MAX;

use crate::storage::{
    Database, DatabaseAddress, Doomed, DoomedUser, OpenOptions, Purpose, SQLITE_FILE, StorageError,
    StoredTombstone,
};

/// What is not looked through: it is another program's, and may be on another machine.
const POSTGRES: &str = "the files of PostgreSQL: they keep removed bytes until the space is used again (VACUUM \
                        FULL), and in the write-ahead log and backups for as long as these are kept";
/// Nor this: the objects of what went are deleted by their names.
const OBJECTS: &str = "the object storage, whose objects were deleted: a bucket that keeps versions of objects has them \
                       still, and so have its copies";
/// Nor this: the database does not know where the servers over it write one.
const AUDIT_LOG: &str = "the audit logs of the servers (`file` and `syslog` of `[audit]` in their settings), of which \
                         each line names who asked: lines go when the log is rotated, or have to be removed there";

/// A store or a user of a server.
#[derive(Debug)]
pub enum ErasureSubject {
    /// None has gone already: then only what the files still hold of it goes.
    Store(Option<Doomed>),
    /// A user of a workspace.
    User(DoomedUser),
}

/// What an erasure came to.
#[derive(Debug)]
pub struct ErasedSubject {
    /// What was looked for.
    pub traces: TracePatterns,
    /// What was found of it.
    pub found: TraceSearch,
    /// The tombstones that keep the name and the checksum of what went. Not for a proof: it has no name.
    pub tombstones: Vec<StoredTombstone>,
    /// Whether something of theirs was written meanwhile.
    pub has_new_content: bool,
}

/// A subject could not be erased.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum SubjectError {
    /// The database.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// What is looked for cannot be noted.
    #[error(transparent)]
    State(#[from] StateError),
    /// It cannot be looked for.
    #[error(transparent)]
    Search(#[from] ErasureError),
}

impl ErasureSubject {
    /// Erases it, and looks through the files of the database. As a server: beside one, its clients would be told a
    /// state that is gone. Without the key, too.
    ///
    /// # Errors
    /// The database cannot be opened or changed, or its files cannot be looked through.
    pub async fn erase(
        self,
        place: &DatabaseAddress,
        options: OpenOptions,
        unended: Unended,
        now: Timestamp,
    ) -> Result<ErasedSubject, SubjectError> {
        let options = OpenOptions {
            purpose: Purpose::Erase,
            ..options
        };
        let is_user = matches!(self, Self::User(_));
        let database = Database::open(place, &options).await?;
        let erased = self.erase_from(&database, &unended, now).await;
        database.close().await;
        let (traces, left) = erased?;
        let mut found = match place {
            DatabaseAddress::Directory(folder) => {
                let kept = left.tombstones.iter().filter(|one| !one.has_copies);
                let kept = KeptDigests {
                    file: folder.join(SQLITE_FILE),
                    digests: kept.map(|one| one.sha256).collect(),
                };
                search_database(&traces, std::slice::from_ref(folder), &kept)?
            }
            DatabaseAddress::Url(_) => TraceSearch {
                not_searched: vec![POSTGRES.to_owned()],
                ..TraceSearch::default()
            },
        };
        if options.objects.is_some() {
            found.not_searched.push(OBJECTS.to_owned());
        }
        if is_user {
            found.not_searched.push(AUDIT_LOG.to_owned());
        }
        unended.end(&mut found)?;
        found.stays.extend(left.naming.iter().map(|store| {
            format!(
                "name, description or metadata of `{store}`, which name the user: `mem store update {store}`"
            )
        }));
        for tombstone in &left.tombstones {
            let of_store = found.tombstones.entry(tombstone.store.clone());
            of_store.or_default().push(tombstone.sha256);
        }
        let tombstones = found.tombstones.iter();
        let words = tombstones.map(|(store, digests)| tombstone_words(store, digests.len()));
        found.stays.extend(words);
        Ok(ErasedSubject {
            traces,
            found,
            tombstones: left.tombstones,
            has_new_content: left.has_new_content,
        })
    }

    /// What was looked for, and what the database has yet.
    async fn erase_from(
        self,
        database: &Database,
        unended: &Unended,
        now: Timestamp,
    ) -> Result<(TracePatterns, Remainder), SubjectError> {
        // With what came while a person was asked.
        let what = match self {
            Self::User(user) => {
                Self::User(database.doomed_user(&user.workspace, &user.name).await?)
            }
            store @ Self::Store(_) => store,
        };
        let mut traces = what.find_traces(database).await?;
        unended.begin(&mut traces)?;
        let mut left = what.remove_from(database, now).await?;
        left.tombstones.retain(|one| traces.has_content(one.sha256));
        Ok((traces, left))
    }

    async fn find_traces(&self, database: &Database) -> Result<TracePatterns, StorageError> {
        let (mut ids, mut traces) = (Vec::new(), TracePatterns::default());
        match self {
            Self::Store(None) => {}
            Self::Store(Some(store)) => {
                ids.push(store.id.clone());
                let show = |version: &str, memory: &str, content: Option<&str>| {
                    ids.extend([version.to_owned(), memory.to_owned()]);
                    traces.add_content(content.unwrap_or_default().as_bytes());
                };
                database.show_all(&store.id, show).await?;
            }
            Self::User(user) => {
                let id = |id: &str| ids.push(id.to_owned());
                let content = |content: &str| traces.add_content(content.as_bytes());
                database.show_user(user, id, content).await?;
            }
        }
        ids.iter().for_each(|id| traces.add_id(id));
        Ok(traces)
    }

    /// Erases it. Returns what the database has yet.
    async fn remove_from(
        &self,
        database: &Database,
        now: Timestamp,
    ) -> Result<Remainder, StorageError> {
        match self {
            Self::Store(store) => {
                let id = store.as_ref().map_or("", |store| &store.id);
                database.erase_store(id).await?;
                // Not which: that is what was to go.
                database.note_administration("erase.store", "", now).await?;
                Ok(Remainder::default())
            }
            Self::User(user) => {
                database.erase_user(user, now).await?;
                // Not whose: that is what was to go.
                database
                    .note_administration("erase.user", &user.workspace, now)
                    .await?;
                let (workspace, name) = (&user.workspace, &user.name);
                let left = database.doomed_user(workspace, name).await?;
                let naming = database.stores_naming(workspace, name).await?;
                Ok(Remainder {
                    naming,
                    tombstones: database.tombstones(workspace).await?,
                    has_new_content: !left.is_nothing(),
                })
            }
        }
    }
}

/// What a database has yet after an erasure.
#[derive(Debug, Default)]
struct Remainder {
    /// The stores that name the user.
    naming: Vec<String>,
    /// What says that something was deleted.
    tombstones: Vec<StoredTombstone>,
    /// Whether something of theirs was written meanwhile.
    has_new_content: bool,
}

/// What of deleted memories stays, why, and how it goes; not of which, for the proof has no name.
fn tombstone_words(store: &str, count: usize) -> String {
    let count = format_count(count, "deleted memory", "deleted memories");
    format!(
        "names and checksums of {count} in `{store}`, so that machines which have the files remove them: \
         `mem team redact NAME --name` takes one out once all have synchronised; else they go once {ENTRIES_MAX} \
         later memories of that store were deleted"
    )
}
