//! A record of the journal that is sealed: bound to where it stands, so that none can be put in the place of another,
//! or into another journal.
//!
//! Bytes: `MEMS`, the length of what is sealed (u64 LE), its sha256 (32), what is sealed: a record as it would stand
//! there plain. By the checksum a torn end is told from a content that somebody changed.

use super::record::JournalRecord;
use crate::history::Sha256;
use crate::sealing::{SealError, StateCipher};

/// The first bytes.
const MAGIC: &[u8; 4] = b"MEMS";
/// What errors call one.
const RECORD: &str = "a record of the journal";

/// A record as it stands in the journal, whole.
pub(super) enum Framed<'j> {
    Plain(Box<JournalRecord>),
    Sealed(&'j [u8]),
}

impl<'j> Framed<'j> {
    /// Takes the first one off `input`; `None` at the end or where it is torn.
    pub(super) fn take(input: &mut &'j [u8]) -> Option<Self> {
        let Some(rest) = input.strip_prefix(MAGIC.as_slice()) else {
            return JournalRecord::take(input).map(|record| Self::Plain(Box::new(record)));
        };
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (digest, rest) = rest.split_first_chunk::<32>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (sealed, rest) = rest.split_at_checked(length)?;
        if Sha256::digest(sealed).as_bytes() != digest {
            return None;
        }
        *input = rest;
        Some(Self::Sealed(sealed))
    }

    /// The record that stands at `at` in the journal that was begun at this commit; `None` where it is none.
    pub(super) fn open(
        self,
        seal: &StateCipher,
        begun_at: Option<&str>,
        at: u64,
    ) -> Result<Option<JournalRecord>, SealError> {
        let sealed = match self {
            Self::Plain(record) => return Ok(Some(*record)),
            Self::Sealed(sealed) => sealed,
        };
        let key = seal.key_of(sealed, RECORD)?;
        let plain = key.open(sealed, &belonging(begun_at, &at.to_string()), RECORD)?;
        Ok(JournalRecord::take(&mut plain.as_slice()))
    }
}

fn belonging<'b>(begun_at: Option<&'b str>, at: &'b str) -> [&'b str; 3] {
    ["journal", begun_at.unwrap_or_default(), at]
}
