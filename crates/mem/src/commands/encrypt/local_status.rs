//! What of this machine is sealed and what is not, and whether the key is there.

use anyhow::Result;
use mem_admin::encryption::{
    EncryptionSurvey, PLAINTEXT_KINDS, PlaintextFiles, check_local, master_keys,
};
use mem_vault::KeyId;
use mem_vault::master_key::KeySource;
use serde_json::json;

use super::seal_check::print_check;
use crate::context::Context;
use crate::exit::Exit;
use crate::printer::OutputError;

/// Looks and tells.
pub(super) fn print_status(context: &Context, is_checked: bool) -> Result<Exit> {
    let (dirs, origin) = (context.dirs()?, KeySource::require_source(context)?);
    let masters = master_keys(dirs)?;
    let trouble = dirs.seal().key().err().map(|error| error.to_string());
    let key = match (&trouble, masters.is_empty()) {
        (Some(trouble), _) => trouble.as_str(),
        (None, true) => "none",
        (None, false) => "ok",
    };
    let found = EncryptionSurvey::for_dirs(dirs)?;
    let here = PlaintextFiles::for_dirs(dirs);
    // Without the key everything would be named.
    let look = (is_checked && trouble.is_none()).then(|| check_local(dirs));
    match context.printer.json {
        true => {
            let masters: Vec<String> = masters.iter().map(KeyId::to_string).collect();
            let mut value = json!({
                "on": found.is_on, "stores": found.stores, "sealed": found.sealed, "sessions": found.sessions,
                "masters": masters, "amiss": found.problems, "source": origin.to_string(), "key": key, "plain": PLAINTEXT_KINDS,
                "plain_files": here.counts_json(),
            });
            if let Some(look) = &look {
                value["checked"] = look.to_json();
            }
            context.printer.print_json(&value)?;
        }
        false => {
            print_survey(&found, context, &masters, key, &origin, &here)?;
            match &look {
                Some(look) => print_check(look, context)?,
                None if found.is_on => context.printer.say(NOT_OPENED),
                None => {}
            }
        }
    }
    let is_open = look.is_none_or(|look| look.is_well());
    Ok(
        match trouble.is_none() && found.problems.is_empty() && is_open {
            true => Exit::Ok,
            false => Exit::Failure,
        },
    )
}

/// What is said where nothing was opened.
const NOT_OPENED: &str =
    "nothing was opened: `mem encrypt status --local --check` opens everything";

fn print_survey(
    found: &EncryptionSurvey,
    context: &Context,
    masters: &[KeyId],
    key: &str,
    origin: &KeySource,
    here: &PlaintextFiles,
) -> Result<(), OutputError> {
    let printer = &context.printer;
    let word = if found.is_on { "on" } else { "off" };
    let (sealed, all) = (found.sealed, found.stores);
    printer.line(format_args!(
        "encryption of what this machine keeps is {word}: {sealed} of {all} histories sealed, with their \
         inboxes"
    ))?;
    for master in masters {
        printer.line(format_args!("master key {master}: {key} ({origin})"))?;
    }
    if found.is_on {
        printer.line(
            "sealed too: what is remembered of sessions, texts that gave way to the team's, recall's indexes, verdicts",
        )?;
        printer.line("plain, as ever:")?;
        for what in PLAINTEXT_KINDS {
            printer.line(format_args!("  {what}"))?;
        }
        if let Some(line) = here.summary_line() {
            printer.line(line)?;
        }
    }
    for what in &found.problems {
        printer.print_warning(what);
    }
    if !found.problems.is_empty() {
        let verb = if found.is_on { "on" } else { "off" };
        printer.print_warning(format_args!(
            "`mem encrypt {verb} --local` finishes what can be finished"
        ));
    }
    Ok(())
}
