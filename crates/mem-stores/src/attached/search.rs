//! Finding in an offline copy: an index in memory, of this process, in step with the files.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use mem_core::history::Sha256;
use mem_recall::{Document, RecallIndex};

use crate::tools::store::StoreSearch;
use crate::tools::{RankedMemory, rank_memories};

/// Indexes that are kept: as many as one repository has stores.
const INDEXES_MAX: usize = 8;

/// The indexes by the place of their copy's state.
static INDEXES: Mutex<BTreeMap<PathBuf, RecallIndex>> = Mutex::new(BTreeMap::new());

/// Brings the index of a copy up to what its files are, and ranks. `read` gives the text of a path.
pub(super) fn search_copy(
    copy: PathBuf,
    files: &BTreeMap<String, Sha256>,
    read: &mut dyn FnMut(&str) -> Option<String>,
    asked: &StoreSearch,
) -> Vec<RankedMemory> {
    let mut indexes = INDEXES.lock().unwrap_or_else(PoisonError::into_inner);
    if indexes.len() >= INDEXES_MAX && !indexes.contains_key(&copy) {
        indexes.clear();
    }
    let index = indexes.entry(copy).or_default();
    update_index(index, files, read);
    rank_memories(index, asked, asked.limit)
}

fn update_index(
    index: &mut RecallIndex,
    files: &BTreeMap<String, Sha256>,
    read: &mut dyn FnMut(&str) -> Option<String>,
) {
    let stamps: HashMap<String, Vec<u8>> = index
        .document_stamps()
        .map(|(key, stamp)| (key.to_owned(), stamp.to_vec()))
        .collect();
    let gone = stamps.keys().filter(|key| !files.contains_key(*key));
    index.remove_all(gone.map(String::as_str));
    let is_new = |(path, sha256): &(&String, &Sha256)| {
        let stamp = stamps.get(*path);
        stamp.is_none_or(|stamp| stamp != sha256.as_bytes())
    };
    let new = files.iter().filter(is_new).filter_map(|(path, sha256)| {
        let body = read(path)?;
        let name = path.rsplit('/').next().unwrap_or_default();
        let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        Some(Document {
            key: path.clone(),
            name: name.replace(['-', '_'], " "),
            body,
            stamp: sha256.as_bytes().to_vec(),
            ..Document::default()
        })
    });
    let new: Vec<Document> = new.collect();
    index.add_documents(&new);
}
