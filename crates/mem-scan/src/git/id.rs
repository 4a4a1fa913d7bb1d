//! The name of an object, in repositories of SHA-1 and of SHA-256.

use std::fmt;

use git2::Oid;

/// Bytes of a name: of SHA-1 and of SHA-256.
const NAME_BYTES: [usize; 2] = [20, 32];

/// The hash that names an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    bytes: [u8; 32],
    length: u8,
}

impl ObjectId {
    /// Reads the bytes that git writes into trees; `None` for any other number of them.
    pub(crate) fn from_bytes(name: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        let fits = NAME_BYTES.contains(&name.len());
        bytes.get_mut(..name.len())?.copy_from_slice(name);
        let length = u8::try_from(name.len()).ok().filter(|_| fits)?;
        Some(Self { bytes, length })
    }

    /// Reads 40 or 64 hexadecimal digits.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let bytes: Option<Vec<u8>> = digits
            .chunks(2)
            .map(|pair| match *pair {
                [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
                _ => None,
            })
            .collect();
        Self::from_bytes(&bytes?)
    }

    /// The name's bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// Whether it names nothing, as git says it of a reference that is not there.
    pub(crate) fn is_zero(&self) -> bool {
        self.bytes == [0; 32]
    }

    /// The same for libgit2.
    ///
    /// # Errors
    /// It is of SHA-256.
    pub(crate) fn oid(&self) -> Result<Oid, git2::Error> {
        Oid::from_bytes(self.as_bytes())
    }
}

impl From<Oid> for ObjectId {
    fn from(oid: Oid) -> Self {
        let mut bytes = [0; 32];
        let name = oid.as_bytes();
        bytes[..name.len()].copy_from_slice(name);
        Self {
            bytes,
            length: NAME_BYTES[0] as u8,
        }
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.as_bytes().iter();
        bytes.try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_are_names_and_nothing_else_is() {
        for digits in [40, 64] {
            let text = "0a".repeat(digits / 2);
            let id = ObjectId::parse(&text).unwrap();
            assert_eq!(id.to_string(), text);
            assert_eq!(ObjectId::from_bytes(id.as_bytes()), Some(id));
            assert!(ObjectId::parse(&"0".repeat(digits)).unwrap().is_zero());
            assert!(!id.is_zero());
        }
        for text in ["", "0a", &"0".repeat(41), &"g".repeat(40), &"0".repeat(66)] {
            assert_eq!(ObjectId::parse(text), None, "{text}");
        }
    }
}
