//! What the daemon of a repository does to its memory. `mem-daemon` is the loop, and knows neither stores nor remotes:
//! this is what it is given to do.
//!
//! # Layout
//! - `run`: the process of a daemon, and that of a job.
//! - `job_runner`: what is done to memory, by processes of their own, so that the daemon stays small and a failure is that
//!   of one job. `maintenance`, `sync`, `personal_sync` and `dream` are such jobs, `answer` is the one that recalls.
//!
//! Standard input and output of a daemon and of a job are those of a protocol between the two. Nothing else is
//! printed, and nothing reads variables or the clock; only the time zone is the system's.

mod answer;
mod dream;
mod job_runner;
mod maintenance;
mod personal_sync;
mod run;
mod sync;

use std::error::Error;

pub use run::{DaemonJob, run_daemon};

/// Why a job is not done: a line of the daemon's log, and nobody asks which error it is.
type JobError = Box<dyn Error + Send + Sync>;
