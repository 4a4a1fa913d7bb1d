//! The journal: a first line that names the last synced commit, then records of changes since, each with the length of
//! it behind it (u64 LE).

use std::path::Path;

use git2::Oid;
use serde::Deserialize;

use super::record::JournalRecord;
use super::sealed_record::Framed;
use crate::history::HistoryError;
use crate::regular_file;
use crate::regular_file::if_there;
use crate::sealing::StateCipher;

/// The first line.
#[derive(Deserialize)]
struct JournalHeader {
    checkpoint: Option<String>,
}

/// What a journal holds.
#[derive(Default)]
pub(super) struct Journal {
    /// The last commit known to be on the disk.
    pub(super) checkpoint: Option<Oid>,
    /// The changes since then, oldest first.
    pub(super) records: Vec<JournalRecord>,
}

impl Journal {
    /// Reads a journal; one that is not there, or whose first line is damaged, is an empty one. A torn end is a
    /// change that never began.
    pub(super) fn read(path: &Path, seal: &StateCipher) -> Result<Self, HistoryError> {
        let read = if_there(regular_file::read_whole(path));
        let bytes = read
            .map_err(HistoryError::io("read", path))?
            .unwrap_or_default();
        let Some((header, mut rest)) = split_header(&bytes) else {
            return Ok(Self::default());
        };
        let (begun_at, length) = (header.checkpoint.as_deref(), rest.len());
        let (mut records, mut at) = (Vec::new(), 0);
        while let Some(framed) = take_with_trailer(&mut rest) {
            let Some(record) = framed.open(seal, begun_at, at as u64)? else {
                break;
            };
            records.push(record);
            at = length - rest.len();
        }
        Ok(Self {
            checkpoint: begun_at.and_then(|hex| Oid::from_str(hex).ok()),
            records,
        })
    }
}

/// Takes a record and its trailer off `input`; `None` leaves the rest as it is.
fn take_with_trailer<'i>(input: &mut &'i [u8]) -> Option<Framed<'i>> {
    let mut rest = *input;
    let record = Framed::take(&mut rest)?;
    *input = rest.get(8..)?;
    Some(record)
}

fn split_header(bytes: &[u8]) -> Option<(JournalHeader, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((
        serde_json::from_slice(&bytes[..end]).ok()?,
        &bytes[end + 1..],
    ))
}
