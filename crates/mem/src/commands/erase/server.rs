//! A store or a user of a server, erased in its database, whose files are looked through afterwards.

use anyhow::Result;
use jiff::Timestamp;
use mem_core::erasure::{TracePatterns, TraceSearch, Unended, search};
use mem_server::storage::{
    Database, DatabaseAddress, Doomed, DoomedUser, MasterSource, OpenOptions, Purpose, StorageError,
};
use serde_json::{Value, json};

use super::{Args, proof};
use crate::commands::server::place::{block_on, open_options};
use crate::commands::server::workspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::removal::Removal;
use crate::sanitize::clean;
use crate::usage::UsageError;

/// The workspace that is meant where none is named.
const WORKSPACE: &str = "default";
/// Told of where the erasure of before was interrupted.
const UNENDED: &str = "an erasure that did not end: it is finished, and looked for again";
/// What is not looked through: it is another program's, and may be on another machine.
const POSTGRES: &str = "the files of PostgreSQL: they keep removed bytes until the space is used again (VACUUM \
                        FULL), and in the write-ahead log and backups for as long as these are kept";

/// Nor this: the objects of what went are deleted by their names.
const OBJECTS: &str = "the object storage, whose objects were deleted: a bucket that keeps versions of objects has them \
                       still, and so have its copies";

/// A store or a user of a server.
pub(super) enum ErasureSubject {
    /// None has gone already: then only what the files still hold of it goes.
    Store(Option<Doomed>),
    User(DoomedUser),
}

impl ErasureSubject {
    /// Looks for what the arguments name at a server, and for what an earlier erasure of it looked for; `None` where
    /// they name something of this machine.
    pub(super) fn find_subject(args: &Args, context: &Context) -> Result<Option<(Self, Unended)>> {
        let user = args.user.as_ref().filter(|_| args.place.is_said(context));
        if args.store.is_none() && user.is_none() {
            return Ok(None);
        }
        args.place.require_there(context)?;
        let source = MasterSource::for_run(context)?;
        if let Some(name) = &args.store {
            let look = async |database: &Database| database.doomed(name).await;
            let mut stores = args.place.with_keys(context, source, look)?;
            let unended = unended_note(args, context, &["store", name])?;
            let unclear = match stores.len() {
                0 if !unended.is_there() => {
                    Some(("there is no such store", "`mem store list` has their ids"))
                }
                0 | 1 => None,
                _ => Some(("several stores have this name", "name it by its id")),
            };
            if let Some((message, hint)) = unclear {
                return Err(UsageError::new(message, hint).into());
            }
            return Ok(Some((Self::Store(stores.pop()), unended)));
        }
        let name = user.map_or("", |user| user.as_str());
        let workspace = args.workspace.as_deref().unwrap_or(WORKSPACE);
        let look = async |database: &Database| {
            let found = workspace::find_workspace(database, workspace).await?;
            anyhow::Ok(database.doomed_user(&found.id, name).await?)
        };
        let user = args.place.with_keys(context, source, look)?;
        let unended = unended_note(args, context, &["user", &user.workspace, name])?;
        if user.is_nothing() && !unended.is_there() {
            let hint = "`mem server token list` has the names of tokens; --workspace names another workspace";
            return Err(UsageError::new("nothing is kept there for this user", hint).into());
        }
        Ok(Some((Self::User(user), unended)))
    }

