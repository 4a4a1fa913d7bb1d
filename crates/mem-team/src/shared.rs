//! Keeps a file of the team tier from being removed on this machine alone.
//!
//! The next sync restores a file that the team has and this machine lacks (`mem_sync::decide`), so a removal
//! here would be undone within seconds. The gate sees every change that `mem` makes, so that the rule is the
//! same for `remove`, `rename`, `undo`, the MCP tools, the memory tool and background jobs: a removal of a
//! shared file is rejected, and the hint names `mem team delete`. A file that was never sent is removed as any
//! other, and so is one that is already to be deleted for everybody. Files that another program removes are not
//! seen here.

use mem_core::frontmatter::{self, FieldEdit};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::store::{GateRefusal, ProposedChange, ProposedFile};
use mem_core::{Dirs, MemoryPath, RunContext, Scope, notes};
use mem_sync::EntryKey;
use mem_sync::decide::KnownKey;

use super::outbound_scan::shown_key;
use super::settings;

/// Verbs of changes that carry out what the team decided: a sync round, a deletion for everybody.
const VERBS_OF_THE_TEAM: [&str; 2] = ["pull", "delete"];

/// Whether a removal that a gate is asked about would be undone by the next sync.
#[derive(Debug)]
pub struct SharedFiles(Option<(ProjectContext, Dirs)>);

impl SharedFiles {
    /// The shared files of a place.
    pub fn for_project(place: &ProjectContext, context: &RunContext) -> Self {
        let is_shared = !place.config.values.team.remote.is_empty();
        let dirs = context.dirs().ok().filter(|_| is_shared);
        Self(dirs.map(|dirs| (place.clone(), dirs.clone())))
    }

    /// No file counts as shared: for what belongs to no project, and for what a person accepted.
    pub fn without_share() -> Self {
        Self(None)
    }

    /// The keys of those of these paths that the remote has, and that nobody has deleted for everybody yet.
    pub fn shared_keys<'p>(&self, paths: impl Iterator<Item = &'p MemoryPath>) -> Vec<EntryKey> {
        let Some((place, dirs)) = &self.0 else {
            return Vec::new();
        };
        let store = ProjectMemory::new(&place.location, dirs)
            .store(Scope::Team)
            .clone();
        let team = &place.config.values.team;
        // Nothing is synced with a remote that cannot be understood, so nothing comes back from it.
        let Ok(share) = settings::make_share(place, &team.remote, &team.repo, store) else {
            return Vec::new();
        };
        let (state, _) = share.place.state_file().load();
        let keys = paths.filter_map(|path| EntryKey::parse(share.tier.file(path)?).ok());
        let is_shared = |key: &EntryKey| {
            let is_there = matches!(state.remote_of(key), Some(KnownKey::At(_)));
            is_there && !state.deleting.contains_key(key)
        };
        keys.filter(is_shared).collect()
    }

    /// Rejects a change that removes or renames a shared file.
    ///
    /// # Errors
    /// It does.
    pub fn check_change(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        let is_removal = |file: &&ProposedFile<'_>| {
            let is_gone = file.old.is_some() && file.new.is_none();
            is_gone && file.scope == Scope::Team && !notes::is_index(file.path)
        };
        let removed: Vec<_> = change.files.iter().filter(is_removal).collect();
        if removed.is_empty() || VERBS_OF_THE_TEAM.contains(&change.order.verb) {
            return Ok(());
        }
        let Some(key) = self
            .shared_keys(removed.iter().map(|file| file.path))
            .into_iter()
            .next()
        else {
            return Ok(());
        };
        let key = shown_key(&key);
        let is_renamed = |file: &&ProposedFile<'_>| {
            let from = file.renamed_from;
            from.is_some_and(|from| removed.iter().any(|one| one.path == from))
        };
        let is_rename = change.order.verb == "rename";
        let renamed = change.files.iter().find(is_renamed).filter(|_| is_rename);
        // A title that cannot be written, as in broken YAML, cannot be changed alone either.
        let can_retitle = |file: &ProposedFile<'_>| {
            let title = FieldEdit::Name("title".to_owned());
            frontmatter::edit(file.new.unwrap_or_default(), &[title]).is_ok()
        };
        let by_saving = format!(
            "for another file name, save the memory under that name and run `mem team delete {key}`"
        );
        let hint = match renamed.map(can_retitle) {
            Some(true) => format!(
                "`mem rename {key} TITLE --file {key}` changes the title alone; {by_saving}"
            ),
            Some(false) => by_saving,
            None => format!("`mem team delete {key}` deletes it for everybody"),
        };
        Err(GateRefusal {
            code: "shared",
            message: format!("the team has `{key}`, so the next sync would bring it back"),
            hint: Some(hint),
        })
    }
}
