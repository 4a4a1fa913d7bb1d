//! Brings index and sentence vectors up to date: at leisure, one process at a time.

use std::fs::File;
use std::time::{Duration, Instant};

use mem_core::memory::ProjectMemory;
use mem_core::store::{LocalStore, StoreError};
use mem_core::{Dirs, Scope, atomic, regular_file};
use mem_recall::encoder::Encoder;
use mem_recall::{Document, RecallIndex};
use mem_secrets::Scanner;

use crate::current_index::{Storing, bring_in_step, store_tiers};
use crate::documents;
use crate::index_file::{Identity, IndexFile};

/// Notes that are encoded between two looks at the clock.
const BATCH_NOTES: usize = 16;
/// What was encoded is stored as often, so that little is lost when the process is ended.
const STORE_PERIOD: Duration = Duration::from_secs(10);

/// What was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct RefreshOutcome {
    /// Notes in the index.
    pub notes: usize,
    /// Notes that were read because they are new or changed.
    pub changed: usize,
    /// Notes that were taken out.
    pub removed: usize,
    /// Notes that were encoded.
    pub encoded: usize,
    /// Notes that still have to be encoded: the time was up.
    pub pending: usize,
    /// Whether everything was stored.
    pub is_stored: bool,
}

/// How to do it.
#[derive(Clone, Copy, Debug)]
pub struct RefreshPace {
    /// Threads that encode.
    pub threads: usize,
    /// No batch begins later than this after the start.
    pub time_max: Duration,
}

/// The one who may warm; given back when dropped, and by the system when the process ends.
#[derive(Debug)]
pub struct RefreshTurn {
    _lock: File,
}

impl RefreshTurn {
    /// Takes the turn; `None` where somebody else has it, or the cache cannot be written.
    pub fn take_turn(dirs: &Dirs) -> Option<Self> {
        let lock = open_lock(dirs)?;
        lock.try_lock().ok()?;
        Some(Self { _lock: lock })
    }

    /// Waits for the turn; `None` where the cache cannot be written.
    pub fn wait_for_turn(dirs: &Dirs) -> Option<Self> {
        let lock = open_lock(dirs)?;
        lock.lock().ok()?;
        Some(Self { _lock: lock })
    }
}

fn open_lock(dirs: &Dirs) -> Option<File> {
    let folder = dirs.recall_indexes();
    atomic::create_dirs(&folder).ok()?;
    regular_file::open_lock(&folder.join("warm.lock")).ok()
}

/// Brings everything up to date. `tell` gets the number of notes encoded so far.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn refresh_index(
    _turn: &RefreshTurn,
    memory: &ProjectMemory,
    encoder: Option<&'static Encoder>,
    pace: RefreshPace,
    tell: &dyn Fn(usize),
) -> Result<RefreshOutcome, StoreError> {
    let begun = Instant::now();
    let mut warmed = RefreshOutcome {
        is_stored: true,
        ..RefreshOutcome::default()
    };
    for (store, scopes) in store_tiers(memory) {
        let mut one = StoreRefresh {
            file: IndexFile::for_store(store),
            store,
            scopes,
            index: RecallIndex::new(),
            encoder,
            base: None,
            warmed: &mut warmed,
        };
        one.run(begun, pace, tell)?;
    }
    Ok(warmed)
}

/// The warming of one store.
struct StoreRefresh<'a> {
    file: IndexFile,
    store: &'a LocalStore,
    scopes: Vec<Scope>,
    index: RecallIndex,
    encoder: Option<&'static Encoder>,
    /// The stored index that this one goes on from.
    base: Option<Identity>,
    warmed: &'a mut RefreshOutcome,
}

impl StoreRefresh<'_> {
    fn run(
        &mut self,
        begun: Instant,
        pace: RefreshPace,
        tell: &dyn Fn(usize),
    ) -> Result<(), StoreError> {
        self.base = self.file.identity();
        self.index = self.file.load();
        self.look_again(false)?;
        let pending = self.index.pending_keys(self.encoder).map(str::to_owned);
        let pending: Vec<String> = pending.collect();
        let (mut done, mut stored) = (0, Instant::now());
        for batch in pending.chunks(BATCH_NOTES) {
            if begun.elapsed() > pace.time_max {
                break;
            }
            let documents = self.read_documents(batch)?;
            let encoder = self.encoder;
            self.warmed.encoded += encoder.map_or(0, |encoder| {
                self.index
                    .encode_documents(&documents, encoder, pace.threads)
            });
            done += batch.len();
            tell(batch.len());
            if stored.elapsed() > STORE_PERIOD {
                if self.file.identity() != self.base {
                    // Somebody replaced it, or erased it for good: what is held here may not go back.
                    return Ok(());
                }
                self.look_again(true)?;
                stored = Instant::now();
            }
        }
        if done > 0 && self.file.identity() == self.base {
            self.look_again(true)?;
        }
        self.warmed.notes += self.index.len();
        self.warmed.pending += self.index.pending_keys(self.encoder).count();
        Ok(())
    }

    /// Follows the files, and stores the index where it is another one than the stored.
    fn look_again(&mut self, is_encoded: bool) -> Result<(), StoreError> {
        let snapshot = self.store.snapshot()?;
        let (index, scopes) = (&mut self.index, &self.scopes);
        let (updated, is_stored) =
            bring_in_step(&self.file, index, &snapshot, scopes, Storing::Always);
        self.warmed.changed += updated.changed;
        self.warmed.removed += updated.removed;
        let is_new = is_encoded && !(updated.is_any() && is_stored);
        self.warmed.is_stored &= match is_new {
            true => self
                .file
                .begin()
                .is_ok_and(|begun| self.file.finish_write(begun, index).is_ok()),
            false => is_stored,
        };
        self.base = self.file.identity();
        Ok(())
    }

    /// Reads some notes again: the index keeps no texts.
    fn read_documents(&self, keys: &[String]) -> Result<Vec<Document>, StoreError> {
        let snapshot = self.store.snapshot()?;
        let scanner = Scanner::new();
        let read = |key: &String| documents::read_document(key, &snapshot, &scanner);
        Ok(keys.iter().filter_map(read).collect())
    }
}
