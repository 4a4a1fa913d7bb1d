//! A store or a user of a server, erased in its database, whose files are looked through afterwards.

use anyhow::Result;
use mem_core::audit::shell_word;
use mem_core::erasure::Unended;
use mem_server::erasure::ErasureSubject;
use mem_server::storage::{
    Database, DatabaseAddress, Doomed, DoomedUser, MasterSource, OpenOptions,
};
use serde_json::{Value, json};

use super::{Args, proof};
use crate::commands::server::place::block_on;
use crate::context::Context;
use crate::exit::Exit;
use crate::removal::Removal;
use crate::sanitize::clean;
use crate::usage::UsageError;

/// The workspace that is meant where none is named.
const WORKSPACE: &str = "default";
/// Told of where the erasure of before was interrupted.
const UNENDED: &str = "an erasure that did not end: it is finished, and looked for again";

/// Looks for what the arguments name at a server, and for what an earlier erasure of it looked for; `None` where
/// they name something of this machine.
pub(super) fn find_subject(
    args: &Args,
    context: &Context,
) -> Result<Option<(ErasureSubject, Unended)>> {
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
        return Ok(Some((ErasureSubject::Store(stores.pop()), unended)));
    }
    let name = user.map_or("", |user| user.as_str());
    let workspace = args.workspace.as_deref().unwrap_or(WORKSPACE);
    let look = async |database: &Database| {
        let found = database.find_workspace(workspace).await?;
        anyhow::Ok(database.doomed_user(&found.id, name).await?)
    };
    let user = args.place.with_keys(context, source, look)?;
    let unended = unended_note(args, context, &["user", &user.workspace, name])?;
    if user.is_nothing() && !unended.is_there() {
        let hint =
            "`mem server token list` has the names of tokens; --workspace names another workspace";
        return Err(UsageError::new("nothing is kept there for this user", hint).into());
    }
    Ok(Some((ErasureSubject::User(user), unended)))
}

/// Lists, asks, erases, looks through the files of the database.
pub(super) fn erase(
    subject: ErasureSubject,
    unended: Unended,
    args: &Args,
    context: &Context,
) -> Result<Exit> {
    let removal = planned_removal(&subject, &unended);
    let question = match &subject {
        ErasureSubject::Store(_) => "erase this store for good?",
        ErasureSubject::User(_) => "erase all of this for good?",
    };
    if !removal.is_agreed(question, &args.choice, context)? {
        return Ok(Exit::Ok);
    }
    let place = args.place.database_address(context)?;
    let options = OpenOptions {
        master: MasterSource::for_run(context)?,
        ..OpenOptions::for_run(context)
    };
    let erased = block_on(subject.erase(&place, options, unended, context.now.0))??;
    let (traces, found) = (&erased.traces, &erased.found);
    // The proof has no name.
    for tombstone in &erased.tombstones {
        let key = tombstone.path.trim_start_matches('/');
        let (name, word, store) = (clean(key), shell_word(key), &tombstone.store);
        context.print_warning(format_args!(
            "the name `{name}` stays in `{store}`: `mem team redact {word} --name` takes it out once all machines have \
             synchronised"
        ));
    }
    let exit = proof::print_proof(args, context, &removal.json, traces, found)?;
    if erased.has_new_content {
        let again = "something of theirs was written meanwhile: run it again";
        context.print_warning(again);
        return Ok(Exit::Failure);
    }
    Ok(exit)
}

fn planned_removal(subject: &ErasureSubject, unended: &Unended) -> Removal {
    match subject {
        ErasureSubject::Store(Some(store)) => Removal {
            lines: vec![store_line(store)],
            json: store_json(store),
        },
        ErasureSubject::Store(None) => Removal {
            lines: vec![UNENDED.to_owned()],
            json: json!({ "store": null, "memories": 0, "versions": 0 }),
        },
        ErasureSubject::User(user) => of_user(user, unended),
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
