//! Why a memory is not distilled.

use mem_core::Diagnose;
use mem_core::inbox::InboxError;
use mem_core::memory::MemoryError;
use mem_core::memory_path::InvalidPath;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;

use crate::dream::DreamError;

/// Why a memory is not distilled.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum DistillationError {
    /// Another distillation of the same memory runs.
    #[error("this memory is being distilled already, by another `mem dream`")]
    #[diagnose(
        Conflict,
        hint = "nothing was done; run it again once the other is through"
    )]
    AlreadyRunning,
    /// The remote of the person's own notes does not answer.
    #[error("the remote of your own notes cannot be asked who distils tonight")]
    #[diagnose(Io)]
    NoAgreement,
    /// The plan is not fit, or cannot be carried out.
    #[error(transparent)]
    Plan(#[from] DreamError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// The memories cannot be listed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A path is none of a memory directory.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// Inbox entries cannot be rejected.
    #[error(transparent)]
    Inbox(#[from] InboxError),
    /// The state of distillations cannot be written.
    #[error(transparent)]
    State(#[from] StateError),
}

impl DistillationError {
    /// Whether the change waits in the inbox for a person.
    pub fn awaits_consent(&self) -> bool {
        match self {
            Self::Plan(DreamError::Store(error)) | Self::Store(error) => error.awaits_consent(),
            Self::Memory(error) => error.awaits_consent(),
            _ => false,
        }
    }
}
