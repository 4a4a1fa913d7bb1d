//! Checking every tier without writing.

use std::collections::HashSet;

use super::ProjectMemory;
use super::error::MemoryError;
use super::note::Note;
use super::scope_dir::ScopeDir;
use crate::check::{self, CheckCode, CheckFinding, CheckInput, CheckSeverity, CheckedNote};
use crate::config::MemoryMode;
use crate::location::ProjectContext;
use crate::notes::{ARCHIVE_FILE, INDEX_FILE};
use crate::store::StoreError;
use crate::{MemoryPath, Scope};

/// What a check found in one tier.
#[derive(Debug)]
pub struct Inspection {
    /// The tier.
    pub scope: Scope,
    /// How many notes there are.
    pub notes: usize,
    /// What to mend, in a stable order.
    pub findings: Vec<CheckFinding>,
    /// What could not be read.
    pub warnings: Vec<String>,
}

impl Inspection {
    /// Where a daily log is kept, saving leaves the index alone: a note without a pointer is then as it should be.
    pub fn allow_for_log(&mut self, place: &ProjectContext) {
        if place.config.values.memory.mode != MemoryMode::Log {
            return;
        }
        let orphans = self.findings.iter_mut();
        for finding in orphans.filter(|one| one.code == CheckCode::Orphan) {
            finding.severity = CheckSeverity::Info;
            finding.message.push_str(" (memory.mode is \"log\")");
        }
    }
}

impl ProjectMemory {
    /// Checks one tier. Takes no lock and writes nothing.
    ///
    /// # Errors
    /// The directory cannot be listed, or its index is no file. What cannot be read is a finding.
    pub fn inspect(&self, scope: Scope) -> Result<Inspection, MemoryError> {
        let mut listing = self.list(&[scope])?;
        let snapshot = self.store(scope).snapshot()?;
        let mut unreadable: Vec<(MemoryPath, String)> = std::mem::take(&mut listing.unreadable)
            .into_iter()
            .map(|memory| (memory.file, memory.error.to_string()))
            .collect();
        // Findings say the same.
        let no_text = listing.notes.iter().filter_map(Note::text_warning);
        let found: HashSet<String> = unreadable
            .iter()
            .map(|(_, why)| why.clone())
            .chain(no_text)
            .collect();
        listing.warnings.retain(|text| !found.contains(text));
        let mut is_index_known = true;
        let mut read = |file: &str| -> Result<Option<Vec<u8>>, MemoryError> {
            let path = ScopeDir(scope).path(file)?;
            match snapshot.read(&path) {
                Err(error @ StoreError::Io { .. }) => {
                    is_index_known = false;
                    if !snapshot.walk().is_unseen(path.as_str()) {
                        unreadable.push((MemoryPath::parse(file)?, error.to_string()));
                    }
                    Ok(None)
                }
                read => Ok(read?.map(|(bytes, _)| bytes)),
            }
        };
        let (index, archive) = (read(INDEX_FILE)?, read(ARCHIVE_FILE)?);
        let files: Vec<MemoryPath> = listing
            .notes
            .iter()
            .map(|note| MemoryPath::parse(&note.file))
            .collect::<Result<_, _>>()?;
        let notes: Vec<CheckedNote<'_>> = listing
            .notes
            .iter()
            .zip(&files)
            .map(|(note, path)| checked(note, path))
            .collect();
        let mut findings = check::check(&CheckInput {
            scope,
            notes: &notes,
            unreadable: &unreadable,
            index: index.as_deref(),
            archive: archive.as_deref(),
        });
        // All that is said of a file that is not there is wrong of one that cannot be read.
        findings.retain(|one| is_index_known || !one.code.is_about_index());
        Ok(Inspection {
            scope,
            notes: listing.notes.len(),
            findings,
            warnings: listing.warnings,
        })
    }
}

fn checked<'n>(note: &'n Note, path: &'n MemoryPath) -> CheckedNote<'n> {
    CheckedNote {
        path,
        topic: &note.topic,
        bytes: &note.bytes,
    }
}
