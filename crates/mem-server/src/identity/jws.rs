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

/// Of a whole token.
const TOKEN_BYTES_MAX: usize = 64 * 1024;
/// A provider has a handful.
const KEYS_MAX: usize = 100;

/// How a token is signed: with a key that the provider alone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Rs256,
    Rs384,
    Rs512,
    Ps256,
    Ps384,
    Ps512,
    Es256,
    Es384,
    EdDsa,
}

impl Algorithm {
    /// By its name (RFC 7518, RFC 8037).
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "RS256" => Self::Rs256,
            "RS384" => Self::Rs384,
            "RS512" => Self::Rs512,
            "PS256" => Self::Ps256,
            "PS384" => Self::Ps384,
            "PS512" => Self::Ps512,
            "ES256" => Self::Es256,
            "ES384" => Self::Es384,
            "EdDSA" => Self::EdDsa,
            _ => return None,
        })
    }

    fn rsa_key(self) -> Option<&'static RsaParameters> {
        Some(match self {
            Self::Rs256 => &signature::RSA_PKCS1_2048_8192_SHA256,
            Self::Rs384 => &signature::RSA_PKCS1_2048_8192_SHA384,
            Self::Rs512 => &signature::RSA_PKCS1_2048_8192_SHA512,
            Self::Ps256 => &signature::RSA_PSS_2048_8192_SHA256,
            Self::Ps384 => &signature::RSA_PSS_2048_8192_SHA384,
            Self::Ps512 => &signature::RSA_PSS_2048_8192_SHA512,
            Self::Es256 | Self::Es384 | Self::EdDsa => return None,
        })
    }
}

/// A key of the provider.
#[derive(Clone, Debug)]
pub(super) struct ProviderKey {
    id: Option<String>,
    algorithm: Option<String>,
    material: KeyMaterial,
}

#[derive(Clone, Debug)]
enum KeyMaterial {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    P256(Vec<u8>),
    P384(Vec<u8>),
    Ed25519(Vec<u8>),
}

/// A key as the provider publishes it.
#[derive(Deserialize)]
struct PublishedKey {
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
#[derive(Clone, Debug, Default)]
pub(super) struct ProviderKeys(Vec<ProviderKey>);

/// The key of a token.
pub(super) enum KeyChoice<'k> {
    Found(&'k ProviderKey),
    /// None has that id: the provider may have new ones.
    Unknown,
}

impl ProviderKeys {
    /// Reads a JWK set. Keys of kinds that are not known here are passed over. `None` where it is no set.
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
        let keys = keys.filter_map(|key| ProviderKey::read(serde_json::from_value(key).ok()?));
        Some(Self(keys.collect()))
    }

    /// The key that a token names; where it names none, the only one that its algorithm can have.
    pub(super) fn choose(&self, token: &SignedToken<'_>) -> KeyChoice<'_> {
        let fitting = self
            .0
            .iter()
            .filter(|key| key.fits_algorithm(token.algorithm));
        let mut fitting: Box<dyn Iterator<Item = &ProviderKey>> = match &token.key_id {
            Some(id) => Box::new(fitting.filter(move |key| key.id.as_ref() == Some(id))),
            None => Box::new(fitting),
        };
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => KeyChoice::Found(only),
            _ => KeyChoice::Unknown,
        }
    }
}

impl ProviderKey {
    fn read(key: PublishedKey) -> Option<Self> {
        if key.usage.is_some_and(|usage| usage != "sig") {
            return None;
        }
        let bytes = |text: Option<&String>| URL_SAFE_NO_PAD.decode(text?).ok();
        let point = |length: usize| {
            let (x, y) = (bytes(key.x.as_ref())?, bytes(key.y.as_ref())?);
            (x.len() == length && y.len() == length).then(|| [&[4], x.as_slice(), &y].concat())
        };
        let material = match (key.kty.as_str(), key.crv.as_deref()) {
            ("RSA", _) => {
                let bare =
                    |bytes: Vec<u8>| bytes.into_iter().skip_while(|byte| *byte == 0).collect();
                KeyMaterial::Rsa {
                    n: bare(bytes(key.n.as_ref())?),
                    e: bare(bytes(key.e.as_ref())?),
                }
            }
            ("EC", Some("P-256")) => KeyMaterial::P256(point(32)?),
            ("EC", Some("P-384")) => KeyMaterial::P384(point(48)?),
            ("OKP", Some("Ed25519")) => KeyMaterial::Ed25519(bytes(key.x.as_ref())?),
            _ => return None,
        };
        Some(Self {
            id: key.kid,
            algorithm: key.alg,
            material,
        })
    }

