//! How the team's memory is shared and one's own notes are kept in step, as far as that is known without asking anybody;
//! and what a repository suggests.

use mem_team::gates::SecretGate;
use std::sync::Arc;

use mem_core::Scope;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_sync::Repository;
use mem_team::error::TeamError;
use mem_team::settings::{self, KIND, TeamShare};
use mem_team::setup::Setup;
use mem_team::standing::{self, ShareStatus};
use mem_team::suggestion::Suggestion;
use mem_team::{glance, own};
use serde_json::{Value, json};

use crate::context::Context;
use crate::error::ErrorShape;
use crate::sanitize::one_line;
use crate::style::{HINT, WARNING};
use mem_core::counted::format_count;

/// Before what is wrong with a suggestion.
const SUGGESTS: &str = "what `.mem/team.toml` suggests";

/// What a status tells of it.
#[derive(Debug, Default)]
pub(super) struct Team {
    shared: Option<SharedTier>,
    suggested: Option<Suggested>,
    /// Why it cannot be told.
    error: Option<String>,
}

/// A tier that is shared, or several at one remote.
#[derive(Debug)]
pub(super) struct SharedTier {
    /// What it is called, and the command that shares it.
    words: [&'static str; 2],
    remote: String,
    repository: String,
    memories: usize,
    waiting: usize,
    conflicts: usize,
    /// What is left of the quotas at the remote.
    quota: Option<String>,
    /// The commands that show what gave way: one for each tier that has such texts.
    resolve: Vec<String>,
    is_offline: bool,
    error: Option<String>,
}

/// A suggestion of the repository that nobody has answered.
#[derive(Debug)]
struct Suggested {
    remote: String,
    /// What the memory is called there, where the suggestion says so.
    repository: Option<String>,
    /// How many memories it was seen to have.
    memories: Option<usize>,
}

impl Team {
    /// Looks at the settings and at what is remembered. What is wrong with them is told, not failed at.
    pub(super) fn for_project(place: &ProjectContext, context: &Context) -> Self {
        let mut team = Self::default();
        if let Err(error) = team.look_up(place, context) {
            team.error = Some(ErrorShape::from_error(&error).message);
        }
        team
    }

    fn look_up(&mut self, place: &ProjectContext, context: &Context) -> anyhow::Result<()> {
        if let Some(share) = settings::team_if_set_up(place, context)? {
            let standing = ShareStatus::for_share(
                &share,
                Arc::new(SecretGate::for_place(place, context)),
                context,
            )?;
            let mut shared = SharedTier::empty_tier(&share, ["team", "mem team"]);
            shared.count_tier(&share, standing);
            self.shared = Some(shared);
        }
        let Some(suggestion) = Suggestion::from_workdir(&place.project.workdir)? else {
            return Ok(());
        };
        let memory = ProjectMemory::new(&place.location, context.dirs()?);
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
            // `mem team join` would say no more than that.
            Err(error @ TeamError::NoSuchRemote(_)) => {
                return Err(anyhow::Error::new(error).context(SUGGESTS));
            }
            Err(_) => None,
        };
        let memories = share.and_then(|share| {
            let known = standing::count_shared(&share.place.state_file().load().0);
            let known = Some(known).filter(|count| *count > 0);
            known.or_else(|| glance::remote_memories(&share, place, context))
        });
        self.suggested = Some(Suggested {
            remote: suggestion.remote,
            repository: name.map(|name| name.name().to_owned()),
            memories: memories.filter(|count| *count > 0),
        });
        Ok(())
    }

