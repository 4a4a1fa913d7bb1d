//! The stores that are attached, as far as that is known without asking anybody.

use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_stores::attached::AttachedStores;
use mem_stores::attached::{Attachment, CopyStatus};
use mem_tools::ToolEnvironment;
use serde_json::{Value, json};

/// What a status tells of them.
#[derive(Debug, Default)]
pub struct AttachedStatus(pub Vec<AttachedStoreStatus>);

/// One of them.
#[derive(Debug)]
pub struct AttachedStoreStatus {
    /// What is attached.
    pub attachment: Attachment,
    /// The memories of its copy.
    pub memories: usize,
    /// Changes that were not sent yet.
    pub waiting: usize,
    /// How its copy is.
    pub status: CopyStatus,
}

impl AttachedStatus {
    /// Looks at what is remembered.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn for_project(
        place: &ProjectContext,
        environment: &ToolEnvironment,
    ) -> Result<Self, HomeError> {
        let Some(attached) = AttachedStores::open_for(place, environment)? else {
            return Ok(Self::default());
        };
        let stores = attached.attachments.iter().map(|attachment| {
            let copy = attached.open_store(attachment).copy;
            AttachedStoreStatus {
                memories: copy.sync_base().memories.len(),
                waiting: copy.unsent_changes().paths.len(),
                status: copy.read_status(),
                attachment: attachment.clone(),
            }
        });
        Ok(Self(stores.collect()))
    }

    /// The stable shape.
    pub fn to_json(&self) -> Value {
        let all = self.0.iter().map(|one| {
            json!({
                "mount_path": one.attachment.mount_path(), "access": one.attachment.access,
                "memories": one.memories, "waiting": one.waiting,
                "held": one.status.held.len(), "aside": one.status.aside.len(),
                "trouble": one.status.trouble,
            })
        });
        Value::Array(all.collect())
    }
}
