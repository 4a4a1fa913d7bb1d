//! The memories of a directory into a store: what may not leave and what something is in the way of is skipped.

use std::collections::BTreeMap;

use futures_util::StreamExt as _;
use futures_util::stream;
use mem_core::history::Sha256;
use mem_core::memory_path::escaped;
use mem_scan::outbound::OutboundScanner;

use super::{FolderMemory, SkippedFile};
use crate::client::{ClientError, MemoriesQuery, StoresClient};
use crate::wire::{CreateMemory, MemoryItem, Precondition, StoreMemory, UpdateMemory};

/// Memories that are sent at a time.
const SENT_MAX: usize = 8;

/// How a directory is imported.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImportOptions {
    /// Whether memories that are there get the content of the files.
    pub can_replace: bool,
    /// Whether nothing is sent.
    pub is_dry_run: bool,
}

/// What an import came to, or would come to.
#[derive(Debug, Default)]
pub struct ImportReport {
    /// New memories.
    pub created: usize,
    /// Memories with another content than before.
    pub replaced: usize,
    /// Memories that had the content of their file.
    pub unchanged: usize,
    /// What is not in the store.
    pub skipped: Vec<SkippedFile>,
}

/// What became of one file.
enum FileImport {
    Created,
    Replaced,
    Unchanged,
    Skipped(SkippedFile),
}

impl ImportReport {
    /// Takes up what was read of a directory; returns the memories that may leave.
    pub fn add_folder(
        &mut self,
        (memories, skipped): (Vec<FolderMemory>, Vec<SkippedFile>),
        screen: &OutboundScanner,
    ) -> Vec<FolderMemory> {
        let skipped = skipped.into_iter().map(|one| one.for_path(screen));
        self.skipped.extend(skipped);
        let mut clean = Vec::new();
        for memory in memories {
            match screen.leak(memory.path.as_str(), &memory.content) {
                None => clean.push(memory),
                Some(leak) => self
                    .skipped
                    .push(SkippedFile::for_leak(memory.path.as_str(), leak)),
            }
        }
        clean
    }

    /// Writes memories into a store, each on the condition that it is as it was seen. `count` is told of each.
    ///
    /// # Errors
    /// What the server says; the report has what was done until then.
    pub async fn import_memories(
        &mut self,
        client: &StoresClient,
        store: &str,
        memories: Vec<FolderMemory>,
        options: ImportOptions,
        count: &dyn Fn(),
    ) -> Result<(), ClientError> {
        let there = remote_memories(client, store).await?;
        let each = memories
            .into_iter()
            .map(|memory| import_memory(client, store, memory, &there, options));
        let mut each = stream::iter(each).buffer_unordered(SENT_MAX);
        while let Some(done) = each.next().await {
            self.add_file(done?);
            count();
        }
        Ok(())
    }

    fn add_file(&mut self, done: FileImport) {
        match done {
            FileImport::Created => self.created += 1,
            FileImport::Replaced => self.replaced += 1,
            FileImport::Unchanged => self.unchanged += 1,
            FileImport::Skipped(one) => self.skipped.push(one),
        }
    }
}

/// What the store has, by path.
async fn remote_memories(
    client: &StoresClient,
    store: &str,
) -> Result<BTreeMap<String, StoreMemory>, ClientError> {
    let items = client.memories(store, &MemoriesQuery::default()).await?;
    let memories = items.into_iter().filter_map(|item| match item {
        MemoryItem::Memory(memory) => Some((memory.path.clone(), *memory)),
        MemoryItem::Prefix(_) => None,
    });
    Ok(memories.collect())
}

async fn import_memory(
    client: &StoresClient,
    store: &str,
    memory: FolderMemory,
    there: &BTreeMap<String, StoreMemory>,
    options: ImportOptions,
) -> Result<FileImport, ClientError> {
    let FolderMemory { path, content } = memory;
    let skipped = |path: &str, why: String| Ok(FileImport::Skipped(SkippedFile::new(path, why)));
    if let Some(other) = path.find_occupant(there) {
        let why = format!("the store has a memory at `{}`", escaped(other));
        return skipped(path.as_str(), why);
    }
    let name = path.as_str().to_owned();
    let sent = match there.get(path.as_str()) {
        Some(there) if there.content_sha256 == Sha256::digest(content.as_bytes()).to_string() => {
            return Ok(FileImport::Unchanged);
        }
        Some(_) if !options.can_replace => {
            let why = "the store has another content there; --replace replaces it";
            return skipped(&name, why.to_owned());
        }
        Some(_) if options.is_dry_run => return Ok(FileImport::Replaced),
        None if options.is_dry_run => return Ok(FileImport::Created),
        Some(there) => {
            let change = UpdateMemory {
                content: Some(content),
                path: None,
                precondition: Some(Precondition::ContentSha256 {
                    content_sha256: there.content_sha256.clone(),
                }),
            };
            let sent = client.update_memory(store, &there.id, &change).await;
            sent.map(|_| FileImport::Replaced)
        }
        None => {
            let new = CreateMemory {
                path,
                content,
                precondition: None,
            };
            let sent = client.create_memory(store, &new).await;
            sent.map(|_| FileImport::Created)
        }
    };
    match sent {
        Err(error) if error.is_permanent() || error.is_conflict() => {
            skipped(&name, error.to_string())
        }
        sent => sent,
    }
}
