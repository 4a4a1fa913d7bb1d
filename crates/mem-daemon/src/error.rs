//! Why there is no daemon, or none that does what it is asked.

use std::io;
use std::path::PathBuf;

use crate::client::AskError;
use crate::event_loop::RunError;
use crate::place::PlaceError;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;
use mem_core::{Diagnose, ErrorKind};

/// Starting, asking or ending a daemon failed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum DaemonError {
    /// Its place cannot be had.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// It cannot run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// It has no answer.
    #[error(transparent)]
    #[diagnose(kind = ask_kind(_0), hint = ask_hint(_0))]
    Ask(#[from] AskError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// Its jobs are processes of this program.
    #[error("cannot tell which program this is")]
    #[diagnose(Io)]
    NoProgram(#[source] io::Error),
    /// The system does not let a service be written.
    #[error(transparent)]
    #[diagnose(Io)]
    Io(#[from] io::Error),
    /// What is installed cannot be read or written.
    #[error(transparent)]
    State(#[from] StateError),
    /// No process, or one that ended at once.
    #[error("the daemon did not start: {0}")]
    #[diagnose(Io, hint = "`mem daemon logs` may say why")]
    NotStarted(String),
    /// A process that does not end.
    #[error("the daemon (process {0}) does not end")]
    #[diagnose(Io, hint = "look at it, then end it with `kill -9 {_0}`")]
    Stays(u32),
    /// It is of another version, and has something to do.
    #[error("a daemon of version {0} is at work here")]
    #[diagnose(Conflict, hint = "`mem daemon restart` once it is done")]
    OtherVersion(String),
    /// An agent's environment says something that is for a person to say.
    #[error(
        "`{0}` decides on where memory goes: that is for a person to set, and an agent runs this"
    )]
    #[diagnose(Refused, hint = "ask the person to run `mem daemon start`")]
    ByEnvironment(String),
    /// The service's file is another one by now.
    #[error("`{}` was changed since it was written", .0.display())]
    #[diagnose(Conflict, hint = "look at it, then remove it yourself")]
    Changed(PathBuf),
    /// Nothing here starts services.
    #[error("there is no service manager that mem knows: {0}")]
    #[diagnose(NotFound, hint = "hooks start a daemon where there is work for one")]
    NoServices(String),
}

fn ask_kind(error: &AskError) -> ErrorKind {
    match error {
        AskError::Absent => ErrorKind::NotFound,
        AskError::Foreign => ErrorKind::Refused,
        _ => ErrorKind::Io,
    }
}

fn ask_hint(error: &AskError) -> &'static str {
    match error {
        AskError::Absent => "`mem daemon start` starts one",
        _ => "`mem daemon restart` begins anew",
    }
}
