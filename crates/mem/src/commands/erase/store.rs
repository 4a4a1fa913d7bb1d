//! A store of a server, in its database.

use anyhow::Result;
use mem_core::erasure::{Found, Traces, search};
use mem_server::storage::{Database, Doomed, OpenOptions, Place, Purpose, StorageError};
use serde_json::{Value, json};

use super::{Args, proof};
use crate::commands::server::place::block_on;
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key;
use crate::person::ForAPerson;
use crate::sanitize::clean;
use crate::usage::UsageError;

/// What is not looked through: it is another program's, and may be on another machine.
const POSTGRES: &str = "the files of PostgreSQL: they keep removed bytes until the space is used again (VACUUM \
                        FULL), and in the write-ahead log and backups for as long as these are kept";

/// Lists, asks, erases, looks through the files of the database.
pub(super) fn run(args: &Args, name: &str, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Erasing)?;
    args.place.require_there(context)?;
    let source = master_key::source(context)?;
    let look = async |database: &Database| database.doomed(name).await;
    let mut stores = args.place.with_keys(context, source.clone(), look)?;
    let store = match stores.pop() {
        Some(store) if stores.is_empty() => store,
        Some(_) => {
            return Err(unclear("several stores have this name", "name it by its id").into());
        }
        None => {
            return Err(unclear("there is no such store", "`mem store list` has their ids").into());
        }
    };
    let listed = shape(&store);
    if !context.printer.json {
        context.printer.line(line(&store))?;
    }
    if args.dry_run {
        context.printer.say("nothing was erased");
        if context.printer.json {
            let mut all = listed;
            all["erased"] = false.into();
            context.printer.json(&all)?;
        }
        return Ok(Exit::Ok);
    }
    context.confirm("erase this store for good?", args.yes)?;
    let place = args.place.place(context)?;
    // As a server: beside one, its clients would be told a state that is gone. Without the key, too.
    let options = OpenOptions {
        purpose: Purpose::Erase,
        master: source,
        ..OpenOptions::default()
    };
    let traces = block_on(async {
        let database = Database::open(&place, &options).await?;
        let erased = erase(&database, &store.id).await;
        database.close().await;
        erased
    })??;
    let found = match &place {
        Place::Directory(folder) => search(&traces, std::slice::from_ref(folder))?,
        Place::Url(_) => Found {
            not_searched: vec![POSTGRES.to_owned()],
            ..Found::default()
        },
    };
    proof::tell(args, context, &listed, &traces, &found)
}

async fn erase(database: &Database, store: &str) -> Result<Traces, StorageError> {
    let mut traces = Traces::default();
    traces.add_id(store);
    database
        .show_all(store, |version, memory, content| {
            traces.add_id(version);
            traces.add_id(memory);
            if let Some(content) = content {
                traces.add_content(content.as_bytes());
            }
        })
        .await?;
    database.erase_store(store).await?;
    Ok(traces)
}

fn line(store: &Doomed) -> String {
    let Doomed {
        id,
        name,
        memories,
        versions,
    } = store;
    let text = format!("{id} ({name}): {memories} memories, {versions} versions");
    clean(&text).into_owned()
}

fn shape(store: &Doomed) -> Value {
    json!({ "store": store.id, "memories": store.memories, "versions": store.versions })
}

fn unclear(message: &str, hint: &str) -> UsageError {
    UsageError::new(message, hint)
}
