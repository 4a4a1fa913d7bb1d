//! Opening the remote of a share: over HTTP, or through git.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_sync::remote::git::{self, GitOptions, GitRemote, Visibility};
use mem_sync::remote::http::{Http, HttpOptions, Timeouts};
use mem_sync::remote::{Fetched, Remote, StateQuery};

use secrecy::SecretString;

use super::address::{Address, ServerAddress};
use super::error::TeamError;
use super::settings::TeamShare;
use super::sharing_consent::actor_name;
use super::tokens;

/// A git that talks to a remote for longer is ended.
const GIT_DEADLINE: Duration = Duration::from_secs(300);
/// A question that nobody asked for takes no longer.
const PASSING_DEADLINE: Duration = Duration::from_secs(2);

/// Opens the remote. Nothing is sent yet.
///
/// # Errors
/// The token cannot be used, the address not be understood, our copy not be made.
pub fn open_remote(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Box<dyn Remote>, TeamError> {
    match &share.address {
        Address::Server(server) => server_of(share, server, place, context),
        Address::Git(_) => Ok(Box::new(GitRemote::open(git_options(
            share, place, context,
        ))?)),
    }
}

/// How many memories a remote has; indexes are not counted. Nothing of a dry look stays.
///
/// # Errors
/// The remote does not answer, or says no.
pub fn count_memories(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
    is_dry: bool,
) -> Result<usize, TeamError> {
    let nowhere = tempfile::tempdir()?;
    let mut remote: Box<dyn Remote> = match &share.address {
        Address::Git(_) if is_dry => Box::new(GitRemote::open(GitOptions {
            store: nowhere.path().join("copy.git"),
            ..git_options(share, place, context)
        })?),
        _ => open_remote(share, place, context)?,
    };
    Ok(match remote.get_state(&StateQuery::of_hashes(), None)? {
        Fetched::Found { answer, .. } => {
            answer.entries.keys().filter(|key| !key.is_index()).count()
        }
        Fetched::NotModified => 0,
    })
}

/// How many memories a git remote has, asked in passing; `None` where that is not known soon.
pub fn count_in_passing(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Option<usize> {
    // Nothing is written, so that nobody has to be found out who writes.
    let actor = String::new();
    let options = GitOptions {
        deadline: PASSING_DEADLINE,
        ..git_options_of(actor, share, place, context)
    };
    git::count_remote_entries(&options).ok()
}

/// Refuses a git remote that anybody can read.
///
/// # Errors
/// It is public.
pub fn refuse_public(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    let Address::Git(name) = &share.address else {
        return Ok(());
    };
    match GitRemote::probe_public(&git_options(share, place, context))? {
        Visibility::Public if share.is_own() => Err(TeamError::OwnPublic(name.clone())),
        Visibility::Public => Err(TeamError::Public(name.clone())),
        Visibility::Private => Ok(()),
    }
}

/// Refuses a server that asks nobody who they are, unless only this machine reaches it.
///
/// # Errors
/// It lets anybody read.
pub fn refuse_open(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    let Address::Server(server) = &share.address else {
        return Ok(());
    };
    if server.is_loopback() {
        return Ok(());
    }
    let mut stranger = Http::open(http_options(share, server, None, place, context))?;
    match stranger.get_state(&StateQuery::of_hashes(), None) {
        Ok(_) => Err(TeamError::OpenServer(server.origin.clone())),
        Err(_) => Ok(()),
    }
}

fn server_of(
    share: &TeamShare,
    server: &ServerAddress,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Box<dyn Remote>, TeamError> {
    let token = tokens::token_for(server, context.dirs()?, &context.env)?;
    let options = http_options(share, server, token, place, context);
    Ok(Box::new(Http::open(options)?))
}

fn http_options(
    share: &TeamShare,
    server: &ServerAddress,
    token: Option<SecretString>,
    place: &ProjectContext,
    context: &RunContext,
) -> HttpOptions {
    HttpOptions {
        base: server.base.clone(),
        repository: share.repository.clone(),
        token,
        actor: actor_of(share, place, context),
        user_agent: concat!("mem/", env!("CARGO_PKG_VERSION")).to_owned(),
        limits: Timeouts::default(),
    }
}

fn git_options(share: &TeamShare, place: &ProjectContext, context: &RunContext) -> GitOptions {
    git_options_of(actor_of(share, place, context), share, place, context)
}

fn git_options_of(
    actor: String,
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> GitOptions {
    let environment = context.env.iter();
    let environment =
        environment.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let now = context.now.0;
    GitOptions {
        store: share.place.git(),
        url: share.git_url.clone().unwrap_or_default(),
        reference: share.reference.clone(),
        work: place.project.workdir.clone(),
        repository: share.repository.clone(),
        actor,
        git: PathBuf::from("git"),
        environment: environment.collect(),
        now: Arc::new(move || now),
        deadline: GIT_DEADLINE,
        allow_public: share.setup.is_public,
    }
}

/// As it was agreed to; found out anew where the remote comes from elsewhere.
fn actor_of(share: &TeamShare, place: &ProjectContext, context: &RunContext) -> String {
    match share.setup.actor.as_str() {
        "" => actor_name(place, context, matches!(share.address, Address::Git(_))),
        name => name.to_owned(),
    }
}
