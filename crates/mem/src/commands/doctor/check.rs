//! One line of a doctor's report.

use crate::masked;

/// How it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ok,
    Warn,
    Fail,
}

impl Status {
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
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) status: Status,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

impl Check {
    pub(super) fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::of(name, Status::Ok, message.into(), None)
    }

    pub(super) fn warn(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::of(name, Status::Warn, message.into(), Some(hint.to_owned()))
    }

    pub(super) fn fail(name: &'static str, message: impl Into<String>, hint: &str) -> Self {
        Self::of(name, Status::Fail, message.into(), Some(hint.to_owned()))
    }

    /// What an error says of itself; it may quote the settings.
    pub(super) fn error(name: &'static str, error: &dyn mem_core::Diagnose) -> Self {
        Self::of(
            name,
            Status::Fail,
            masked::message(&error.to_string()),
            error.hint(),
        )
    }

    fn of(name: &'static str, status: Status, message: String, hint: Option<String>) -> Self {
        Self {
            name,
            status,
            message,
            hint,
        }
    }
}
