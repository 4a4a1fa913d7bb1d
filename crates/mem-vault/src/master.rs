//! Master keys: what wraps data keys, and is kept by a person.
//!
//! A source gives one or more, one a line: the first one wraps, all of them unwrap. That is how a master key is
//! replaced while everything goes on.
//!
//! ```text
//!  source     old       new, old          new, old             new
//!  wrapped by old       old               new                  new
//!             start     a key is put      rings are wrapped    the old one is ended, once nothing
//!                       in front          again, one by one    anywhere names it
//! ```
//!
//! Contents are never sealed again for this: only the wrapped data keys change.
//! Test: `master::tests::a_wrapped_key_comes_back_by_any_key_of_the_source`.

use std::fmt;

use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::associated_data::AssociatedData;
use crate::data_key::DataKey;
use crate::key_id::{self, KeyId};
use crate::{VaultError, sealed};

/// Bytes of every key.
pub(crate) const KEY_BYTES: usize = 32;
/// Keys that a new one may be put before. Whatever is read is bounded by its bytes.
const KEYS_MAX: usize = 500;
/// What a wrapped data key is called in errors.
const WRAPPED: &str = "a data key";

/// One master key. It is overwritten when it is dropped, and never shown.
#[derive(Clone)]
pub struct MasterKey {
    id: KeyId,
    secret: Zeroizing<[u8; KEY_BYTES]>,
}

/// The keys of a source, the one that wraps first.
#[derive(Clone, Debug, Default)]
pub struct MasterKeys(Vec<MasterKey>);

impl MasterKey {
    /// A new one.
    ///
    /// # Errors
    /// [`VaultError::NoRandom`].
    pub fn generate() -> Result<Self, VaultError> {
        Ok(Self::new(random_key_bytes()?))
    }

    fn new(secret: Zeroizing<[u8; KEY_BYTES]>) -> Self {
        // Of 32 random bytes a checksum tells nothing.
        let name = Sha256::new()
            .chain_update(b"name of a master key of mem\0")
            .chain_update(secret.as_slice())
            .finalize();
        let mut short = [0; key_id::LENGTH];
        short.copy_from_slice(&name[..key_id::LENGTH]);
        Self {
            id: KeyId::from_bytes(short),
            secret,
        }
    }

    /// Its public name.
    pub fn id(&self) -> KeyId {
        self.id
    }

    /// The line that a source gives.
    pub fn to_line(&self) -> Zeroizing<String> {
        let mut line = Zeroizing::new(String::with_capacity(2 * KEY_BYTES + 1));
        for byte in self.secret.iter() {
            for digit in [byte >> 4, byte & 15] {
                line.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
            }
        }
        line.push('\n');
        line
    }

    /// Wraps a data key, for whom it is.
    ///
    /// # Errors
    /// [`VaultError::NoRandom`].
    pub fn wrap_key(
        &self,
        key: &DataKey,
        belonging: &AssociatedData,
    ) -> Result<Vec<u8>, VaultError> {
        let mut plain = Zeroizing::new([0; key_id::LENGTH + KEY_BYTES]);
        plain[..key_id::LENGTH].copy_from_slice(key.id().as_bytes());
        plain[key_id::LENGTH..].copy_from_slice(key.secret());
        sealed::seal_content(&self.wrapping_key(), plain.as_slice(), belonging)
    }

    /// A wrapped key has the form of a sealed content.
    fn wrapping_key(&self) -> DataKey {
        DataKey::from_secret(self.id, self.secret.clone())
    }
}

impl MasterKeys {
    /// Reads what a source gives. Empty lines, and those that begin with `#`, are passed over.
    ///
    /// # Errors
    /// [`VaultError::KeyForm`].
    pub fn parse_keys(text: &str) -> Result<Self, VaultError> {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut keys = Vec::new();
        for line in lines {
            let secret = decode_hex::<KEY_BYTES>(line).ok_or(VaultError::KeyForm)?;
            if secret.iter().all(|byte| *byte == 0) {
                return Err(VaultError::KeyForm);
            }
            keys.push(MasterKey::new(secret));
        }
        match keys.is_empty() {
            true => Err(VaultError::KeyForm),
            false => Ok(Self(keys)),
        }
    }

    /// What a source gives, with a new key before it: that one wraps from then on.
    ///
    /// # Errors
    /// [`VaultError::KeyForm`]; [`VaultError::Full`]; [`VaultError::NoRandom`].
    pub fn prepend_new_key(before: &str) -> Result<Zeroizing<String>, VaultError> {
        let count = Self::parse_keys(before)?.0.len();
        if count >= KEYS_MAX {
            return Err(VaultError::Full(count));
        }
        let line = MasterKey::generate()?.to_line();
        Ok(Zeroizing::new(format!("{}{before}", *line)))
    }

    /// What a source gives without some of its keys; the first one stays, and so do notes.
    ///
    /// # Errors
    /// [`VaultError::KeyForm`].
    pub fn remove_keys(before: &str, dropped: &[KeyId]) -> Result<Zeroizing<String>, VaultError> {
        let first = Self::parse_keys(before)?.first_key()?.id();
        let mut kept = Zeroizing::new(String::with_capacity(before.len()));
        for line in before.lines() {
            let key =
                decode_hex::<KEY_BYTES>(line.trim()).map(|secret| MasterKey::new(secret).id());
            if key.is_none_or(|id| id == first || !dropped.contains(&id)) {
                kept.push_str(line);
                kept.push('\n');
            }
        }
        Ok(kept)
    }

