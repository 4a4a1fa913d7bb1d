//! The file that remembers a session between two readings of its transcript. It quotes what was said, so it is
//! sealed where a person has what their machine keeps sealed.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::Dirs;
use mem_core::regular_file::{self, if_there};
use mem_core::sealing::{StateCipher, is_sealed};
use mem_core::state_file::{self, StateError};

use super::place::{SessionFiles, entries_in};
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
    visit_states(dirs, |seal, path, id| {
        let _lock = state_file::lock(&path.with_extension("lock"))?;
        let Some(stored) = read_bytes(path)? else {
            return Ok(false);
        };
        let plain = seal.opened(stored, &["session", id], WHAT)?;
        state_file::write(path, &seal.closed(plain, &["session", id])?)?;
        Ok(true)
    })
}

/// How many open, and which do not, with the reason.
pub fn check_openable(dirs: &Dirs) -> (usize, Vec<(PathBuf, String)>) {
    visit_states(dirs, |seal, path, id| {
        let stored = if_there(regular_file::read_whole(path))?;
        let opened = stored.map(|stored| seal.opened(stored, &["session", id], WHAT));
        Ok(opened.transpose()?.is_some())
    })
}

/// How many files are done, each by its path and id, and which are not, with the reason; one that is gone by then is
/// neither.
fn visit_states(
    dirs: &Dirs,
    visit: impl Fn(&StateCipher, &Path, &str) -> Result<bool, Box<dyn Error>>,
) -> (usize, Vec<(PathBuf, String)>) {
    let (seal, mut done, mut failed) = (dirs.seal(), 0, Vec::new());
    for (path, id) in state_files(dirs) {
        match visit(&seal, &path, &id) {
            Ok(is_there) => done += usize::from(is_there),
            Err(error) => failed.push((path, error.to_string())),
        }
    }
    (done, failed)
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
    let entries = entries_in(&dirs.state.join("sessions"));
    let state = |path: PathBuf| {
        let is_state = path.extension().is_some_and(|end| end == "json");
        let id = path.file_stem()?.to_str()?.to_owned();
        is_state.then_some((path, id))
    };
    entries.filter_map(|entry| state(entry.path())).collect()
}

/// What a file holds; `None` where it is not there.
pub(super) fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, StateError> {
    if_there(regular_file::read_whole(path)).map_err(state_error("read", path))
}

pub(super) fn state_error(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StateError {
    let path = path.to_owned();
    move |source| StateError::Access { step, path, source }
}
