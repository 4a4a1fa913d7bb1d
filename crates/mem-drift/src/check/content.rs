//! The content of a tracked file as it is now, and the blob id it would have.

use git2::{ObjectType, Oid};

use crate::checkout::{Checkout, TrackedFiles};
use crate::limits::BLOB_BYTES_MAX;

/// The blob id of a tracked file's content on disk; `None` when it is not there to read.
pub(crate) fn current_id(checkout: &Checkout, listing: &TrackedFiles, at: usize) -> Option<Oid> {
    let entry = &listing.entries()[at];
    let Some(disk) = checkout.disk.as_ref().filter(|_| !entry.is_absent) else {
        return Some(entry.id);
    };
    let seen = disk.read_state(listing.path_at(at))?;
    if entry.stat == Some(seen.stat) {
        return Some(entry.id);
    }
    let mut content = Vec::new();
    if !disk.read(listing.path_at(at), &mut content) {
        return Some(entry.id);
    }
    Some(id_of(&content, entry.id))
}

/// The id of a content, with line ends as they are or, if that gives the expected id, as git
/// normalises them.
fn id_of(content: &[u8], expected: Oid) -> Oid {
    let id = hash(content, expected);
    if id == expected || !content.windows(2).any(|pair| pair == b"\r\n") {
        return id;
    }
    let normalised = hash(&without_returns(content), expected);
    if normalised == expected {
        normalised
    } else {
        id
    }
}

fn hash(content: &[u8], otherwise: Oid) -> Oid {
    Oid::hash_object(ObjectType::Blob, content).unwrap_or(otherwise)
}

fn without_returns(content: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(content.len());
    for (at, &byte) in content.iter().enumerate() {
        if byte != b'\r' || content.get(at + 1) != Some(&b'\n') {
            plain.push(byte);
        }
    }
    plain
}

/// The content of a tracked file as it is now, unless it is too large to compare.
pub(super) fn current(checkout: &Checkout, listing: &TrackedFiles, at: usize) -> Option<Vec<u8>> {
    let entry = &listing.entries()[at];
    let Some(disk) = checkout.disk.as_ref().filter(|_| !entry.is_absent) else {
        return checkout.read_blob(entry.id, BLOB_BYTES_MAX);
    };
    let mut content = Vec::new();
    let is_read = disk.read(listing.path_at(at), &mut content) && content.len() <= BLOB_BYTES_MAX;
    is_read.then_some(content)
}
