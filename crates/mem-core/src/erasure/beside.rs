//! What stands beside a memory directory and its state: notes of sessions, what an editor left, and lines of logs.

use std::fs;
use std::path::{Path, PathBuf};

use super::search::Search;
use super::{ErasureError, remove};
use crate::dirs::Dirs;

/// Folders of the state with files that may speak of any memory, and its logs.
const LEFT_BY_EDITORS: &str = "unsaved";
const SESSIONS: &str = "sessions";
const LOGS: [&str; 2] = ["hooks.log", "daemon"];

/// The notes of a project's sessions, and what is remembered of these sessions.
pub(super) fn sessions(dirs: &Dirs, memory_dir: &Path) -> Vec<PathBuf> {
    let slug = memory_dir.parent().and_then(Path::file_name);
    let is_project = memory_dir.starts_with(dirs.projects());
    let Some(slug) = slug.filter(|_| is_project) else {
        return Vec::new();
    };
    let notes = dirs.base.join("session-memory").join(slug);
    let ids = fs::read_dir(&notes).into_iter().flatten().flatten();
    let states = ids.filter_map(|entry| {
        let id = entry.path().file_stem()?.to_string_lossy().into_owned();
        Some(dirs.state.join(SESSIONS).join(format!("{id}.json")))
    });
    let mut paths: Vec<PathBuf> = states.collect();
    paths.push(notes);
    paths.retain(|path| path.exists());
    paths
}

/// Takes traces out of what belongs to no memory alone: files of caches and of editors go, logs lose lines.
pub(super) fn clean(dirs: &Dirs, search: &Search) -> Result<(), ErasureError> {
    for folder in [dirs.cache.clone(), dirs.state.join(LEFT_BY_EDITORS)] {
        for hit in search.run(&[folder]).hits {
            remove(&hit.file)?;
        }
    }
    let logs = LOGS.map(|name| dirs.state.join(name));
    for hit in search.run(&logs).hits {
        without_lines(&hit.file, search)?;
    }
    Ok(())
}

fn without_lines(file: &Path, search: &Search) -> Result<(), ErasureError> {
    let failed = |source| ErasureError::Remove {
        path: file.to_owned(),
        source,
    };
    let bytes = fs::read(file).map_err(failed)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let kept: Vec<u8> = lines
        .filter(|line| !search.is_in(line))
        .collect::<Vec<_>>()
        .concat();
    crate::atomic::replace(file, &kept)
        .map_err(|error| failed(std::io::Error::other(error.to_string())))
}
