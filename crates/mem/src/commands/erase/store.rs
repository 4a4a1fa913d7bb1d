//! A store of a server, in its database.

use anyhow::Result;
use mem_core::erasure::Traces;
use mem_server::storage::{Database, Doomed, StorageError};
use serde_json::{Value, json};

use super::listed::Listed;
use super::{Args, UNENDED, database, proof};
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key;
use crate::sanitize::clean;
use crate::usage::UsageError;

/// Lists, asks, erases, looks through the files of the database.
pub(super) fn run(args: &Args, name: &str, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let source = master_key::source(context)?;
    let look = async |database: &Database| database.doomed(name).await;
    let mut stores = args.place.with_keys(context, source, look)?;
    let unended = database::unended(args, context, &["store", name])?;
    let store = match stores.pop() {
        Some(store) if stores.is_empty() => Some(store),
        None if unended.is_there() => None,
        Some(_) => {
            return Err(unclear("several stores have this name", "name it by its id").into());
        }
        None => {
            return Err(unclear("there is no such store", "`mem store list` has their ids").into());
        }
    };
    let (lines, shape) = match &store {
        Some(store) => (vec![line(store)], shape(store)),
        None => (
            vec![UNENDED.to_owned()],
            json!({ "store": null, "memories": 0, "versions": 0 }),
        ),
    };
    let listed = Listed::at_server(lines, shape);
    if !listed.is_to_go(
        "erase this store for good?",
        args.dry_run,
        args.yes,
        context,
    )? {
        return Ok(Exit::Ok);
    }
    // None has an empty one: then only what the files still hold goes.
    let id = store.map_or(String::new(), |store| store.id);
    let gather = async |database: &Database| Ok((traces(database, &id).await?, ()));
    let erase = async |database: &Database, ()| database.erase_store(&id).await;
    let (traces, found, ()) = database::erased(args, context, unended, gather, erase)?;
    proof::tell(args, context, &listed.shape, &traces, &found)
}

async fn traces(database: &Database, store: &str) -> Result<Traces, StorageError> {
    let mut traces = Traces::default();
    if store.is_empty() {
        return Ok(traces);
    }
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
    Ok(traces)
}

/// A line about a store.
pub(super) fn line(store: &Doomed) -> String {
    let Doomed {
        id,
        name,
        memories,
        versions,
    } = store;
    let text = format!("{id} ({name}): {memories} memories, {versions} versions");
    clean(&text).into_owned()
}

/// The same as JSON.
pub(super) fn shape(store: &Doomed) -> Value {
    json!({ "store": store.id, "memories": store.memories, "versions": store.versions })
}

fn unclear(message: &str, hint: &str) -> UsageError {
    UsageError::new(message, hint)
}
