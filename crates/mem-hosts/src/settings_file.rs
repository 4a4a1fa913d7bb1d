//! [`EditableSettings`]: a text file of another program, changed without harm to anything else in it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use mem_core::regular_file::if_there;
use mem_core::{atomic, regular_file};

use super::HostFault;

/// Larger files are no settings. A host's state file holds something of every project.
const BYTES_MAX: u64 = mem_core::limits::HOST_STATE_BYTES_MAX;
const BOM: &str = "\u{feff}";

/// A file as it was found.
#[derive(Debug)]
pub(super) struct EditableSettings {
    /// Where it stands: behind any link.
    pub path: PathBuf,
    /// Its bytes; `None` where there is no file.
    bytes: Option<Vec<u8>>,
    /// Its text, without a byte order mark.
    pub text: String,
    has_bom: bool,
}

impl EditableSettings {
    /// Reads a file; one that is not there is empty.
    ///
    /// # Errors
    /// It cannot be read, or is no text.
    pub(super) fn read(path: &Path) -> Result<Self, HostFault> {
        let path = target(path)?;
        let read = if_there(regular_file::read(&path, BYTES_MAX));
        let fault = |source| HostFault::Read {
            path: path.clone(),
            source,
        };
        let bytes = read.map_err(fault)?;
        let text = String::from_utf8(bytes.clone().unwrap_or_default());
        let Ok(text) = text else {
            return Err(HostFault::NotText(path));
        };
        let (has_bom, text) = match text.strip_prefix(BOM) {
            Some(rest) => (true, rest.to_owned()),
            None => (false, text),
        };
        Ok(Self {
            path,
            bytes,
            text,
            has_bom,
        })
    }

    /// The bytes as they were found.
    pub(super) fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// Where the file as it was before is kept.
    pub(super) fn backup(&self) -> PathBuf {
        let mut name = self
            .path
            .file_name()
            .map(OsString::from)
            .unwrap_or_default();
        name.push(".mem-backup");
        self.path.with_file_name(name)
    }

    /// The bytes that a text would be written as.
    pub(super) fn encoded(&self, text: &str) -> Vec<u8> {
        let bom = if self.has_bom { BOM } else { "" };
        format!("{bom}{text}").into_bytes()
    }

    /// Puts a copy of the file as it was beside it.
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn keep(&self) -> Result<(), HostFault> {
        if let Some(bytes) = &self.bytes {
            self.require_writable()?;
            let backup = self.backup();
            atomic::replace_file(&backup, bytes)?;
            // As secret as the file itself.
            if let Ok(metadata) = fs::metadata(&self.path) {
                let set = fs::set_permissions(&backup, metadata.permissions());
                set.map_err(|source| HostFault::Permissions {
                    path: backup,
                    source,
                })?;
            }
        }
        Ok(())
    }

    /// Replaces the file, which keeps its mode.
    ///
    /// # Errors
    /// It is read-only, or is not what was read any more; the system refuses.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<(), HostFault> {
        self.require_writable()?;
        self.require_unchanged()?;
        Ok(atomic::replace_file(&self.path, bytes)?)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// As [`EditableSettings::write`].
    pub(super) fn remove(&self) -> Result<(), HostFault> {
        self.require_writable()?;
        self.require_unchanged()?;
        let path = self.path.clone();
        let fault = |source| HostFault::Remove { path, source };
        fs::remove_file(&self.path).map_err(fault)?;
        // A host's folder that is empty now was made for the file: `.cursor`, `.vscode`, `.copilot/hooks`,
        // `.config/opencode/plugin`.
        let mut folders = self.path.ancestors().skip(1).take(3);
        let hidden = folders.clone().position(is_hidden);
        for folder in folders.by_ref().take(hidden.map_or(0, |at| at + 1)) {
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    fn require_writable(&self) -> Result<(), HostFault> {
        let metadata = fs::metadata(&self.path);
        match metadata.is_ok_and(|metadata| metadata.permissions().readonly()) {
            true => Err(HostFault::ReadOnly(self.path.clone())),
            false => Ok(()),
        }
    }

    fn require_unchanged(&self) -> Result<(), HostFault> {
        match regular_file::read_whole(&self.path).ok() == self.bytes {
            true => Ok(()),
            false => Err(HostFault::Raced(self.path.clone())),
        }
    }
}

fn is_hidden(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with('.')
}

/// The file behind a link, or the path itself. People keep their settings in a repository of their own
/// and link to them.
fn target(path: &Path) -> Result<PathBuf, HostFault> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => path.canonicalize().map_err(|source| {
            let path = path.to_owned();
            HostFault::Read { path, source }
        }),
        _ => Ok(path.to_owned()),
    }
}
