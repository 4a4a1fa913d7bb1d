//! Texts that somebody wrote in an editor and that could not be written: they are kept where their author finds them.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::regular_file::if_there;
use crate::spellings::TextSpellings;
use crate::state_file::{self, StateError, refused};
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
    atomic::create_dirs(&folder)?;
    let name = format!("{}-{}", now.0.as_second(), path.file_name());
    write_numbered(&folder, &name, text)
}

/// Writes a new file under this name, or with a number behind its stamp where one of the name is there: two of one
/// second are two, also of two processes.
fn write_numbered(folder: &Path, name: &str, text: &[u8]) -> io::Result<PathBuf> {
    let mut file = folder.join(name);
    let (stamp, rest) = name.split_once('-').unwrap_or(("0", name));
    let mut number = 0;
    loop {
        match write_new(&file, text) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                number += 1;
                file = folder.join(format!("{stamp}-{number}-{rest}"));
            }
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

/// Takes a text out of them and out of their names. Returns how many have it; with `is_dry` nothing is changed. Links
/// and folders are no such texts.
///
/// # Errors
/// The folder cannot be listed, or one cannot be read or written; those before it are clean.
pub fn redact_texts(dirs: &Dirs, text: &TextSpellings, is_dry: bool) -> Result<usize, StateError> {
    let folder = dirs.state.join(FOLDER);
    let failed = refused("list", &folder);
    let entries = if_there(fs::read_dir(&folder)).map_err(&failed)?;
    let entries = entries.into_iter().flatten();
    let entries: Vec<fs::DirEntry> = entries.collect::<io::Result<_>>().map_err(&failed)?;
    let mut count = 0;
    for entry in entries {
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let file = entry.path();
        let bytes = regular_file::read_whole(&file).map_err(refused("read", &file))?;
        let name = entry.file_name();
        let renamed = name_without(&name.to_string_lossy(), text);
        let clean = without_text(&bytes, text);
        if clean.is_none() && renamed.is_none() {
            continue;
        }
        count += 1;
        if is_dry {
            continue;
        }
        let clean = clean.unwrap_or(bytes);
        match renamed {
            Some(name) => {
                let written = write_numbered(&folder, &name, &clean);
                written.map_err(refused("write", &folder))?;
                fs::remove_file(&file).map_err(refused("remove", &file))?;
            }
            None => state_file::write(&file, &clean)?,
        }
    }
    Ok(count)
}
