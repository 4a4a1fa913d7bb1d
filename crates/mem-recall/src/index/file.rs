//! The file of an index: a header, then for each segment its immutable bytes, its sentence vectors,
//! those of passages, and its deaths, each with a checksum.
//!
//! `MEMRECAL`, version (u32), segments (u32), for each segment four lengths and four checksums
//! (u64), a checksum of all that; then the bytes. Little-endian. Any change of the format, of how
//! texts become terms, or of the models makes a new version: an index is made anew, never mended.

use std::io::{self, Read, Take, Write};

use super::checksum::checksum;
use super::segment::Segment;
use super::{Index, large_pages};

const MAGIC: &[u8; 8] = b"MEMRECAL";

/// The version of the format.
pub const VERSION: u32 = 3;

/// More segments than merging ever leaves.
const SEGMENTS_MAX: usize = 64;
const HEAD: usize = 16;
/// Parts of a segment.
const PARTS: usize = 4;
const ENTRY: usize = 16 * PARTS;

/// Why bytes are no index. In each case the index is made anew from the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// Not an index at all.
    #[error("not a recall index")]
    Foreign,
    /// Another version's.
    #[error("recall index of version {found}, expected {VERSION}")]
    Version {
        /// The version in the file.
        found: u32,
    },
    /// Cut off, or changed since it was written.
    #[error("recall index is torn")]
    Torn,
}

impl Index {
    /// The index as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        // Memory takes everything.
        let _ = self.write(&mut out);
        out
    }

    /// Writes the index as a file.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let segments: Vec<_> = self
            .segments
            .iter()
            .map(|s| (s, s.all_encoded(), s.all_passages(), s.deaths()))
            .collect();
        let parts: Vec<&[u8]> = segments
            .iter()
            .flat_map(|(s, encoded, passages, deaths)| [s.core(), encoded, passages, deaths])
            .collect();
        let mut head = Vec::with_capacity(HEAD + ENTRY * segments.len() + 8);
        head.extend_from_slice(MAGIC);
        head.extend_from_slice(&VERSION.to_le_bytes());
        head.extend_from_slice(&(segments.len() as u32).to_le_bytes());
        for part in parts.chunks(PARTS) {
            part.iter()
                .for_each(|p| head.extend_from_slice(&(p.len() as u64).to_le_bytes()));
            part.iter()
                .for_each(|p| head.extend_from_slice(&checksum(p).to_le_bytes()));
        }
        let sum = checksum(&head);
        head.extend_from_slice(&sum.to_le_bytes());
        out.write_all(&head)?;
        parts.iter().try_for_each(|part| out.write_all(part))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Says why the bytes are no index of this version; never panics, whatever they are.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        Self::read(bytes, bytes.len() as u64)
    }

    /// Reads a file of so many bytes as it comes, so that it is in memory only once. A file that
    /// cannot be read is torn.
    ///
    /// # Errors
    /// As [`Index::from_bytes`].
    pub fn read(source: impl Read, bytes: u64) -> Result<Self, IndexError> {
        let mut source = Source {
            inner: source.take(bytes),
        };
        let head = source.take(HEAD as u64);
        if head.as_deref().and_then(|head| head.get(..8)) != Some(MAGIC) {
            return Err(IndexError::Foreign);
        }
        let head = head.unwrap_or_default();
        let number = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let found = number(8).ok_or(IndexError::Torn)?;
        if found != VERSION {
            return Err(IndexError::Version { found });
        }
        let segments = number(12).ok_or(IndexError::Torn)? as usize;
        read(&mut source, head, segments).ok_or(IndexError::Torn)
    }
}

/// Bytes that come one part after another.
struct Source<R: Read> {
    inner: Take<R>,
}

impl<R: Read> Source<R> {
    /// The next `length` bytes; fewer at the end, nothing where more are asked for than can be left.
    fn take(&mut self, length: u64) -> Option<Vec<u8>> {
        let length = length.min(self.inner.limit());
        let mut part = large_pages::buffer(usize::try_from(length).ok()?);
        (&mut self.inner).take(length).read_to_end(&mut part).ok()?;
        Some(part)
    }
}

fn read<R: Read>(source: &mut Source<R>, mut table: Vec<u8>, segments: usize) -> Option<Index> {
    let entries = ENTRY * Some(segments).filter(|&s| s <= SEGMENTS_MAX)?;
    table.extend(source.take(entries as u64)?);
    let sum = source.take(8)?;
    if table.len() != HEAD + entries || checksum(&table).to_le_bytes() != *sum {
        return None;
    }
    let mut index = Index::new();
    for entry in table[HEAD..].chunks_exact(ENTRY) {
        let number = |i: usize| {
            Some(u64::from_le_bytes(
                entry.get(8 * i..8 * i + 8)?.try_into().ok()?,
            ))
        };
        let mut part = |i: usize| {
            let part = source.take(number(i)?)?;
            let whole = part.len() as u64 == number(i)? && checksum(&part) == number(i + PARTS)?;
            whole.then_some(part)
        };
        let (core, encoded, passages, dead) = (part(0)?, part(1)?, part(2)?, part(3)?);
        let mut segment = Segment::read(core)?;
        segment.restore(encoded, passages, &dead).then_some(())?;
        index.segments.push(segment);
    }
    (source.inner.limit() == 0).then_some(index)
}
