//! `mem team review`: let go what agents wrote.

use anyhow::Result;
use mem_core::history::Sha256;
use mem_sync::Key;
use mem_sync::decide::Known;
use mem_sync::files::Files as _;
use serde_json::{Value, json};

use super::log::key_of;
use crate::context::Context;
use crate::exit::Exit;
use crate::opened::require_enabled;
use crate::person::ForAPerson;
use crate::team::error::TeamError;
use crate::team::files::StoreFiles;
use crate::team::review::Unseen;
use crate::team::screen::shown;
use crate::team::standing::Standing;
use crate::unified::{painted, unified};

/// Let go what agents wrote
///
/// With the setting `team.push = "review"` what agents wrote here is not sent before you have looked at
/// it. Without a file this shows what waits; with files, or --all, the next sync sends them as they are
/// now. What an agent writes later waits again.
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

/// A file that waits.
struct Waiting {
    key: Key,
    sha256: Sha256,
    /// From what the remote has, as far as the history here knows it.
    diff: String,
}

/// Shows or approves.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = context.team(&place)?;
    let standing = Standing::of(&share, &place, context)?;
    let gate = context.secret_gate(&place);
    let mut files = StoreFiles::new(share.store.clone(), share.tier, gate, context.now);
    files.list()?;
    let mut unseen = Unseen::of(&share);
    let mut waiting: Vec<Waiting> = Vec::new();
    for (key, _) in &standing.waiting {
        let Some(bytes) = files.read(key)? else {
            continue;
        };
        let sha256 = Sha256::of(&bytes);
        if unseen.holds(key, sha256) {
            let shared = match standing.state.remote_of(key) {
                Some(Known::At(there)) => files.earlier(key, there),
                _ => None,
            };
            waiting.push(Waiting {
                key: key.clone(),
                sha256,
                diff: unified(&shown(key), shared.as_deref(), Some(&bytes)),
            });
        }
    }
    if args.keys.is_empty() && !args.all {
        return show(&waiting, context);
    }
    context.require_person(ForAPerson::Sharing)?;
    require_enabled(&place)?;
    let wanted = args.keys.iter().map(|text| key_of(text));
    let wanted: Vec<Key> = wanted.collect::<Result<_, _>>()?;
    if let Some(key) = wanted
        .iter()
        .find(|key| waiting.iter().all(|one| one.key != **key))
    {
        return Err(TeamError::NotInReview(shown(key)).into());
    }
    waiting.retain(|one| args.all || wanted.contains(&one.key));
    for one in waiting.iter().filter(|_| !args.dry_run) {
        unseen.approve(&one.key, one.sha256)?;
    }
    let approved: Vec<&Key> = waiting.iter().map(|one| &one.key).collect();
    let printer = &context.printer;
    if printer.json {
        let approved: Vec<String> = approved.into_iter().map(shown).collect();
        printer.json(&json!({ "approved": approved, "dry_run": args.dry_run }))?;
        return Ok(Exit::Ok);
    }
    let goes = if args.dry_run { "would go" } else { "goes" };
    for key in approved {
        printer.line(format_args!("{goes} with the next sync  {}", shown(key)))?;
    }
    Ok(Exit::Ok)
}

fn show(waiting: &[Waiting], context: &Context) -> Result<Exit> {
    let printer = &context.printer;
    if printer.json {
        let all = waiting.iter();
        let all = all.map(|one| json!({ "file": shown(&one.key), "diff": one.diff }));
        let all: Vec<Value> = all.collect();
        printer.json(&json!({ "waiting": all }))?;
        return Ok(Exit::Ok);
    }
    if waiting.is_empty() {
        printer.say("nothing waits");
    }
    for one in waiting {
        printer.line(painted(&one.diff))?;
    }
    Ok(Exit::Ok)
}
