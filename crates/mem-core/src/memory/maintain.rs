//! Repairing and fitting the index of a tier.

use super::Memory;
use super::error::MemoryError;
use super::tier::Tier;
use crate::history::Change;
use crate::index::{self, Age, Fitted, Pointer, Repair};
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::store::{Draft, OpenGate, Order, StoreError};
use crate::topic::Topic;
use crate::{MemoryPath, Scope};

/// What was done to an index, and the change; `None` where nothing had to be done.
#[derive(Debug)]
pub struct Maintained<T> {
    /// The report.
    pub report: T,
    /// The change.
    pub change: Option<Change>,
    /// What the store had to say.
    pub warnings: Vec<String>,
}

/// A memory of the tier under work.
struct Member {
    file: MemoryPath,
    path: MemoryPath,
    topic: Topic,
}

impl Memory {
    /// Adds missing pointers and removes dangling ones, in one write.
    ///
    /// # Errors
    /// A file cannot be read or the index not be written.
    pub fn repair_index(
        &self,
        scope: Scope,
        order: &Order,
    ) -> Result<Maintained<Repair>, MemoryError> {
        let tier = Tier(scope);
        let written = self.store(scope).write(order, &OpenGate, |draft| {
            let members = members(draft, tier)?;
            let old = draft.read(&tier.path(INDEX_FILE)?)?;
            let archive = draft.read(&tier.path(ARCHIVE_FILE)?)?;
            let pointers: Vec<Pointer<'_>> = members.iter().map(Member::pointer).collect();
            let bytes = old.as_deref().unwrap_or_default();
            let repair = index::repair(bytes, archive.as_deref(), &pointers, scope);
            if old.is_some() || !repair.bytes.is_empty() {
                draft.put(&tier.path(INDEX_FILE)?, repair.bytes.clone())?;
            }
            Ok::<_, MemoryError>(repair)
        })?;
        Ok(Maintained {
            report: written.value,
            change: written.change,
            warnings: written.warnings,
        })
    }

    /// Moves the stalest pointers of an index over the cap to the archive, in one write.
    ///
    /// # Errors
    /// A file cannot be read or the index not be written.
    pub fn fit_index(
        &self,
        scope: Scope,
        order: &Order,
    ) -> Result<Maintained<Fitted>, MemoryError> {
        let tier = Tier(scope);
        let written = self.store(scope).write(order, &OpenGate, |draft| {
            let members = members(draft, tier)?;
            let (index_path, archive_path) = (tier.path(INDEX_FILE)?, tier.path(ARCHIVE_FILE)?);
            let bytes = draft.read(&index_path)?.unwrap_or_default();
            let archive = draft.read(&archive_path)?.unwrap_or_default();
            let catalog = draft.catalog();
            let age = |file: &str| {
                let member = members.iter().find(|member| member.file.as_str() == file);
                let recorded = |member: &Member| {
                    let entry = catalog.get(&member.path);
                    member
                        .topic
                        .modified
                        .or(entry.map(|entry| entry.content_time))
                };
                Age {
                    changed: member.and_then(recorded),
                    pinned: member.is_some_and(|member| member.topic.pinned),
                }
            };
            let fitted = index::fit(&bytes, &archive, &age);
            if !fitted.moved.is_empty() {
                draft.put(&index_path, fitted.index.clone())?;
                draft.put(&archive_path, fitted.archive.clone())?;
            }
            Ok::<_, MemoryError>(fitted)
        })?;
        Ok(Maintained {
            report: written.value,
            change: written.change,
            warnings: written.warnings,
        })
    }
}

impl Member {
    fn pointer(&self) -> Pointer<'_> {
        Pointer {
            file: &self.file,
            title: self.topic.title(self.file.stem()),
            hook: self.topic.description.as_deref().unwrap_or_default(),
            kind: self.topic.kind,
        }
    }
}

/// Every memory of a tier. One that cannot be read stops the work: its pointer is not dangling.
/// What is too large to be read is no memory.
fn members(draft: &mut Draft<'_>, tier: Tier) -> Result<Vec<Member>, MemoryError> {
    let mut members = Vec::new();
    for path in draft.files() {
        let Some(file) = tier.note(&path) else {
            continue;
        };
        let file = MemoryPath::parse(file)?;
        let bytes = match draft.read(&path) {
            Err(StoreError::Oversized { .. }) => continue,
            read => read?.unwrap_or_default(),
        };
        members.push(Member {
            file,
            topic: Topic::parse(&bytes),
            path,
        });
    }
    Ok(members)
}
