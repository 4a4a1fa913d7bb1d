//! What a daemon does to memory: begins jobs, and passes questions on to the process that recalls.

use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use jiff::tz::TimeZone;
use mem_agent::distillation::nightly;
use mem_core::location::{self, ProjectContext};
use mem_daemon::event_loop::{DaemonTasks, Synced};
use mem_daemon::state_machine::{Remotes, WatchedScope};
use serde_json::Value;

use crate::{dream, maintenance, sync};
use mem_core::RunContext;
use mem_daemon::child::Jobs;
use mem_daemon::reader::ReaderProcess;
use mem_daemon::{log, timings};

/// Looks after one repository.
pub(crate) struct JobRunner {
    pub(crate) run: RunContext,
    pub(crate) root: PathBuf,
    pub(crate) log: PathBuf,
    pub(crate) jobs: Jobs,
    pub(crate) reader: ReaderProcess,
    /// What was last said of the checks: it is not said again with every look.
    pub(crate) findings: Mutex<usize>,
    /// Any number: it spreads over an hour what several daemons do at night.
    pub(crate) jitter: u64,
}

impl JobRunner {
    /// The place as the settings are now.
    fn open_place(&self) -> Option<ProjectContext> {
        let dirs = self.run.dirs().ok()?;
        location::open(&self.root, dirs, &self.run.env, &[]).ok()
    }

    fn set_findings(&self, findings: usize) {
        let Ok(mut before) = self.findings.lock() else {
            return;
        };
        if *before != findings {
            self.log(&format!("`mem check` would name {findings} findings"));
        }
        *before = findings;
    }
}

impl DaemonTasks for JobRunner {
    fn remotes(&self) -> Remotes {
        let place = self.open_place().filter(|place| place.location.enabled);
        place.map_or_else(Remotes::default, |place| Remotes {
            own: !place.config.values.sync.remote.is_empty(),
            team: !place.config.values.team.remote.is_empty(),
        })
    }

    fn is_gone(&self) -> bool {
        !self.root.is_dir()
    }

    fn maintain(&self) -> Result<(), String> {
        let told: maintenance::MaintenanceOutcome = self.jobs.run_job("tend")?;
        self.set_findings(told.findings);
        match told.trouble {
            Some(trouble) => Err(trouble),
            None => Ok(()),
        }
    }

    fn dream_in(&self) -> Option<Duration> {
        let place = self.open_place().filter(ProjectContext::distils_at_night)?;
        let last = nightly::last_attempt(&place, self.run.dirs().ok()?);
        let now = self.run.current_time().0;
        let wait = nightly::due_in(now, last, self.jitter, &TimeZone::system())?;
        let is_missed = wait.as_secs() < nightly::JITTER_SECONDS;
        Some(match timings::night_delay(&self.run.env) {
            Some(pace) if is_missed => pace,
            _ => wait,
        })
    }

    fn dream(&self) -> Result<(), String> {
        let told: dream::DreamJobOutcome = self.jobs.run_job("dream")?;
        match told.trouble {
            Some(trouble) => Err(trouble),
            None => Ok(()),
        }
    }

    fn sync(&self, tier: WatchedScope) -> Synced {
        let job = match tier {
            WatchedScope::Team => "sync",
            WatchedScope::Own => "sync-own",
        };
        self.jobs.run_job(job).unwrap_or_else(sync::lost_job)
    }

    fn answer(&self, name: &str, input: Value) -> Result<Value, String> {
        self.reader.ask_reader(&self.jobs, name, &input)
    }

    fn now(&self) -> String {
        self.run.current_time().0.to_string()
    }

    fn log(&self, line: &str) {
        log::add_remark(&self.log, self.run.current_time(), line);
    }
}
