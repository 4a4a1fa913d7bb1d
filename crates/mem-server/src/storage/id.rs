//! Random ids: a prefix, and 24 characters of the alphabet that the ids of notes have.

use super::StorageError;

/// What the ids of workspaces begin with.
pub(super) const WORKSPACE: &str = "wrkspc_";

/// Crockford's alphabet: no i, l, o, u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters after the prefix; five bits each.
const CHARS: usize = 24;

/// A store's id.
pub(crate) fn store() -> Result<String, StorageError> {
    random("memstore_", CHARS)
}

/// A memory's id.
pub(crate) fn memory() -> Result<String, StorageError> {
    random("mem_", CHARS)
}

/// A version's id.
pub(crate) fn version() -> Result<String, StorageError> {
    random("memver_", CHARS)
}

/// The id of somebody who signs in.
pub(crate) fn user() -> Result<String, StorageError> {
    random("user_", CHARS)
}

/// A workspace's id.
pub(crate) fn workspace() -> Result<String, StorageError> {
    random(WORKSPACE, CHARS)
}

/// A webhook's id.
pub(crate) fn webhook() -> Result<String, StorageError> {
    random("webhook_", CHARS)
}

/// An event's id.
pub(crate) fn event() -> Result<String, StorageError> {
    random("event_", CHARS)
}

/// The last part of the name of an object.
pub(crate) fn object() -> Result<String, StorageError> {
    random("", CHARS)
}

/// What tells one life of a store from the next.
pub(crate) fn epoch() -> Result<String, StorageError> {
    random("", 12)
}

/// The name of one holder of the lease.
pub(crate) fn replica() -> Result<String, StorageError> {
    random("replica_", CHARS)
}

/// What something is signed with: 256 random bits.
pub(crate) fn random_key() -> Result<[u8; 32], StorageError> {
    random_bytes()
}

fn random_bytes<const N: usize>() -> Result<[u8; N], StorageError> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|_| StorageError::Corrupt("no random bytes"))?;
    Ok(bytes)
}

fn random(prefix: &str, chars: usize) -> Result<String, StorageError> {
    let bytes: [u8; CHARS] = random_bytes()?;
    let mut id = String::with_capacity(prefix.len() + chars);
    id.push_str(prefix);
    id.extend(
        bytes
            .iter()
            .take(chars)
            .map(|byte| char::from(ALPHABET[usize::from(byte & 31)])),
    );
    Ok(id)
}
