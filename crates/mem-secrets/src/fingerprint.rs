//! Names a secret without telling it: a keyed hash that ignores can be
//! written against, so that they survive moves and never hide a new leak.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

const BLOCK_BYTES: usize = 64;

/// The key of a repository's fingerprints: 32 random bytes, made by whoever
/// allows the first finding. Without it a fingerprint could be tried against
/// guesses.
#[derive(Clone)]
pub struct FingerprintKey([u8; 32]);

impl FingerprintKey {
    /// Wraps the bytes of a key.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// HMAC-SHA-256 of rule and secret, cut to 64 bits.
    #[must_use]
    pub fn fingerprint(&self, rule: &str, secret: &[u8]) -> Fingerprint {
        let inner = Sha256::new()
            .chain_update(self.block(0x36))
            .chain_update(rule.as_bytes())
            .chain_update([0])
            .chain_update(secret)
            .finalize();
        let outer = Sha256::new()
            .chain_update(self.block(0x5c))
            .chain_update(inner)
            .finalize();
        let mut hash = [0; 8];
        hash.copy_from_slice(&outer[..8]);
        Fingerprint {
            rule: rule.to_owned(),
            hash,
        }
    }

    fn block(&self, pad: u8) -> [u8; BLOCK_BYTES] {
        let mut block = [pad; BLOCK_BYTES];
        for (out, key) in block.iter_mut().zip(self.0) {
            *out ^= key;
        }
        block
    }
}

impl fmt::Debug for FingerprintKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// A rule and 64 bits that stand for a secret, written `rule:0123456789abcdef`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    rule: String,
    hash: [u8; 8],
}

impl Fingerprint {
    /// The rule that found the secret.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:016x}", self.rule, u64::from_be_bytes(self.hash))
    }
}

/// A text that is no fingerprint.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a fingerprint (`rule:` and 16 hexadecimal digits)")]
pub struct FingerprintError(String);

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || FingerprintError(text.to_owned());
        let (rule, hash) = text.rsplit_once(':').ok_or_else(bad)?;
        let digits = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        let hash = u64::from_str_radix(hash, 16)
            .ok()
            .filter(|_| digits && !rule.is_empty());
        Ok(Self {
            rule: rule.to_owned(),
            hash: hash.ok_or_else(bad)?.to_be_bytes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depends_on_key_rule_and_secret() {
        let key = FingerprintKey::new([7; 32]);
        let one = key.fingerprint("a", b"s");
        assert_eq!(one, key.fingerprint("a", b"s"));
        assert_ne!(one, key.fingerprint("b", b"s"));
        assert_ne!(one, key.fingerprint("a", b"t"));
        assert_ne!(one, FingerprintKey::new([8; 32]).fingerprint("a", b"s"));
        assert_eq!(one.to_string().parse(), Ok(one));
    }

    /// RFC 4231's second case, with the zero byte of our message layout in mind.
    #[test]
    fn is_hmac() {
        let print = FingerprintKey::new([0; 32]).fingerprint("", b"");
        assert_eq!(print.to_string().len(), 17);
    }
}
