//! What is kept of the sessions of a project: notes, and what is remembered of each between two readings.
//!
//! A session is a project's where its transcript or its notes are kept under the project's name, or where it stood
//! in one of the project's folders. What is remembered may be sealed, and is there without notes too.
//!
//! Sessions are locked while they are erased. Whoever brings the notes of one up to date, or takes memories from it,
//! has its lock for as long as that takes, a model's answer included: without it they would write down once more,
//! after the erasure, what was said before it.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::dirs::Dirs;
use crate::environment::Environment;
use crate::sealing::is_sealed;
use crate::{project, regular_file, slug, state_file};

use super::search::{TraceSearch, TraceSearcher};
use super::traces::TracePatterns;
use super::{ErasureError, entries};

/// The locks of one session, in the order in which a run takes them: for taking memories, and for what is remembered.
const LOCKS: [&str; 2] = ["extracting", "lock"];
/// How long somebody may go on with what they began. A model that is asked takes longer: then it is told.
const WAIT_MAX: Duration = Duration::from_secs(30);
/// The folder of the state, and what errors call its files.
const REMEMBERED: &str = "sessions";
const WHAT: &str = "what is remembered of a session";

/// What goes with a project.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    /// Their ids.
    pub ids: BTreeSet<String>,
    /// Files, and folders of notes.
    pub paths: Vec<PathBuf>,
    /// What a person said in them, as far as it is remembered.
    pub said: Vec<String>,
    /// Files that cannot be opened and may be the project's: nobody knows whose they are.
    pub unopened: Vec<PathBuf>,
}

/// Those of the repository at `root`.
pub(super) fn of_project(dirs: &Dirs, root: &Path, memory_dir: &Path) -> Sessions {
    let slugs = slugs(dirs, root, memory_dir);
    let mut sessions = Sessions::default();
    for id in ids(dirs) {
        let is_named = slugs.iter().any(|slug| is_kept_under(dirs, slug, &id));
        let remembered = read(dirs, &id);
        let cwd = remembered.as_ref().and_then(|one| one["cwd"].as_str());
        if is_named || cwd.is_some_and(|cwd| is_in(Path::new(cwd), root)) {
            sessions.add(dirs, &id, remembered);
        } else if remembered.is_none() {
            sessions.unopened.push(file(dirs, &id));
        }
    }
    let folders = slugs.iter().map(|slug| notes(dirs).join(slug));
    sessions
        .paths
        .extend(folders.flat_map(|folder| notes_in(&folder)));
    sessions.settle_paths();
    sessions
}

/// All of them.
pub(super) fn all(dirs: &Dirs) -> Sessions {
    let mut sessions = Sessions::default();
    for id in ids(dirs) {
        sessions.add(dirs, &id, read(dirs, &id));
    }
    // The files of the state go with it.
    let folders = entries(&notes(dirs)).into_iter();
    sessions.paths = folders.flat_map(|folder| notes_in(&folder)).collect();
    sessions.settle_paths();
    sessions
}

impl Sessions {
    /// What was said is looked for, each text by itself.
    pub(super) fn add_said(&self, traces: &mut TracePatterns) {
        let said = self.said.iter();
        said.for_each(|text| traces.add_content(text.as_bytes()));
    }

    fn settle_paths(&mut self) {
        self.paths.retain(|path| path.exists());
        self.paths.sort_unstable();
        self.paths.dedup();
    }

    /// Every file of one session, wherever its notes are.
    fn add(&mut self, dirs: &Dirs, id: &str, remembered: Option<Value>) {
        self.ids.insert(id.to_owned());
        let files = entries(&dirs.state.join(REMEMBERED)).into_iter();
        self.paths.extend(files.filter(|path| is_of(path, id)));
        let folders = entries(&notes(dirs)).into_iter();
        self.paths
            .extend(folders.map(|folder| folder.join(format!("{id}.md"))));
        let remembered = remembered.unwrap_or_default();
        let prompts = remembered["digest"]["prompts"].as_array();
        let said = prompts.into_iter().flatten();
        let said = said.filter_map(|prompt| prompt["text"].as_str());
        self.said.extend(said.map(str::to_owned));
    }
}

/// Where a person keeps texts of their own beside the notes: a template, a prompt.
const OWN_TEXTS: &str = "config";

