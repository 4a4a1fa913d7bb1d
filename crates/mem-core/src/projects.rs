//! Every project's directory under the base, and the path it was made for.

mod transcript;

use std::fs;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::registry;

/// A directory under `<base>/projects`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectDir {
    /// Its name.
    pub slug: String,
    /// Its memory directory, whether or not it exists.
    pub memory_dir: PathBuf,
    /// Whether the memory directory holds anything.
    pub has_notes: bool,
    /// The path that the slug was made of, where it can be known: names cannot be turned back.
    pub real_path: Option<PathBuf>,
    /// Whether that path is still a directory.
    pub path_exists: bool,
}

/// Lists all projects under the base, by slug. Missing directories give an empty list.
///
/// The path comes from `mem`'s own registry, else from the `cwd` that the host's transcripts
/// beside the memory record.
pub fn list(dirs: &Dirs) -> Vec<ProjectDir> {
    let (known, _) = registry::read(dirs);
    let entries = fs::read_dir(dirs.projects())
        .into_iter()
        .flatten()
        .flatten();
    let mut found: Vec<ProjectDir> = entries
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|slug| describe(slug, dirs, &known))
        .collect();
    found.sort_by(|a, b| a.slug.cmp(&b.slug));
    found
}

fn describe(slug: String, dirs: &Dirs, known: &registry::Records) -> ProjectDir {
    let dir = dirs.projects().join(&slug);
    let memory_dir = dir.join("memory");
    let recorded = known
        .get(&memory_dir)
        .and_then(|record| record.roots.last());
    let real_path = recorded
        .map(PathBuf::from)
        .or_else(|| transcript::origin(&dir, &slug));
    ProjectDir {
        has_notes: has_notes(&memory_dir),
        path_exists: real_path.as_deref().is_some_and(Path::is_dir),
        slug,
        memory_dir,
        real_path,
    }
}

/// Whether a directory has a Markdown file that is not empty, in it or in its team tier.
pub(crate) fn has_notes(memory_dir: &Path) -> bool {
    let has = |dir: &Path| {
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        entries.into_iter().any(|entry| {
            let path = entry.path();
            path.extension().is_some_and(|extension| extension == "md")
                && fs::metadata(&path)
                    .is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
        })
    };
    has(memory_dir) || has(&memory_dir.join("team"))
}
