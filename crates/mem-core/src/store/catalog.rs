//! What was last seen of a memory directory: a cache of the history's newest state.
//!
//! One file ([`appended_file`]), a line a note, of which a run looks at those that it needs and adds those that
//! changed. It can always be rebuilt from the history, so it is never synced, and one that does not belong
//! to the history's newest change is not believed.
//!
//! A file is taken as unchanged by its stat alone only where that proves it (the racy-git problem):
//!
//! ```text
//!  mtime of the file                catalog written
//!  ------x---------------------------------x--------->
//!        |<- less than RACY_NS ----------->|   a save after it may have the same mtime: read again
//!        |<- more ------------------------>|   any save after it has another mtime: believed
//! ```
//!
//! **Invariant:** a lost or damaged catalog costs time and never a memory: ids, digests and ages are derived again from the
//! history. **Cost:** a comparison walks once over the sorted lines and the files (`catalog::merge_walk`); a save appends the
//! changed lines. Tests: `store::crash::a_lost_catalog_is_made_again_from_the_history`,
//! `store::write::a_new_note_under_an_old_name_is_another_note`.

mod merge_walk;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;

pub(super) use self::merge_walk::MergedPath;
use super::error::StoreError;
use super::walk::Stat;
use crate::MemoryPath;
use crate::appended_file::{self, FileEnd};
use crate::history::{Change, CitationSnapshot, FileOperation, Head, NoteId, Sha256};
use crate::sorted_lines::{SortedLine, SortedLines};

/// File systems stamp times in ticks of a few milliseconds: a file written within this before
/// the catalog may have been written again without showing it.
const RACY_NS: i64 = 20_000_000;

/// What is known about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogEntry {
    /// The note's id.
    pub note: NoteId,
    /// The digest of its bytes.
    pub sha256: Sha256,
    /// Its stat when that digest was taken.
    pub stat: Stat,
    /// When its content came to be.
    pub content_time: Timestamp,
    /// What the content rested on, as it stands in the file: `id path` for each, tabs in between.
    cited: String,
}

impl CatalogEntry {
    /// What the content rested on when it was written.
    pub fn cited(&self) -> CitationSnapshot {
        let pairs = self
            .cited
            .split('\t')
            .filter_map(|pair| pair.split_once(' '));
        CitationSnapshot::new(pairs.map(|(id, path)| (path.to_owned(), id.to_owned())))
    }
}

fn joined(cited: &CitationSnapshot) -> String {
    let pairs = cited.iter().map(|(path, id)| format!("{id} {path}"));
    pairs.collect::<Vec<_>>().join("\t")
}

/// The newest state that the history knows, by path.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The state of the history that it belongs to.
    pub(super) head: Option<Head>,
    /// When the file was written, by the file system's clock.
    pub(super) written_ns: i64,
    entries: SortedLines<CatalogEntry>,
    /// How many notes of this path were deleted or renamed, so that the next one gets an id of
    /// its own.
    graves: BTreeMap<MemoryPath, u32>,
    /// Which of these are not in the file yet.
    new_graves: BTreeSet<MemoryPath>,
    /// How far the file goes; `None` where it is to be written anew.
    end: Option<FileEnd>,
}

impl Catalog {
    /// Reads the catalog; an absent, damaged or foreign one is an empty one.
    pub(super) fn load(path: &Path) -> Self {
        let mut catalog = text::read(path).unwrap_or_default();
        catalog.written_ns = mtime_ns(path);
        catalog
    }

    /// Brings the file up to date: what changed is added, unless that has become too much. Not synced: it
    /// can be rebuilt.
    pub(super) fn save(&mut self, path: &Path) -> Result<(), StoreError> {
        if !self.add(path) {
            self.replace(path)?;
        }
        self.entries.saved();
        self.new_graves.clear();
        self.written_ns = mtime_ns(path);
        Ok(())
    }

    /// Whether the next [`Catalog::save`] writes the file anew.
    pub(super) fn is_to_be_replaced(&self) -> bool {
        self.end.is_none()
    }

