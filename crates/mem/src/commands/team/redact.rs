//! `mem team redact`: take what a memory held, and its name, out of the remote's history.

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::remote::{Remote as _, RemoteError};
use mem_sync::wire::{RedactBody, Redacted};
use serde_json::json;

use super::log::key_of;
use super::{redact_names, redact_preview};
use crate::context::Context;
use crate::counted::counted;
use crate::exit::Exit;
use crate::opened::require_enabled;
use crate::sanitize::one_line;
use crate::team::error::TeamError;
use crate::team::remote;
use crate::team::screen::{is_hidden, shown};
use crate::team::settings::Share;
use crate::team::talk::Talk;

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
    choice: Choice,
}

/// What is to be redacted.
#[derive(clap::Args, Debug)]
pub(crate) struct Choice {
    /// The file, as it is named in its tier
    #[arg(value_name = "KEY", required_unless_present = "names")]
    key: Option<String>,
    /// Its name as well
    #[arg(long)]
    name: bool,
    /// Every name that holds a secret, with what stands under it
    #[arg(long, conflicts_with_all = ["key", "name"])]
    names: bool,
    /// Do not ask
    #[arg(long, short)]
    pub(super) yes: bool,
    /// Tell what would be done, and do nothing
    #[arg(long)]
    pub(super) dry_run: bool,
}

/// Asks, redacts, and says what is out of reach.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    require_enabled(&place)?;
    let share = context.team(&place)?;
    of_share(&args.choice, &share, &place, context)
}

/// The same of any tier that is shared.
pub(crate) fn of_share(
    choice: &Choice,
    share: &Share,
    place: &Place,
    context: &Context,
) -> Result<Exit> {
    let Some(key) = &choice.key else {
        return redact_names::of_share(choice, share, place, context);
    };
    let key = key_of(key)?;
    let name = shown(&key);
    let is_in_name = is_hidden(&name);
    let what = match choice.name || is_in_name {
        true => RedactBody::name(&key),
        false => RedactBody::contents(&key),
    };
    if !choice.dry_run {
        context.confirm(&question(&what, &name), choice.yes)?;
    }
    let redacted = ask(&what, &name, choice.dry_run, share, place, context)?;
    if context.printer.json {
        let (count, note) = (redacted.redacted, &redacted.note);
        context.printer.json(&json!({
            "key": name, "redacted": count, "note": note, "name_holds_secret": is_in_name,
            "name_redacted": redacted.name, "dry_run": choice.dry_run,
        }))?;
        return Ok(Exit::Ok);
    }
    if choice.dry_run {
        let versions = versions(&redacted);
        let and_name = if redacted.name { ", and its name" } else { "" };
        let text = format_args!("would take {versions} of {name}{and_name} out of the remote");
        context.printer.line(text)?;
        return Ok(Exit::Ok);
    }
    tell(&redacted, &what, &name, context)?;
    Ok(Exit::Ok)
}

fn question(what: &RedactBody, name: &str) -> String {
    let and_name = if what.name { ", and its name," } else { "" };
    format!("take every earlier content of {name}{and_name} out of the remote, for good?")
}

fn ask(
    what: &RedactBody,
    name: &str,
    is_dry: bool,
    share: &Share,
    place: &Place,
    context: &Context,
) -> Result<Redacted> {
    let mut remote = remote::open(share, place, context)?;
    let (doing, redacted);
    if is_dry {
        doing = Talk::begin("looking at what the remote holds", share, context);
        redacted = redact_preview::of(remote.as_mut(), what);
    } else {
        doing = Talk::begin("rewriting what the remote holds", share, context);
        redacted = remote.redact(what);
    }
    drop(doing);
    match redacted {
        Err(RemoteError::NotFound) => {
            let repository = share.repository.name().to_owned();
            let key = name.to_owned();
            Err(TeamError::NeverThere { key, repository }.into())
        }
        Err(RemoteError::InTheWay(_)) if what.name => {
            let (key, command) = (name.to_owned(), share.command);
            Err(TeamError::NameStands { key, command }.into())
        }
        redacted => Ok(redacted.map_err(TeamError::of_redaction)?),
    }
}

fn tell(redacted: &Redacted, what: &RedactBody, name: &str, context: &Context) -> Result<()> {
    let printer = &context.printer;
    let versions = versions(redacted);
    let and_name = if redacted.name {
        ", and its name is gone"
    } else {
        ""
    };
    let are_without = match redacted.redacted {
        1 => "is without its content",
        _ => "are without their content",
    };
    printer.line(format_args!(
        "{versions} of {name} {are_without} now{and_name}"
    ))?;
    if !redacted.note.is_empty() {
        printer.warn(one_line(&redacted.note));
    }
    match (what.name, redacted.name) {
        (true, false) => printer.warn(
            "the remote is of an earlier version: its name stays, in the remote's log and in what it keeps of \
             deletions so that old copies do not come back",
        ),
        (true, true) if !is_hidden(name) => printer.warn(
            "a machine that has not synchronised since the deletion still has the file, and sends it again",
        ),
        _ => {}
    }
    warn_of_copies(context);
    Ok(())
}

fn versions(redacted: &Redacted) -> String {
    let count = usize::try_from(redacted.redacted).unwrap_or(usize::MAX);
    counted(count, "version", "versions")
}

/// What no redaction reaches.
pub(super) fn warn_of_copies(context: &Context) {
    context.printer.warn(
        "machines that took it have it in their own histories (`mem redact` there), and whoever read \
         it knows it: change the value",
    );
}
