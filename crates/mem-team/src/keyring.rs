//! Tokens in the keyring of the operating system, for builds with the feature `keyring`: the Secret Service,
//! the keychain of macOS, the credential manager of Windows.

use secrecy::SecretString;

use super::tokens::TokenError;

/// What entries are found by, beside the server's origin.
#[cfg(feature = "keyring")]
const SERVICE: &str = "mem team memory";

/// Keeps a token.
#[cfg(feature = "keyring")]
pub(crate) fn store_token(origin: &str, token: &SecretString) -> Result<(), TokenError> {
    use secrecy::ExposeSecret as _;
    let entry = keyring_entry(origin)?;
    let kept = entry.set_password(token.expose_secret());
    kept.map_err(|error| keyring_failed(&error))
}

/// The token that is kept; `None` where there is none.
#[cfg(feature = "keyring")]
pub(crate) fn stored_token(origin: &str) -> Result<Option<SecretString>, TokenError> {
    match keyring_entry(origin)?.get_password() {
        Ok(token) => Ok(Some(SecretString::from(token))),
        Err(::keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(keyring_failed(&error)),
    }
}

/// Forgets it.
#[cfg(feature = "keyring")]
pub(crate) fn forget_token(origin: &str) -> Result<(), TokenError> {
    match keyring_entry(origin)?.delete_credential() {
        Ok(()) | Err(::keyring::Error::NoEntry) => Ok(()),
        Err(error) => Err(keyring_failed(&error)),
    }
}

#[cfg(feature = "keyring")]
fn keyring_entry(origin: &str) -> Result<::keyring::Entry, TokenError> {
    if let Err(error) = ::keyring::Entry::store_status() {
        return Err(keyring_failed(error));
    }
    ::keyring::Entry::new(SERVICE, origin).map_err(|error| keyring_failed(&error))
}

#[cfg(feature = "keyring")]
fn keyring_failed(error: &::keyring::Error) -> TokenError {
    TokenError::Keyring(error.to_string())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(crate) fn stored_token(_: &str) -> Result<Option<SecretString>, TokenError> {
    Err(no_keyring())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(crate) fn forget_token(_: &str) -> Result<(), TokenError> {
    Err(no_keyring())
}

#[cfg(not(feature = "keyring"))]
fn no_keyring() -> TokenError {
    TokenError::Keyring("this build of mem has no keyring".to_owned())
}
