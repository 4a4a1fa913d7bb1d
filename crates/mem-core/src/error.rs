//! What every error of this crate can say about itself: its kind, and what to do about it.
//!
//! Each module has its own `thiserror` enum; this trait is all they share. The binary turns a
//! [`ErrorKind`] into an exit code in one place.

use std::error::Error;
use std::{io, iter};

/// Derives [`Diagnose`](trait@Diagnose) from what stands beside each variant's message:
/// `#[diagnose(KIND, hint = "what to do")]`.
pub use mem_macros::Diagnose;

/// The consequence of an error, as callers tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// What was asked for is not there.
    NotFound,
    /// The input (a name, a path, a file, a setting) is not acceptable.
    Invalid,
    /// A command line, or a setting that is written like one, has the wrong form.
    Usage,
    /// Someone else changed the same thing; nothing was written.
    Conflict,
    /// Memory is switched off.
    Disabled,
    /// A gate (consent, tier rules) refused the write.
    Refused,
    /// A text was refused because it holds a secret.
    Secret,
    /// The system said no: permissions, disk full, I/O.
    Io,
    /// Stored state is damaged.
    Corrupt,
    /// Whoever was asked on another machine did not answer.
    Unreachable,
}

impl ErrorKind {
    /// The stable word for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::Invalid => "invalid",
            Self::Usage => "usage",
            Self::Conflict => "conflict",
            Self::Disabled => "disabled",
            Self::Refused => "refused",
            Self::Secret => "secret",
            Self::Io => "io",
            Self::Corrupt => "corrupt",
            Self::Unreachable => "unreachable",
        }
    }
}

/// The consequence of a file that cannot be read.
impl From<&io::Error> for ErrorKind {
    fn from(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            _ => Self::Io,
        }
    }
}

/// Implemented by every error type of the libraries.
///
/// Messages (`Display`) are lower-case fragments without a full stop, paths in backticks; the
/// remedy stands apart, in the hint.
pub trait Diagnose: Error {
    /// The consequence.
    fn kind(&self) -> ErrorKind;
    /// One sentence on what to do next, if there is something to do.
    fn hint(&self) -> Option<String> {
        None
    }
}

/// The message of an error with those of its causes, in one line; what is said already is not said twice.
pub fn message_with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    for cause in iter::successors(error.source(), |&cause| cause.source()) {
        let cause = cause.to_string();
        // Some errors say in their own words what their cause says.
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// What the derive takes for a hint: a text, or one that is not always there.
pub trait IntoHint {
    /// The hint, if there is one.
    fn into_hint(self) -> Option<String>;
}

impl IntoHint for &str {
    fn into_hint(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl IntoHint for String {
    fn into_hint(self) -> Option<String> {
        Some(self)
    }
}

impl<T: Into<String>> IntoHint for Option<T> {
    fn into_hint(self) -> Option<String> {
        self.map(Into::into)
    }
}
