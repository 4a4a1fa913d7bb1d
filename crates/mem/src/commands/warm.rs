//! `mem warm`: the index of recall, brought up to date.

use mem_find::verdicts::Verdicts;
use std::time::Duration;

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_find::encoder::ChosenEncoder;
use mem_find::index_refresh::{RefreshOutcome, RefreshPace, RefreshTurn, refresh_index};
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::progress::Progress;
use mem_core::plural::format_count;
use mem_find::refresh_process;

/// Bring the index of recall up to date
///
/// Reads the memories that are new or changed and encodes them, so that the next recall finds
/// them by their meaning, and checks them against the code. A recall does so by itself in the
/// background, while nobody waits; this waits until it is done.
///
/// With --json: {"notes","changed","removed","encoded","pending","stored"}.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Give way to other programs, and end where another one is at it
    #[arg(long, hide = true)]
    background: bool,
}

/// A foreground run ends when it is done.
const TIME_MAX: Duration = Duration::MAX;

/// Warms, and says what was done.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let dirs = context.dirs()?;
    let memory = ProjectMemory::new(&place.location, dirs);
    if !place.location.enabled {
        if !context.printer.json {
            let text = "memory is off here: there is nothing to warm";
            context.say(text);
            return Ok(Exit::Ok);
        }
        return print_outcome(&RefreshOutcome::default(), context);
    }
    let turn = match args.background {
        true => RefreshTurn::take_turn(dirs),
        false => RefreshTurn::wait_for_turn(dirs),
    };
    let Some(turn) = turn else {
        return without_turn(args, context);
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pace = match args.background {
        true => RefreshPace {
            threads: 1,
            time_max: refresh_process::TIME_MAX,
        },
        false => RefreshPace {
            threads: cores,
            time_max: TIME_MAX,
        },
    };
    if args.background {
        refresh_process::lower_priority();
    }
    let chosen = ChosenEncoder::choose(dirs);
    if let Some(text) = chosen.warning() {
        context.print_warning(text);
    }
    let progress = Progress::counting(&context.printer, "encoding memories");
    let warmed = refresh_index(&turn, &memory, chosen.encoder, pace, &|notes| {
        progress.counters().add_items(notes);
    });
    drop(progress);
    let warmed = warmed?;
    // Recall tells verdicts that were found before, where looking takes long.
    let notes = memory.list(&Scope::ALL)?.notes;
    if let Err(error) = Verdicts::for_place(&place, context)?.check_notes(&notes) {
        context.print_warning(format_args!(
            "memories were not checked against the code: {error}"
        ));
    }
    print_outcome(&warmed, context)
}

/// Another one is at it, or there is no place to keep an index in: a recall goes without.
fn without_turn(args: &Args, context: &Context) -> Result<Exit> {
    if args.background {
        return Ok(Exit::Ok);
    }
    let folder = context.dirs()?.recall_indexes();
    let text = format_args!(
        "nothing can be kept in `{}`: every recall reads all memories again",
        folder.display()
    );
    context.print_warning(text);
    match context.printer.json {
        true => print_outcome(&RefreshOutcome::default(), context),
        false => Ok(Exit::Ok),
    }
}

fn print_outcome(warmed: &RefreshOutcome, context: &Context) -> Result<Exit> {
    let notes = format_count(warmed.notes, "memory", "memories");
    context.print_answer(
        &json!({
            "notes": warmed.notes, "changed": warmed.changed, "removed": warmed.removed,
            "encoded": warmed.encoded, "pending": warmed.pending, "stored": warmed.is_stored,
        }),
        format_args!(
            "{notes} indexed: {} read, {} removed, {} encoded",
            warmed.changed, warmed.removed, warmed.encoded
        ),
    )
}
