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
    let (_, found) = erasure.carry_out_whole(&traces)?;
    freshness::forget(context);
    proof::tell(args, context, &listed, &traces, &found)
}
