//! `mem prune`: what counts least goes, and can be brought back.

use anyhow::Result;
use mem_core::Scope;
use mem_core::memory::ProjectMemory;
use mem_records::prune::PruneLimits;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::usage::UsageError;
use mem_core::host_user::{HostUser, undo_command};
use mem_tools::records::OpenRecords;
use mem_tools::records::prune::{MARKS, PruneItem, prunable_memories, take_out};

/// Take out what counts least
///
/// Looks at the importance that each memory has by now: what it was given (3 where nothing was), halved
/// with every half-life (`records.half_life_days`) in which it was not used. Takes out what has expired,
/// what is below a mark, and the least of what is too much, in one change that `mem undo` takes back.
/// Never what is pinned, by its own field, by a folder `pinned/`, or by standing below a heading
/// "Pinned" of MEMORY.md. The daemon does the same by itself where `prune.max_entries`, `prune.below`
/// or `prune.expired` is set, as an agent: with `memory.write` at confirm it waits in the inbox, and what a person
/// brought back or left there is not pruned by the daemon again.
///
/// With --json: {"pruned":[{"id","file","effective_importance","by"}],"change","dry_run"}, where `by` is
/// expired, below or surplus.
///
/// Example: mem prune --max-entries 500 --expired --dry-run
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Leave so many at most, 1 or more
    #[arg(long, value_name = "N")]
    max_entries: Option<usize>,
    /// Take out what is less important than X by now
    #[arg(long, value_name = "X")]
    below: Option<f64>,
    /// Take out what has expired
    #[arg(long)]
    expired: bool,
    /// Show what would go, and take nothing out
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Your own notes across repositories, instead of this repository's private tier
    #[arg(long, conflicts_with = "user")]
    global: bool,
    /// The records of this user of a host
    #[arg(long, value_name = "USER")]
    user: Option<HostUser>,
}

/// Chooses, takes out, tells.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let limits = prune_limits(args)?;
    let opened = OpenRecords::open_for(args.user.as_ref(), &context.tools)?;
    opened.require_writable()?;
    let scope = match args.global && !opened.memory.is_one() {
        true => Scope::Global,
        false => Scope::Private,
    };
    let memory: &ProjectMemory = &opened.memory;
    let going = prunable_memories(memory, scope, &limits, &opened.place, context.now)?;
    let shown: Vec<Value> = going.iter().map(candidate_json).collect();
    let lines: Vec<String> = going.iter().map(candidate_line).collect();
    let count = going.len();
    let change = match args.dry_run || going.is_empty() {
        true => None,
        false => {
            let order = context.change_metadata("prune");
            let removed = take_out(going, memory, scope, order, &opened.gate)?;
            context.warn_all(&removed.warnings);
            opened.finish_write(scope);
            removed.change
        }
    };
    let json = json!({
        "pruned": shown, "change": change.map(|change| change.id), "dry_run": args.dry_run,
    });
    // What could not be taken out is not told as gone.
    let printer = &context.printer;
    printer.print_list(&json, lines.into_iter(), "nothing has to go")?;
    if !printer.json && count > 0 {
        match args.dry_run {
            true => printer.say("nothing was taken out"),
            false => {
                let undo = undo_command(args.user.as_ref(), scope);
                printer.say(format_args!("{undo} brings all of them back"));
            }
        }
    }
    Ok(Exit::Ok)
}

fn candidate_line((one, why): &PruneItem) -> String {
    let (word, file) = (why.as_str(), one.what.label());
    format!("{word:7}  {:.2}  {}", one.effective, clean(&file))
}

fn prune_limits(args: &Args) -> Result<PruneLimits, UsageError> {
    let limits = PruneLimits {
        max_entries: args.max_entries,
        below: args.below,
        expired: args.expired,
    };
    let (message, hint) = if limits.max_entries == Some(0) {
        let hint = "leave it out for no limit, as the setting at 0 means";
        ("`--max-entries 0` would leave nothing", hint)
    } else if limits == PruneLimits::default() {
        let hint = "give --max-entries N, --below X or --expired";
        ("nothing says what is too much", hint)
    } else if args.below.is_some_and(|mark| !MARKS.contains(&mark)) {
        // Above the most important there is everything would go.
        let hint = "an importance by now is from 0 to 5";
        ("`--below` is not a number from 0 to 5", hint)
    } else {
        return Ok(limits);
    };
    let hint = format!("{hint}; --dry-run shows what would go");
    Err(UsageError::new(message, hint))
}

fn candidate_json((one, why): &PruneItem) -> Value {
    json!({
        "id": one.what.id, "file": one.what.label(), "by": why.as_str(),
        "effective_importance": (one.effective * 1e3).round() / 1e3,
    })
}
