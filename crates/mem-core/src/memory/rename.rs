//! Renaming a memory: title, file and index line in one change; the id stays.

use super::ProjectMemory;
use super::error::MemoryError;
use super::name_collisions::find_collision;
use super::note::Note;
use super::pointer::{self, EntryText};
use super::save::topic_path;
use super::scope_dir::ScopeDir;
use crate::frontmatter::{self, FieldEdit};
use crate::history::Change;
use crate::store::{ChangeMetadata, WriteGate};
use crate::topic::{self, FrontmatterForm};

/// What was renamed.
#[derive(Debug)]
pub struct Renamed {
    /// The file before, within its tier.
    pub from: String,
    /// The file after.
    pub to: String,
    /// The change.
    pub change: Option<Change>,
    /// What the gates and the store had to say; another memory of the same title.
    pub warnings: Vec<String>,
}

impl ProjectMemory {
    /// Gives a memory another name. The file follows the name unless `file` says otherwise;
    /// a `name` that ends in `.md` renames the file alone.
    ///
    /// # Errors
    /// The new file is taken, the name breaks its rules, or the system refuses.
    pub fn rename(
        &self,
        note: &Note,
        name: &str,
        file: Option<&str>,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
    ) -> Result<Renamed, MemoryError> {
        let tier = ScopeDir(note.scope);
        let only_file = name.ends_with(".md") && file.is_none();
        let target = match file.or(only_file.then_some(name)) {
            Some(file) => topic_path(tier, file)?,
            None => tier.path(&file_for(note, name)?)?,
        };
        let to = tier.file(&target).unwrap_or(target.as_str()).to_owned();
        let written = self.store(note.scope).write(order, gate, |draft| {
            let old = draft.read(&note.path)?;
            let old = old.ok_or_else(|| MemoryError::NotFound(note.file.clone()))?;
            if target != note.path {
                if draft.exists(&target) {
                    let path = target.clone();
                    return Err(MemoryError::NameTaken {
                        path,
                        scope: note.scope,
                    });
                }
                let twin = find_collision(draft, &target).filter(|twin| *twin != note.path);
                if let Some(existing) = twin {
                    let path = target.clone();
                    return Err(MemoryError::Twin { path, existing });
                }
                draft.rename(&note.path, &target)?;
                pointer::rename(draft, tier, &note.file, &to)?;
            }
            if !only_file {
                draft.put(
                    &target,
                    frontmatter::edit(&old, &[FieldEdit::Name(name.to_owned())])?,
                )?;
                let hook = note.topic.description.as_deref().unwrap_or_default();
                let line = EntryText {
                    title: name,
                    hook,
                    kind: note.topic.kind,
                };
                pointer::retitle(draft, tier, &to, &line)?;
                return pointer::same_titles(draft, tier, &to, name);
            }
            Ok(Vec::new())
        })?;
        let mut warnings = written.warnings;
        warnings.extend(written.value);
        Ok(Renamed {
            from: note.file.clone(),
            to,
            change: written.change,
            warnings,
        })
    }
}

/// The file name that goes with a new name: made like the one it has.
fn file_for(note: &Note, name: &str) -> Result<String, MemoryError> {
    let Some(kind) = note.topic.kind else {
        return Ok(note.file.clone());
    };
    let form = match note.path.file_name().starts_with(&format!("{kind}_")) {
        true => FrontmatterForm::Flat,
        false => FrontmatterForm::Nested,
    };
    let plain = topic::file_name_for(kind, name, form)?;
    let folder = note
        .file
        .rsplit_once('/')
        .map(|(folder, _)| format!("{folder}/"));
    Ok(format!("{}{plain}", folder.unwrap_or_default()))
}
