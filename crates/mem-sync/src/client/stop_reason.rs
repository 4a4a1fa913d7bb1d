//! Why a round stopped.

use mem_core::Diagnose;
use mem_core::state_file::StateError;
use mem_core::store::StoreError;

use crate::files::FilesError;
use crate::remote::{ErrorClass, RemoteError};

/// A round stopped. What it did until then is done, and remembered.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StopReason {
    /// The remote said no, or nothing.
    #[error(transparent)]
    #[diagnose(kind = _0.kind(), hint = remote_hint(_0))]
    Remote(#[from] RemoteError),
    /// Each time somebody else wrote first.
    #[error("somebody else wrote to the remote first, {times} times in a row")]
    #[diagnose(
        Conflict,
        hint = "nothing is lost: try again when it is quieter; a server that says so for ever is \
                not in order"
    )]
    Outrun {
        /// How often it was tried.
        times: u32,
    },
    /// The files could not be read or written.
    #[error(transparent)]
    #[diagnose(Io, hint = _0.0.downcast_ref::<StoreError>().and_then(Diagnose::hint))]
    Files(#[from] FilesError),
    /// The state could not be saved.
    #[error(transparent)]
    State(#[from] StateError),
}

fn remote_hint(error: &RemoteError) -> Option<String> {
    match error.error_class() {
        ErrorClass::Transient => {
            Some("nothing is lost: what waits is sent with the next synchronisation".to_owned())
        }
        _ => error.hint(),
    }
}

impl StopReason {
    /// What follows from it.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Remote(error) => error.error_class(),
            Self::Outrun { .. } => ErrorClass::Race,
            Self::Files(_) | Self::State(_) => ErrorClass::Permanent,
        }
    }
}
