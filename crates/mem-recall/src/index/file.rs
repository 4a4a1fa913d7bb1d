//! The file of an index: a header, then for each segment its immutable bytes, its sentence vectors,
//! those of passages, and its deaths, each with a checksum, and whose encoder's the vectors are.
//!
//! `MEMRECAL`, version (u32), segments (u32), for each segment four lengths, four checksums
//! and the number of an encoder (u64), a checksum of all that; then the bytes. Little-endian. Any change of the format, of how
//! texts become terms, or of the models makes a new version: an index is made anew, never mended.

use std::io::{self, Read, Write};
use std::sync::Arc;

use super::checksum::compute_checksum;
use super::segment::Segment;
use super::slice::Slice;
use super::{RecallIndex, large_pages};

const MAGIC: &[u8; 8] = b"MEMRECAL";

/// The version of the format.
pub const VERSION: u32 = 6;

/// More segments than merging ever leaves.
const SEGMENTS_MAX: usize = 64;
const HEAD: usize = 16;
/// Parts of a segment.
const PARTS: usize = 4;
const ENTRY: usize = 16 * PARTS + 8;

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

impl RecallIndex {
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
            .map(|s| (s, s.all_encoded(), s.all_passages(), s.dead_flags()))
            .collect();
        let parts: Vec<&[u8]> = segments
            .iter()
            .flat_map(|(s, encoded, passages, deaths)| [s.core_bytes(), encoded, passages, deaths])
            .collect();
        let mut head = Vec::with_capacity(HEAD + ENTRY * segments.len() + 8);
        head.extend_from_slice(MAGIC);
        head.extend_from_slice(&VERSION.to_le_bytes());
        head.extend_from_slice(&(segments.len() as u32).to_le_bytes());
        for (part, (segment, ..)) in parts.chunks(PARTS).zip(&segments) {
            part.iter()
                .for_each(|p| head.extend_from_slice(&(p.len() as u64).to_le_bytes()));
            part.iter()
                .for_each(|p| head.extend_from_slice(&compute_checksum(p).to_le_bytes()));
            head.extend_from_slice(&segment.encoder_id().to_le_bytes());
        }
        let sum = compute_checksum(&head);
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

    /// Reads a file of so many bytes in one piece, in which the index then lies. A file that cannot be
    /// read is torn.
    ///
    /// # Errors
    /// As [`RecallIndex::from_bytes`].
    pub fn read(mut source: impl Read, bytes: u64) -> Result<Self, IndexError> {
        let bytes = usize::try_from(bytes).map_err(|_| IndexError::Torn)?;
        let mut whole = large_pages::allocate_zeros(bytes);
        source
            .read_exact(&mut whole)
            .map_err(|_| IndexError::Torn)?;
        if !whole.starts_with(MAGIC) {
            return Err(IndexError::Foreign);
        }
        let number = |at: usize| Some(u32::from_le_bytes(whole.get(at..at + 4)?.try_into().ok()?));
        let found = number(8).ok_or(IndexError::Torn)?;
        if found != VERSION {
            return Err(IndexError::Version { found });
        }
        let segments = number(12).ok_or(IndexError::Torn)? as usize;
        read(&Arc::new(whole), segments).ok_or(IndexError::Torn)
    }
}

fn read(whole: &Arc<Vec<u8>>, segments: usize) -> Option<RecallIndex> {
    let entries = ENTRY * Some(segments).filter(|&s| s <= SEGMENTS_MAX)?;
    let mut at = HEAD + entries + 8;
    let table = whole.get(..HEAD + entries)?;
    if compute_checksum(table).to_le_bytes() != *whole.get(HEAD + entries..at)? {
        return None;
    }
    let mut index = RecallIndex::new();
    for entry in table[HEAD..].chunks_exact(ENTRY) {
        let mut part = |i: usize| {
            let length = usize::try_from(entry_number(entry, i)?).ok()?;
            let part = Slice::from_whole(whole, at..at.checked_add(length)?)?;
            at += length;
            (compute_checksum(&part) == entry_number(entry, i + PARTS)?).then_some(part)
        };
        let (core, encoded, passages, dead) = (part(0)?, part(1)?, part(2)?, part(3)?);
        let mut segment = Segment::read(core)?;
        segment
            .restore_vectors(&encoded, &passages, &dead, entry_number(entry, 2 * PARTS)?)
            .then_some(())?;
        index.segments.push(segment);
    }
    (at == whole.len()).then_some(index)
}

/// The `i`th number of a segment's entry in the table.
fn entry_number(entry: &[u8], i: usize) -> Option<u64> {
    Some(u64::from_le_bytes(
        entry.get(8 * i..8 * i + 8)?.try_into().ok()?,
    ))
}
