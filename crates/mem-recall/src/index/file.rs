//! The file of an index: a header, then for each segment its immutable bytes, its sentence vectors
//! and its deaths, each with a checksum.
//!
//! `MEMRECAL`, version (u32), segments (u32), for each segment three lengths and three checksums
//! (u64), a checksum of all that; then the bytes. Little-endian. Any change of the format, of how
//! texts become terms, or of the models makes a new version: an index is made anew, never mended.

use super::Index;
use super::checksum::checksum;
use super::segment::Segment;

const MAGIC: &[u8; 8] = b"MEMRECAL";

/// The version of the format.
pub const VERSION: u32 = 1;

/// More segments than merging ever leaves.
const SEGMENTS_MAX: usize = 64;
const HEAD: usize = 16;
const ENTRY: usize = 48;

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
        let segments: Vec<_> = self.segments.iter().map(|s| (s, s.deaths())).collect();
        let parts: Vec<&[u8]> = segments
            .iter()
            .flat_map(|(s, d)| [s.core(), s.all_encoded(), d])
            .collect();
        let mut out =
            Vec::with_capacity(HEAD + parts.iter().map(|p| p.len() + 16).sum::<usize>() + 8);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&(segments.len() as u32).to_le_bytes());
        for part in parts.chunks(3) {
            part.iter()
                .for_each(|p| out.extend_from_slice(&(p.len() as u64).to_le_bytes()));
            part.iter()
                .for_each(|p| out.extend_from_slice(&checksum(p).to_le_bytes()));
        }
        let sum = checksum(&out);
        out.extend_from_slice(&sum.to_le_bytes());
        parts.iter().for_each(|part| out.extend_from_slice(part));
        out
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Says why the bytes are no index of this version; never panics, whatever they are.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, IndexError> {
        if bytes.get(..8) != Some(MAGIC) {
            return Err(IndexError::Foreign);
        }
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let found = number(8).ok_or(IndexError::Torn)?;
        if found != VERSION {
            return Err(IndexError::Version { found });
        }
        let segments = number(12).ok_or(IndexError::Torn)? as usize;
        read(bytes, segments).ok_or(IndexError::Torn)
    }
}

fn read(bytes: &[u8], segments: usize) -> Option<Index> {
    let head = HEAD + ENTRY * Some(segments).filter(|&s| s <= SEGMENTS_MAX)?;
    let (table, rest) = bytes.split_at_checked(head)?;
    let (sum, mut rest) = rest.split_at_checked(8)?;
    if checksum(table).to_le_bytes() != sum {
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
            let (part, after) = rest.split_at_checked(usize::try_from(number(i)?).ok()?)?;
            rest = after;
            (checksum(part) == number(i + 3)?).then_some(part)
        };
        let (core, encoded, dead) = (part(0)?, part(1)?, part(2)?);
        let mut segment = Segment::read(core.into())?;
        segment.restore(encoded, dead).then_some(())?;
        index.segments.push(segment);
    }
    rest.is_empty().then_some(index)
}
