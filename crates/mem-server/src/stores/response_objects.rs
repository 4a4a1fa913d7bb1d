//! What the database says, as it is told.

use mem_stores::ApiVersion;
use mem_stores::wire::{
    ApiActor, ContentView, MemoryItem, MemoryPrefix, MemoryStore, MemoryVersion, StoreMemory,
};

use crate::storage;
use crate::storage::ActorKind;
use crate::storage::stores::{ListedMemory, MemoryRecord, StoreRecord, VersionRecord};

/// How the id of a person begins.
const USER: &str = "user_";

pub(super) fn store(record: StoreRecord) -> MemoryStore {
    MemoryStore {
        id: record.id,
        name: record.name,
        description: record.description,
        metadata: record.metadata,
        created_at: record.created_at.to_string(),
        updated_at: record.updated_at.to_string(),
        archived_at: record.archived_at.map(|time| time.to_string()),
    }
}

pub(super) fn memory(record: MemoryRecord, view: ContentView) -> StoreMemory {
    StoreMemory {
        id: record.id,
        memory_store_id: record.store_id,
        path: record.path,
        content: record.content.filter(|_| view == ContentView::Full),
        content_sha256: record.content_sha256.to_string(),
        content_size_bytes: record.content_size,
        size_bytes: None,
        memory_version_id: record.version_id,
        created_at: record.created_at.to_string(),
        updated_at: record.updated_at.to_string(),
    }
}

/// An item of a list. The content is there where it was asked for.
pub(super) fn listed(item: ListedMemory, dialect: ApiVersion) -> MemoryItem {
    match item {
        ListedMemory::Prefix(folder) => MemoryItem::Prefix(MemoryPrefix::new(folder)),
        ListedMemory::Memory(record) => {
            let size_bytes = (dialect == ApiVersion::Preview).then_some(record.content_size);
            MemoryItem::Memory(Box::new(StoreMemory {
                size_bytes,
                ..memory(*record, ContentView::Full)
            }))
        }
    }
}

pub(super) fn version(record: VersionRecord, view: ContentView) -> MemoryVersion {
    MemoryVersion {
        id: record.id,
        memory_id: record.memory_id,
        memory_store_id: record.store_id,
        operation: record.operation,
        path: record.path,
        content: record.content.filter(|_| view == ContentView::Full),
        content_sha256: record.content_sha256.map(|hash| hash.to_string()),
        content_size_bytes: record.content_size,
        created_at: record.created_at.to_string(),
        created_by: Some(actor(record.created_by)),
        redacted_at: record.redacted_at.map(|time| time.to_string()),
        redacted_by: record.redacted_by.map(actor),
    }
}

fn actor(actor: storage::StorageActor) -> ApiActor {
    match actor.kind {
        ActorKind::ApiKey => ApiActor::Api {
            api_key_id: actor.id,
        },
        ActorKind::Session => ApiActor::Session {
            session_id: actor.id,
        },
        ActorKind::ServiceAccount => ApiActor::ServiceAccount {
            service_account_id: actor.id,
        },
        // Who asks a server without tokens is known by the name that they give themselves.
        ActorKind::User => ApiActor::User {
            user_id: match actor.id.starts_with(USER) {
                true => actor.id,
                false => format!("{USER}{}", actor.id),
            },
        },
    }
}
