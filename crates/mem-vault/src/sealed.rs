//! The form of what is sealed: magic, version, the name of the key, a nonce; then the ciphertext and its tag.
//!
//! The magic begins with a byte that no UTF-8 has, so nothing sealed is ever taken for a text. Version and name
//! are authenticated with the content, and so is what it belongs to.
//!
//! ```text
//!  FORMAT   0        3     4           12          36                 -16
//!           F5 M V | ver | key name  | nonce     | ciphertext ..    | tag
//!           3        1     8           24          as long as plain   16      overhead 52
//!           |--- authenticated ----|               |- encrypted ---|
//!           and the words that it belongs to, which are stored nowhere: the reader knows where it reads
//! ```
//!
//! The key's name stands outside the ciphertext, so that readers cope with several keys and a lost one can be named.
//! Naming another key there does not open either: the name is authenticated.
//! Test: `sealed::tests::it_opens_only_where_it_belongs_and_by_its_key`.

use chacha20poly1305::{AeadInOut as _, Tag, XNonce};

use mem_core::sealing::MAGIC;
pub use mem_core::sealing::is_sealed;

use crate::VaultError;
use crate::associated_data::AssociatedData;
use crate::data_key::DataKey;
use crate::key_id::{self, KeyId};

const VERSION: u8 = 1;
/// Bytes of a nonce.
pub(crate) const NONCE: usize = 24;
const TAG: usize = 16;
/// Where the name of the key begins, and the nonce, and the ciphertext.
const KEY_AT: usize = MAGIC.len() + 1;
const NONCE_AT: usize = KEY_AT + key_id::LENGTH;
const TEXT_AT: usize = NONCE_AT + NONCE;

/// How many bytes longer something is when it is sealed.
pub const OVERHEAD: usize = TEXT_AT + TAG;

/// The name of the key that opens something. `what` is what errors call it.
///
/// # Errors
/// It is not sealed, by a later program, or cut short.
pub fn key_of(bytes: &[u8], what: &'static str) -> Result<KeyId, VaultError> {
    key_in(bytes, what)
}

pub(crate) fn key_in(bytes: &[u8], what: &'static str) -> Result<KeyId, VaultError> {
    let is_begun = bytes.len() < MAGIC.len() && MAGIC.starts_with(bytes);
    if !is_sealed(bytes) && !is_begun {
        return Err(VaultError::Form(what));
    }
    if bytes.len() < OVERHEAD {
        return Err(VaultError::Truncated(what));
    }
    if bytes[MAGIC.len()] != VERSION {
        return Err(VaultError::Form(what));
    }
    let mut id = [0; key_id::LENGTH];
    id.copy_from_slice(&bytes[KEY_AT..NONCE_AT]);
    Ok(KeyId::from_bytes(id))
}

pub(crate) fn seal_content(
    key: &DataKey,
    plain: &[u8],
    belonging: &AssociatedData,
) -> Result<Vec<u8>, VaultError> {
    let mut nonce = [0; NONCE];
    getrandom::fill(&mut nonce).map_err(|_| VaultError::NoRandom)?;
    seal_with(key, plain, belonging, nonce)
}

/// The same with a nonce that no other content ever has under this key.
pub(crate) fn seal_with(
    key: &DataKey,
    plain: &[u8],
    belonging: &AssociatedData,
    nonce: [u8; NONCE],
) -> Result<Vec<u8>, VaultError> {
    let mut bytes = Vec::with_capacity(plain.len() + OVERHEAD);
    bytes.extend_from_slice(&MAGIC);
    bytes.push(VERSION);
    bytes.extend_from_slice(key.id().as_bytes());
    let bound = belonging.bytes_after_head(&bytes);
    bytes.extend_from_slice(&nonce);
    bytes.extend_from_slice(plain);
    let text = (&mut bytes[TEXT_AT..]).into();
    let nonce = XNonce::from(nonce);
    let tag = key.cipher().encrypt_inout_detached(&nonce, &bound, text);
    // Only for texts of more than 256 GB.
    let tag = tag.map_err(|_| VaultError::Form("a text"))?;
    bytes.extend_from_slice(&tag);
    Ok(bytes)
}

