//! [`TextStorage`]: what a place that keeps texts has to be able to do.

use std::collections::HashMap;

use jiff::Timestamp;
use mem_core::Now;

use super::StoredText;
use crate::error::RecordError;
use crate::record::RecordId;

/// A record that went, for the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedRecord {
    /// Its id.
    pub id: RecordId,
    /// Why.
    pub reason: String,
    /// When.
    pub time: Timestamp,
    /// What took its place.
    pub superseded_by: Option<RecordId>,
}

/// The texts of one namespace.
pub trait TextStorage {
    /// Something that no other storage has and that changes with every write, so that ids are never
    /// given twice.
    ///
    /// # Errors
    /// The place does not answer.
    fn salt(&mut self) -> Result<[u8; 16], RecordError>;

    /// Every text that can be opened.
    ///
    /// # Errors
    /// The place does not answer.
    fn all(&mut self) -> Result<Vec<StoredText>, RecordError>;

    /// The records that [`TextStorage::all`] found last and could not open. A place that seals nothing has none.
    fn closed(&self) -> Vec<RecordId> {
        Vec::new()
    }

    /// Removes one that cannot be opened, if it still is what was found.
    ///
    /// # Errors
    /// As [`TextStorage::remove`].
    fn remove_closed(&mut self, id: &RecordId) -> Result<(), RecordError> {
        Err(RecordError::NotFound(id.clone()))
    }

    /// Adds a text, if nothing was written since [`TextStorage::all`].
    ///
    /// # Errors
    /// [`RecordError::Overtaken`]: something was; the place refuses, or does not answer.
    fn add(&mut self, id: &RecordId, text: String) -> Result<(), RecordError>;

    /// Puts a text in the place of another, in one step, if nothing was written since [`TextStorage::all`].
    ///
    /// # Errors
    /// [`RecordError::Overtaken`]: something was; the place refuses, or does not answer.
    fn replace(&mut self, old: &StoredText, id: &RecordId, text: String)
    -> Result<(), RecordError>;

    /// Removes a text, if it still is what it was.
    ///
    /// # Errors
    /// [`RecordError::Overtaken`]: it is something else by now, or gone; the place refuses, or does not answer.
    fn remove(&mut self, old: &StoredText) -> Result<(), RecordError>;

    /// When records were last retrieved.
    ///
    /// # Errors
    /// The place does not answer.
    fn used(&mut self) -> Result<HashMap<RecordId, Timestamp>, RecordError>;

    /// Remembers that records were retrieved.
    ///
    /// # Errors
    /// The place refuses, or does not answer.
    fn renew(&mut self, ids: &[RecordId], now: Now) -> Result<(), RecordError>;

    /// Remembers what goes.
    ///
    /// # Errors
    /// The place refuses, or does not answer.
    fn remember(&mut self, gone: &DeletedRecord) -> Result<(), RecordError>;

    /// What is remembered of a record that went.
    ///
    /// # Errors
    /// The place does not answer.
    fn gone(&mut self, id: &RecordId) -> Result<Option<DeletedRecord>, RecordError>;
}
