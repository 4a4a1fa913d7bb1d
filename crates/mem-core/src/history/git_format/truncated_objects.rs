//! Loose objects that end too early, as a crash or a full disk leaves them. libgit2 waits for ever for the rest of one
//! (`git_zstream_get_output` takes no progress for success), so they are looked at before it reads them.

use flate2::{Decompress, FlushDecompress, Status};
use git2::{ErrorClass, ErrorCode, Oid, Repository};

use crate::regular_file;
/// Room for a part of what is unpacked; nothing of it is kept.
const PART_BYTES: usize = 16 * 1024;

/// Refuses an object that has a file of its own which ends before it does. Whatever else may be wrong libgit2 finds.
///
/// # Errors
/// It ends too early.
pub(super) fn require_whole(repo: &Repository, oid: Oid) -> Result<(), git2::Error> {
    let hex = oid.to_string();
    let (folder, name) = hex.split_at(2);
    let file = repo.path().join("objects").join(folder).join(name);
    match regular_file::read_whole(file) {
        Ok(bytes) if !is_whole(&bytes) => Err(git2::Error::new(
            ErrorCode::GenericError,
            ErrorClass::Zlib,
            format!("object {oid} is cut short"),
        )),
        _ => Ok(()),
    }
}

fn is_whole(bytes: &[u8]) -> bool {
    let (mut stream, mut part) = (Decompress::new(true), vec![0; PART_BYTES]);
    let mut rest = bytes;
    loop {
        let before = (stream.total_in(), stream.total_out());
        match stream.decompress(rest, &mut part, FlushDecompress::None) {
            Ok(Status::StreamEnd) => return true,
            Ok(_) if (stream.total_in(), stream.total_out()) == before => return false,
            Ok(_) => {
                let read = usize::try_from(stream.total_in() - before.0).unwrap_or(usize::MAX);
                rest = rest.get(read..).unwrap_or_default();
            }
            // Not too short, but wrong.
            Err(_) => return true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn an_object_is_whole_to_its_last_byte_only() {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repository::init_bare(folder.path()).unwrap();
        let text: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
        let oid = repo.blob(&text).unwrap();
        assert!(require_whole(&repo, oid).is_ok());
        let hex = oid.to_string();
        let file = repo.path().join("objects").join(&hex[..2]).join(&hex[2..]);
        let bytes = fs::read(&file).unwrap();
        for length in [0, 1, 2, bytes.len() / 2, bytes.len() - 5] {
            assert!(!is_whole(&bytes[..length]), "{length}");
        }
        // What is packed, or not there, is libgit2's to tell.
        assert!(require_whole(&repo, Oid::ZERO_SHA1).is_ok());
    }
}
