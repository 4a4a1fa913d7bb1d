//! A page of memories as the database gave it.

use super::memory_row::{MemoryRow, PATH};
use super::{Listed, MemoryQuery, Page};
use crate::storage::StorageError;
use crate::storage::sealing::Seals;
use crate::storage::sql::Row;

/// Memories and folders, in the order of their paths' bytes.
#[derive(Debug)]
pub struct MemoryPage {
    store: String,
    items: Vec<Item>,
    next: Option<String>,
    /// Where contents were asked for.
    seals: Option<Seals>,
    as_far_as_open: bool,
}

/// One of them.
#[derive(Debug)]
pub(super) enum Item {
    /// A memory.
    Memory(Row),
    /// A folder, `/` at its end.
    Folder(String),
}

/// An item of a page, read in place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown<'p> {
    /// A memory.
    Memory(MemoryRow<'p>),
    /// A folder, `/` at its end, that has memories below it.
    Prefix(&'p str),
}

impl MemoryPage {
    /// What was found for a question; one item more than was asked for says that more follow.
    pub(super) fn of(
        mut items: Vec<Item>,
        store: &str,
        asked: &MemoryQuery,
        seals: Option<Seals>,
    ) -> Result<Self, StorageError> {
        let has_more = items.len() > asked.limit as usize;
        items.truncate(asked.limit as usize);
        let next = match items.last().filter(|_| has_more) {
            Some(Item::Memory(row)) => Some(row.text(PATH)?.to_owned()),
            Some(Item::Folder(folder)) => Some(folder.clone()),
            None => None,
        };
        let store = store.to_owned();
        Ok(Self {
            store,
            items,
            next,
            seals,
            as_far_as_open: asked.as_far_as_open,
        })
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What the next question says as `after`.
    pub fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// How many items it has.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Its items; an error where what is stored is damaged.
    pub fn shown(&self) -> impl Iterator<Item = Result<Shown<'_>, StorageError>> {
        self.items.iter().map(|item| match item {
            Item::Memory(row) => {
                let read = match self.as_far_as_open {
                    true => MemoryRow::as_far_as_open,
                    false => MemoryRow::read,
                };
                read(row, &self.store, self.seals.as_ref()).map(Shown::Memory)
            }
            Item::Folder(folder) => Ok(Shown::Prefix(folder)),
        })
    }

    /// The same, of its own.
    ///
    /// # Errors
    /// What is stored is damaged.
    pub(super) fn into_listed(self) -> Result<Page<Listed, String>, StorageError> {
        let items = self.shown().map(|item| {
            Ok::<_, StorageError>(match item? {
                Shown::Memory(memory) => Listed::Memory(Box::new(memory.into_record())),
                Shown::Prefix(folder) => Listed::Prefix(folder.to_owned()),
            })
        });
        let items = items.collect::<Result<_, _>>()?;
        let next = self.next;
        Ok(Page { items, next })
    }
}
