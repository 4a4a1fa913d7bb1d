//! Which repositories a person allowed to name the memory directory in their own settings.
//!
//! Recorded in `mem`'s state, keyed by the canonical root, never inside a repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::dirs::Dirs;
use crate::now::Now;
use crate::state_file::{self, StateError};

#[derive(Debug, Default, Deserialize, Serialize)]
struct Trusted {
    /// By canonical root: since when, RFC 3339.
    #[serde(default)]
    repositories: BTreeMap<String, String>,
}

fn path(dirs: &Dirs) -> PathBuf {
    dirs.state.join("trust.json")
}

/// Whether the repository was trusted. A damaged record trusts nobody.
pub fn is_trusted(dirs: &Dirs, root: &Path) -> bool {
    let (trusted, _) = state_file::read::<Trusted>(&path(dirs));
    trusted.repositories.contains_key(&*root.to_string_lossy())
}

/// Trusts a repository. Returns whether that is new.
///
/// # Errors
/// The record could not be written.
pub fn grant(dirs: &Dirs, root: &Path, now: Now) -> Result<bool, StateError> {
    let key = root.to_string_lossy().into_owned();
    let (is_new, _) = state_file::update(&path(dirs), |trusted: &mut Trusted| {
        let since = now.0.to_string();
        let is_new = !trusted.repositories.contains_key(&key);
        trusted.repositories.entry(key).or_insert(since);
        is_new
    })?;
    Ok(is_new)
}

/// All trusted repositories, by canonical root, and since when (RFC 3339).
pub fn all(dirs: &Dirs) -> BTreeMap<String, String> {
    let (trusted, _) = state_file::read::<Trusted>(&path(dirs));
    trusted.repositories
}

/// Takes trust back. Returns whether there was any.
///
/// # Errors
/// The record could not be written.
pub fn revoke(dirs: &Dirs, root: &Path) -> Result<bool, StateError> {
    let key = root.to_string_lossy();
    let (was_there, _) = state_file::update(&path(dirs), |trusted: &mut Trusted| {
        trusted.repositories.remove(&*key).is_some()
    })?;
    Ok(was_there)
}
