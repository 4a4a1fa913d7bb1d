//! Whether a daemon starts without anybody asking for it, and starting one that nobody waits for. Whatever starts one
//! unasked asks `is_wanted`.

use mem_core::RunContext;
use mem_core::config::Settings;
use mem_core::location::ProjectContext;

use crate::instance::{DaemonInstance, daemon_at};
use crate::start::{self, DaemonStart};
use crate::{VERSION, ask, background};

/// Whether there is work for a daemon here: a shared tier, logs to distil at night, or somebody who wants one
/// everywhere.
pub fn is_wanted(place: &ProjectContext) -> bool {
    let Settings {
        team, sync, daemon, ..
    } = &place.config.values;
    let is_shared = !team.remote.is_empty() || !sync.remote.is_empty();
    let has_work = || is_shared || place.distils_at_night();
    place.location.enabled && daemon.autostart.unwrap_or_else(has_work)
}

/// Sends for a daemon, where one is wanted and none runs; nobody waits for it.
pub fn start_in_background(place: &ProjectContext, run: &RunContext) {
    if !is_wanted(place) {
        return;
    }
    let Ok(instance) = DaemonInstance::for_memory(place, run) else {
        return;
    };
    let is_ours = || daemon_at(instance.place.clone()).version == VERSION;
    if !instance.place.is_taken() || !is_ours() {
        // A start replaces one of another version where it is not at work. Everything works without one.
        let _ = background::send_detached(["--quiet", "daemon", "start"], &instance.root);
    }
}

/// What became of a daemon that a setup would have.
#[derive(Debug)]
pub enum DaemonSetup {
    /// It runs from now on.
    Started,
    /// One ran already, and looks again.
    Running,
    /// The settings forbid it, or nothing here is for one.
    Off,
    /// It did not start, and why.
    Failed(String),
}

/// Starts a daemon where one is wanted.
pub fn start_if_wanted(run: &RunContext) -> DaemonSetup {
    let place = match run.place() {
        Ok(place) => place,
        Err(error) => return DaemonSetup::Failed(error.to_string()),
    };
    if !is_wanted(&place) {
        // One that somebody started by hand has news all the same.
        ask::reload_daemon(run);
        return DaemonSetup::Off;
    }
    let started = DaemonInstance::for_memory(&place, run).map_err(|error| error.to_string());
    let started = started.and_then(|instance| {
        start::start_daemon(&instance, run).map_err(|error| error.to_string())
    });
    match started {
        Ok(DaemonStart::Now) => DaemonSetup::Started,
        Ok(DaemonStart::Before) => {
            ask::reload_daemon(run);
            DaemonSetup::Running
        }
        Err(why) => DaemonSetup::Failed(why),
    }
}

impl DaemonSetup {
    /// The word in JSON.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Running => "running",
            Self::Off => "off",
            Self::Failed(_) => "failed",
        }
    }

    /// Tells it as a remark of the run; `sync` is the command that does the same by hand.
    pub fn print_setup(&self, sync: &str, run: &RunContext) {
        match self {
            Self::Started => run.say(
                "started a daemon, which sends and takes changes by itself: `mem daemon status`",
            ),
            Self::Running => run
                .say("the daemon that runs sends and takes changes by itself: `mem daemon status`"),
            Self::Off => run.say(format_args!(
                "no daemon was started (`daemon.autostart`): `{sync}` sends and takes changes"
            )),
            Self::Failed(why) => run.print_warning(format_args!(
                "no daemon was started: {why}; `{sync}` sends and takes changes"
            )),
        }
    }
}
