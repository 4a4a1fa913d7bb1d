//! One line of a doctor's report.

use std::io;
use std::path::Path;

use mem_core::Diagnose as _;
use mem_core::store::StoreError;
use mem_team::masking;

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// Worth a look; it is no failure.
    Warn,
    /// Something does not work.
    Fail,
}

impl CheckStatus {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What was looked at and what was seen.
#[derive(Debug)]
pub struct DoctorCheck {
    /// What was looked at.
    pub name: &'static str,
    /// How it went.
    pub status: CheckStatus,
    /// What was seen.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl DoctorCheck {
    pub(crate) fn with_ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::with_status(name, CheckStatus::Ok, message.into(), None)
    }

    pub(crate) fn with_warning(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::with_status(
            name,
            CheckStatus::Warn,
            message.into(),
            Some(hint.to_owned()),
        )
    }

    pub(crate) fn with_failure(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::with_status(
            name,
            CheckStatus::Fail,
            message.into(),
            Some(hint.to_owned()),
        )
    }

    /// What an error says of itself; it may quote the settings.
    pub(crate) fn from_error(name: &'static str, error: &dyn mem_core::Diagnose) -> Self {
        Self::with_status(
            name,
            CheckStatus::Fail,
            masking::masked_message(&error.to_string()),
            error.hint(),
        )
    }

    /// A directory that cannot be written, with the hint that an error of a write into it has.
    pub(crate) fn from_io(
        name: &'static str,
        message: String,
        directory: &Path,
        source: io::Error,
    ) -> Self {
        let (action, path) = ("write", directory.to_owned());
        let error = StoreError::Io {
            action,
            path,
            source,
        };
        Self::with_status(name, CheckStatus::Fail, message, error.hint())
    }

    fn with_status(
        name: &'static str,
        status: CheckStatus,
        message: String,
        hint: Option<String>,
    ) -> Self {
        Self {
            name,
            status,
            message,
            hint,
        }
    }
}
