//! A whole store, told while it is read: whoever takes it apart begins with the first entry, and nobody has all of
//! it at once.
//!
//! The rows are read as fast as the database gives them, whoever listens: no reader of the answer holds a snapshot.

use std::collections::BTreeMap;
use std::slice;
use std::time::Duration;

use mem_sync::Key;
use mem_sync::limits::ANSWER_BYTES_MAX;
use mem_sync::remote::Query as Asked;
use mem_sync::wire::{ETag, Telling, Tombstone};

use super::read::{self, CONTENT, Told};
use super::sealing::Seals;
use super::sql::{Row, Transaction};
use super::store_row::{self, StoreRow};
use super::{Database, RepositoryName, StorageError};

/// What is told at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// JSON says most texts in less than so many times their size.
const ESCAPED: u64 = 2;
/// What it says of an entry beside its content, at most but for the longest keys.
const BESIDE_BYTES: u64 = 512;
/// An answer that is too large all the same goes so far beyond the limit before it breaks off: its reader, who may have
/// it packed and come late, has to see that.
const BEYOND_BYTES: usize = 1024 * 1024;

/// A store in one state of it, of which nothing is told yet.
#[derive(Debug)]
pub(crate) struct Tale {
    within: Transaction,
    store: StoreRow,
    deadline: Duration,
}

impl Database {
    /// Opens a store to be told. `None` where it is to be read as a whole: there is none, or it may be more than one
    /// answer holds, which is to be known before the first word.
    pub(crate) async fn tale(&self, repo: &RepositoryName) -> Result<Option<Tale>, StorageError> {
        let (engine, deadline) = (&self.0.engine, self.0.deadline);
        let opened = || async {
            let mut within = engine.snapshot().await?;
            let Some(store) = store_row::find_in(&mut within, repo).await? else {
                return Ok(None);
            };
            let bytes = read::content_bytes(&mut within, &store).await?;
            let bytes = bytes * ESCAPED + store.live * BESIDE_BYTES;
            let tale = Tale {
                within,
                store,
                deadline,
            };
            Ok((bytes <= ANSWER_BYTES_MAX as u64).then_some(tale))
        };
        self.reading(opened).await
    }
}

impl Tale {
    /// The name of the state.
    pub(crate) fn etag(&self) -> Result<ETag, StorageError> {
        self.store.etag()
    }

    /// Tells it; `hear` takes each piece of the JSON, and says whether anybody still listens.
    ///
    /// # Errors
    /// See [`StorageError`]. What was told until then is no whole answer.
    pub(crate) async fn tell(
        self,
        hear: impl FnMut(Vec<u8>) -> bool + Send,
    ) -> Result<(), StorageError> {
        let deadline = self.deadline;
        let told = tokio::time::timeout(deadline, self.tell_all(hear)).await;
        told.unwrap_or_else(|_| Err(StorageError::silent()))
    }

    async fn tell_all(self, hear: impl FnMut(Vec<u8>) -> bool + Send) -> Result<(), StorageError> {
        let Self {
            mut within, store, ..
        } = self;
        let seals = within.seals().clone();
        let mut mouth = Mouth::new(&store, &seals, hear);
        let mut sealed = Vec::new();
        let take = |row: Row| {
            match seals.unmet(slice::from_ref(&row), CONTENT)?.is_empty() {
                true => mouth.say(&row)?,
                false => sealed.push(row),
            }
            Ok(())
        };
        within
            .each(read::query(&store, &Asked::default()), take)
            .await?;
        within.meet_keys(&sealed, CONTENT).await?;
        within.commit().await?;
        for row in sealed {
            mouth.say(&row)?;
        }
        mouth.end()
    }
}

/// Makes pieces of rows.
struct Mouth<'s, H> {
    store: &'s StoreRow,
    seals: &'s Seals,
    telling: Telling,
    deleted: BTreeMap<Key, Tombstone>,
    piece: Vec<u8>,
    told_bytes: usize,
    hear: H,
}

