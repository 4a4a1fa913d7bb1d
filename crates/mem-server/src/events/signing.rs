//! Signatures of deliveries, as Standard Webhooks 1.0 has them: `v1,` and the HMAC-SHA256 of
//! `ID.TIMESTAMP.BODY` in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use secrecy::{ExposeSecret as _, SecretBox, SecretString};

use crate::storage::{StorageError, random_key};

/// How every secret begins.
const PREFIX: &str = "whsec_";

/// What deliveries of one webhook are signed with. It is not shown where it is printed.
#[derive(Clone, Debug)]
pub(crate) struct SigningSecret(SecretBox<[u8]>);

impl SigningSecret {
    /// A new one.
    ///
    /// # Errors
    /// The system has no random bytes to give.
    pub(crate) fn generate() -> Result<Self, StorageError> {
        Ok(Self::from_bytes(random_key()?.to_vec()))
    }

    /// From what is stored.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(SecretBox::new(bytes.into_boxed_slice()))
    }

    /// What is stored.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.expose_secret()
    }

    /// What the owner of a receiver gets, once.
    pub(crate) fn shown(&self) -> SecretString {
        SecretString::from(format!("{PREFIX}{}", STANDARD.encode(self.bytes())))
    }

    /// The signature of one delivery.
    fn sign_body(&self, id: &str, seconds: i64, body: &[u8]) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, self.bytes());
        let text = [format!("{id}.{seconds}.").as_bytes(), body].concat();
        format!("v1,{}", STANDARD.encode(hmac::sign(&key, &text)))
    }
}

/// The header `webhook-signature`: one signature for each secret that is live, so that a receiver may know either.
pub(crate) fn signatures(secrets: &[SigningSecret], id: &str, seconds: i64, body: &[u8]) -> String {
    let all = secrets
        .iter()
        .map(|secret| secret.sign_body(id, seconds, body));
    all.collect::<Vec<_>>().join(" ")
}
