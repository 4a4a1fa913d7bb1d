//! `mem team diff`: how the memories here differ from the remote's.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::Key;
use mem_sync::decide::Known;
use mem_sync::files::Files as _;
use mem_sync::remote::{Fetched, Query, Remote as _};
use serde_json::{Value, json};

use super::log::key_of;
use crate::context::Context;
use crate::exit::Exit;
use crate::team::files::StoreFiles;
use crate::team::settings::Share;
use crate::team::standing::Standing;
use crate::team::{remote, screen};
use crate::unified::{painted, unified};

/// Show how the memories here differ from the remote's
///
/// From what the remote was last seen to have to what is here: what `mem team push` would send reads as
/// it would be sent, what `mem team pull` would take reads backwards. The remote is asked only for texts
/// that the history here does not have.
///
/// With --json: {"files":[{"file","diff"}]}.
///
/// Example: mem team diff project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// This file only
    #[arg(value_name = "KEY")]
    key: Option<String>,
}

/// Prints the differences.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = context.team(&place)?;
    let standing = Standing::of(&share, &place, context)?;
    let waiting = standing.waiting.iter().map(|(key, _)| key);
    let mut keys: BTreeSet<Key> = waiting.chain(&standing.to_take).cloned().collect();
    if let Some(text) = &args.key {
        let wanted = key_of(text)?;
        keys.retain(|key| *key == wanted);
    }
    let gate = context.secret_gate(&place);
    let mut files = StoreFiles::new(share.store.clone(), share.tier, gate, context.now);
    files.list()?;
    let theirs = theirs(&keys, &standing, &mut files, &share, &place, context)?;
    let mut shown = Vec::new();
    for key in &keys {
        let mine = files.read(key)?;
        let theirs = theirs.get(key).map(Vec::as_slice);
        let name = screen::shown(key);
        let diff = unified(&name, theirs, mine.as_deref());
        shown.push((name, diff));
    }
    let printer = &context.printer;
    if printer.json {
        let files = shown
            .iter()
            .map(|(key, diff)| json!({ "file": key, "diff": diff }));
        let files: Vec<Value> = files.collect();
        printer.json(&json!({ "files": files }))?;
    } else if shown.is_empty() {
        printer.say("nothing differs");
    } else {
        for (_, diff) in &shown {
            printer.line(painted(diff))?;
        }
    }
    Ok(Exit::Ok)
}

/// The remote's texts of some keys: from the history here, else from the remote.
fn theirs(
    keys: &BTreeSet<Key>,
    standing: &Standing,
    files: &mut StoreFiles,
    share: &Share,
    place: &Place,
    context: &Context,
) -> Result<BTreeMap<Key, Vec<u8>>> {
    let mut texts = BTreeMap::new();
    let mut asked = BTreeSet::new();
    for key in keys {
        if let Some(Known::At(sha256)) = standing.state.remote_of(key) {
            match files.earlier(key, sha256) {
                Some(text) => drop(texts.insert(key.clone(), text)),
                None => drop(asked.insert(key.clone())),
            }
        }
    }
    if asked.is_empty() {
        return Ok(texts);
    }
    let mut remote = remote::open(share, place, context)?;
    for keys in mem_sync::client::portions(&asked) {
        let hashes = false;
        if let Fetched::Found { answer, .. } = remote.get(&Query { hashes, keys }, None)? {
            let found = answer.entries.into_iter();
            texts.extend(found.filter_map(|(key, entry)| Some((key, entry.content?.into_bytes()))));
        }
    }
    Ok(texts)
}
