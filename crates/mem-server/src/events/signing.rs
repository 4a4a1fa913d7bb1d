//! Signatures of deliveries, as Standard Webhooks 1.0 has them: `v1,` and the HMAC-SHA256 of
//! `ID.TIMESTAMP.BODY` in base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use secrecy::{ExposeSecret as _, SecretBox, SecretString};
use sha2::Sha256;

use crate::access::secret::NoRandomness;

/// How every secret begins.
const PREFIX: &str = "whsec_";
/// Of randomness; the specification asks for 24 to 64.
const BYTES: usize = 32;

/// What deliveries of one webhook are signed with. It is not shown where it is printed.
#[derive(Clone, Debug)]
pub(crate) struct SigningSecret(SecretBox<[u8]>);

impl SigningSecret {
    /// A new one.
    ///
    /// # Errors
    /// [`NoRandomness`].
    pub(crate) fn generate() -> Result<Self, NoRandomness> {
        let mut bytes = vec![0; BYTES];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self::from_bytes(bytes))
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

    /// The signature of one delivery; `None` where the secret is none.
    fn sign_body(&self, id: &str, seconds: i64, body: &[u8]) -> Option<String> {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.bytes()).ok()?;
        mac.update(format!("{id}.{seconds}.").as_bytes());
        mac.update(body);
        let tag = STANDARD.encode(mac.finalize().into_bytes());
        Some(format!("v1,{tag}"))
    }
}

/// The header `webhook-signature`: one signature for each secret that is live, so that a receiver may know either.
pub(crate) fn signatures(secrets: &[SigningSecret], id: &str, seconds: i64, body: &[u8]) -> String {
    let all = secrets
        .iter()
        .filter_map(|secret| secret.sign_body(id, seconds, body));
    all.collect::<Vec<_>>().join(" ")
}
