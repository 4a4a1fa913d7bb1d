//! What becomes of each item: where it goes, under which name, or that it is there already.

use super::batch::{ImportBatch, ImportItem, ItemContent};
use super::existing_memories::ExistingMemories;
use super::{ImportError, lists};
use crate::history::NoteId;
use crate::memory::{ScopeDir, form_of};
use crate::notes::is_index;
use crate::store::WriteTransaction;
use crate::topic::{self, Eol, NewTopic};
use crate::{MemoryPath, Now, Scope, daily_log};

/// What becomes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportOutcome {
    /// It is new here.
    New,
    /// It is here already.
    Known,
    /// It is new here, and another file has its name: it got a number.
    Renamed,
    /// Its lines are united with those that are here.
    United,
}

impl ImportOutcome {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Known => "known",
            Self::Renamed => "renamed",
            Self::United => "united",
        }
    }
}

/// An item and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Its tier.
    pub scope: Scope,
    /// Where it comes from, for people.
    pub origin: String,
    /// Where it would stand if nothing were here, within its store.
    pub wanted: MemoryPath,
    /// Where it is to be found, within its store.
    pub path: MemoryPath,
    /// What became of it.
    pub fate: ImportOutcome,
}

/// A batch on its way into a draft.
pub(super) struct Placing<'d, 's> {
    pub(super) draft: &'d mut WriteTransaction<'s>,
    pub(super) tier: ScopeDir,
    pub(super) done: Vec<Imported>,
    known: ExistingMemories,
    now: Now,
}

/// Puts a batch into a draft: notes first, then the indexes and logs that speak of them.
pub(super) fn place(
    draft: &mut WriteTransaction<'_>,
    batch: &ImportBatch,
    with_index: bool,
    now: Now,
) -> Result<Vec<Imported>, ImportError> {
    let tier = ScopeDir(batch.scope);
    let known = ExistingMemories::for_transaction(draft, tier)?;
    let mut placing = Placing {
        draft,
        tier,
        done: Vec::new(),
        known,
        now,
    };
    let (united, notes): (Vec<&ImportItem>, Vec<&ImportItem>) =
        batch.items.iter().partition(|item| is_united(item));
    for item in notes {
        match &item.content {
            ItemContent::File { file, bytes } => placing.file(item, file, bytes)?,
            ItemContent::Topic(topic) => placing.topic(item, topic)?,
        }
    }
    for item in united {
        if let ItemContent::File { file, bytes } = &item.content {
            lists::unite(&mut placing, item, file, bytes)?;
        }
    }
    if batch.add_pointers && with_index {
        lists::add_pointers(&mut placing)?;
    }
    Ok(placing.done)
}

/// Whether lines of a file that is here are joined, not kept apart.
fn is_united(item: &ImportItem) -> bool {
    match &item.content {
        ItemContent::File { file, .. } => is_index(file) || daily_log::date_of(file).is_some(),
        ItemContent::Topic(_) => false,
    }
}

impl Placing<'_, '_> {
    fn file(
        &mut self,
        item: &ImportItem,
        file: &MemoryPath,
        bytes: &[u8],
    ) -> Result<(), ImportError> {
        let wanted = self.tier.path(file.as_str())?;
        if let Some(path) = self.already(item, &wanted, bytes)? {
            self.note_down(item, &wanted, path, ImportOutcome::Known);
            return Ok(());
        }
        self.put_free(item, &wanted, bytes)
    }

    /// A part of a file is known by what it says: a name may have been given since.
    fn topic(&mut self, item: &ImportItem, new: &NewTopic) -> Result<(), ImportError> {
        let form = form_of(self.draft, self.tier);
        let file = topic::file_name_for(new.kind, &new.name, form)?;
        let wanted = self.tier.path(file.as_str())?;
        if let Some(path) = self.known.with_body(&new.body).cloned() {
            self.note_down(item, &wanted, path, ImportOutcome::Known);
            return Ok(());
        }
        let bytes = topic::render(new, form, Eol::Lf);
        if let Some(path) = self.known.with_content(&bytes).cloned() {
            self.note_down(item, &wanted, path, ImportOutcome::Known);
            return Ok(());
        }
        self.put_free(item, &wanted, &bytes)
    }

    /// Where an item stands already, maybe renamed since. One with an id is looked for by that:
    /// two notes of an export may well have the same bytes.
    fn already(
        &mut self,
        item: &ImportItem,
        wanted: &MemoryPath,
        bytes: &[u8],
    ) -> Result<Option<MemoryPath>, ImportError> {
        let mut here = |path: &MemoryPath| -> Result<bool, ImportError> {
            let there = self.draft.exists(path).then(|| self.draft.read(path));
            Ok(there.transpose()?.flatten().as_deref() == Some(bytes))
        };
        if here(wanted)? {
            return Ok(Some(wanted.clone()));
        }
        match &item.id {
            None => Ok(self.known.with_content(bytes).cloned()),
            Some(id) => match self.known.with_id(id).cloned() {
                Some(path) if here(&path)? || self.known.once_said(&path, bytes) => Ok(Some(path)),
                _ => Ok(None),
            },
        }
    }

    /// Puts a content under the first name that is free, unless one on the way has it already.
    fn put_free(
        &mut self,
        item: &ImportItem,
        wanted: &MemoryPath,
        bytes: &[u8],
    ) -> Result<(), ImportError> {
        let (mut path, mut number) = (wanted.clone(), 1);
        while !self.known.take(&path) {
            if self.draft.read(&path)?.as_deref() == Some(bytes) {
                self.note_down(item, wanted, path, ImportOutcome::Known);
                return Ok(());
            }
            number += 1;
            path = topic::numbered(wanted, number)?;
        }
        let fate = if number == 1 {
            ImportOutcome::New
        } else {
            ImportOutcome::Renamed
        };
        self.put(item, &path, bytes.to_vec())?;
        self.known.learn(&path, bytes);
        self.note_down(item, wanted, path, fate);
        Ok(())
    }

    /// Puts a new file with the id and the age that it had.
    pub(super) fn put(
        &mut self,
        item: &ImportItem,
        path: &MemoryPath,
        bytes: Vec<u8>,
    ) -> Result<(), ImportError> {
        match item.content_time {
            Some(time) => self.draft.put_dated(path, bytes, time.min(self.now.0))?,
            None => self.draft.put(path, bytes)?,
        }
        let id: Option<&NoteId> = item.id.as_ref();
        if let Some(id) = id.filter(|id| self.known.take_id(id, path)) {
            self.draft.adopt_id(path, id.clone());
        }
        Ok(())
    }

    /// Takes a name that nothing has.
    pub(super) fn take(&mut self, path: &MemoryPath) -> bool {
        self.known.take(path)
    }

    pub(super) fn note_down(
        &mut self,
        item: &ImportItem,
        wanted: &MemoryPath,
        path: MemoryPath,
        fate: ImportOutcome,
    ) {
        self.done.push(Imported {
            scope: self.tier.0,
            origin: item.origin.clone(),
            wanted: wanted.clone(),
            path,
            fate,
        });
    }
}
