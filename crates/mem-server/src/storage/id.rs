//! Random ids: a prefix, and 24 characters of the alphabet that the ids of notes have.

use super::StorageError;

/// What the ids of workspaces begin with.
pub(super) const WORKSPACE: &str = "wrkspc_";
/// Those of stores.
pub(super) const STORE: &str = "memstore_";
/// Those of memories.
pub(super) const MEMORY: &str = "mem_";
/// Those of versions.
pub(super) const VERSION: &str = "memver_";
/// Those of people who sign in.
pub(super) const USER: &str = "user_";
/// Those of webhooks.
pub(super) const WEBHOOK: &str = "webhook_";
/// Those of events.
pub(super) const EVENT: &str = "event_";
/// The last part of the name of an object begins with nothing.
pub(super) const OBJECT: &str = "";

/// Crockford's alphabet: no i, l, o, u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters after the prefix; five bits each.
const CHARS: usize = 24;
/// Those of an epoch.
const EPOCH_CHARS: usize = 12;

/// What tells one life of a store from the next.
pub(super) fn epoch() -> Result<String, StorageError> {
    let mut epoch = random("")?;
    epoch.truncate(EPOCH_CHARS);
    Ok(epoch)
}

/// The name of one holder of the lease.
pub(crate) fn replica() -> Result<String, StorageError> {
    random("replica_")
}

/// 256 random bits: what something is signed with.
pub(crate) fn random_key() -> Result<[u8; 32], StorageError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|_| StorageError::Corrupt("no random bytes"))?;
    Ok(bytes)
}

/// A random id behind a prefix.
pub(super) fn random(prefix: &str) -> Result<String, StorageError> {
    let mut id = String::with_capacity(prefix.len() + CHARS);
    id.push_str(prefix);
    let digits = random_key()?.into_iter().take(CHARS);
    id.extend(digits.map(|byte| char::from(ALPHABET[usize::from(byte & 31)])));
    Ok(id)
}