    /// The lines for people.
    pub(super) fn status_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.shared.iter().map(SharedTier::status_line).collect();
        lines.extend(self.suggested.as_ref().map(|one| {
            let is_other = self.shared.is_some();
            one.suggestion_line(is_other)
        }));
        if let Some(error) = &self.error {
            lines.push(format!("  {WARNING}team{WARNING:#}: {}", one_line(error)));
        }
        lines
    }

    /// The stable shape; null where nothing is shared or suggested.
    pub(super) fn to_json(&self) -> Value {
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

impl Suggested {
    /// The line for people: what is to be had there, or that it is another place than the one that is shared at.
    fn suggestion_line(&self, is_other: bool) -> String {
        let name = one_line(self.remote.strip_prefix("git:").unwrap_or(&self.remote));
        if is_other {
            let of = self.repository.as_deref();
            let of = of.map_or(String::new(), |of| format!("{} at ", one_line(of)));
            return format!("  `.mem/team.toml` suggests {of}{name} now: mem team join");
        }
        let what = match self.memories {
            Some(count) => format_count(count, "memory", "memories"),
            None => "team memory".to_owned(),
        };
        format!("  {name} shares {what}: mem team join")
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
            conflicts: 0,
            quota: None,
            resolve: Vec::new(),
            is_offline: false,
            error: None,
        }
    }

    /// One's own notes, of which no tier is counted yet.
    fn of_own(share: &TeamShare) -> Self {
        let name = share.repository.name();
        let name = name.split('/').next().unwrap_or(name).to_owned();
        Self {
            repository: name,
            ..Self::empty_tier(share, ["own notes", "mem sync"])
        }
    }

    /// The stable shape.
    pub(super) fn to_json(&self) -> Value {
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
        self.conflicts += standing.state.conflicts.len();
        if !standing.state.conflicts.is_empty() {
            self.resolve.push(format!("`{}`", share.resolve()));
        }
        self.quota = self.quota.take().or(standing.state.quota);
        self.is_offline |= standing.outcome.is_offline;
        self.error = self.error.take().or(standing.outcome.error);
    }

    /// The line for people, with what is to be done.
    pub(super) fn status_line(&self) -> String {
        let [word, command] = self.words;
        let (repository, remote) = (one_line(&self.repository), one_line(&self.remote));
        let memories = format_count(self.memories, "memory", "memories");
        let mut parts = vec![format!("  {word}: {memories} of {repository} at {remote}")];
        if self.waiting > 0 {
            let files = format_count(self.waiting, "file waits", "files wait");
            parts.push(format!("; {files} to be sent"));
        }
        if self.is_offline {
            parts.push(format!("; {WARNING}offline{WARNING:#}"));
        } else if let Some(error) = &self.error {
            parts.push(format!(
                "; {WARNING}stopped{WARNING:#}: {}",
                one_line(error)
            ));
        }
        if let Some(quota) = &self.quota {
            parts.push(format!("; quota: {}", one_line(quota)));
        }
        let hint = format!("    {HINT}hint{HINT:#}:");
        if self.waiting > 0 || self.error.is_some() {
            parts.push(format!("\n{hint} `{command} status` tells more"));
        }
        if self.conflicts > 0 {
            let texts = format_count(self.conflicts, "text", "texts");
            let commands = self.resolve.join(" and ");
            let show = if self.resolve.len() == 1 {
                "shows"
            } else {
                "show"
            };
            parts.push(format!(
                "\n  {WARNING}conflict{WARNING:#}: {texts} gave way\n{hint} {commands} {show} both"
            ));
        }
        parts.concat()
    }
}

/// What a status tells of one's own notes; nothing where they are not kept in step.
#[derive(Debug, Default)]
pub(super) struct PersonalSyncStatus {
    shared: Option<SharedTier>,
    /// Why it cannot be told.
    error: Option<String>,
}

impl PersonalSyncStatus {
    /// Looks at the settings and at what is remembered. What is wrong with them is told, not failed at.
    pub(super) fn for_project(place: &ProjectContext, context: &Context) -> Self {
        match look_up(place, context) {
            Ok(shared) => Self {
                shared,
                error: None,
            },
            Err(error) => Self {
                shared: None,
                error: Some(ErrorShape::from_error(&error).message),
            },
        }
    }

    /// The lines for people.
    pub(super) fn status_lines(&self) -> Vec<String> {
        let error = self.error.iter();
        let error = error.map(|why| format!("  {WARNING}own notes{WARNING:#}: {}", one_line(why)));
        self.shared
            .iter()
            .map(SharedTier::status_line)
            .chain(error)
            .collect()
    }

    /// The stable shape; null where nothing is kept in step.
    pub(super) fn to_json(&self) -> Value {
        match (&self.shared, &self.error) {
            (Some(shared), _) => shared.to_json(),
            (None, Some(error)) => json!({ "error": error }),
            (None, None) => Value::Null,
        }
    }
}

fn look_up(place: &ProjectContext, context: &Context) -> anyhow::Result<Option<SharedTier>> {
    let Some(own) = own::own_if_set_up(place, context)? else {
        return Ok(None);
    };
    let mut all: Option<SharedTier> = None;
    for share in &own.shares {
        let standing = ShareStatus::for_share(
            share,
            Arc::new(SecretGate::for_place(place, context)),
            context,
        )?;
        let shared = all.get_or_insert_with(|| SharedTier::of_own(share));
        shared.count_tier(share, standing);
    }
    Ok(all)
}
