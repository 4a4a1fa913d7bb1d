//! The public name of a key: it says which one, and nothing about it.

use std::fmt;

/// Bytes of a name.
pub(crate) const LENGTH: usize = 8;

/// The name of a data key, or of a master key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId([u8; LENGTH]);

impl KeyId {
    pub(crate) fn from_bytes(bytes: [u8; LENGTH]) -> Self {
        Self(bytes)
    }

    pub(crate) fn as_bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }

    /// Reads what [`KeyId`] writes: 16 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = crate::master::decode_hex::<LENGTH>(text)?;
        Some(Self(*bytes))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let id = KeyId::from_bytes([0, 1, 2, 3, 0xfc, 0xfd, 0xfe, 0xff]);
        assert_eq!(id.to_string(), "00010203fcfdfeff");
        assert_eq!(KeyId::parse("00010203fcfdfeff"), Some(id));
        for wrong in [
            "",
            "00010203fcfdfef",
            "00010203fcfdfeff0",
            "0001020gfcfdfeff",
            "é0010203fcfdfef",
        ] {
            assert_eq!(KeyId::parse(wrong), None, "{wrong}");
        }
    }
}
