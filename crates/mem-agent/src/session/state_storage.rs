//! The file that remembers a session between two readings of its transcript. It quotes what was said, so it is
//! sealed where a person has what their machine keeps sealed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::sealing::{StateCipher, is_sealed};
use mem_core::state_file::{self, StateError};
use mem_core::{Dirs, regular_file};

use super::place::SessionFiles;
use super::state::SessionState;

/// What errors call it.
pub(super) const WHAT: &str = "what is remembered of a session";

/// The state as it was last written; the beginning where there is none, or one that is damaged.
///
/// # Errors
/// It is sealed and cannot be opened: what it knows of the notes is not to be forgotten.
pub(super) fn read(place: &SessionFiles) -> Result<SessionState, StateError> {
    let Ok(stored) = regular_file::read_whole(&place.state) else {
        return Ok(SessionState::default().into_current());
    };
    let bytes = place.seal.opened(stored, &["session", &place.id], WHAT)?;
    // What is damaged is gathered anew.
    let state: SessionState = serde_json::from_slice(&bytes).unwrap_or_default();
    Ok(state.into_current())
}

/// Remembers.
///
/// # Errors
/// It cannot be sealed or written.
pub(super) fn write(place: &SessionFiles, state: &SessionState) -> Result<(), StateError> {
    let bytes = serde_json::to_vec(state).unwrap_or_default();
    let stored = place.seal.closed(bytes, &["session", &place.id])?;
    state_file::write(&place.state, &stored)
}

/// Writes what is remembered of every session as it is to be by now. Says how many those are, and which cannot be
/// opened or written, and why: these stay as they are.
pub fn reseal_states(dirs: &Dirs) -> (usize, Vec<(PathBuf, String)>) {
    let (seal, mut count, mut unopened) = (dirs.seal(), 0, Vec::new());
    for (path, id) in state_files(dirs) {
        match reseal_one(&seal, &path, &id) {
            Ok(is_there) => count += usize::from(is_there),
            Err(error) => unopened.push((path, error.to_string())),
        }
    }
    (count, unopened)
}

/// Whether it was still there.
fn reseal_one(seal: &StateCipher, path: &Path, id: &str) -> Result<bool, StateError> {
    let _lock = state_file::lock(&path.with_extension("lock"))?;
    let stored = match regular_file::read_whole(path) {
        Ok(stored) => stored,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(source) => {
            let (step, path) = ("read", path.to_owned());
            return Err(StateError::Access { step, path, source });
        }
    };
    let plain = seal.opened(stored, &["session", id], WHAT)?;
    state_file::write(path, &seal.closed(plain, &["session", id])?)?;
    Ok(true)
}

/// How many open, and which do not, with the reason.
pub fn check_openable(dirs: &Dirs) -> (usize, Vec<(PathBuf, String)>) {
    let (seal, mut open, mut closed) = (dirs.seal(), 0, Vec::new());
    for (path, id) in state_files(dirs) {
        let stored = match regular_file::read_whole(&path) {
            Ok(stored) => stored,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => {
                closed.push((path, error.to_string()));
                continue;
            }
        };
        match seal.opened(stored, &["session", &id], WHAT) {
            Ok(_) => open += 1,
            Err(error) => closed.push((path, error.to_string())),
        }
    }
    (open, closed)
}

/// How many are as they are to be, and how many are not. Takes no key.
pub fn count_sealed(dirs: &Dirs) -> (usize, usize) {
    let seal = dirs.seal();
    let key = seal.key_name().ok().flatten();
    let all = state_files(dirs).into_iter();
    let (whole, other): (Vec<_>, Vec<_>) = all.partition(|(path, _)| name_of(&seal, path) == key);
    (whole.len(), other.len())
}

/// The name of the key that sealed a file; `None` where it is plain.
fn name_of(seal: &StateCipher, path: &Path) -> Option<String> {
    let bytes = regular_file::read_whole(path).ok()?;
    is_sealed(&bytes).then(|| seal.name_of(&bytes))
}

/// The files of all sessions, each with its id.
pub(super) fn state_files(dirs: &Dirs) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(dirs.state.join("sessions"));
    let paths = entries.into_iter().flatten().flatten();
    let state = |path: PathBuf| {
        let is_state = path.extension().is_some_and(|end| end == "json");
        let id = path.file_stem()?.to_str()?.to_owned();
        is_state.then_some((path, id))
    };
    paths.filter_map(|entry| state(entry.path())).collect()
}
