//! Erasing what `mem` keeps about one repository, for one user of a host, or all of it. Nothing brings it back.
//!
//! Of the host's own directories only `memory/` is touched, never transcripts or settings.
//!
//! ```text
//!  gather traces | lock sessions | gather their last words | note traces | end sharing | remove | search | end the note
//!                |============================== locks are held ==============================|
//! ```
//!
//! Traces come before everything, since afterwards nothing is there that tells what to look for. The note (checksums only)
//! makes an erasure that was killed provable by the next one. **Invariant:** while the proof searches, nobody who has read
//! a removed session can write its words again. **Cost:** the search reads every file of the places once, for all traces
//! at a time. Tests: `erase::a_project_is_gone_from_every_place_and_the_proof_says_so`,
//! `erase::an_erasure_that_was_interrupted_is_told_in_the_next_proof`,
//! `erase_concurrent::what_a_hook_writes_while_it_runs_goes_too_and_the_proof_looks_for_it`.

mod pending;
mod search;
mod sessions;
mod target;
mod traces;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::config::ConfigError;
use crate::dirs::Dirs;
use crate::error::Diagnose;
use crate::location::Location;
use crate::regular_file::if_there;
use crate::state_file::StateError;
use crate::store::{LocalStore, Purge, StoreError, Tiers};
use crate::{config, installed, projects, registry, trust};

use search::TraceSearcher;
use sessions::{SessionLocks, Sessions};
use target::{ErasureTarget, recorded_roots};

pub use pending::Unended;
pub use search::{KeptDigests, SaltedTombstones, SearchedPlace, TraceHit, TraceSearch};
pub use traces::{TraceKind, TracePatterns};

/// What is to be erased.
#[derive(Debug)]
pub struct Erasure {
    directories: Vec<ErasureTarget>,
    of: Of,
    dirs: Dirs,
}

/// Whose it is.
#[derive(Debug)]
enum Of {
    /// A repository's: its root and its memory directory.
    Repository(PathBuf, PathBuf),
    /// A user's of a host: the folders that are theirs.
    User(Vec<PathBuf>),
    Everything,
}

/// What goes, and what stays for now. Programs are shown it as it is.
#[derive(Debug, Serialize)]
pub struct ErasurePlan {
    /// What each memory directory loses, and keeps.
    pub directories: Vec<Purge>,
    /// Files and directories of `mem`'s own, notes of sessions among them.
    pub paths: Vec<PathBuf>,
    /// Directories outside the host's that have files of `mem`'s. They lose none before [`Erasure::approve`] names
    /// them: such a directory may hold anything.
    pub outside: Vec<Purge>,
}

impl ErasurePlan {
    /// Whether nothing goes without a further word.
    pub fn keeps_all(&self) -> bool {
        let has_none = |one: &Purge| one.files == 0 && one.state.is_none();
        self.paths.is_empty() && self.directories.iter().all(has_none)
    }
}

/// What to do after an erasure that failed.
const AGAIN: &str = "mend that and run it again: what is gone already is passed over";

