//! Sharing a memory: a private one moves to the team tier, with its entry of the index, in one change; the id stays.

use super::ProjectMemory;
use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::note::Note;
use super::pointer::{self, EntryText};
use super::routing::route;
use super::save::topic_path;
use super::scope_dir::ScopeDir;
use crate::error::Diagnose;
use crate::history::Change;
use crate::index::MemoryIndex;
use crate::notes::INDEX_FILE;
use crate::store::{ChangeMetadata, Planned, StoreError, WriteGate, WriteTransaction};
use crate::topic::TopicFile;
use crate::{MemoryPath, Scope};

const TEAM: ScopeDir = ScopeDir(Scope::Team);

/// What was moved.
#[derive(Debug)]
pub struct ShareOutcome {
    /// The file within the private tier, before.
    pub from: String,
    /// The file within the team tier, after.
    pub to: String,
    /// The path within the store, after.
    pub path: MemoryPath,
    /// The change; `None` where a person decides about it first.
    pub change: Option<Change>,
    /// What the gates and the store had to say.
    pub warnings: Vec<String>,
}

/// A memory that cannot be moved to the team. Nothing was written.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ShareError {
    /// It is there.
    #[error("`{0}` is in the team tier already")]
    #[diagnose(Invalid, hint = "`mem team status` lists what waits to be sent")]
    OfTeam(String),
    /// Other repositories need it where it is.
    #[error("`{0}` holds in every repository: only a private memory moves to the team")]
    #[diagnose(Invalid, hint = "`mem save --scope team` writes one for the team")]
    Global(String),
    /// The team has another memory of that name.
    #[error("the team tier has `{0}` already")]
    #[diagnose(
        Conflict,
        hint = "`mem show {0}` shows it; `--file OTHER.md` gives yours another name there"
    )]
    Taken(MemoryPath),
    /// The rules of memories, or the store.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl From<StoreError> for ShareError {
    fn from(error: StoreError) -> Self {
        Self::Memory(error.into())
    }
}

impl ProjectMemory {
    /// Moves a private memory to the team tier, under the same name unless `file` gives another.
    ///
    /// # Errors
    /// It is not private, is about a person, or holds a secret; the name is taken there; a gate refuses, or the
    /// system does.
    pub fn share(
        &self,
        note: &Note,
        file: Option<&str>,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<ShareOutcome, ShareError> {
        let target = target(note, file)?;
        let store = self.store(Scope::Private);
        let written = store.write(order, gate, |draft| carry_out(draft, note, &target))?;
        let (change, warnings) = (written.change, written.warnings);
        Ok(ShareOutcome::from_move(note, &target, change, warnings))
    }

    /// Tells what [`ProjectMemory::share`] would write; the gate is asked.
    ///
    /// # Errors
    /// As [`ProjectMemory::share`].
    pub fn preview_share(
        &self,
        note: &Note,
        file: Option<&str>,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<(ShareOutcome, Vec<Planned>), ShareError> {
        let target = target(note, file)?;
        let store = self.store(Scope::Private);
        let ((), plans) = store.preview(order.now, |draft| carry_out(draft, note, &target))?;
        let warnings = store.ask(&plans, order, gate)?;
        Ok((
            ShareOutcome::from_move(note, &target, None, warnings),
            plans,
        ))
    }
}

impl ShareOutcome {
    fn from_move(
        note: &Note,
        target: &MemoryPath,
        change: Option<Change>,
        warnings: Vec<String>,
    ) -> Self {
        let to = TEAM.file(target).unwrap_or(target.as_str());
        Self {
            from: note.file.clone(),
            to: to.to_owned(),
            path: target.clone(),
            change,
            warnings,
        }
    }
}

/// Where the file would stand.
fn target(note: &Note, file: Option<&str>) -> Result<MemoryPath, ShareError> {
    match note.scope {
        Scope::Team => return Err(ShareError::OfTeam(note.file.clone())),
        Scope::Global => return Err(ShareError::Global(note.file.clone())),
        Scope::Private => {}
    }
    if let Some(kind) = note.topic.kind {
        route(kind, Some(Scope::Team)).map_err(MemoryError::from)?;
    }
    Ok(topic_path(TEAM, file.unwrap_or(&note.file))?)
}

fn carry_out(
    draft: &mut WriteTransaction<'_>,
    note: &Note,
    target: &MemoryPath,
) -> Result<(), ShareError> {
    let own = ScopeDir(note.scope);
    if draft.exists(target) {
        return Err(ShareError::Taken(target.clone()));
    }
    if let Some(existing) = find_collision(draft, target) {
        return Err(ShareError::Taken(existing));
    }
    let bytes = draft.read(&note.path)?;
    let bytes = bytes.ok_or_else(|| MemoryError::NotFound(note.file.clone()))?;
    let topic = TopicFile::parse(&bytes);
    let index = draft.read(&own.path(INDEX_FILE).map_err(MemoryError::from)?)?;
    let index = index.unwrap_or_default();
    let entries = MemoryIndex::parse(&index);
    let mut entries = entries.entries();
    let entry = entries.find(|(_, entry)| entry.points_to(&note.file));
    // As the person worded it.
    let (title, hook) = match entry {
        Some((_, entry)) => (entry.title(&index), entry.hook(&index)),
        None => {
            let title = topic.title(note.path.stem()).to_owned();
            (title, topic.description.clone().unwrap_or_default())
        }
    };
    draft.rename(&note.path, target)?;
    pointer::remove(draft, own, &note.file)?;
    let line = EntryText {
        title: &title,
        hook: &hook,
        kind: topic.kind,
    };
    let to = TEAM.file(target).unwrap_or(target.as_str());
    Ok(pointer::set(draft, TEAM, to, &line)?)
}
