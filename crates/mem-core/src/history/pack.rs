//! Many objects at once: written as one pack instead of one file each.
//!
//! [`in_one_pack`] leaves all to libgit2, which looks for likenesses between the objects. [`write()`] does
//! not, and makes the pack and its index from the bytes on all cores: what thousands of new files cost is
//! then little more than compressing them once.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use git2::{Buf, ObjectType, Oid, Repository};
use sha1::{Digest as _, Sha1};

use super::error::HistoryError;

/// A pack does not become larger than this by more than one object: offsets in its index have 31 bits.
const PACK_BYTES: usize = 1024 * 1024 * 1024;
/// Compressed, nothing takes less room.
const ROOM_BYTES: usize = 64;
/// The first bytes of an index of the second version.
const INDEX_MAGIC: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];

/// Runs `work` on the bare repository at `path` with all new objects kept in memory, then writes
/// them as one pack.
pub(super) fn in_one_pack<T>(
    path: &Path,
    work: impl FnOnce(&Repository) -> Result<T, HistoryError>,
) -> Result<T, HistoryError> {
    let repo = Repository::open_bare(path)?;
    let odb = repo.odb()?;
    let memory = odb.add_new_mempack_backend(1000)?;
    let value = work(&repo)?;
    let mut pack = Buf::new();
    memory.dump(&repo, &mut pack)?;
    let mut writer = odb.packwriter()?;
    io::Write::write_all(&mut writer, &pack).map_err(HistoryError::io("write", path))?;
    writer.commit()?;
    drop(writer);
    memory.reset()?;
    Ok(value)
}

/// An object as it stands in a pack.
pub(super) struct Packed {
    pub(super) id: Oid,
    bytes: Vec<u8>,
}

/// Compresses one object after the other. To make one takes longer than to compress a note with it.
pub(super) struct Packer(Compress);

impl Packer {
    pub(super) fn new() -> Self {
        Self(Compress::new(Compression::fast(), true))
    }

    /// Compresses an object.
    pub(super) fn pack(&mut self, kind: ObjectType, data: &[u8]) -> Result<Packed, HistoryError> {
        let id = Oid::hash_object(kind, data)?;
        let mut bytes = head(kind, data.len());
        let packed = self.deflate(data, &mut bytes);
        packed.map_err(HistoryError::io("pack", id.to_string()))?;
        Ok(Packed { id, bytes })
    }

    fn deflate(&mut self, data: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
        self.0.reset();
        bytes.reserve(data.len() / 2 + ROOM_BYTES);
        loop {
            let read = usize::try_from(self.0.total_in()).map_err(io::Error::other)?;
            let rest = data.get(read..).unwrap_or_default();
            match self.0.compress_vec(rest, bytes, FlushCompress::Finish)? {
                Status::StreamEnd => return Ok(()),
                Status::Ok | Status::BufError => bytes.reserve(data.len() / 2 + ROOM_BYTES),
            }
        }
    }
}

/// The type of an object and its size: three bits and four, then seven at a time.
fn head(kind: ObjectType, size: usize) -> Vec<u8> {
    let kind: u8 = match kind {
        ObjectType::Commit => 1,
        ObjectType::Tree => 2,
        ObjectType::Any | ObjectType::Blob => 3,
        ObjectType::Tag => 4,
    };
    let mut rest = size >> 4;
    let mut head = vec![kind << 4 | (size & 15) as u8];
    while rest > 0 {
        if let Some(last) = head.last_mut() {
            *last |= 0x80;
        }
        head.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    head
}

/// Writes objects into `folder`, where a repository has its packs. Nothing is synced.
pub(super) fn write(folder: &Path, mut objects: Vec<Packed>) -> Result<(), HistoryError> {
    objects.sort_unstable_by_key(|object| object.id);
    objects.dedup_by_key(|object| object.id);
    let mut rest = objects.as_slice();
    while !rest.is_empty() {
        let mut size = 0;
        let fits = |object: &&Packed| {
            let fits = size < PACK_BYTES;
            size += object.bytes.len();
            fits
        };
        let (pack, more) = rest.split_at(rest.iter().take_while(fits).count());
        write_one(folder, pack).map_err(HistoryError::io("write a pack to", folder))?;
        rest = more;
    }
    Ok(())
}

/// Writes one pack. Nobody sees it before its index is there, which comes last.
#[expect(
    clippy::disallowed_methods,
    reason = "packs are named by what they hold, and synced with the history as a whole"
)]
fn write_one(folder: &Path, objects: &[Packed]) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    // One name is enough: only one process writes, and what it left when it was killed goes here.
    let (new_pack, new_index) = (folder.join("tmp_mem.pack"), folder.join("tmp_mem.idx"));
    let (checksum, offsets) = write_pack(&new_pack, objects)?;
    std::fs::write(&new_index, index(objects, &offsets, &checksum))?;
    let hex: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
    let named = |end: &str| -> PathBuf { folder.join(format!("pack-{hex}.{end}")) };
    std::fs::rename(new_pack, named("pack"))?;
    std::fs::rename(new_index, named("idx"))
}

/// Writes the objects one after the other; returns the pack's checksum and where each of them begins.
fn write_pack(path: &Path, objects: &[Packed]) -> io::Result<([u8; 20], Vec<u32>)> {
    let count = u32::try_from(objects.len()).map_err(io::Error::other)?;
    let mut pack = Vec::with_capacity(objects.iter().map(|object| object.bytes.len()).sum());
    pack.extend_from_slice(b"PACK\0\0\0\x02");
    pack.extend_from_slice(&count.to_be_bytes());
    let mut offsets = Vec::with_capacity(objects.len());
    for object in objects {
        offsets.push(u32::try_from(pack.len()).map_err(io::Error::other)?);
        pack.extend_from_slice(&object.bytes);
    }
    let checksum: [u8; 20] = Sha1::digest(&pack).into();
    pack.extend_from_slice(&checksum);
    File::create(path)?.write_all(&pack)?;
    Ok((checksum, offsets))
}

/// The index of a pack whose objects stand in the order of their ids.
fn index(objects: &[Packed], offsets: &[u32], pack: &[u8; 20]) -> Vec<u8> {
    let mut index = INDEX_MAGIC.to_vec();
    let mut counts = [0_u32; 256];
    for object in objects {
        let first = object.id.as_bytes().first().copied().unwrap_or_default();
        counts[usize::from(first)] += 1;
    }
    let mut below = 0;
    for count in counts {
        below += count;
        index.extend_from_slice(&below.to_be_bytes());
    }
    for object in objects {
        index.extend_from_slice(object.id.as_bytes());
    }
    for object in objects {
        let mut crc = Crc::new();
        crc.update(&object.bytes);
        index.extend_from_slice(&crc.sum().to_be_bytes());
    }
    for offset in offsets {
        index.extend_from_slice(&offset.to_be_bytes());
    }
    index.extend_from_slice(pack);
    let checksum = Sha1::digest(&index);
    index.extend_from_slice(&checksum);
    index
}
