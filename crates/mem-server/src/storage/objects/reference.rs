//! What replaces a content in its row: `FF 6F` (no text and nothing sealed begins so), the SHA-256 of the bytes, one
//! byte with the length of the name, the name, and the beginning of what is sealed, which tells its key.

use mem_core::history::Sha256;
use mem_vault::is_sealed;

const MAGIC: [u8; 2] = [0xff, b'o'];
/// Of what is sealed, so much is repeated: its head.
const HEAD_BYTES: usize = 64;
const SHA256_BYTES: usize = 32;

/// Where a content is that was moved.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::storage) struct ContentReference {
    /// The name of the object.
    pub(super) name: String,
    /// Of its bytes, as they are stored.
    sha256: Sha256,
}

impl ContentReference {
    /// What is to be stored for bytes that have this name.
    pub(super) fn to_bytes(name: &str, bytes: &[u8]) -> Vec<u8> {
        let head = match is_sealed(bytes) {
            true => bytes.get(..HEAD_BYTES).unwrap_or(bytes),
            false => &[],
        };
        // Names are ours, and short.
        let length = u8::try_from(name.len()).unwrap_or(u8::MAX);
        let sha256 = Sha256::digest(bytes);
        [
            &MAGIC,
            sha256.as_bytes().as_slice(),
            &[length],
            name.as_bytes(),
            head,
        ]
        .concat()
    }

    /// A reference, where these bytes are one.
    pub(in crate::storage) fn read(bytes: &[u8]) -> Option<Self> {
        let (sha256, rest) = bytes.strip_prefix(&MAGIC)?.split_at_checked(SHA256_BYTES)?;
        let (length, rest) = rest.split_first()?;
        let name = rest.get(..usize::from(*length))?;
        Some(Self {
            name: String::from_utf8(name.to_vec()).ok()?,
            sha256: Sha256::from_bytes(sha256.try_into().ok()?),
        })
    }

    /// The beginning of what is sealed, as far as it is known here: of the content itself, or of what it refers to.
    pub(in crate::storage) fn sealed_head(bytes: &[u8]) -> &[u8] {
        match Self::read(bytes) {
            Some(reference) => {
                let head = MAGIC.len() + SHA256_BYTES + 1 + reference.name.len();
                bytes.get(head..).unwrap_or_default()
            }
            None => bytes,
        }
    }

    /// Whether these are the bytes that it was made for.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        Sha256::digest(bytes) == self.sha256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_read_as_it_was_made() {
        let bytes = ContentReference::to_bytes("memstore_1/a", b"text");
        let reference = ContentReference::read(&bytes).unwrap();
        assert_eq!(reference.name, "memstore_1/a");
        assert!(reference.is_of(b"text") && !reference.is_of(b"test"));
        assert_eq!(ContentReference::sealed_head(&bytes), b"");
        assert_eq!(ContentReference::sealed_head(b"text"), b"text");
        assert!(std::str::from_utf8(&bytes).is_err() && !is_sealed(&bytes));
    }

    #[test]
    fn what_was_cut_short_is_no_reference() {
        let bytes = ContentReference::to_bytes("memstore_1/a", b"text");
        for length in 0..bytes.len() {
            assert_eq!(ContentReference::read(&bytes[..length]), None);
        }
    }
}
