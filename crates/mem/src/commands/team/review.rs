//! `mem team review`: look at what waits here, and let it go.

use anyhow::Result;
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;
use mem_sync::files::SyncFiles as _;
use mem_sync::plan::BlockedFile;
use mem_team::error::TeamError;
use mem_team::files::StoreFiles;
use mem_team::named_key::parse_key;
use mem_team::outbound_scan::{TeamOutboundScan, shown_key};
use mem_team::pending_review::{self, PendingFiles, WaitingFile};
use mem_team::settings;
use mem_team::share_status::ShareStatus;
use mem_team::unreviewed::UnreviewedTexts;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::person::PersonOnlyError;
use crate::team::report::print_failure;
use crate::unified::paint_diff;
use mem_core::run::require_enabled;
use mem_core::unified_diff::unified_diff;

/// Look at what waits here, and let it go
///
/// With the setting `team.push = "review"`, the default, what you saved or shared for the team goes by
/// itself; what an agent, an import or another program put into `team/` is not sent before you have looked
/// at it. Without a file this shows what waits; with files, or --all, the next sync sends them as they are
/// now. What changes later waits again. A file that no sync sends, as it holds a secret or is about a person, is
/// named and not approved.
///
/// Exit codes: 1 a file cannot be sent; 3 a file holds a secret.
///
/// With --json: {"waiting":[{"file","diff"}]}, or {"approved":[],"dry_run"}.
///
/// Example: mem team review project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The files, as they are named in the team tier
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "keys")]
    all: bool,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

/// Shows or approves.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = settings::team_share(&place, context)?;
    let standing = ShareStatus::for_share(&share, &place, context)?;
    let mut files = StoreFiles::for_share(&share, &place, context);
    let mut unseen = UnreviewedTexts::for_share(&share);
    let scan = TeamOutboundScan::for_share(&share, &place.project, context.dirs()?);
    let PendingFiles {
        mut waiting,
        mut blocked,
    } = pending_review::waiting_files(&standing, &unseen, &mut files, &scan)?;
    if args.keys.is_empty() && !args.all {
        for (_, why) in blocked {
            context.print_warning(TeamError::Blocked(why));
        }
        return print_waiting(&waiting, &standing, &mut files, context);
    }
    context.require_person(PersonOnlyError::Sharing)?;
    require_enabled(&place)?;
    let wanted = args.keys.iter().map(|text| parse_key(text));
    let wanted: Vec<EntryKey> = wanted.collect::<Result<_, _>>()?;
    let is_waiting = |key: &EntryKey| {
        let blocked = blocked.iter().map(|(key, _)| key);
        let mut all = waiting.iter().map(|one| &one.key).chain(blocked);
        all.any(|one| one == key)
    };
    if let Some(key) = wanted.iter().find(|&key| !is_waiting(key)) {
        return Err(TeamError::NotInReview(shown_key(key)).into());
    }
    waiting.retain(|one| args.all || wanted.contains(&one.key));
    blocked.retain(|(key, _)| args.all || wanted.contains(key));
    if !args.dry_run {
        let contents = waiting.iter().map(|one| (&one.key, one.sha256));
        unseen.approve_contents(contents)?;
    }
    let approved: Vec<&EntryKey> = waiting.iter().map(|one| &one.key).collect();
    let printer = &context.printer;
    if printer.json {
        let approved: Vec<String> = approved.into_iter().map(shown_key).collect();
        printer.print_json(&json!({ "approved": approved, "dry_run": args.dry_run }))?;
        return Ok(print_blocked(blocked, context));
    }
    let goes = if args.dry_run { "would go" } else { "goes" };
    for key in approved {
        printer.line(format_args!(
            "{goes} with the next sync  {}",
            shown_key(key)
        ))?;
    }
    Ok(print_blocked(blocked, context))
}

/// Names the files that no review lets go, and says how the command ends.
fn print_blocked(blocked: Vec<(EntryKey, BlockedFile)>, context: &Context) -> Exit {
    let mut exit = Exit::Ok;
    for (_, why) in blocked {
        let end = print_failure(&TeamError::Blocked(why), context);
        if exit != Exit::Secrets {
            exit = end;
        }
    }
    exit
}

/// Shows each file as it differs from what the remote has, as far as the history here knows that.
fn print_waiting(
    waiting: &[WaitingFile],
    standing: &ShareStatus,
    files: &mut StoreFiles,
    context: &Context,
) -> Result<Exit> {
    let printer = &context.printer;
    let mut diff = |one: &WaitingFile| {
        let shared = match standing.state.remote_of(&one.key) {
            Some(KnownKey::At(there)) => files.earlier(&one.key, there),
            _ => None,
        };
        unified_diff(&shown_key(&one.key), shared.as_deref(), Some(&one.bytes))
    };
    if printer.json {
        let all = waiting.iter();
        let all = all.map(|one| json!({ "file": shown_key(&one.key), "diff": diff(one) }));
        let all: Vec<Value> = all.collect();
        printer.print_json(&json!({ "waiting": all }))?;
        return Ok(Exit::Ok);
    }
    if waiting.is_empty() {
        printer.say("no file waits for a review");
    }
    for one in waiting {
        printer.line(paint_diff(&diff(one)))?;
    }
    Ok(Exit::Ok)
}
