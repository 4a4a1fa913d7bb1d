//! Sealing the same content to the same bytes, for what is found by its checksum.
//!
//! The nonce is a keyed hash (HMAC-SHA-256, under a key of its own that is derived from the data key) of what is
//! sealed and what it belongs to, so that no nonce ever comes twice with another content: it shows which contents
//! are the same, and nothing more.
//!
//! A plain hash for a nonce would tell anybody who guesses a content that it is there. The key of nonces is derived and
//! not the data key itself, so that no key serves two algorithms.
//!
//! ```text
//!  nonce = first 24 bytes of HMAC(HMAC(data key, PURPOSE), length of belonging, belonging, content)
//! ```
//!
//! **Cost:** one pass of SHA-256 over the content besides the cipher's.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::VaultError;
use crate::associated_data::AssociatedData;
use crate::data_key::DataKey;
use crate::sealed::{self, NONCE};

/// What the key of nonces is derived for.
const PURPOSE: &[u8] = b"nonces of alike contents of mem";

/// Seals.
pub(crate) fn seal_deterministic(
    key: &DataKey,
    plain: &[u8],
    belonging: &AssociatedData,
) -> Result<Vec<u8>, VaultError> {
    let wrong = |_| VaultError::Form("a key");
    let mut derived = Hmac::<Sha256>::new_from_slice(key.secret()).map_err(wrong)?;
    derived.update(PURPOSE);
    let derived = Zeroizing::new(<[u8; 32]>::from(derived.finalize().into_bytes()));
    let mut hash = Hmac::<Sha256>::new_from_slice(derived.as_slice()).map_err(wrong)?;
    let bound = belonging.bytes_after_head(&[]);
    // The length first: moving bytes from the words to the content must not give the same nonce.
    hash.update(&(bound.len() as u64).to_le_bytes());
    hash.update(&bound);
    hash.update(plain);
    let digest = hash.finalize().into_bytes();
    let mut nonce = [0; NONCE];
    nonce.copy_from_slice(&digest[..NONCE]);
    sealed::seal_with(key, plain, belonging, nonce)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sealed::OVERHEAD;

    fn of(word: &str) -> AssociatedData {
        AssociatedData::from_words(&["file", word])
    }

    proptest! {
        #[test]
        fn the_same_is_the_same_and_anything_else_is_not(
            one in proptest::collection::vec(any::<u8>(), 0..300),
            other in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            let key = DataKey::generate().unwrap();
            let sealed = seal_deterministic(&key, &one, &of("a")).unwrap();
            prop_assert_eq!(&sealed, &seal_deterministic(&key, &one, &of("a")).unwrap());
            prop_assert_eq!(key.open_content(&sealed, &of("a"), "x").unwrap(), one.clone());
            prop_assert!(key.open_content(&sealed, &of("b"), "x").is_err());
            let nonce = |bytes: &[u8]| bytes[12..36].to_vec();
            let elsewhere = seal_deterministic(&key, &one, &of("b")).unwrap();
            prop_assert_ne!(nonce(&sealed), nonce(&elsewhere));
            let another = seal_deterministic(&key, &other, &of("a")).unwrap();
            prop_assert_eq!(nonce(&sealed) == nonce(&another), one == other);
            prop_assert_eq!(sealed.len(), one.len() + OVERHEAD);
        }
    }
}
