//! Removing content for good, and bounding the history.

use std::collections::BTreeSet;
use std::path::Path;

use git2::Oid;

use super::error::StoreError;
use super::locked::Locked;
use super::write::Store;
use crate::Now;
use crate::history::{Change, History, NoteId, Proof, Rewrite, Version, contains};
use crate::notes::INDEX_FILE;

/// What stands where a text was removed.
const MARK: &str = "[redacted]";

/// What to remove from the history.
#[derive(Clone, Debug)]
pub enum Redaction {
    /// Everything a note ever said, and what the index said of it.
    Note(NoteId),
    /// Every occurrence of a text, whichever file it stands in.
    Text(String),
}

impl Store {
    /// Removes content from every object of the history; the files are the caller's business and
    /// must be clean already. Ends with a scan of all objects and state files.
    ///
    /// # Errors
    /// The rewrite failed (the old history is untouched), or the scan still finds the text.
    pub fn redact_history(&self, what: &Redaction, now: Now) -> Result<Proof, StoreError> {
        let locked = Locked::begin(self, now)?;
        let plan = Plan::of(what, locked.history())?;
        let proof = locked.rewrite(&plan)?;
        if let Redaction::Text(text) = what {
            self.prove(text)?;
        }
        Ok(proof)
    }

    /// Packs the history and keeps the newest changes only (`None`: all of them).
    ///
    /// # Errors
    /// The rewrite failed; the old history is untouched.
    pub fn collect_garbage(&self, keep: Option<usize>, now: Now) -> Result<Proof, StoreError> {
        let locked = Locked::begin(self, now)?;
        let base = keep
            .map(|keep| base_versions(locked.history(), keep))
            .transpose()?;
        let plan = Bound {
            keep,
            base: base.flatten(),
        };
        locked.rewrite(&plan)
    }

    /// Looks for a text in every object and in every state file.
    fn prove(&self, text: &str) -> Result<(), StoreError> {
        let mut hits = 0;
        if let Some(history) = History::open(&self.places.history())? {
            hits += history.scan_objects(text.as_bytes())?.1;
        }
        for path in [self.places.journal(), self.places.catalog()] {
            hits += usize::from(file_contains(&path, text.as_bytes())?);
        }
        match hits {
            0 => Ok(()),
            hits => Err(crate::history::HistoryError::NotErased(hits).into()),
        }
    }
}

impl Locked<'_> {
    /// Rewrites the history and brings journal and catalog after it.
    fn rewrite(mut self, plan: &dyn Rewrite) -> Result<Proof, StoreError> {
        let (history, proof) = self.history.rewrite(plan)?;
        let head = history.head()?;
        self.journal.reset(head)?;
        self.catalog.commit = head;
        self.catalog.save(&self.store.places.catalog())?;
        Ok(proof)
    }
}

fn file_contains(path: &Path, needle: &[u8]) -> Result<bool, StoreError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(contains(&bytes, needle)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(StoreError::io("read", path)(error)),
    }
}

/// A redaction, ready to be applied to every commit.
struct Plan {
    /// Every (path, blob) that belongs to the note.
    blobs: BTreeSet<(String, Oid)>,
    /// Every path that the note ever had.
    paths: BTreeSet<String>,
    text: Option<String>,
}

impl Plan {
    fn of(what: &Redaction, history: &History) -> Result<Self, StoreError> {
        let mut plan = Self {
            blobs: BTreeSet::new(),
            paths: BTreeSet::new(),
            text: None,
        };
        match what {
            Redaction::Text(text) => plan.text = Some(text.clone()),
            Redaction::Note(note) => {
                for (entry, version) in history.of_note(note)? {
                    let path = version.path.as_str().to_owned();
                    if let Some(blob) = history.blob_id(entry.commit, &version.path)? {
                        plan.blobs.insert((path.clone(), blob));
                    }
                    plan.paths.insert(path);
                }
            }
        }
        Ok(plan)
    }

    /// The index without what it says of the note.
    fn clean_index(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let names = |line: &[u8]| {
            self.paths
                .iter()
                .any(|path| contains(line, path.rsplit('/').next().unwrap_or(path).as_bytes()))
        };
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let kept: Vec<&[u8]> = lines.iter().copied().filter(|line| !names(line)).collect();
        (kept.len() < lines.len()).then(|| kept.concat())
    }
}

impl Rewrite for Plan {
    fn content(&self, path: &str, blob: Oid, bytes: &[u8]) -> Option<Vec<u8>> {
        if let Some(text) = &self.text {
            return contains(bytes, text.as_bytes()).then(|| replace_all(bytes, text.as_bytes()));
        }
        if self.blobs.contains(&(path.to_owned(), blob)) {
            return Some(format!("{MARK}\n").into_bytes());
        }
        if path.rsplit('/').next() == Some(INDEX_FILE) {
            self.clean_index(bytes)
        } else {
            None
        }
    }

    fn record(&self, change: &mut Change, touched: &dyn Fn(&str) -> bool) {
        for version in change
            .versions
            .iter_mut()
            .filter(|one| touched(one.path.as_str()))
        {
            version.redacted = true;
            version.sha256 = None;
            version.size = None;
        }
        if let (Some(text), Some(reason)) = (&self.text, &mut change.reason) {
            *reason = reason.replace(text.as_str(), MARK);
        }
    }
}

/// Every occurrence of `needle` replaced by the mark.
fn replace_all(bytes: &[u8], needle: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest
        .windows(needle.len())
        .position(|window| window == needle)
    {
        replaced.extend_from_slice(&rest[..at]);
        replaced.extend_from_slice(MARK.as_bytes());
        rest = &rest[at + needle.len()..];
    }
    replaced.extend_from_slice(rest);
    replaced
}

/// Packing, with or without a bound.
struct Bound {
    keep: Option<usize>,
    /// The oldest change that stays, and what it must then say of every file.
    base: Option<(Change, Vec<Version>)>,
}

impl Rewrite for Bound {
    fn content(&self, _: &str, _: Oid, _: &[u8]) -> Option<Vec<u8>> {
        None
    }

    fn record(&self, change: &mut Change, _: &dyn Fn(&str) -> bool) {
        if let Some((oldest, versions)) = &self.base
            && change.id == oldest.id
        {
            let own: BTreeSet<_> = change.versions.iter().map(|one| one.path.clone()).collect();
            let inherited = versions.iter().filter(|one| !own.contains(&one.path));
            change.versions.extend(inherited.cloned());
        }
    }

    fn keep(&self) -> Option<usize> {
        self.keep
    }
}

/// The oldest of the changes to keep, and the newest version of every file before it.
fn base_versions(
    history: &History,
    keep: usize,
) -> Result<Option<(Change, Vec<Version>)>, StoreError> {
    let entries = history.entries()?;
    let Some(oldest) = keep.checked_sub(1).and_then(|at| entries.get(at)) else {
        return Ok(None);
    };
    let mut seen = BTreeSet::new();
    let mut versions = Vec::new();
    for entry in &entries[keep..] {
        for version in &entry.change.versions {
            let fresh = seen.insert(version.path.clone());
            if let Some(from) = &version.renamed_from {
                seen.insert(from.clone());
            }
            if fresh && version.sha256.is_some() {
                let time = version.content_time.unwrap_or(entry.change.time);
                versions.push(Version {
                    content_time: Some(time),
                    ..version.clone()
                });
            }
        }
    }
    Ok(Some((oldest.change.clone(), versions)))
}
