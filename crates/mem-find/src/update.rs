//! Brings an index in step with the files: only what changed is read.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use mem_core::history::Sha256;
use mem_core::memory::ScopeDir;
use mem_core::store::{Snapshot, Stat, StoreError};
use mem_core::text_detection::{is_plain_text, not_text_warning};
use mem_core::{MemoryPath, Scope};
use mem_drift::extract_citations;
use mem_recall::{Document, RecallIndex};
use mem_secrets::Scanner;

use crate::by_file::{cited_paths, cited_symbols, when_patterns};
use crate::documents::{self, SourceDocument};
use crate::stamp::DocumentStamp;

/// So many files are read by a thread before it makes them a part of the index.
const BATCH_FILES: usize = 256;
const THREADS_MAX: usize = 8;

/// What an update found.
#[derive(Debug, Default)]
pub(crate) struct IndexUpdate {
    /// Notes whose content is new.
    pub changed: usize,
    /// Notes that are gone.
    pub removed: usize,
    /// Notes that are the same under another stat.
    pub touched: usize,
    /// Files that could not be read or are no text, and why.
    pub warnings: Vec<String>,
}

impl IndexUpdate {
    /// Whether the index is another one than before.
    pub(crate) fn is_any(&self) -> bool {
        self.changed + self.removed + self.touched > 0
    }
}

/// A file that has to be read.
#[derive(Debug)]
struct Suspect<'a> {
    scope: Scope,
    file: &'a str,
    path: &'a MemoryPath,
    known: Option<DocumentStamp>,
}

/// What is to be done to bring an index in step.
#[derive(Debug)]
pub(crate) struct UpdatePlan<'a> {
    suspects: Vec<Suspect<'a>>,
    gone: Vec<String>,
    /// Files that are known to be no text.
    no_texts: Vec<&'a MemoryPath>,
}

impl<'a> UpdatePlan<'a> {
    /// Compares an index with what stands in some tiers of a store. Reads no note.
    pub(crate) fn from_index(
        index: &RecallIndex,
        snapshot: &'a Snapshot<'_>,
        scopes: &[Scope],
    ) -> Self {
        // Looked up often enough to be worth a map.
        let mut stamps: HashMap<&str, &[u8]> = index.document_stamps().collect();
        let (mut suspects, mut no_texts) = (Vec::new(), Vec::new());
        let mut key = String::new();
        for (path, scope, file) in scope_notes(snapshot, scopes) {
            documents::write_key(scope, file, &mut key);
            let stamp = stamps.remove(&*key);
            let known = stamp.and_then(DocumentStamp::from_bytes);
            let stat = snapshot.walk().files.get(path);
            match known.filter(|known| stat.is_some_and(|stat| known.is_current(stat))) {
                Some(current) if current.is_text => {}
                Some(_) => no_texts.push(path),
                None => suspects.push(Suspect {
                    scope,
                    file,
                    path,
                    known,
                }),
            }
        }
        // What no file stands for any more.
        let gone = stamps.into_keys().map(str::to_owned).collect();
        Self {
            suspects,
            gone,
            no_texts,
        }
    }

    /// How many notes there are to read or to forget.
    pub(crate) fn len(&self) -> usize {
        self.suspects.len() + self.gone.len()
    }

    /// Does it. `begun_ns` is a time of the file system's clock between the snapshot and now, 0
    /// where the index will not be stored.
    pub(crate) fn carry_out(
        &self,
        index: &mut RecallIndex,
        snapshot: &Snapshot<'_>,
        begun_ns: i64,
    ) -> IndexUpdate {
        let no_texts = self.no_texts.iter();
        let mut updated = IndexUpdate {
            removed: index.remove_all(self.gone.iter().map(String::as_str)),
            warnings: no_texts
                .map(|path| not_text_warning(path.as_str()))
                .collect(),
            ..IndexUpdate::default()
        };
        for part in read_all(&self.suspects, snapshot, begun_ns) {
            index.absorb_index(part.index);
            updated.changed += part.changed;
            updated.touched += part.touched;
            updated.warnings.extend(part.warnings);
            updated.removed += index.remove_all(part.unreadable.iter().map(String::as_str));
        }
        updated
    }
}

