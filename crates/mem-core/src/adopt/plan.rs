//! What becomes of each file of the source.
//!
//! | in the target | the file becomes |
//! |---|---|
//! | the same bytes under this path | `Identical` |
//! | a log of the same day, other bytes | `United` |
//! | it, or what became of it, by id and earlier contents | `Known`, or `Newer` where an older state was brought |
//! | nothing under this name in any case | `Taken` |
//! | another file under this name | `Renamed` |
//!
//! Ids and past contents tell "brought before and edited since" from "another file of that name", which names and bytes
//! cannot; this makes a second adoption change nothing. Indexes come last, since their links follow the renames.
//! Tests: `adopt::a_second_time_changes_nothing_whatever_happened_since`, `adopt::everything_of_both_is_there`,
//! `adopt::a_source_that_went_on_brings_what_is_new`.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::error::AdoptError;
use super::merge;
use super::target::{AdoptionTarget, PastContents};
use crate::compact_sort::CompactSort as _;
use crate::daily_log::date_of;
use crate::history::{CitationSnapshot, NoteId, Sha256};
use crate::notes::is_index;
use crate::store::{LocalStore, StoreError, WriteTransaction};
use crate::{MemoryPath, topic};

/// A file of the source.
#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) path: MemoryPath,
    pub(super) bytes: Vec<u8>,
    pub(super) note: NoteId,
    pub(super) content_time: Option<Timestamp>,
    pub(super) cited: CitationSnapshot,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdoptionOutcome {
    /// It is taken over under its own name.
    Taken,
    /// The very same file is there already.
    Identical,
    /// It was brought before, and this is where it, or what became of it since, stands.
    Known(MemoryPath),
    /// An older state of it was brought before: it is replaced.
    Newer(MemoryPath),
    /// Another file has its name: it is taken over under this one.
    Renamed(MemoryPath),
    /// What it has and the other one has not is added there.
    United,
}

impl AdoptionOutcome {
    /// The stable word for `--json`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Identical => "identical",
            Self::Known(_) => "known",
            Self::Newer(_) => "newer",
            Self::Renamed(_) => "renamed",
            Self::United => "united",
        }
    }

    /// Whether everything that it stands for is in the target already.
    pub fn is_settled(&self) -> bool {
        matches!(self, Self::Identical | Self::Known(_))
    }
}

/// A file of the source and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adopted {
    /// Its path in the source.
    pub path: MemoryPath,
    /// What becomes of it.
    pub fate: AdoptionOutcome,
}

impl Adopted {
    /// Where its content is to be found afterwards.
    pub fn target_path(&self) -> &MemoryPath {
        match &self.fate {
            AdoptionOutcome::Renamed(path)
            | AdoptionOutcome::Known(path)
            | AdoptionOutcome::Newer(path) => path,
            AdoptionOutcome::Taken | AdoptionOutcome::Identical | AdoptionOutcome::United => {
                &self.path
            }
        }
    }
}

/// Whether the links to a file of the source are to follow it to its new name.
pub(super) fn is_link_target_moved(adopted: &Adopted) -> bool {
    !matches!(adopted.fate, AdoptionOutcome::United)
}

/// Reads every file of the source with its id and age.
pub(super) fn read_source(source: &LocalStore) -> Result<Vec<SourceFile>, AdoptError> {
    let snapshot = source.snapshot()?;
    snapshot.require_readable()?;
    let mut files = Vec::new();
    for path in snapshot.walk().files.keys() {
        let Some((bytes, _)) = snapshot.read(path)? else {
            continue;
        };
        files.push(SourceFile {
            path: path.clone(),
            note: snapshot.note_id(path),
            content_time: snapshot.content_time(path, &bytes),
            cited: snapshot.cited(path, &bytes),
            bytes,
        });
    }
    Ok(files)
}

/// What is known when a file is decided on.
pub(super) struct AdoptionPlan<'a> {
    pub(super) ours: &'a PastContents,
    pub(super) theirs: &'a PastContents,
    /// The names that are taken in the target, in lower case.
    names: BTreeSet<String>,
}

impl<'a> AdoptionPlan<'a> {
    /// Decides on every file: in the order of the source, the indexes after what they point to.
    pub(super) fn decide_files(
        target: &mut impl AdoptionTarget,
        source: &[SourceFile],
        ours: &'a PastContents,
        theirs: &'a PastContents,
    ) -> Result<Vec<Adopted>, AdoptError> {
        let names = target.file_paths();
        let mut plan = Self {
            ours,
            theirs,
            names: names.iter().map(lowercase_path).collect(),
        };
        let (indexes, others): (Vec<&SourceFile>, _) =
            source.iter().partition(|file| is_index(&file.path));
        let mut all = Vec::new();
        for file in others {
            all.push(plan.decide_file(target, file)?);
        }
        for file in indexes {
            let adopted = plan.index(target, file, &all)?;
            all.push(adopted);
        }
        all.compact_sort_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }

