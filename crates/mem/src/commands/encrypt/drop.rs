//! `mem encrypt drop`: destroys master keys that wrap nothing any more.

use anyhow::Result;
#[cfg(feature = "server")]
use mem_server::known_databases::{self, OtherDatabases};
use mem_vault::KeyId;
use serde_json::json;

#[cfg(feature = "server")]
use crate::commands::server::place::{Where, block_on};
use crate::context::Context;
use crate::exit::Exit;
use mem_vault::master_key::KeySource;

/// Destroy master keys that wrap nothing any more
///
/// After `mem encrypt rotate --master` the old master keys stay: other databases and backups may need them. This looks
/// at what this machine keeps, at the server's database that is named, or the one in its usual place, and at every one
/// that was encrypted from here, lists the keys that nothing there is wrapped by, asks, and destroys them. The first
/// key always stays, and nothing is destroyed while one of these databases cannot be looked at. Backups that only such
/// a key opens, and databases that were encrypted on other machines, cannot be read any more: that is how backups from
/// before an erasure end. The keys of a command are kept by it.
///
/// With --json: {"dropped":[],"kept":[],"looked":[]}; with --dry-run "dropped" are those that would go.
///
/// Example: mem encrypt drop --dry-run
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Show which would go, and destroy none
    #[arg(long, short = 'n')]
    dry_run: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    #[cfg(feature = "server")]
    #[command(flatten)]
    place: Where,
    /// Forget databases that were encrypted from here and are gone for good
    #[cfg(feature = "server")]
    #[arg(long)]
    forget: bool,
}

/// What is looked at, and what is needed there.
#[derive(Default)]
struct Needed {
    masters: Vec<KeyId>,
    /// In words.
    looked: Vec<String>,
    #[cfg(feature = "server")]
    elsewhere: OtherDatabases,
}

/// Looks, asks, destroys.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let origin = KeySource::require_source(context)?;
    let all = origin.ask()?.key_ids();
    let needed = needed_keys(args, context)?;
    // What comes is wrapped by the first.
    let is_idle = |(at, id): &(usize, &KeyId)| *at > 0 && !needed.masters.contains(id);
    let (idle, kept): (Vec<_>, Vec<_>) = all.iter().enumerate().partition(is_idle);
    let [idle, kept] =
        [idle, kept].map(|ids| ids.into_iter().map(|(_, id)| *id).collect::<Vec<_>>());
    let printer = &context.printer;
    if !printer.json {
        printer.line(format_args!("looked at {}", needed.looked.join(" and ")))?;
        for id in &idle {
            printer.line(format_args!(
                "master key {id}: wraps nothing there ({origin})"
            ))?;
        }
    }
    if idle.is_empty() {
        printer.say_outcome(
            "every key but the first is needed there, or there is none: nothing is destroyed",
        );
    } else if args.dry_run {
        printer.say_outcome("nothing was destroyed");
    } else {
        #[cfg(feature = "server")]
        if !args.forget {
            needed.elsewhere.require_seen()?;
        }
        let question = "destroy these keys for good, with all backups that only they open?";
        context.require_confirmation(question, args.yes)?;
        #[cfg(feature = "server")]
        known_databases::forget_databases(&needed.elsewhere.unseen, context)?;
        origin.end_keys(&idle, context)?;
        printer.say_outcome("destroyed");
    }
    if printer.json {
        let [idle, kept] =
            [idle, kept].map(|ids| ids.iter().map(KeyId::to_string).collect::<Vec<_>>());
        printer.print_json(&json!({ "dropped": idle, "kept": kept, "looked": needed.looked }))?;
    }
    Ok(Exit::Ok)
}

fn needed_keys(args: &Args, context: &Context) -> Result<Needed> {
    let mut needed = Needed::default();
    if let Ok(dirs) = context.dirs() {
        // Data keys that are gone may come back from a backup, and need their master key then.
        dirs.seal().key_name()?;
        needed.masters = mem_admin::encryption::master_keys(dirs)?;
        needed.looked.push("what this machine keeps".to_owned());
    }
    #[cfg(feature = "server")]
    {
        if args.place.is_said(context) {
            args.place.require_there(context)?;
        }
        // Who has no home keeps none there.
        let place = args.place.database_address(context).ok();
        if let Some(place) = place.as_ref().filter(|place| !place.is_new()) {
            let masters = block_on(known_databases::master_keys(place, context))??;
            needed.masters.extend(masters);
            needed.looked.push(place.describe());
        }
        let others = known_databases::check_others(place.as_ref(), context);
        let mut elsewhere = block_on(others)??;
        needed.masters.append(&mut elsewhere.masters);
        needed.looked.append(&mut elsewhere.looked);
        for name in &elsewhere.unseen {
            context.printer.print_warning(format_args!(
                "{name} was encrypted with these keys, and is not looked at"
            ));
        }
        needed.elsewhere = elsewhere;
    }
    #[cfg(not(feature = "server"))]
    let _ = args;
    Ok(needed)
}