    /// The one that wraps.
    ///
    /// # Errors
    /// There is none.
    pub fn first_key(&self) -> Result<&MasterKey, VaultError> {
        self.0.first().ok_or(VaultError::NoMaster(None))
    }

    /// Their names.
    pub fn key_ids(&self) -> Vec<KeyId> {
        self.0.iter().map(MasterKey::id).collect()
    }

    /// Unwraps a data key.
    ///
    /// # Errors
    /// [`VaultError::NoMaster`], [`VaultError::WrongMaster`]; the wrapped key was changed, cut short, or is
    /// another's.
    pub fn unwrap_key(
        &self,
        wrapped: &[u8],
        belonging: &AssociatedData,
    ) -> Result<DataKey, VaultError> {
        let wanted = sealed::key_in(wrapped, WRAPPED)?;
        let master = match self.0.iter().find(|key| key.id == wanted) {
            Some(master) => master,
            None if self.0.is_empty() => return Err(VaultError::NoMaster(Some(wanted))),
            None => {
                let given = self.key_ids();
                return Err(VaultError::WrongMaster { wanted, given });
            }
        };
        let plain = sealed::open_content(&master.wrapping_key(), wrapped, belonging, WRAPPED)?;
        let plain = Zeroizing::new(plain);
        let parts = plain.split_first_chunk::<{ key_id::LENGTH }>();
        let (id, secret) = parts.ok_or(VaultError::Form(WRAPPED))?;
        let mut bytes = Zeroizing::new([0; KEY_BYTES]);
        if secret.len() != KEY_BYTES {
            return Err(VaultError::Form(WRAPPED));
        }
        bytes.copy_from_slice(secret);
        Ok(DataKey::from_secret(KeyId::from_bytes(*id), bytes))
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MasterKey({})", self.id)
    }
}

/// Random bytes for a key.
pub(crate) fn random_key_bytes() -> Result<Zeroizing<[u8; KEY_BYTES]>, VaultError> {
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    getrandom::fill(bytes.as_mut_slice()).map_err(|_| VaultError::NoRandom)?;
    Ok(bytes)
}

/// Exactly so many bytes in hexadecimal digits.
pub(crate) fn decode_hex<const N: usize>(text: &str) -> Option<Zeroizing<[u8; N]>> {
    let digits = text.as_bytes();
    if digits.len() != 2 * N {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Zeroizing::new([0; N]);
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
        let value = digit(pair[0])? << 4 | digit(pair[1])?;
        *byte = u8::try_from(value).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn belonging() -> AssociatedData {
        AssociatedData::from_words(&["data key", "memstore_1"])
    }

    #[test]
    fn a_line_gives_the_key_back_and_nothing_else_shows_it() {
        let master = MasterKey::generate().unwrap();
        let line = master.to_line();
        let read = MasterKeys::parse_keys(&format!("# mine\n\n  {}", *line)).unwrap();
        assert_eq!(read.key_ids(), [master.id()]);
        let shown = format!("{master:?} {read:?} {}", master.id());
        assert!(!shown.contains(&line.trim()[..8]), "{shown}");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let zeros = "0".repeat(64);
        for wrong in [
            "",
            "# none",
            "abc",
            &"g".repeat(64),
            &"a".repeat(66),
            &zeros,
            "é",
        ] {
            let refused = MasterKeys::parse_keys(wrong);
            assert!(matches!(refused, Err(VaultError::KeyForm)), "{wrong}");
        }
    }

    #[test]
    fn a_wrapped_key_comes_back_by_any_key_of_the_source() {
        let [old, new] = [(); 2].map(|()| MasterKey::generate().unwrap());
        let key = DataKey::generate().unwrap();
        let wrapped = old.wrap_key(&key, &belonging()).unwrap();
        let both =
            MasterKeys::parse_keys(&format!("{}{}", *new.to_line(), *old.to_line())).unwrap();
        let back = both.unwrap_key(&wrapped, &belonging()).unwrap();
        assert_eq!((back.id(), back.secret()), (key.id(), key.secret()));
        assert_eq!(both.first_key().unwrap().id(), new.id());
    }

    #[test]
    fn the_wrong_key_no_key_and_a_damaged_one_are_three_errors() {
        let [mine, other] = [(); 2].map(|()| MasterKey::generate().unwrap());
        let key = DataKey::generate().unwrap();
        let wrapped = mine.wrap_key(&key, &belonging()).unwrap();
        let open =
            |keys: &MasterKeys, bytes: &[u8]| keys.unwrap_key(bytes, &belonging()).unwrap_err();
        let others = MasterKeys::parse_keys(&other.to_line()).unwrap();
        let mine = MasterKeys::parse_keys(&mine.to_line()).unwrap();
        assert!(matches!(
            open(&others, &wrapped),
            VaultError::WrongMaster { .. }
        ));
        assert!(matches!(
            open(&MasterKeys::default(), &wrapped),
            VaultError::NoMaster(Some(_))
        ));
        let mut damaged = wrapped.clone();
        damaged[40] ^= 1;
        assert!(matches!(open(&mine, &damaged), VaultError::Tampered(_)));
        assert!(matches!(
            open(&mine, &wrapped[..50]),
            VaultError::Truncated(_)
        ));
        let elsewhere = AssociatedData::from_words(&["data key", "memstore_2"]);
        let moved = mine.unwrap_key(&wrapped, &elsewhere).unwrap_err();
        assert!(matches!(moved, VaultError::Tampered(_)));
    }
}
