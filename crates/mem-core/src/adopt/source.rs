//! From what a person types after `--from` to a memory directory.

use std::path::{Path, PathBuf};

use super::error::AdoptError;
use crate::dirs::Dirs;
use crate::projects::has_notes;
use crate::store::{DirectoryKind, LocalStore, Tiers};
use crate::{registry, slug};

/// A memory directory that can be adopted.
#[derive(Clone, Debug)]
pub struct AdoptionSource {
    /// The directory.
    pub memory_dir: PathBuf,
    /// The same as a store.
    pub store: LocalStore,
}

impl AdoptionSource {
    /// Checks that [`remove_source`](super::remove_source) may empty it: a host's directory holds memories alone.
    ///
    /// # Errors
    /// It is any other folder.
    pub fn require_hosts(&self, dirs: &Dirs) -> Result<(), AdoptError> {
        match DirectoryKind::from_root(&self.memory_dir, dirs) {
            DirectoryKind::Host => Ok(()),
            DirectoryKind::Elsewhere => Err(AdoptError::NotAHosts(self.memory_dir.clone())),
        }
    }

    /// The memory directory at a path.
    pub fn from_memory_dir(memory_dir: &Path, dirs: &Dirs) -> Self {
        Self {
            memory_dir: memory_dir.to_owned(),
            store: LocalStore::new(memory_dir, Tiers::Project, dirs),
        }
    }
}

/// Finds the source called `name`: a slug, a memory directory, a project's directory under the
/// base, or the folder of a repository, which need not exist any more. Relative paths start at
/// `cwd`.
///
/// # Errors
/// No memories are kept there.
pub fn find_source(name: &str, cwd: &Path, dirs: &Dirs) -> Result<AdoptionSource, AdoptError> {
    let path = cwd.join(name);
    let mut suspects = vec![dirs.projects().join(name).join("memory")];
    if path.starts_with(dirs.projects()) {
        suspects.push(path.join("memory"));
    }
    let folder = real_path(&path);
    suspects.extend(recorded_for(&folder, dirs));
    let own = slug::existing(&folder, &dirs.projects());
    for slug in std::iter::once(own).chain(slug::variants(&folder)) {
        suspects.push(dirs.projects().join(slug).join("memory"));
    }
    // Last: in the folder of a repository any README would count as a note.
    if path.file_name().is_some_and(|name| name == "memory") || !path.join(".git").exists() {
        suspects.push(path);
    }
    let found = suspects.into_iter().find(|suspect| has_notes(suspect));
    let found = found.ok_or_else(|| AdoptError::NoSource(name.to_owned()))?;
    Ok(AdoptionSource::from_memory_dir(&found, dirs))
}

/// The path without symbolic links and dots; of one that is gone, as far as it exists.
fn real_path(path: &Path) -> PathBuf {
    let of_parent = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let real = path.canonicalize().ok().or_else(of_parent);
    real.unwrap_or_else(|| path.components().collect())
}

/// The memory directory that was recorded for a folder.
fn recorded_for(folder: &Path, dirs: &Dirs) -> Option<PathBuf> {
    let (records, _) = registry::read(dirs);
    let text = folder.to_string_lossy();
    records
        .into_iter()
        .find(|(_, record)| record.roots.last().is_some_and(|root| *root == text))
        .map(|(memory_dir, _)| memory_dir)
}