/// The notes in the folder of a project: Markdown. Anything else there is somebody's, and a link leads elsewhere.
fn notes_in(folder: &Path) -> Vec<PathBuf> {
    let is_own = folder.file_name().is_some_and(|name| name == OWN_TEXTS);
    if is_own || !fs::symlink_metadata(folder).is_ok_and(|meta| meta.is_dir()) {
        return Vec::new();
    }
    let mut files = entries(folder);
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "md")
            && fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file())
    });
    files
}

/// The folders of notes, the innermost first.
pub(super) fn folders(dirs: &Dirs) -> Vec<PathBuf> {
    let mut folders = entries(&notes(dirs));
    folders.push(notes(dirs));
    folders
}

/// The names under which a host and `mem` keep what is the repository's.
fn slugs(dirs: &Dirs, root: &Path, memory_dir: &Path) -> BTreeSet<String> {
    let own = memory_dir.parent().and_then(Path::file_name);
    let own = own.filter(|_| memory_dir.starts_with(dirs.projects()));
    let own = own.map(|name| name.to_string_lossy().into_owned());
    own.into_iter()
        .chain([slug::existing(root, &dirs.projects())])
        .collect()
}

fn is_kept_under(dirs: &Dirs, slug: &str, id: &str) -> bool {
    let transcript = dirs.projects().join(slug).join(format!("{id}.jsonl"));
    let notes = notes(dirs).join(slug).join(format!("{id}.md"));
    transcript.exists() || notes.exists()
}

/// Whether a folder is the repository's, and not that of another one within it.
fn is_in(cwd: &Path, root: &Path) -> bool {
    match project::find(cwd, &Environment::default()) {
        Ok(project) => project.root == root,
        // It is gone by now.
        Err(_) => cwd.starts_with(root),
    }
}

/// `None` where it cannot be opened; what is damaged says nothing.
fn read(dirs: &Dirs, id: &str) -> Option<Value> {
    let Ok(stored) = regular_file::read_whole(file(dirs, id)) else {
        return Some(Value::Null);
    };
    let plain = dirs.seal().opened(stored, &["session", id], WHAT).ok()?;
    Some(serde_json::from_slice(&plain).unwrap_or_default())
}

/// Every session that has a file here.
fn ids(dirs: &Dirs) -> BTreeSet<String> {
    let files = entries(&dirs.state.join(REMEMBERED)).into_iter();
    let stems = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
    stems.collect()
}

fn is_of(path: &Path, id: &str) -> bool {
    path.file_stem().is_some_and(|stem| stem == id)
}

/// Looks for traces in what is remembered of the sessions that are left, where it is sealed: the bytes of such a file
/// say nothing.
pub(super) fn look(dirs: &Dirs, search: &TraceSearcher, found: &mut TraceSearch) {
    for id in ids(dirs) {
        let path = file(dirs, &id);
        let Ok(stored) = regular_file::read_whole(&path) else {
            continue;
        };
        if !is_sealed(&stored) {
            continue;
        }
        match dirs.seal().opened(stored, &["session", &id], WHAT) {
            Ok(plain) => found.add(&path, search.kinds_in(&plain)),
            Err(_) if found.unread.contains(&path) => {}
            Err(_) => found.unread.push(path),
        }
    }
}

/// The file that remembers a session.
fn file(dirs: &Dirs, id: &str) -> PathBuf {
    dirs.state.join(REMEMBERED).join(format!("{id}.json"))
}

fn notes(dirs: &Dirs) -> PathBuf {
    dirs.base.join("session-memory")
}

/// Sessions that nobody reads on while this is kept.
#[derive(Debug, Default)]
pub(super) struct SessionLocks {
    ids: BTreeSet<String>,
    locks: Vec<File>,
}

impl SessionLocks {
    /// Waits for those among these that it does not have yet.
    ///
    /// # Errors
    /// Somebody goes on for too long.
    pub(super) fn add(&mut self, dirs: &Dirs, ids: &BTreeSet<String>) -> Result<(), ErasureError> {
        for id in ids {
            if self.ids.insert(id.clone()) {
                for end in LOCKS {
                    let lock = file(dirs, id).with_extension(end);
                    self.locks.push(wait(&lock)?);
                }
            }
        }
        Ok(())
    }
}

/// Opened once, so that a look at this process tells at any time what it waits for.
fn wait(path: &Path) -> Result<File, ErasureError> {
    let lock = state_file::open_lock(path)?;
    match regular_file::lock_within(&lock, WAIT_MAX) {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(ErasureError::Busy {
            lock: path.to_owned(),
            seconds: WAIT_MAX.as_secs(),
        }),
        Err(TryLockError::Error(source)) => Err(state_file::refused("lock", path)(source).into()),
    }
}
