//! One line of a doctor's report.

use mem_team::masking;

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckStatus {
    Ok,
    Warn,
    Fail,
}

impl CheckStatus {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

/// What was looked at and what was seen.
#[derive(Debug)]
pub(super) struct DoctorCheck {
    pub(super) name: &'static str,
    pub(super) status: CheckStatus,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl DoctorCheck {
    pub(super) fn with_ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::with_status(name, CheckStatus::Ok, message.into(), None)
    }

    pub(super) fn with_warning(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::with_status(
            name,
            CheckStatus::Warn,
            message.into(),
            Some(hint.to_owned()),
        )
    }

    pub(super) fn with_failure(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::with_status(
            name,
            CheckStatus::Fail,
            message.into(),
            Some(hint.to_owned()),
        )
    }

    /// What an error says of itself; it may quote the settings.
    pub(super) fn from_error(name: &'static str, error: &dyn mem_core::Diagnose) -> Self {
        Self::with_status(
            name,
            CheckStatus::Fail,
            masking::masked_message(&error.to_string()),
            error.hint(),
        )
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
