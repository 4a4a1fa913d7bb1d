//! The contents of a server's database, for the verbs of `mem encrypt`.

use anyhow::Result;
use mem_admin::encryption::SealCheck;
use mem_core::memory_path::printable;
use mem_server::known_databases::{forget_database, remember_database};
use mem_server::storage::{
    Checked, DatabaseAddress, Encryption, MasterSource, Sealing, StorageError, UnopenedContent,
};
use mem_vault::master_key::KeySource;
use mem_vault::remove_leftovers;
use serde_json::json;

use super::local::print_check;
use super::rotate::NotEncrypted;
use crate::commands::server::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Versions that are named where they cannot be opened.
const UNOPENED_SHOWN: usize = 10;

/// Seals what is there, and whatever comes.
pub(super) fn encrypt_database(place: &Where, context: &Context) -> Result<Exit> {
    let origin = KeySource::require_source(context)?;
    let found = place.with_database(context, async |database| database.encryption().await)?;
    // A new key opens nothing that an old one wrapped.
    if found.masters.is_empty() {
        origin.make_first(context)?;
    }
    remember_database(&place.database_address(context)?, context)?;
    let sealing = place.with_keys(context, origin.into(), async |database| {
        let sealed = database.encrypt().await?;
        database
            .note_administration("encryption.on", "", context.now.0)
            .await?;
        anyhow::Ok(sealed)
    })?;
    warn_of_leftovers(place, context)?;
    print_run(context, &sealing, "sealed")
}

/// Opens everything again.
pub(super) fn decrypt_database(place: &Where, context: &Context) -> Result<Exit> {
    require_database(place, "off", context)?;
    let source = MasterSource::for_run(context)?;
    let opened = place.with_keys(context, source, async |database| {
        let opened = database.decrypt().await?;
        database
            .note_administration("encryption.off", "", context.now.0)
            .await?;
        anyhow::Ok(opened)
    })?;
    forget_database(&place.database_address(context)?, context)?;
    print_run(context, &opened, "opened")
}

/// Everything under new keys.
pub(super) fn rotate_database(
    place: &Where,
    context: &Context,
    has_new_master: bool,
) -> Result<Exit> {
    require_database(place, "rotate", context)?;
    let origin = KeySource::require_source(context)?;
    // The wrong key is said before a new one is made.
    let check = async |database: &mem_server::storage::Database| {
        database.check_master_key().await?;
        database.encryption().await
    };
    let found = place.with_keys(context, origin.clone().into(), check)?;
    if !found.is_on && found.sealed == 0 && found.masters.is_empty() {
        return Err(NotEncrypted::Server.into());
    }
    remember_database(&place.database_address(context)?, context)?;
    if has_new_master {
        origin.renew_key(context)?;
    }
    let sealing = place.with_keys(context, origin.into(), async |database| {
        let sealed = database.rotate().await?;
        database
            .note_administration("encryption.rotate", "", context.now.0)
            .await?;
        anyhow::Ok(sealed)
    })?;
    warn_of_leftovers(place, context)?;
    print_run(context, &sealing, "sealed anew")
}

/// How it is.
pub(super) fn print_status(place: &Where, context: &Context, is_checked: bool) -> Result<Exit> {
    require_database(place, "status", context)?;
    let origin = KeySource::require_source(context)?;
    let source = origin.clone().into();
    let looked = place.with_keys(context, source, async |database| {
        let found = database.encryption().await?;
        let key = match database.check_master_key().await {
            Err(StorageError::Vault(error)) => Some(error.to_string()),
            checked => checked.map(|()| None)?,
        };
        // Without the key everything would be named.
        let look = match is_checked && key.is_none() {
            true => Some(check_from(&database.check_contents().await?)),
            false => None,
        };
        anyhow::Ok((found, key, look))
    });
    let (found, trouble, look) = looked?;
    let key = match (&trouble, found.masters.is_empty()) {
        (Some(trouble), _) => trouble.as_str(),
        (None, true) => "none",
        (None, false) => "ok",
    };
    if context.printer.json {
        let mut value = json!({
            "on": found.is_on,
            "stores": found.stores,
            "stores_with_key": found.stores_with_key,
            "versions": found.versions,
            "sealed": found.sealed,
            "masters": found.masters,
            "amiss": found.problem_count(),
            "source": origin.to_string(),
            "key": key,
        });
        if let Some(look) = &look {
            value["checked"] = look.to_json();
        }
        context.print_json(&value)?;
    } else {
        context.line(encryption_summary(&found))?;
        for master in &found.masters {
            context.line(format_args!("master key {master}: {key} ({origin})"))?;
        }
        match &look {
            Some(look) => print_check(look, context)?,
            None if found.is_on && !is_checked => context.say(NOT_OPENED),
            None => {}
        }
    }
    if look.as_ref().is_some_and(|look| !look.is_well()) {
        context.print_warning(MENDED_BY);
    }
    if found.problem_count() > 0 {
        let verb = if found.is_on { "on" } else { "off" };
        context.print_warning(format_args!(
            "{} versions are not as they are to be: `mem encrypt {verb}` finishes that, or names what it cannot open",
            found.problem_count()
        ));
    }
    Ok(match trouble {
        None if found.problem_count() == 0 && look.is_none_or(|look| look.is_well()) => Exit::Ok,
        _ => Exit::Failure,
    })
}

