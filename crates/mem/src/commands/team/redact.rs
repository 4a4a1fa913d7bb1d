//! `mem team redact`: take what a memory held out of the remote's history.

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::remote::Remote as _;
use serde_json::json;

use super::log::key_of;
use crate::context::Context;
use crate::counted::counted;
use crate::exit::Exit;
use crate::opened::require_enabled;
use crate::person::ForAPerson;
use crate::sanitize::one_line;
use crate::team::remote;
use crate::team::settings::Share;
use crate::team::talk::Talk;

/// Take what a memory held out of the remote's history
///
/// For a value that leaked. Write or delete the memory first: what it holds now stays, every earlier
/// content goes from the remote. Colleagues who took it have it in the history of their own machines:
/// `mem redact` there. Change the value wherever it is used: what was out once is known.
///
/// With --json: {"key","redacted","note"}.
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
    #[arg(value_name = "KEY")]
    key: String,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// Asks, redacts, and says what is out of reach.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    context.require_person(ForAPerson::Sharing)?;
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
    let key = key_of(&choice.key)?;
    let question = format!("take every earlier content of {key} out of the remote, for good?");
    context.confirm(&question, choice.yes)?;
    let mut remote = remote::open(share, place, context)?;
    let talk = Talk::begin("rewriting what the remote holds", share, context);
    let redacted = remote.redact(&key)?;
    drop(talk);
    let printer = &context.printer;
    if printer.json {
        let (count, note) = (redacted.redacted, &redacted.note);
        printer.json(&json!({ "key": key, "redacted": count, "note": note }))?;
        return Ok(Exit::Ok);
    }
    let versions = usize::try_from(redacted.redacted).unwrap_or(usize::MAX);
    printer.line(format_args!(
        "{} of {key} are without their content now",
        counted(versions, "version", "versions")
    ))?;
    if !redacted.note.is_empty() {
        printer.warn(one_line(&redacted.note));
    }
    printer.warn(
        "machines that took it have it in their own histories (`mem redact` there), and whoever read \
         it knows it: change the value",
    );
    Ok(Exit::Ok)
}
