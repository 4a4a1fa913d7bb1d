//! The memories of this machine: a repository's, a user's of a host, or all.

use anyhow::Result;
use mem_core::config::Config;
use mem_core::erasure::Erasure;

use super::listed::{self, Listed};
use super::{Args, proof};
use crate::context::Context;
use crate::daemon::held;
use crate::exit::Exit;
use crate::freshness;
use crate::leftovers;
#[cfg(feature = "server")]
use crate::master_key::Origin;
use crate::records::kept_elsewhere;
#[cfg(feature = "server")]
use crate::sanitize::clean;
use crate::usage::UsageError;

/// Where a team shares.
const REMOTE: &str = "team.remote";

/// Lists, asks, erases, looks.
pub(super) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let dirs = context.dirs()?;
    let mut erasure = match (&args.user, args.all) {
        (Some(user), _) => Erasure::of_user(&user.folder(dirs), dirs),
        (None, true) => Erasure::of_everything(dirs),
        (None, false) => Erasure::of_repository(&context.place()?.location, dirs),
    };
    proof::require_apart(args, context, &erasure)?;
    // The setting may go with the rest.
    let elsewhere = kept_elsewhere(args.user.as_ref(), context)?;
    if args.user.is_some() {
        tell_of_servers(context);
        if erasure.is_nothing()? {
            let named = "a user is named as the host named them, letter by letter".to_owned();
            let hint = elsewhere.unwrap_or(named);
            return Err(UsageError::new("nothing is kept here for this user", hint).into());
        }
    }
    #[cfg(feature = "server")]
    let key = doomed_key(args, context)?;
    let servers = servers(args);
    if args.all {
        listed::tell_of_installed(context)?;
    }
    if let Some(servers) = &servers {
        context.printer.warn(format_args!("stays: {servers}"));
    }
    let listed = Listed::of(&erasure)?;
    if !listed.is_to_go(listed::QUESTION, args.dry_run, args.yes, context)? {
        return Ok(Exit::Ok);
    }
    listed::ask_for_outside(&mut erasure, context)?;
    let listed = Listed::of(&erasure)?;
    let _quiet = match args.user {
        Some(_) => Vec::new(),
        None => held::hold(args.all, context)?,
    };
    let traces = erasure.traces();
    #[cfg(feature = "server")]
    if let Some(key) = key {
        key.destroy()?;
    }
    leftovers::end(context)?;
    let (_, traces, mut found) = erasure.carry_out_whole(traces)?;
    found
        .not_searched
        .extend(elsewhere.into_iter().chain(servers));
    if args.user.is_none() {
        freshness::forget(context);
    }
    if args.project {
        tell_of_remote(context)?;
    }
    proof::tell(args, context, &listed.shape, &traces, &found)
}

/// What is set for all repositories is not this one's to take away.
fn tell_of_remote(context: &Context) -> Result<()> {
    let root = &context.place()?.project.root;
    let config = Config::load(context.dirs()?, &context.env, Some(root), &[])?;
    if config.explicit(REMOTE).is_some() {
        context.printer.warn(
            "`team.remote` is set for all repositories, and stays: `mem config unset team.remote` takes it out",
        );
    }
    Ok(())
}

/// A server's data on this machine, which goes with nobody's own: others may have memories in it.
fn servers(args: &Args) -> Option<String> {
    #[cfg(feature = "server")]
    if args.all
        && let Some(folder) = crate::dirs::server_data().filter(|folder| folder.is_dir())
    {
        let folder = folder.to_string_lossy();
        let folder = clean(&folder);
        return Some(format!(
            "a server's data in `{folder}`, where others may have memories, too: end the server and remove the folder, or \
             `mem erase --user U` and `--store S` with `--data-dir {folder}`"
        ));
    }
    let _ = args;
    None
}

/// A server of this machine may know the user too.
fn tell_of_servers(context: &Context) {
    #[cfg(feature = "server")]
    if let Some(folder) = crate::dirs::server_data().filter(|folder| folder.is_dir()) {
        let folder = folder.to_string_lossy();
        context.printer.say(format_args!(
            "a server has its data in `{}`, which is not looked at: --data-dir does",
            clean(&folder)
        ));
    }
    #[cfg(not(feature = "server"))]
    let _ = context;
}

/// The master key that is to go too, told with the rest.
#[cfg(feature = "server")]
fn doomed_key(args: &Args, context: &Context) -> Result<Option<Origin>> {
    if !args.destroy_key {
        return Ok(None);
    }
    let origin = Origin::required(context)?;
    for id in origin.ask()?.ids() {
        context.printer.say(format_args!(
            "master key {id} ({origin}): what it wrapped can never be read again"
        ));
    }
    Ok(Some(origin))
}
