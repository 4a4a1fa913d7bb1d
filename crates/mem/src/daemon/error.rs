//! Why there is no daemon, or none that does what it is asked.

use std::path::PathBuf;

use mem_core::{Diagnose, ErrorKind};
use mem_daemon::client::AskError;
use mem_daemon::place::PlaceError;
use mem_daemon::shell::RunError;

/// Starting, asking or ending a daemon failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DaemonError {
    /// Its place cannot be had.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// It cannot run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It has no answer.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// No process, or one that ended at once.
    #[error("the daemon did not start: {0}")]
    NotStarted(String),
    /// A process that does not end.
    #[error("the daemon (process {0}) does not end")]
    Stays(u32),
    /// It is of another version, and has something to do.
    #[error("a daemon of version {0} is at work here")]
    OtherVersion(String),
    /// An agent's environment says something that is for a person to say.
    #[error(
        "`{0}` decides on where memory goes: that is for a person to set, and an agent runs this"
    )]
    ByEnvironment(String),
    /// The service's file is another one by now.
    #[error("`{}` was changed since it was written", .0.display())]
    Changed(PathBuf),
    /// Nothing here starts services.
    #[error("there is no service manager that mem knows: {0}")]
    NoServices(String),
}

impl Diagnose for DaemonError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Place(error) => error.kind(),
            Self::Run(error) => error.kind(),
            Self::Ask(AskError::Absent) => ErrorKind::NotFound,
            Self::Ask(AskError::Foreign) | Self::ByEnvironment(_) => ErrorKind::Refused,
            Self::Ask(_) | Self::NotStarted(_) | Self::Stays(_) => ErrorKind::Io,
            Self::OtherVersion(_) | Self::Changed(_) => ErrorKind::Conflict,
            Self::NoServices(_) => ErrorKind::NotFound,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Place(error) => return error.hint(),
            Self::Run(error) => return error.hint(),
            Self::Ask(AskError::Absent) => "`mem daemon start` starts one".to_owned(),
            Self::Ask(_) => "`mem daemon restart` begins anew".to_owned(),
            Self::NotStarted(_) => "`mem daemon logs` may say why".to_owned(),
            Self::Stays(pid) => format!("look at it, then end it with `kill -9 {pid}`"),
            Self::OtherVersion(_) => "`mem daemon restart` once it is done".to_owned(),
            Self::ByEnvironment(_) => "ask the person to run `mem daemon start`".to_owned(),
            Self::Changed(_) => "look at it, then remove it yourself".to_owned(),
            Self::NoServices(_) => "hooks start a daemon where there is work for one".to_owned(),
        })
    }
}
