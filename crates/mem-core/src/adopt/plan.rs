//! What becomes of each file of the source.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::error::AdoptError;
use super::{is_index, unite};
use crate::daily_log::date_of;
use crate::history::NoteId;
use crate::store::{Draft, Store};
use crate::{MemoryPath, topic};

/// A file of the source.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: MemoryPath,
    pub(super) bytes: Vec<u8>,
    pub(super) note: NoteId,
    pub(super) content_time: Option<Timestamp>,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is taken over under its own name.
    Taken,
    /// The very same file is there already.
    Identical,
    /// Another file has its name: it is taken over under this one.
    Renamed(MemoryPath),
    /// Its lines are united with those that are there.
    United,
}

/// A file of the source and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// Its path in the source.
    pub path: MemoryPath,
    /// What becomes of it.
    pub fate: Fate,
}

impl Adopted {
    /// Where its content is to be found afterwards.
    pub fn target(&self) -> &MemoryPath {
        match &self.fate {
            Fate::Renamed(path) => path,
            _ => &self.path,
        }
    }
}

/// The names that are taken in the target, compared without case.
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub(super) fn of<'p>(paths: impl IntoIterator<Item = &'p MemoryPath>) -> Self {
        Self(
            paths
                .into_iter()
                .map(|path| path.as_str().to_lowercase())
                .collect(),
        )
    }

    fn take(&mut self, path: &MemoryPath) -> bool {
        self.0.insert(path.as_str().to_lowercase())
    }
}

/// Reads every file of the source with its id and age.
pub(super) fn read_source(source: &Store) -> Result<Vec<SourceFile>, AdoptError> {
    let snapshot = source.snapshot()?;
    let mut files = Vec::new();
    for path in snapshot.walk().files.keys() {
        let Some((bytes, _)) = snapshot.read(path)? else {
            continue;
        };
        files.push(SourceFile {
            path: path.clone(),
            bytes,
            note: snapshot.note_id(path),
            content_time: snapshot.content_time(path),
        });
    }
    Ok(files)
}

/// Decides on one file.
pub(super) fn decide(
    file: &SourceFile,
    there: Option<&[u8]>,
    names: &mut Names,
) -> Result<Adopted, AdoptError> {
    let united = is_index(file.path.file_name()) || date_of(&file.path).is_some();
    let fate = match there {
        None if names.take(&file.path) => Fate::Taken,
        Some(bytes) if bytes == file.bytes => Fate::Identical,
        Some(_) if united => Fate::United,
        _ => Fate::Renamed(free_name(&file.path, names)?),
    };
    Ok(Adopted {
        path: file.path.clone(),
        fate,
    })
}

fn free_name(path: &MemoryPath, names: &mut Names) -> Result<MemoryPath, AdoptError> {
    let mut number = 2;
    loop {
        let candidate = topic::numbered(path, number)?;
        if names.take(&candidate) {
            return Ok(candidate);
        }
        number += 1;
    }
}

/// Carries one decision out.
pub(super) fn carry_out(
    draft: &mut Draft<'_>,
    file: &SourceFile,
    adopted: &Adopted,
    all: &[Adopted],
) -> Result<(), AdoptError> {
    let bytes = match is_index(file.path.file_name()) {
        true => unite::retarget(&file.bytes, file.path.parent(), all),
        false => file.bytes.clone(),
    };
    match &adopted.fate {
        Fate::Identical => {}
        Fate::United => {
            let there = draft.read(&file.path)?.unwrap_or_default();
            draft.put(&file.path, unite::lines(&there, &bytes))?;
        }
        Fate::Taken | Fate::Renamed(_) => {
            let target = adopted.target();
            match file.content_time {
                Some(time) => draft.put_dated(target, bytes, time)?,
                None => draft.put(target, bytes)?,
            }
            draft.adopt_id(target, file.note.clone());
        }
    }
    Ok(())
}
