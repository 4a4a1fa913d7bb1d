//! Reading what anybody may have written: regular files only, each and all together bounded.

use std::io::{self, Read as _};
use std::path::Path;

use jiff::Timestamp;

use super::ImportError;
use crate::limits::IMPORT_BYTES_MAX;
use crate::regular_file;

/// How much an import has read.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadBudget(u64);

impl ReadBudget {
    /// Counts what was read.
    pub(super) fn spend(&mut self, bytes: usize) -> Result<(), ImportError> {
        self.0 = self.0.saturating_add(bytes as u64);
        if self.0 > IMPORT_BYTES_MAX {
            return Err(ImportError::TooMuch);
        }
        Ok(())
    }
}

/// A file that was read, and when it was last written.
pub(super) struct BoundedText {
    pub(super) bytes: Vec<u8>,
    pub(super) modified: Option<Timestamp>,
}

/// Reads a regular file; `None` where nothing is.
///
/// Does not wait for the other end of a pipe, and asks the open file what it is.
pub(super) fn read(path: &Path, max: u64) -> Result<Option<BoundedText>, ImportError> {
    let fail = |source| ImportError::Read {
        path: path.to_owned(),
        source,
    };
    let file = match regular_file::open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(error) => return Err(fail(error)),
    };
    let meta = file.metadata().map_err(fail)?;
    let mut bytes = Vec::new();
    let read = file.take(max.saturating_add(1)).read_to_end(&mut bytes);
    if read.map_err(fail)? as u64 > max {
        return Err(ImportError::TooLarge {
            origin: path.display().to_string(),
            limit_bytes: max,
        });
    }
    let modified = meta.modified().ok().and_then(|time| time.try_into().ok());
    Ok(Some(BoundedText { bytes, modified }))
}

/// Whether an error says that nothing stands there.
pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
