//! Adding a memory beside all others, and in one change with it taking away the one that it
//! supersedes.

use super::ProjectMemory;
use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::pointer;
use super::save::{NUMBERED_NAMES_MAX, SaveOutcome, form_of};
use super::scope_dir::ScopeDir;
use crate::frontmatter::Eol;
use crate::history::{NoteId, Sha256};
use crate::store::{ChangeMetadata, WriteGate, WriteTransaction};
use crate::topic::{self, NewTopic};
use crate::{MemoryPath, Scope};

/// What to add, and where.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The memory. Another one may have its name: then the file gets a number.
    pub topic: NewTopic,
    /// The tier.
    pub scope: Scope,
    /// Whether the index gets its line (not where a daily log is kept instead).
    pub with_index: bool,
    /// The one whose place it takes, in the same tier.
    pub supersedes: Option<Predecessor>,
}

/// A memory that gives way.
#[derive(Clone, Debug)]
pub struct Predecessor {
    /// Its id.
    pub id: NoteId,
    /// What it said when somebody decided so. One that says something else by now stays.
    pub sha256: Sha256,
}

/// What was added.
#[derive(Debug)]
pub struct AddOutcome {
    /// The new memory.
    pub saved: SaveOutcome,
    /// The file within the tier that gave way; `None` where nothing did.
    pub superseded: Option<String>,
}

impl ProjectMemory {
    /// Adds a memory under a file name that is free.
    ///
    /// # Errors
    /// A field breaks its rules, a gate refuses, or the system does. Nothing is written then.
    pub fn add(
        &self,
        addition: &Addition,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<AddOutcome, MemoryError> {
        addition.topic.validate()?;
        let tier = ScopeDir(addition.scope);
        let written = self.store(addition.scope).write(order, gate, |draft| {
            let form = form_of(draft, tier);
            let path = free_path(draft, tier, &addition.topic, form)?;
            let bytes = topic::render(&addition.topic, form, Eol::Lf);
            draft.put(&path, bytes)?;
            let superseded = give_way(draft, tier, addition, &path)?;
            let topic = &addition.topic;
            let file = pointer::set_for(draft, tier, &path, topic, addition.with_index)?;
            Ok::<_, MemoryError>((draft.note_id(&path), file, path, superseded))
        })?;
        let (id, file, path, superseded) = written.value;
        let saved = SaveOutcome {
            id,
            file,
            path,
            created: true,
            change: written.change,
            warnings: written.warnings,
        };
        Ok(AddOutcome { saved, superseded })
    }
}

/// Takes the predecessor away, if it still is what it was.
fn give_way(
    draft: &mut WriteTransaction<'_>,
    tier: ScopeDir,
    addition: &Addition,
    new: &MemoryPath,
) -> Result<Option<String>, MemoryError> {
    let Some(Predecessor { id, sha256 }) = &addition.supersedes else {
        return Ok(None);
    };
    let Some(old) = draft.catalog().path_of(id) else {
        return Ok(None);
    };
    let Some(file) = tier.note(&old).map(str::to_owned) else {
        return Ok(None);
    };
    let now = draft.read(&old)?;
    if now.is_none_or(|bytes| Sha256::digest(&bytes) != *sha256) {
        return Ok(None);
    }
    draft.supersede(&old, new)?;
    pointer::remove(draft, tier, &file)?;
    Ok(Some(file))
}

/// The plain name, or a numbered one where another memory has it.
fn free_path(
    draft: &WriteTransaction<'_>,
    tier: ScopeDir,
    topic: &NewTopic,
    form: topic::FrontmatterForm,
) -> Result<MemoryPath, MemoryError> {
    let first = topic::file_name_for(topic.kind, &topic.name, form)?;
    let first = tier.path(first.as_str())?;
    let mut path = first.clone();
    for number in 2..NUMBERED_NAMES_MAX {
        if !draft.exists(&path) && find_collision(draft, &path).is_none() {
            return Ok(path);
        }
        path = topic::numbered(&first, number)?;
    }
    Err(MemoryError::Exists {
        path: first,
        scope: tier.0,
    })
}
