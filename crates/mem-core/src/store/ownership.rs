//! Which files of a memory directory are `mem`'s to remove: the rule behind every erasure.
//!
//! A file is the store's own where its bytes are the newest that the history records of it, and
//!
//! | directory | who wrote it |
//! |---|---|
//! | of a host or of `mem` | `mem` made it and wrote it last, or it is Markdown: hosts write memories there themselves |
//! | anywhere else | `mem` made it and wrote it last |
//!
//! Everything else stays: files that the history does not know, text that was changed since the last look, links,
//! hidden files, and in a directory that a person or a program named also what others wrote or edited there.
//!
//! A redaction only changes a file, and so [`Redactable`] reaches further: in a directory elsewhere also memories that
//! `mem` made and others edited, and indexes that it wrote at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path};

use serde::Serialize;

use super::catalog::Catalog;
use super::local_store::LocalStore;
use super::tree::Tree;
use super::walk::Stat;
use crate::MemoryPath;
use crate::dirs::Dirs;
use crate::history::{AuthorKind, FileOperation, History, HistoryError, NoteId, Sha256};
use crate::limits::HISTORY_FILE_BYTES_MAX;
use crate::notes::{LOGS_FOLDER, TEAM_FOLDER, is_index};
use crate::topic::TopicFile;

/// The verb of a change that adopts another directory.
pub const ADOPT: &str = "adopt";

/// Whose directory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryKind {
    /// A host's or `mem`'s own place for memories, in which nobody keeps anything else.
    Host,
    /// A directory that a person or a program named, as by `MEM_DIR`: it may hold anything.
    Elsewhere,
}

impl DirectoryKind {
    /// Whose a directory is, by where it really stands: a link in the place of a host's directory leads elsewhere.
    pub fn from_root(root: &Path, dirs: &Dirs) -> Self {
        let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let root = real(root);
        let below = root.strip_prefix(real(&dirs.base)).ok();
        let parts: Vec<Component<'_>> = below.into_iter().flat_map(Path::components).collect();
        let is_hosts = match parts.as_slice() {
            [memory] => memory.as_os_str() == "memory",
            [projects, _, memory] => {
                projects.as_os_str() == "projects" && memory.as_os_str() == "memory"
            }
            _ => false,
        };
        match is_hosts || root.starts_with(real(&dirs.state)) {
            true => Self::Host,
            false => Self::Elsewhere,
        }
    }
}

/// What kind of file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileClass {
    /// Topic files of the private or the global tier.
    #[serde(rename = "memories")]
    Memory,
    /// Files of the team tier.
    Team,
    /// `MEMORY.md` and its archive.
    #[serde(rename = "indexes")]
    Index,
    /// Daily logs, and what memories said before.
    #[serde(rename = "logs")]
    Log,
    /// Files that the memory tool wrote and that are no Markdown.
    Other,
}

impl FileClass {
    pub(super) fn from_path(path: &MemoryPath) -> Self {
        let folder = path.as_str().split_once('/').map(|(folder, _)| folder);
        match folder {
            Some(TEAM_FOLDER) => Self::Team,
            Some(LOGS_FOLDER) => Self::Log,
            _ if is_index(path) => Self::Index,
            _ if is_markdown(path) => Self::Memory,
            _ => Self::Other,
        }
    }

    /// The words for one of them, and for several.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Memory => ("memory", "memories"),
            Self::Team => ("file of the team tier", "files of the team tier"),
            Self::Index => ("index", "indexes"),
            Self::Log => ("log", "logs"),
            Self::Other => ("other file of mem's", "other files of mem's"),
        }
    }
}

/// What the history records of one file.
#[derive(Clone, Copy, Debug, Default)]
struct RecordedFile {
    sha256: Option<Sha256>,
    /// Whether `mem` made the note.
    is_made_here: bool,
    /// Whether `mem` wrote its newest version.
    is_written_here: bool,
    /// Whether `mem` wrote any version.
    is_ever_written_here: bool,
    /// Whether its first version is from before the history was cut off: nobody knows who made it.
    is_of_base: bool,
}

/// What the history records of every file that it knows to be there.
#[derive(Debug)]
pub(super) struct Ownership {
    kind: DirectoryKind,
    files: BTreeMap<MemoryPath, RecordedFile>,
}

