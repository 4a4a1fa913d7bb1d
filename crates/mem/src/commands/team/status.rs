//! `mem team status`: how things stand, from what is known here.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::memory_path::printable;
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;
use mem_sync::remote::git;
use mem_team::outbound_scan::{shown_key, shown_refusal};
use mem_team::settings::{self, TeamShare};
use mem_team::share_status::ShareStatus;
use serde_json::{Value, json};

use crate::age::age_text;
use crate::commands::daemon::daemon_line;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::{clean, one_line};
use crate::style::{HINT, STRONG, WARNING};
use crate::team::report::file_lines;
use mem_core::plural::format_count;
use mem_daemon::daemon_view::DaemonView;
use mem_daemon::instance::DaemonInstance;

/// Tell what waits and why, without asking the remote
///
/// With --json: {"remote","repository","shared","waiting":[{"file","why"}],"to_take":[],"turned_down":[],
/// "conflicts":[],"deleting":[],"not_taken":[{"file","why"}],"not_shared":[{"file","why"}],"synced_at","tried_at",
/// "error","offline","unfinished","damaged":[]}; "unfinished": a run was ended before what is gone from a git remote
/// was removed from the copy of it here; "damaged" has copies of what was remembered that could not be read.
///
/// Example: mem team status
#[derive(clap::Args, Debug)]
pub(crate) struct Args {}

/// Prints it.
pub(crate) fn run(_: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = settings::team_share(&place, context)?;
    let standing = ShareStatus::for_share(&share, &place, context)?;
    if context.printer.json {
        context.print_json(&status_json(&share, &standing))?;
    } else {
        for line in status_lines(&share, &standing, context) {
            context.line(line)?;
        }
        let look = DaemonView::of_place(&DaemonInstance::for_memory(&place, context)?.place);
        if look.pid.is_none() && standing.has_unsent() {
            context.line(format_args!(
                "    {HINT}hint{HINT:#}: no daemon runs: `{}` sends what may be sent",
                share.sync()
            ))?;
        }
        if look.is_relevant(&place) {
            let text = daemon_line(&look, context);
            context.line(format_args!("  daemon: {text}"))?;
        }
    }
    Ok(Exit::Ok)
}

/// What a person rejected, and how it can be had or given back all the same.
fn rejected(standing: &ShareStatus) -> Vec<String> {
    let mut lines = file_lines("  was rejected", standing.rejected.iter().map(shown_key));
    if lines.is_empty() {
        return lines;
    }
    let mut hint = |text: &str| lines.push(format!("    {HINT}hint{HINT:#}: {text}"));
    hint("`mem inbox list --rejected` shows it; a later text is asked about again");
    let is_gone = |key: &EntryKey| matches!(standing.state.remote_of(key), Some(KnownKey::Gone(_)));
    if standing.rejected.iter().any(is_gone) {
        hint("what was deleted comes back for everybody by `mem inbox accept` and `mem undo`");
    }
    lines
}

