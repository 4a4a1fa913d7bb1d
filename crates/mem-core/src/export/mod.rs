//! What an export is: every file of a memory, byte for byte, with its tier, its id and its age.
//!
//! Two shapes hold the same: a directory `DIR/{private,team,global}/...` with the files as they
//! stand and [`MANIFEST_FILE`] beside them ([`write()`]), and one JSON document with the contents
//! in it ([`document`]). [`crate::import`] reads both. An export is no backup of the history: that
//! one stays where it is.

mod directory;
mod error;
mod manifest;

use jiff::Timestamp;

use crate::compact_sort::CompactSort as _;
use crate::history::NoteId;
use crate::limits::{HISTORY_FILE_BYTES_MAX, IMPORT_BYTES_MAX};
use crate::memory::{ProjectMemory, ScopeDir};
use crate::store::Snapshot;
use crate::{MemoryPath, Scope};

pub use directory::write;
pub use error::ExportError;
pub use manifest::{MANIFEST_FILE, document};

pub(crate) use manifest::{ExportManifest, ManifestFile};

/// One file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// Its tier.
    pub scope: Scope,
    /// Its path within the tier.
    pub file: MemoryPath,
    /// The id of its note; indexes and logs have one too.
    pub id: NoteId,
    /// When its content came to be, where that is known.
    pub content_time: Option<Timestamp>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The files of a memory.
#[derive(Clone, Debug, Default)]
pub struct Export {
    /// In tier order, then by path.
    pub files: Vec<ExportedFile>,
    /// What could not come along, or could not be imported again, and why.
    pub warnings: Vec<String>,
}

impl Export {
    /// Reads every file of some tiers. Takes no lock and writes nothing.
    ///
    /// # Errors
    /// A directory cannot be listed or a file not be read: half an export would be a trap.
    pub fn for_memory(memory: &ProjectMemory, scopes: &[Scope]) -> Result<Self, ExportError> {
        let mut export = Self::default();
        for store in memory.stores() {
            let snapshot = store.snapshot()?;
            export.read(&snapshot, store.tiers(), scopes)?;
        }
        export
            .files
            .compact_sort_by(|a, b| (a.scope, &a.file).cmp(&(b.scope, &b.file)));
        let total = export.bytes();
        if total > IMPORT_BYTES_MAX {
            export.warnings.push(format!(
                "it holds {total} bytes: an import takes {IMPORT_BYTES_MAX} at once, tier by tier"
            ));
        }
        Ok(export)
    }

    /// The bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }

    fn read(
        &mut self,
        snapshot: &Snapshot<'_>,
        tiers: crate::store::Tiers,
        scopes: &[Scope],
    ) -> Result<(), ExportError> {
        let walk = snapshot.walk();
        self.warnings
            .extend(walk.skipped.iter().map(ToString::to_string));
        for path in walk.files.keys() {
            let scope = tiers.scope_of(path);
            let file = ScopeDir(scope).file(path).map(MemoryPath::parse);
            let Some(Ok(file)) = file.filter(|_| scopes.contains(&scope)) else {
                continue;
            };
            // Gone since the listing: deleted, and deleted files are not exported.
            let Some((bytes, _)) = snapshot.read(path)? else {
                continue;
            };
            if bytes.len() as u64 > HISTORY_FILE_BYTES_MAX {
                self.warnings.push(format!(
                    "`{path}` is larger than {HISTORY_FILE_BYTES_MAX} bytes: it cannot be imported"
                ));
            }
            self.files.push(ExportedFile {
                scope,
                file,
                id: snapshot.note_id(path),
                content_time: snapshot.content_time(path, &bytes),
                bytes,
            });
        }
        Ok(())
    }
}
