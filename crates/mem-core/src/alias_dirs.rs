//! Memories that belong to a project but ended up under another slug: found by looking, cheaply.
//!
//! Hosts keyed memory by working directory at times, kept underscores at times, and count
//! characters beyond the Basic Multilingual Plane as one or two.

use std::path::{Path, PathBuf};

use crate::compact_sort::CompactSort as _;
use crate::dirs::Dirs;
use crate::location::Location;
use crate::project::{Project, linked_worktrees};
use crate::slug;

/// How a twin came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AliasKind {
    /// Keyed by a linked worktree's folder.
    Worktree,
    /// Keyed by a directory inside the project.
    Subdirectory,
    /// The same path, with other characters replaced.
    Spelling,
}

impl AliasKind {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Worktree => "worktree",
            Self::Subdirectory => "subdirectory",
            Self::Spelling => "spelling",
        }
    }
}

/// A memory directory beside the project's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasDir {
    /// The name of its directory under `<base>/projects`.
    pub slug: String,
    /// The directory; it exists.
    pub memory_dir: PathBuf,
    /// The path that it was keyed by.
    pub path: PathBuf,
    /// How it came to be.
    pub kind: AliasKind,
}

/// Finds the twins that can be named without searching: a few `stat` calls, no file is read but
/// the links of the repository's worktrees.
pub fn find(project: &Project, location: &Location, dirs: &Dirs) -> Vec<AliasDir> {
    let mut suspects = Vec::new();
    for variant in slug::variants(&project.root) {
        suspects.push((variant, project.root.clone(), AliasKind::Spelling));
    }
    let worktrees = project.git_common_dir.as_deref().map(linked_worktrees);
    for worktree in worktrees.unwrap_or_default() {
        suspects.push((slug::slug(&worktree), worktree, AliasKind::Worktree));
    }
    let cwd = &project.cwd;
    for path in cwd.ancestors().take_while(|path| is_below(path, project)) {
        suspects.push((slug::slug(path), path.to_owned(), AliasKind::Subdirectory));
    }
    let mut found: Vec<AliasDir> = suspects
        .into_iter()
        .filter(|(_, path, kind)| *kind == AliasKind::Spelling || *path != project.root)
        .filter_map(|(slug, path, kind)| at(dirs, location, slug, path, kind))
        .collect();
    found.compact_sort_by(|a, b| (&a.slug, a.kind).cmp(&(&b.slug, b.kind)));
    found.dedup_by(|a, b| a.slug == b.slug);
    found
}

/// Whether a path is properly inside the project's root or the checkout at hand.
fn is_below(path: &Path, project: &Project) -> bool {
    let below = |top: &Path| path != top && path.starts_with(top);
    below(&project.root) || below(&project.workdir)
}

fn at(
    dirs: &Dirs,
    location: &Location,
    slug: String,
    path: PathBuf,
    kind: AliasKind,
) -> Option<AliasDir> {
    let memory_dir = dirs.projects().join(&slug).join("memory");
    let is_alias =
        slug != location.slug && memory_dir != location.memory_dir && memory_dir.is_dir();
    is_alias.then_some(AliasDir {
        slug,
        memory_dir,
        path,
        kind,
    })
}
