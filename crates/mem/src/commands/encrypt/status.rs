//! `mem encrypt status`: how much is sealed, and whether the key is there.

use anyhow::Result;
use mem_server::storage::StorageError;
use serde_json::json;

use crate::commands::server::place::Where;
use crate::context::Context;
use crate::exit::Exit;
use crate::master_key::Origin;

/// Show how much is sealed, and whether the key is there
///
/// With --json: {"on","stores","stores_with_key","versions","sealed","masters":[],"amiss","source","key"}; the key is
/// "ok", "none", or what is wrong with it. Exits with 1 where the key is needed and
/// not there, and while versions are not as they are to be ("amiss").
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    place: Where,
}

/// Looks.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    args.place.require_there(context)?;
    let origin = Origin::required(context)?;
    let source = origin.clone().source();
    let looked = args.place.with_keys(context, source, async |database| {
        let found = database.encryption().await?;
        let key = match database.check_master_key().await {
            Err(StorageError::Vault(error)) => Some(error.to_string()),
            checked => checked.map(|()| None)?,
        };
        Ok((found, key))
    });
    let (found, trouble) = looked?;
    let key = match (&trouble, found.masters.is_empty()) {
        (Some(trouble), _) => trouble.as_str(),
        (None, true) => "none",
        (None, false) => "ok",
    };
    if context.printer.json {
        context.printer.json(&json!({
            "on": found.is_on,
            "stores": found.stores,
            "stores_with_key": found.stores_with_key,
            "versions": found.versions,
            "sealed": found.sealed,
            "masters": found.masters,
            "amiss": found.amiss(),
            "source": origin.to_string(),
            "key": key,
        }))?;
    } else {
        context.printer.line(super::summary(&found))?;
        for master in &found.masters {
            context
                .printer
                .line(format_args!("master key {master}: {key} ({origin})"))?;
        }
    }
    if found.amiss() > 0 {
        let verb = if found.is_on { "on" } else { "off" };
        context.printer.warn(format_args!(
            "{} versions are not as they are to be: `mem encrypt {verb}` finishes that, or names what it cannot open",
            found.amiss()
        ));
    }
    Ok(match trouble {
        None if found.amiss() == 0 => Exit::Ok,
        _ => Exit::Failure,
    })
}