impl Ownership {
    /// Reads the history of a store. Where it cannot be read, the catalog says what was last seen, and nothing
    /// counts as written by `mem`.
    pub(super) fn for_store(store: &LocalStore, kind: DirectoryKind) -> Self {
        let catalog = Catalog::load(&store.places.catalog());
        let history = store.open_history().ok().flatten();
        let files = match history.map(|history| recorded(&history)) {
            Some(Ok(files)) => files,
            None | Some(Err(_)) => catalog
                .iter()
                .map(|(path, _)| (path, RecordedFile::default()))
                .collect(),
        };
        let newest = |(path, mut recorded): (MemoryPath, RecordedFile)| {
            // A redaction leaves no digest in the history.
            recorded.sha256 = recorded
                .sha256
                .or_else(|| catalog.get(&path).map(|entry| entry.sha256));
            (path, recorded)
        };
        Self {
            kind,
            files: files.into_iter().map(newest).collect(),
        }
    }

    /// Whether any file here could be the store's own.
    pub(super) fn has_any(&self) -> bool {
        self.files.iter().any(|(path, one)| self.is_ours(path, one))
    }

    /// Why a file stays; `None` for one that may be removed.
    pub(super) fn objection(
        &self,
        tree: &Tree,
        path: &MemoryPath,
        stat: &Stat,
    ) -> Option<&'static str> {
        let Some(recorded) = self.files.get(path) else {
            return Some("is not in the history: mem did not write it");
        };
        if !self.is_ours(path, recorded) {
            return Some(match recorded.is_made_here {
                true => "was changed by another program",
                false => "was not made by mem",
            });
        }
        if stat.size > HISTORY_FILE_BYTES_MAX {
            return Some("was changed since mem last looked");
        }
        match tree.read(path) {
            Ok(Some((bytes, _))) if recorded.sha256 == Some(Sha256::digest(&bytes)) => None,
            Ok(_) => Some("was changed since mem last looked"),
            Err(_) => Some("cannot be read"),
        }
    }

    fn is_ours(&self, path: &MemoryPath, recorded: &RecordedFile) -> bool {
        let is_by_mem = recorded.is_made_here && recorded.is_written_here;
        is_by_mem || self.kind == DirectoryKind::Host && is_markdown(path)
    }
}

/// Which files of a directory elsewhere a redaction of a text may change.
#[derive(Debug)]
pub(super) struct Redactable(BTreeMap<MemoryPath, RecordedFile>);

impl Redactable {
    /// Reads a history.
    pub(super) fn from_history(history: &History) -> Result<Self, HistoryError> {
        Ok(Self(recorded(history)?))
    }

    /// Whether a file with these bytes is a memory, an index or a log of the store.
    pub(super) fn has(&self, path: &MemoryPath, bytes: &[u8]) -> bool {
        self.0.get(path).is_some_and(|one| {
            // The maker of a file from before the cut is unknown: then it has to look like what `mem` makes.
            let is_like_ours = || {
                let class = FileClass::from_path(path);
                let is_log = class == FileClass::Log && is_markdown(path);
                is_log
                    || is_index(path)
                    || is_markdown(path) && TopicFile::parse(bytes).kind.is_some()
            };
            one.is_made_here
                || one.is_ever_written_here && is_index(path)
                || one.is_of_base && is_like_ours()
        })
    }
}

fn is_markdown(path: &MemoryPath) -> bool {
    path.as_str().ends_with(".md")
}

/// The files that a history says are there. What an adoption brought along is another directory's past and is
/// passed over: here, the adoption made the file.
fn recorded(history: &History) -> Result<BTreeMap<MemoryPath, RecordedFile>, HistoryError> {
    let mut entries = history.own_entries().collect::<Result<Vec<_>, _>>()?;
    entries.reverse();
    let mut makers: BTreeMap<NoteId, (bool, bool)> = BTreeMap::new();
    let mut writers: BTreeSet<NoteId> = BTreeSet::new();
    let mut files = BTreeMap::new();
    for entry in entries {
        let change = entry.change;
        // Where the history was cut off, nobody knows who wrote what stands before.
        let is_ours = change.author.actor != AuthorKind::Foreign && !change.is_base;
        for version in change.versions {
            // By its first version: an undo or a restore of what others made does not make it `mem`'s.
            // A file that is no memory and came with an adoption was somebody else's in its source, too.
            let is_made_here = is_ours && (change.verb != ADOPT || is_markdown(&version.path));
            let maker = makers.entry(version.note.clone());
            let (is_made_here, is_of_base) = *maker.or_insert((is_made_here, change.is_base));
            if is_ours {
                writers.insert(version.note.clone());
            }
            let is_ever_written_here = writers.contains(&version.note);
            if let Some(from) = &version.renamed_from {
                files.remove(from);
            }
            match version.operation {
                FileOperation::Deleted => {
                    files.remove(&version.path);
                }
                FileOperation::Created | FileOperation::Modified => {
                    let recorded = RecordedFile {
                        sha256: version.sha256,
                        is_made_here,
                        is_written_here: is_ours,
                        is_ever_written_here,
                        is_of_base,
                    };
                    files.insert(version.path, recorded);
                }
            }
        }
    }
    Ok(files)
}
