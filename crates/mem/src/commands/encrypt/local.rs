//! What this machine keeps of memories, for the verbs of `mem encrypt --local`.
//!
//! A person's own key is changed first: what belongs to no one memory directory (what is remembered of sessions
//! and remotes, indexes, verdicts) and every directory that begins later follow it. Then each directory's history and
//! inbox. Caches are dropped, for they are made again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_agent::session::kept as sessions;
use mem_core::regular_file::if_there;
use mem_core::sealing::EncryptionTarget;
use mem_core::store::{self, LocalStore};
use mem_core::{Diagnose as _, Dirs};
use mem_team::erase;
use mem_vault::{KeyId, LocalKeys, VaultError};
use serde_json::json;

use super::rotate::NotEncrypted;
use crate::context::Context;
use crate::exit::Exit;
use crate::leftovers;
use crate::master_key::KeySource;

/// How often a cache that others write into is removed before that is given up.
const DROP_TRIES_MAX: usize = 100;

/// What a run came to.
#[derive(Default)]
struct EncryptRun {
    stores: usize,
    changes: usize,
    waiting: usize,
    sessions: usize,
    remotes: usize,
    ended: usize,
    /// How much stays that the person's own key sealed.
    of_person: usize,
    /// What stays as it is, and why.
    failed: Vec<(String, String)>,
}

/// Seals what is there, and whatever comes.
pub(super) fn encrypt_local(context: &Context) -> Result<Exit> {
    let origin = KeySource::require_source(context)?;
    // A new key opens nothing that an old one wrapped.
    if master_keys(context.dirs()?)?.is_empty() {
        origin.make_first(context)?;
    }
    print_run(
        context,
        &change_keys(context, EncryptionTarget::Sealed)?,
        "sealed",
    )
}

/// Opens everything again.
pub(super) fn decrypt_local(context: &Context) -> Result<Exit> {
    print_run(
        context,
        &change_keys(context, EncryptionTarget::Plain)?,
        "opened",
    )
}

/// Everything under new keys.
pub(super) fn rotate_local(context: &Context, has_new_master: bool) -> Result<Exit> {
    let (dirs, origin) = (context.dirs()?, KeySource::require_source(context)?);
    if dirs.seal().key()?.is_none() {
        return Err(NotEncrypted::Local.into());
    }
    if has_new_master {
        // The wrong key was said by now.
        origin.renew_key(context)?;
    }
    print_run(
        context,
        &change_keys(context, EncryptionTarget::Anew)?,
        "sealed anew",
    )
}

/// Changes everything, the person's own key first. What fails of one directory keeps no other one back.
fn change_keys(context: &Context, appointed: EncryptionTarget) -> Result<EncryptRun> {
    let dirs = context.dirs()?;
    let mut run = EncryptRun::default();
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
        EncryptionTarget::Sealed | EncryptionTarget::Anew => run.of_person == 0,
    };
    if is_done {
        run.ended += dirs.seal().end_others()?;
    }
    Ok(run)
}

impl EncryptRun {
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

fn print_run(context: &Context, run: &EncryptRun, verb: &str) -> Result<Exit> {
    leftovers::remove_leftovers(context)?;
    let printer = &context.printer;
    if printer.json {
        let failed = run.failed.iter();
        let failed: Vec<_> = failed
            .map(|(path, why)| json!({"path": path, "why": why}))
            .collect();
        printer.print_json(&json!({
            "stores": run.stores, "changes": run.changes, "waiting": run.waiting, "sessions": run.sessions,
            "remotes": run.remotes, "ended_keys": run.ended, "failed": failed,
        }))?;
    } else {
        let EncryptRun {
            stores,
            changes,
            waiting,
            sessions,
            ..
        } = run;
        printer.line(format_args!(
            "{changes} changes of {stores} histories, {waiting} waiting writes, {sessions} sessions {verb}"
        ))?;
    }
    for (path, why) in &run.failed {
        printer.print_warning(format_args!("`{path}` stays as it is: {why}"));
    }
    Ok(match run.failed.is_empty() {
        true => Exit::Ok,
        false => Exit::Failure,
    })
}

/// The master keys that anything on this machine is wrapped by.
pub(super) fn master_keys(dirs: &Dirs) -> Result<Vec<KeyId>, VaultError> {
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

/// Whoever opened it before may put a file in still, or drops it as well: it is tried again.
fn remove_folder(folder: &Path) -> io::Result<()> {
    let tries = (1..DROP_TRIES_MAX).map(|_| fs::remove_dir_all(folder));
    match tries.take_while(Result::is_err).count() {
        failed if failed + 1 == DROP_TRIES_MAX => fs::remove_dir_all(folder),
        _ => Ok(()),
    }
}
