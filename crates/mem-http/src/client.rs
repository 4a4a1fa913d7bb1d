//! A client that shows its credential to the address it was given for, and to nobody else.

use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, ClientBuilder, Url, redirect};
use secrecy::{ExposeSecret as _, SecretString};

use crate::address::is_loopback;

/// Names what every client of this process encrypts with. A client that a library makes needs it before.
pub fn install_crypto() {
    // That it is there already is no error: every client asks for it.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// What all clients have in common; how long an answer may take is for each to say. No redirect is followed: the next
/// address would be given the credential among the `headers`, which go along with every request. What stays on this
/// machine has no business with a proxy, which would be told it, too.
pub fn client_builder(base: &Url, headers: HeaderMap, connect: Duration) -> ClientBuilder {
    install_crypto();
    let client = Client::builder()
        .default_headers(headers)
        .redirect(redirect::Policy::none())
        .referer(false)
        .connect_timeout(connect);
    match is_loopback(base) {
        true => client.no_proxy(),
        false => client,
    }
}

/// A token or a key as a header's value, behind a scheme such as `Bearer ` or behind nothing. `None` where it has
/// characters that none has, or none at all.
pub fn credential_header(scheme: &str, secret: &SecretString) -> Option<HeaderValue> {
    let secret = secret.expose_secret();
    if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let mut value = HeaderValue::from_str(&format!("{scheme}{secret}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_one_word_and_never_shown() {
        let secret = ["t0k", "en"].concat();
        let value = credential_header("Bearer ", &SecretString::from(&*secret)).unwrap();
        assert_eq!(value.as_bytes(), format!("Bearer {secret}").as_bytes());
        assert!(!format!("{value:?}").contains(&secret));
        for bad in ["", "two words", "line\r\nx-other: 1", "schl\u{fc}ssel"] {
            assert_eq!(
                credential_header("", &SecretString::from(bad)),
                None,
                "{bad}"
            );
        }
    }
}
