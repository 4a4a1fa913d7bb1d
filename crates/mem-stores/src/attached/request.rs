//! What a person wants to attach, and the attachment that it becomes.

use mem_core::Now;

use super::attachment_file::{Attachment, StoreAccess};
use super::error::AttachError;
use crate::limits::{ATTACHMENTS_MAX, INSTRUCTIONS_CHARS_MAX};
use crate::wire::MemoryStore;

/// A store that is to be attached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttachmentRequest {
    /// Its id or its name.
    pub store: String,
    /// What agents may do.
    pub access: Option<StoreAccess>,
    /// What agents are told of it.
    pub instructions: Option<String>,
}

impl AttachmentRequest {
    /// Holds what is wanted to the limits.
    ///
    /// # Errors
    /// Instructions are too long, or there are too many stores.
    pub fn check_limits(all: &[Self]) -> Result<(), AttachError> {
        let chars = all.iter().filter_map(|one| one.instructions.as_ref());
        let mut chars = chars.map(|text| text.chars().count());
        if let Some(chars) = chars.find(|chars| *chars > INSTRUCTIONS_CHARS_MAX) {
            return Err(AttachError::Instructions(chars));
        }
        match all.len() > ATTACHMENTS_MAX {
            true => Err(AttachError::TooMany(all.len())),
            false => Ok(()),
        }
    }

    /// The attachment of a store. What is not said stays as it was, where the store is attached already.
    pub fn into_attachment(
        self,
        old: Option<&Attachment>,
        store: MemoryStore,
        base_url: &str,
        now: Now,
    ) -> Attachment {
        let access = self.access.or(old.map(|old| old.access));
        let instructions = self
            .instructions
            .or_else(|| old.map(|old| old.instructions.clone()));
        Attachment {
            store: store.id,
            base_url: base_url.to_owned(),
            slug: String::new(),
            name: store.name,
            description: store.description,
            access: access.unwrap_or_default(),
            instructions: instructions.unwrap_or_default(),
            attached_at: now.0.to_string(),
        }
    }
}