    /// Adds what changed, if nothing, to the file, whose time says that all was looked at. `false` where
    /// that cannot be done.
    fn add(&mut self, path: &Path) -> bool {
        let piece = self.piece();
        let end = self.end.as_mut().filter(|end| end.has_room(piece.len()));
        end.is_some_and(|end| matches!(end.add(path, &piece, false), Ok(true)))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a cache; replaced whole, never synced"
    )]
    fn replace(&mut self, path: &Path) -> Result<(), StoreError> {
        let beside = path.with_extension("new");
        // Replaced by rename, since readers without the lock may be reading it. A power failure may leave it empty or
        // torn, which its checksums show; preventing that would add a sync to every save.
        let (bytes, end) = appended_file::whole(text::MAGIC, &self.render());
        std::fs::write(&beside, bytes).map_err(StoreError::io("write", &beside))?;
        std::fs::rename(&beside, path).map_err(StoreError::io("replace", path))?;
        self.end = Some(end);
        Ok(())
    }

    /// What is known about a file.
    pub fn get(&self, path: &MemoryPath) -> Option<CatalogEntry> {
        self.entries.get(path.as_str())
    }

    /// All files, in path order.
    pub fn iter(&self) -> impl Iterator<Item = (MemoryPath, CatalogEntry)> {
        let parsed = |(path, line): (&str, SortedLine<'_, CatalogEntry>)| {
            Some((MemoryPath::parse(path).ok()?, line.value()?))
        };
        self.entries.iter().filter_map(parsed)
    }

    /// Where a note stands now.
    pub fn path_of(&self, note: &NoteId) -> Option<MemoryPath> {
        let mut lines = self.entries.iter();
        let found = lines.find(|(_, line)| text::is_of(line, note));
        found.and_then(|(path, _)| MemoryPath::parse(path).ok())
    }

    /// The id of the note at a path: the recorded one, or the one it will be recorded under.
    pub fn note_id(&self, store_key: &str, path: &MemoryPath) -> NoteId {
        match self.get(path) {
            Some(entry) => entry.note,
            None => self.next_id(store_key, path),
        }
    }

    /// The id of the next note to be made at a path.
    pub(super) fn next_id(&self, store_key: &str, path: &MemoryPath) -> NoteId {
        self.next_id_beside(store_key, path, |id| self.path_of(id).is_some())
    }

    /// The same, where the caller knows which ids are taken.
    pub(super) fn next_id_beside(
        &self,
        store_key: &str,
        path: &MemoryPath,
        is_taken: impl Fn(&NoteId) -> bool,
    ) -> NoteId {
        let mut graves = self.graves.get(path).copied().unwrap_or(0);
        loop {
            let parts = [store_key.as_bytes(), path.as_str().as_bytes()];
            let id = NoteId::derive(&[parts[0], parts[1], &graves.to_le_bytes()]);
            // A note that came back from elsewhere may have it.
            if !is_taken(&id) {
                return id;
            }
            graves = graves.wrapping_add(1);
        }
    }

    /// Whether a file with this stat, which is the one that is known, is certainly as it was when its
    /// digest was taken.
    fn is_settled(&self, stat: &Stat) -> bool {
        stat.mtime_ns.saturating_add(RACY_NS) < self.written_ns
    }

    /// Sets the stat of a file whose content is as recorded.
    pub(super) fn set_stat(&mut self, path: &MemoryPath, stat: Stat) {
        let name = path.as_str();
        if self.entries.amend(name, |entry| entry.stat = stat) {
            return;
        }
        if let Some(entry) = self.get(path) {
            self.entries.set(name, Some(CatalogEntry { stat, ..entry }));
        }
    }

    /// Brings the catalog up to a change that was just recorded. Stats are left unknown.
    pub(super) fn apply(&mut self, change: &Change, head: Head) {
        for version in &change.versions {
            let time = version.content_time.unwrap_or(change.time);
            // The old path counts as a grave too: its memory lives on under its id, and a new memory of that name
            // must not derive the same one.
            if let Some(from) = &version.renamed_from {
                self.bury(from);
            }
            match (version.operation, version.sha256) {
                (FileOperation::Deleted, _) => self.bury(&version.path),
                (_, Some(sha256)) => {
                    let note = version.note.clone();
                    let stat = Stat::default();
                    let entry = CatalogEntry {
                        note,
                        sha256,
                        stat,
                        content_time: time,
                        cited: joined(&version.cited),
                    };
                    self.entries.set(version.path.as_str(), Some(entry));
                }
                // Redacted: the next look at the file takes the digest again.
                (_, None) => self.entries.set(version.path.as_str(), None),
            }
        }
        self.head = Some(head);
    }

    /// The note at a path is no more.
    fn bury(&mut self, path: &MemoryPath) {
        self.entries.set(path.as_str(), None);
        *self.graves.entry(path.clone()).or_default() += 1;
        self.new_graves.insert(path.clone());
    }

    /// Gives the paths that are remembered without a file other names.
    pub(super) fn rename_graves(&mut self, name: &dyn Fn(&MemoryPath) -> Option<MemoryPath>) {
        // What was forgotten stands in no piece of the file.
        self.end = None;
        for (path, count) in std::mem::take(&mut self.graves) {
            let path = name(&path).unwrap_or(path);
            *self.graves.entry(path).or_default() += count;
        }
    }

    /// Leaves out what is known of cited files whose paths or ids are to be forgotten.
    pub(super) fn forget_cited(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.end = None;
        let citing = self.iter().filter(|(_, entry)| !entry.cited.is_empty());
        for (path, mut entry) in citing.collect::<Vec<_>>() {
            let mut cited = entry.cited();
            cited.forget(&is_forgotten);
            entry.cited = joined(&cited);
            self.entries.set(path.as_str(), Some(entry));
        }
    }
}

/// The mtime of a file, 0 where it cannot be told.
fn mtime_ns(path: &Path) -> i64 {
    let modified = std::fs::metadata(path).and_then(|meta| meta.modified());
    let since = modified
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since
        .and_then(|since| i64::try_from(since.as_nanos()).ok())
        .unwrap_or(0)
}
