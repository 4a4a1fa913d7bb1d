//! A record of the journal that is sealed: bound to where it stands, so that none can be put in the place of another,
//! or into another journal.
//!
//! Bytes: `MEMS`, the length of what is sealed (u64 LE), its sha256 (32), what is sealed: a record as it would stand
//! there plain. By the checksum a torn end is told from a content that somebody changed.

use super::record::Record;
use crate::history::Sha256;
use crate::sealing::{Key, Seal, SealError};

/// The first bytes.
const MAGIC: &[u8; 4] = b"MEMS";
/// Magic, length and digest.
const HEAD_BYTES: usize = 4 + 8 + 32;
/// What errors call one.
const RECORD: &str = "a record of the journal";

/// A record as it stands in the journal, whole.
pub(super) enum Framed<'j> {
    Plain(Box<Record>),
    Sealed(&'j [u8]),
}

impl<'j> Framed<'j> {
    /// Takes the first one off `input`; `None` at the end or where it is torn.
    pub(super) fn take(input: &mut &'j [u8]) -> Option<Self> {
        let Some(rest) = input.strip_prefix(MAGIC.as_slice()) else {
            return Record::take(input).map(|record| Self::Plain(Box::new(record)));
        };
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (digest, rest) = rest.split_first_chunk::<32>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (sealed, rest) = rest.split_at_checked(length)?;
        if Sha256::of(sealed).as_bytes() != digest {
            return None;
        }
        *input = rest;
        Some(Self::Sealed(sealed))
    }

    /// Whether a whole one begins here whose bytes somebody changed: its length and the trailer behind it fit.
    pub(super) fn is_changed(input: &[u8]) -> bool {
        let framed = || {
            let rest = input.strip_prefix(MAGIC.as_slice())?;
            let (length, rest) = rest.split_first_chunk::<8>()?;
            let (digest, rest) = rest.split_first_chunk::<32>()?;
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            let (sealed, rest) = rest.split_at_checked(length)?;
            let (trailer, _) = rest.split_first_chunk::<8>()?;
            let is_whole = u64::from_le_bytes(*trailer) == (HEAD_BYTES + length) as u64;
            Some(is_whole && Sha256::of(sealed).as_bytes() != digest)
        };
        framed().unwrap_or(false)
    }

    /// The record that stands at `at` in the journal that was begun at this commit; `None` where it is none.
    pub(super) fn open(
        self,
        seal: &Seal,
        begun_at: Option<&str>,
        at: u64,
    ) -> Result<Option<Record>, SealError> {
        let sealed = match self {
            Self::Plain(record) => return Ok(Some(*record)),
            Self::Sealed(sealed) => sealed,
        };
        let key = seal.key_of(sealed, RECORD)?;
        let plain = key.open(sealed, &belonging(begun_at, &at.to_string()), RECORD)?;
        Ok(Record::take(&mut plain.as_slice()))
    }
}

/// Seals an encoded record for its place.
pub(super) fn seal(
    key: &dyn Key,
    record: &[u8],
    begun_at: Option<&str>,
    at: u64,
) -> Result<Vec<u8>, SealError> {
    let sealed = key.seal(record, &belonging(begun_at, &at.to_string()))?;
    let mut bytes = Vec::with_capacity(HEAD_BYTES + sealed.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&(sealed.len() as u64).to_le_bytes());
    bytes.extend_from_slice(Sha256::of(&sealed).as_bytes());
    bytes.extend_from_slice(&sealed);
    Ok(bytes)
}

fn belonging<'b>(begun_at: Option<&'b str>, at: &'b str) -> [&'b str; 3] {
    ["journal", begun_at.unwrap_or_default(), at]
}