pub(crate) fn open_content(
    key: &DataKey,
    bytes: &[u8],
    belonging: &AssociatedData,
    what: &'static str,
) -> Result<Vec<u8>, VaultError> {
    let sealed_by = key_in(bytes, what)?;
    if sealed_by != key.id() {
        return Err(VaultError::LostKey(sealed_by));
    }
    let bound = belonging.bytes_after_head(&bytes[..NONCE_AT]);
    let (head, rest) = bytes.split_at(TEXT_AT);
    let (text, tag) = rest.split_at(rest.len() - TAG);
    let mut fixed = [0; NONCE];
    fixed.copy_from_slice(&head[NONCE_AT..]);
    let mut end = [0; TAG];
    end.copy_from_slice(tag);
    let mut plain = text.to_vec();
    let opened = key.cipher().decrypt_inout_detached(
        &XNonce::from(fixed),
        &bound,
        plain.as_mut_slice().into(),
        &Tag::from(end),
    );
    opened.map_err(|_| VaultError::Tampered(what))?;
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn place() -> AssociatedData {
        AssociatedData::from_words(&["memory_version", "memstore_1", "memver_1"])
    }

    proptest! {
        #[test]
        fn what_was_sealed_opens_and_shows_nothing(plain in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let key = DataKey::generate().unwrap();
            let bytes = key.seal_content(&plain, &place()).unwrap();
            prop_assert_eq!(bytes.len(), plain.len() + OVERHEAD);
            prop_assert!(is_sealed(&bytes) && std::str::from_utf8(&bytes).is_err());
            prop_assert!(plain.len() < 8 || !bytes.windows(plain.len()).any(|part| part == plain));
            prop_assert_eq!(key_of(&bytes, "x").unwrap(), key.id());
            prop_assert_eq!(key.open_content(&bytes, &place(), "x").unwrap(), plain);
        }

        #[test]
        fn whatever_bit_is_changed_and_wherever_it_is_cut_it_does_not_open(
            plain in proptest::collection::vec(any::<u8>(), 0..200),
            at in any::<prop::sample::Index>(),
            bit in 0..8u8,
        ) {
            let key = DataKey::generate().unwrap();
            let bytes = key.seal_content(&plain, &place()).unwrap();
            let at = at.index(bytes.len());
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            prop_assert!(key.open_content(&changed, &place(), "x").is_err());
            prop_assert!(key.open_content(&bytes[..at], &place(), "x").is_err());
        }
    }

    #[test]
    fn it_opens_only_where_it_belongs_and_by_its_key() {
        let [key, other] = [(); 2].map(|()| DataKey::generate().unwrap());
        let bytes = key.seal_content(b"text", &place()).unwrap();
        let elsewhere = AssociatedData::from_words(&["memory_version", "memstore_1", "memver_2"]);
        assert!(matches!(
            key.open_content(&bytes, &elsewhere, "x"),
            Err(VaultError::Tampered("x"))
        ));
        assert!(matches!(
            other.open_content(&bytes, &place(), "x"),
            Err(VaultError::LostKey(_))
        ));
        assert!(matches!(
            key.open_content(b"text", &place(), "x"),
            Err(VaultError::Form("x"))
        ));
        assert!(matches!(
            key.open_content(&bytes[..20], &place(), "x"),
            Err(VaultError::Truncated("x"))
        ));
        let mut later = bytes.clone();
        later[3] = 2;
        assert!(matches!(
            key.open_content(&later, &place(), "x"),
            Err(VaultError::Form("x"))
        ));
        let again = key.seal_content(b"text", &place()).unwrap();
        assert_ne!(bytes, again, "the same content never looks the same twice");
    }
}
