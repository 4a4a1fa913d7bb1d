//! `mem team diff`: how the memories here differ from the remote's.

use mem_team::gates::SecretGate;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;
use mem_sync::files::SyncFiles as _;
use mem_sync::remote::{Fetched, Remote as _, StateQuery};
use mem_sync::screen::Screen as _;
use mem_team::error::TeamError;
use mem_team::files::StoreFiles;
use mem_team::remote;
use mem_team::screen::{TeamScreen, shown_key};
use mem_team::settings::{self, TeamShare};
use mem_team::share_status::ShareStatus;
use serde_json::{Value, json};

use super::log::key_of;
use crate::context::Context;
use crate::exit::Exit;
use crate::team::talk::CopySync;
use crate::unified::paint_diff;
use mem_core::unified_diff::unified_diff;

/// Show how the memories here differ from the remote's
///
/// From what the remote was last seen to have to what is here: what `mem team push` would send reads as
/// it would be sent, what `mem team pull` would take reads backwards. The remote is asked only for texts
/// that the history here does not have. A file that holds a secret is named with rule and line, and not
/// shown.
///
/// With --json: {"files":[{"file","diff","why"}]}; one of the two is null.
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
    let share = settings::team_share(&place, context)?;
    let told = of_share(args.key.as_deref(), &share, &place, context)?;
    if context.printer.json {
        context.print_json(&json!({ "files": differences_json(&told) }))?;
    } else {
        print_differences(&told, context)?;
    }
    Ok(Exit::Ok)
}

/// A file, and how it differs or why that is not shown.
pub(crate) type Difference = (EntryKey, Result<String, String>);

/// How the files of a share differ.
pub(crate) fn of_share(
    key: Option<&str>,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Vec<Difference>> {
    let gate = Arc::new(SecretGate::for_place(place, context));
    let standing = ShareStatus::for_share(share, gate.clone(), context)?;
    let waiting = standing.waiting.iter().map(|(key, _)| key);
    let mut keys: BTreeSet<EntryKey> = waiting.chain(&standing.to_take).cloned().collect();
    let mut files = StoreFiles::for_share(share, gate, context.now);
    files.list()?;
    if let Some(text) = key {
        let wanted = key_of(text)?;
        keys.retain(|key| *key == wanted);
        let is_there = matches!(standing.state.remote_of(&wanted), Some(KnownKey::At(_)));
        if keys.is_empty() && !is_there && files.read(&wanted)?.is_none() {
            let (key, command) = (shown_key(&wanted), share.command);
            return Err(TeamError::NoSuchKey { key, command }.into());
        }
    }
    let theirs = remote_texts(&keys, &standing, &mut files, share, place, context)?;
    let screen = TeamScreen::for_share(share, &place.project, context.dirs()?);
    let mut told = Vec::new();
    for key in keys {
        let mine = files.read(&key)?;
        let theirs = theirs.get(&key).map(Vec::as_slice);
        let sides = [theirs, mine.as_deref()];
        let difference = compare_sides(&key, sides, &screen);
        told.push((key, difference));
    }
    Ok(told)
}

/// How two texts differ, or why that is not shown.
fn compare_sides(
    key: &EntryKey,
    sides: [Option<&[u8]>; 2],
    screen: &TeamScreen,
) -> Result<String, String> {
    for bytes in sides.into_iter().flatten() {
        let leaks = screen.find_leaks(key, &String::from_utf8_lossy(bytes));
        if let Some(leak) = leaks.map_err(|error| error.to_string())?.first() {
            return Err(format!("it holds a secret: {leak}"));
        }
    }
    let [theirs, mine] = sides;
    Ok(unified_diff(key.as_str(), theirs, mine))
}

/// The stable shape.
pub(crate) fn differences_json(told: &[Difference]) -> Vec<Value> {
    let files = told.iter().map(|(key, diff)| {
        json!({ "file": shown_key(key), "diff": diff.as_ref().ok(), "why": diff.as_ref().err() })
    });
    files.collect()
}

/// The differences, for people.
pub(crate) fn print_differences(told: &[Difference], context: &Context) -> Result<()> {
    let printer = &context.printer;
    if told.is_empty() {
        printer.say("nothing differs");
    }
    for (key, diff) in told {
        match diff {
            Ok(diff) => printer.line(paint_diff(diff))?,
            Err(why) => printer.line(format_args!("{}: not shown: {why}", shown_key(key)))?,
        }
    }
    Ok(())
}

/// The remote's texts of some keys: from the history here, else from the remote.
fn remote_texts(
    keys: &BTreeSet<EntryKey>,
    standing: &ShareStatus,
    files: &mut StoreFiles,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<BTreeMap<EntryKey, Vec<u8>>> {
    let mut texts = BTreeMap::new();
    let mut asked = BTreeSet::new();
    for key in keys {
        if let Some(KnownKey::At(sha256)) = standing.state.remote_of(key) {
            match files.earlier(key, sha256) {
                Some(text) => drop(texts.insert(key.clone(), text)),
                None => drop(asked.insert(key.clone())),
            }
        }
    }
    if asked.is_empty() {
        return Ok(texts);
    }
    let _talk = CopySync::begin_sync("asking for texts", share, context);
    let mut remote = remote::open_remote(share, place, context)?;
    for keys in mem_sync::client::portions(&asked) {
        let query = StateQuery::of_contents(keys);
        if let Fetched::Found { answer, .. } = remote.get_state(&query, None)? {
            let found = answer.entries.into_iter();
            texts.extend(found.filter_map(|(key, entry)| Some((key, entry.content?.into_bytes()))));
        }
    }
    Ok(texts)
}
