//! `mem team redact`: take what a memory held, and its name, out of the remote's history.

use std::collections::BTreeSet;

use anyhow::Result;
use mem_core::location::ProjectContext;
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_sync::EntryKey;
use mem_sync::outbound_scan::OutboundScan as _;
use mem_sync::remote::{Remote, RemoteError};
use mem_sync::wire::{RedactBody, RedactOutcome};
use mem_team::error::TeamError;
use mem_team::named_key::parse_key;
use mem_team::outbound_scan::{TeamOutboundScan, is_hidden, shown_key};
use mem_team::redact::{fetch_state, preview_redaction, redact_names};
use mem_team::remote;
use mem_team::settings::{self, TeamShare};
use mem_team::share_status::ShareStatus;
use serde_json::json;

use crate::confirm;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::one_line;
use crate::team::sync_progress::SyncProgress;
use mem_core::plural::format_count;

/// What whoever waits is told.
const REWRITING: &str = "rewriting what the remote holds";

/// Take what a memory held out of the remote's history
///
/// For a value that leaked. Write or delete the memory first: what it holds now stays, every earlier
/// content goes from the remote. Colleagues who took it have it in the history of their own machines:
/// `mem redact` there. Change the value wherever it is used: what was out once is known.
///
/// The name of the file stays, in the remote's log and where it keeps what was deleted, so that old
/// copies do not come back. A name that holds a secret goes as well once the memory is deleted, and so
/// does any other with --name; a machine that has not synchronised since the deletion then still has the
/// file, and sends it again unless its name holds a secret. --names takes care of every name at the
/// remote that holds a secret: what stands under it is deleted for everybody, and goes with it.
///
/// With --json: {"key","redacted","note","name_holds_secret","name_redacted","dry_run"}, or with --names:
/// {"names","deleted","redacted","note","dry_run"}.
///
/// Example: mem team redact reference_deploy.md
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    choice: RedactChoice,
}

/// What is to be redacted.
#[derive(clap::Args, Debug)]
pub(crate) struct RedactChoice {
    /// The file, as it is named in its tier
    #[arg(value_name = "KEY", required_unless_present = "names")]
    key: Option<String>,
    /// Its name as well
    #[arg(long)]
    name: bool,
    /// Every name that holds a secret, with what stands under it
    #[arg(long, conflicts_with_all = ["key", "name"])]
    names: bool,
    #[command(flatten)]
    how: confirm::RemovalArgs,
}

/// Asks, redacts, and says what is out of reach.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.enabled_place()?;
    let share = settings::team_share(&place, context)?;
    of_share(&args.choice, &share, &place, context)
}

/// The same of any tier that is shared.
pub(crate) fn of_share(
    choice: &RedactChoice,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    match &choice.key {
        Some(key) => of_key(&parse_key(key)?, choice, share, place, context),
        None => of_names(&choice.how, share, place, context),
    }
}

fn of_key(
    key: &EntryKey,
    choice: &RedactChoice,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    let (name, is_dry) = (shown_key(key), choice.how.dry_run);
    let is_in_name = is_hidden(&name);
    let (what, and_name) = match choice.name || is_in_name {
        true => (RedactBody::for_name(key), ", and its name,"),
        false => (RedactBody::for_contents(key), ""),
    };
    if !is_dry {
        let question =
            format!("take every earlier content of {name}{and_name} out of the remote, for good?");
        context.require_confirmation(&question, choice.how.yes)?;
    }
    let mut remote = remote::open_remote(share, place, context)?;
    let done = match is_dry {
        true => {
            let _talk =
                SyncProgress::begin_sync("looking at what the remote holds", share, context);
            preview_redaction(remote.as_mut(), &what)
        }
        false => {
            let _talk = SyncProgress::begin_sync(REWRITING, share, context);
            remote.redact_key(&what)
        }
    };
    let taken = done.map_err(|error| match error {
        RemoteError::NotFound => {
            let (key, repository) = (name.clone(), share.repository.name().to_owned());
            TeamError::NeverThere { key, repository }
        }
        RemoteError::InTheWay(_) if what.name => {
            let (key, command) = (name.clone(), share.command);
            TeamError::NameStands { key, command }
        }
        RemoteError::InTheWay(why) => match unsent_remedy(key, share, place, context) {
            Some(remedy) => TeamError::ChangeNotSent {
                key: name.clone(),
                remedy,
            },
            None => RemoteError::InTheWay(why).into(),
        },
        error => TeamError::of_redaction(error),
    })?;
    let text = outcome_text(&name, &taken, is_dry);
    let json = json!({
        "key": name, "redacted": taken.redacted, "note": taken.note, "name_holds_secret": is_in_name,
        "name_redacted": taken.name, "dry_run": is_dry,
    });
    let printer = &context.printer;
    printer.print_answer(&json, text)?;
    if !printer.json && !is_dry {
        if taken.name && !is_in_name {
            printer.print_warning(
                "a machine that has not synchronised since the deletion still has the file, and sends it again",
            );
        }
        if let Some(remedy) = unsent_remedy(key, share, place, context) {
            print_unsent(&name, &remedy, context);
        }
        print_indexes(key, share, remote.as_mut(), context);
        print_limits(what.name && !taken.name, &taken.note, context);
    }
    Ok(Exit::Ok)
}

