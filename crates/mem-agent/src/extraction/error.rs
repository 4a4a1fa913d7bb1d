//! Why a session is not extracted.

use std::path::PathBuf;

use mem_core::Diagnose;
use mem_core::history::HistoryError;
use mem_core::inbox::InboxError;
use mem_core::location::LocationError;
use mem_core::memory::MemoryError;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;
use mem_core::store::{StoreError, UndoError};

use super::session_project::ForeignTranscript;
use crate::transcript::TranscriptError;

/// Why a session is not extracted.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum ExtractionError {
    /// The file holds no record of a host.
    #[error("`{}` is no transcript of a host", .0.display())]
    #[diagnose(
        Invalid,
        hint = "a transcript has a JSON record a line, with the session and what was said"
    )]
    NoTranscript(PathBuf),
    /// The transcript cannot be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The session was held in another repository.
    #[error(transparent)]
    Foreign(#[from] ForeignTranscript),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The place of the session cannot be opened.
    #[error(transparent)]
    Location(#[from] LocationError),
    /// A memory cannot be written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// A change cannot be reverted.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// An inbox entry cannot be rejected.
    #[error(transparent)]
    Inbox(#[from] InboxError),
    /// The state of extractions cannot be written.
    #[error(transparent)]
    State(#[from] StateError),
}

impl ExtractionError {
    /// Whether the change waits for a person.
    pub(super) fn awaits_consent(&self) -> bool {
        match self {
            Self::Undo(UndoError::Store(error)) => error.awaits_consent(),
            Self::Memory(error) => error.awaits_consent(),
            _ => false,
        }
    }

    /// Whether the settings cannot be read: the message quotes them.
    pub fn is_of_settings(&self) -> bool {
        matches!(self, Self::Location(LocationError::Config(_)))
    }
}
