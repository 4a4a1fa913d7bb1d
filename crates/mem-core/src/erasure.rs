//! Erasing what `mem` keeps about one repository, for one user of a host, or all of it. Nothing brings it back.
//!
//! Of the host's own directories only `memory/` is touched, never transcripts or settings.

mod begun;
mod beside;
mod error;
mod held;
mod others;
mod own_paths;
mod search;
mod sessions;
mod target;
mod traces;
mod user;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::dirs::Dirs;
use crate::location::Location;
use crate::sealing::Seals;
use crate::store::{Purge, Store, Tiers};
use crate::{config, projects, registry, trust};

use held::Held;
use sessions::Sessions;
use target::{ErasureTarget, recorded_roots};

pub use begun::Unended;
pub use error::ErasureError;
pub use search::{Found, Hit, Searched};
pub use traces::{Kind as TraceKind, Traces};

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

impl Erasure {
    /// The private and the team tier of one repository, their history, and what is recorded and
    /// set for it.
    pub fn of_repository(location: &Location, dirs: &Dirs) -> Self {
        let store = Store::new(&location.memory_dir, Tiers::Project, dirs);
        // What a host kept for its users stands in the state of the project; their histories go first.
        let state = &store.places().state;
        let users = recorded_roots(dirs).into_iter();
        let users = users.filter(|root| root.starts_with(state));
        let mut directories: Vec<ErasureTarget> = users
            .map(|root| ErasureTarget::new(Store::new(&root, Tiers::Global, dirs), dirs))
            .collect();
        directories.push(ErasureTarget::new(store, dirs).current());
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
        let folders = user::folders(records, dirs);
        let stores = user::stores(&folders, dirs).into_iter();
        // Folders of the memory tool that are named after the user: naming the user names them.
        let approved = stores.map(|store| ErasureTarget::new(store, dirs).approved());
        Self {
            directories: approved.collect(),
            of: Of::User(folders),
            dirs: dirs.clone(),
        }
    }

