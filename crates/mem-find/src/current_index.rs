//! The index of all tiers, in step with the files: what every question starts from.

use std::cmp::Reverse;

use mem_core::Scope;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::store::{LocalStore, Snapshot, StoreError};
use mem_recall::RecallIndex;
use mem_recall::encoder::Encoder;
use mem_secrets::Scanner;

use crate::documents;
use crate::index_file::IndexFile;
use crate::update::{IndexUpdate, UpdatePlan};

/// So few changed notes are read again by each recall until the background has stored them;
/// storing an index takes longer than reading them.
const UNSTORED_NOTES_MAX: usize = 16;

/// Where no more notes than this lack sentence vectors, the newest of them are encoded while somebody waits. More are a
/// memory that is new to this machine, which the background encodes.
const NEW_NOTES_MAX: usize = 16;
/// How many of them are encoded, on as many cores as there are: one takes 5 to 40 ms. A number and not a time, so that
/// an answer is the same on a busy machine.
const ENCODED_NOTES_MAX: usize = 4;

/// So many notes of a directory are looked at while a save waits for the disk.
const GLANCED_NOTES_MAX: usize = 2_000;
/// So many of them may be new to the index.
const GLANCED_NEW_NOTES_MAX: usize = 64;
/// How many files of a store are named that are no memories or cannot be read.
const WARNINGS_MAX: usize = 10;

/// Whether what was learnt is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storing {
    /// Always.
    Always,
    /// Where it is much; somebody else comes for the rest.
    Much,
}

/// A store with the tiers that are asked for, as it stands.
#[derive(Debug)]
pub(crate) struct IndexedStore<'m> {
    /// The tiers of it that count.
    pub scopes: Vec<Scope>,
    /// What stands there.
    pub snapshot: Snapshot<'m>,
}

/// The index, and what it was made from.
#[derive(Debug)]
pub struct CurrentIndex<'m> {
    /// All notes of all tiers.
    pub index: RecallIndex,
    /// The stores, the project's first.
    pub(crate) parts: Vec<IndexedStore<'m>>,
    /// Whether the stored index lacks something.
    pub is_behind: bool,
    /// Files that could not be read or are no text, and why.
    pub warnings: Vec<String>,
}

impl CurrentIndex<'_> {
    /// Encodes notes that were just written, the newest first, so that they are found by their meaning before the
    /// background has come to them. Returns whether notes wait for it.
    pub(crate) fn encode_new_notes(&mut self, encoder: Option<&Encoder>) -> bool {
        let Some(encoder) = encoder else { return false };
        let pending = self.index.pending_keys(Some(encoder));
        let mut pending: Vec<String> = pending.take(NEW_NOTES_MAX + 1).map(str::to_owned).collect();
        if pending.len() <= NEW_NOTES_MAX {
            let scanner = Scanner::new();
            pending.sort_by_cached_key(|key| Reverse(self.modified_ns(key)));
            let newest = pending.iter().take(ENCODED_NOTES_MAX);
            let documents: Vec<_> = newest
                .filter_map(|key| self.read_document(key, &scanner))
                .collect();
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = cores.min(documents.len());
            self.index.encode_documents(&documents, encoder, threads);
        }
        !pending.is_empty()
    }

    fn read_document(&self, key: &str, scanner: &Scanner) -> Option<mem_recall::Document> {
        let (scope, _) = documents::of_key(key)?;
        documents::read_document(key, self.snapshot_of(scope)?, scanner)
    }

    /// When the note of a key was changed; `None` where it is gone.
    fn modified_ns(&self, key: &str) -> Option<i64> {
        let (scope, file) = documents::of_key(key)?;
        let path = ScopeDir(scope).path(file).ok()?;
        let files = &self.snapshot_of(scope)?.walk().files;
        files.get(&path).map(|stat| stat.mtime_ns)
    }

    fn snapshot_of(&self, scope: Scope) -> Option<&Snapshot<'_>> {
        let mut parts = self.parts.iter();
        let part = parts.find(|part| part.scopes.contains(&scope))?;
        Some(&part.snapshot)
    }
}

