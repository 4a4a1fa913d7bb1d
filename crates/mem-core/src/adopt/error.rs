//! What can go wrong with an adoption.

use crate::error::{Diagnose, ErrorKind};
use crate::history::HistoryError;
use crate::memory_path::InvalidPath;
use crate::store::StoreError;

/// An error of an adoption. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AdoptError {
    /// A directory or its history failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A numbered name does not fit.
    #[error(transparent)]
    Path(#[from] InvalidPath),
}

impl From<HistoryError> for AdoptError {
    fn from(error: HistoryError) -> Self {
        Self::Store(error.into())
    }
}

impl Diagnose for AdoptError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Store(error) => error.kind(),
            Self::Path(error) => error.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint(),
            Self::Path(error) => error.hint(),
        }
    }
}
