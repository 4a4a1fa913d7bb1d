//! The journal: changes whose objects may not have reached the disk yet.
//!
//! Objects of the history are written without a sync each (there are several a change); the
//! journal holds the same contents in one synced append. It is emptied at a checkpoint, when the
//! history as a whole has been synced. Its first line names the boot in which it was begun and
//! the commit of the checkpoint: after another boot everything since then is made again.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use git2::Oid;
use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::places::Places;
use super::record::Record;
use super::sealed_record::{self, Framed};
use crate::regular_file;
use crate::sealing::Seal;

/// A journal larger than this is due for a checkpoint.
const CHECKPOINT_BYTES: u64 = 4 * 1024 * 1024;
/// The trailer after each record: the length of the record (u64 LE), so that the last one is
/// found from the end.
const TRAILER_BYTES: u64 = 8;
/// The first line is shorter.
const HEADER_BYTES_MAX: u64 = 512;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    boot: Option<String>,
    checkpoint: Option<String>,
}

/// The journal of one memory directory. Used under the lock only.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    /// Records are sealed one by one, each for its place in this journal.
    seal: Seal,
}

/// What a journal holds.
#[derive(Debug)]
pub(super) struct Contents {
    /// The last commit known to be on the disk.
    pub(super) checkpoint: Option<Oid>,
    /// The changes since then, oldest first.
    pub(super) records: Vec<Record>,
}

impl Journal {
    pub(super) fn of(places: &Places) -> Self {
        Self {
            path: places.journal(),
            seal: places.seal.clone(),
        }
    }

