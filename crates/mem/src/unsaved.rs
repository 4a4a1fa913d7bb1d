//! Texts that somebody wrote in an editor and that could not be written: they are kept where their author finds them.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Result;
use mem_core::{MemoryPath, atomic, regular_file};

use crate::context::Context;
use crate::sanitize::clean;

/// Keeps a text that was to stand in a file, and says where it is.
///
/// # Errors
/// It cannot be written either.
pub(crate) fn keep_text(context: &Context, path: &MemoryPath, text: &[u8]) -> Result<()> {
    let folder = context.dirs()?.state.join("unsaved");
    let stamp = context.now.0.as_second();
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
            written => {
                written?;
                // Also where little is said: nobody finds it otherwise.
                let shown = file.to_string_lossy();
                let shown = clean(&shown);
                context
                    .printer
                    .print_warning(format_args!("your text is kept in {shown}"));
                return Ok(());
            }
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
