//! How the team's memory is shared and personal memories are synchronised, as far as that is known without asking
//! anybody; and what a repository suggests.

use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::{RunContext, Scope};
use mem_sync::Repository;
use mem_team::error::TeamError;
use mem_team::settings::{self, KIND, TeamShare};
use mem_team::setup::Setup;
use mem_team::share_status::{self, ShareStatus};
use mem_team::suggestion::Suggestion;
use mem_team::{personal_sync, remote_memories};
use mem_tools::error_text::shown_message;
use serde_json::{Value, json};

/// Before what is wrong with a suggestion.
const SUGGESTS: &str = "what `.mem/team.toml` suggests";

/// What a status tells of it.
#[derive(Debug, Default)]
pub struct TeamStatus {
    /// Where it is shared.
    pub shared: Option<SharedTier>,
    /// Where the repository suggests to share it.
    pub suggested: Option<SuggestedRemote>,
    /// Why it cannot be told.
    pub error: Option<String>,
}

/// A tier that is shared, or several at one remote.
#[derive(Debug)]
pub struct SharedTier {
    /// What it is called, and the command that shares it.
    pub words: [&'static str; 2],
    /// Its address.
    pub remote: String,
    /// What the memory is called there.
    pub repository: String,
    /// The memories that both ends have.
    pub memories: usize,
    /// Files that wait to be sent.
    pub waiting: usize,
    /// The command that sends them; `None` where none of them can be sent.
    pub send: Option<&'static str>,
    /// Conflicts: texts that a pull replaced.
    pub conflicts: usize,
    /// What is left of the quotas at the remote.
    pub quota: Option<String>,
    /// The commands that show conflicts: one for each tier that has some.
    pub resolve: Vec<String>,
    /// Whether the last run found nobody.
    pub is_offline: bool,
    /// Why the last run stopped.
    pub error: Option<String>,
}

/// A suggestion of the repository that nobody has answered.
#[derive(Debug)]
pub struct SuggestedRemote {
    /// Its address.
    pub remote: String,
    /// What the memory is called there, where the suggestion says so.
    pub repository: Option<String>,
    /// How many memories it was seen to have.
    pub memories: Option<usize>,
}

impl TeamStatus {
    /// Looks at the settings and at what is remembered. What is wrong with them is a part of the answer, not an error.
    pub fn for_project(place: &ProjectContext, run: &RunContext) -> Self {
        let mut team = Self::default();
        if let Err(error) = team.look_up(place, run) {
            team.error = Some(shown_message(&error));
        }
        team
    }

    fn look_up(&mut self, place: &ProjectContext, run: &RunContext) -> Result<(), TeamError> {
        if let Some(share) = settings::team_if_set_up(place, run)? {
            let standing = ShareStatus::for_share(&share, place, run)?;
            let mut shared = SharedTier::empty_tier(&share, ["team", "mem team"]);
            shared.count_tier(&share, standing);
            self.shared = Some(shared);
        }
        let Some(suggestion) = Suggestion::from_workdir(&place.project.workdir)? else {
            return Ok(());
        };
        let memory = ProjectMemory::new(&place.location, run.dirs()?);
        let store = memory.store(Scope::Team).clone();
        let is_answered = Setup::load_setup(&store, KIND).suggestion == Some(suggestion.sha256);
        let name = Repository::of_name(&suggestion.repo).ok();
        let is_followed = |shared: &SharedTier| {
            let is_named = |name: &Repository| name.name() == shared.repository;
            shared.remote == suggestion.remote.trim() && name.as_ref().is_none_or(is_named)
        };
        if is_answered || self.shared.as_ref().is_some_and(is_followed) {
            return Ok(());
        }
        let share = match settings::make_share(place, &suggestion.remote, &suggestion.repo, store) {
            Ok(share) => Some(share),
            // `mem team join` would say the same.
            Err(error @ TeamError::NoSuchRemote(_)) => {
                self.error = Some(format!("{SUGGESTS}: {}", shown_message(&error)));
                return Ok(());
            }
            Err(_) => None,
        };
        let memories = share.and_then(|share| {
            let known = share_status::count_shared(&share.place.state_file().load().0);
            let known = Some(known).filter(|count| *count > 0);
            known.or_else(|| remote_memories::remote_memories(&share, place, run))
        });
        self.suggested = Some(SuggestedRemote {
            remote: suggestion.remote,
            repository: name.map(|name| name.name().to_owned()),
            memories: memories.filter(|count| *count > 0),
        });
        Ok(())
    }

