//! The catalog's file: the head of the history, a line for each path whose notes were deleted, a line a note. What is
//! added has the same lines, those of notes that are no more without what was known of them.

use std::fmt::Write as _;
use std::path::Path;

use jiff::Timestamp;

use super::{Catalog, CatalogEntry};
use crate::MemoryPath;
use crate::appended_file::AppendedFile;
use crate::history::{NoteId, Sha256};
use crate::sorted_lines::{LineValue, SortedLine, SortedLines};
use crate::store::walk::Stat;

/// The first word of the file; another one is another format.
pub(super) const MAGIC: &str = "mem-catalog-2";
/// Fields of a line behind its path, the last of which may be missing.
const FIELDS: usize = 7;
/// How the line of a path whose notes were deleted begins.
const GRAVE: char = '\t';

/// Reads a catalog; `None` where there is none, or none that can be believed.
pub(super) fn read(path: &Path) -> Option<Catalog> {
    of_grown(AppendedFile::read(path, MAGIC).ok()??)
}

fn of_grown(grown: AppendedFile) -> Option<Catalog> {
    let mut catalog = Catalog {
        end: Some(grown.end()),
        ..Catalog::default()
    };
    let head = catalog.read_head(grown.first())?;
    let pieces: Vec<String> = grown.pieces().map(str::to_owned).collect();
    let (text, first) = grown.into_text();
    catalog.entries = SortedLines::new(text, first.start + head..first.end);
    for piece in &pieces {
        let head = catalog.read_head(piece)?;
        for line in piece.get(head..)?.lines() {
            catalog.entries.read_unsaved(line)?;
        }
    }
    Some(catalog)
}

impl Catalog {
    /// Takes over the head and the lines of deleted notes; returns how many bytes they have.
    fn read_head(&mut self, text: &str) -> Option<usize> {
        let (head, mut rest) = text.split_once('\n')?;
        // None, or that of an earlier format: the history is newer in any case, and the ids of notes stay known.
        self.head = head.parse().ok();
        while let Some((grave, after)) = rest
            .strip_prefix(GRAVE)
            .and_then(|rest| rest.split_once('\n'))
        {
            self.graves.extend([grave_of(grave)?]);
            rest = after;
        }
        Some(text.len() - rest.len())
    }

    fn write_head<'g>(&self, graves: impl Iterator<Item = &'g MemoryPath>) -> String {
        let head = self.head.map(|head| head.to_string());
        let mut text = head.unwrap_or_else(|| "-".to_owned());
        text.push('\n');
        for path in graves {
            let count = self.graves.get(path).copied().unwrap_or(0);
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{GRAVE}{path}\t{count}");
        }
        text
    }

    /// All of it.
    pub(super) fn render(&self) -> String {
        let mut text = self.write_head(self.graves.keys());
        self.entries.write_all(&mut text);
        text
    }

    /// What is not in the file yet.
    pub(super) fn piece(&self) -> String {
        let mut text = self.write_head(self.new_graves.iter());
        self.entries.write_unsaved(&mut text);
        text
    }
}

/// The rest of a line of a path whose notes were deleted.
fn grave_of(line: &str) -> Option<(MemoryPath, u32)> {
    let (path, count) = line.split_once('\t')?;
    Some((MemoryPath::parse(path).ok()?, count.parse().ok()?))
}

impl LineValue for CatalogEntry {
    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.splitn(FIELDS, '\t');
        let note = NoteId::from_stored(fields.next()?);
        let (sha256, stat) = brief(&mut fields)?;
        let time = fields.next()?.parse().ok()?;
        Some(Self {
            note,
            sha256,
            stat,
            content_time: Timestamp::from_nanosecond(time).ok()?,
            cited: fields.next().unwrap_or_default().to_owned(),
        })
    }

    fn write(&self, text: &mut String) {
        let (note, sha256, cited) = (&self.note, self.sha256, &self.cited);
        let Stat {
            size,
            mtime_ns,
            inode,
            ..
        } = self.stat;
        let time = self.content_time.as_nanosecond();
        let _ = write!(
            text,
            "{note}\t{sha256}\t{size}\t{mtime_ns}\t{inode}\t{time}"
        );
        if !cited.is_empty() {
            text.push('\t');
            text.push_str(cited);
        }
    }
}

