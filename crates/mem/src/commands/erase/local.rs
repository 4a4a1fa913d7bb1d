//! The memories of this machine: a repository's, a user's of a host, or all. For `mem erase`, and for `mem purge`,
//! which is the same without a proof.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::config::Config;
use mem_core::erasure::Erasure;
use mem_core::{installed, registry};
use mem_daemon::startup_lock::hold_daemons;

use super::{Args, proof};
use crate::confirm::RemovalArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::freshness;
use crate::removal::{Removal, ask_for_outside};
use crate::sanitize::clean;
use crate::usage::UsageError;
use mem_tools::records::open_qdrant;
#[cfg(feature = "server")]
use mem_vault::master_key::KeySource;

/// Where a team shares.
const REMOTE: &str = "team.remote";

/// What would be erased is another repository's as well.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
#[error("the memories of `{}` would go as well: they are in the same directory", .0.display())]
#[diagnose(
    Refused,
    hint = "rename one of the two folders first; `mem remove` and `mem redact` take single memories"
)]
pub(crate) struct SharedErasure(PathBuf);

/// Lists, asks, erases; looks for what is left where a proof is wanted.
pub(crate) fn run(
    all: bool,
    choice: &RemovalArgs,
    proven: Option<&Args>,
    context: &Context,
) -> Result<Exit> {
    let dirs = context.dirs()?;
    let user = proven.and_then(|args| args.user.as_ref());
    let mut erasure = match user {
        Some(user) => Erasure::of_user(&user.user_folder(dirs), dirs),
        None if all => Erasure::of_everything(dirs),
        None => {
            let location = context.place()?.location;
            if let Some(other) = registry::sharing_roots(dirs, &location).pop() {
                return Err(SharedErasure(other).into());
            }
            Erasure::of_repository(&location, dirs)
        }
    };
    let mut elsewhere = None;
    if let Some(args) = proven {
        proof::require_place(args, context, Some(&erasure))?;
        // The setting may go with the rest.
        elsewhere = open_qdrant(user, context)?;
    }
    let servers = server_data();
    if let (Some(_), Some(folder)) = (user, &servers) {
        context.say(format_args!(
            "a server has its data in `{folder}`, which is not looked at: --data-dir does"
        ));
    }
    let plan = erasure.plan()?;
    if user.is_some() && plan.keeps_all() {
        let named = "a user is named as the host named them, letter by letter".to_owned();
        let hint = elsewhere.unwrap_or(named);
        return Err(UsageError::new("nothing is kept here for this user", hint).into());
    }
    #[cfg(feature = "server")]
    let key = doomed_key(proven, context)?;
    let servers = servers.filter(|_| all).map(|folder| {
        format!(
            "a server's data in `{folder}`, where others may have memories, too: end the server and remove the folder, \
             or `mem erase --user U` and `--store S` with `--data-dir {folder}`"
        )
    });
    if all && !installed::list(dirs).0.is_empty() {
        let stays = "what mem installed stays, with the list of it: `mem uninstall` takes it out";
        context.print_warning(stays);
    }
    if let Some(servers) = &servers {
        context.print_warning(format_args!("stays: {servers}"));
    }
    let removal = Removal::from_plan(&plan);
    if proven.is_none() && plan.keeps_all() && plan.outside.is_empty() {
        context.say("there is nothing to erase");
        return removal.report_removal(false, context);
    }
    if !removal.is_agreed("erase all of this for good?", choice, context)? {
        return Ok(Exit::Ok);
    }
    ask_for_outside(&mut erasure, &plan, context)?;
    let plan = erasure.plan()?;
    let removal = Removal::from_plan(&plan);
    let _quiet = match user {
        Some(_) => Vec::new(),
        None => hold_daemons(all, &context.place()?, context)?,
    };
    let traces = proven.map(|_| erasure.traces());
    #[cfg(feature = "server")]
    if let Some(key) = key {
        key.destroy()?;
    }
    mem_vault::remove_leftovers(context)?;
    let found = match traces {
        Some(traces) => Some(erasure.carry_out_whole(traces)?),
        None => erasure.carry_out().map(|()| None)?,
    };
    if user.is_none() {
        freshness::forget_verdicts(context);
    }
    if !all && user.is_none() {
        tell_of_remote(context)?;
    }
    if let (Some(args), Some((traces, mut found))) = (proven, found) {
        found
            .not_searched
            .extend(elsewhere.into_iter().chain(servers));
        return proof::print_proof(args, context, &removal.json, &traces, &found);
    }
    context.say(match plan.keeps_all() {
        true => "nothing was erased",
        false if !plan.outside.is_empty() => "erased, except for the folders that stay",
        false => "erased",
    });
    removal.report_removal(!plan.keeps_all(), context)
}

/// What is set for all repositories is not this one's to take away.
fn tell_of_remote(context: &Context) -> Result<()> {
    let root = &context.place()?.project.root;
    let config = Config::load(context.dirs()?, &context.env, Some(root), &[])?;
    if config.is_set(REMOTE) {
        context.print_warning(
            "`team.remote` is set for all repositories, and stays: `mem config unset team.remote` takes it out",
        );
    }
    Ok(())
}

/// A server's data on this machine, which goes with nobody's own: others may have memories in it.
fn server_data() -> Option<String> {
    #[cfg(feature = "server")]
    let folder = crate::dirs::server_data().filter(|folder| folder.is_dir());
    #[cfg(not(feature = "server"))]
    let folder: Option<PathBuf> = None;
    Some(clean(&folder?.to_string_lossy()).into_owned())
}

/// The master key that is to go too, told with the rest.
#[cfg(feature = "server")]
fn doomed_key(proven: Option<&Args>, context: &Context) -> Result<Option<KeySource>> {
    if !proven.is_some_and(|args| args.destroy_key) {
        return Ok(None);
    }
    let origin = KeySource::require_source(context)?;
    for id in origin.ask()?.key_ids() {
        context.say(format_args!(
            "master key {id} ({origin}): what it wrapped can never be read again"
        ));
    }
    Ok(Some(origin))
}
