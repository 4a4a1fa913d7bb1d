//! What happened, as a receiver gets it: ids, a path, who and when. Never a content, nor a checksum of one.
//!
//! The form is that of the hosted API's webhooks, so that its SDKs read it (`client.beta.webhooks.unwrap`).

use jiff::Timestamp;
use serde_json::json;

use crate::storage::StorageActor;
use crate::storage::sql::stored_words;

/// A type of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// A store was made.
    StoreCreated,
    /// A store was archived.
    StoreArchived,
    /// A store was deleted or erased.
    StoreDeleted,
    /// A memory was made.
    MemoryCreated,
    /// A memory has another content, another path or both.
    MemoryModified,
    /// A memory was deleted.
    MemoryDeleted,
    /// Contents of a memory's earlier versions were removed.
    MemoryRedacted,
    /// A write of the team protocol was refused, because the repository's store had changed.
    TeamConflict,
    /// A client found a secret in a memory and did not send it.
    SecretRefused,
    /// Somebody tries a webhook.
    WebhookTest,
}

/// Every type that a webhook can ask for.
pub const EVENT_TYPES: [EventType; 9] = [
    EventType::StoreCreated,
    EventType::StoreArchived,
    EventType::StoreDeleted,
    EventType::MemoryCreated,
    EventType::MemoryModified,
    EventType::MemoryDeleted,
    EventType::MemoryRedacted,
    EventType::TeamConflict,
    EventType::SecretRefused,
];

stored_words!(EventType {
    StoreCreated => "memory_store.created",
    StoreArchived => "memory_store.archived",
    StoreDeleted => "memory_store.deleted",
    MemoryCreated => "memory.created",
    MemoryModified => "memory.modified",
    MemoryDeleted => "memory.deleted",
    MemoryRedacted => "memory.redacted",
    TeamConflict => "team.conflict",
    SecretRefused => "secret.refused",
    WebhookTest => "webhook.test",
});

impl EventType {
    /// From what a webhook asks for.
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_stored(text).filter(|one| *one != Self::WebhookTest)
    }
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub event_type: EventType,
    /// The workspace, by its id.
    pub workspace: String,
    /// What it happened to: a memory or a store, by its id.
    pub subject: String,
    /// The store; empty where it concerns none.
    pub store: String,
    /// Where the memory is or was, where one is known and was not redacted since.
    pub path: Option<String>,
    /// The version that came of it.
    pub version: Option<String>,
    /// Why: the code of a rejection, the rule that found a secret.
    pub detail: Option<String>,
    /// Who.
    pub actor: StorageActor,
    /// When.
    pub at: Timestamp,
}

impl Event {
    /// An event of a workspace about a store itself.
    pub(crate) fn of_store(
        event_type: EventType,
        workspace: &str,
        store: &str,
        actor: &StorageActor,
        at: Timestamp,
    ) -> Self {
        Self {
            event_type,
            workspace: workspace.to_owned(),
            subject: store.to_owned(),
            store: store.to_owned(),
            path: None,
            version: None,
            detail: None,
            actor: actor.clone(),
            at,
        }
    }

    /// The body of a delivery.
    pub(crate) fn to_json(&self, id: &str) -> Vec<u8> {
        let actor = &self.actor;
        let mut data = json!({
            "type": self.event_type.as_str(),
            "id": self.subject,
            // The hosted API's; this server has no organisations.
            "organization_id": "",
            "workspace_id": self.workspace,
            "actor": { "type": actor.kind.as_str(), "id": actor.id, "name": actor.name },
        });
        let detail = match self.event_type {
            EventType::SecretRefused => "rule",
            _ => "reason",
        };
        let store = Some(&self.store).filter(|store| !store.is_empty());
        for (name, value) in [
            ("memory_store_id", store),
            ("path", self.path.as_ref()),
            ("memory_version_id", self.version.as_ref()),
            (detail, self.detail.as_ref()),
        ] {
            if let Some(value) = value {
                data[name] = json!(value);
            }
        }
        let event = json!({
            "type": "event",
            "id": id,
            "created_at": self.at.to_string(),
            "data": data,
        });
        event.to_string().into_bytes()
    }
}