/// Something could not be erased. What was erased before stays erased.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ErasureError {
    /// A memory directory or its history.
    #[error(transparent)]
    #[diagnose(kind = _0.kind(), hint = AGAIN)]
    Store(#[from] StoreError),
    /// A record about the repository.
    #[error(transparent)]
    #[diagnose(kind = _0.kind(), hint = AGAIN)]
    State(#[from] StateError),
    /// The settings for the repository.
    #[error("{0}")]
    #[diagnose(kind = _0.kind(), hint = AGAIN)]
    Config(#[from] ConfigError),
    /// Traces cannot be looked for.
    #[error("cannot look for what is left: {0}")]
    #[diagnose(Io, hint = AGAIN)]
    Search(String),
    /// Somebody writes down what is said in a session that is to go, or takes memories from it.
    #[error("a session is being read on: `{}` was held for {seconds} s", lock.display())]
    #[diagnose(Refused, hint = "run it again once that is done; nothing was erased")]
    Busy {
        /// The lock that was waited for.
        lock: PathBuf,
        /// How long.
        seconds: u64,
    },
    /// A file or directory of `mem`'s own.
    #[error("cannot remove `{}`: {source}", path.display())]
    #[diagnose(Io, hint = AGAIN)]
    Remove {
        /// The path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl Erasure {
    /// The private and the team tier of one repository, their history, and what is recorded and
    /// set for it.
    pub fn of_repository(location: &Location, dirs: &Dirs) -> Self {
        let store = LocalStore::new(&location.memory_dir, Tiers::Project, dirs);
        // What a host kept for its users stands in the state of the project; their histories go first.
        let state = &store.places().state;
        let users = recorded_roots(dirs).into_iter();
        let users = users.filter(|root| root.starts_with(state));
        let mut directories: Vec<ErasureTarget> = users
            .map(|root| {
                ErasureTarget::new(LocalStore::new(&root, Tiers::Global, dirs), false, dirs)
            })
            .collect();
        directories.push(ErasureTarget::new(store, true, dirs));
        Self {
            directories,
            of: Of::Repository(location.project_root.clone(), location.memory_dir.clone()),
            dirs: dirs.clone(),
        }
    }

    /// Every memory directory that is known, all histories, settings, state and caches.
    pub fn of_everything(dirs: &Dirs) -> Self {
        Self {
            directories: target::all(dirs),
            of: Of::Everything,
            dirs: dirs.clone(),
        }
    }

    /// What hosts keep for one user of theirs: the records in the folder `records`, and what the memory tool keeps
    /// in a folder `users/` of the same name, in projects and wherever else it has a history.
    pub fn of_user(records: &Path, dirs: &Dirs) -> Self {
        let folders = target::folders_of_user(records, dirs);
        Self {
            directories: target::of_user(&folders, dirs),
            of: Of::User(folders),
            dirs: dirs.clone(),
        }
    }

    /// What goes, as far as it is agreed by now.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub fn plan(&self) -> Result<ErasurePlan, ErasureError> {
        let previews = self.directories.iter().map(ErasureTarget::preview);
        let unasked = self.directories.iter().filter(|one| !one.is_approved);
        let outside = unasked.map(ErasureTarget::preview_approved);
        let mut outside = outside.collect::<Result<Vec<_>, _>>()?;
        outside.retain(|purge| purge.files > 0);
        let mut paths = self.own_paths();
        if let Of::Everything = &self.of {
            // These go last, and so are not among the others.
            let notes = self.dirs.state.join(pending::FOLDER);
            paths.extend(Some(notes).filter(|notes| notes.exists()));
        }
        paths.extend(self.sessions().paths);
        Ok(ErasurePlan {
            directories: previews.collect::<Result<_, _>>()?,
            paths,
            outside,
        })
    }

    /// A person agreed that the files of `mem` in this directory go.
    pub fn approve(&mut self, directory: &Path) {
        let named = self.directories.iter_mut();
        for one in named.filter(|one| one.store.places().root == directory) {
            one.is_approved = true;
        }
    }

    /// The stores of all directories that it reaches, with those that nobody agreed to yet.
    pub fn stores(&self) -> impl Iterator<Item = &LocalStore> {
        self.directories.iter().map(|one| &one.store)
    }

    /// What the memories that go are known by: to be gathered before they go.
    pub fn traces(&self) -> TracePatterns {
        let going = self.directories.iter().filter(|one| one.is_approved);
        let stores = going.map(|one| (&one.store, one.files_that_stay()));
        let mut traces = TracePatterns::from_stores(stores);
        self.sessions().add_said(&mut traces);
        traces.pass_over(&traces::names(&self.others()));
        traces
    }

    /// The memories that stay.
    fn others(&self) -> Vec<LocalStore> {
        let dirs = &self.dirs;
        let mut roots = memory_dirs(dirs);
        roots.extend(recorded_roots(dirs));
        roots.push(dirs.global_memory());
        roots.sort_unstable();
        roots.dedup();
        let stores = roots
            .iter()
            .map(|root| LocalStore::new(root, Tiers::Project, dirs));
        let goes = |one: &LocalStore| {
            let mut going = self.directories.iter();
            going.any(|target| target.store.places().root == one.places().root)
        };
        stores.filter(|one| !goes(one)).collect()
    }

    fn sessions(&self) -> Sessions {
        match &self.of {
            Of::Repository(root, memory_dir) => sessions::of_project(&self.dirs, root, memory_dir),
            Of::User(_) => Sessions::default(),
            Of::Everything => sessions::all(&self.dirs),
        }
    }

    /// Whether a file would stand in something that goes.
    pub fn reaches(&self, file: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = real(file.parent().unwrap_or(file));
        let places = self.directories.iter().map(|one| one.store.places());
        let stores = places.flat_map(|places| [places.root.clone(), places.state.clone()]);
        let others = self.sessions().paths.into_iter().chain(self.own_paths());
        let mut going = stores.chain(others);
        going.any(|place| folder.starts_with(real(&place)))
    }

    /// The files and directories of `mem`'s own that go besides, as far as they exist.
    fn own_paths(&self) -> Vec<PathBuf> {
        let dirs = &self.dirs;
        let mut paths = match &self.of {
            Of::Repository(..) => return Vec::new(),
            Of::User(folders) => {
                let own = folders.iter();
                own.filter(|folder| folder.starts_with(&dirs.state))
                    .cloned()
                    .collect()
            }
            Of::Everything => {
                let mut paths = paths_without(&dirs.state, &self.state_that_stays());
                paths.extend([dirs.config_file(), dirs.cache.clone()]);
                paths
            }
        };
        paths.retain(|path| path.exists());
        paths.sort_unstable();
        paths
    }

    /// What of the state stays while the rest goes: the notes about erasures, which go last; while something is
    /// installed, the list of it, since `mem uninstall` works from that alone; and the history of a directory whose
    /// files stay.
    fn state_that_stays(&self) -> Vec<PathBuf> {
        let dirs = &self.dirs;
        let mut stays = vec![dirs.state.join(pending::FOLDER)];
        if !installed::list(dirs).0.is_empty() {
            let lists = entries(&dirs.state).into_iter();
            stays.extend(lists.filter(|path| installed::is_list(dirs, path)));
        }
        let unasked = self.directories.iter().filter(|one| one.keeps_files());
        stays.extend(unasked.map(|one| one.store.places().state.clone()));
        stays.retain(|path| path.exists());
        stays
    }

    /// Erases it all.
    ///
    /// # Errors
    /// Something cannot be erased; what was erased before stays erased.
    pub fn carry_out(&self) -> Result<(), ErasureError> {
        self.remove_all(&mut self.locked_sessions()?)?;
        self.remove_notes()
    }

    /// Waits until nobody reads on the sessions that go.
    fn locked_sessions(&self) -> Result<SessionLocks, ErasureError> {
        let mut locks = SessionLocks::default();
        locks.add(&self.dirs, &self.sessions().ids)?;
        Ok(locks)
    }

    /// Erases also what logs and caches say of the memory; then looks for every trace in every file that is left.
    ///
    /// # Errors
    /// As for [`Erasure::carry_out`].
    pub fn carry_out_whole(
        &self,
        mut traces: TracePatterns,
    ) -> Result<(TracePatterns, TraceSearch), ErasureError> {
        let dirs = &self.dirs;
        let mut locks = self.locked_sessions()?;
        let sessions = self.sessions();
        // What a session was told until its lock was had.
        sessions.add_said(&mut traces);
        let unended = Unended::from_folder(&dirs.state, self.name());
        unended.begin(&mut traces)?;
        let purges = self.remove_all(&mut locks)?;
        let search = TraceSearcher::new(&traces, &dirs.seals)?;
        search.clean_shared(dirs)?;
        let mut found = search.run(&self.places());
        for purge in &purges {
            found.leave_out(purge);
        }
        found.list_unsaved(dirs);
        let left = self.directories.iter().filter(|one| one.keeps_memories());
        let left = left.map(|one| one.store.places().root.clone());
        found.memories.extend(left);
        found.unread.extend(sessions.unopened);
        sessions::look(dirs, &search, &mut found);
        found.not_searched.extend_from_slice(traces.unread());
        unended.end(&mut found)?;
        if !found.is_left() {
            self.remove_notes()?;
        }
        Ok((traces, found))
    }

    /// Removes the notes about erasures of users and projects with everything: nothing is there any more that they
    /// would be looked for in.
    fn remove_notes(&self) -> Result<(), ErasureError> {
        if let Of::Everything = &self.of {
            remove(&self.dirs.state.join(pending::FOLDER))?;
            // Refused where something stays.
            let _ = fs::remove_dir(&self.dirs.state);
        }
        Ok(())
    }

    /// What is erased, by a path that is its alone.
    fn name(&self) -> &Path {
        match &self.of {
            Of::Repository(_, memory_dir) => memory_dir,
            Of::User(folders) => folders.first().map_or(Path::new(""), PathBuf::as_path),
            Of::Everything => &self.dirs.state,
        }
    }

    /// Every place that memories, or what is known of them, are kept at.
    fn places(&self) -> Vec<PathBuf> {
        let dirs = &self.dirs;
        let memories = self.directories.iter().filter(|one| one.is_approved);
        let memories = memories.map(|one| one.store.places().root.clone());
        let mut places = vec![
            dirs.state.clone(),
            dirs.cache.clone(),
            dirs.config.clone(),
            dirs.global_memory(),
            dirs.base.join("session-memory"),
        ];
        places.extend(memory_dirs(dirs).into_iter().chain(memories));
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Removes all of it, and says what each memory directory lost.
    fn remove_all(&self, locks: &mut SessionLocks) -> Result<Vec<Purge>, ErasureError> {
        // Before anything goes: whatever fails or is killed below, no run takes back from a remote what went.
        match &self.of {
            Of::Repository(root, _) => config::forget_repository(&self.dirs, root)?,
            Of::Everything => config::forget_remotes(&self.dirs)?,
            Of::User(_) => {}
        }
        let sessions = self.sessions().paths;
        let purges = self.directories.iter().map(ErasureTarget::purge);
        let purges = purges.collect::<Result<Vec<_>, _>>()?;
        if let Of::Repository(root, memory_dir) = &self.of {
            registry::forget(&self.dirs, memory_dir)?;
            trust::revoke(&self.dirs, root)?;
        }
        for path in sessions.into_iter().chain(self.own_paths()) {
            remove(&path)?;
        }
        // A hook may have begun a session meanwhile, of which nobody knew.
        let late = self.sessions();
        locks.add(&self.dirs, &late.ids)?;
        late.paths.iter().try_for_each(|path| remove(path))?;
        let emptied = match &self.of {
            Of::User(folders) => folders.clone(),
            Of::Repository(..) => sessions::folders(&self.dirs),
            Of::Everything => {
                let mut folders = sessions::folders(&self.dirs);
                folders.push(self.dirs.config.clone());
                folders
            }
        };
        for folder in emptied {
            // Refused for a link, and where something else is in it.
            let _ = fs::remove_dir(folder);
        }
        Ok(purges)
    }
}

/// Looks for traces in the files of a database, one of which keeps some checksums.
///
/// # Errors
/// They cannot be looked for.
pub fn search_database(
    traces: &TracePatterns,
    places: &[PathBuf],
    kept: &KeptDigests,
) -> Result<TraceSearch, ErasureError> {
    Ok(TraceSearcher::for_database(traces, kept)?.run(places))
}

/// The memory directories of the projects of today.
fn memory_dirs(dirs: &Dirs) -> Vec<PathBuf> {
    let projects = projects::list(dirs).into_iter();
    projects.map(|project| project.memory_dir).collect()
}

/// What is in a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Shows every regular file below a folder; links are not followed.
fn each_file(folder: &Path, show: &mut dyn FnMut(&Path)) {
    for path in entries(folder) {
        match fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_dir() => each_file(&path, show),
            Ok(meta) if meta.is_file() => show(&path),
            _ => {}
        }
    }
}

/// A folder, or where some of what is below it stays, all else that is in it.
fn paths_without(folder: &Path, stays: &[PathBuf]) -> Vec<PathBuf> {
    match stays.iter().any(|one| one.starts_with(folder)) {
        false => vec![folder.to_owned()],
        true if stays.iter().any(|one| one == folder) => Vec::new(),
        true => {
            let within = entries(folder).into_iter();
            within
                .flat_map(|path| paths_without(&path, stays))
                .collect()
        }
    }
}

/// Removes a file, a link or a directory of `mem`'s own.
fn remove(path: &Path) -> Result<(), ErasureError> {
    let is_dir = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let removed = match is_dir {
        true => crate::directory_removal::remove(path),
        false => fs::remove_file(path),
    };
    let removed = if_there(removed).map(drop);
    removed.map_err(|source| ErasureError::Remove {
        path: path.to_owned(),
        source,
    })
}
