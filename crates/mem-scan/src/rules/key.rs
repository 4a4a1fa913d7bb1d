//! The key of a repository's fingerprints.
//!
//! It stands beside the committed allows and is made by the first of them. Until then
//! fingerprints are made with a key that only this user has, derived for each repository from 32
//! random bytes in `mem`'s state; the first allow makes just that key the repository's, so that
//! the fingerprint it was given stays true.

use std::path::{Path, PathBuf};

use mem_core::{Dirs, atomic, regular_file};
use sha2::{Digest, Sha256};

use super::error::RulesError;
use super::sources;

/// From the root of a repository.
const FILE: &str = ".mem/secrets.key";

/// The repository's key; `None` before its first allow.
///
/// # Errors
/// The file is unreadable or no key.
pub(super) fn read_key(root: &Path) -> Result<Option<[u8; 32]>, RulesError> {
    let path = key_path(root);
    let Some(text) = sources::read(&path)? else {
        return Ok(None);
    };
    parse_key(&text, &path).map(Some)
}

/// Reads a key as it stands in its file.
///
/// # Errors
/// It is none.
pub(super) fn parse_key(text: &str, path: &Path) -> Result<[u8; 32], RulesError> {
    decode_key(text.trim()).ok_or_else(|| RulesError::Key(path.to_owned()))
}

/// Where the repository's key stands.
pub(super) fn key_path(root: &Path) -> PathBuf {
    root.join(FILE)
}

/// A key as it stands in its file.
pub(super) fn encode_key(key: &[u8; 32]) -> String {
    let digits: Vec<String> = key.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat() + "\n"
}

fn decode_key(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut key = [0; 32];
    for (byte, at) in key.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&text[at..at + 2], 16).ok()?;
    }
    Some(key)
}

/// The key that a repository will have. Where the user's part of it cannot be kept, it is good
/// for this run only.
pub(super) fn pending_key(dirs: Option<&Dirs>, root: Option<&Path>) -> [u8; 32] {
    let seed = dirs
        .and_then(user_seed)
        .or_else(|| random_key().ok())
        .unwrap_or_default();
    let root = root.map(Path::to_string_lossy).unwrap_or_default();
    let hash = Sha256::new()
        .chain_update(b"mem secrets key\0")
        .chain_update(seed)
        .chain_update(root.as_bytes());
    hash.finalize().into()
}

/// The user's random bytes, made when they are first needed.
fn user_seed(dirs: &Dirs) -> Option<[u8; 32]> {
    let path = dirs.state.join("secrets-seed");
    let read = || <[u8; 32]>::try_from(regular_file::read_whole(&path).ok()?).ok();
    if let Some(seed) = read() {
        return Some(seed);
    }
    let seed = random_key().ok()?;
    atomic::replace_file(&path, &seed).ok()?;
    // Another run may have been first, or last.
    read()
}

fn random_key() -> Result<[u8; 32], RulesError> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| RulesError::Random(error.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_its_file() {
        let key: [u8; 32] = std::array::from_fn(|at| at as u8 * 7);
        assert_eq!(decode_key(encode_key(&key).trim()), Some(key));
        assert_eq!(decode_key(&"g".repeat(64)), None);
        assert_eq!(decode_key("ab"), None);
    }
}
