//! Sealing, opening and resealing what this machine keeps of memories.
//!
//! A person's own key is changed first: what belongs to no one memory directory (what is remembered of sessions
//! and remotes, indexes, verdicts) and every directory that begins later follow it. Then each directory's history and
//! inbox. Caches are dropped, for they are made again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_agent::session::state_storage as sessions;
use mem_core::regular_file::if_there;
use mem_core::sealing::{EncryptionTarget, SealError};
use mem_core::store::{self, LocalStore};
use mem_core::{Diagnose, Dirs};
use mem_team::erase;
use mem_vault::{KeyId, LocalKeys, VaultError};

/// How often a cache that others write into is removed before that is given up.
const DROP_TRIES_MAX: usize = 100;

/// The keys of this machine cannot be changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum LocalEncryptionError {
    /// A key cannot be had.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A cache, which may be plain, cannot be removed.
    #[error(transparent)]
    Cache(#[from] VaultError),
}

/// What a change of keys came to.
#[derive(Debug, Default)]
pub struct KeyChange {
    /// The histories that were gone over.
    pub stores: usize,
    /// The changes in them that were sealed or opened.
    pub changes: usize,
    /// The waiting writes of their inboxes.
    pub waiting: usize,
    /// What is remembered of sessions.
    pub sessions: usize,
    /// What is remembered of remotes.
    pub remotes: usize,
    /// The data keys that were ended.
    pub ended: usize,
    /// How much stays that the person's own key sealed.
    of_person: usize,
    /// What stays as it is, and why.
    pub failed: Vec<(String, String)>,
}

/// Changes everything, the person's own key first. What fails of one directory keeps no other one back.
///
/// # Errors
/// The person's own key cannot be had or changed, or a cache cannot be removed.
pub fn change_keys(
    dirs: &Dirs,
    appointed: EncryptionTarget,
) -> Result<KeyChange, LocalEncryptionError> {
    let mut run = KeyChange::default();
    dirs.seal().appoint(appointed)?;
    for folder in ["recall", "drift", "sessions"] {
        drop_cache(&dirs.cache, folder)?;
    }
    let (count, unopened) = sessions::reseal_states(dirs);
    run.sessions = count;
    run.of_person += unopened.len();
    run.fail_all(unopened);
    let (stores, unknown) = store::kept(dirs);
    for store in &stores {
        run.change_store(store, appointed);
        run.change_remotes(store);
    }
    for folder in unknown {
        run.add_failure(&folder, "it belongs to no directory that is known");
    }
    // The keys of before stay for what stays. Where all is to be plain the file of keys stays also for what a
    // directory keeps sealed: one that is gone while something is sealed was lost.
    let is_done = match appointed {
        EncryptionTarget::Plain => run.failed.is_empty(),
        EncryptionTarget::Sealed | EncryptionTarget::Rotated => run.of_person == 0,
    };
    if is_done {
        run.ended += dirs.seal().end_others()?;
    }
    Ok(run)
}

impl KeyChange {
    fn change_store(&mut self, store: &LocalStore, appointed: EncryptionTarget) {
        self.stores += 1;
        match store.reseal(appointed) {
            Ok(done) => {
                self.changes += done.changes;
                self.waiting += done.waiting;
                self.ended += done.ended;
                self.fail_all(done.unopened);
            }
            Err(error) => {
                let hint = error
                    .hint()
                    .map_or(String::new(), |hint| format!(" ({hint})"));
                self.add_failure(&store.places().root, &format!("{error}{hint}"));
            }
        }
    }

    fn change_remotes(&mut self, store: &LocalStore) {
        match erase::reseal_states(store) {
            Ok((count, failed)) => {
                self.remotes += count;
                self.of_person += failed.len();
                self.fail_all(failed);
            }
            Err(error) => {
                self.of_person += 1;
                self.add_failure(&store.places().state, &error.to_string());
            }
        }
    }

    fn fail_all(&mut self, failed: Vec<(PathBuf, String)>) {
        for (path, why) in failed {
            self.add_failure(&path, &why);
        }
    }

    fn add_failure(&mut self, path: &Path, why: &str) {
        self.failed
            .push((path.display().to_string(), why.to_owned()));
    }
}

/// The master keys that anything on this machine is wrapped by.
///
/// # Errors
/// A file of wrapped keys cannot be read.
pub fn master_keys(dirs: &Dirs) -> Result<Vec<KeyId>, VaultError> {
    let mut masters = LocalKeys::masters_of(&dirs.state)?;
    let stores = fs::read_dir(dirs.stores()).into_iter().flatten().flatten();
    for folder in stores {
        masters.extend(LocalKeys::masters_of(&folder.path())?);
    }
    masters.sort_unstable();
    masters.dedup();
    Ok(masters)
}

/// Takes a cache away under another name first: hooks go on putting files under its own. What an earlier run that
/// was killed left there goes too.
fn drop_cache(cache: &Path, name: &str) -> Result<(), VaultError> {
    let aside = format!("{name}.dropped-");
    remove_aside(cache, &aside)?;
    let own = cache.join(format!("{aside}{}", std::process::id()));
    #[expect(
        clippy::disallowed_methods,
        reason = "moves a cache out of the way; nothing is replaced by it"
    )]
    let moved = fs::rename(cache.join(name), own);
    if_there(moved).map_err(|source| VaultError::File {
        step: "move aside",
        path: cache.join(name),
        source: source.into(),
    })?;
    remove_aside(cache, &aside)
}

fn remove_aside(cache: &Path, aside: &str) -> Result<(), VaultError> {
    let folders = fs::read_dir(cache).into_iter().flatten().flatten();
    for folder in folders.filter(|one| one.file_name().to_string_lossy().starts_with(aside)) {
        let path = folder.path();
        if_there(remove_folder(&path)).map_err(|source| VaultError::File {
            step: "remove",
            path,
            source: source.into(),
        })?;
    }
    Ok(())
}

/// A process that opened it before may still add a file, or drop it as well: it is tried again.
fn remove_folder(folder: &Path) -> io::Result<()> {
    let tries = (1..DROP_TRIES_MAX).map(|_| fs::remove_dir_all(folder));
    match tries.take_while(Result::is_err).count() {
        failed if failed + 1 == DROP_TRIES_MAX => fs::remove_dir_all(folder),
        _ => Ok(()),
    }
}
