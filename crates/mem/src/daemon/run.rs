//! The daemon itself, and its jobs: what `mem daemon run` is.

use std::io::Write as _;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result};
use mem_core::location::ProjectContext;
use mem_daemon::mind::WatchedScope;
use mem_daemon::shell::{self, DaemonOptions, Watched};
use serde::Serialize;

use super::keeper::JobRunner;
use super::{answer, dream, sync, sync_own, tend};
use crate::context::Context;
use mem_daemon::child::Jobs;
use mem_daemon::instance::DaemonInstance;
use mem_daemon::reader::ReaderProcess;
use mem_daemon::start::READY;
use mem_daemon::{VERSION, log, orphan, pace};

/// What a process does for a daemon.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProcessJob {
    /// Keep history and indexes in step
    Tend,
    /// Synchronise the team's memory
    Sync,
    /// Synchronise one's own notes
    SyncOwn,
    /// Distil the logs
    Dream,
    /// Answer questions
    Answer,
}

/// Does one thing for a daemon.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn run_job(job: ProcessJob, context: &Context) -> Result<()> {
    match job {
        ProcessJob::Tend => {
            orphan::watch_parent();
            print_json_line(&tend::run(context))
        }
        ProcessJob::Sync => {
            orphan::watch_parent();
            print_json_line(&sync::run(context))
        }
        ProcessJob::SyncOwn => {
            orphan::watch_parent();
            print_json_line(&sync_own::run(context))
        }
        ProcessJob::Dream => {
            orphan::watch_parent();
            print_json_line(&dream::run(context))
        }
        ProcessJob::Answer => answer::run(context),
    }
}

fn print_json_line(told: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_vec(told)?;
    text.push(b'\n');
    std::io::stdout().lock().write_all(&text)?;
    Ok(())
}

/// Runs a daemon for a place until it is to end.
///
/// # Errors
/// Another one runs, or the system does not let it.
pub(crate) fn run_daemon(
    place: &ProjectContext,
    is_service: bool,
    context: &Context,
) -> Result<()> {
    let house = DaemonInstance::for_memory(place, context)?;
    let root = house.root.clone();
    let jobs = Jobs::new(&root).context("cannot tell which program this is")?;
    let options = DaemonOptions {
        place: house.place.clone(),
        watched: watched_tiers(place),
        settings: pace::daemon_timings(&place.config, &context.env, is_service),
        version: VERSION.to_owned(),
        root: root.to_string_lossy().into_owned(),
        seed: random_seed(),
    };
    let work = JobRunner {
        context: context.without_output(),
        root,
        log: house.log.clone(),
        jobs,
        reader: ReaderProcess::default(),
        findings: Mutex::new(0),
        jitter: random_seed(),
    };
    let now = context.current_time();
    log::add_remark(&house.log, now, &format!("started, version {VERSION}"));
    let ended = shell::run(options, Arc::new(work), || {
        let mut stdout = std::io::stdout().lock();
        // Who waited for it may have gone.
        let _ = writeln!(stdout, "{READY}").and_then(|()| stdout.flush());
    });
    if let Err(error) = &ended {
        let now = context.current_time();
        log::add_remark(&house.log, now, &format!("could not begin: {error}"));
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