/// The lines for people.
pub(crate) fn status_lines(
    share: &TeamShare,
    standing: &ShareStatus,
    context: &Context,
) -> Vec<String> {
    let (repository, address) = (share.repository.name(), share.address.to_string());
    let mut lines = vec![format!(
        "{STRONG}{}{STRONG:#} at {}: {}",
        clean(repository),
        clean(&address),
        format_count(standing.shared(), "memory", "memories")
    )];
    let outcome = &standing.outcome;
    lines.push(match outcome.synced_at {
        Some(time) => format!("  compared {}", age_phrase(&age_text(context.now, time))),
        None => format!("  never compared: `{}` does", share.sync()),
    });
    if let Some(error) = &outcome.error {
        let word = if outcome.is_offline {
            "offline"
        } else {
            "stopped"
        };
        lines.push(format!("  {WARNING}{word}{WARNING:#}: {}", one_line(error)));
    }
    lines.extend(unfinished_line(share));
    let because = |why: &Option<String>| {
        let why = why.as_deref().map(one_line);
        why.map_or(String::new(), |why| format!(": {why}"))
    };
    let waiting = standing.waiting.iter();
    let waiting = waiting.map(|(key, why)| format!("{}{}", shown_key(key), because(why)));
    lines.extend(file_lines("  waits to be sent", waiting));
    lines.extend(file_lines(
        "  waits to be taken",
        standing.to_come().into_iter().map(shown_key),
    ));
    lines.extend(rejected(standing));
    let deleting = standing.deleting.iter().map(shown_key);
    lines.extend(file_lines("  waits to be deleted", deleting));
    let told = |(file, why): (&String, &String)| format!("{}: {}", printable(file), one_line(why));
    let refused = standing.outcome.not_taken();
    let refused = refused.map(|(file, why)| shown_refusal(file, why));
    let refused = refused.map(|(file, why)| format!("{file}: {}", one_line(&why)));
    let refused: Vec<String> = refused.collect();
    lines.extend(file_lines("  not taken", refused.into_iter()));
    let unshared = standing
        .unshared
        .iter()
        .map(|(file, why)| told((file, why)));
    lines.extend(file_lines("  not shared", unshared));
    if !standing.state.conflicts.is_empty() {
        for conflict in &standing.state.conflicts {
            lines.push(format!(
                "  {WARNING}gave way{WARNING:#}  {}",
                shown_key(&conflict.key)
            ));
        }
        lines.push(format!(
            "    {HINT}hint{HINT:#}: `{}` shows both texts",
            share.resolve()
        ));
    }
    lines.extend(damaged_lines(&standing.damaged));
    lines
}

/// What a run that was ended has left in the copy of a git remote.
fn unfinished_line(share: &TeamShare) -> Option<String> {
    git::is_unfinished(&share.place.git()).then(|| {
        format!(
            "  {WARNING}unfinished{WARNING:#}: a run was ended, and what is gone from the remote may still be in the copy \
             of it here\n    {HINT}hint{HINT:#}: `{}` removes it",
            share.sync()
        )
    })
}

/// Copies that were set aside, and what they are good for.
fn damaged_lines(copies: &[PathBuf]) -> Vec<String> {
    let named = copies
        .iter()
        .map(|path| clean(&path.to_string_lossy()).into_owned());
    let mut lines: Vec<String> = named
        .map(|path| format!("  {WARNING}damaged{WARNING:#}  {path}"))
        .collect();
    if !lines.is_empty() {
        lines.push(format!(
            "    {HINT}hint{HINT:#}: texts that gave way before may stand in it: look at it, then remove it"
        ));
    }
    lines
}

fn age_phrase(age: &str) -> String {
    match age.contains(' ') {
        true => format!("{age} ago"),
        false => age.to_owned(),
    }
}

/// The stable shape.
pub(crate) fn status_json(share: &TeamShare, standing: &ShareStatus) -> Value {
    let (state, outcome) = (&standing.state, &standing.outcome);
    let waiting = standing.waiting.iter();
    let waiting = waiting.map(|(key, why)| json!({ "file": shown_key(key), "why": why }));
    let told = |(file, why): (&String, &String)| json!({ "file": printable(file), "why": why });
    let refused = outcome.not_taken();
    let refused = refused.map(|(file, why)| shown_refusal(file, why));
    let refused = refused.map(|(file, why)| told((&file, &why)));
    let unshared = standing
        .unshared
        .iter()
        .map(|(file, why)| told((file, why)));
    json!({
        "remote": share.address.to_string(), "repository": share.repository.name(),
        "shared": standing.shared(), "waiting": waiting.collect::<Vec<_>>(),
        "to_take": standing.to_come().into_iter().map(shown_key).collect::<Vec<_>>(),
        "turned_down": standing.rejected.iter().map(shown_key).collect::<Vec<_>>(),
        "conflicts": state.conflicts.iter().map(|one| shown_key(&one.key)).collect::<Vec<_>>(),
        "deleting": standing.deleting.iter().map(shown_key).collect::<Vec<_>>(),
        "not_taken": refused.collect::<Vec<_>>(),
        "not_shared": unshared.collect::<Vec<_>>(),
        "synced_at": outcome.synced_at.map(|time| time.to_string()),
        "tried_at": outcome.tried_at.map(|time| time.to_string()),
        "error": outcome.error, "offline": outcome.is_offline,
        "unfinished": git::is_unfinished(&share.place.git()),
        "damaged": standing.damaged.iter().map(|path| path.to_string_lossy()).collect::<Vec<_>>(),
    })
}
