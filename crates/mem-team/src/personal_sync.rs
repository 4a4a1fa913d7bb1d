//! One's own tiers, kept in step between one's own machines: what is shared there, under which name, and
//! where it may not go.

use std::path::Path;

use mem_core::history::Sha256;
use mem_core::location::ProjectContext;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::memory_path::printable;
use mem_core::project::normalise_remote;
use mem_core::store::LocalStore;
use mem_core::{Dirs, RunContext, Scope, config};
use mem_sync::Repository;

use super::address::Address;
use super::error::TeamError;
use super::place::SharePlace;
use super::settings::{
    self, TeamShare, absolute_url, plain_url, remote_url, remote_url_at, remote_urls, same_place,
};
use super::setup::Setup;

/// The folder of a store's state that this kind of sharing has.
pub const OWN: &str = "own";
/// The name at a git remote, which has no other people.
const NAME: &str = "own";

/// What a person keeps in step: their tiers here.
#[derive(Debug)]
pub struct PersonalSync {
    /// The private tier of this repository, and the global one.
    pub shares: Vec<TeamShare>,
    /// Why the private tier is not among them.
    pub left_out: Option<String>,
}

/// Where it goes, as a person says it.
#[derive(Clone, Debug)]
pub struct SyncTarget {
    /// A server, or a git remote by its address.
    pub address: Address,
    /// Git's address of it.
    pub git_url: Option<String>,
    /// The beginning of the names there.
    pub name: String,
}

impl SyncTarget {
    /// Reads it.
    ///
    /// # Errors
    /// It is no address, or one that means another remote in every repository.
    pub fn parse_target(remote: &str, name: &str, from: &Path) -> Result<Self, TeamError> {
        let address = Address::parse_address(remote)?;
        let name = name.trim();
        if !name.is_empty() && Repository::of_name(&format!("{name}/global")).is_err() {
            return Err(TeamError::OwnName(printable(name)));
        }
        let Address::Git(url) = &address else {
            if name.is_empty() {
                return Err(TeamError::OwnNameless);
            }
            let (git_url, name) = (None, name.to_owned());
            return Ok(Self {
                address,
                git_url,
                name,
            });
        };
        if normalise_remote(url).is_none() && !Path::new(url).is_absolute() {
            return Err(TeamError::OwnByName(url.clone()));
        }
        let git_url = Some(absolute_url(url, from));
        let name = if name.is_empty() { NAME } else { name }.to_owned();
        Ok(Self {
            address,
            git_url,
            name,
        })
    }

    fn tier_share(
        &self,
        repository: &str,
        scope: Scope,
        store: &LocalStore,
    ) -> Result<TeamShare, TeamError> {
        let repository = Repository::of_name(repository)?;
        let at = self.git_url.as_deref().map(plain_url);
        let at = at.unwrap_or_else(|| self.address.to_string());
        let reference = own_reference(scope, repository.name());
        Ok(TeamShare {
            place: SharePlace::new(store, OWN, &at, repository.name()),
            address: self.address.clone(),
            git_url: self.git_url.clone(),
            reference,
            command: "mem sync",
            repository,
            setup: Setup::default(),
            store: store.clone(),
            tier: ScopeDir(scope),
            pulls_in_review: false,
            pushes_in_review: false,
            reports_refused: false,
        })
    }

    /// The tiers of a place there.
    ///
    /// # Errors
    /// The name cannot be one of a repository.
    pub fn personal_sync(
        &self,
        place: &ProjectContext,
        context: &RunContext,
    ) -> Result<PersonalSync, TeamError> {
        let memory = ProjectMemory::new(&place.location, context.dirs()?);
        let global = format!("{}/global", self.name);
        let global = self.tier_share(&global, Scope::Global, memory.store(Scope::Global))?;
        let (mut shares, mut left_out) = (Vec::new(), None);
        if !memory.is_one() {
            let shared = settings::refuse_shared_directory(place, context);
            match shared.and_then(|()| private_name(place)) {
                Ok(of) => {
                    let name = format!("{}/{of}", self.name);
                    let store = memory.store(Scope::Private);
                    shares.push(self.tier_share(&name, Scope::Private, store)?);
                }
                Err(why) => left_out = Some(why.to_string()),
            }
        }
        shares.push(global);
        Ok(PersonalSync { shares, left_out })
    }

    /// Whether another address, with git's own one where it is a git remote, is of the same place.
    fn is_at(&self, other: &Address, url: Option<&str>, from: &Path) -> bool {
        match (&self.git_url, url) {
            (Some(own), Some(url)) => same_place(own, from) == same_place(url, from),
            (None, None) => self.address == *other,
            _ => false,
        }
    }

