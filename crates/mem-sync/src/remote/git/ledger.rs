//! What git itself does not keep of an entry: who wrote it, tombstones, and what was redacted.
//!
//! A folder that no key can name holds 256 files, by the first byte of the key's SHA-256, so that a change
//! of one key writes one small file. Each is a JSON object of records by key. A file `head` has the number
//! of the newest change.
//!
//! ```text
//!  <root>/  notes/a.md           the entry, byte for byte
//!           .mem./head           {"format": 1, "version": N}
//!           .mem./3f             {"notes/a.md": {version, actor, at, deleted?, redacted?, reason?}, ..}
//! ```
//!
//! One file for all records would be rewritten whole with every change and kept whole in every commit; a file a key would
//! double the number of objects that a first fetch brings. **Cost:** a change writes 1/256 of the records.
//! **Invariant:** texts are the truth. Records that are missing or wrong cost names and times, and no entry.
//! Tests: `git::hostile::records_that_are_none_are_passed_over`, `git::hostile::a_later_format_is_left_alone`.

use std::collections::BTreeMap;

use git2::{Oid, Repository, Tree};
use mem_core::history::Sha256;
use serde::{Deserialize, Serialize};

use super::GitRemoteError;
use crate::key::EntryKey;
use crate::wire::{Pairs, deserialize_label, optional_reason};

/// The folder. A segment of a key does not end in a dot.
pub(super) const FOLDER: &str = ".mem.";
/// The file with the number of the newest change.
pub(super) const HEAD: &str = "head";
/// Of one file of records.
const SHARD_BYTES_MAX: usize = 4 * 1024 * 1024;
/// What this version writes, and reads.
const FORMAT: u32 = 1;

/// What is known of one key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryMetadata {
    /// The number of the key's newest change.
    pub(super) version: u64,
    #[serde(default, deserialize_with = "deserialize_label")]
    pub(super) actor: String,
    #[serde(default, deserialize_with = "deserialize_label")]
    pub(super) at: String,
    /// Of the content that was deleted, where it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) deleted: Option<Sha256>,
    /// When, and by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) redacted: Option<(String, String)>,
    /// Why it was deleted, where somebody said so.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "optional_reason"
    )]
    pub(super) reason: Option<String>,
}

impl EntryMetadata {
    /// Whether both are of one change. An earlier version of `mem` writes what it knows, without reasons.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let of = |record: &Self| (record.version, record.deleted, record.redacted.clone());
        of(self) == of(other) && self.actor == other.actor && self.at == other.at
    }
}

#[derive(Serialize, Deserialize)]
struct LedgerHead {
    format: u32,
    version: u64,
}

/// Records by key.
pub(super) type Records = BTreeMap<EntryKey, EntryMetadata>;

/// The file that a key's record is in.
pub(super) fn shard_of(key: &EntryKey) -> String {
    format!(
        "{:02x}",
        Sha256::digest(key.as_str().as_bytes()).as_bytes()[0]
    )
}

/// The folder of a tree, if it has one.
fn records_folder<'r>(repository: &'r Repository, tree: &Tree<'_>) -> Option<Tree<'r>> {
    let entry = tree.get_name(FOLDER)?;
    repository.find_tree(entry.id()).ok()
}

/// A file of the folder; what is too large or no file is not there.
fn read_record_file(repository: &Repository, id: Oid) -> Option<Vec<u8>> {
    let odb = repository.odb().ok()?;
    let (bytes, kind) = odb.read_header(id).ok()?;
    if kind != git2::ObjectType::Blob || bytes > SHARD_BYTES_MAX {
        return None;
    }
    Some(odb.read(id).ok()?.data().to_vec())
}

/// The number of the newest change; 0 where nobody wrote one.
pub(super) fn read_version(
    repository: &Repository,
    tree: &Tree<'_>,
) -> Result<u64, GitRemoteError> {
    let entry =
        records_folder(repository, tree).and_then(|folder| Some(folder.get_name(HEAD)?.id()));
    let bytes = entry.and_then(|id| read_record_file(repository, id));
    let head = bytes.and_then(|bytes| serde_json::from_slice::<LedgerHead>(&bytes).ok());
    match head {
        Some(head) if head.format > FORMAT => Err(GitRemoteError::Later),
        // Whoever can push chooses this number: the next change adds one to it.
        Some(head) => Ok(head.version.min(u64::MAX / 2)),
        None => Ok(0),
    }
}

/// The file with the number of the newest change.
pub(super) fn head_file(version: u64) -> Vec<u8> {
    let format = FORMAT;
    serde_json::to_vec(&LedgerHead { format, version }).unwrap_or_default()
}

/// One file of records. What is no record is not there.
pub(super) fn read_shard(repository: &Repository, tree: &Tree<'_>, name: &str) -> Records {
    let entry =
        records_folder(repository, tree).and_then(|folder| Some(folder.get_name(name)?.id()));
    entry.map(|id| shard_at(repository, id)).unwrap_or_default()
}

/// The records of one blob.
pub(super) fn shard_at(repository: &Repository, id: Oid) -> Records {
    let bytes = read_record_file(repository, id).unwrap_or_default();
    let pairs: Pairs<EntryMetadata> = serde_json::from_slice(&bytes).unwrap_or_default();
    pairs.sort_pairs(false, &mut Vec::new())
}

/// All records.
pub(super) fn read_all_records(repository: &Repository, tree: &Tree<'_>) -> Records {
    let mut all = Records::new();
    for entry in records_folder(repository, tree).iter().flat_map(Tree::iter) {
        if let Ok(name) = entry.name()
            && is_shard(name)
        {
            let records = shard_at(repository, entry.id()).into_iter();
            // A record elsewhere than where it belongs would hide from the next write.
            all.extend(records.filter(|(key, _)| shard_of(key) == name));
        }
    }
    all
}

/// Whether this is the name of a file of records.
pub(super) fn is_shard(name: &str) -> bool {
    name.len() == 2
        && name
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_names_the_folder() {
        assert!(EntryKey::parse(&format!("{FOLDER}/{HEAD}")).is_err());
        assert!(EntryKey::parse(FOLDER).is_err());
        assert!(is_shard(&shard_of(&EntryKey::parse("a.md").unwrap())));
    }
}
