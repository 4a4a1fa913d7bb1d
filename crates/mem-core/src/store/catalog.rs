//! What was last seen of a memory directory: a cache of the history's newest state.
//!
//! One text file, a line a note, replaced as a whole. It can always be rebuilt from the history,
//! so it is never synced, and one that does not belong to the history's newest commit is not
//! believed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use git2::Oid;
use jiff::Timestamp;

use super::error::StoreError;
use super::walk::Stat;
use crate::MemoryPath;
use crate::history::{Change, Cited, NoteId, Operation, Sha256};

/// The first word of the file; another one is another format.
const MAGIC: &str = "mem-catalog-1";
/// File systems stamp times in ticks of a few milliseconds: a file written within this before
/// the catalog may have been written again without showing it.
const RACY_NS: i64 = 20_000_000;
/// Room for one line.
const ENTRY_BYTES_USUAL: usize = 200;

/// Fields of a line, the last of which may be missing.
const ENTRY_FIELDS: usize = 8;

/// What is known about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
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

impl Entry {
    /// What the content rested on when it was written.
    pub fn cited(&self) -> Cited {
        let pairs = self
            .cited
            .split('\t')
            .filter_map(|pair| pair.split_once(' '));
        Cited::new(pairs.map(|(id, path)| (path.to_owned(), id.to_owned())))
    }
}

fn joined(cited: &Cited) -> String {
    let pairs = cited.iter().map(|(path, id)| format!("{id} {path}"));
    pairs.collect::<Vec<_>>().join("\t")
}

/// The newest state that the history knows, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// The commit that it belongs to.
    pub(super) commit: Option<Oid>,
    /// When the file was written, by the file system's clock.
    pub(super) written_ns: i64,
    entries: BTreeMap<MemoryPath, Entry>,
    /// How many notes of this path were deleted or renamed, so that the next one gets an id of
    /// its own.
    graves: BTreeMap<MemoryPath, u32>,
}

impl Catalog {
    /// Reads the catalog; an absent, damaged or foreign one is an empty one.
    pub(super) fn load(path: &Path) -> Self {
        let Ok(text) = std::fs::read_to_string(path) else {
            return Self::default();
        };
        let mut catalog = Self::parse(&text).unwrap_or_default();
        catalog.written_ns = mtime_ns(path);
        catalog
    }

