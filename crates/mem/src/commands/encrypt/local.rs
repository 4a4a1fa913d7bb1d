//! What this machine keeps of memories, for the verbs of `mem encrypt --local`.

use anyhow::Result;
use mem_admin::encryption::{KeyChange, change_keys, master_keys};
use mem_core::sealing::EncryptionTarget;
use mem_vault::master_key::KeySource;
use mem_vault::remove_leftovers;
use serde_json::json;

use super::rotate::NotEncrypted;
use crate::context::Context;
use crate::exit::Exit;

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