/// How a change of a file here that has not left gets sent, or why it does not leave. `None` where there is none, or the
/// memory cannot be read: the remote is cleaned all the same. Lines of an index that stay here are no such change.
fn unsent_remedy(
    key: &EntryKey,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Option<String> {
    let status = ShareStatus::for_share(share, place, context).ok()?;
    let mut waiting = status.waiting.into_iter();
    match waiting.find(|(waiting, _)| waiting == key)? {
        (_, Some(_)) if key.is_index() => None,
        (_, Some(why)) => Some(one_line(&why)),
        (_, None) => Some(format!("run `{}`, then this again", share.sync())),
    }
}

fn print_unsent(name: &str, remedy: &str, context: &Context) {
    context.print_warning(format_args!(
        "what the remote holds of {name} now stays, and the change here is not sent yet: {remedy}"
    ));
}

/// What became of the versions and the name of a file, in words.
fn outcome_text(name: &str, taken: &RedactOutcome, is_dry: bool) -> String {
    let count = usize::try_from(taken.redacted).unwrap_or(usize::MAX);
    let versions = format_count(count, "version", "versions");
    match (is_dry, taken.name) {
        (true, true) => format!("would take {versions} of {name}, and its name out of the remote"),
        (true, false) => format!("would take {versions} of {name} out of the remote"),
        (false, has_name) => {
            let are_without = match count {
                1 => "is without its content",
                _ => "are without their content",
            };
            let and_name = if has_name {
                ", and its name is gone"
            } else {
                ""
            };
            format!("{versions} of {name} {are_without} now{and_name}")
        }
    }
}

/// Names the indexes of a memory's folder that have earlier contents at the remote.
fn print_indexes(key: &EntryKey, share: &TeamShare, remote: &mut dyn Remote, context: &Context) {
    if key.is_index() {
        return;
    }
    let folder = key.as_str().rfind('/').map_or(0, |slash| slash + 1);
    for index in [INDEX_FILE, ARCHIVE_FILE] {
        let index = format!("{}{index}", &key.as_str()[..folder]);
        let Ok(index) = EntryKey::parse(&index) else {
            continue;
        };
        let earlier = preview_redaction(remote, &RedactBody::for_contents(&index));
        if earlier.is_ok_and(|earlier| earlier.redacted > 0) {
            context.print_warning(format_args!(
                "earlier contents of {index} may hold its title and description: `{} redact {index}` takes them out",
                share.command
            ));
        }
    }
}

/// Takes out the names that hold a secret. Nobody takes such a file, and nothing shows its name: so nobody can be asked
/// to write that down, where a shell would keep it.
fn of_names(
    how: &confirm::RemovalArgs,
    share: &TeamShare,
    place: &ProjectContext,
    context: &Context,
) -> Result<Exit> {
    let mut remote = remote::open_remote(share, place, context)?;
    let talk = SyncProgress::begin_sync("looking at the remote's names", share, context);
    let (etag, answer) = fetch_state(remote.as_mut(), BTreeSet::new())?;
    drop(talk);
    let screen = TeamOutboundScan::for_share(share, &place.project, context.dirs()?);
    let mut names = BTreeSet::new();
    for key in answer.entries.keys().chain(answer.deleted.keys()) {
        if !screen.find_leaks(key, "")?.is_empty() {
            names.insert(key.clone());
        }
    }
    let live = names.iter().filter(|key| answer.entries.contains_key(*key));
    let live: BTreeSet<EntryKey> = live.cloned().collect();
    let deleted = live.len();
    let files = format_count(deleted, "file", "files");
    // What would go, or went: versions and names, and what the remote could not reach, for people.
    let (mut versions, mut count, mut note) = (0, names.len(), String::new());
    if !names.is_empty() && !how.dry_run {
        let holding = format_count(names.len(), "name that holds", "names that hold");
        let question = format!(
            "delete {files} for everybody, and take {holding} a secret out of the remote, for good?"
        );
        context.require_confirmation(&question, how.yes)?;
        let _talk = SyncProgress::begin_sync(REWRITING, share, context);
        let done = redact_names(remote.as_mut(), &names, live, &etag);
        let done = done.map_err(TeamError::of_redaction)?;
        versions = done.iter().map(|one| one.redacted).sum();
        count = done.iter().filter(|one| one.name).count();
        note = done.into_iter().next_back().unwrap_or_default().note;
    }
    let text = if names.is_empty() {
        Some("no name at the remote holds a secret".to_owned())
    } else if how.dry_run {
        let names = format_count(count, "name", "names");
        Some(format!(
            "would delete {files} for everybody, and take {names} out of the remote"
        ))
    } else {
        let gone = format_count(count, "name is", "names are");
        let text = || format!("{gone} out of the remote now, with what stood there");
        (count > 0).then(text)
    };
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({
            "names": count, "deleted": deleted, "redacted": versions, "note": note,
            "dry_run": how.dry_run,
        }))?;
        return Ok(Exit::Ok);
    }
    text.map_or(Ok(()), |text| printer.line(text))?;
    if !names.is_empty() && !how.dry_run {
        print_limits(count < names.len(), &note, context);
    }
    Ok(Exit::Ok)
}

/// Tells what no redaction reaches; `is_name_left`: a server of an earlier version leaves names.
fn print_limits(is_name_left: bool, note: &str, context: &Context) {
    let printer = &context.printer;
    if is_name_left {
        printer.print_warning(
            "the remote is of an earlier version: its names stay, in its log and in what it keeps of deletions so \
             that old copies do not come back",
        );
    }
    if !note.is_empty() {
        printer.print_warning(one_line(note));
    }
    printer.print_warning(
        "machines that took it have it in their own histories (`mem redact` there), and whoever read it knows it: \
         change the value",
    );
}