    /// Whether there is nothing to erase.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub fn is_nothing(&self) -> Result<bool, ErasureError> {
        let directories = self.directories()?;
        let has_some = |one: &Purge| one.files > 0 || one.state.is_some();
        Ok(self.own_paths().is_empty() && !directories.iter().any(has_some))
    }

    /// What each memory directory loses.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub fn directories(&self) -> Result<Vec<Purge>, ErasureError> {
        let previews = self.directories.iter().map(ErasureTarget::preview);
        Ok(previews.collect::<Result<_, _>>()?)
    }

    /// Directories outside the host's that have files of `mem`'s. They lose none before [`Erasure::approve`] names
    /// them: such a directory may hold anything.
    ///
    /// # Errors
    /// A directory cannot be listed.
    pub fn elsewhere(&self) -> Result<Vec<Purge>, ErasureError> {
        let unasked = self.directories.iter().filter(|one| one.is_unasked());
        let previews = unasked.map(ErasureTarget::preview_approved);
        let mut previews = previews.collect::<Result<Vec<_>, _>>()?;
        previews.retain(|purge| purge.files > 0);
        Ok(previews)
    }

    /// A person agreed that the files of `mem` in this directory go.
    pub fn approve(&mut self, directory: &Path) {
        let named = self.directories.iter_mut();
        for one in named.filter(|one| one.store.places().root == directory) {
            one.approve();
        }
    }

    fn stores(&self) -> impl Iterator<Item = &Store> {
        self.directories.iter().map(|one| &one.store)
    }

    /// What the memories that go are known by: to be gathered before they go.
    pub fn traces(&self) -> Traces {
        let going = self.directories.iter().filter(|one| !one.is_unasked());
        let mut traces = Traces::of(going.map(|one| &one.store));
        for said in self.sessions().said {
            traces.add_content(said.as_bytes());
        }
        traces.pass_over(&others::names(&self.others()));
        traces
    }

    /// The memories that stay.
    fn others(&self) -> Vec<Store> {
        let dirs = &self.dirs;
        let all = projects::list(dirs).into_iter();
        let mut roots: Vec<PathBuf> = all.map(|project| project.memory_dir).collect();
        roots.extend(recorded_roots(dirs));
        roots.push(dirs.global_memory());
        roots.sort();
        roots.dedup();
        let stores = roots
            .iter()
            .map(|root| Store::new(root, Tiers::Project, dirs));
        let goes = |one: &Store| {
            self.stores()
                .any(|store| store.places().root == one.places().root)
        };
        stores.filter(|one| !goes(one)).collect()
    }

    /// Notes of sessions that go with the memory, and what is remembered of these.
    pub fn session_paths(&self) -> Vec<PathBuf> {
        self.sessions().paths
    }

    fn sessions(&self) -> Sessions {
        match &self.of {
            Of::Repository(root, memory_dir) => sessions::of_project(&self.dirs, root, memory_dir),
            Of::User(_) => Sessions::default(),
            Of::Everything => sessions::all(&self.dirs),
        }
    }

    /// Erases also what logs and caches say of the memory; then looks for every trace in every file that is left.
    ///
    /// # Errors
    /// As for [`Erasure::carry_out`].
    pub fn carry_out_whole(
        &self,
        mut traces: Traces,
    ) -> Result<(Vec<Purge>, Traces, Found), ErasureError> {
        let note = begun::file(&self.dirs.state, self.name());
        let earlier = begun::read(&note);
        if let Some(earlier) = &earlier {
            earlier.add_to(&mut traces);
        }
        let mut held = Held::of(&self.dirs, &self.sessions().ids)?;
        // What a session was told until its lock was had.
        for said in self.sessions().said {
            traces.add_content(said.as_bytes());
        }
        begun::write(&note, &traces, earlier.as_ref())?;
        let unopened = self.sessions().unopened;
        let purges = self.carry_out_keeping(Some(begun::FOLDER), &mut held)?;
        let search = search::Search::new(&traces, &self.dirs.seals)?;
        beside::clean(&self.dirs, &search)?;
        let mut found = search.run(&self.places());
        for purge in &purges {
            found.leave_out(purge);
        }
        let left = self.directories.iter().filter(|one| one.keeps_memories());
        found
            .memories
            .extend(left.map(|one| one.store.places().root.clone()));
        // What this and other erasures look for next time is no word of it.
        let notes = self.dirs.state.join(begun::FOLDER);
        found.hits.retain(|hit| !hit.file.starts_with(&notes));
        found.unread.extend(unopened);
        sessions::look(&self.dirs, &search, &mut found);
        found.not_searched.extend_from_slice(traces.unread());
        found
            .not_searched
            .extend(earlier.and_then(|one| one.lost()));
        if !found.is_left() {
            if let Of::Everything = &self.of {
                // Those of a user or a project too: nothing is there any more that they would be looked for in.
                remove(&notes)?;
            }
            begun::forget(&note).map_err(|source| ErasureError::Remove { path: note, source })?;
        }
        Ok((purges, traces, found))
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
        let memories = self.directories.iter().filter(|one| !one.is_unasked());
        let memories = memories.map(|one| one.store.places().root.clone());
        let projects = projects::list(dirs).into_iter();
        let projects = projects.map(|project| project.memory_dir);
        let fixed = [
            dirs.state.clone(),
            dirs.cache.clone(),
            dirs.config.clone(),
            dirs.global_memory(),
            dirs.base.join("session-memory"),
        ];
        let mut places: Vec<PathBuf> = fixed.into_iter().chain(projects).chain(memories).collect();
        places.sort();
        places.dedup();
        places
    }

    /// Whether a file would stand in something that goes.
    pub fn reaches(&self, file: &Path) -> bool {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = real(file.parent().unwrap_or(file));
        let stores = self.stores().map(Store::places);
        let stores = stores.flat_map(|places| [places.root.clone(), places.state.clone()]);
        let others = self.session_paths().into_iter().chain(self.own_paths());
        let mut going = stores.chain(others);
        going.any(|place| folder.starts_with(real(&place)))
    }

    /// The files and directories of `mem`'s own that go besides, as far as they exist. While
    /// something is installed, the list of it stays: `mem uninstall` works from that alone.
    pub fn own_paths(&self) -> Vec<PathBuf> {
        let dirs = &self.dirs;
        match &self.of {
            Of::Repository(..) => return Vec::new(),
            Of::User(folders) => return user::own(folders, dirs),
            Of::Everything => {}
        }
        own_paths::list(dirs, &self.states_that_stay())
    }

    /// Of directories whose files stay because nobody was asked, the history stays too.
    fn states_that_stay(&self) -> Vec<PathBuf> {
        let unasked = self.directories.iter().filter(|one| one.is_unasked());
        let has_files = |one: &&ErasureTarget| {
            // One that cannot be listed is as it was.
            one.preview_approved().map_or(true, |purge| purge.files > 0)
        };
        let unasked = unasked.filter(has_files);
        unasked
            .map(|one| one.store.places().state.clone())
            .collect()
    }

    /// Erases it all and says what each memory directory lost.
    ///
    /// # Errors
    /// Something cannot be erased; what was erased before stays erased.
    pub fn carry_out(&self) -> Result<Vec<Purge>, ErasureError> {
        let mut held = Held::of(&self.dirs, &self.sessions().ids)?;
        self.carry_out_keeping(None, &mut held)
    }

    /// The same, but for one folder of the state.
    fn carry_out_keeping(
        &self,
        kept: Option<&str>,
        held: &mut Held,
    ) -> Result<Vec<Purge>, ErasureError> {
        let sessions = self.session_paths();
        let mut purges = Vec::new();
        for directory in &self.directories {
            purges.push(directory.purge()?);
        }
        if let Of::Repository(root, memory_dir) = &self.of {
            registry::forget(&self.dirs, memory_dir)?;
            trust::revoke(&self.dirs, root)?;
            config::forget_repository(&self.dirs, root)?;
        }
        for path in sessions.into_iter().chain(self.own_paths()) {
            self.remove_keeping(&path, kept)?;
        }
        // A hook may have begun a session meanwhile, of which nobody knew.
        let late = self.sessions();
        held.add(&self.dirs, &late.ids)?;
        for path in late.paths {
            self.remove_keeping(&path, kept)?;
        }
        match &self.of {
            Of::User(folders) => user::leave(folders),
            Of::Repository(..) | Of::Everything => sessions::leave(&self.dirs),
        }
        if let Of::Everything = &self.of {
            // Refused where somebody keeps something else in it.
            let _ = fs::remove_dir(&self.dirs.config);
        }
        Ok(purges)
    }
}

impl Erasure {
    fn remove_keeping(&self, path: &Path, kept: Option<&str>) -> Result<(), ErasureError> {
        let kept = kept.map(|name| self.dirs.state.join(name));
        match kept {
            Some(kept) if *path == kept => Ok(()),
            Some(kept) if *path == self.dirs.state => {
                let entries = fs::read_dir(path).into_iter().flatten().flatten();
                let others = entries.map(|entry| entry.path());
                let mut others = others.filter(|path| *path != kept);
                others.try_for_each(|path| remove(&path))
            }
            _ => remove(path),
        }
    }
}

/// Looks for traces in these places.
///
/// # Errors
/// They cannot be looked for.
pub fn search(traces: &Traces, places: &[PathBuf]) -> Result<Found, ErasureError> {
    Ok(search::Search::new(traces, &Seals::default())?.run(places))
}

/// Removes a file, a link or a directory of `mem`'s own.
fn remove(path: &Path) -> Result<(), ErasureError> {
    let is_dir = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_dir());
    let removed = match is_dir {
        true => crate::emptied::remove(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(ErasureError::Remove {
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}
