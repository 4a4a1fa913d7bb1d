//! Tokens in the keyring of the operating system, for builds with the feature `keyring`: the Secret Service,
//! the keychain of macOS, the credential manager of Windows.

use secrecy::SecretString;

use super::tokens::TokenError;

/// What entries are found by, beside the server's origin.
#[cfg(feature = "keyring")]
const SERVICE: &str = "mem team memory";

/// Keeps a token.
#[cfg(feature = "keyring")]
pub(super) fn keep(origin: &str, token: &SecretString) -> Result<(), TokenError> {
    use secrecy::ExposeSecret as _;
    let entry = entry(origin)?;
    let kept = entry.set_password(token.expose_secret());
    kept.map_err(|error| failed(&error))
}

/// The token that is kept; `None` where there is none.
#[cfg(feature = "keyring")]
pub(super) fn token(origin: &str) -> Result<Option<SecretString>, TokenError> {
    match entry(origin)?.get_password() {
        Ok(token) => Ok(Some(SecretString::from(token))),
        Err(::keyring::Error::NoEntry) => Ok(None),
        Err(error) => Err(failed(&error)),
    }
}

/// Forgets it.
#[cfg(feature = "keyring")]
pub(super) fn forget(origin: &str) -> Result<(), TokenError> {
    match entry(origin)?.delete_credential() {
        Ok(()) | Err(::keyring::Error::NoEntry) => Ok(()),
        Err(error) => Err(failed(&error)),
    }
}

#[cfg(feature = "keyring")]
fn entry(origin: &str) -> Result<::keyring::Entry, TokenError> {
    if let Err(error) = ::keyring::Entry::store_status() {
        return Err(failed(error));
    }
    ::keyring::Entry::new(SERVICE, origin).map_err(|error| failed(&error))
}

#[cfg(feature = "keyring")]
fn failed(error: &::keyring::Error) -> TokenError {
    TokenError::Keyring(error.to_string())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn token(_: &str) -> Result<Option<SecretString>, TokenError> {
    Err(none())
}

/// There is none in this build.
#[cfg(not(feature = "keyring"))]
pub(super) fn forget(_: &str) -> Result<(), TokenError> {
    Err(none())
}

#[cfg(not(feature = "keyring"))]
fn none() -> TokenError {
    TokenError::Keyring("this build of mem has no keyring".to_owned())
}
