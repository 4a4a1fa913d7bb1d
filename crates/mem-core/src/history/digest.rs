//! The sha256 of a file's raw bytes.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::Digest as _;

/// 32 bytes, shown and stored as 64 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Sha256([u8; 32]);

impl Sha256 {
    /// The digest of some bytes.
    pub fn digest(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// A digest that was stored as its bytes.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Takes a digest out of a database; `None` for another number of bytes.
    pub(crate) fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In one piece: a catalog holds thousands of them.
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let mut text = [0; 64];
        for (place, digit) in text.iter_mut().zip(digits) {
            *place = b"0123456789abcdef"[usize::from(digit)];
        }
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Not 64 lower-case hexadecimal digits.
#[derive(Debug, thiserror::Error)]
#[error("not a sha256 in hexadecimal")]
pub struct NotSha256;

impl FromStr for Sha256 {
    type Err = NotSha256;

    fn from_str(text: &str) -> Result<Self, NotSha256> {
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(NotSha256);
        }
        // Without a branch for each digit: a catalog holds thousands of them.
        let mut all = 0;
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let (high, low) = (DIGITS[usize::from(pair[0])], DIGITS[usize::from(pair[1])]);
            *byte = high << 4 | (low & 15);
            all |= high | low;
        }
        match all < 16 {
            true => Ok(Self(bytes)),
            false => Err(NotSha256),
        }
    }
}

/// The value of each lower-case hexadecimal digit, and more than 15 for what is none.
const DIGITS: [u8; 256] = {
    let mut digits = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        digits[b"0123456789abcdef"[value] as usize] = value as u8;
        value += 1;
    }
    digits
};

impl TryFrom<String> for Sha256 {
    type Error = NotSha256;

    fn try_from(text: String) -> Result<Self, NotSha256> {
        text.parse()
    }
}

impl From<Sha256> for String {
    fn from(digest: Sha256) -> Self {
        digest.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_round_trip() {
        let digest = Sha256::digest(b"abc");
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse::<Sha256>().unwrap(), digest);
        assert!(text.to_uppercase().parse::<Sha256>().is_err());
        assert!("ab".parse::<Sha256>().is_err());
        for bad in ["g", "/", ":", "`", " "] {
            assert!(text.replacen('b', bad, 1).parse::<Sha256>().is_err());
        }
    }
}
