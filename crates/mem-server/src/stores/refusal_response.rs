//! What is refused, by the rules or by the database, as an answer.

use axum::http::StatusCode;
use mem_stores::Invalid;

use crate::http::problem::HttpProblem;
use crate::storage::stores::{StoreRefusal, StoresError};

/// 400, or 413 for what is too large.
pub(super) fn invalid(error: &Invalid) -> HttpProblem {
    match error.is_size() {
        true => HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, error.to_string()),
        false => HttpProblem::invalid(error.to_string()),
    }
}

/// 404.
pub(super) fn not_found(refusal: &StoreRefusal) -> HttpProblem {
    HttpProblem::new(StatusCode::NOT_FOUND, refusal.to_string())
}

impl From<StoresError> for HttpProblem {
    fn from(error: StoresError) -> Self {
        match error {
            StoresError::Storage(error) => error.into(),
            StoresError::Refused(refusal) => refused(refusal),
        }
    }
}

/// What the contract does not say is said in `templates/server/openapi.json`.
fn refused(refusal: StoreRefusal) -> HttpProblem {
    let message = refusal.to_string();
    match refusal {
        StoreRefusal::NoStore | StoreRefusal::NoMemory | StoreRefusal::NoVersion => {
            not_found(&refusal)
        }
        StoreRefusal::MayNotCreate => HttpProblem::new(StatusCode::FORBIDDEN, message),
        StoreRefusal::PathConflict { memory_id, path } => {
            HttpProblem::path_conflict(message, memory_id, path)
        }
        StoreRefusal::Precondition => HttpProblem::precondition(message),
        StoreRefusal::Archived
        | StoreRefusal::Full
        | StoreRefusal::TooMuchMetadata
        | StoreRefusal::Head
        | StoreRefusal::TeamPath(_) => HttpProblem::invalid(message),
    }
}
