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
use crate::location::Location;
use crate::now::Now;
use crate::project::Identity;
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
