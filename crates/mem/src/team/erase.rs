//! Taking a redacted text out of what is remembered of a remote: texts that gave way, and our copy of a git
//! remote.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mem_core::MemoryPath;
use mem_core::memory::Tier;
use mem_core::store::{Store, Tiers};
use mem_core::{Scope, state_file};
use mem_sync::base::{Conflict, Keep as _, StateFile};

use super::own::OWN;
use super::place::SharePlace;
use super::settings::KIND;

/// What is to be forgotten.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Forgotten<'f> {
    /// Every text that gave way at a path of the store.
    Path(&'f MemoryPath),
    /// Every text that gave way and holds this.
    Text(&'f str),
}

/// Forgets it. Returns whether the team's memory is shared from here, so that a remote has it still.
///
/// # Errors
/// A file cannot be read, written or removed.
pub(crate) fn forget(store: &Store, what: Forgotten<'_>) -> Result<bool> {
    let mut is_shared = false;
    for kind in [KIND, OWN] {
        is_shared |= forget_kind(store, kind, what)?;
    }
    Ok(is_shared)
}

/// The same of one kind of sharing.
fn forget_kind(store: &Store, kind: &str, what: Forgotten<'_>) -> Result<bool> {
    let mut is_shared = false;
    for path in entries(&SharePlace::folder(store, kind))? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if name.ends_with(".git") {
            // A copy: the next sync makes it again, of what the remote has then.
            fs::remove_dir_all(&path).with_context(|| format!("cannot remove `{name}`"))?;
        } else if name.contains(".damaged-") {
            fs::remove_file(&path).with_context(|| format!("cannot remove `{name}`"))?;
        } else if is_state(&name) {
            is_shared = true;
            forget_conflicts(&path, tier(store, kind), what)?;
        }
    }
    Ok(is_shared)
}

/// Whether a file is the protocol's state: it has the bare name of its share.
fn is_state(name: &str) -> bool {
    let stem = name.strip_suffix(".state");
    // As an earlier version kept it.
    let stem = stem.or_else(|| name.strip_suffix(".json"));
    stem.is_some_and(|stem| stem.len() == 16 && stem.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// The tier that a kind of sharing shares of a store.
fn tier(store: &Store, kind: &str) -> Tier {
    Tier(match (kind, store.tiers()) {
        (OWN, Tiers::Global) => Scope::Global,
        (OWN, Tiers::Project) => Scope::Private,
        _ => Scope::Team,
    })
}

fn forget_conflicts(path: &Path, tier: Tier, what: Forgotten<'_>) -> Result<()> {
    let lock = path.with_file_name(format!(
        "{}-sync.lock",
        path.file_stem().unwrap_or_default().to_string_lossy()
    ));
    let _lock = state_file::lock(&lock)?;
    let state = path.with_extension("state");
    if path != state && state.exists() {
        // A run that took it over was killed before it could remove it.
        return fs::remove_file(path)
            .with_context(|| format!("cannot remove `{}`", path.display()));
    }
    let mut file = StateFile::at(state);
    let (mut state, _) = file.load();
    let before = state.conflicts.len();
    state.conflicts.retain(|one| !is_meant(one, tier, what));
    if state.conflicts.len() < before {
        file.save(&mut state)?;
    }
    Ok(())
}

fn is_meant(conflict: &Conflict, tier: Tier, what: Forgotten<'_>) -> bool {
    match what {
        Forgotten::Path(path) => tier.file(path) == Some(conflict.key.as_str()),
        Forgotten::Text(text) => {
            let held = String::from_utf8_lossy(conflict.local.as_bytes());
            held.contains(text) || conflict.key.as_str().contains(text)
        }
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).with_context(|| format!("cannot list `{}`", folder.display())),
    }
}
