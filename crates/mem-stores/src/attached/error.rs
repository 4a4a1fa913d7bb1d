//! What can be wrong with attachments and their copies.

use std::io;

use mem_core::Diagnose;
use mem_core::memory_path::printable;
use mem_core::plain::PlainError;
use mem_core::run::HomeError;
use mem_core::state_file::StateError;
use mem_scan::rules::RulesError;
use mem_sync::client::StopReason;

use super::environment::EnvironmentError;
use crate::client::ClientError;
use crate::limits::{ATTACHMENTS_MAX, INSTRUCTIONS_CHARS_MAX};
use crate::path::InvalidStorePath;
use crate::tools::ToolError;

/// An attachment cannot be made, or not be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
pub enum AttachError {
    /// Not what sessions of the API are given.
    #[error("that is no list of resources: {0}")]
    #[diagnose(
        Invalid,
        hint = "give \
                {{\"resources\":[{{\"type\":\"memory_store\",\"memory_store_id\":\"memstore_…\"}}]}}"
    )]
    Resources(String),
    /// More stores than an agent should have to look at.
    #[error("{0} stores would be attached, and {ATTACHMENTS_MAX} may be")]
    #[diagnose(Invalid, hint = "`mem detach STORE` makes room")]
    TooMany(usize),
    /// Instructions that are too long.
    #[error("the instructions have {0} characters, and {INSTRUCTIONS_CHARS_MAX} may be")]
    #[diagnose(
        Invalid,
        hint = "say what it is for in a few lines, the rest in a memory"
    )]
    Instructions(usize),
    /// Nobody may write there.
    #[error("the store `{}` is archived", printable(.0))]
    #[diagnose(
        Refused,
        hint = "`mem store memories` and `mem store export` still read it"
    )]
    Archived(String),
    /// No such attachment.
    #[error("no store `{}` is attached here", printable(.0))]
    #[diagnose(NotFound, hint = "`mem attachments` lists what is")]
    NotAttached(String),
    /// Several of a name.
    #[error("`{}` is the name of several: {}", printable(.0), .1.join(", "))]
    #[diagnose(Invalid, hint = "give one of them, or the id of the store")]
    Ambiguous(String, Vec<String>),
    /// What would be lost.
    #[error("{} would be lost: the server does not have it", count_changes(.0))]
    #[diagnose(
        Refused,
        hint = "`mem attachments --sync` sends it; --discard gives it up"
    )]
    Unsent(usize),
    /// The same, and no server takes it.
    #[error(
        "{} would be lost: the server does not have it, and {why}",
        count_changes(count)
    )]
    #[diagnose(
        Refused,
        hint = format!("copy what you need out of `{}`; --discard gives it up", printable(folder))
    )]
    Stuck {
        /// How many changes.
        count: usize,
        /// Why it cannot be sent.
        why: &'static str,
        /// Where the copy is.
        folder: String,
    },
    /// Texts that are kept aside.
    #[error("{} would be lost", count_texts(.0))]
    #[diagnose(
        Refused,
        hint = "`mem attachments` names their files, `mem attachments --forget FILE` removes one; \
                --discard gives all of them up"
    )]
    GaveWay(usize),
    /// A store that would be read only, while something waits.
    #[error("{} of `{}` would never be sent: nothing is sent to a store that is read only", count_changes(.0), .1)]
    #[diagnose(
        Refused,
        hint = "`mem attachments --sync` sends them first; `mem detach STORE --discard` gives them up"
    )]
    Waits(usize, String),
    /// No such copy.
    #[error("there is no copy `{}`", printable(.0))]
    #[diagnose(NotFound, hint = "`mem attachments` lists them")]
    NoCopy(String),
}

fn count_changes(count: &usize) -> String {
    match count {
        1 => "1 change".to_owned(),
        count => format!("{count} changes"),
    }
}

fn count_texts(count: &usize) -> String {
    match count {
        1 => "1 text that gave way".to_owned(),
        count => format!("{count} texts that gave way"),
    }
}

/// An offline copy cannot be read, written or synced.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum CopyError {
    /// An attachment.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// What the server says, or that it says nothing.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// What the program around says.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A path that none can be.
    #[error(transparent)]
    Path(#[from] InvalidStorePath),
    /// The files of the copy.
    #[error(transparent)]
    Files(#[from] PlainError),
    /// Other files beside it.
    #[error(transparent)]
    #[diagnose(Io)]
    System(#[from] io::Error),
    /// The files of its state.
    #[error(transparent)]
    State(#[from] StateError),
    /// The state as JSON.
    #[error(transparent)]
    #[diagnose(Io)]
    Json(#[from] serde_json::Error),
    /// The rules of what may leave cannot be read.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A round of the engine stopped.
    #[error(transparent)]
    Round(#[from] StopReason),
    /// An answer to a tool of agents.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The engine names a file that the copy cannot have.
    #[error("a key that no path has")]
    #[diagnose(Corrupt)]
    Key,
}

impl CopyError {
    /// What the server says, if it is that.
    pub fn as_client_error(&self) -> Option<&ClientError> {
        match self {
            Self::Client(error) => Some(error),
            _ => None,
        }
    }
}
