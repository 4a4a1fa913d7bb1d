//! Ids of notes, changes and versions: a prefix and 24 characters, derived by hashing.
//!
//! They are derived and not drawn, so that a note that no command has recorded yet already has
//! the id under which the next command will record it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::digest::Sha256;

/// Crockford's alphabet: no i, l, o, u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters after the prefix; five bits each.
const ID_CHARS: usize = 24;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Derives an id from parts; the same parts give the same id.
            pub fn derive(parts: &[&[u8]]) -> Self {
                Self(derive($prefix, parts))
            }

            /// Takes an id that was stored before.
            pub fn from_stored(text: &str) -> Self {
                Self(text.to_owned())
            }

            /// Reads an id that came from outside; `None` for what is none.
            pub fn parse(text: &str) -> Option<Self> {
                let bare = text.strip_prefix($prefix)?;
                let is_id = bare.len() == ID_CHARS && bare.bytes().all(|c| ALPHABET.contains(&c));
                is_id.then(|| Self(text.to_owned()))
            }

            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

id!(
    /// A note, stable across renames and adoption.
    NoteId,
    "mem_"
);
id!(
    /// One command, or one batch of foreign writes.
    ChangeId,
    "chg_"
);
id!(
    /// What one change did to one file.
    VersionId,
    "memver_"
);
id!(
    /// A write of an agent that waits for a person.
    ProposalId,
    "inb_"
);

/// Hashes length-prefixed parts and writes the head of the digest in base 32.
fn derive(prefix: &str, parts: &[&[u8]]) -> String {
    let mut input = prefix.as_bytes().to_vec();
    for part in parts {
        input.extend_from_slice(&(part.len() as u64).to_le_bytes());
        input.extend_from_slice(part);
    }
    let digest = Sha256::digest(&input);
    let mut id = prefix.to_owned();
    let (mut bits, mut held) = (0_u32, 0_u32);
    // 15 bytes carry the 24 characters.
    for &byte in digest.as_bytes().iter().take(ID_CHARS * 5 / 8) {
        bits = (bits << 8) | u32::from(byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            id.push(char::from(ALPHABET[(bits >> held) as usize & 31]));
        }
        bits &= (1 << held) - 1;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_stable_and_distinct() {
        let one = NoteId::derive(&[b"store", b"a.md"]);
        assert_eq!(one, NoteId::derive(&[b"store", b"a.md"]));
        assert_ne!(one, NoteId::derive(&[b"storea", b".md"]));
        assert_eq!(one.as_str().len(), "mem_".len() + ID_CHARS);
        assert_eq!(NoteId::parse(one.as_str()), Some(one.clone()));
        for bad in [
            "",
            "mem_",
            "mem_x\ty",
            &format!("{one}a"),
            &one.as_str()[4..],
        ] {
            assert_eq!(NoteId::parse(bad), None, "{bad}");
        }
    }
}