/// The notes of some tiers.
fn scope_notes<'a>(
    snapshot: &'a Snapshot<'_>,
    scopes: &[Scope],
) -> impl Iterator<Item = (&'a MemoryPath, Scope, &'a str)> {
    snapshot.walk().files.keys().flat_map(move |path| {
        let of = move |&scope: &Scope| Some((path, scope, ScopeDir(scope).note(path)?));
        scopes.iter().filter_map(of)
    })
}

/// What one thread made of some files.
#[derive(Default)]
struct UpdateShare {
    index: RecallIndex,
    changed: usize,
    touched: usize,
    warnings: Vec<String>,
    unreadable: Vec<String>,
}

/// Reads files on all cores, batch by batch.
fn read_all(suspects: &[Suspect<'_>], snapshot: &Snapshot<'_>, begun_ns: i64) -> Vec<UpdateShare> {
    let batches: Vec<&[Suspect<'_>]> = suspects.chunks(BATCH_FILES).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let scanner = Scanner::new();
        let mut part = UpdateShare::default();
        while let Some(batch) = batches.get(next.fetch_add(1, Ordering::Relaxed)) {
            part.read(batch, snapshot, &scanner, begun_ns);
        }
        part
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.min(THREADS_MAX).min(batches.len());
    if threads < 2 {
        return vec![work()];
    }
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .filter_map(|worker| worker.join().ok())
            .collect()
    })
}

impl UpdateShare {
    fn read(
        &mut self,
        batch: &[Suspect<'_>],
        snapshot: &Snapshot<'_>,
        scanner: &Scanner,
        begun_ns: i64,
    ) {
        let mut documents = Vec::with_capacity(batch.len());
        for suspect in batch {
            match snapshot.read(suspect.path) {
                Ok(Some((bytes, stat))) => {
                    let document = self.read_document(suspect, &bytes, stat, scanner, begun_ns);
                    documents.extend(document);
                }
                Ok(None) => self
                    .unreadable
                    .push(documents::document_key(suspect.scope, suspect.file)),
                Err(error) => self.refuse_file(suspect, &error),
            }
        }
        self.index.add_documents(&documents);
    }

    fn refuse_file(&mut self, suspect: &Suspect<'_>, error: &StoreError) {
        self.warnings.push(error.to_string());
        self.unreadable
            .push(documents::document_key(suspect.scope, suspect.file));
    }

    /// The document of a file; `None` where the index has it already.
    fn read_document(
        &mut self,
        suspect: &Suspect<'_>,
        bytes: &[u8],
        stat: Stat,
        scanner: &Scanner,
        begun_ns: i64,
    ) -> Option<Document> {
        let mut stamp = DocumentStamp::new(stat, Sha256::digest(bytes), begun_ns);
        stamp.is_text = is_plain_text(bytes);
        if !stamp.is_text {
            self.warnings.push(not_text_warning(suspect.path.as_str()));
        }
        let is_same = suspect
            .known
            .is_some_and(|known| known.sha256() == stamp.sha256());
        if is_same && !stamp.is_current(&stat) {
            // Nothing to learn: it would have to be read again next time all the same.
            return None;
        }
        match is_same {
            true => self.touched += 1,
            false => self.changed += 1,
        }
        let source = SourceDocument {
            scope: suspect.scope,
            file: suspect.file,
            path: suspect.path,
            bytes,
            time: Some(stat.mtime_ns.div_euclid(1_000_000_000)),
        };
        let mut document = documents::make_document(&source, scanner);
        // Of the document, which has no secrets, and not of the file.
        let text = format!("{}\n\n{}", document.description, document.body);
        let citations = extract_citations(&text, &[]);
        let patterns = when_patterns(&source, scanner);
        let symbols = cited_symbols(&citations);
        let marked = patterns.iter().chain(&symbols).map(String::as_str);
        document.stamp = stamp.to_bytes(cited_paths(&citations).chain(marked));
        Some(document)
    }
}
