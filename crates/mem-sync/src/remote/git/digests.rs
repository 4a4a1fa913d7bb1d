//! Checksums of the copy's blobs, kept beside them: to know them again, all texts would have to be read.
//!
//! Bytes: a mark, for each blob its id (20), whether it is a text (1) and its SHA-256 (32), then the SHA-256
//! of all of that. A cache: never synced, and one that is damaged is none.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use git2::Oid;
use mem_core::history::Sha256;
use mem_core::regular_file;

/// Checksums of blobs that were read before; `None` for one that is no text.
pub(super) type Digests = HashMap<Oid, Option<Sha256>>;

const FILE: &str = "mem-digests";
const MARK: &[u8; 8] = b"memdig01";
const ENTRY_BYTES: usize = 20 + 1 + 32;
/// So many that are not kept yet are read again rather than that the file is written anew.
const UNKEPT_MAX: usize = 64;

/// What was kept.
pub(super) fn load_digests(copy: &Path) -> Digests {
    let bytes = regular_file::read_whole(copy.join(FILE)).unwrap_or_default();
    read(&bytes).unwrap_or_default()
}

fn read(bytes: &[u8]) -> Option<Digests> {
    let (body, checksum) = bytes.split_last_chunk::<32>()?;
    if Sha256::digest(body).as_bytes() != checksum {
        return None;
    }
    let entries = body.strip_prefix(MARK)?.chunks_exact(ENTRY_BYTES);
    entries.map(parse_digest).collect()
}

fn parse_digest(bytes: &[u8]) -> Option<(Oid, Option<Sha256>)> {
    let (id, rest) = bytes.split_first_chunk::<20>()?;
    let (is_text, sha256) = rest.split_first()?;
    let sha256 = Sha256::from_bytes(*sha256.first_chunk()?);
    Some((Oid::from_bytes(id).ok()?, (*is_text == 1).then_some(sha256)))
}

/// Keeps those of the blobs that are there now, once enough of them are new. Where that fails they are
/// found out again.
#[expect(
    clippy::disallowed_methods,
    reason = "a cache that says whether it is whole: nothing is lost with it"
)]
pub(super) fn save_digests(
    copy: &Path,
    digests: &Digests,
    known_before: usize,
    now: &HashSet<Oid>,
) {
    if digests.len() < known_before + UNKEPT_MAX {
        return;
    }
    let mut bytes = MARK.to_vec();
    for (id, sha256) in digests.iter().filter(|(id, _)| now.contains(*id)) {
        bytes.extend_from_slice(id.as_bytes());
        bytes.push(u8::from(sha256.is_some()));
        bytes.extend_from_slice(
            sha256
                .map_or([0; 32], |sha256| *sha256.as_bytes())
                .as_slice(),
        );
    }
    let checksum = Sha256::digest(&bytes);
    bytes.extend_from_slice(checksum.as_bytes());
    let new = copy.join(FILE).with_extension("new");
    let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, copy.join(FILE)));
    if written.is_err() {
        delete_digests(copy);
    }
}

/// Forgets them: what was redacted leaves no checksum.
pub(super) fn delete_digests(copy: &Path) {
    let _ = fs::remove_file(copy.join(FILE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_comes_back_and_damage_is_nothing() {
        let copy = tempfile::tempdir().unwrap();
        let id = |n: u8| Oid::from_bytes(&[n; 20]).unwrap();
        let text = |n: u8| (!n.is_multiple_of(3)).then(|| Sha256::digest(&[n]));
        let digests: Digests = (0..100).map(|n| (id(n), text(n))).collect();
        let now: HashSet<Oid> = (10..200).map(id).collect();
        save_digests(copy.path(), &digests, 90, &now);
        assert!(load_digests(copy.path()).is_empty(), "ten are not worth it");
        save_digests(copy.path(), &digests, 0, &now);
        let kept: Digests = (10..100).map(|n| (id(n), text(n))).collect();
        assert_eq!(load_digests(copy.path()), kept);
        let file = copy.path().join(FILE);
        let mut bytes = fs::read(&file).unwrap();
        bytes[200] ^= 1;
        assert_eq!(read(&bytes), None);
        delete_digests(copy.path());
        assert!(load_digests(copy.path()).is_empty());
    }
}