    /// The last record, read from the end; `None` in an empty or absent journal.
    ///
    /// A torn end (a crash while appending) counts as absent: that change never began.
    pub(super) fn last(&self) -> Result<Option<Record>, StoreError> {
        let fail = || StoreError::io("read", &self.path);
        let Some(mut file) = self.open()? else {
            return Ok(None);
        };
        let length = file.metadata().map_err(fail())?.len();
        let mut trailer = [0; 8];
        if length <= TRAILER_BYTES || file.seek(SeekFrom::End(-8)).is_err() {
            return Ok(None);
        }
        file.read_exact(&mut trailer).map_err(fail())?;
        let size = u64::from_le_bytes(trailer);
        let start = length
            .checked_sub(TRAILER_BYTES)
            .and_then(|end| end.checked_sub(size));
        let Some(start) = start else {
            return self.trim();
        };
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start)).map_err(fail())?;
        file.take(size).read_to_end(&mut bytes).map_err(fail())?;
        let Some(framed) = Framed::take(&mut bytes.as_slice()) else {
            return self.trim();
        };
        let (begun_at, length) = self.beginning()?;
        match framed.open(
            &self.seal,
            begun_at.as_deref(),
            start.saturating_sub(length),
        )? {
            Some(record) => Ok(Some(record)),
            None => self.trim(),
        }
    }

    /// Cuts off a torn end and returns the last whole record.
    fn trim(&self) -> Result<Option<Record>, StoreError> {
        let fail = || StoreError::io("repair", &self.path);
        let bytes = regular_file::read_whole(&self.path).map_err(fail())?;
        let Some((header, mut rest)) = split_header(&bytes) else {
            self.open_for_append()?.set_len(0).map_err(fail())?;
            return Ok(None);
        };
        let (begun_at, length) = (header.checkpoint.as_deref(), bytes.len() - rest.len());
        let (mut last, mut whole) = (None, length);
        while let Some(framed) = take_with_trailer(&mut rest) {
            let Some(record) = framed.open(&self.seal, begun_at, (whole - length) as u64)? else {
                break;
            };
            last = Some(record);
            whole = bytes.len() - rest.len();
        }
        self.open_for_append()?
            .set_len(whole as u64)
            .map_err(fail())?;
        Ok(last)
    }

    /// Whether it was begun in another boot (then its changes must be looked at).
    pub(super) fn is_from_other_boot(&self) -> Result<bool, StoreError> {
        let header = self.header()?.map(|(header, _)| header);
        Ok(header.is_some_and(|header| header.boot != crate::platform::boot_id()))
    }

    /// The first line, and how long it is.
    fn header(&self) -> Result<Option<(Header, u64)>, StoreError> {
        let Some(file) = self.open()? else {
            return Ok(None);
        };
        let mut head = Vec::new();
        file.take(HEADER_BYTES_MAX)
            .read_to_end(&mut head)
            .map_err(StoreError::io("read", &self.path))?;
        let split = split_header(&head);
        Ok(split.map(|(header, rest)| (header, (head.len() - rest.len()) as u64)))
    }

    /// The checkpoint that it was begun at, and where its records begin: what a sealed one is bound to.
    fn beginning(&self) -> Result<(Option<String>, u64), StoreError> {
        let header = self.header()?;
        Ok(header.map_or((None, 0), |(header, length)| (header.checkpoint, length)))
    }

    /// Whether it was begun at another commit than this one.
    pub(super) fn begins_elsewhere(&self, head: Option<Oid>) -> Result<bool, StoreError> {
        let contents = self.contents()?;
        Ok(contents.is_some_and(|contents| contents.checkpoint != head))
    }

    /// Reads the whole journal; `None` where there is none or its first line is damaged.
    pub(super) fn contents(&self) -> Result<Option<Contents>, StoreError> {
        let Some(mut file) = self.open()? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(StoreError::io("read", &self.path))?;
        let Some((header, mut rest)) = split_header(&bytes) else {
            return Ok(None);
        };
        let (begun_at, mut records) = (header.checkpoint.as_deref(), Vec::new());
        let (length, mut at) = (rest.len(), 0);
        while let Some(framed) = take_with_trailer(&mut rest) {
            let Some(record) = framed.open(&self.seal, begun_at, at as u64)? else {
                break;
            };
            records.push(record);
            at = length - rest.len();
        }
        Ok(Some(Contents {
            checkpoint: header.checkpoint.and_then(|hex| Oid::from_str(&hex).ok()),
            records,
        }))
    }

    /// How many records open, and what is wrong with the first that does not. A torn end is nothing wrong.
    pub(super) fn opened(&self) -> Result<(usize, Option<String>), StoreError> {
        let bytes = match regular_file::read_whole(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok((0, None)),
            Err(error) => return Err(StoreError::io("read", &self.path)(error)),
        };
        let Some((header, mut rest)) = split_header(&bytes) else {
            return Ok((0, None));
        };
        let (length, mut count) = (rest.len(), 0);
        loop {
            let at = (length - rest.len()) as u64;
            if Framed::is_changed(rest) {
                return Ok((count, Some("a record was changed".to_owned())));
            }
            let Some(framed) = take_with_trailer(&mut rest) else {
                return Ok((count, None));
            };
            match framed.open(&self.seal, header.checkpoint.as_deref(), at) {
                Ok(Some(_)) => count += 1,
                Ok(None) => return Ok((count, Some("a record is none".to_owned()))),
                Err(error) => return Ok((count, Some(error.to_string()))),
            }
        }
    }

    /// Appends a record and syncs it (`durable`) or leaves that to the next append.
    /// Returns the length before, for [`Journal::take_back`].
    pub(super) fn append(
        &self,
        record: &Record,
        checkpoint: Option<Oid>,
        durable: bool,
    ) -> Result<u64, StoreError> {
        self.append_encoded(self.encoded(record)?, checkpoint, durable)
    }

    /// A record as bytes, for [`Journal::append_encoded`].
    pub(super) fn encoded(&self, record: &Record) -> Result<Vec<u8>, StoreError> {
        let fail = StoreError::io("write", &self.path);
        record.encode().map_err(|error| fail(error.into()))
    }

    /// Appends a record that was encoded before.
    pub(super) fn append_encoded(
        &self,
        mut record: Vec<u8>,
        checkpoint: Option<Oid>,
        durable: bool,
    ) -> Result<u64, StoreError> {
        let fail = || StoreError::io("write", &self.path);
        let mut file = self.open_for_append()?;
        let mut before = file.metadata().map_err(fail())?.len();
        let mut bytes = Vec::new();
        if before == 0 {
            bytes = header_line(checkpoint);
            before = bytes.len() as u64;
        }
        if let Some(key) = self.seal.key()? {
            let (begun_at, length) = match bytes.is_empty() {
                true => self.beginning()?,
                false => (checkpoint.map(|oid| oid.to_string()), before),
            };
            let at = before - length.min(before);
            record = sealed_record::seal(key.as_ref(), &record, begun_at.as_deref(), at)?;
        }
        bytes.extend_from_slice(&record);
        bytes.extend_from_slice(&(record.len() as u64).to_le_bytes());
        let written = file.write_all(&bytes).and_then(|()| match durable {
            true => file.sync_data(),
            false => Ok(()),
        });
        if let Err(error) = written {
            // Half a record would end the journal for good.
            let _ = file.set_len(before);
            return Err(fail()(error));
        }
        Ok(before)
    }

    /// Takes the last append back, after its change was called off.
    pub(super) fn take_back(&self, length: u64) -> Result<(), StoreError> {
        let file = self.open_for_append()?;
        file.set_len(length)
            .map_err(StoreError::io("shorten", &self.path))
    }

    /// Whether it is time to sync the history as a whole and begin anew.
    pub(super) fn is_due(&self) -> bool {
        std::fs::metadata(&self.path).is_ok_and(|meta| meta.len() > CHECKPOINT_BYTES)
    }

    /// Begins anew, everything up to `checkpoint` being on the disk.
    pub(super) fn reset(&self, checkpoint: Option<Oid>) -> Result<(), StoreError> {
        Ok(crate::atomic::replace(
            &self.path,
            &header_line(checkpoint),
        )?)
    }

    fn open(&self) -> Result<Option<File>, StoreError> {
        match regular_file::open(&self.path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("open", &self.path)(error)),
        }
    }

    fn open_for_append(&self) -> Result<File, StoreError> {
        regular_file::append(&self.path).map_err(StoreError::io("open", &self.path))
    }
}

fn header_line(checkpoint: Option<Oid>) -> Vec<u8> {
    let header = Header {
        boot: crate::platform::boot_id(),
        checkpoint: checkpoint.map(|oid| oid.to_string()),
    };
    let mut line = serde_json::to_vec(&header).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Takes a record and its trailer off `input`; `None` leaves the rest as it is.
fn take_with_trailer<'i>(input: &mut &'i [u8]) -> Option<Framed<'i>> {
    let mut rest = *input;
    let record = Framed::take(&mut rest)?;
    *input = rest.get(8..)?;
    Some(record)
}

fn split_header(bytes: &[u8]) -> Option<(Header, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    Some((
        serde_json::from_slice(&bytes[..end]).ok()?,
        &bytes[end + 1..],
    ))
}
