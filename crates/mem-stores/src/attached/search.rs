//! Finding in an offline copy: an index in memory, of this process, in step with the files.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use mem_core::history::Sha256;
use mem_recall::snippets::{find_snippets, find_words};
use mem_recall::text::Stems;
use mem_recall::{
    DEFAULT_MIN_SCORE, Document, RankFilter, RankOptions, RecallIndex, RecallQuery, rank_documents,
};

use crate::PathPrefix;
use crate::tools::store::{MemoryLine, StoreSearch};

/// Indexes that are kept: as many as one repository has stores.
const INDEXES_MAX: usize = 8;

/// The indexes by the place of their copy's state.
static INDEXES: Mutex<BTreeMap<PathBuf, RecallIndex>> = Mutex::new(BTreeMap::new());

/// What was found at a path.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PathMatch {
    pub(super) path: String,
    /// From 0 to 1.
    pub(super) score: f32,
    /// The terms that answer the query.
    terms: HashSet<String>,
}

/// Brings the index of a copy up to what its files are, and ranks. `read` gives the text of a path.
pub(super) fn search_copy(
    copy: PathBuf,
    files: &BTreeMap<String, Sha256>,
    read: &mut dyn FnMut(&str) -> Option<String>,
    asked: &StoreSearch,
) -> Vec<PathMatch> {
    let mut indexes = INDEXES.lock().unwrap_or_else(PoisonError::into_inner);
    if indexes.len() >= INDEXES_MAX && !indexes.contains_key(&copy) {
        indexes.clear();
    }
    let index = indexes.entry(copy).or_default();
    update_index(index, files, read);
    let folder = asked.folder.as_ref().map(PathPrefix::as_str);
    let options = RankOptions {
        limit: asked.limit,
        min_score: 0.0,
        filter: RankFilter {
            below: folder.unwrap_or_default().to_owned(),
            ..RankFilter::default()
        },
        ..RankOptions::default()
    };
    let hits = rank_documents(index, &RecallQuery::new(&asked.query), &options).hits;
    hits.into_iter()
        // Every text has some likeness.
        .filter(|hit| {
            let is_named = hit.matches.iter().any(|one| one.asked == one.found);
            is_named || hit.confidence >= DEFAULT_MIN_SCORE
        })
        .map(|hit| PathMatch {
            path: hit.key,
            score: hit.confidence,
            terms: hit.matches.into_iter().map(|one| one.found).collect(),
        })
        .collect()
}

impl PathMatch {
    /// The lines of a text that say why.
    pub(super) fn matching_lines(&self, text: &str) -> Vec<MemoryLine> {
        let mut stems = Stems::default();
        let found = find_snippets(text, 1, &mut |line| {
            find_words(line, &self.terms, &mut stems)
        });
        let found = found.into_iter().map(|one| MemoryLine {
            number: one.line,
            text: one.text,
        });
        found.collect()
    }
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
