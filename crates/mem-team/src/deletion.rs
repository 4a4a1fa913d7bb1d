//! Deleting a memory for everybody: by a person at once, by an agent as far as it may.
//!
//! A deletion reaches every colleague, so it is as much a write of an agent as what that puts into a file. Where
//! agents do not write by themselves, or what they write waits before it is sent (`team.push = "review"`), it waits
//! in the inbox; a person who accepts it there deletes for everybody. Whoever asked for a deletion that was not made
//! is told so: they must not take it for done.

use mem_core::config::WriteMode;
use mem_core::history::{AuthorKind, Sha256};
use mem_core::inbox::{File, InboxEntry, ReviewGate};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::state_file;
use mem_core::store::{ChangeMetadata, LocalStore};
use mem_core::{Diagnose, RunContext, Scope};
use mem_sync::EntryKey;
use mem_sync::base::SyncStateStorage as _;
use mem_sync::client::Direction;
use mem_sync::decide::KnownKey;
use mem_sync::limits::REASON_CHARS_MAX;
use mem_sync::outbound_scan::OutboundScan as _;

use super::error::TeamError;
use super::files::MemoryGate;
use super::outbound_scan::shown_key;
use super::personal_sync;
use super::settings::TeamShare;
use super::sync_run::{RoundRun, TeamClient};

/// The verb of such a change.
pub const VERB: &str = "delete";

/// A deletion for everybody.
#[derive(Clone, Copy, Debug)]
pub struct Deletion<'w> {
    /// What.
    pub key: &'w EntryKey,
    /// Why, where somebody said so.
    pub reason: Option<&'w str>,
    /// Who deletes it, with [`VERB`].
    pub order: &'w ChangeMetadata,
    /// The gate that a removal here has to pass.
    pub gate: &'w dyn MemoryGate,
}

