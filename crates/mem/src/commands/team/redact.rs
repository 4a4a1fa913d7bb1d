//! `mem team redact`: take what a memory held out of the remote's history.

use anyhow::Result;
use mem_core::location::Place;
use mem_sync::remote::{Remote as _, RemoteError};
use serde_json::json;

use super::log::key_of;
use crate::context::Context;
use crate::counted::counted;
use crate::exit::Exit;
use crate::opened::require_enabled;
use crate::person::ForAPerson;
use crate::sanitize::one_line;
use crate::team::error::TeamError;
use crate::team::remote;
use crate::team::screen::shown;
use crate::team::settings::Share;
use crate::team::talk::Talk;

/// Take what a memory held out of the remote's history
///
/// For a value that leaked. Write or delete the memory first: what it holds now stays, every earlier
/// content goes from the remote. Colleagues who took it have it in the history of their own machines:
/// `mem redact` there. Change the value wherever it is used: what was out once is known.
///
/// The name of the file stays, in the remote's log and where it keeps what was deleted.
///
/// With --json: {"key","redacted","note","name_holds_secret"}.
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
    let name = shown(&key);
    let is_in_name = name != key.as_str();
    let question = format!("take every earlier content of {name} out of the remote, for good?");
    context.confirm(&question, choice.yes)?;
    let mut remote = remote::open(share, place, context)?;
    let talk = Talk::begin("rewriting what the remote holds", share, context);
    let redacted = remote.redact(&key);
    drop(talk);
    let redacted = match redacted {
        Err(RemoteError::NotFound) => {
            let repository = share.repository.name().to_owned();
            return Err(TeamError::NeverThere {
                key: name,
                repository,
            }
            .into());
        }
        redacted => redacted?,
    };
    let printer = &context.printer;
    if printer.json {
        let (count, note) = (redacted.redacted, &redacted.note);
        printer.json(&json!({
            "key": name, "redacted": count, "note": note, "name_holds_secret": is_in_name,
        }))?;
        return Ok(Exit::Ok);
    }
    let versions = usize::try_from(redacted.redacted).unwrap_or(usize::MAX);
    printer.line(format_args!(
        "{} of {name} are without their content now",
        counted(versions, "version", "versions")
    ))?;
    if !redacted.note.is_empty() {
        printer.warn(one_line(&redacted.note));
    }
    if is_in_name {
        printer.warn(
            "its name holds a secret as well, and names stay: in the remote's log, and in what it keeps of \
             deletions so that old copies do not come back",
        );
    }
    printer.warn(
        "machines that took it have it in their own histories (`mem redact` there), and whoever read \
         it knows it: change the value",
    );
    Ok(Exit::Ok)
}