/// Refuses a place without a database. Where the command names none and what this machine keeps is encrypted, the hint
/// names that.
fn require_database(place: &Where, verb: &str, context: &Context) -> Result<()> {
    let checked = place.require_there(context);
    let is_local = || anyhow::Ok(context.dirs()?.seal().key_name()?.is_some());
    match checked {
        Err(error) if !place.is_said(context) && is_local()? => {
            let hint = format!("`mem encrypt {verb} --local` is for what this machine keeps");
            Err(UsageError::new(error.to_string(), hint).into())
        }
        checked => checked,
    }
}

/// What every content came to.
fn check_from(checked: &Checked) -> SealCheck {
    let closed = checked.closed.iter().map(|one| {
        let UnopenedContent {
            store,
            path,
            version,
            error,
        } = one;
        let at = path
            .as_ref()
            .map_or(String::new(), |path| format!("`{}` of ", printable(path)));
        let text = format!("{at}{store}, version `{version}`: {error}");
        let value =
            json!({ "store": store, "path": path, "version": version, "why": error.to_string() });
        (text, value)
    });
    SealCheck {
        open: checked.open,
        closed: closed.collect(),
    }
}

/// What is said where contents were only counted.
const NOT_OPENED: &str = "contents were counted: `mem encrypt status --check` opens each";
/// What helps where some do not open.
const MENDED_BY: &str = "bring them back from a backup, or delete the memories and redact the versions (`mem store redact`)";

/// Tells what a run came to. What could not be opened is named, and makes it a failure.
fn print_run(context: &Context, sealing: &Sealing, verb: &str) -> Result<Exit> {
    remove_leftovers(context)?;
    if context.printer.json {
        let unopened = sealing.unopened.iter();
        let unopened: Vec<_> = unopened
            .map(|one| json!({"version": one.version, "why": one.error.to_string()}))
            .collect();
        context.print_json(&json!({
            "stores": sealing.stores,
            "versions": sealing.versions,
            "rewrapped": sealing.rewrapped,
            "ended_keys": sealing.ended,
            "unopened": unopened,
        }))?;
    } else {
        let (versions, stores) = (sealing.versions, sealing.stores);
        let text = format_args!("{versions} versions of {stores} stores {verb}");
        context.line(text)?;
    }
    if sealing.unopened.is_empty() {
        return Ok(Exit::Ok);
    }
    for one in sealing.unopened.iter().take(UNOPENED_SHOWN) {
        let (version, why) = (&one.version, &one.error);
        context.print_warning(format_args!("version `{version}` stays as it is: {why}"));
    }
    let count = sealing.unopened.len();
    context.print_warning(format_args!(
        "{count} cannot be opened: bring them back from a backup, or redact them (`mem store redact`)"
    ));
    Ok(Exit::Failure)
}

/// PostgreSQL keeps what was there in places that it empties by itself.
fn warn_of_leftovers(place: &Where, context: &Context) -> Result<()> {
    if matches!(place.database_address(context)?, DatabaseAddress::Url(_)) {
        context.print_warning(
            "PostgreSQL keeps what it replaced on disk until it uses the space again (VACUUM FULL), and in its \
             write-ahead log and backups for as long as these are kept",
        );
    }
    Ok(())
}

/// In one line.
fn encryption_summary(found: &Encryption) -> String {
    let is = if found.is_on { "on" } else { "off" };
    format!(
        "encryption is {is}: {} of {} versions sealed, {} of {} stores have a key",
        found.sealed, found.versions, found.stores_with_key, found.stores
    )
}