    /// Lists, asks, erases, looks through the files of the database.
    pub(super) fn erase(self, unended: Unended, args: &Args, context: &Context) -> Result<Exit> {
        let removal = self.planned_removal(&unended);
        let question = match &self {
            Self::Store(_) => "erase this store for good?",
            Self::User(_) => "erase all of this for good?",
        };
        if !removal.is_agreed(question, &args.choice, context)? {
            return Ok(Exit::Ok);
        }
        let place = args.place.database_address(context)?;
        // As a server: beside one, its clients would be told a state that is gone. Without the key, too.
        let options = OpenOptions {
            purpose: Purpose::Erase,
            master: MasterSource::for_run(context)?,
            ..open_options(context)
        };
        let (traces, (naming, is_anew)) = block_on(async {
            let database = Database::open(&place, &options).await?;
            let work = async {
                // With what came while somebody was asked.
                let what = match self {
                    Self::User(user) => {
                        Self::User(database.doomed_user(&user.workspace, &user.name).await?)
                    }
                    store @ Self::Store(_) => store,
                };
                let mut traces = what.find_traces(&database).await?;
                unended.begin(&mut traces)?;
                anyhow::Ok((traces, what.remove_from(&database, context.now.0).await?))
            };
            let erased = work.await;
            database.close().await;
            erased
        })??;
        let mut found = match &place {
            DatabaseAddress::Directory(folder) => search(&traces, std::slice::from_ref(folder))?,
            DatabaseAddress::Url(_) => TraceSearch {
                not_searched: vec![POSTGRES.to_owned()],
                ..TraceSearch::default()
            },
        };
        if open_options(context).objects.is_some() {
            found.not_searched.push(OBJECTS.to_owned());
        }
        unended.end(&mut found)?;
        found.stays.extend(naming.iter().map(|store| {
            format!(
                "name, description or metadata of `{store}`, which name the user: `mem store update {store}`"
            )
        }));
        let exit = proof::print_proof(args, context, &removal.json, &traces, &found)?;
        if is_anew {
            let again = "something of theirs was written meanwhile: run it again";
            context.print_warning(again);
            return Ok(Exit::Failure);
        }
        Ok(exit)
    }

    fn planned_removal(&self, unended: &Unended) -> Removal {
        match self {
            Self::Store(Some(store)) => Removal {
                lines: vec![store_line(store)],
                json: store_json(store),
            },
            Self::Store(None) => Removal {
                lines: vec![UNENDED.to_owned()],
                json: json!({ "store": null, "memories": 0, "versions": 0 }),
            },
            Self::User(user) => of_user(user, unended),
        }
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

    /// Erases it. Returns the stores that name the user still, and whether something was written meanwhile.
    async fn remove_from(
        &self,
        database: &Database,
        now: Timestamp,
    ) -> Result<(Vec<String>, bool), StorageError> {
        match self {
            Self::Store(store) => {
                let id = store.as_ref().map_or("", |store| &store.id);
                database.erase_store(id).await?;
                // Not which: that is what was to go.
                database.note_administration("erase.store", "", now).await?;
                Ok((Vec::new(), false))
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
                Ok((naming, !left.is_nothing()))
            }
        }
    }
}

/// The note about an erasure that did not end: beside the database, or in the person's own state where that is another
/// program's.
fn unended_note(args: &Args, context: &Context, what: &[&str]) -> Result<Unended> {
    let folder = match args.place.database_address(context)? {
        DatabaseAddress::Directory(folder) => folder,
        DatabaseAddress::Url(_) => context.dirs()?.state.clone(),
    };
    Ok(Unended::from_folder(&folder, what.join("\0")))
}

fn of_user(user: &DoomedUser, unended: &Unended) -> Removal {
    let mut lines = Vec::new();
    if unended.is_there() {
        lines.push(UNENDED.to_owned());
    }
    for records in &user.records {
        let (memories, versions) = (records.memories, records.versions);
        lines.push(format!("records: {memories} memories, {versions} versions"));
    }
    if user.trail > 0 {
        lines.push(format!(
            "records that went: {} entries of the audit trail",
            user.trail
        ));
    }
    let alone = user.alone.iter().map(store_line);
    lines.extend(alone.map(|line| format!("{line}, nobody else's")));
    if user.versions > 0 {
        lines.push(format!(
            "where others write too: {} memories go, {} go back to what somebody else wrote last, {} versions lose \
             their content",
            user.going(),
            user.going_back(),
            user.versions
        ));
    }
    if user.tokens > 0 {
        lines.push(format!("{} tokens", user.tokens));
    }
    let all = |stores: &[_]| stores.iter().map(store_json).collect::<Vec<_>>();
    let json = json!({
        "workspace": user.workspace, "records": all(&user.records), "trail": user.trail, "stores": all(&user.alone),
        "memories": user.going(), "memories_back": user.going_back(), "versions": user.versions,
        "tokens": user.tokens,
    });
    Removal { lines, json }
}

/// A line about a store.
fn store_line(store: &Doomed) -> String {
    let Doomed { id, name, .. } = store;
    let (memories, versions) = (store.memories, store.versions);
    let text = format!("{id} ({name}): {memories} memories, {versions} versions");
    clean(&text).into_owned()
}

/// The same as JSON.
fn store_json(store: &Doomed) -> Value {
    json!({ "store": store.id, "memories": store.memories, "versions": store.versions })
}
