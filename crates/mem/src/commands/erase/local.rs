//! The memories of this machine.

use anyhow::Result;
use mem_core::erasure::Erasure;
use mem_core::installed;
use serde_json::{Value, json};

use super::{Args, proof};
use crate::commands::purge;
use crate::context::Context;
use crate::exit::Exit;
use crate::freshness;
#[cfg(feature = "server")]
use crate::master_key::Origin;
#[cfg(feature = "server")]
use crate::person::ForAPerson;
use crate::sanitize::clean;

/// Lists, asks, erases, looks.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let erasure = match args.all {
        true => Erasure::of_everything(dirs),
        false => Erasure::of_repository(&context.place()?.location, dirs),
    };
    if !args.dry_run {
        context.require_person_to_erase(&context.place()?)?;
    }
    let directories = erasure.directories()?;
    let mut paths = erasure.own_paths();
    paths.extend(erasure.session_paths());
    let shapes: Vec<Value> = directories.iter().map(purge::shape).collect();
    let listed = json!({ "directories": shapes, "paths": paths });
    if !context.printer.json {
        for one in &directories {
            context.printer.line(purge::directory(one))?;
        }
        for path in &paths {
            context.printer.line(clean(&path.to_string_lossy()))?;
        }
    }
    #[cfg(feature = "server")]
    let key = doomed_key(args, context)?;
    if args.all && !installed::list(dirs).0.is_empty() {
        let stays = "what mem installed stays, with the list of it: `mem uninstall` takes it out";
        context.printer.warn(stays);
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
    context.confirm("erase all of this for good?", args.yes)?;
    let traces = erasure.traces()?;
    #[cfg(feature = "server")]
    if let Some(key) = key {
        key.destroy()?;
    }
    let (_, found) = erasure.carry_out_whole(&traces)?;
    freshness::forget(context);
    proof::tell(args, context, &listed, &traces, &found)
}

/// The master key that is to go too, told with the rest.
#[cfg(feature = "server")]
fn doomed_key(args: &Args, context: &Context) -> Result<Option<Origin>> {
    if !args.destroy_key {
        return Ok(None);
    }
    context.require_person(ForAPerson::Encryption)?;
    let origin = Origin::required(context)?;
    for id in origin.ask()?.ids() {
        context.printer.say(format_args!(
            "master key {id} ({origin}): what it wrapped can never be read again"
        ));
    }
    Ok(Some(origin))
}