    fn decide_file(
        &mut self,
        target: &mut impl AdoptionTarget,
        file: &SourceFile,
    ) -> Result<Adopted, AdoptError> {
        let there = target.read(&file.path)?;
        let fate = match &there {
            Some(bytes) if *bytes == file.bytes => AdoptionOutcome::Identical,
            Some(bytes) if date_of(&file.path).is_some() => {
                self.union_outcome(target, file, bytes, &file.bytes)
            }
            there => match self.brought_before(target, file)? {
                Some(fate) => fate,
                None if there.is_none() && self.names.insert(lowercase_path(&file.path)) => {
                    AdoptionOutcome::Taken
                }
                None => self.rename_outcome(target, file)?,
            },
        };
        let path = file.path.clone();
        Ok(Adopted { path, fate })
    }

    fn index(
        &self,
        target: &mut impl AdoptionTarget,
        file: &SourceFile,
        all: &[Adopted],
    ) -> Result<Adopted, AdoptError> {
        let bytes = merge::retarget_links(&file.bytes, file.path.parent(), all);
        let fate = match target.read(&file.path)? {
            None => AdoptionOutcome::Taken,
            Some(there) => self.union_outcome(target, file, &there, &bytes),
        };
        // Files that come now need their lines, also where the index itself came before.
        let is_quiet = all.iter().all(|one| one.fate.is_settled());
        let fate = match fate {
            AdoptionOutcome::Known(_) if !is_quiet => AdoptionOutcome::United,
            fate => fate,
        };
        let path = file.path.clone();
        Ok(Adopted { path, fate })
    }

    /// Whether there is anything to add to an index or a log. `bytes` are those of the file with
    /// its links following the files.
    fn union_outcome(
        &self,
        target: &impl AdoptionTarget,
        file: &SourceFile,
        there: &[u8],
        bytes: &[u8],
    ) -> AdoptionOutcome {
        if merge::unite_files(there, bytes) == there {
            return AdoptionOutcome::Identical;
        }
        let digest = Sha256::digest(&file.bytes);
        let own = target.note_id(&file.path);
        let is_own_past = bytes == file.bytes && self.ours.has_content(&own, digest);
        // Lines that were taken out since then are not brought back.
        match is_own_past || self.ours.has_content(&file.note, digest) {
            true => AdoptionOutcome::Known(file.path.clone()),
            false => AdoptionOutcome::United,
        }
    }

    /// A file that is in the target's own past: what was edited or renamed there since stays.
    fn brought_before(
        &self,
        target: &mut impl AdoptionTarget,
        file: &SourceFile,
    ) -> Result<Option<AdoptionOutcome>, StoreError> {
        let digest = Sha256::digest(&file.bytes);
        let home = target.path_of(&file.note);
        if let Some(home) = &home
            && self.ours.has_content(&file.note, digest)
        {
            return Ok(Some(AdoptionOutcome::Known(home.clone())));
        }
        let here = target.read(&file.path)?;
        if here.is_some() && self.ours.has_content(&target.note_id(&file.path), digest) {
            return Ok(Some(AdoptionOutcome::Known(file.path.clone())));
        }
        let Some(home) = home else { return Ok(None) };
        let stale = target.read(&home)?.map(|bytes| Sha256::digest(&bytes));
        let is_stale = stale.is_some_and(|digest| self.theirs.has_content(&file.note, digest));
        Ok(is_stale.then_some(AdoptionOutcome::Newer(home)))
    }

    /// The first numbered name that is free, or that holds this very content already.
    fn rename_outcome(
        &mut self,
        target: &mut impl AdoptionTarget,
        file: &SourceFile,
    ) -> Result<AdoptionOutcome, AdoptError> {
        let mut number = 2;
        loop {
            let candidate = topic::numbered(&file.path, number)?;
            if target.read(&candidate)?.as_ref() == Some(&file.bytes) {
                return Ok(AdoptionOutcome::Known(candidate));
            }
            if self.names.insert(lowercase_path(&candidate)) {
                return Ok(AdoptionOutcome::Renamed(candidate));
            }
            number += 1;
        }
    }
}

fn lowercase_path(path: &MemoryPath) -> String {
    path.as_str().to_lowercase()
}

/// Carries one decision out.
pub(super) fn carry_out(
    draft: &mut WriteTransaction<'_>,
    file: &SourceFile,
    adopted: &Adopted,
    all: &[Adopted],
) -> Result<(), AdoptError> {
    let bytes = match is_index(&file.path) {
        true => merge::retarget_links(&file.bytes, file.path.parent(), all),
        false => file.bytes.clone(),
    };
    match &adopted.fate {
        AdoptionOutcome::Identical | AdoptionOutcome::Known(_) => {}
        AdoptionOutcome::United => {
            let there = draft.read(&file.path)?.unwrap_or_default();
            draft.put(&file.path, merge::unite_files(&there, &bytes))?;
        }
        AdoptionOutcome::Taken | AdoptionOutcome::Renamed(_) | AdoptionOutcome::Newer(_) => {
            let target = adopted.target_path();
            match file.content_time {
                Some(time) => draft.put_dated(target, bytes, time)?,
                None => draft.put(target, bytes)?,
            }
            draft.cites(target, file.cited.clone());
            if draft.catalog().path_of(&file.note).is_none() {
                draft.adopt_id(target, file.note.clone());
            }
        }
    }
    Ok(())
}
