//! The daemon itself, and the processes that do its jobs.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex};

use mem_core::location::ProjectContext;
use mem_daemon::event_loop::{self, DaemonOptions, Watched};
use mem_daemon::state_machine::WatchedScope;
use serde::Serialize;

use crate::job_runner::JobRunner;
use crate::{answer, dream, maintenance, personal_sync, sync};
use mem_core::RunContext;
use mem_daemon::child::Jobs;
use mem_daemon::error::DaemonError;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::reader::ReaderProcess;
use mem_daemon::start::READY;
use mem_daemon::{VERSION, log, parent_watch, timings};

/// What a process does for a daemon, in one line of JSON on its standard output, or in one for each question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaemonJob {
    /// Keeps history and indexes in step.
    Maintain,
    /// Synchronises the team's memory.
    Sync,
    /// Synchronises personal memories.
    SyncOwn,
    /// Distils the logs.
    Dream,
    /// Answers questions.
    Answer,
}

impl DaemonJob {
    /// Every job by its word on the command line.
    pub const WORDS: [(&'static str, Self); 5] = [
        ("tend", Self::Maintain),
        ("sync", Self::Sync),
        ("sync-own", Self::SyncOwn),
        ("dream", Self::Dream),
        ("answer", Self::Answer),
    ];

    /// Does it.
    ///
    /// # Errors
    /// Standard output cannot be written.
    pub fn run(self, run: &RunContext) -> io::Result<()> {
        if self != Self::Answer {
            parent_watch::watch_parent();
        }
        match self {
            Self::Maintain => print_json_line(&maintenance::run(run)),
            Self::Sync => print_json_line(&sync::run(run)),
            Self::SyncOwn => print_json_line(&personal_sync::run(run)),
            Self::Dream => print_json_line(&dream::run(run)),
            Self::Answer => answer::run(run),
        }
    }
}

fn print_json_line(told: &impl Serialize) -> io::Result<()> {
    let mut text = serde_json::to_vec(told)?;
    text.push(b'\n');
    io::stdout().lock().write_all(&text)?;
    Ok(())
}

/// Runs a daemon for a place until it is to end, and says on standard output when it is ready.
///
/// # Errors
/// Another one runs, or the system does not let it.
pub fn run_daemon(
    place: &ProjectContext,
    is_service: bool,
    run: &RunContext,
) -> Result<(), DaemonError> {
    let instance = DaemonInstance::for_memory(place, run)?;
    let root = instance.root.clone();
    let jobs = Jobs::new(&root).map_err(DaemonError::NoProgram)?;
    let options = DaemonOptions {
        place: instance.place.clone(),
        watched: watched_tiers(place),
        settings: timings::daemon_timings(&place.config, &run.env, is_service),
        version: VERSION.to_owned(),
        root: root.to_string_lossy().into_owned(),
        seed: random_seed(),
    };
    let work = JobRunner {
        run: run.clone(),
        root,
        log: instance.log.clone(),
        jobs,
        reader: ReaderProcess::default(),
        findings: Mutex::new(0),
        jitter: random_seed(),
    };
    let now = run.current_time();
    log::add_remark(&instance.log, now, &format!("started, version {VERSION}"));
    let ended = event_loop::run(options, Arc::new(work), || {
        let mut stdout = io::stdout().lock();
        // Who waited for it may have gone.
        let _ = writeln!(stdout, "{READY}").and_then(|()| stdout.flush());
    });
    if let Err(error) = &ended {
        let now = run.current_time();
        log::add_remark(&instance.log, now, &format!("could not begin: {error}"));
    }
    ended?;
    Ok(())
}

/// The tiers; what is not there yet is waited for.
fn watched_tiers(place: &ProjectContext) -> Vec<Watched> {
    let location = &place.location;
    let tiers = [
        (&location.memory_dir, WatchedScope::Own),
        (&location.team_dir, WatchedScope::Team),
        (&location.global_dir, WatchedScope::Own),
    ];
    let watched = tiers.map(|(path, tier)| Watched {
        path: path.clone(),
        tier,
    });
    watched.into()
}

/// Any number; without random bits all daemons of a machine keep the same time.
fn random_seed() -> u64 {
    let mut bytes = [0; 8];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u64::from_le_bytes(bytes),
        Err(_) => u64::from(std::process::id()),
    }
}
