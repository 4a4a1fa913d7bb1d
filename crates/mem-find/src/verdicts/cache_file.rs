//! The file that answers are remembered in: `<cache>/drift/<hash of the checkout>`.
//!
//! A cache: one that is lost or damaged costs time only. It quotes what memories cite, so it is for
//! its owner alone, sealed where a person has that, and what erases memories erases it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use mem_core::oldest_files::forget_oldest;
use mem_core::sealing::StateCipher;
use mem_core::{atomic, regular_file};
use sha2::{Digest as _, Sha256};

/// The folder in the cache place.
const FOLDER: &str = "drift";
/// Checkouts that are remembered; those that were not looked at for the longest time go.
const FILES_KEPT: usize = 64;
/// Characters of a hash that name a file.
const NAME_CHARS: usize = 32;
/// What is sealed is a little longer.
const STORED_BYTES_MAX: u64 = mem_drift::limits::CACHE_BYTES_MAX as u64 + 1024;
/// What errors call the answers.
const WHAT: &str = "remembered verdicts";

/// Where the answers for one checkout are.
#[derive(Debug)]
pub(super) struct CacheFile {
    path: PathBuf,
    name: String,
    seal: StateCipher,
}

impl CacheFile {
    pub(super) fn for_checkout(
        place: &mem_drift::CheckoutPaths,
        cache: &Path,
        seal: StateCipher,
    ) -> Self {
        let mut hash = Sha256::new();
        for path in [&place.git_dir, &place.workdir] {
            let bytes = path
                .as_deref()
                .map(|path| path.as_os_str().as_encoded_bytes());
            hash.update(bytes.unwrap_or_default());
            hash.update([0]);
        }
        let name: String = hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .take(NAME_CHARS / 2)
            .collect();
        let path = cache.join(FOLDER).join(&name);
        Self { path, name, seal }
    }

    /// What was remembered; `None` for nothing, and for more than is ever written.
    pub(super) fn read(&self) -> Option<Vec<u8>> {
        let size = fs::symlink_metadata(&self.path).ok()?;
        let is_ours = size.is_file() && size.len() <= STORED_BYTES_MAX;
        let stored = is_ours
            .then(|| regular_file::read_whole(&self.path).ok())
            .flatten()?;
        let opened = self.seal.opened(stored, &["drift", &self.name], WHAT);
        Some(opened.ok()?.into_owned())
    }

    /// Remembers. That it cannot only costs time.
    pub(super) fn write(&self, bytes: &[u8]) {
        let _ = self.replace_file(bytes);
    }

    fn replace_file(&self, bytes: &[u8]) -> io::Result<()> {
        let stored = self.seal.closed(bytes, &["drift", &self.name]);
        let stored = stored.map_err(io::Error::other)?;
        let Some(folder) = self.path.parent() else {
            return Ok(());
        };
        atomic::create_dirs(folder)?;
        if !self.path.exists() {
            forget_oldest(folder, "", FILES_KEPT);
        }
        // Beside the file and for its owner alone; not synced, because it can be made again.
        let mut beside = tempfile::NamedTempFile::new_in(folder)?;
        beside.write_all(&stored)?;
        beside.persist(&self.path)?;
        Ok(())
    }
}

/// Forgets everything about every checkout: after something was erased for good.
pub(super) fn forget_caches(cache: &Path) {
    // Another run may have removed it.
    let _ = fs::remove_dir_all(cache.join(FOLDER));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_worktrees_are_told_apart() {
        let temp = tempfile::tempdir().unwrap();
        let place = |name: &str| mem_drift::CheckoutPaths {
            git_dir: Some(PathBuf::from(name)),
            workdir: None,
        };
        let file = CacheFile::for_checkout(&place("/a"), temp.path(), StateCipher::default());
        assert_eq!(file.read(), None);
        file.write(b"one");
        file.write(b"two");
        assert_eq!(file.read().as_deref(), Some(&b"two"[..]));
        assert_eq!(
            CacheFile::for_checkout(&place("/b"), temp.path(), StateCipher::default()).read(),
            None
        );
        forget_caches(temp.path());
        assert_eq!(file.read(), None);
    }
}
