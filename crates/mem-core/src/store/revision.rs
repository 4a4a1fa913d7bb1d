//! Finding a past version of a note.

use std::collections::HashMap;

use jiff::Timestamp;

use super::erase::is_emptied;
use crate::MemoryPath;
use crate::error::Diagnose;
use crate::history::{
    ChangeSequence, CitationSnapshot, FileOperation, History, HistoryEntry, HistoryError, NoteId,
    Sha256, Version,
};

/// A past version with its content.
#[derive(Clone, Debug)]
pub struct Revision {
    /// The change that made it.
    pub entry: HistoryEntry,
    /// Its record.
    pub version: Version,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Why a version cannot be had.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum RevisionError {
    /// No note was ever called that.
    #[error("no note was ever called `{0}`")]
    #[diagnose(NotFound, hint = "`mem history` lists what happened")]
    NeverSeen(String),
    /// The note has no such version.
    #[error("`{name}` has no version `{revision}` with content")]
    #[diagnose(
        NotFound,
        hint = "`mem history {name}` lists them; `mem history` also has those of an earlier memory of the name"
    )]
    NoSuchVersion {
        /// The note.
        name: String,
        /// What was asked for.
        revision: String,
    },
    /// It has no other version than the one that stands there.
    #[error("`{0}` has no other version with content")]
    #[diagnose(NotFound, hint = "`mem history {0}` lists them")]
    NoOtherVersion(String),
    /// The history failed.
    #[error(transparent)]
    History(#[from] HistoryError),
}

impl History {
    /// The id of the note that last stood at a path, gone or not. A path may leave out `.md`.
    ///
    /// # Errors
    /// Objects are missing or damaged.
    pub fn note_at(&self, path: &str) -> Result<Option<NoteId>, HistoryError> {
        let mut newest: Option<(ChangeSequence, NoteId)> = None;
        for name in [path, &format!("{path}.md")] {
            let found = self.of_path(name)?.into_iter().find_map(|entry| {
                let mut versions = entry.change.versions.into_iter();
                let version = versions.find(|version| version.path.as_str() == name)?;
                Some((entry.sequence, version.note))
            });
            newest = newest.max(found);
        }
        Ok(newest.map(|(_, note)| note))
    }

    /// A version of a note: `revision` is the beginning of a version or change id, a number
    /// (how many versions back, 0 the newest), or `None` for the newest one with content that
    /// is not `current`. An id may also be that of a version of an earlier note at the same path.
    ///
    /// # Errors
    /// There is no such version, or it has no content.
    pub fn revision(
        &self,
        note: &NoteId,
        revision: Option<&str>,
        current: Option<Sha256>,
    ) -> Result<Revision, RevisionError> {
        let versions = self.of_note(note)?;
        let mut of_past = Vec::new();
        let chosen = match revision {
            None => versions
                .iter()
                .find(|(_, version)| version.sha256.is_some() && (version.sha256 != current)),
            Some(text) => match text.parse::<usize>() {
                Ok(back) if text.len() < 6 => versions.get(back),
                _ => {
                    if let Some((_, newest)) = versions.first() {
                        of_past = self.versions_at(&newest.path)?;
                    }
                    let mut all = versions.iter().chain(&of_past);
                    all.find(|(entry, version)| {
                        is_called(version.id.as_str(), text)
                            || is_called(entry.change.id.as_str(), text)
                    })
                }
            },
        };
        let missing = || {
            let name = versions.first();
            let name = name.map_or(note.as_str(), |(_, one)| one.path.stem());
            let name = name.to_owned();
            match revision.map(str::to_owned) {
                Some(revision) => RevisionError::NoSuchVersion { name, revision },
                None => RevisionError::NoOtherVersion(name),
            }
        };
        let (entry, version) = chosen.ok_or_else(missing)?;
        if version.operation == FileOperation::Deleted {
            return Err(missing());
        }
        let bytes = self
            .content(entry.sequence, &version.path)?
            .filter(|bytes| !(version.redacted && is_emptied(bytes)))
            .ok_or_else(missing)?;
        Ok(Revision {
            entry: entry.clone(),
            version: version.clone(),
            bytes,
        })
    }

    /// The versions of all notes that stood at a path, newest first, each with its change.
    fn versions_at(&self, path: &MemoryPath) -> Result<Vec<(HistoryEntry, Version)>, HistoryError> {
        let entries = self.of_path(path.as_str())?.into_iter();
        let found = entries.filter_map(|entry| {
            let mut versions = entry.change.versions.iter();
            let version = versions.find(|version| version.path == *path)?.clone();
            Some((entry, version))
        });
        Ok(found.collect())
    }

    /// When contents that stood at paths before a change came to be, and what they rested on: one look at each change
    /// for all of them. What no change is known to have made is missing.
    pub(super) fn origins_of(
        &self,
        change: ChangeSequence,
        mut contents: HashMap<MemoryPath, Sha256>,
    ) -> Result<HashMap<MemoryPath, (Timestamp, CitationSnapshot)>, HistoryError> {
        let mut origins = HashMap::new();
        let mut next = self.parent(change)?;
        while let (Some(sequence), false) = (next, contents.is_empty()) {
            let change = self.change(sequence)?;
            for version in change.versions {
                let wanted = contents.get(&version.path);
                if wanted.is_some() && wanted == version.sha256.as_ref() {
                    let time = version.content_time.unwrap_or(change.time);
                    contents.remove(&version.path);
                    origins.insert(version.path, (time, version.cited));
                }
            }
            next = self.parent(sequence)?;
        }
        Ok(origins)
    }
}

/// Whether an id begins with `text`, its prefix written or not.
fn is_called(id: &str, text: &str) -> bool {
    let bare = id.split_once('_').map_or(id, |(_, bare)| bare);
    text.len() >= 4 && (id.starts_with(text) || bare.starts_with(text))
}
