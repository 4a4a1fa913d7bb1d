//! `mem team log`: who changed what at the remote.

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_sync::EntryKey;
use mem_sync::remote::RemoteError;
use mem_sync::wire::ChangeLogEntry;
use mem_team::log;
use mem_team::named_key::parse_key;
use mem_team::outbound_scan::shown_key;
use mem_team::remote;
use mem_team::settings::{self, TeamShare};
use serde_json::{Value, json};

use crate::changes;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;
use crate::style::FAINT;
use crate::team::sync_progress::SyncProgress;

/// What is shown where nobody asks for more.
const LIMIT: &str = "20";

/// Tell who changed what, the newest first
///
/// Asks the remote. Where that does not answer, or keeps no log, what came from it and was deleted for
/// everybody from here is told by the local history instead, and said so.
///
/// With --json: {"changes":[{"key","operation","sha256","size_bytes","actor","at","version",
/// "redacted_at","redacted_by","reason"}],"local":false}; with "local":true the changes are those of
/// `mem history --json`.
///
/// Example: mem team log project_freeze.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The changes of this file only
    #[arg(value_name = "KEY")]
    key: Option<String>,
    /// How many at most; 0 for all
    #[arg(long, short = 'n', value_name = "COUNT", default_value = LIMIT)]
    limit: usize,
}

/// Asks and prints.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let share = settings::team_share(&place, context)?;
    let key = args.key.as_deref().map(parse_key).transpose()?;
    let limit = match args.limit {
        0 => usize::MAX,
        limit => limit,
    };
    match of_remote(&share, &place, context, key.as_ref(), limit) {
        Ok(entries) => print_entries(&entries, context),
        Err(error) => match error.downcast_ref::<RemoteError>() {
            Some(why) if log::is_silent(why) => {
                context.print_warning(format_args!("told by the local history: {why}"));
                print_local(&share, context, key.as_ref(), limit)
            }
            _ => Err(error),
        },
    }
}

fn of_remote(
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
    key: Option<&EntryKey>,
    limit: usize,
) -> Result<Vec<ChangeLogEntry>> {
    let _talk = SyncProgress::begin_sync("asking for the log", share, context);
    let mut remote = remote::open_remote(share, place, context)?;
    Ok(log::read_changes(remote.as_mut(), key, limit)?)
}

fn print_entries(entries: &[ChangeLogEntry], context: &Context) -> Result<Exit> {
    let printer = &context.printer;
    if printer.json {
        let changes: Vec<Value> = entries.iter().map(entry_json).collect();
        printer.print_json(&json!({ "changes": changes, "local": false }))?;
        return Ok(Exit::Ok);
    }
    if entries.is_empty() {
        printer.say("nothing happened there yet");
    }
    for entry in entries {
        let redacted = match &entry.redacted_by {
            Some(by) => format!("  (redacted by {})", one_line(by)),
            None => String::new(),
        };
        let reason = match &entry.reason {
            Some(reason) => format!("  ({})", one_line(reason)),
            None => String::new(),
        };
        printer.line(format_args!(
            "{FAINT}{}{FAINT:#}  {:<8}  {}  {}{reason}{redacted}",
            one_line(&entry.at),
            entry.operation.as_str(),
            one_line(&entry.actor),
            shown_key(&entry.key),
        ))?;
    }
    Ok(Exit::Ok)
}

/// A change, with its key as it may be shown.
fn entry_json(entry: &ChangeLogEntry) -> Value {
    let mut shape = json!(entry);
    shape["key"] = shown_key(&entry.key).into();
    shape
}

/// What the history here knows of the team.
fn print_local(
    share: &TeamShare,
    context: &Context,
    key: Option<&EntryKey>,
    limit: usize,
) -> Result<Exit> {
    let found = log::local_changes(share, key, limit)?;
    let printer = &context.printer;
    if printer.json {
        let shown = found
            .iter()
            .map(|entry| changes::change_json(&entry.change, false));
        let shown: Vec<Value> = shown.collect();
        printer.print_json(&json!({ "changes": shown, "local": true }))?;
        return Ok(Exit::Ok);
    }
    for entry in &found {
        printer.line(changes::change_line(&entry.change))?;
    }
    Ok(Exit::Ok)
}
