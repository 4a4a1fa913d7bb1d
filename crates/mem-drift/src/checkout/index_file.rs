//! git's index, read straight from its file: libgit2 checks a digest and builds a tree of it,
//! which takes as long as everything else together. Format: gitformat-index(5), versions 2 to 4.

use git2::Oid;

/// Size of the fixed part of an entry, without the extended flags.
const FIXED_BYTES: usize = 62;
/// The flag that says that two more bytes of flags follow.
const EXTENDED: u16 = 0x4000;
/// In the extended flags: a sparse checkout leaves it out.
const SKIP_WORKTREE: u16 = 0x4000;

/// The extension that says that some entries are folders.
const SPARSE: &[u8] = b"sdir";

/// One entry, as it stands in the file.
pub(super) struct RawIndexEntry<'a> {
    pub(super) path: &'a [u8],
    pub(super) id: Oid,
    pub(super) mode: i32,
    pub(super) is_absent: bool,
    /// Size, seconds and nanoseconds of the last modification.
    pub(super) stat: (u32, i32, u32),
}

/// Reads all entries in their order; the tree that all of them make, if the index remembers it.
/// `None` for an index that needs more than this reader knows
/// (split, another hash) or is damaged.
pub(super) fn read(bytes: &[u8], mut entry: impl FnMut(&RawIndexEntry<'_>)) -> Option<Option<Oid>> {
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = read_u32(bytes, 4)?;
    let count = read_u32(bytes, 8)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut at = 12;
    let mut path = Vec::new();
    for _ in 0..count {
        at = read_entry(bytes, at, version, &mut path, &mut entry)?;
    }
    read_extensions(bytes, at)
}

/// Reads the entry at an offset; returns where the next one starts.
fn read_entry(
    bytes: &[u8],
    at: usize,
    version: u32,
    path: &mut Vec<u8>,
    entry: &mut impl FnMut(&RawIndexEntry<'_>),
) -> Option<usize> {
    let flags = read_u16(bytes, at + 60)?;
    let is_extended = flags & EXTENDED != 0 && version >= 3;
    let more = if is_extended {
        read_u16(bytes, at + 62)?
    } else {
        0
    };
    let mut start = at + FIXED_BYTES + if is_extended { 2 } else { 0 };
    if version == 4 {
        let (strip, length) = read_offset_varint(bytes.get(start..)?)?;
        start += length;
        path.truncate(path.len().checked_sub(strip)?);
    } else {
        path.clear();
    }
    let rest = bytes.get(start..)?;
    // Names are mostly as long as the flags say; longer ones end with a zero.
    let stated = usize::from(flags & 0x0fff);
    let length = match version {
        2 | 3 if stated < 0x0fff && rest.get(stated) == Some(&0) => stated,
        _ => rest.iter().position(|&byte| byte == 0)?,
    };
    path.extend_from_slice(&rest[..length]);
    entry(&RawIndexEntry {
        path,
        id: Oid::from_bytes(bytes.get(at + 40..at + 60)?).ok()?,
        mode: i32::try_from(read_u32(bytes, at + 24)?).ok()?,
        is_absent: more & SKIP_WORKTREE != 0,
        stat: (
            read_u32(bytes, at + 36)?,
            read_u32(bytes, at + 8)?.cast_signed(),
            read_u32(bytes, at + 12)?,
        ),
    });
    let end = start + length + 1;
    // Up to version 3, entries are filled up to a multiple of eight bytes.
    let padded = at + (end - at).next_multiple_of(8);
    Some(if version == 4 { end } else { padded })
}

/// The rest: extensions whose names start in lower case cannot be left aside.
fn read_extensions(bytes: &[u8], mut at: usize) -> Option<Option<Oid>> {
    let end = bytes.len().checked_sub(20)?;
    let mut tree = None;
    while at < end {
        let name = bytes.get(at..at + 4)?;
        if name[0].is_ascii_lowercase() && name != SPARSE {
            return None;
        }
        let next = at
            .checked_add(8)?
            .checked_add(read_u32(bytes, at + 4)? as usize)?;
        if name == b"TREE" {
            tree = whole_tree(bytes.get(at + 8..next)?);
        }
        at = next;
    }
    (at == end).then_some(tree)
}

/// The root of the cached tree: a zero, `COUNT SUBTREES\n`, an id unless the count is negative.
fn whole_tree(cached: &[u8]) -> Option<Oid> {
    let rest = cached.strip_prefix(b"\0")?;
    let line = rest.iter().position(|&byte| byte == b'\n')?;
    if rest[0] == b'-' {
        return None;
    }
    Oid::from_bytes(rest.get(line + 1..line + 21)?).ok()
}

fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(two.try_into().ok()?))
}

/// A number in the encoding of pack offsets, and its length.
fn read_offset_varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(bytes.first()? & 0x7f);
    let mut length = 1;
    while bytes[length - 1] & 0x80 != 0 {
        let byte = *bytes.get(length)?;
        value = value.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
        length += 1;
    }
    Some((value, length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn damaged_files_are_refused_quietly(
            mut tail in proptest::collection::vec(any::<u8>(), 0..300),
            version in 1_u8..6,
        ) {
            let mut bytes = b"DIRC\0\0\0".to_vec();
            bytes.extend([version, 0, 0, 0, 3]);
            bytes.append(&mut tail);
            let _ = read(&bytes, |_| {});
        }
    }
}
