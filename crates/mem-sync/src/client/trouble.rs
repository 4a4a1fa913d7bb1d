//! Why a round stopped.

use mem_core::state_file::StateError;
use mem_core::store::StoreError;
use mem_core::{Diagnose, ErrorKind};

use crate::files::FilesError;
use crate::remote::{ErrorClass, RemoteError};

/// A round stopped. What it did until then is done, and remembered.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The remote said no, or nothing.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// Each time somebody else wrote first.
    #[error("somebody else wrote to the remote first, {times} times in a row")]
    Outrun {
        /// How often it was tried.
        times: u32,
    },
    /// The files could not be read or written.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The state could not be saved.
    #[error(transparent)]
    State(#[from] StateError),
}

impl Trouble {
    /// What follows from it.
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::Remote(error) => error.error_class(),
            Self::Outrun { .. } => ErrorClass::Race,
            Self::Files(_) | Self::State(_) => ErrorClass::Permanent,
        }
    }
}

impl Diagnose for Trouble {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Remote(error) => error.kind(),
            Self::Outrun { .. } => ErrorKind::Conflict,
            Self::Files(_) => ErrorKind::Io,
            Self::State(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Remote(error) if error.error_class() == ErrorClass::Transient => {
                Some("nothing is lost: what waits is sent with the next synchronisation".to_owned())
            }
            Self::Outrun { .. } => Some(
                "nothing is lost: try again when it is quieter; a server that says so for ever is not in order".to_owned(),
            ),
            Self::Remote(error) => error.hint(),
            Self::Files(FilesError(why)) => why.downcast_ref::<StoreError>()?.hint(),
            Self::State(error) => error.hint(),
        }
    }
}
