//! One record of the journal: a change that is about to happen, with all it takes to redo it.
//!
//! Bytes: `MEMJ`, the payload's length (u64 LE), the payload's sha256 (32), the payload: a JSON
//! head, a zero byte, the contents one after the other.

use git2::Oid;
use serde::Deserialize;

use crate::MemoryPath;
use crate::history::{Change, Sha256};

/// The first bytes of a record.
const MAGIC: &[u8; 4] = b"MEMJ";

/// What a change does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileRecord {
    /// The file.
    pub(super) path: MemoryPath,
    /// The digest of what stood there, `None` for nothing.
    pub(super) before: Option<Sha256>,
    /// The digest of what shall stand there, `None` for nothing.
    pub(super) after: Option<Sha256>,
    /// The bytes, where they are not in synced objects already.
    pub(super) bytes: Option<Vec<u8>>,
}

/// A change on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JournalRecord {
    /// The change; `None` where a commit that was synced before tells it.
    pub(super) change: Option<Change>,
    /// The commit prepared for it.
    pub(super) commit: Oid,
    /// Its files.
    pub(super) files: Vec<FileRecord>,
}

#[derive(Deserialize)]
struct RecordHead {
    #[serde(default)]
    change: Option<Change>,
    commit: String,
    files: Vec<FileHead>,
}

#[derive(Deserialize)]
struct FileHead {
    path: MemoryPath,
    before: Option<Sha256>,
    after: Option<Sha256>,
    /// Length of the bytes that follow the head, `None` where they are elsewhere.
    length: Option<usize>,
}

impl JournalRecord {
    /// Takes the first record off `input`; `None` at the end or where it is torn.
    pub(super) fn take(input: &mut &[u8]) -> Option<Self> {
        let rest = input.strip_prefix(MAGIC.as_slice())?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (digest, rest) = rest.split_first_chunk::<32>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let payload = rest.get(..length)?;
        if Sha256::digest(payload).as_bytes() != digest {
            return None;
        }
        let record = Self::decode(payload)?;
        *input = &rest[length..];
        Some(record)
    }

    fn decode(payload: &[u8]) -> Option<Self> {
        let end = payload.iter().position(|&byte| byte == 0)?;
        let head: RecordHead = serde_json::from_slice(&payload[..end]).ok()?;
        let mut contents = &payload[end + 1..];
        let mut files = Vec::with_capacity(head.files.len());
        for FileHead {
            path,
            before,
            after,
            length,
        } in head.files
        {
            let bytes = match length {
                None => None,
                Some(length) => {
                    let (bytes, rest) = contents.split_at_checked(length)?;
                    contents = rest;
                    Some(bytes.to_vec())
                }
            };
            files.push(FileRecord {
                path,
                before,
                after,
                bytes,
            });
        }
        let commit = Oid::from_str(&head.commit).ok()?;
        Some(Self {
            change: head.change,
            commit,
            files,
        })
    }
}
