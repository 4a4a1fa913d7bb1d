//! One change of a memory, from the question to the answer. It waits in a queue, and is decided and stored
//! together with what else wants to change its store at that moment.

use jiff::Timestamp;
use mem_core::history::Sha256;

use super::board::Board;
use super::{MemoryChange, MemoryRecord, Refusal, Scope, Writing, touched};
use crate::storage::flush::{self, Changes};
use crate::storage::sql::Transaction;
use crate::storage::store_row::StoreRow;
use crate::storage::{Actor, StorageError};

/// A change that somebody asks for.
#[derive(Debug)]
pub(in crate::storage) struct Edit {
    pub(in crate::storage) scope: Scope,
    /// The id of the store.
    pub(in crate::storage) store: String,
    pub(in crate::storage) act: Act,
    pub(in crate::storage) actor: Actor,
    pub(in crate::storage) now: Timestamp,
    /// Whether an archived store takes it too.
    pub(in crate::storage) is_past_archive: bool,
    /// The number of the newest change that the store may have.
    pub(in crate::storage) only_after: Option<u64>,
}

impl Edit {
    /// A change by whoever writes.
    pub(super) fn of(writing: Writing<'_>, act: Act) -> Self {
        Self {
            scope: writing.scope.clone(),
            store: writing.store.to_owned(),
            act,
            actor: writing.actor.clone(),
            now: writing.now,
            is_past_archive: writing.is_past_archive,
            only_after: writing.only_after,
        }
    }
}

/// What is to be done.
#[derive(Clone, Debug)]
pub(in crate::storage) enum Act {
    /// A memory where nothing is.
    Create { path: String, content: String },
    /// A memory, or another content for the one that is there.
    Upsert {
        path: String,
        content: String,
        not_exists: bool,
    },
    /// Another content, another path.
    Update { id: String, change: MemoryChange },
    /// The end of a memory.
    Delete {
        id: String,
        expected: Option<Sha256>,
    },
}

/// What it came to; `None`: the memory is deleted.
pub(in crate::storage) type Edited = Result<Option<MemoryRecord>, Refusal>;

/// Carries out changes of one store that is locked, one after the other. `None` where the store is not what it
/// was when it was locked.
pub(in crate::storage) async fn run(
    within: &mut Transaction,
    store: &mut StoreRow,
    edits: &[&Edit],
) -> Result<Option<Vec<Edited>>, StorageError> {
    let mut board = touched::board(within, store, edits).await?;
    let mut done = Vec::with_capacity(edits.len());
    for edit in edits {
        done.push(match edit.is_past_archive {
            true => board.past_archive(|board| board.carry_out(edit))?,
            false => board.carry_out(edit)?,
        });
    }
    if !board.versions().is_empty() && !flush::flush(within, store, &board.changes()).await? {
        return Ok(None);
    }
    (store.sequence, store.live) = (board.sequence(), board.live());
    Ok(Some(done))
}

impl Board {
    fn carry_out(&mut self, edit: &Edit) -> Result<Edited, StorageError> {
        // Those that were decided together with it have numbers already.
        if edit.only_after.is_some_and(|seen| seen != self.sequence()) {
            return Ok(Err(Refusal::Precondition));
        }
        let by = crate::storage::shelf::By {
            actor: &edit.actor,
            now: edit.now,
        };
        let done = match edit.act.clone() {
            Act::Create { path, content } => self.create(path, content, by)?.map(Some),
            Act::Upsert {
                path,
                content,
                not_exists,
            } => self.upsert(path, content, not_exists, by)?.map(Some),
            Act::Update { id, change } => self.update(&id, change, by)?.map(Some),
            Act::Delete { id, expected } => self.delete(&id, expected, by)?.map(|()| None),
        };
        Ok(done)
    }
}

impl<'b> Board {
    fn changes(&'b self) -> Changes<'b> {
        Changes {
            sequence: self.sequence(),
            live: self.live(),
            versions: self.versions(),
            rows: self.rows(),
            gone: self.gone(),
        }
    }
}
