//! `mem undo`: take changes back.

use mem_agent::distillation::state::{ChangingRun, DistillState};
use mem_core::history::{AuthorKind, Change, FileOperation, Version};
use mem_core::location::ProjectContext;
use mem_core::memory::ScopeDir;
use mem_core::store::{LocalStore, Planned, Undo, UndoError};
use mem_core::{Scope, adopt};
use mem_team::write_gates::SecretGate;
use mem_team::{personal_sync, settings};
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::unified::paint_diff;
use crate::usage::UsageError;
use crate::user_errors::about_user;
use mem_core::host_user::HostUser;
use mem_core::plural::count_files;
use mem_core::unified_diff::{plan_diff, unified_diff};
use mem_tools::records::OpenRecords;

/// More digits than this are the beginning of an id.
const COUNT_DIGITS_MAX: usize = 3;

/// Take changes back
///
/// Takes the last change made through mem back, here or in your own notes across repositories, whole, as a change of
/// its own: an undo can be undone by its id. Edits that others made since stay; where they are in the same lines,
/// nothing is written and the exit code is 4. With an adoption that emptied its source, the source gets its files back.
///
/// What a sync brought is passed over: only its id, which `mem history` lists, takes it back, and the next sync brings
/// that to everybody.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// How many changes of this repository, or the id of one; the last change if not given
    #[arg(value_name = "N|CHANGE-ID")]
    which: Option<String>,
    /// Count changes made without mem too, such as files that something swept away
    #[arg(long)]
    foreign: bool,
    /// Show what would be written, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Only your own notes across repositories
    #[arg(long)]
    global: bool,
    /// The records of this user of a host
    #[arg(long, value_name = "USER", conflicts_with = "global")]
    user: Option<HostUser>,
}

/// Takes changes back and says which.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let which = chosen_changes(args)?;
    let place = context.enabled_place()?;
    let user = args.user.as_ref();
    if user.is_some() {
        OpenRecords::open_for(user, &context.tools)?.require_writable()?;
    }
    let store = context.store_of(user, &place, args.global)?;
    let is_last = args.which.is_none() && user.is_none() && !args.global;
    let of_global = match is_last {
        true => later_global_change(&store, args.foreign, &place, context)?,
        false => None,
    };
    let is_global = args.global || of_global.is_some();
    let store = of_global.unwrap_or(store);
    if context.record_external(&store)?.is_none() {
        return Err(about_user(user, UndoError::Nothing));
    }
    let done = if args.dry_run {
        let preview = store.preview_undo(context.now, &which);
        preview.map(|(changes, plans)| (changes, None, plans))
    } else {
        if user.is_none() {
            restore_sources(context, &store, &which)?;
        }
        let gate = SecretGate::for_place(&place, context).of_user(user);
        // Folders that the change made go with what it wrote into them.
        let order = context.change_metadata("undo").clearing_folders();
        let written = store.undo(&order, &gate, &which);
        written.map(|written| {
            context.warn_all(&written.warnings);
            (written.value, written.change, Vec::new())
        })
    };
    match done {
        Ok((undone, change, plans)) => {
            print_undone(context, args, &undone, change.as_ref(), &plans)?;
            let is_of_place = args.user.is_none();
            if is_of_place {
                warn_of_sync(context, &place, is_global, &undone);
            }
            if !args.dry_run && is_of_place {
                say_where_it_goes(context, &place, is_global, &undone);
                say_how_it_comes_back(context, &store, &undone);
            }
            if is_global && !args.global {
                context.say("it was the last change, of your own notes across repositories");
            }
        }
        Err(error) => {
            show_conflict(context, &error)?;
            return Err(about_user(user, error));
        }
    }
    Ok(Exit::Ok)
}

/// Restores the sources of adoptions that are about to be undone, where an adoption emptied its source: the undo
/// removes the only copies.
fn restore_sources(context: &Context, store: &LocalStore, which: &Undo) -> anyhow::Result<()> {
    // What is wrong with the undo, the undo itself tells.
    let Ok((changes, _)) = store.preview_undo(context.now, which) else {
        return Ok(());
    };
    for change in changes {
        let restored =
            adopt::restore_source(&change, &context.change_metadata("undo"), context.dirs()?)?;
        if let Some((source, restored)) = restored {
            context.say(format_args!(
                "restored {} in `{}`, which the adoption emptied",
                count_files(restored.versions.len()),
                clean(&source.display().to_string())
            ));
        }
    }
    Ok(())
}

/// Which changes are meant.
fn chosen_changes(args: &Args) -> Result<Undo, UsageError> {
    let count = match args.which.as_deref() {
        None => 1,
        Some(text) if text.len() <= COUNT_DIGITS_MAX => text
            .parse()
            .ok()
            .filter(|count| *count > 0)
            .ok_or_else(|| {
                let hint = "give a number of changes, or an id that `mem history` lists";
                UsageError::new(format!("`{text}` is no number of changes"), hint)
            })?,
        Some(id) => return Ok(Undo::Change(id.to_owned())),
    };
    Ok(if args.foreign {
        Undo::LastOfAnyone(count)
    } else {
        Undo::Last(count)
    })
}

