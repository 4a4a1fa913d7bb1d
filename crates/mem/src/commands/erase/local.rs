//! The memories of this machine: a repository's, a user's of a host, or all. For `mem erase`, and for `mem purge`,
//! which is the same without a proof.

use std::path::PathBuf;

use anyhow::Result;
use mem_core::audit::shell_word;
use mem_core::config::SettingOrigin;
use mem_core::erasure::Erasure;
use mem_core::location::ProjectContext;
use mem_core::store::LocalStore;
use mem_core::{installed, registry};
use mem_daemon::startup_lock::hold_daemons;
use mem_stores::attached::AttachmentFile;
use mem_team::masking::masked_quote;
use mem_team::personal_sync;
use mem_team::remote_copies::{self, RemoteCopy};

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
    // What tells of them goes with the rest.
    let (copies, remotes) = match user {
        Some(_) => (Vec::new(), Vec::new()),
        None => {
            let place = context.place()?;
            (list_copies(&erasure, &place, context), set_remotes(&place))
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
    let mut removal = Removal::from_plan(&plan);
    let ended = remotes
        .iter()
        .filter(|(_, origin)| !all && !is_variable(origin));
    let ended: Vec<_> = ended
        .map(|(key, _)| format!("the setting `{key}` for this repository"))
        .collect();
    if proven.is_none() && plan.keeps_all() && plan.outside.is_empty() && ended.is_empty() {
        context.printer.say_outcome("there is nothing to erase");
        return removal.report_removal(false, context);
    }
    removal.lines.extend(ended);
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
    for (key, origin) in &remotes {
        tell_end(key, origin, all, context);
    }
    if let (Some(args), Some((traces, mut found))) = (proven, found) {
        found
            .not_searched
            .extend(elsewhere.into_iter().chain(servers).chain(copies));
        // An erasure before this one may have taken with it what was remembered of the remote.
        let variables = remotes.iter().filter(|(_, origin)| is_variable(origin));
        let variables = variables
            .map(|(key, origin)| format!("the remote of `{key}`, which is set by {origin}"));
        found.not_searched.extend(variables);
        return proof::print_proof(args, context, &removal.json, &traces, &found);
    }
    for copy in copies {
        context.print_warning(format_args!("stays: {copy}"));
    }
    context.printer.say_outcome(match plan.keeps_all() {
        true => "nothing was erased",
        false if !plan.outside.is_empty() => "erased, except for the folders that stay",
        false => "erased",
    });
    removal.report_removal(!plan.keeps_all(), context)
}

/// Lists what others have of this: remotes, also those that it was shared with before, and attached stores, each with the
/// command that takes it away there; and what cannot be read about that.
fn list_copies(erasure: &Erasure, place: &ProjectContext, context: &Context) -> Vec<String> {
    // Without the address of a remote whose settings cannot be understood, its copy is listed all the same.
    let shares = personal_sync::all_shares(place, context);
    let shares: Vec<_> = shares.into_iter().flatten().flatten().collect();
    let mut lines = Vec::new();
    for store in erasure.stores() {
        let (copies, mut unread) = remote_copies::find_copies(store, &shares);
        lines.extend(copies.iter().map(|copy| copy_line(copy, store)));
        let (attached, warning) = AttachmentFile::for_store(store).read_attachments();
        lines.extend(attached.iter().map(|one| {
            let (id, url) = (&one.store, shell_word(&one.base_url));
            format!("the attached store {id}: `mem store delete {id} --base-url {url}` ends it for everybody")
        }));
        unread.extend(warning);
        let folder = store.places().root.display();
        let unread = unread.into_iter();
        lines.extend(unread.map(|why| format!("what others have of `{folder}` is unknown: {why}")));
    }
    lines.into_iter().map(|line| masked_quote(&line)).collect()
}

fn copy_line(copy: &RemoteCopy, store: &LocalStore) -> String {
    let tier = copy.tier.0.as_str();
    let folder = store.places().root.display();
    let what = match &copy.address {
        Some(address) => format!("the {tier} memories at `{address}`"),
        None => format!("the {tier} memories of `{folder}` at a remote that is not set up here"),
    };
    let command = match &copy.reference {
        Some(reference) => {
            let url = copy
                .address
                .as_deref()
                .map_or_else(|| "URL".into(), shell_word);
            format!("`git push {url} --delete {reference}`")
        }
        None => {
            let name = format!("team:{}", copy.repository);
            format!("`mem erase --store {}` there", shell_word(&name))
        }
    };
    format!("{what}: {command} takes them away")
}

/// The remotes that are set here, and where.
fn set_remotes(place: &ProjectContext) -> Vec<(&'static str, SettingOrigin)> {
    let values = &place.config.values;
    let remotes = [
        ("team.remote", &values.team.remote),
        ("sync.remote", &values.sync.remote),
    ];
    let set = remotes.into_iter().filter(|(_, remote)| !remote.is_empty());
    set.map(|(key, _)| (key, place.config.origin(key)))
        .collect()
}

/// Whether a variable sets it, which no change of the settings ends.
fn is_variable(origin: &SettingOrigin) -> bool {
    matches!(origin, SettingOrigin::Environment(_))
}

/// Tells that the sharing through a remote has ended here, or why it goes on.
fn tell_end(key: &str, origin: &SettingOrigin, all: bool, context: &Context) {
    if is_variable(origin) {
        context.print_warning(format_args!(
            "`{key}` is set by {origin}: the next sync brings back what the remote has, unless that is unset"
        ));
    } else if !all {
        let command = match key {
            "team.remote" => "mem team setup",
            _ => "mem sync setup",
        };
        context.print_warning(format_args!(
            "nothing is shared through `{key}` from here any more: `{command}` would bring back what the remote has"
        ));
    }
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