/// What a line says of a file's bytes and stat.
pub(super) fn brief_of(line: &SortedLine<'_, CatalogEntry>) -> Option<(Sha256, Stat)> {
    match line {
        SortedLine::Set(entry) => Some((entry.sha256, entry.stat)),
        SortedLine::Kept(text) => brief(&mut text.splitn(FIELDS, '\t').skip(1)),
    }
}

fn brief<'t>(fields: &mut impl Iterator<Item = &'t str>) -> Option<(Sha256, Stat)> {
    let sha256 = fields.next()?.parse().ok()?;
    let stat = Stat {
        size: fields.next()?.parse().ok()?,
        mtime_ns: fields.next()?.parse().ok()?,
        inode: fields.next()?.parse().ok()?,
        changed_ns: 0,
    };
    Some((sha256, stat))
}

/// Whether a line is that of a note.
pub(super) fn is_of(line: &SortedLine<'_, CatalogEntry>, note: &NoteId) -> bool {
    match line {
        SortedLine::Set(entry) => entry.note == *note,
        SortedLine::Kept(text) => {
            let rest = text.strip_prefix(note.as_str());
            rest.is_some_and(|rest| rest.starts_with('\t'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Head;

    fn entry(n: u8) -> CatalogEntry {
        CatalogEntry {
            note: NoteId::derive(&[&[n]]),
            sha256: Sha256::digest(&[n]),
            stat: Stat {
                size: u64::from(n),
                mtime_ns: 5,
                inode: 7,
                changed_ns: 0,
            },
            content_time: Timestamp::from_second(i64::from(n)).unwrap(),
            cited: if n == 2 {
                "abc a.rs\tdef b.rs".to_owned()
            } else {
                String::new()
            },
        }
    }

    type All = (
        Option<Head>,
        Vec<(MemoryPath, CatalogEntry)>,
        Vec<(MemoryPath, u32)>,
    );

    fn all(catalog: &Catalog) -> All {
        let graves = catalog.graves.clone().into_iter();
        (catalog.head, catalog.iter().collect(), graves.collect())
    }

    #[test]
    fn what_is_added_comes_back_and_a_torn_end_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("catalog");
        let path = |name: &str| MemoryPath::parse(name).unwrap();
        let mut catalog = Catalog::default();
        for (n, name) in ["a.md", "b/c.md", "b.md"].iter().enumerate() {
            catalog.entries.set(name, Some(entry(n as u8)));
        }
        catalog.bury(&path("gone.md"));
        catalog.save(&file).unwrap();
        let first = all(&catalog);
        let length = std::fs::metadata(&file).unwrap().len();
        assert_eq!(all(&Catalog::load(&file)), first);
        catalog = Catalog::load(&file);
        catalog.head = Some("1f.7".parse().unwrap());
        catalog.entries.set("d.md", Some(entry(9)));
        catalog.bury(&path("a.md"));
        catalog.save(&file).unwrap();
        let second = all(&catalog);
        assert_ne!(first, second);
        let bytes = std::fs::read(&file).unwrap();
        assert_eq!(all(&Catalog::load(&file)), second);
        for end in (length..bytes.len() as u64).step_by(11) {
            crate::atomic::replace_file(&file, &bytes[..usize::try_from(end).unwrap()]).unwrap();
            assert_eq!(all(&Catalog::load(&file)), first, "{end}");
        }
        catalog.rename_graves(&|_| None);
        catalog.save(&file).unwrap();
        let anew = std::fs::read(&file).unwrap();
        assert!(!anew.windows(2).any(|pair| pair == b"\n+"), "written whole");
        assert_eq!(all(&Catalog::load(&file)), second);
    }
}