/// The tiers that each store of a memory has.
pub(super) fn store_tiers(memory: &ProjectMemory) -> Vec<(&LocalStore, Vec<Scope>)> {
    let [project, global] = memory.stores();
    let mut tiers = vec![(project, vec![Scope::Private, Scope::Team])];
    if !memory.is_one() {
        tiers.push((global, vec![Scope::Global]));
    }
    tiers
}

/// Brings the index of every tier in step with the files.
///
/// # Errors
/// A memory directory cannot be listed. An index that cannot be read or stored is none.
pub fn refreshed_index<'m>(
    memory: &'m ProjectMemory,
    storing: Storing,
) -> Result<CurrentIndex<'m>, StoreError> {
    let mut kept = CurrentIndex {
        index: RecallIndex::new(),
        parts: Vec::new(),
        is_behind: false,
        warnings: Vec::new(),
    };
    for (store, scopes) in store_tiers(memory) {
        let file = IndexFile::for_store(store);
        // One reads while the other walks.
        let (index, snapshot) = std::thread::scope(|scope| {
            let index = scope.spawn(|| file.load());
            let snapshot = store.snapshot();
            (index.join().unwrap_or_default(), snapshot)
        });
        let (mut index, snapshot) = (index, snapshot?);
        let (updated, is_stored) = bring_in_step(&file, &mut index, &snapshot, &scopes, storing);
        kept.is_behind |= updated.is_any() && !is_stored;
        let warnings = updated.warnings.into_iter().chain(snapshot.warnings());
        kept.warnings.extend(bounded_warnings(warnings));
        kept.index = kept.index.join_index(index);
        kept.parts.push(IndexedStore { scopes, snapshot });
    }
    Ok(kept)
}

/// The first of the warnings, and how many more there are: they come with each prompt.
fn bounded_warnings(mut warnings: impl Iterator<Item = String>) -> Vec<String> {
    let mut first: Vec<String> = warnings.by_ref().take(WARNINGS_MAX).collect();
    let more = warnings.count();
    if more > 0 {
        first.push(format!("`mem check` names {more} more files like these"));
    }
    first
}

/// What the stored indexes know, for who has no time: in step with the files only where that takes
/// a moment. Stores nothing; whoever uses it compares with the notes themselves.
///
/// # Errors
/// A memory directory cannot be listed.
pub fn stored_index(memory: &ProjectMemory) -> Result<RecallIndex, StoreError> {
    let mut all = RecallIndex::new();
    for (store, scopes) in store_tiers(memory) {
        let mut index = IndexFile::for_store(store).load();
        let is_small = match index.is_empty() {
            true => has_few_entries(store),
            false => index.len() <= GLANCED_NOTES_MAX,
        };
        if is_small {
            let snapshot = store.snapshot()?;
            let plan = UpdatePlan::from_index(&index, &snapshot, &scopes);
            if plan.len() <= GLANCED_NEW_NOTES_MAX {
                plan.carry_out(&mut index, &snapshot, 0);
            }
        }
        all = all.join_index(index);
    }
    Ok(all)
}

/// Whether a directory is small, without a look at every file.
fn has_few_entries(store: &LocalStore) -> bool {
    let entries = std::fs::read_dir(&store.places().root);
    let entries = entries.into_iter().flatten();
    entries.take(GLANCED_NEW_NOTES_MAX + 1).count() <= GLANCED_NEW_NOTES_MAX
}

/// Updates one store's index; says whether it is stored.
pub(super) fn bring_in_step(
    file: &IndexFile,
    index: &mut RecallIndex,
    snapshot: &Snapshot<'_>,
    scopes: &[Scope],
    storing: Storing,
) -> (IndexUpdate, bool) {
    let plan = UpdatePlan::from_index(index, snapshot, scopes);
    let is_much = plan.len() > UNSTORED_NOTES_MAX;
    let wanted = plan.len() > 0 && (is_much || storing == Storing::Always);
    let begun = wanted.then(|| file.begin().ok()).flatten();
    let begun_ns = begun.as_ref().map_or(0, |begun| begun.time_ns);
    let updated = plan.carry_out(index, snapshot, begun_ns);
    let is_stored = match begun {
        Some(begun) if updated.is_any() => file.finish_write(begun, index).is_ok(),
        _ => !updated.is_any(),
    };
    (updated, is_stored)
}
