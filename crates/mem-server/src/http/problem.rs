//! An answer that is none: its status, and the envelope of the memory stores API.

use std::borrow::Cow;
use std::error::Error;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use mem_stores::ApiVersion;
use mem_stores::wire::{ApiFailure, FailureEnvelope, FailureKind};

use crate::storage::StorageError;

/// What is wrong with a request, or with this server. Never quotes a token or a content.
#[derive(Clone, Debug)]
pub(crate) struct HttpProblem {
    status: StatusCode,
    kind: Cow<'static, str>,
    message: Cow<'static, str>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// The memory and the path that are in the way.
    conflict: Option<Box<(String, String)>>,
}

impl HttpProblem {
    /// A problem with the usual word for its status.
    pub(crate) fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            kind: kind_of(status).into(),
            message: message.into(),
            headers: Vec::new(),
            conflict: None,
        }
    }

    /// 400.
    pub(crate) fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 500: a bug, or a database that is damaged. What it is stands in the log.
    pub(crate) fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the server failed")
    }

    /// 503, to be tried again.
    pub(crate) fn busy() -> Self {
        let message = "the server has no time for this request";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(1)
    }

    /// 409: the memory is not as the caller took it for.
    pub(crate) fn precondition(message: impl Into<Cow<'static, str>>) -> Self {
        let kind = FailureKind::MemoryPreconditionFailed;
        Self::conflicting(kind, message.into())
    }

    /// 409: that memory, at that path, is in the way.
    pub(crate) fn path_conflict(message: String, memory_id: String, path: String) -> Self {
        Self {
            conflict: Some(Box::new((memory_id, path))),
            ..Self::conflicting(FailureKind::MemoryPathConflict, message.into())
        }
    }

    fn conflicting(kind: FailureKind, message: Cow<'static, str>) -> Self {
        Self {
            kind: kind.word(ApiVersion::Current).into(),
            ..Self::new(StatusCode::CONFLICT, message)
        }
    }

    /// In the words of the memory stores API.
    #[must_use]
    pub(crate) fn spoken(self, dialect: ApiVersion) -> Self {
        let kind = FailureKind::of_word(&self.kind).unwrap_or(FailureKind::InvalidRequest);
        Self {
            kind: kind.word(dialect).into(),
            ..self
        }
    }

    /// With another word for it than the usual one.
    #[must_use]
    pub(crate) fn with_kind(self, kind: &'static str) -> Self {
        Self {
            kind: kind.into(),
            ..self
        }
    }

    /// The word for it, where that is not the usual one of its status.
    pub(crate) fn special_kind(&self) -> Option<&str> {
        Some(self.kind.as_ref()).filter(|kind| *kind != kind_of(self.status))
    }

    /// What it says.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Its status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// The same as 400, where the API knows no finer status.
    #[must_use]
    pub(crate) fn into_invalid(self) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            kind: kind_of(StatusCode::BAD_REQUEST).into(),
            ..self
        }
    }

    /// Says when to try again.
    #[must_use]
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        self.with(RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Adds a header.
    #[must_use]
    pub(crate) fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The envelope, as the request of this name gets it.
    pub(crate) fn envelope(&self, request_id: &str) -> Vec<u8> {
        let (memory_id, path) = self.conflict.as_deref().cloned().unzip();
        let envelope = FailureEnvelope {
            error: ApiFailure {
                kind: self.kind.clone().into_owned(),
                message: self.message.clone().into_owned(),
                conflicting_memory_id: memory_id,
                conflicting_path: path,
            },
            request_id: Some(request_id.to_owned()),
        };
        serde_json::to_vec(&envelope).unwrap_or_default()
    }

    /// The whole answer, as the request of this name gets it.
    pub(crate) fn told(self, request_id: &str) -> Response {
        let mut response = Response::new(Body::from(self.envelope(request_id)));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.extend(self.headers);
        response
    }
}

impl From<StorageError> for HttpProblem {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Page => Self::invalid(error.to_string()),
            StorageError::TooLarge => Self::new(StatusCode::PAYLOAD_TOO_LARGE, error.to_string()),
            StorageError::DiskFull => {
                tracing::error!(error = chain(&error), "the database has no room");
                Self::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string())
            }
            StorageError::Quota { .. } => {
                Self::new(StatusCode::INSUFFICIENT_STORAGE, error.to_string())
            }
            // Whoever asks can do nothing about it, but see that it is not their fault, nor a bug.
            StorageError::Vault(_) => {
                tracing::error!(
                    error = chain(&error),
                    "a content cannot be opened or sealed"
                );
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
            // Its path is for whoever may read it, and not for the log.
            StorageError::Content {
                ref version,
                error: ref why,
                ..
            } => {
                tracing::error!(version, error = %why, "a content cannot be opened");
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
            }
            StorageError::Objects(_) => {
                tracing::warn!(error = chain(&error), "the object storage did not answer");
                let message = "the object storage of the server does not answer";
                Self::new(StatusCode::SERVICE_UNAVAILABLE, message).retry_after(5)
            }
            error if error.is_transient() => {
                tracing::warn!(error = chain(&error), "the database did not answer");
                Self::busy()
            }
            error => {
                tracing::error!(error = chain(&error), "the database failed");
                Self::internal()
            }
        }
    }
}

/// An error with its causes.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// A body without an envelope; `observed` knows the request's name and puts the envelope on.
impl IntoResponse for HttpProblem {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        response.extensions_mut().insert(self);
        response
    }
}

/// The types of the memory stores API, and `request_too_large` of the vendor's other endpoints.
fn kind_of(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        408 | 504 => "timeout_error",
        409 | 412 => "conflict_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        503 => "overloaded_error",
        500..=599 => "api_error",
        _ => "invalid_request_error",
    }
}
