//! Which blobs were clean before, so that a repeated push is nearly free.
//!
//! One file for each set of rules, a row of 16-byte marks. A damaged or lost file costs time only.

use std::collections::HashSet;
use std::fs::{self};
use std::io::Write;
use std::path::{Path, PathBuf};

use mem_core::oldest_files::forget_oldest;
use mem_core::{atomic, regular_file};
use sha2::{Digest, Sha256};

use super::id::ObjectId;

/// Stands for a blob at a path: what is clean in one kind of file may not be in another.
pub(crate) type Mark = [u8; MARK_BYTES];

const MARK_BYTES: usize = 16;
/// A file that has grown beyond this begins anew.
const FILE_BYTES_MAX: u64 = 8 << 20;
/// Files of other rules that are kept: as many as somebody switches between.
const FILES_KEPT: usize = 8;

/// The marks of one set of rules.
#[derive(Debug, Default)]
pub struct Clean {
    path: Option<PathBuf>,
    known: HashSet<Mark>,
    fresh: Vec<Mark>,
}

impl Clean {
    /// Reads the marks of the rules with this digest.
    pub fn open(cache: &Path, digest: &[u8; 32]) -> Self {
        let name: String = digest[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let path = cache.join("secrets").join(name);
        let bytes = regular_file::read(&path, FILE_BYTES_MAX).unwrap_or_default();
        Self {
            path: Some(path),
            known: bytes.as_chunks::<MARK_BYTES>().0.iter().copied().collect(),
            fresh: Vec::new(),
        }
    }

    /// The mark of a blob at a path.
    pub(crate) fn mark(oid: ObjectId, path: &str) -> Mark {
        let hash = Sha256::new()
            .chain_update(oid.as_bytes())
            .chain_update(path)
            .finalize();
        let mut mark = Mark::default();
        mark.copy_from_slice(&hash[..MARK_BYTES]);
        mark
    }

    /// Whether a blob was clean.
    pub(crate) fn holds(&self, mark: &Mark) -> bool {
        self.known.contains(mark)
    }

    /// Adds blobs that are clean.
    pub(crate) fn add(&mut self, marks: Vec<Mark>) {
        self.fresh.extend(marks);
    }

    /// Keeps what was learnt. That it cannot be kept only costs time.
    pub fn save(self) {
        if let (Some(path), false) = (&self.path, self.fresh.is_empty()) {
            let _ = self.write(path);
        }
    }

    fn write(&self, path: &Path) -> std::io::Result<()> {
        let fresh = self.fresh.as_flattened();
        let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
        let whole = size.is_multiple_of(MARK_BYTES as u64);
        if let Some(folder) = path.parent() {
            atomic::create_dirs(folder)?;
            if size == 0 {
                forget_oldest(folder, "", FILES_KEPT);
            }
        }
        let fits = whole && size + fresh.len() as u64 <= FILE_BYTES_MAX;
        let mut file = match fits {
            true => regular_file::append(path)?,
            false => regular_file::create(path)?,
        };
        file.write_all(fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_kept_by_rules_and_a_torn_file_is_replaced() {
        let temp = tempfile::tempdir().unwrap();
        let mark = Clean::mark(ObjectId::from_bytes(&[1; 20]).unwrap(), "a");
        let mut clean = Clean::open(temp.path(), &[7; 32]);
        clean.add(vec![mark]);
        clean.save();
        assert!(Clean::open(temp.path(), &[7; 32]).holds(&mark));
        assert!(!Clean::open(temp.path(), &[8; 32]).holds(&mark));
        let file = temp.path().join("secrets/0707070707070707");
        fs::OpenOptions::new()
            .append(true)
            .open(&file)
            .unwrap()
            .write_all(b"torn")
            .unwrap();
        let mut clean = Clean::open(temp.path(), &[7; 32]);
        let other = Clean::mark(ObjectId::from_bytes(&[2; 20]).unwrap(), "a");
        clean.add(vec![other]);
        clean.save();
        assert_eq!(fs::metadata(&file).unwrap().len(), 16);
    }
}
