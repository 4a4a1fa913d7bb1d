//! The keys that seal contents.

use std::fmt;

use chacha20poly1305::{KeyInit as _, XChaCha20Poly1305};
use mem_core::sealing::{SealError, StateKey};
use zeroize::Zeroizing;

use crate::associated_data::AssociatedData;
use crate::key_id::{self, KeyId};
use crate::master::{KEY_BYTES, random_key_bytes};
use crate::{VaultError, deterministic, sealed};

/// A key with its name. It is overwritten when it is dropped, and never shown.
pub struct DataKey {
    id: KeyId,
    secret: Zeroizing<[u8; KEY_BYTES]>,
    cipher: XChaCha20Poly1305,
}

impl DataKey {
    /// A new one, with a name of its own.
    ///
    /// # Errors
    /// [`VaultError::NoRandom`].
    pub fn generate() -> Result<Self, VaultError> {
        let mut name = [0; key_id::LENGTH];
        getrandom::fill(&mut name).map_err(|_| VaultError::NoRandom)?;
        Ok(Self::from_secret(
            KeyId::from_bytes(name),
            random_key_bytes()?,
        ))
    }

    pub(crate) fn from_secret(id: KeyId, secret: Zeroizing<[u8; KEY_BYTES]>) -> Self {
        let cipher = XChaCha20Poly1305::new((&*secret).into());
        Self { id, secret, cipher }
    }

    /// Its public name.
    pub fn id(&self) -> KeyId {
        self.id
    }

    pub(crate) fn secret(&self) -> &[u8; KEY_BYTES] {
        &self.secret
    }

    pub(crate) fn cipher(&self) -> &XChaCha20Poly1305 {
        &self.cipher
    }

    /// Seals a content for the place it belongs to: [`crate::OVERHEAD`] bytes longer than it was.
    ///
    /// # Errors
    /// [`VaultError::NoRandom`].
    pub fn seal_content(
        &self,
        plain: &[u8],
        belonging: &AssociatedData,
    ) -> Result<Vec<u8>, VaultError> {
        sealed::seal_content(self, plain, belonging)
    }

    /// Opens what it sealed. `what` is what errors call it.
    ///
    /// # Errors
    /// Another key sealed it; it was changed, cut short, or belongs elsewhere.
    pub fn open_content(
        &self,
        bytes: &[u8],
        belonging: &AssociatedData,
        what: &'static str,
    ) -> Result<Vec<u8>, VaultError> {
        sealed::open_content(self, bytes, belonging, what)
    }
}

impl StateKey for DataKey {
    fn name(&self) -> String {
        self.id.to_string()
    }

    fn seal(&self, plain: &[u8], belonging: &[&str]) -> Result<Vec<u8>, SealError> {
        let sealed = sealed::seal_content(self, plain, &AssociatedData::from_words(belonging));
        Ok(sealed?)
    }

    fn seal_alike(&self, plain: &[u8], belonging: &[&str]) -> Result<Vec<u8>, SealError> {
        let sealed =
            deterministic::seal_deterministic(self, plain, &AssociatedData::from_words(belonging));
        Ok(sealed?)
    }

    fn open(
        &self,
        sealed: &[u8],
        belonging: &[&str],
        what: &'static str,
    ) -> Result<Vec<u8>, SealError> {
        let opened =
            sealed::open_content(self, sealed, &AssociatedData::from_words(belonging), what);
        Ok(opened?)
    }
}

impl fmt::Debug for DataKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DataKey({})", self.id)
    }
}
