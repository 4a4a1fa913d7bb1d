//! What stands beside a memory directory and its state: what an editor left, and lines of logs.

use std::path::Path;

use super::search::Search;
use super::{ErasureError, remove};
use crate::dirs::Dirs;
use crate::regular_file;

/// Folders of the state with files that may speak of any memory, and its logs.
const LEFT_BY_EDITORS: &str = "unsaved";
/// Caches that are sealed where state is.
const SEALED_CACHES: [&str; 2] = ["recall", "drift"];
const LOGS: [&str; 2] = ["hooks.log", "daemon"];

/// Takes traces out of what belongs to no memory alone: files of caches and of editors go, logs lose lines.
pub(super) fn clean(dirs: &Dirs, search: &Search) -> Result<(), ErasureError> {
    if dirs.seal().key_name().ok().flatten().is_some() {
        // Sealed ones cannot be looked through, and are made again.
        for name in SEALED_CACHES {
            remove(&dirs.cache.join(name))?;
        }
    }
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
    let bytes = regular_file::read_whole(file).map_err(failed)?;
    let lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let kept: Vec<u8> = lines
        .filter(|line| !search.is_in(line))
        .collect::<Vec<_>>()
        .concat();
    crate::atomic::replace(file, &kept)
        .map_err(|error| failed(std::io::Error::other(error.to_string())))
}
