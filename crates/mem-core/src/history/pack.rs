//! Many objects at once: written as one pack instead of one file each.
//!
//! [`in_one_pack`] leaves all to libgit2, which looks for likenesses between the objects. [`Packs`] does
//! not, and makes the pack and its index from the bytes on all cores: what thousands of new files cost is
//! then little more than compressing them once.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use git2::{Buf, ObjectType, Oid, Repository};
use sha1::{Digest as _, Sha1};

use super::error::HistoryError;
use crate::regular_file;

/// A pack does not become larger than this by more than one object: offsets in its index have 31 bits.
const PACK_BYTES: usize = 1024 * 1024 * 1024;
/// Compressed, nothing takes less room.
const ROOM_BYTES: usize = 64;
/// What is written at a time.
const PIECE_BYTES: usize = 256 * 1024;
/// The names of what is not whole yet.
const NEW_PACK: &str = "tmp_mem.pack";
const NEW_INDEX: &str = "tmp_mem.idx";
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

/// An object as it stands in a pack. A clone is the same bytes.
#[derive(Clone, Debug)]
pub(super) struct Packed {
    pub(super) id: Oid,
    bytes: Arc<[u8]>,
    /// Of the bytes.
    crc: u32,
}

/// Compresses one object after the other. To make one takes longer than to compress a note with it.
#[derive(Debug)]
pub(super) struct Packer {
    deflate: Compress,
    /// What the last object was packed in: of thousands none holds on to more than it takes.
    room: Vec<u8>,
}

impl Packer {
    pub(super) fn new() -> Self {
        Self {
            deflate: Compress::new(Compression::fast(), true),
            room: Vec::new(),
        }
    }

    /// Compresses an object.
    pub(super) fn pack(&mut self, kind: ObjectType, data: &[u8]) -> Result<Packed, HistoryError> {
        let id = id_of(kind, data)?;
        self.room.clear();
        self.room.extend_from_slice(&head(kind, data.len()));
        let packed = self.deflate(data);
        packed.map_err(HistoryError::io("pack", id.to_string()))?;
        let bytes: Arc<[u8]> = self.room.as_slice().into();
        let mut crc = Crc::new();
        crc.update(&bytes);
        let crc = crc.sum();
        Ok(Packed { id, bytes, crc })
    }

    fn deflate(&mut self, data: &[u8]) -> io::Result<()> {
        let (deflate, room) = (&mut self.deflate, &mut self.room);
        deflate.reset();
        room.reserve(data.len() / 2 + ROOM_BYTES);
        loop {
            let read = usize::try_from(deflate.total_in()).map_err(io::Error::other)?;
            let rest = data.get(read..).unwrap_or_default();
            match deflate.compress_vec(rest, room, FlushCompress::Finish)? {
                Status::StreamEnd => return Ok(()),
                Status::Ok | Status::BufError => room.reserve(data.len() / 2 + ROOM_BYTES),
            }
        }
    }
}

/// The id of an object. libgit2 tells it too, three times slower: it looks for collisions that somebody made, which
/// takes a choice of bytes that no text leaves.
fn id_of(kind: ObjectType, data: &[u8]) -> Result<Oid, HistoryError> {
    let mut hash = Sha1::new();
    hash.update(format!("{} {}\0", kind.str(), data.len()));
    hash.update(data);
    let id: [u8; 20] = hash.finalize().into();
    Ok(Oid::from_bytes(&id)?)
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

/// Objects on their way into packs: each goes out as it comes, while others are still being compressed. Nobody sees
/// a pack before its index is there, which comes last. Nothing is synced.
pub(super) struct Packs<'f> {
    /// Where a repository has its packs.
    folder: &'f Path,
    known: HashSet<Oid>,
    open: Option<Pack>,
}

/// One pack that is being written.
struct Pack {
    file: BufWriter<File>,
    objects: Vec<Packed>,
    /// Where each of them begins.
    offsets: Vec<u32>,
    bytes: usize,
}

impl<'f> Packs<'f> {
    /// Nothing is made before the first object is there.
    pub(super) fn new(folder: &'f Path) -> Self {
        Self {
            folder,
            known: HashSet::new(),
            open: None,
        }
    }

