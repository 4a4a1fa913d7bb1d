//! The files of a tier as the protocol sees them: over a store, so that a batch is one change of its
//! history, with everything that a store forbids still forbidden.

mod batch;
mod batch_write;
mod incoming_gates;
mod indexes;
mod names;
mod restored_files;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;

use mem_core::history::{Author, ChangeSequence, History, Sha256};
use mem_core::location::ProjectContext;
use mem_core::memory::ScopeDir;
use mem_core::parallel::map_chunks;
use mem_core::store::{ChangeMetadata, Digests, LocalStore, OpenGate, StoreError, WriteGate};
use mem_core::{MemoryPath, Now, RunContext, Scope};
use mem_sync::EntryKey;
use mem_sync::files::{BatchFile, FilesError, SyncFiles};

pub(crate) use self::batch::BatchItem;
use self::batch::failed_path;
use self::batch_write::carry_out;
use self::incoming_gates::IncomingGates;
pub(crate) use self::indexes::{PushReview, SharedReview};
use super::review::{self, ReviewAnswer, ReviewedKeys};
use super::sent_indexes::SentIndexes;
use super::settings::TeamShare;
use super::write_gates::SecretGate;

/// A gate that is asked from several threads.
pub trait MemoryGate: WriteGate + Debug + Send + Sync {}

impl<G: WriteGate + Debug + Send + Sync> MemoryGate for G {}

/// One tier of a store.
#[derive(Debug)]
pub struct StoreFiles {
    store: LocalStore,
    tier: ScopeDir,
    entry: IncomingGates,
    now: Now,
    /// A look at the files that the first listing is to take, instead of one of its own.
    pub(crate) first_look: Option<Result<Digests, StoreError>>,
    /// Files whose names are spelled otherwise than their keys.
    spelled: BTreeMap<String, MemoryPath>,
    /// Where earlier texts stand in the history, once that was asked for.
    earlier: Option<HashMap<(MemoryPath, Sha256), ChangeSequence>>,
    /// What waits for a person before it leaves: indexes are listed and read without the lines that wait.
    pub(crate) push_review: Option<SharedReview>,
    /// Texts of indexes that were sent and never stood here.
    sent: Option<SentIndexes>,
    /// Whether what others wrote waits for a person.
    pub reviews: bool,
    /// The contents in the inbox, waiting or rejected, once that was asked for.
    aside: Option<BTreeMap<(MemoryPath, Sha256), ReviewAnswer>>,
    /// What waits for one, or was rejected by one.
    pub reviewed: ReviewedKeys,
    /// Whether nothing is to be written.
    pub is_dry: bool,
    /// What the remote has and the store does not take, and why.
    pub refused: BTreeMap<String, String>,
    /// What stands here and cannot be shared, and why.
    pub unread: BTreeMap<String, String>,
}

impl StoreFiles {
    /// The files of a tier. Nothing is touched yet.
    pub fn new(store: LocalStore, tier: ScopeDir, gate: Arc<dyn MemoryGate>, now: Now) -> Self {
        Self {
            store,
            tier,
            entry: IncomingGates { tier, gate },
            now,
            first_look: None,
            spelled: BTreeMap::new(),
            earlier: None,
            push_review: None,
            sent: None,
            reviews: false,
            aside: None,
            reviewed: ReviewedKeys::default(),
            is_dry: false,
            refused: BTreeMap::new(),
            unread: BTreeMap::new(),
        }
    }

    /// The files of a share, which also know what was sent of its indexes.
    pub fn for_share(share: &TeamShare, place: &ProjectContext, run: &RunContext) -> Self {
        let gate = Arc::new(SecretGate::for_place(place, run));
        let mut files = Self::new(share.store.clone(), share.tier, gate, run.now);
        files.sent = Some(SentIndexes::load_texts(&share.place));
        files
    }

    /// The tier.
    pub fn tier(&self) -> ScopeDir {
        self.tier
    }

    /// The path of a key, by the spelling that its file has here.
    fn key_path(&self, key: &EntryKey) -> Result<MemoryPath, StoreError> {
        if let Some(path) = self.spelled.get(key.as_str()) {
            return Ok(path.clone());
        }
        let path = self.tier.path(key.as_str());
        // With its tier in front it may be longer than a path can be; and the private tier has no folder
        // of the team's, however a file system may spell it.
        let is_ours = |path: &MemoryPath| {
            let first = key.as_str().split('/').next().unwrap_or_default();
            let is_team = self.tier.0 == Scope::Private && first.eq_ignore_ascii_case("team");
            !is_team && self.tier.file(path).is_some()
        };
        path.ok()
            .filter(is_ours)
            .ok_or_else(|| StoreError::NotFound(key.path().clone()))
    }

    /// Whether the rules of the tier and the secret scanner let each content in; the reasons of those
    /// that they do not. Before any lock is taken.
    fn unfit_changes(&self, changes: &[(&BatchFile, MemoryPath)]) -> BTreeMap<MemoryPath, String> {
        let entry = &self.entry;
        let unfit = |(change, path): &(&BatchFile, MemoryPath)| {
            let bytes = change.new.as_deref()?;
            let is_new = change.expected.is_none();
            let why = entry.unfit_reason(path, bytes, is_new);
            why.map(|why| (path.clone(), why))
        };
        let of_share = |share: &[_]| share.iter().filter_map(unfit).collect::<Vec<_>>();
        let found = map_chunks(changes, of_share);
        found.into_iter().flatten().collect()
    }

