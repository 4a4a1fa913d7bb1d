//! A master key in the keyring of the operating system, for builds with the feature `keyring`.

use crate::{KeyId, MasterKeys, VaultError};

/// What errors call it.
const NAME: &str = "the keyring";

/// The keys that are kept; `None` where there are none.
#[cfg(feature = "keyring")]
pub(super) fn read() -> Result<Option<MasterKeys>, VaultError> {
    Ok(match stored_text()? {
        Some(text) => Some(MasterKeys::parse_keys(&text)?),
        None => None,
    })
}

/// Keeps a first key.
#[cfg(feature = "keyring")]
pub(super) fn create_key() -> Result<MasterKeys, VaultError> {
    match stored_text()? {
        Some(_) => Err(VaultError::Exists("keyring".into())),
        None => store_keys(&crate::MasterKey::generate()?.to_line()),
    }
}

/// Keeps a new key before the others.
#[cfg(feature = "keyring")]
pub(super) fn renew_key() -> Result<MasterKeys, VaultError> {
    let before = stored_text()?.ok_or(VaultError::NoMaster(None))?;
    store_keys(&MasterKeys::prepend_new_key(&before)?)
}

/// Keeps the keys but these.
#[cfg(feature = "keyring")]
pub(super) fn end_keys(dropped: &[KeyId]) -> Result<MasterKeys, VaultError> {
    let before = stored_text()?.ok_or(VaultError::NoMaster(None))?;
    store_keys(&MasterKeys::remove_keys(&before, dropped)?)
}

/// Forgets the keys.
#[cfg(feature = "keyring")]
pub(super) fn destroy_keys() -> Result<(), VaultError> {
    match keyring_entry()?.delete_credential() {
        Ok(()) | Err(::keyring::Error::NoEntry) => Ok(()),
        Err(error) => Err(keyring_failed(&error.to_string())),
    }
}

#[cfg(feature = "keyring")]
fn store_keys(text: &zeroize::Zeroizing<String>) -> Result<MasterKeys, VaultError> {
    let keys = MasterKeys::parse_keys(text)?;
    let kept = keyring_entry()?.set_password(text);
    kept.map_err(|error| keyring_failed(&error.to_string()))?;
    Ok(keys)
}

#[cfg(feature = "keyring")]
fn stored_text() -> Result<Option<zeroize::Zeroizing<String>>, VaultError> {
    match keyring_entry()?.get_password() {
        Ok(text) => Ok(Some(zeroize::Zeroizing::new(text))),
        Err(::keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(keyring_failed(&error.to_string())),
    }
}

#[cfg(feature = "keyring")]
fn keyring_entry() -> Result<::keyring::Entry, VaultError> {
    if let Err(error) = ::keyring::Entry::store_status() {
        return Err(keyring_failed(&error.to_string()));
    }
    ::keyring::Entry::new("mem encryption", "master")
        .map_err(|error| keyring_failed(&error.to_string()))
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn read() -> Result<Option<MasterKeys>, VaultError> {
    Err(no_keyring())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn create_key() -> Result<MasterKeys, VaultError> {
    Err(no_keyring())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn renew_key() -> Result<MasterKeys, VaultError> {
    Err(no_keyring())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn end_keys(_dropped: &[KeyId]) -> Result<MasterKeys, VaultError> {
    Err(no_keyring())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn destroy_keys() -> Result<(), VaultError> {
    Err(no_keyring())
}

#[cfg(not(feature = "keyring"))]
fn no_keyring() -> VaultError {
    keyring_failed("this build of mem has no keyring")
}

fn keyring_failed(why: &str) -> VaultError {
    VaultError::Source {
        origin: NAME,
        why: why.to_owned(),
    }
}
