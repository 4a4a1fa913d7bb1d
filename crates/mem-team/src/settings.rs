//! With whom a repository's team memory is shared, as the settings and a person say.

use mem_core::config::{TeamFlow, TeamSettings};
use std::path::{Path, PathBuf};

use mem_core::config::SettingOrigin;
use mem_core::history::AuthorKind;
use mem_core::location::ProjectContext;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::project::{Project, normalise_remote};
use mem_core::store::LocalStore;
use mem_core::{RunContext, Scope, registry};
use mem_sync::Repository;
use mem_sync::remote::git::TEAM_REF;

use super::address::Address;
use super::error::TeamError;
use super::personal_sync::{OWN, SyncTarget};
use super::place::SharePlace;
use super::recorded_address;
use super::setup::Setup;
use super::suggestion::Suggestion;

/// The setting that says how team files leave this machine.
pub const PUSH_SETTING: &str = "team.push";
/// The folder of a store's state that this kind of sharing has.
pub const KIND: &str = "team";

/// The team tier of a repository, and where it is shared.
#[derive(Clone, Debug)]
pub struct TeamShare {
    /// The remote.
    pub address: Address,
    /// Its address as git has it, where it is a git remote.
    pub git_url: Option<String>,
    /// The reference there, where it is a git remote.
    pub reference: String,
    /// The command that shares it, as hints name it.
    pub command: &'static str,
    /// The name that the memory goes by there.
    pub repository: Repository,
    /// What a person agreed to.
    pub setup: Setup,
    /// Where what is remembered of it is kept.
    pub place: SharePlace,
    /// The store of the tier.
    pub store: LocalStore,
    /// The tier.
    pub tier: ScopeDir,
    /// Whether what others wrote waits for a person.
    pub pulls_in_review: bool,
    /// Whether what no person saved, shared or reviewed waits for one.
    pub pushes_in_review: bool,
    /// Whether withheld memories are reported to the remote.
    pub reports_refused: bool,
}

impl TeamShare {
    /// How team files leave this machine.
    pub fn push(&self) -> TeamFlow {
        match self.pushes_in_review {
            true => TeamFlow::Review,
            false => TeamFlow::Auto,
        }
    }

    /// Whether these are one's own notes.
    pub fn is_own(&self) -> bool {
        self.place.kind() == OWN
    }

    /// The command that brings both ends in step, as hints name it.
    pub fn sync(&self) -> &'static str {
        match self.is_own() {
            true => "mem sync",
            false => "mem team sync",
        }
    }

    /// The command that settles what gave way, as hints name it.
    pub fn resolve(&self) -> String {
        match self.tier.0 {
            Scope::Global => format!("{} resolve --scope global", self.command),
            _ => format!("{} resolve", self.command),
        }
    }
}

/// The team memory of a place.
///
/// # Errors
/// It is not set up, or no longer what a person agreed to.
pub fn team_share(place: &ProjectContext, context: &RunContext) -> Result<TeamShare, TeamError> {
    match team_if_set_up(place, context)? {
        Some(share) => Ok(share),
        None if is_joinable(place, context)? => Err(TeamError::NotJoined),
        None => Err(TeamError::NotSetUp),
    }
}

/// Whether the repository suggests a remote with which `mem team join` can share.
fn is_joinable(place: &ProjectContext, context: &RunContext) -> Result<bool, TeamError> {
    // What is wrong with a suggestion is said by `mem team join` and `mem status`.
    let Ok(Some(suggestion)) = Suggestion::from_workdir(&place.project.workdir) else {
        return Ok(false);
    };
    let store = ProjectMemory::new(&place.location, context.dirs()?)
        .store(Scope::Team)
        .clone();
    let share = make_share(place, &suggestion.remote, &suggestion.repo, store);
    Ok(!matches!(share, Err(TeamError::NoSuchRemote(_))))
}