    /// Whether the key is for that algorithm: by its kind, and by what the provider says of it.
    fn fits_algorithm(&self, algorithm: Algorithm) -> bool {
        let is_said = self
            .algorithm
            .as_deref()
            .is_none_or(|said| Algorithm::named(said) == Some(algorithm));
        is_said
            && match &self.material {
                KeyMaterial::Rsa { .. } => algorithm.rsa_key().is_some(),
                KeyMaterial::P256(_) => algorithm == Algorithm::Es256,
                KeyMaterial::P384(_) => algorithm == Algorithm::Es384,
                KeyMaterial::Ed25519(_) => algorithm == Algorithm::EdDsa,
            }
    }

    /// Whether the key signed the token.
    pub(super) fn has_signed(&self, token: &SignedToken<'_>) -> bool {
        let (text, signature) = (token.signed.as_bytes(), token.signature.as_slice());
        let plain = |algorithm: &'static dyn VerificationAlgorithm, key: &[u8]| {
            UnparsedPublicKey::new(algorithm, key)
                .verify(text, signature)
                .is_ok()
        };
        match &self.material {
            KeyMaterial::Rsa { n, e } => token.algorithm.rsa_key().is_some_and(|parameters| {
                let key = RsaPublicKeyComponents { n, e };
                key.verify(parameters, text, signature).is_ok()
            }),
            KeyMaterial::P256(point) => plain(&signature::ECDSA_P256_SHA256_FIXED, point),
            KeyMaterial::P384(point) => plain(&signature::ECDSA_P384_SHA384_FIXED, point),
            KeyMaterial::Ed25519(point) => plain(&signature::ED25519, point),
        }
    }
}

/// A token that was taken apart; nothing of it is true yet.
pub(super) struct SignedToken<'t> {
    pub(super) algorithm: Algorithm,
    key_id: Option<String>,
    signed: &'t str,
    signature: Vec<u8>,
    claims: Map<String, Value>,
}

/// Why a text is no token that could be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenForm {
    /// Not three parts of JSON, JSON and a signature.
    Broken,
    /// Signed in a way that is not taken.
    Algorithm(String),
}

impl<'t> SignedToken<'t> {
    /// Takes a token apart. JSON that two readers could read differently is none.
    pub(super) fn parse(text: &'t str) -> Result<Self, TokenForm> {
        if text.len() > TOKEN_BYTES_MAX {
            return Err(TokenForm::Broken);
        }
        let (signed, signature) = text.rsplit_once('.').ok_or(TokenForm::Broken)?;
        let (head, claims) = signed.split_once('.').ok_or(TokenForm::Broken)?;
        let bytes = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| TokenForm::Broken);
        let object = |part: &str| {
            let fields = ObjectFields::read(&bytes(part)?).map_err(|_| TokenForm::Broken)?;
            Ok(fields.into_map())
        };
        let head = object(head)?;
        // What a header calls critical would have to be understood (RFC 7515, 4.1.11).
        if head.contains_key("crit") {
            return Err(TokenForm::Broken);
        }
        let name = head
            .get("alg")
            .and_then(Value::as_str)
            .ok_or(TokenForm::Broken)?;
        let refused = || TokenForm::Algorithm(mem_core::memory_path::printable(name));
        let key_id = match head.get("kid") {
            None => None,
            Some(id) => Some(id.as_str().ok_or(TokenForm::Broken)?.to_owned()),
        };
        Ok(Self {
            algorithm: Algorithm::named(name).ok_or_else(refused)?,
            key_id,
            signed,
            signature: bytes(signature)?,
            claims: object(claims)?,
        })
    }

    /// What it says, once the signature was checked.
    pub(super) fn into_claims(self) -> Map<String, Value> {
        self.claims
    }
}