    /// The stable shape; null where nothing is shared or suggested.
    pub fn to_json(&self) -> Value {
        if self.shared.is_none() && self.suggested.is_none() && self.error.is_none() {
            return Value::Null;
        }
        let shared = self.shared.as_ref();
        let error = shared.and_then(|shared| shared.error.clone());
        json!({
            "remote": shared.map(|shared| &shared.remote),
            "repository": shared.map(|shared| &shared.repository),
            "shared": shared.map(|shared| shared.memories),
            "waiting": shared.map(|shared| shared.waiting),
            "conflicts": shared.map(|shared| shared.conflicts),
            "offline": shared.map(|shared| shared.is_offline),
            "quota": shared.and_then(|shared| shared.quota.as_ref()),
            "error": error.or_else(|| self.error.clone()),
            "suggested": self.suggested.as_ref().map(|one| &one.remote),
            "suggested_memories": self.suggested.as_ref().and_then(|one| one.memories),
        })
    }
}

impl SharedTier {
    /// Nothing of it counted yet.
    fn empty_tier(share: &TeamShare, words: [&'static str; 2]) -> Self {
        Self {
            words,
            remote: share.address.to_string(),
            repository: share.repository.name().to_owned(),
            memories: 0,
            waiting: 0,
            send: None,
            conflicts: 0,
            quota: None,
            resolve: Vec::new(),
            is_offline: false,
            error: None,
        }
    }

    /// Personal memories, of which no tier is counted yet.
    fn of_own(share: &TeamShare) -> Self {
        let name = share.repository.name();
        let name = name.split('/').next().unwrap_or(name).to_owned();
        Self {
            repository: name,
            ..Self::empty_tier(share, ["own notes", "mem sync"])
        }
    }

    /// The stable shape.
    pub fn to_json(&self) -> Value {
        json!({
            "remote": self.remote, "repository": self.repository, "shared": self.memories,
            "waiting": self.waiting, "conflicts": self.conflicts, "offline": self.is_offline,
            "error": self.error,
        })
    }

    /// Counts a tier.
    fn count_tier(&mut self, share: &TeamShare, standing: ShareStatus) {
        self.memories += standing.shared();
        self.waiting += standing.waiting.len() + standing.deleting.len();
        if standing.has_unsent() {
            self.send = Some(share.sync());
        }
        self.conflicts += standing.state.conflicts.len();
        if !standing.state.conflicts.is_empty() {
            self.resolve.push(format!("`{}`", share.resolve()));
        }
        self.quota = self.quota.take().or(standing.state.quota);
        self.is_offline |= standing.outcome.is_offline;
        self.error = self.error.take().or(standing.outcome.error);
    }
}

/// What a status says of personal memories; nothing where they are not synchronised.
#[derive(Debug, Default)]
pub struct PersonalSyncStatus {
    /// Where they are kept.
    pub shared: Option<SharedTier>,
    /// Why it cannot be told.
    pub error: Option<String>,
}

impl PersonalSyncStatus {
    /// Looks at the settings and at what is remembered. What is wrong with them is a part of the answer, not an error.
    pub fn for_project(place: &ProjectContext, run: &RunContext) -> Self {
        match look_up(place, run) {
            Ok(shared) => Self {
                shared,
                error: None,
            },
            Err(error) => Self {
                shared: None,
                error: Some(shown_message(&error)),
            },
        }
    }

    /// The stable shape; null where nothing is kept in step.
    pub fn to_json(&self) -> Value {
        match (&self.shared, &self.error) {
            (Some(shared), _) => shared.to_json(),
            (None, Some(error)) => json!({ "error": error }),
            (None, None) => Value::Null,
        }
    }
}

fn look_up(place: &ProjectContext, run: &RunContext) -> Result<Option<SharedTier>, TeamError> {
    let Some(own) = personal_sync::own_if_set_up(place, run)? else {
        return Ok(None);
    };
    let mut all: Option<SharedTier> = None;
    for share in &own.shares {
        let standing = ShareStatus::for_share(share, place, run)?;
        let shared = all.get_or_insert_with(|| SharedTier::of_own(share));
        shared.count_tier(share, standing);
    }
    Ok(all)
}
