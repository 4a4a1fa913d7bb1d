//! Who may object to a write: [`WriteGate`].

use super::change_metadata::ChangeMetadata;
use super::memory_paths::MemoryPaths;
use crate::error::ErrorKind;
use crate::history::{Author, CitationSnapshot};
use crate::{MemoryPath, Scope};

/// A file that is about to be written.
#[derive(Clone, Copy, Debug)]
pub struct GatedFile<'a> {
    /// Its tier.
    pub scope: Scope,
    /// Where it goes.
    pub path: &'a MemoryPath,
    /// Its whole content.
    pub bytes: &'a [u8],
    /// What stands there now, `None` for a new file.
    pub old: Option<&'a [u8]>,
    /// Who writes.
    pub author: &'a Author,
}

/// One file of a change that is about to be made.
#[derive(Clone, Copy, Debug)]
pub struct ProposedFile<'a> {
    /// Its tier.
    pub scope: Scope,
    /// Where it stands after the change.
    pub path: &'a MemoryPath,
    /// Where it stood before, when it is renamed.
    pub renamed_from: Option<&'a MemoryPath>,
    /// What stands at `path` now, `None` for nothing.
    pub old: Option<&'a [u8]>,
    /// What shall stand there, `None` for nothing.
    pub new: Option<&'a [u8]>,
    /// Who wrote it elsewhere, where that was somebody.
    pub by: Option<&'a str>,
}

/// A whole change that is about to be made.
#[derive(Clone, Debug)]
pub struct ProposedChange<'a> {
    /// Who, what for, when.
    pub order: &'a ChangeMetadata,
    /// The memory directory and its state.
    pub places: &'a MemoryPaths,
    /// Its files, in path order.
    pub files: Vec<ProposedFile<'a>>,
    /// Whether another directory's history comes along.
    pub brings_history: bool,
}

/// A gate's no. The message never quotes what made it say so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GateRefusal {
    /// A stable word, such as [`GateRefusal::SECRET`] or `user-in-team`.
    pub code: &'static str,
    /// Which file and why.
    pub message: String,
    /// What to do instead.
    pub hint: Option<String>,
}

impl GateRefusal {
    /// The code of a refusal because of a secret.
    pub const SECRET: &'static str = "secret";

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self.code {
            Self::SECRET => ErrorKind::Secret,
            _ => ErrorKind::Refused,
        }
    }
}

/// Asked about every file before anything is written. Secrets, consent and tier rules are gates.
pub trait WriteGate {
    /// Says yes (with warnings to show, if any) or no.
    ///
    /// # Errors
    /// The refusal; then nothing of the whole change is written.
    fn check(&self, _: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        Ok(Vec::new())
    }

    /// Asked about the whole change, removals included, once every file was let through: may it be
    /// made at all, by this author and now?
    ///
    /// # Errors
    /// The refusal; then nothing of the change is written.
    fn consent(&self, _: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        Ok(())
    }

    /// What a content that was let through rests on, to be recorded with its version. Asked of
    /// contents that are made by the change itself, not of those that it brings back or moves.
    fn cited(&self, _: &GatedFile<'_>) -> CitationSnapshot {
        CitationSnapshot::default()
    }
}

/// The gate that is always open: for changes that bring no content of their own.
#[derive(Clone, Copy, Debug)]
pub struct OpenGate;

impl WriteGate for OpenGate {}
