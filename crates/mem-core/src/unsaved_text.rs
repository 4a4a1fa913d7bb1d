//! Texts that somebody wrote in an editor and that could not be written: they are kept where their author finds them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::spellings::TextSpellings;
use crate::state_file::{self, StateError};
use crate::store::{name_without, without_text};
use crate::{Dirs, MemoryPath, Now, atomic, regular_file};

/// Their folder in the state.
const FOLDER: &str = "unsaved";

/// Keeps a text that could not be written to its file, and says where it is.
///
/// # Errors
/// It cannot be kept.
pub fn keep_text(dirs: &Dirs, now: Now, path: &MemoryPath, text: &[u8]) -> io::Result<PathBuf> {
    let folder = dirs.state.join(FOLDER);
    let stamp = now.0.as_second();
    atomic::create_dirs(&folder)?;
    let mut number = 0;
    loop {
        let name = match number {
            0 => format!("{stamp}-{}", path.file_name()),
            number => format!("{stamp}-{number}-{}", path.file_name()),
        };
        let file = folder.join(name);
        match write_new(&file, text) {
            // Two of one second are two, also of two processes.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            written => return written.map(|()| file),
        }
    }
}

fn write_new(file: &Path, text: &[u8]) -> io::Result<()> {
    let mut new = regular_file::create_new(file)?;
    let written = new.write_all(text).and_then(|()| new.sync_all());
    if written.is_err() {
        // Half a text would be taken for all of it. The caller gets the error of the write.
        let _ = fs::remove_file(file);
    }
    written
}

/// Takes a text out of them and out of their names. Returns how many have it; with `is_dry` nothing is changed.
///
/// # Errors
/// One cannot be read or written; those before it are clean.
pub fn redact_texts(dirs: &Dirs, text: &TextSpellings, is_dry: bool) -> Result<usize, StateError> {
    let mut count = 0;
    let files = fs::read_dir(dirs.state.join(FOLDER)).into_iter();
    for file in files.flatten().flatten().map(|entry| entry.path()) {
        let failed = |step, source| {
            let path = file.clone();
            StateError::Access { step, path, source }
        };
        let bytes = regular_file::read_whole(&file).map_err(|source| failed("read", source))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let (clean, renamed) = (without_text(&bytes, text), name_without(&name, text));
        if clean.is_none() && renamed.is_none() {
            continue;
        }
        count += 1;
        if is_dry {
            continue;
        }
        let to = file.with_file_name(renamed.as_deref().unwrap_or(&name));
        state_file::write(&to, clean.as_deref().unwrap_or(&bytes))?;
        if to != file {
            fs::remove_file(&file).map_err(|source| failed("remove", source))?;
        }
    }
    Ok(count)
}
