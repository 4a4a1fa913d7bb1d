//! Contents that are made ready for the history before it is known whether they go there: packing takes longer than
//! all else that a large change does, and what comes over a line can be packed while the rest of it comes.

use std::sync::Arc;

use git2::ObjectType;

use super::digest::Sha256;
use super::error::HistoryError;
use super::pack::{Packed, Packer};

/// A content with what a plain history needs of it. A sealed one has no use for it.
#[derive(Debug)]
pub struct Parcel {
    bytes: Arc<Vec<u8>>,
    sha256: Sha256,
    packed: Packed,
}

impl Parcel {
    /// Whether it was made of these very bytes: not of the like of them somewhere else.
    pub fn is_of(&self, bytes: &Arc<Vec<u8>>) -> bool {
        Arc::ptr_eq(&self.bytes, bytes)
    }

    /// The digest of the bytes.
    pub(crate) fn sha256(&self) -> Sha256 {
        self.sha256
    }

    /// The blob of the bytes.
    pub(super) fn packed(&self) -> &Packed {
        &self.packed
    }
}

/// Makes parcels, one after the other.
#[derive(Debug)]
pub struct Parcels(Packer);

impl Default for Parcels {
    fn default() -> Self {
        Self(Packer::new())
    }
}

impl Parcels {
    /// Makes one of bytes whose digest is known.
    ///
    /// # Errors
    /// They cannot be packed.
    pub fn parcel(&mut self, bytes: Arc<Vec<u8>>, sha256: Sha256) -> Result<Parcel, HistoryError> {
        let packed = self.0.pack(ObjectType::Blob, &bytes)?;
        Ok(Parcel {
            bytes,
            sha256,
            packed,
        })
    }
}