    /// Replaces the file. Not synced: it can be rebuilt.
    #[expect(
        clippy::disallowed_methods,
        reason = "a cache; replaced whole, never synced"
    )]
    pub(super) fn save(&mut self, path: &Path) -> Result<(), StoreError> {
        let beside = path.with_extension("new");
        std::fs::write(&beside, self.render()).map_err(StoreError::io("write", &beside))?;
        std::fs::rename(&beside, path).map_err(StoreError::io("replace", path))?;
        self.written_ns = mtime_ns(path);
        Ok(())
    }

    /// What is known about a file.
    pub fn get(&self, path: &MemoryPath) -> Option<&Entry> {
        self.entries.get(path)
    }

    /// All files, in path order.
    pub fn iter(&self) -> impl Iterator<Item = (&MemoryPath, &Entry)> {
        self.entries.iter()
    }

    /// Where a note stands now.
    pub fn path_of(&self, note: &NoteId) -> Option<&MemoryPath> {
        self.entries
            .iter()
            .find(|(_, entry)| entry.note == *note)
            .map(|(path, _)| path)
    }

    /// The id of the note at a path: the recorded one, or the one it will be recorded under.
    pub fn note_id(&self, store_key: &str, path: &MemoryPath) -> NoteId {
        match self.entries.get(path) {
            Some(entry) => entry.note.clone(),
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

    /// Whether a file is certainly as it was when its digest was taken.
    pub fn is_unchanged(&self, path: &MemoryPath, stat: &Stat) -> bool {
        let known = self
            .entries
            .get(path)
            .is_some_and(|entry| entry.stat.agrees(stat));
        known && stat.mtime_ns.saturating_add(RACY_NS) < self.written_ns
    }

    /// Sets the stat of a file whose content is as recorded.
    pub(super) fn set_stat(&mut self, path: &MemoryPath, stat: Stat) {
        if let Some(entry) = self.entries.get_mut(path) {
            entry.stat = stat;
        }
    }

    /// Brings the catalog up to a change that was just recorded. Stats are left unknown.
    pub(super) fn apply(&mut self, change: &Change, commit: Oid) {
        for version in &change.versions {
            let time = version.content_time.unwrap_or(change.time);
            if let Some(from) = &version.renamed_from {
                self.entries.remove(from);
                *self.graves.entry(from.clone()).or_default() += 1;
            }
            match (version.operation, version.sha256) {
                (Operation::Deleted, _) => {
                    self.entries.remove(&version.path);
                    *self.graves.entry(version.path.clone()).or_default() += 1;
                }
                (_, Some(sha256)) => {
                    let note = version.note.clone();
                    let stat = Stat::default();
                    let entry = Entry {
                        note,
                        sha256,
                        stat,
                        content_time: time,
                        cited: joined(&version.cited),
                    };
                    self.entries.insert(version.path.clone(), entry);
                }
                // Redacted: the next look at the file takes the digest again.
                (_, None) => drop(self.entries.remove(&version.path)),
            }
        }
        self.commit = Some(commit);
    }

    /// Gives the paths that are remembered without a file other names.
    pub(super) fn rename_graves(&mut self, name: &dyn Fn(&MemoryPath) -> Option<MemoryPath>) {
        for (path, count) in std::mem::take(&mut self.graves) {
            let path = name(&path).unwrap_or(path);
            *self.graves.entry(path).or_default() += count;
        }
    }

    /// Leaves out what is known of cited files whose paths or ids are to be forgotten.
    pub(super) fn forget_cited(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        let entries = self.entries.values_mut();
        for entry in entries.filter(|entry| !entry.cited.is_empty()) {
            let mut cited = entry.cited();
            cited.forget(&is_forgotten);
            entry.cited = joined(&cited);
        }
    }

    fn render(&self) -> String {
        let commit = self
            .commit
            .map_or_else(|| "-".to_owned(), |oid| oid.to_string());
        let mut text = String::with_capacity(self.entries.len() * ENTRY_BYTES_USUAL);
        let _ = writeln!(text, "{MAGIC} {commit}");
        for (path, entry) in &self.entries {
            let Stat {
                size,
                mtime_ns,
                inode,
                ..
            } = entry.stat;
            let (note, sha256) = (&entry.note, entry.sha256);
            let time = entry.content_time.as_nanosecond();
            // Writing into a string cannot fail.
            let _ = write!(
                text,
                "{path}\t{note}\t{sha256}\t{size}\t{mtime_ns}\t{inode}\t{time}"
            );
            if !entry.cited.is_empty() {
                text.push('\t');
                text.push_str(&entry.cited);
            }
            text.push('\n');
        }
        for (path, count) in &self.graves {
            let _ = writeln!(text, "\t{path}\t{count}");
        }
        text.push_str("end\n");
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix("end\n")?.lines();
        let commit = lines.next()?.strip_prefix(MAGIC)?.trim();
        let mut catalog = Self::default();
        if commit != "-" {
            catalog.commit = Some(Oid::from_str(commit).ok()?);
        }
        // Gathered first: a map is made of sorted pairs faster than by inserting each.
        let mut entries = Vec::new();
        for line in lines {
            match line.strip_prefix('\t') {
                Some(grave) => catalog.graves.extend([grave_of(grave)?]),
                None => entries.push(entry_of(line)?),
            }
        }
        catalog.entries = entries.into_iter().collect();
        Some(catalog)
    }
}

/// A line of a note.
fn entry_of(line: &str) -> Option<(MemoryPath, Entry)> {
    let mut fields = line.splitn(ENTRY_FIELDS, '\t');
    let path = MemoryPath::parse(fields.next()?).ok()?;
    let entry = Entry {
        note: NoteId::from_stored(fields.next()?),
        sha256: fields.next()?.parse().ok()?,
        stat: Stat {
            size: fields.next()?.parse().ok()?,
            mtime_ns: fields.next()?.parse().ok()?,
            inode: fields.next()?.parse().ok()?,
            changed_ns: 0,
        },
        content_time: Timestamp::from_nanosecond(fields.next()?.parse().ok()?).ok()?,
        cited: fields.next().unwrap_or_default().to_owned(),
    };
    Some((path, entry))
}

/// The rest of a line of a path whose notes were deleted.
fn grave_of(line: &str) -> Option<(MemoryPath, u32)> {
    let (path, count) = line.split_once('\t')?;
    Some((MemoryPath::parse(path).ok()?, count.parse().ok()?))
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
