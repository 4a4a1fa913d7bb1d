//! The file that keeps an index: one a memory directory, in the cache, read whole and replaced by
//! rename. Readers need no lock; of several writers the last one wins, each with whole contents.
//!
//! A line in front of the index says of which directory it is and by which rules secrets were left
//! out. Another line, a torn file or one of another version is no index: it is made anew.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mem_core::history::Sha256;
use mem_core::sealing::{MAGIC, StateCipher};
use mem_core::store::LocalStore;
use mem_core::{atomic, regular_file};
use mem_recall::RecallIndex;
use tempfile::NamedTempFile;

mod index_cache;

pub use index_cache::keep_loaded;

/// Raised when documents are made from notes in another way.
const FORMAT: u32 = 4;
/// What errors call an index.
const WHAT: &str = "the index of recall";
/// A writing that is older than this was killed.
const WRITING_MAX: Duration = Duration::from_secs(600);
/// A file larger than this is no index of ours.
const INDEX_BYTES_MAX: u64 = 4 << 30;

/// Where the index of one memory directory is kept.
#[derive(Clone, Debug)]
pub(crate) struct IndexFile {
    path: PathBuf,
    /// How files begin that are on the way to be it.
    temporary: String,
    head: Vec<u8>,
    /// How what follows the head is sealed: as one content, bound to the head.
    seal: StateCipher,
}

/// What tells one stored index from the next: its time and its size.
pub(crate) type Identity = (SystemTime, u64);

/// A writing that has begun.
#[derive(Debug)]
pub(crate) struct IndexWrite {
    file: NamedTempFile,
    /// The time of the file system's clock when it began.
    pub(crate) time_ns: i64,
}

impl IndexFile {
    /// The place of a store's index. Nothing is touched.
    pub(crate) fn for_store(store: &LocalStore) -> Self {
        let places = store.places();
        let rules = mem_secrets::RULES_HASH;
        let mut head = format!("mem index {FORMAT} {rules} ").into_bytes();
        head.extend_from_slice(places.root.as_os_str().as_encoded_bytes());
        head.push(b'\n');
        Self {
            path: places.recall_index(),
            temporary: places.recall_index_temporary(),
            head,
            seal: places.person_seal.clone(),
        }
    }

    /// What an index is sealed for.
    fn belonging(&self) -> [String; 2] {
        let head = Sha256::digest(&self.head).to_string();
        ["index".to_owned(), head]
    }

    /// Reads the index; an empty one where there is none that can be trusted.
    pub(crate) fn load(&self) -> RecallIndex {
        index_cache::load_again(self).unwrap_or_default()
    }

    fn read(&self) -> Option<RecallIndex> {
        let mut file = regular_file::open(&self.path).ok()?;
        let meta = file.metadata().ok()?;
        let bytes = meta.len().checked_sub(self.head.len() as u64)?;
        if bytes > INDEX_BYTES_MAX {
            return None;
        }
        let mut head = vec![0; self.head.len()];
        file.read_exact(&mut head).ok()?;
        if head != self.head {
            return None;
        }
        let mut first = [0; MAGIC.len()];
        let begun = file.read_exact(&mut first);
        if begun.is_err() || first != MAGIC {
            return RecallIndex::read(first.chain(file), bytes).ok();
        }
        self.read_sealed(file, bytes)
    }

    /// The rest of a file that is sealed; none where its key is not to be had.
    fn read_sealed(&self, mut rest: File, bytes: u64) -> Option<RecallIndex> {
        let mut stored = MAGIC.to_vec();
        stored.reserve_exact(usize::try_from(bytes).ok()?);
        rest.read_to_end(&mut stored).ok()?;
        let [kind, head] = self.belonging();
        let plain = self.seal.opened(stored, &[&kind, &head], WHAT).ok()?;
        RecallIndex::read(&*plain, plain.len() as u64).ok()
    }

    /// Which file it is by now; `None` where there is none.
    pub(crate) fn identity(&self) -> Option<Identity> {
        let meta = std::fs::metadata(&self.path).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }

    /// Begins to write, before any file is looked at.
    ///
    /// # Errors
    /// The cache cannot be written.
    pub(crate) fn begin(&self) -> io::Result<IndexWrite> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        atomic::create_dirs(folder)?;
        let file = tempfile::Builder::new()
            .prefix(&self.temporary)
            .tempfile_in(folder)?;
        let modified = file.as_file().metadata()?.modified()?;
        self.sweep_leftovers(folder, modified);
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(IndexWrite {
            file,
            time_ns: i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        })
    }

    /// Removes what processes left that were killed. One that is only slow has its index refused,
    /// which costs time.
    fn sweep_leftovers(&self, folder: &Path, now: SystemTime) {
        let is_dead = |entry: &std::fs::DirEntry| {
            let modified = entry.metadata().and_then(|meta| meta.modified());
            let age = modified.ok().and_then(|then| now.duration_since(then).ok());
            entry
                .file_name()
                .to_string_lossy()
                .starts_with(&self.temporary)
                && age.is_some_and(|age| age > WRITING_MAX)
        };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries.filter(is_dead) {
            // Another run may have removed it.
            let _ = std::fs::remove_file(entry.path());
        }
    }

    /// Puts an index in place. Not synced: it can be made again, and a torn one is.
    ///
    /// # Errors
    /// The cache cannot be written, or the key not be had: an index is not stored plain then.
    pub(crate) fn finish_write(&self, begun: IndexWrite, index: &RecallIndex) -> io::Result<()> {
        let mut out = BufWriter::new(begun.file.as_file());
        out.write_all(&self.head)?;
        match self.seal.key().map_err(io::Error::other)? {
            None => index.write(&mut out)?,
            Some(key) => {
                let mut plain = Vec::new();
                index.write(&mut plain)?;
                let [kind, head] = self.belonging();
                let sealed = key.seal(&plain, &[&kind, &head]);
                out.write_all(&sealed.map_err(io::Error::other)?)?;
            }
        }
        out.flush()?;
        drop(out);
        begun
            .file
            .persist(&self.path)
            .map_err(|error| error.error)?;
        Ok(())
    }
}