fn print_undone(
    context: &Context,
    args: &Args,
    undone: &[Change],
    change: Option<&Change>,
    plans: &[Planned],
) -> anyhow::Result<()> {
    let printer = &context.printer;
    if printer.json {
        let undone: Vec<Value> = undone
            .iter()
            .map(|one| changes::change_json(one, change.is_some()))
            .collect();
        printer.print_json(&json!({
            "undone": undone,
            "change": change.map(|change| &change.id),
            "dry_run": args.dry_run,
            "files": changes::plans_json(plans),
        }))?;
        return Ok(());
    }
    let word = if args.dry_run {
        "would take back"
    } else {
        "took back"
    };
    for one in undone {
        printer.line(format_args!("{word} {}", changes::change_line(one)))?;
    }
    let diff: String = plans.iter().map(plan_diff).collect();
    if !diff.is_empty() {
        printer.line(paint_diff(&diff))?;
    }
    if change.is_none() && !args.dry_run {
        printer.say("the files were so already; nothing was written");
    }
    Ok(())
}

/// Says so where what is back was deleted for everybody: it goes to them again.
fn say_where_it_goes(
    context: &Context,
    place: &ProjectContext,
    is_global: bool,
    undone: &[Change],
) {
    let deletes = |one: &Change| {
        let mut versions = one.versions.iter();
        let is_of_remote = one.is_from_sync();
        let removes = versions.any(|version| version.operation == FileOperation::Deleted);
        one.verb == "delete" || (is_of_remote && removes)
    };
    if !undone.iter().any(deletes) {
        return;
    }
    let own = || personal_sync::own_if_set_up(place, context).is_ok_and(|own| own.is_some());
    let is_of_team = |one: &Change| {
        let mut paths = one.versions.iter().map(|version| &version.path);
        paths.any(|path| ScopeDir(Scope::Team).file(path).is_some())
    };
    let team = || settings::team_if_set_up(place, context).is_ok_and(|team| team.is_some());
    if !is_global && undone.iter().any(is_of_team) {
        if team() {
            let said = "its deletion for everybody is taken back with the next `mem team sync`";
            context.say(said);
        }
    } else if own() {
        let said = "its deletion on your other machines is taken back with the next `mem sync`";
        context.say(said);
    }
}

/// Warns where what is taken back came with a sync. Deletions have a message of their own.
fn warn_of_sync(context: &Context, place: &ProjectContext, is_global: bool, undone: &[Change]) {
    let from_sync = |one: &&Change| one.is_from_sync() || one.author.actor == AuthorKind::Team;
    let versions = undone
        .iter()
        .filter(from_sync)
        .flat_map(|one| &one.versions);
    let brought = versions.filter(|version| version.operation != FileOperation::Deleted);
    let of_team =
        |version: &&Version| !is_global && ScopeDir(Scope::Team).file(&version.path).is_some();
    let (team, own): (Vec<_>, Vec<_>) = brought.partition(of_team);
    let is_shared = settings::team_if_set_up(place, context).is_ok_and(|team| team.is_some());
    if !team.is_empty() && is_shared {
        context.print_warning(
            "it came with a sync: the next `mem team sync` brings this to everybody",
        );
    }
    let is_synced = personal_sync::own_if_set_up(place, context).is_ok_and(|own| own.is_some());
    if !own.is_empty() && is_synced {
        context.print_warning(
            "it came with a sync: the next `mem sync` brings this to all your machines",
        );
    }
}

/// Says so where what is taken back was distilled: what it came from counts as read.
fn say_how_it_comes_back(context: &Context, store: &LocalStore, undone: &[Change]) {
    let made = DistillState::for_paths(store.places())
        .with_settled_run(store)
        .made;
    let is_undone = |made: &ChangingRun| undone.iter().any(|one| one.id.to_string() == made.change);
    if let Some(made) = made.filter(is_undone) {
        let said = format!("it does not come by itself: {}", made.rerun_hint());
        context.say(said);
    }
}

/// The global store, where the last change of all was made there.
fn later_global_change(
    store: &LocalStore,
    with_external: bool,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<Option<LocalStore>> {
    let global = context.tier_store(place, true)?;
    let last_change = |store: &LocalStore| match context.record_external(store)? {
        Some(locked) => {
            drop(locked);
            anyhow::Ok(store.last_undoable(with_external)?)
        }
        None => Ok(None),
    };
    let is_later = last_change(&global)? > last_change(store)?;
    Ok(is_later.then_some(global))
}

/// Shows what the undo would have done to a file that was edited in the same lines.
fn show_conflict(context: &Context, error: &UndoError) -> anyhow::Result<()> {
    let UndoError::Overtaken { path, now, wanted } = error else {
        return Ok(());
    };
    let diff = unified_diff(path.as_str(), Some(now), Some(wanted));
    if context.printer.json {
        let conflict = json!({ "file": path, "diff": diff });
        let answer = json!({ "undone": [], "change": null, "conflict": conflict });
        context.print_json(&answer)?;
    } else {
        context.line(paint_diff(&diff))?;
    }
    Ok(())
}
