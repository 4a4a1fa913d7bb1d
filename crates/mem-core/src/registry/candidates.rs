//! Memories under other slugs that may be this repository's.

use std::path::{Path, PathBuf};

use super::{KnownDirectory, read};
use crate::alias_dirs::{self, AliasDir, AliasKind};
use crate::compact_sort::CompactSort as _;
use crate::dirs::Dirs;
use crate::location::Location;
use crate::project::{Identity, Project};
use crate::projects::{self, ProjectDir, has_notes};

/// Why a memory is thought to be this repository's; strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CandidateReason {
    /// The same first commit, and no folder that used it is there any more.
    Moved,
    /// The same path under another spelling of its slug.
    Spelling,
    /// Keyed by one of the repository's worktrees.
    Worktree,
    /// Keyed by a directory inside the project.
    Subdirectory,
    /// Its name fits a directory inside the project, which is a guess.
    FitsInside,
    /// Kept for this very folder, while settings or a variable put its memory elsewhere.
    OtherPlace,
    /// The same first commit, in a folder that is still there.
    Cloned,
    /// A remote in common.
    SameRemote,
    /// A folder of the same name that is gone. Weak: nothing but the name is known.
    SameName,
}

impl CandidateReason {
    /// Whether it is surely this repository's, and used by nobody else.
    pub fn is_own(self) -> bool {
        matches!(
            self,
            Self::Moved | Self::Spelling | Self::Worktree | Self::Subdirectory
        )
    }

    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Spelling => "spelling",
            Self::Worktree => "worktree",
            Self::Subdirectory => "subdirectory",
            Self::FitsInside => "fits inside",
            Self::OtherPlace => "other place",
            Self::Cloned => "cloned",
            Self::SameRemote => "same remote",
            Self::SameName => "same name",
        }
    }
}

/// A memory that may be this repository's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptionCandidate {
    /// The name of its directory under the base.
    pub slug: String,
    /// The directory.
    pub memory_dir: PathBuf,
    /// The folder it was kept for, as far as known.
    pub root: Option<PathBuf>,
    /// Why it is thought to be this repository's.
    pub why: CandidateReason,
    /// Whether the memory directory is there and holds anything.
    pub exists: bool,
    /// Whether the folder is still there.
    pub root_exists: bool,
}

/// Finds the memories that may be this repository's, the likeliest first. Looks at every project
/// under the base: not for hooks.
pub fn candidates(
    dirs: &Dirs,
    project: &Project,
    location: &Location,
    identity: &Identity,
) -> Vec<AdoptionCandidate> {
    let (records, _) = read(dirs);
    let recorded = records
        .iter()
        .filter_map(|(memory_dir, record)| from_record(memory_dir, record, project, identity));
    let twins = alias_dirs::find(project, location, dirs);
    let on_disk = projects::list(dirs);
    let mut found: Vec<AdoptionCandidate> = recorded
        .chain(twins.into_iter().map(from_twin))
        .chain(
            on_disk
                .into_iter()
                .filter_map(|dir| from_disk(dir, project)),
        )
        .filter(|candidate| candidate.memory_dir != location.memory_dir)
        .collect();
    found.compact_sort_by(|a, b| (&a.memory_dir, a.why).cmp(&(&b.memory_dir, b.why)));
    found.dedup_by(|a, b| a.memory_dir == b.memory_dir);
    found.compact_sort_by(|a, b| (!a.exists, a.why, &a.slug).cmp(&(!b.exists, b.why, &b.slug)));
    found
}

fn from_record(
    memory_dir: &Path,
    record: &KnownDirectory,
    project: &Project,
    identity: &Identity,
) -> Option<AdoptionCandidate> {
    let common = |a: &[String], b: &[String]| a.iter().any(|word| b.contains(word));
    let root_exists = record.roots.iter().any(|root| Path::new(root).is_dir());
    let is_here = |root: &String| Path::new(root) == project.root;
    let why = if record.roots.last().is_some_and(is_here) {
        CandidateReason::OtherPlace
    } else if common(&record.root_commits, &identity.root_commits) {
        if root_exists {
            CandidateReason::Cloned
        } else {
            CandidateReason::Moved
        }
    } else if common(&record.remotes, &identity.remotes) {
        CandidateReason::SameRemote
    } else {
        return None;
    };
    Some(AdoptionCandidate {
        slug: record.slug.clone(),
        memory_dir: memory_dir.to_owned(),
        root: record.roots.last().map(PathBuf::from),
        why,
        exists: has_notes(memory_dir),
        root_exists,
    })
}

fn from_twin(twin: AliasDir) -> AdoptionCandidate {
    AdoptionCandidate {
        exists: has_notes(&twin.memory_dir),
        root_exists: twin.path.is_dir(),
        why: match twin.kind {
            AliasKind::Worktree => CandidateReason::Worktree,
            AliasKind::Subdirectory => CandidateReason::Subdirectory,
            AliasKind::Spelling => CandidateReason::Spelling,
        },
        slug: twin.slug,
        memory_dir: twin.memory_dir,
        root: Some(twin.path),
    }
}

/// A project of the host that `mem` never saw: keyed by a folder inside this repository, or left by a
/// folder of the same name. Without a repository each folder is a project of its own, whatever is above it.
fn from_disk(dir: ProjectDir, project: &Project) -> Option<AdoptionCandidate> {
    let path = dir.real_path?;
    let why = if project.git_common_dir.is_some() && is_inside(&path, &project.root) {
        match dir.is_guess {
            true => CandidateReason::FitsInside,
            false => CandidateReason::Subdirectory,
        }
    } else if !dir.path_exists && path.file_name() == project.root.file_name() {
        CandidateReason::SameName
    } else {
        return None;
    };
    dir.has_notes.then_some(AdoptionCandidate {
        slug: dir.slug,
        memory_dir: dir.memory_dir,
        root: Some(path),
        why,
        exists: true,
        root_exists: dir.path_exists,
    })
}

/// Whether the path is below the root and in no repository of its own.
fn is_inside(path: &Path, root: &Path) -> bool {
    let mut between = path.ancestors().take_while(|at| *at != root);
    path != root && path.starts_with(root) && !between.any(|at| at.join(".git").exists())
}
