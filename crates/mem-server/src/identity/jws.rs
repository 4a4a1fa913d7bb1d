//! A signed token (RFC 7515, compact): taken apart, and its signature checked with a key of the provider (RFC 7517).
//!
//! `ring` checks signatures; it is below TLS anyway. Crates for JSON Web Tokens bring a second provider of cryptography,
//! or read the system's clock. Algorithms with a shared secret and `none` are not known here, so no setting and no token
//! can bring them about.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use mem_stores::strict::ObjectFields;
use ring::signature::{
    self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::claims::IdTokenFault;

/// Of a whole token.
const TOKEN_BYTES_MAX: usize = 64 * 1024;
/// A provider has a handful.
const KEYS_MAX: usize = 100;

/// How a signature is checked: with a key that the provider alone has.
#[derive(Clone, Copy)]
enum Verification {
    Rsa(&'static RsaParameters),
    /// With a key of this type, on this curve.
    Curve(
        &'static str,
        &'static str,
        &'static dyn VerificationAlgorithm,
    ),
}

/// By the name of the algorithm (RFC 7518, RFC 8037).
fn find_verification(algorithm: &str) -> Option<Verification> {
    use Verification::{Curve, Rsa};
    Some(match algorithm {
        "RS256" => Rsa(&signature::RSA_PKCS1_2048_8192_SHA256),
        "RS384" => Rsa(&signature::RSA_PKCS1_2048_8192_SHA384),
        "RS512" => Rsa(&signature::RSA_PKCS1_2048_8192_SHA512),
        "PS256" => Rsa(&signature::RSA_PSS_2048_8192_SHA256),
        "PS384" => Rsa(&signature::RSA_PSS_2048_8192_SHA384),
        "PS512" => Rsa(&signature::RSA_PSS_2048_8192_SHA512),
        "ES256" => Curve("EC", "P-256", &signature::ECDSA_P256_SHA256_FIXED),
        "ES384" => Curve("EC", "P-384", &signature::ECDSA_P384_SHA384_FIXED),
        "EdDSA" => Curve("OKP", "Ed25519", &signature::ED25519),
        _ => return None,
    })
}

/// A key as the provider publishes it.
#[derive(Debug, Deserialize)]
pub(super) struct ProviderKey {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Every key that the provider has.
#[derive(Debug, Default)]
pub(super) struct ProviderKeys(Vec<ProviderKey>);

impl ProviderKeys {
    /// Reads a JWK set. Keys of forms that are not known here are passed over. `None` where it is no set.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Published {
            keys: Vec<Value>,
        }
        let published: Published = serde_json::from_slice(bytes).ok()?;
        if published.keys.len() > KEYS_MAX {
            return None;
        }
        let keys = published.keys.into_iter();
        let keys = keys.filter_map(|key| serde_json::from_value(key).ok());
        Some(Self(keys.collect()))
    }

    /// The key that a token names; where it names none, the only one that its algorithm can have. `None`: the provider may
    /// have new ones.
    pub(super) fn choose(&self, token: &SignedToken<'_>) -> Option<&ProviderKey> {
        let mut fitting = self.0.iter().filter(|key| key.fits_token(token));
        let only = fitting.next();
        only.filter(|_| fitting.next().is_none())
    }
}

impl ProviderKey {
    /// Whether the key may have signed the token: by its id, its kind, and what the provider says of it.
    fn fits_token(&self, token: &SignedToken<'_>) -> bool {
        let is_named = token.key_id.is_none() || token.key_id == self.kid;
        let is_usual = self.usage.as_deref().is_none_or(|usage| usage == "sig");
        let is_meant = self.alg.as_ref().is_none_or(|alg| *alg == token.algorithm);
        let is_kind = match token.verification {
            Verification::Rsa(_) => self.kty == "RSA",
            Verification::Curve(kind, curve, _) => {
                self.kty == kind && self.crv.as_deref() == Some(curve)
            }
        };
        is_named && is_usual && is_meant && is_kind
    }

    /// Checks that the key signed the token; `None` where it did not.
    pub(super) fn verify_token(&self, token: &SignedToken<'_>) -> Option<()> {
        let (text, signature) = (token.signed.as_bytes(), token.signature.as_slice());
        let bytes = |part: &Option<String>| URL_SAFE_NO_PAD.decode(part.as_ref()?).ok();
        match token.verification {
            Verification::Rsa(parameters) => {
                let bare = |part| {
                    let bytes = bytes(part)?.into_iter();
                    Some(bytes.skip_while(|byte| *byte == 0).collect::<Vec<u8>>())
                };
                let (n, e) = (bare(&self.n)?, bare(&self.e)?);
                let key = RsaPublicKeyComponents { n, e };
                key.verify(parameters, text, signature).ok()
            }
            Verification::Curve(kind, _, algorithm) => {
                let x = bytes(&self.x)?;
                let point = match kind {
                    "OKP" => x,
                    // Uncompressed.
                    _ => [vec![4], x, bytes(&self.y)?].concat(),
                };
                let key = UnparsedPublicKey::new(algorithm, point);
                key.verify(text, signature).ok()
            }
        }
    }
}

/// A token that was taken apart; nothing of it is true yet.
pub(super) struct SignedToken<'t> {
    pub(super) algorithm: String,
    verification: Verification,
    key_id: Option<String>,
    signed: &'t str,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

impl<'t> SignedToken<'t> {
    /// Takes a token apart. JSON that two readers could read differently is none.
    pub(super) fn parse(text: &'t str) -> Result<Self, IdTokenFault> {
        let no_token = || IdTokenFault::Form;
        if text.len() > TOKEN_BYTES_MAX {
            return Err(no_token());
        }
        let (signed, signature) = text.rsplit_once('.').ok_or_else(no_token)?;
        let (head, claims) = signed.split_once('.').ok_or_else(no_token)?;
        let bytes = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| no_token());
        let object = |part: &str| {
            let fields = ObjectFields::read(&bytes(part)?).map_err(|_| no_token())?;
            Ok(fields.into_map())
        };
        let head = object(head)?;
        // What a header calls critical would have to be understood (RFC 7515, 4.1.11).
        if head.contains_key("crit") {
            return Err(no_token());
        }
        let name = head.get("alg").and_then(Value::as_str);
        let name = name.ok_or_else(no_token)?;
        let refused = || IdTokenFault::Algorithm(mem_core::memory_path::printable(name));
        let key_id = match head.get("kid") {
            None => None,
            Some(id) => Some(id.as_str().ok_or_else(no_token)?.to_owned()),
        };
        Ok(Self {
            algorithm: name.to_owned(),
            verification: find_verification(name).ok_or_else(refused)?,
            key_id,
            signed,
            signature: bytes(signature)?,
            claims: object(claims)?,
        })
    }

    /// What it says, once the signature was checked.
    pub(super) fn into_claims(self) -> Value {
        Value::Object(self.claims)
    }
}
