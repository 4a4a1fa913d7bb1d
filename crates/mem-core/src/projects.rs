//! Every project's directory under the base, and the path it was made for.

mod folder_search;
mod transcript;

use std::fs;
use std::path::{Path, PathBuf};

use crate::compact_sort::CompactSort as _;
use crate::dirs::Dirs;
use crate::{registry, slug};

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
    /// Whether the path is a folder that merely fits the name.
    pub is_guess: bool,
    /// Whether that path is still a directory.
    pub path_exists: bool,
}

/// Lists all projects under the base, by slug. Missing directories give an empty list.
///
/// The path comes from `mem`'s own registry, else from the `cwd` that the host's transcripts
/// beside the memory record, else a folder on the disk that fits is a guess.
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
    found.compact_sort_by(|a, b| a.slug.cmp(&b.slug));
    found
}

fn describe(slug: String, dirs: &Dirs, known: &registry::Records) -> ProjectDir {
    let dir = dirs.projects().join(&slug);
    let memory_dir = dir.join("memory");
    let recorded = known
        .get(&memory_dir)
        .and_then(|record| record.roots.last());
    let has_notes = has_notes(&memory_dir);
    let known_path = recorded
        .map(PathBuf::from)
        .or_else(|| transcript::origin(&dir, &slug));
    let guess = || has_notes.then(|| folder_search::origin(&slug)).flatten();
    let is_guess = known_path.is_none();
    let real_path = known_path.or_else(guess);
    ProjectDir {
        has_notes,
        is_guess: is_guess && real_path.is_some(),
        path_exists: real_path.as_deref().is_some_and(Path::is_dir),
        slug,
        memory_dir,
        real_path,
    }
}

/// Whether a path makes this name, today or in another version of a host.
fn is_made_of(slug: &str, path: &Path) -> bool {
    slug::slug(path).eq_ignore_ascii_case(slug)
        || slug::variants(path).iter().any(|variant| variant == slug)
        || slug.len() > slug::SLUG_CHARS_MAX
            && slug::slug(path).get(..=slug::SLUG_CHARS_MAX) == slug.get(..=slug::SLUG_CHARS_MAX)
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
