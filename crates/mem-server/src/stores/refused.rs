//! What is refused, by the rules or by the database, as an answer.

use axum::http::StatusCode;
use mem_stores::Invalid;

use crate::http::problem::Problem;
use crate::storage::stores::{Refusal, StoresError};

/// 400, or 413 for what is too large.
pub(super) fn invalid(error: &Invalid) -> Problem {
    match error.is_size() {
        true => Problem::new(StatusCode::PAYLOAD_TOO_LARGE, error.to_string()),
        false => Problem::invalid(error.to_string()),
    }
}

/// 404.
pub(super) fn not_found(refusal: &Refusal) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, refusal.to_string())
}

impl From<StoresError> for Problem {
    fn from(error: StoresError) -> Self {
        match error {
            StoresError::Storage(error) => error.into(),
            StoresError::Refused(refusal) => refused(refusal),
        }
    }
}

/// What the contract does not say is said in `templates/server/openapi.json`.
fn refused(refusal: Refusal) -> Problem {
    let message = refusal.to_string();
    match refusal {
        Refusal::NoStore | Refusal::NoMemory | Refusal::NoVersion => not_found(&refusal),
        Refusal::MayNotCreate => Problem::new(StatusCode::FORBIDDEN, message),
        Refusal::PathConflict { memory_id, path } => {
            Problem::path_conflict(message, memory_id, path)
        }
        Refusal::Precondition => Problem::precondition(message),
        Refusal::Archived
        | Refusal::Full
        | Refusal::TooMuchMetadata
        | Refusal::Head
        | Refusal::TeamPath(_) => Problem::invalid(message),
    }
}