/// Notes that a key is to be deleted, and removes it here, with its line in the index. Returns whether there was
/// something to remove here.
pub(crate) fn delete(
    client: &mut TeamClient,
    deletion: Deletion<'_>,
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<bool, TeamError> {
    let key = deletion.key;
    let is_there = |client: &TeamClient| {
        let known = client.state().remote_of(key);
        matches!(known, Some(KnownKey::At(_)))
    };
    if !is_there(client) {
        // It may be newer than the last look.
        client.round(Direction::Pull)?;
    }
    if !is_there(client) {
        let (key, command) = (shown_key(key), share.command);
        return Err(TeamError::NoSuchKey { key, command });
    }
    if let Some(reason) = deletion.reason {
        let chars = reason.chars().count();
        if chars > REASON_CHARS_MAX {
            return Err(TeamError::LongReason(chars));
        }
        // What it says leaves with it.
        let leaks = client.screen.find_leaks(key, reason);
        if let Some(leak) = leaks?.into_iter().find(|leak| leak.line.is_some()) {
            return Err(TeamError::SecretReason(leak.rule));
        }
    }
    let scope = client.files.tier().0;
    let is_here = !client.files.is_dry && remove_here(deletion, scope, share, place, context)?;
    if !is_here && !may_delete(share, place, context) {
        // There is nothing here that could be put aside for a person, or nothing is to be changed.
        return Err(TeamError::AgentDeletes);
    }
    client.delete(key, deletion.reason)?;
    Ok(is_here)
}

/// Whether whoever runs this deletes for everybody without being asked about it.
fn may_delete(share: &TeamShare, place: &ProjectContext, context: &RunContext) -> bool {
    context.author().actor != AuthorKind::Agent
        || (place.config.values.memory.write == WriteMode::Auto && !share.pushes_in_review)
}

/// Removes a memory as `mem remove` does; a file that is none stays until the tombstone comes back. Returns whether
/// there was one.
fn remove_here(
    deletion: Deletion<'_>,
    scope: Scope,
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<bool, TeamError> {
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let notes = memory.list(&[scope])?.notes;
    let is_meant = |file: &str| file == deletion.key.as_str();
    let Some(note) = notes.into_iter().find(|note| is_meant(&note.file)) else {
        return Ok(false);
    };
    let reason = deletion.reason.map(str::to_owned);
    let order = deletion.order.clone().because(reason).clearing_folders();
    let held_back = share.pushes_in_review && place.config.values.memory.write == WriteMode::Auto;
    match held_back && !may_delete(share, place, context) {
        true => memory.remove(&note, &order, &ReviewGate)?,
        false => memory.remove(&note, &order, deletion.gate)?,
    };
    Ok(true)
}

/// Deletes for everybody what an agent wanted deleted, once a person has accepted it: a removal here alone would come
/// back with the next synchronisation.
///
/// # Errors
/// The settings cannot be understood, or it cannot be kept.
pub fn delete_accepted(
    store: &LocalStore,
    entry: &InboxEntry,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    if entry.author.actor != AuthorKind::Agent {
        return Ok(());
    }
    let [team, own] = personal_sync::all_shares(place, context);
    for share in team?.into_iter().chain(own?) {
        let is_of = share.store.places().root == store.places().root;
        for file in entry.notes().filter(|_| is_of) {
            delete_file(&share, file, entry.reason.as_deref(), context)?;
        }
    }
    Ok(())
}

/// Remembers that a removed file is to be deleted for everybody: not where the remote has none, or another text by now.
fn delete_file(
    share: &TeamShare,
    file: &File,
    reason: Option<&str>,
    context: &RunContext,
) -> Result<(), TeamError> {
    let (Some(old), None, Some(name)) = (&file.old, &file.new, share.tier.file(&file.path)) else {
        return Ok(());
    };
    let key = EntryKey::parse(name)?;
    let _lock = state_file::lock(&share.place.lock())?;
    let mut kept = share.place.state_file();
    let (mut state, _) = kept.load();
    let Some(KnownKey::At(there)) = state.remote_of(&key) else {
        return Ok(());
    };
    let (sync, shown) = (share.sync(), shown_key(&key));
    if there == Sha256::digest(&old.0) && state.will_delete(&key, reason) {
        kept.save(&mut state)?;
        context.say(format_args!("`{sync}` deletes {shown} for everybody"));
    } else {
        context.print_warning(format_args!(
            "{shown} is deleted here only: the remote has another text, which `{sync}` brings"
        ));
    }
    Ok(())
}

/// Why a deletion was not made, and what to do.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum DeletionFailure {
    /// The remote has another text than the one that was to go.
    #[error("`{key}` is not deleted: somebody changed it meanwhile, or took that back")]
    #[diagnose(
        Conflict,
        hint = "it stays as the remote has it: look at it, and `{command} delete {key}` if that is still meant"
    )]
    Kept {
        /// The key, as it may be shown.
        key: String,
        /// The command that shares it.
        command: &'static str,
    },
    /// The remote cannot tell anybody.
    #[error(
        "`{key}` is not deleted for everybody: the remote has lost it, and whoever has it still sends it again"
    )]
    #[diagnose(NotFound, hint = "`{command} delete {key}` once it is there again")]
    Absent {
        /// The key, as it may be shown.
        key: String,
        /// The command that shares it.
        command: &'static str,
    },
}

/// Why what a run was to delete for everybody was not deleted.
pub fn deletion_failure(share: &TeamShare, run: &RoundRun) -> Option<DeletionFailure> {
    let command = share.command;
    if let Some(key) = kept_key(run).map(shown_key) {
        return Some(DeletionFailure::Kept { key, command });
    }
    let key = run.report.absent.first().map(shown_key)?;
    Some(DeletionFailure::Absent { key, command })
}

/// What this run was to delete, and what stays.
pub fn kept_key(run: &RoundRun) -> Option<&EntryKey> {
    let key = run.deletion.as_ref()?;
    run.report.kept.contains(key).then_some(key)
}