/// The same; `None` where it is not set up.
///
/// # Errors
/// It is no longer what a person agreed to, or the settings cannot be understood.
pub fn team_if_set_up(
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Option<TeamShare>, TeamError> {
    let TeamSettings { remote, repo, .. } = &place.config.values.team;
    if remote.is_empty() {
        return Ok(None);
    }
    refuse_environment(place, context, ["team.remote", "team.repo"])?;
    refuse_shared_directory(place, context)?;
    let store = ProjectMemory::new(&place.location, context.dirs()?)
        .store(Scope::Team)
        .clone();
    let setup = Setup::load_setup(&store, KIND);
    let share = make_share(place, remote, repo, store)?;
    let agreed = setup.remote == share.address.to_string();
    let before = setup.address.as_ref().filter(|_| agreed);
    if let (Some(before), Some(url)) = (before, &share.git_url)
        && !recorded_address::is_same(before, url)
        && let Address::Git(name) = &share.address
    {
        return Err(TeamError::Moved {
            remote: name.clone(),
            repository: share.repository.name().to_owned(),
        });
    }
    let setup = if agreed { setup } else { Setup::default() };
    Ok(Some(TeamShare { setup, ..share }))
}

/// Refuses to share a memory directory in which the memories of another repository are, too.
///
/// # Errors
/// There is such a repository, or no home directory.
pub(crate) fn refuse_shared_directory(
    place: &ProjectContext,
    context: &RunContext,
) -> Result<(), TeamError> {
    match registry::sharing_roots(context.dirs()?, &place.location).pop() {
        Some(other) => Err(TeamError::SharedDirectory(other)),
        None => Ok(()),
    }
}

/// Refuses to send memory where an agent's environment says.
///
/// # Errors
/// The environment has one of these settings.
pub(crate) fn refuse_environment(
    place: &ProjectContext,
    context: &RunContext,
    keys: [&str; 2],
) -> Result<(), TeamError> {
    let is_agent = context.author().actor == AuthorKind::Agent;
    for key in keys.iter().filter(|_| is_agent) {
        if let SettingOrigin::Environment(variable) = place.config.origin(key) {
            return Err(TeamError::ByEnvironment(variable));
        }
    }
    Ok(())
}

/// Rejects a value with which no run could share anything.
///
/// # Errors
/// The value is neither empty nor an address, or for `team.repo` the name of a repository.
pub fn check_setting(key: &str, value: &str) -> Result<(), TeamError> {
    match key {
        _ if value.is_empty() => {}
        "team.remote" => drop(Address::parse_address(value)?),
        "team.repo" => drop(Repository::of_name(value)?),
        // Any name and any folder do: the settings may have them elsewhere.
        "sync.remote" => drop(SyncTarget::parse_target(value, OWN, Path::new("/"))?),
        _ => {}
    }
    Ok(())
}

/// The share that a remote and the name of a repository make, before anybody has agreed to it.
///
/// # Errors
/// The address or the name cannot be understood, there is no such git remote.
pub fn make_share(
    place: &ProjectContext,
    remote: &str,
    repo: &str,
    store: LocalStore,
) -> Result<TeamShare, TeamError> {
    let address = Address::parse_address(remote)?;
    let git_url = match &address {
        Address::Git(name) => Some(git_url(&place.project, name)?),
        Address::Server(_) => None,
    };
    let repository = match repo {
        "" => named_by_remotes(&place.project, git_url.as_deref())?,
        name => Repository::of_name(name)?,
    };
    let at = git_url.as_deref().map(plain_url);
    let at = at.unwrap_or_else(|| address.to_string());
    let team = &place.config.values.team;
    Ok(TeamShare {
        place: SharePlace::new(&store, KIND, &at, repository.name()),
        address,
        git_url,
        reference: TEAM_REF.to_owned(),
        command: "mem team",
        repository,
        setup: Setup::default(),
        store,
        tier: ScopeDir(Scope::Team),
        pulls_in_review: team.pull == TeamFlow::Review,
        pushes_in_review: team.push == TeamFlow::Review,
        reports_refused: team.report_refused,
    })
}

impl TeamShare {
    /// What the name of a git remote stands for, as it may be shown; `None` where the address says it by itself.
    pub fn stands_for(&self) -> Option<String> {
        let (Address::Git(name), Some(url)) = (&self.address, &self.git_url) else {
            return None;
        };
        (name != url).then(|| recorded_address::recorded_address(url))
    }

    /// What a person has to know about who reads a git remote; nothing of a server, which knows its tokens.
    pub fn audience(&self) -> Option<&'static str> {
        let url = self.git_url.as_deref()?;
        let scheme = url
            .split_once("://")
            .map(|(scheme, _)| scheme.to_ascii_lowercase());
        // `host:path` is ssh too; a path is on this machine or on a disk that it shares.
        let first = url.split('/').next().unwrap_or_default();
        let names_host = first
            .split_once(':')
            .is_some_and(|(host, _)| host.len() > 1);
        let is_ssh = scheme.map_or(names_host, |scheme| scheme.contains("ssh"));
        Some(match is_ssh {
            true => {
                "who can read it cannot be asked over ssh: everyone who can read that repository will \
                 read these notes"
            }
            false => "everyone who can read that repository will read these notes",
        })
    }
}

/// A git address without what may be secret in it.
pub fn plain_url(url: &str) -> String {
    normalise_remote(url).unwrap_or_else(|| match url.split_once("://") {
        // The top of a host, such as `https://user:password@host/`.
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
            let host = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}/{path}")
        }
        None => url.to_owned(),
    })
}