    /// The order of a batch: of the colleague where it is one, else of the team.
    fn batch_metadata(&self, changes: &[BatchFile]) -> ChangeMetadata {
        let first = changes.first().map(|change| change.actor.clone());
        let is_one = changes.iter().all(|one| Some(&one.actor) == first.as_ref());
        let mut author = Author::from_actor(self.entry.actor());
        author.name = first.filter(|name| is_one && !name.is_empty());
        ChangeMetadata::new("pull", author, self.now).clearing_folders()
    }

    /// Remembers what was not taken, by its key.
    fn mark_refused(
        &mut self,
        wanted: &[(&BatchFile, MemoryPath)],
        mut refused: BTreeMap<MemoryPath, String>,
    ) {
        for (change, path) in wanted {
            if let Some(why) = refused.remove(path) {
                self.refused.insert(change.key.to_string(), why);
            }
        }
    }

    /// Every version of this tier's files that the history holds.
    fn versions(&self) -> Option<HashMap<(MemoryPath, Sha256), ChangeSequence>> {
        let history = self.history()?;
        let mut found = HashMap::new();
        for entry in history.own_entries().map_while(Result::ok) {
            for version in entry.change.versions {
                if let (Some(_), Some(sha256)) = (self.tier.file(&version.path), version.sha256) {
                    found
                        .entry((version.path, sha256))
                        .or_insert(entry.sequence);
                }
            }
        }
        Some(found)
    }

    fn history(&self) -> Option<History> {
        self.store.open_history().ok().flatten()
    }
}

/// Whether the store passes it over: once written it would be missing at the next look, and be taken again.
fn is_hidden(key: &EntryKey) -> bool {
    key.as_str().split('/').any(|name| name.starts_with('.'))
}

impl SyncFiles for StoreFiles {
    fn list(&mut self) -> Result<Vec<(String, Sha256)>, FilesError> {
        let first_look = self.first_look.take();
        let digests = first_look.unwrap_or_else(|| self.store.digests(self.now))?;
        self.spelled.clear();
        self.unread.clear();
        let named = self.name_digests(digests);
        self.shown_files(named)
    }

    fn read(&mut self, key: &EntryKey) -> Result<Option<Vec<u8>>, FilesError> {
        let bytes = match self.read_real(&self.key_path(key)?) {
            // The file is named among those that stay here, and the others go on.
            Err(error @ StoreError::Io { .. }) => {
                self.unread.insert(key.to_string(), error.to_string());
                None
            }
            read => read?,
        };
        Ok(self.shown_text(key, bytes.as_deref()).or(bytes))
    }

    fn earlier(&mut self, key: &EntryKey, sha256: Sha256) -> Option<Vec<u8>> {
        if let Some(text) = self.sent_text(key, sha256) {
            return Some(text);
        }
        let path = self.key_path(key).ok()?;
        if self.earlier.is_none() {
            self.earlier = self.versions();
        }
        let at = (path, sha256);
        let sequence = *self.earlier.as_ref()?.get(&at)?;
        self.history()?.content(sequence, &at.0).ok().flatten()
    }

    fn awaits(&mut self, key: &EntryKey, sha256: Sha256) -> bool {
        let (true, Ok(path)) = (self.reviews, self.key_path(key)) else {
            return false;
        };
        let store = &self.store;
        let aside = self
            .aside
            .get_or_insert_with(|| review::inbox_of_team(store));
        let Some(answer) = aside.get(&(path, sha256)) else {
            return false;
        };
        self.reviewed.add_answer(key, *answer);
        true
    }

    fn is_restored(&mut self, key: &EntryKey) -> bool {
        let path = self.key_path(key);
        path.is_ok_and(|path| {
            self.history()
                .is_some_and(|of| restored_files::is_restored(&of, &path))
        })
    }

    fn is_removed(&mut self, key: &EntryKey) -> bool {
        // The team's files are deleted for everybody by `mem team delete` alone.
        if self.tier.0 == Scope::Team || self.is_dry {
            return false;
        }
        let path = self.key_path(key);
        path.is_ok_and(|path| {
            self.history()
                .is_some_and(|of| restored_files::is_removed(&of, &path))
        })
    }

    fn apply(&mut self, changes: &[BatchFile]) -> Result<BTreeSet<EntryKey>, FilesError> {
        self.earlier = None;
        self.aside = None;
        let made = self.with_waiting_lines(changes)?;
        let mut wanted = Vec::with_capacity(changes.len());
        for change in made.iter() {
            if change.new.is_some() && is_hidden(&change.key) {
                let why = "what begins with a dot is not memory here".to_owned();
                self.refused.insert(change.key.to_string(), why);
                continue;
            }
            match self.key_path(&change.key) {
                Ok(path) => wanted.push((change, path)),
                Err(_) => {
                    let why = "no such path can stand here".to_owned();
                    self.refused.insert(change.key.to_string(), why);
                }
            }
        }
        let mut refused = self.unfit_changes(&wanted);
        if self.reviews {
            self.put_aside(&wanted, &mut refused)?;
            self.mark_refused(&wanted, refused);
            return Ok(BTreeSet::new());
        }
        let order = self.batch_metadata(changes);
        let mut done = BTreeSet::new();
        for turn in batch::in_turn(&wanted) {
            done.extend(self.write(&order, &OpenGate, &turn, &mut refused)?);
        }
        self.mark_refused(&wanted, refused);
        let written = changes.iter().zip(made.iter());
        self.note_written(written.filter(|(change, _)| done.contains(&change.key)))?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests;
