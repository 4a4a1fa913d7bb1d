//! The table of exit codes: the only place that knows their numbers.

use std::process::ExitCode;

use mem_core::ErrorKind;

/// How a run ended. Scripts and hosts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done.
    Ok = 0,
    /// It failed, or it found something to fix.
    Failure = 1,
    /// The command line was not understood.
    Usage = 2,
    /// Secrets were found, or a text was refused because it holds one.
    Secrets = 3,
    /// Somebody else changed the same thing; nothing was written.
    Conflict = 4,
    /// A daemon or a server did not answer.
    Unreachable = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Secret => Self::Secrets,
            ErrorKind::Conflict => Self::Conflict,
            ErrorKind::Unreachable => Self::Unreachable,
            ErrorKind::NotFound
            | ErrorKind::Invalid
            | ErrorKind::Disabled
            | ErrorKind::Refused
            | ErrorKind::Io
            | ErrorKind::Corrupt => Self::Failure,
        }
    }
}
