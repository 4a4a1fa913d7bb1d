//! The event loop around the state machine: watches, a timer, signals, connections, and two jobs that block. One thread
//! sleeps until something happens; a job has a thread while it runs.
//!
//! **Invariant:** only the loop changes the state of the state machine. Watch, connections and jobs hand it messages through bounded
//! queues, and a storm of file events is three bits (`event_loop::signals`), so memory does not grow with what happens outside.
//! Tests: `daemon::requests::a_thousand_at_once_are_all_answered`, `daemon::watch::its_own_writes_do_not_wake_it`,
//! `state_machine::tests::rules::fifty_thousand_changes_are_two_pushes`.

#[cfg(unix)]
mod connection;
#[cfg(unix)]
mod own_writes;
#[cfg(unix)]
mod repository_status;
#[cfg(unix)]
mod run;
#[cfg(unix)]
mod signals;
#[cfg(unix)]
mod watch;

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::place::{DaemonFiles, PlaceError};
use crate::state_machine::{DaemonTimings, ExitReason, Remotes, SyncOutcome, WatchedScope};

#[cfg(unix)]
pub use run::run;

/// No daemon begins.
///
/// # Errors
/// Always: the system has no Unix sockets.
#[cfg(not(unix))]
pub fn run(
    _options: DaemonOptions,
    _work: std::sync::Arc<dyn DaemonTasks>,
    _ready: impl FnOnce(),
) -> Ended {
    Err(RunError::Unsupported)
}

/// A directory that is watched, everything below it included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Its path. It need not be there yet.
    pub path: PathBuf,
    /// Whose it is. Of two that contain a file, the longer path counts.
    pub tier: WatchedScope,
}

/// What is done to memory. Calls may block; `maintain`, `sync` and `dream` are never called twice at once.
pub trait DaemonTasks: Send + Sync + 'static {
    /// Which tiers have a remote to synchronise with. Asked at the start and after a reload.
    fn remotes(&self) -> Remotes;

    /// Whether the repository is gone for good.
    fn is_gone(&self) -> bool;

    /// Brings history, index and recall in step with the files.
    ///
    /// # Errors
    /// In words, for the log.
    fn maintain(&self) -> Result<(), String>;

    /// How long until the logs are to be distilled; `None` where they are not. Asked at the start, after a
    /// reload, after each time, and every few minutes.
    fn dream_in(&self) -> Option<Duration> {
        None
    }

    /// Distils the logs.
    ///
    /// # Errors
    /// In words, for the log.
    fn dream(&self) -> Result<(), String> {
        Ok(())
    }

    /// One synchronisation of a tier.
    fn sync(&self, tier: WatchedScope) -> Synced;

    /// Answers what only the program around the daemon can.
    ///
    /// # Errors
    /// In words, for who asked.
    fn answer(&self, name: &str, input: Value) -> Result<Value, String>;

    /// The time on the wall, RFC 3339.
    fn now(&self) -> String;

    /// Writes a line to the log.
    fn log(&self, line: &str);
}

/// What a synchronisation came to, also as the line of JSON in which a job tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synced {
    /// What follows.
    #[serde(flatten)]
    pub outcome: SyncOutcome,
    /// Files that were written or removed here: the watch does not tell of them.
    pub written: Vec<PathBuf>,
    /// What a person should know: what stands in the way, or which files wait and why.
    pub trouble: Option<String>,
}

/// Who a daemon is, and what it looks after.
#[derive(Debug)]
pub struct DaemonOptions {
    /// Where it is found.
    pub place: DaemonFiles,
    /// What it watches.
    pub watched: Vec<Watched>,
    /// How patient it is.
    pub settings: DaemonTimings,
    /// Of the program.
    pub version: String,
    /// The repository, for people.
    pub root: String,
    /// Any number, another for each daemon.
    pub seed: u64,
}

/// A daemon cannot run.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
pub enum RunError {
    /// Its place cannot be had.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The system's reason.
    #[error("cannot {0}: {1}")]
    #[diagnose(Io)]
    Io(&'static str, #[source] std::io::Error),
    /// The system has no Unix sockets that this program can use.
    #[error("there is no daemon on this system yet")]
    #[diagnose(
        Refused,
        hint = "everything works without one; `mem team sync` sends and takes changes"
    )]
    Unsupported,
}

/// How a daemon ended.
pub type Ended = Result<ExitReason, RunError>;
