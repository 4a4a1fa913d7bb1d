//! Texts that somebody wrote in an editor and that could not be written: they are kept where their author finds them.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::{Dirs, MemoryPath, Now, atomic, regular_file};

/// Keeps a text that could not be written to its file, and says where it is.
///
/// # Errors
/// It cannot be kept.
pub fn keep_text(dirs: &Dirs, now: Now, path: &MemoryPath, text: &[u8]) -> io::Result<PathBuf> {
    let folder = dirs.state.join("unsaved");
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
        let _ = std::fs::remove_file(file);
    }
    written
}