impl<'s, H: FnMut(Vec<u8>) -> bool> Mouth<'s, H> {
    fn new(store: &'s StoreRow, seals: &'s Seals, hear: H) -> Self {
        let mut piece = Vec::with_capacity(PIECE_BYTES);
        Self {
            store,
            seals,
            telling: Telling::begin(store.sequence, &mut piece),
            deleted: BTreeMap::new(),
            piece,
            told_bytes: 0,
            hear,
        }
    }

    fn say(&mut self, row: &Row) -> Result<(), StorageError> {
        match read::told(row, self.store, Some(self.seals))? {
            Some((key, Told::There(entry))) => {
                let said = self.telling.entry(&key, &entry, &mut self.piece);
                said.map_err(|_| UNSPEAKABLE)?;
            }
            Some((key, Told::Gone(tombstone))) => drop(self.deleted.insert(key, tombstone)),
            None => {}
        }
        match self.piece.len() < PIECE_BYTES {
            true => Ok(()),
            false => self.hand_over(),
        }
    }

    fn end(mut self) -> Result<(), StorageError> {
        let said = self.telling.end(&self.deleted, &mut self.piece);
        said.map_err(|_| UNSPEAKABLE)?;
        self.hand_over()
    }

    fn hand_over(&mut self) -> Result<(), StorageError> {
        self.told_bytes += self.piece.len();
        let next = Vec::with_capacity(PIECE_BYTES + PIECE_BYTES / 8);
        let is_heard = (self.hear)(std::mem::replace(&mut self.piece, next));
        match self.told_bytes > ANSWER_BYTES_MAX + BEYOND_BYTES {
            true => Err(StorageError::TooLarge),
            // Nobody is there to be told why.
            false if !is_heard => Err(StorageError::silent()),
            false => Ok(()),
        }
    }
}

const UNSPEAKABLE: StorageError = StorageError::Corrupt("an entry that JSON cannot say");

#[cfg(test)]
mod tests {
    use mem_sync::wire::{Answer, PutBody};

    use super::*;
    use crate::storage::{Actor, ActorKind, OpenOptions, Place};

    /// Entries that take several pieces, and the tombstone of one.
    async fn filled(database: &Database, repo: &RepositoryName) {
        let key = |n: u32| Key::parse(&format!("part{}/note_{n}.md", n % 7)).unwrap();
        let entries = (0..100).map(|n| (key(n), format!("\"{n}\"\n").repeat(300)));
        let put = PutBody {
            entries: entries.collect(),
            ..PutBody::default()
        };
        let delete = PutBody {
            delete: [key(3)].into(),
            ..PutBody::default()
        };
        for body in [put, delete] {
            let actor = Actor::new(ActorKind::User, "user_1", "");
            let now = jiff::Timestamp::UNIX_EPOCH;
            database.write(repo, body, None, &actor, now).await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_store_that_is_told_is_the_store_that_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Directory(folder.path().join("data"));
        let database = Database::open(&place, &OpenOptions::default())
            .await
            .unwrap();
        let repo = RepositoryName::parse("acme/app").unwrap();
        assert!(
            database.tale(&repo).await.unwrap().is_none(),
            "there is none"
        );
        filled(&database, &repo).await;
        let (etag, read) = database.read(&repo, &Asked::default()).await.unwrap();
        let tale = database.tale(&repo).await.unwrap().unwrap();
        assert_eq!(tale.etag().unwrap(), etag);
        let mut pieces = Vec::new();
        let hear = |piece| {
            pieces.push(piece);
            true
        };
        tale.tell(hear).await.unwrap();
        assert!(pieces.len() > 1);
        assert_eq!((read.entries.len(), read.deleted.len()), (99, 1));
        assert_eq!(Answer::read(&pieces.concat()), Ok((read, Vec::new())));
        let tale = database.tale(&repo).await.unwrap().unwrap();
        let mut heard = 0;
        let told = tale.tell(|_| {
            heard += 1;
            false
        });
        assert!(told.await.is_err(), "nobody listens");
        assert_eq!(heard, 1);
    }
}