/// One name for a repository however its address is spelled: to tell whether two addresses are of one.
pub(crate) fn same_place(url: &str, from: &Path) -> String {
    let url = url.trim();
    let url = url.strip_prefix("file://localhost").unwrap_or(url);
    let name = plain_url(&absolute_url(url, from));
    let Some(path) = name.strip_prefix("file:") else {
        return name;
    };
    // What git takes for the repository of a path.
    let ends = [".git", "/.git", ""].into_iter();
    let found = ends.map(|end| format!("{path}{end}"));
    let real = found
        .map(PathBuf::from)
        .find_map(|path| path.canonicalize().ok());
    real.map_or(name, |real| plain_url(&real.to_string_lossy()))
}

/// The address of a git remote, by its name; an address stands for itself.
fn git_url(project: &Project, name: &str) -> Result<String, TeamError> {
    if let Some(url) = remote_url(project, name) {
        return Ok(absolute_url(&url, &project.root));
    }
    match normalise_remote(name).is_some() || name.starts_with(['/', '.']) {
        true => Ok(absolute_url(name, &project.cwd)),
        false => Err(TeamError::NoSuchRemote(name.to_owned())),
    }
}

/// The addresses of all remotes of the clone.
pub(crate) fn remote_urls(project: &Project) -> Vec<String> {
    let mut urls = Vec::new();
    let path = project
        .git_common_dir
        .as_ref()
        .map(|dir| dir.join("config"));
    let config = path.and_then(|path| git2::Config::open(&path).ok());
    let entries = config
        .as_ref()
        .and_then(|config| config.entries(Some(r"^remote\..*url$")).ok());
    if let Some(mut entries) = entries {
        while let Some(Ok(entry)) = entries.next() {
            urls.extend(entry.value().map(str::to_owned));
        }
    }
    urls
}

/// The address of a git remote of the clone, by its name.
pub(crate) fn remote_url(project: &Project, name: &str) -> Option<String> {
    let path = project.git_common_dir.as_ref()?.join("config");
    let config = git2::Config::open(&path).ok()?;
    config.get_string(&format!("remote.{name}.url")).ok()
}

/// The same of another clone, by its top; `None` where that is not there any more.
pub(crate) fn remote_url_at(root: &Path, name: &str) -> Option<String> {
    mem_core::libgit2::prepare();
    let repository = git2::Repository::open(root).ok()?;
    let config = repository.config().ok()?;
    config.get_string(&format!("remote.{name}.url")).ok()
}

/// A path that git would take from the checkout's top, as one that means the same everywhere.
pub(crate) fn absolute_url(url: &str, from: &Path) -> String {
    let is_relative = normalise_remote(url).is_none() && !url.contains("://");
    let path: PathBuf = from.join(url);
    match (is_relative, path.canonicalize()) {
        (true, Ok(real)) => real.to_string_lossy().into_owned(),
        (true, Err(_)) => path.to_string_lossy().into_owned(),
        (false, _) => url.to_owned(),
    }
}

/// `owner/repo` from the address that is shared through, or from the remotes of the clone.
fn named_by_remotes(project: &Project, url: Option<&str>) -> Result<Repository, TeamError> {
    let of =
        |url: &str| Repository::of_remote(url).map_err(|why| TeamError::Nameless(why.to_string()));
    if let Some(url) = url {
        return of(url);
    }
    let origin = remote_url(project, "origin");
    let origin = origin.ok_or_else(|| TeamError::Nameless("there is no remote `origin`".into()))?;
    let origin = of(&origin)?;
    let upstream = remote_url(project, "upstream").and_then(|url| of(&url).ok());
    match upstream {
        Some(upstream) if upstream != origin => Err(TeamError::ForkOrUpstream {
            origin: origin.name().to_owned(),
            upstream: upstream.name().to_owned(),
        }),
        _ => Ok(origin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_one_in_every_spelling() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        let bare = root.join("notes.git");
        std::fs::create_dir_all(&bare).unwrap();
        std::fs::create_dir_all(root.join("work")).unwrap();
        std::os::unix::fs::symlink(&bare, root.join("link")).unwrap();
        let shown = root.to_string_lossy();
        let of = |url: &str| same_place(url, &root.join("work"));
        let one = of(&bare.to_string_lossy());
        for url in [
            format!("{shown}/notes.git/"),
            format!("{shown}/notes"),
            format!("file://{shown}/notes.git"),
            format!("file://localhost{shown}/notes"),
            format!("{shown}/link"),
            format!("{shown}/work/../notes.git"),
            "../notes.git".to_owned(),
            "../link/".to_owned(),
        ] {
            assert_eq!(of(&url), one, "{url}");
        }
        assert_ne!(of(&format!("{shown}/other.git")), one);
        assert_eq!(
            of("git@h.example:me/notes.git"),
            of("https://h.example/Me/notes")
        );
    }
}
