//! Agreeing to a remote: it is looked at, and then recorded in the person's own settings.

use std::process::Command;

use mem_core::config::TeamFlow;
use mem_core::history::Sha256;
use mem_core::location::ProjectContext;
use mem_core::{RunContext, config};

use super::address::Address;
use super::error::TeamError;
use super::pending_review;
use super::personal_sync;
use super::recorded_address;
use super::remote;
use super::settings::{KIND, PUSH_SETTING, TeamShare, refuse_shared_directory};
use super::setup::Setup;

/// What a person wants.
#[derive(Clone, Copy, Debug)]
pub struct SharingConsent {
    /// Whether anybody may read it.
    pub is_public: bool,
    /// Whether nothing is to be recorded.
    pub is_dry: bool,
    /// The suggestion of the repository that this follows.
    pub suggestion: Option<Sha256>,
    /// How team files leave this machine; as the settings say where it is not given.
    pub sending: Option<TeamFlow>,
}

/// What was found at the remote.
#[derive(Debug)]
pub struct SharingAgreement {
    /// The share, as it is from now on.
    pub share: TeamShare,
    /// How many memories the remote has.
    pub memories: usize,
    /// How many files here wait for a look before they are sent.
    pub waiting: usize,
}

/// Looks at a remote and records that the team's memory is shared there. `begin_progress` is called before the remote
/// is asked; what it returns is dropped once that has answered.
///
/// # Errors
/// The remote does not answer, is public, is where this person keeps their own notes, or the settings cannot be
/// written.
pub fn agree_to_share<T>(
    mut share: TeamShare,
    place: &ProjectContext,
    context: &RunContext,
    consent: SharingConsent,
    begin_progress: impl FnOnce(&TeamShare) -> T,
) -> Result<SharingAgreement, TeamError> {
    personal_sync::refuse_own(&share, place)?;
    refuse_shared_directory(place, context)?;
    let before = Setup::load_setup(&share.store, KIND);
    share.setup = Setup {
        remote: share.address.to_string(),
        address: share
            .git_url
            .as_deref()
            .map(recorded_address::recorded_address),
        actor: actor_name(place, context, matches!(share.address, Address::Git(_))),
        is_public: consent.is_public,
        since: Some(context.now.0),
        suggestion: consent.suggestion.or(before.suggestion),
    };
    let progress = begin_progress(&share);
    if !consent.is_public {
        remote::refuse_public(&share, place, context)?;
    }
    let memories = remote::count_memories(&share, place, context, consent.is_dry)?;
    drop(progress);
    if let Some(sending) = consent.sending {
        share.pushes_in_review = sending == TeamFlow::Review;
    }
    if !consent.is_dry {
        if let Some(sending) = consent.sending {
            // Before anything can be sent.
            let root = Some(place.project.root.as_path());
            config::set(context.dirs()?, PUSH_SETTING, sending.as_str(), root)?;
        }
        record_consent(&share, place, context)?;
    }
    let waiting = pending_review::count_waiting(&share, place, context)?;
    Ok(SharingAgreement {
        share,
        memories,
        waiting,
    })
}

fn record_consent(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    let (dirs, root) = (context.dirs()?, Some(place.project.root.as_path()));
    // What was agreed to first: without it a remote in the settings is looked at with more care.
    share.setup.save_setup(&share.store, KIND)?;
    config::set(dirs, "team.repo", share.repository.name(), root)?;
    config::set(dirs, "team.remote", &share.address.to_string(), root)?;
    Ok(())
}

/// Who writes from here: as git knows this user, else by the login.
pub fn actor_name(place: &ProjectContext, context: &RunContext, with_mail: bool) -> String {
    let has_git = mem_core::project::special_git_file(&place.project.workdir).is_none();
    let of_git = |key: &str| {
        if !has_git {
            return None;
        }
        let mut git = Command::new("git");
        git.args(["config", "--get", key])
            .current_dir(&place.project.workdir);
        let output = git.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
        (!text.is_empty()).then_some(text)
    };
    let login = || {
        context
            .author()
            .name
            .unwrap_or_else(|| "unknown".to_owned())
    };
    let name = of_git("user.name").unwrap_or_else(login);
    match of_git("user.email").filter(|_| with_mail) {
        Some(mail) => format!("{name} <{mail}>"),
        None if with_mail => format!("{name} <>"),
        None => name,
    }
}
