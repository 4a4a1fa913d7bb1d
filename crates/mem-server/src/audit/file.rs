//! A file that lines are appended to, and that another program may move away to begin a new one.

use std::fs::{File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use mem_core::regular_file;

/// The file of an audit log. It is looked at before each line: one that was moved away or removed is made again.
#[derive(Debug)]
pub(super) struct AuditFile {
    path: PathBuf,
    open: Option<File>,
}

impl AuditFile {
    /// Opens it, and makes it where there is none.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            open: Some(regular_file::append(path)?),
        })
    }

    /// The next line goes to whatever is at the path then.
    pub(super) fn close(&mut self) {
        self.open = None;
    }

    /// Opens it again where it was closed.
    pub(super) fn connect(&mut self) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some(regular_file::append(&self.path)?);
        }
        Ok(())
    }

    /// Appends a line, in one write, so that a reader sees it whole or not at all.
    pub(super) fn write(&mut self, line: &[u8]) -> io::Result<()> {
        let is_there = match &self.open {
            Some(open) => is_same(&open.metadata()?, &self.path),
            None => false,
        };
        if !is_there {
            self.open = Some(regular_file::append(&self.path)?);
        }
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        let mut whole = Vec::with_capacity(line.len() + 1);
        whole.extend_from_slice(line);
        whole.push(b'\n');
        let length = open.metadata()?.len();
        let written = open.write_all(&whole);
        if written.is_err() {
            // Half a line would spoil the one after it.
            let _ = open.set_len(length);
        }
        written
    }
}

#[cfg(unix)]
fn is_same(open: &Metadata, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let there = std::fs::metadata(path);
    there.is_ok_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino()))
}

/// An open file cannot be moved away.
#[cfg(not(unix))]
fn is_same(_: &Metadata, path: &Path) -> bool {
    path.is_file()
}
