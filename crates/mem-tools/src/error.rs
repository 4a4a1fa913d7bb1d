//! Why a call of a tool is not carried out.

use mem_agent::session::selection::SessionError;
use mem_core::Diagnose;
use mem_core::memory::MemoryError;
use mem_core::memory_path::InvalidPath;
use mem_core::plain::PlainError;
use mem_core::run::{HomeError, ProjectPlaceError};
use mem_core::store::StoreError;
use mem_find::recall::RecallError;
use mem_find::request::PromptTooLarge;
use mem_records::{InvalidRecord, RecordError};
use mem_scan::outbound::OutboundSecret;
use mem_scan::rules::RulesError;
use mem_stores::attached::CopyError;
use mem_stores::tools::ToolError as StoreToolError;

use crate::mcp::Fault;
use crate::records::{QdrantSettingError, RecordAccessError};

/// Why a call of a tool is not carried out.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum CallError {
    /// The client or the model asked for what cannot be.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A record is none.
    #[error(transparent)]
    Record(#[from] InvalidRecord),
    /// The back end of records refuses.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// An agent may not write these records.
    #[error(transparent)]
    Access(#[from] RecordAccessError),
    /// The settings do not say where records are.
    #[error(transparent)]
    Elsewhere(#[from] QdrantSettingError),
    /// A record that would leave holds a secret.
    #[error(transparent)]
    Outbound(#[from] OutboundSecret),
    /// The rules for secrets cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The project cannot be opened, or memory is off.
    #[error(transparent)]
    Place(#[from] ProjectPlaceError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A memory cannot be read or written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A path is none of a memory directory.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// No session fits.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// An attached store cannot be read or written.
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// A tool of an attached store refuses.
    #[error(transparent)]
    Attached(#[from] StoreToolError),
    /// The prompt is beyond every use.
    #[error(transparent)]
    Prompt(#[from] PromptTooLarge),
    /// The root of the memory tool cannot be made.
    #[error(transparent)]
    Root(#[from] PlainError),
    /// Recall cannot answer.
    #[error(transparent)]
    Recall(#[from] RecallError),
}

impl CallError {
    /// Whether the settings cannot be read: the message quotes them.
    pub fn is_of_settings(&self) -> bool {
        match self {
            Self::Place(error) => error.is_of_settings(),
            Self::Session(error) => error.is_of_settings(),
            _ => false,
        }
    }
}