    /// Writes objects, each once.
    pub(super) fn add(
        &mut self,
        objects: impl IntoIterator<Item = Packed>,
    ) -> Result<(), HistoryError> {
        let folder = self.folder;
        for object in objects {
            if self.known.insert(object.id) {
                self.put(object).map_err(failed(folder))?;
            }
        }
        Ok(())
    }

    /// Ends the last pack.
    pub(super) fn finish(mut self) -> Result<(), HistoryError> {
        let last = self.open.take();
        let ended = last.map_or(Ok(()), |pack| pack.finish(self.folder));
        ended.map_err(failed(self.folder))
    }

    fn put(&mut self, object: Packed) -> io::Result<()> {
        if let Some(full) = self.open.take_if(|pack| pack.bytes >= PACK_BYTES) {
            full.finish(self.folder)?;
        }
        let pack = match &mut self.open {
            Some(pack) => pack,
            none => none.insert(Pack::begin(self.folder)?),
        };
        pack.put(object)
    }
}

fn failed(folder: &Path) -> impl FnOnce(io::Error) -> HistoryError {
    HistoryError::io("write a pack to", folder)
}

impl Pack {
    /// One name is enough: only one process writes, and what it left when it was killed goes here.
    fn begin(folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let file = regular_file::create(&folder.join(NEW_PACK))?;
        let mut file = BufWriter::with_capacity(PIECE_BYTES, file);
        // How many objects there are is not known yet.
        let head = head_of(0);
        file.write_all(&head)?;
        Ok(Self {
            file,
            objects: Vec::new(),
            offsets: Vec::new(),
            bytes: head.len(),
        })
    }

    fn put(&mut self, object: Packed) -> io::Result<()> {
        self.file.write_all(&object.bytes)?;
        let offset = u32::try_from(self.bytes).map_err(io::Error::other)?;
        self.offsets.push(offset);
        self.bytes += object.bytes.len();
        self.objects.push(object);
        Ok(())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "packs are named by what they hold, and synced with the history as a whole"
    )]
    fn finish(mut self, folder: &Path) -> io::Result<()> {
        let head = head_of(u32::try_from(self.objects.len()).map_err(io::Error::other)?);
        let mut checksum = Sha1::new();
        checksum.update(head);
        for object in &self.objects {
            checksum.update(&object.bytes);
        }
        let checksum: [u8; 20] = checksum.finalize().into();
        self.file.write_all(&checksum)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head)?;
        self.file.flush()?;
        let mut objects: Vec<_> = self.objects.iter().zip(self.offsets).collect();
        objects.sort_unstable_by_key(|(object, _)| object.id);
        let (new_pack, new_index) = (folder.join(NEW_PACK), folder.join(NEW_INDEX));
        std::fs::write(&new_index, index(&objects, &checksum))?;
        let hex: String = checksum.iter().map(|byte| format!("{byte:02x}")).collect();
        let named = |end: &str| -> PathBuf { folder.join(format!("pack-{hex}.{end}")) };
        std::fs::rename(new_pack, named("pack"))?;
        std::fs::rename(new_index, named("idx"))
    }
}

/// What a pack of so many objects begins with.
fn head_of(count: u32) -> [u8; 12] {
    let mut head = *b"PACK\0\0\0\x02\0\0\0\0";
    head[8..].copy_from_slice(&count.to_be_bytes());
    head
}

/// The index of a pack: its objects in the order of their ids, and where each begins.
fn index(objects: &[(&Packed, u32)], pack: &[u8; 20]) -> Vec<u8> {
    let mut index = INDEX_MAGIC.to_vec();
    let mut counts = [0_u32; 256];
    for (object, _) in objects {
        let first = object.id.as_bytes().first().copied().unwrap_or_default();
        counts[usize::from(first)] += 1;
    }
    let mut below = 0;
    for count in counts {
        below += count;
        index.extend_from_slice(&below.to_be_bytes());
    }
    for (object, _) in objects {
        index.extend_from_slice(object.id.as_bytes());
    }
    for (object, _) in objects {
        index.extend_from_slice(&object.crc.to_be_bytes());
    }
    for (_, offset) in objects {
        index.extend_from_slice(&offset.to_be_bytes());
    }
    index.extend_from_slice(pack);
    let checksum = Sha1::digest(&index);
    index.extend_from_slice(&checksum);
    index
}
