//! Small records of what happened: read leniently, changed under a lock, replaced whole. Not
//! synced: nothing depends on them, and a prompt is waiting.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use mem_core::{atomic, regular_file};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tempfile::NamedTempFile;

/// A record larger than this is none of ours.
const RECORD_BYTES_MAX: u64 = 4 << 20;

/// Reads a record; an absent or damaged one is empty.
pub fn read_record<T: DeserializeOwned + Default>(path: &Path) -> T {
    let bytes = regular_file::read(path, RECORD_BYTES_MAX).ok();
    bytes
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default()
}

/// Changes a record.
///
/// # Errors
/// It cannot be locked or written; it is as it was then.
pub fn change_record<T: DeserializeOwned + Serialize + Default>(
    path: &Path,
    change: impl FnOnce(&mut T),
) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    atomic::create_dirs(folder)?;
    let _lock = lock_record(&folder.join("lock"))?;
    let mut record = read_record(path);
    change(&mut record);
    let mut beside = NamedTempFile::new_in(folder)?;
    beside.write_all(&serde_json::to_vec(&record)?)?;
    beside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn lock_record(path: &Path) -> io::Result<File> {
    let file = regular_file::open_lock(path)?;
    file.lock()?;
    Ok(file)
}