    /// Refuses what other people read: where the team of this repository shares, or that of another one that
    /// this person has set up; and with `is_strict` every remote of the repository that stands here.
    ///
    /// # Errors
    /// It is one.
    pub fn refuse_shared(
        &self,
        place: &ProjectContext,
        dirs: &Dirs,
        is_strict: bool,
    ) -> Result<(), TeamError> {
        let is_mine = |remote: &str, root: &Path, url_of: &dyn Fn(&str) -> Option<String>| {
            let address = Address::parse_address(remote).ok();
            let url = match &address {
                Some(Address::Git(name)) => Some(url_of(name).unwrap_or_else(|| name.clone())),
                _ => None,
            };
            address.is_some_and(|address| self.is_at(&address, url.as_deref(), root))
        };
        let here = &place.config.values.team.remote;
        let url_here = |name: &str| remote_url(&place.project, name);
        if is_mine(here, &place.project.root, &url_here) {
            return Err(TeamError::OwnIsTeams(self.address.to_string()));
        }
        for (root, remote) in config::of_repositories(dirs, "team.remote")? {
            let url_there = |name: &str| remote_url_at(&root, name);
            if is_mine(remote.text().trim(), &root, &url_there) {
                let (address, root) = (self.address.to_string(), root.display().to_string());
                return Err(TeamError::OwnIsOtherTeams { address, root });
            }
        }
        let own = self.git_url.as_deref();
        let own = own.map(|url| same_place(url, &place.project.root));
        let is_here = |url: &String| own.as_ref() == Some(&same_place(url, &place.project.root));
        let remotes = remote_urls(&place.project);
        match is_strict && remotes.iter().any(is_here) {
            true => Err(TeamError::OwnIsShared(self.address.to_string())),
            false => Ok(()),
        }
    }

    /// Keeps it, for all repositories of this person; one that was cut off by an erasure is so no longer.
    ///
    /// # Errors
    /// The settings cannot be written.
    pub fn save_target(
        &self,
        place: &ProjectContext,
        context: &RunContext,
    ) -> Result<(), TeamError> {
        let dirs = context.dirs()?;
        config::unset(dirs, "sync.remote", Some(&place.project.root))?;
        let remote = match &self.git_url {
            Some(url) => format!("git:{url}"),
            None => self.address.to_string(),
        };
        config::set(dirs, "sync.name", &self.name, None)?;
        config::set(dirs, "sync.remote", &remote, None)?;
        Ok(())
    }
}

/// The reference of a tier at a git remote, by the name of its repository there.
pub(crate) fn own_reference(scope: Scope, repository: &str) -> String {
    match scope {
        Scope::Global => "refs/mem/own/global".to_owned(),
        // A name may hold what no reference does.
        _ => {
            let digest = Sha256::digest(repository.as_bytes()).to_string();
            format!("refs/mem/own/private/{}", &digest[..16])
        }
    }
}

/// Where one's own tiers are kept in step.
///
/// # Errors
/// Nowhere yet; an agent's environment says where; it is where other people read.
pub fn personal_sync(
    place: &ProjectContext,
    context: &RunContext,
) -> Result<PersonalSync, TeamError> {
    own_if_set_up(place, context)?.ok_or(TeamError::OwnNotSetUp)
}

/// What is shared from here: with the team, and between one's own machines; or why that cannot be told.
pub fn all_shares(
    place: &ProjectContext,
    context: &RunContext,
) -> [Result<Vec<TeamShare>, TeamError>; 2] {
    let own = own_if_set_up(place, context);
    [
        settings::team_if_set_up(place, context).map(Vec::from_iter),
        own.map(|own| own.map_or_else(Vec::new, |own| own.shares)),
    ]
}

/// The same as [`personal_sync`]; `None` where it is not set up.
///
/// # Errors
/// An agent's environment says where; it is where other people read; the settings cannot be understood.
pub fn own_if_set_up(
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Option<PersonalSync>, TeamError> {
    let remote = &place.config.values.sync.remote;
    if remote.is_empty() {
        return Ok(None);
    }
    settings::refuse_environment(place, context, ["sync.remote", "sync.name"])?;
    let name = &place.config.values.sync.name;
    let target = SyncTarget::parse_target(remote, name, &place.project.cwd)?;
    target.refuse_shared(place, context.dirs()?, false)?;
    target.personal_sync(place, context).map(Some)
}

/// Refuses to share a team's memory where this person keeps their own notes.
///
/// # Errors
/// It is that place.
pub(crate) fn refuse_own(share: &TeamShare, place: &ProjectContext) -> Result<(), TeamError> {
    let remote = &place.config.values.sync.remote;
    let name = &place.config.values.sync.name;
    // What cannot be understood is told where it is used.
    let Ok(own) = SyncTarget::parse_target(remote, name, &place.project.cwd) else {
        return Ok(());
    };
    match own.is_at(
        &share.address,
        share.git_url.as_deref(),
        &place.project.root,
    ) {
        true => Err(TeamError::TeamIsOwn(share.address.to_string())),
        false => Ok(()),
    }
}

/// What the private tier of this repository is called on every machine: host, owner and repository.
fn private_name(place: &ProjectContext) -> Result<Repository, TeamError> {
    let nameless = |why: String| TeamError::OwnUnnamed(why);
    let named = &place.config.values.team.repo;
    if !named.is_empty() {
        return Repository::of_name(named).map_err(|why| nameless(why.to_string()));
    }
    let origin = remote_url(&place.project, "origin");
    let origin = origin.ok_or_else(|| nameless("there is no remote `origin`".to_owned()))?;
    Repository::of_remote(&origin).map_err(|why| nameless(why.to_string()))
}
