//! Which repository was seen under which memory directory, kept outside the repositories.
//!
//! A moved or renamed repository gets another slug and seems to have lost its memory; its first
//! commit and its remotes tell that it has not.

mod candidates;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::dirs::Dirs;
use crate::limits::REGISTRY_FACTS_MAX;
use crate::location::{Location, LocationSource, ProjectContext};
use crate::now::Now;
use crate::project::{self, Identity};
use crate::projects;
use crate::slug;
use crate::state_file::{self, StateError};

pub use candidates::{AdoptionCandidate, CandidateReason, candidates};

/// What is known of one memory directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct KnownDirectory {
    /// The name of the project's directory under the base.
    pub slug: String,
    /// Canonical roots that used it, the last one last.
    pub roots: Vec<String>,
    /// First commits seen, as hex.
    pub root_commits: Vec<String>,
    /// Remotes seen, as `host/owner/repo`.
    pub remotes: Vec<String>,
    /// The day it was last recorded, `YYYY-MM-DD`, UTC.
    pub last_seen: String,
}

/// Records by memory directory.
pub type Records = BTreeMap<PathBuf, KnownDirectory>;

#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
struct Registry {
    memories: Records,
}

fn path(dirs: &Dirs) -> PathBuf {
    dirs.state.join("registry.json")
}

/// Everything recorded. A damaged file counts as empty; the second value says so.
pub fn read(dirs: &Dirs) -> (Records, Option<String>) {
    let (registry, warning) = state_file::read::<Registry>(&path(dirs));
    (registry.memories, warning)
}

/// What is known of one memory directory. With it, a caller need not walk the history again.
pub fn get(dirs: &Dirs, memory_dir: &Path) -> Option<KnownDirectory> {
    read(dirs).0.remove(memory_dir)
}

/// The other projects whose memory is in the same directory, because a host gives different paths one slug: recorded
/// ones whose folder is there and still has that slug.
pub fn sharing_roots(dirs: &Dirs, location: &Location) -> Vec<PathBuf> {
    let record = record_by_slug(dirs, location);
    let roots = record.into_iter().flat_map(|record| record.roots);
    let is_other = |root: &PathBuf| {
        *root != location.project_root
            && root.is_dir()
            && slug::existing(root, &dirs.base.join("projects")) == location.slug
    };
    roots.map(PathBuf::from).filter(is_other).collect()
}

/// What is known of a memory directory that a path was given by its slug: one that a person has chosen may be meant for
/// several.
fn record_by_slug(dirs: &Dirs, location: &Location) -> Option<KnownDirectory> {
    let is_by_slug = matches!(
        location.source,
        LocationSource::Default | LocationSource::RemoteBase
    );
    get(dirs, &location.memory_dir).filter(|_| is_by_slug)
}

/// A warning where the memories of a directory were recorded for a repository with another first commit: another one had
/// this path before, or the first commit was rewritten.
pub fn replaced_repository_warning(dirs: &Dirs, place: &ProjectContext) -> Option<String> {
    let location = &place.location;
    let record = record_by_slug(dirs, location)?;
    let identity = Identity {
        root_commits: record.root_commits,
        remotes: record.remotes,
    };
    let is_replaced = project::is_other_repository(&place.project, &identity)
        && sharing_roots(dirs, location).is_empty()
        && projects::has_notes(&location.memory_dir);
    is_replaced.then(|| {
        format!(
            "the memories in `{}` were recorded for a repository with another first commit",
            location.memory_dir.display()
        )
    })
}

/// What to tell about a root that [`sharing_roots`] found.
pub fn sharing_warning(root: &Path, location: &Location) -> String {
    format!(
        "`{}` has its memory in the same directory, since hosts call both paths `{}`: the memories of both are mixed \
         (rename one of the two folders, then `mem adopt` in it)",
        root.display(),
        location.slug
    )
}

/// Records that a project was seen with this identity. Writes only when something is new today;
/// safe with other processes. Returns a warning when a damaged file was set aside.
///
/// # Errors
/// The state cannot be written. The caller may go on: only finding a moved repository suffers.
pub fn record(
    dirs: &Dirs,
    location: &Location,
    identity: &Identity,
    now: Now,
) -> Result<Option<String>, StateError> {
    let root = location.project_root.to_string_lossy().into_owned();
    let day = now.0.strftime("%Y-%m-%d").to_string();
    let ((), warning) = state_file::update(&path(dirs), |registry: &mut Registry| {
        let record = registry
            .memories
            .entry(location.memory_dir.clone())
            .or_default();
        record.slug.clone_from(&location.slug);
        remember(&mut record.roots, &[root]);
        remember(&mut record.root_commits, &identity.root_commits);
        remember(&mut record.remotes, &identity.remotes);
        record.last_seen = day;
    })?;
    Ok(warning)
}

/// Forgets a memory directory, as after an adoption. Returns whether it was known.
///
/// # Errors
/// The state cannot be written.
pub fn forget(dirs: &Dirs, memory_dir: &Path) -> Result<bool, StateError> {
    let (was_known, _) = state_file::update(&path(dirs), |registry: &mut Registry| {
        registry.memories.remove(memory_dir).is_some()
    })?;
    Ok(was_known)
}

/// Moves the words to the end of the list, new ones included, and drops what is too much.
fn remember(list: &mut Vec<String>, words: &[String]) {
    list.retain(|word| !words.contains(word));
    list.extend(words.iter().cloned());
    let surplus = list.len().saturating_sub(REGISTRY_FACTS_MAX);
    list.drain(..surplus);
}
