//! What this machine keeps of memories, for the verbs of `mem encrypt --local`.

use anyhow::Result;
use mem_admin::encryption::{
    EncryptionSurvey, KeyChange, PLAINTEXT_KINDS, PlaintextFiles, SealCheck, change_keys,
    check_local, master_keys,
};
use mem_core::sealing::EncryptionTarget;
use mem_vault::master_key::KeySource;
use mem_vault::{KeyId, remove_leftovers};
use serde_json::json;

use super::rotate::NotEncrypted;
use crate::context::Context;
use crate::exit::Exit;
use crate::printer::OutputError;

/// Seals what is there, and whatever comes.
pub(super) fn encrypt_local(context: &Context) -> Result<Exit> {
    let origin = KeySource::require_source(context)?;
    // A new key opens nothing that an old one wrapped.
    if master_keys(context.dirs()?)?.is_empty() {
        origin.make_first(context)?;
    }
    print_run(
        context,
        &change_keys(context.dirs()?, EncryptionTarget::Sealed)?,
        "sealed",
    )
}

/// Opens everything again.
pub(super) fn decrypt_local(context: &Context) -> Result<Exit> {
    print_run(
        context,
        &change_keys(context.dirs()?, EncryptionTarget::Plain)?,
        "opened",
    )
}

/// Everything under new keys.
pub(super) fn rotate_local(context: &Context, has_new_master: bool) -> Result<Exit> {
    let (dirs, origin) = (context.dirs()?, KeySource::require_source(context)?);
    if dirs.seal().key()?.is_none() {
        return Err(NotEncrypted::Local.into());
    }
    if has_new_master {
        // The wrong key was said by now.
        origin.renew_key(context)?;
    }
    print_run(
        context,
        &change_keys(context.dirs()?, EncryptionTarget::Rotated)?,
        "sealed anew",
    )
}

fn print_run(context: &Context, run: &KeyChange, verb: &str) -> Result<Exit> {
    remove_leftovers(context)?;
    let printer = &context.printer;
    if printer.json {
        let failed = run.failed.iter();
        let failed: Vec<_> = failed
            .map(|(path, why)| json!({"path": path, "why": why}))
            .collect();
        printer.print_json(&json!({
            "stores": run.stores, "changes": run.changes, "waiting": run.waiting, "sessions": run.sessions,
            "remotes": run.remotes, "ended_keys": run.ended, "failed": failed,
        }))?;
    } else {
        let KeyChange {
            stores,
            changes,
            waiting,
            sessions,
            ..
        } = run;
        printer.line(format_args!(
            "{changes} changes of {stores} histories, {waiting} waiting writes, {sessions} sessions {verb}"
        ))?;
    }
    for (path, why) in &run.failed {
        printer.print_warning(format_args!("`{path}` stays as it is: {why}"));
    }
    Ok(match run.failed.is_empty() {
        true => Exit::Ok,
        false => Exit::Failure,
    })
}

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

/// Contents that are named; the others are counted. With `--json` all are.
const NAMED_MAX: usize = 20;

/// Tells it.
///
/// # Errors
/// Nobody reads on.
pub(super) fn print_check(check: &SealCheck, context: &Context) -> Result<(), OutputError> {
    let printer = &context.printer;
    let (open, closed) = (check.open, check.closed.len());
    printer.line(format_args!("{open} contents open, {closed} do not"))?;
    for (text, _) in check.closed.iter().take(NAMED_MAX) {
        printer.print_warning(text);
    }
    if closed > NAMED_MAX {
        let others = closed - NAMED_MAX;
        printer.print_warning(format_args!("and {others} more: `--json` names all"));
    }
    Ok(())
}
