//! Whether a daemon starts without anybody asking for it, and starting one that nobody waits for. Whatever starts one
//! unasked asks `is_wanted`.

use mem_agent::distillation::nightly;
use mem_core::config::Settings;
use mem_core::location::ProjectContext;

use crate::context::Context;
use crate::detached;
use mem_daemon::VERSION;
use mem_daemon::instance::{self, DaemonInstance};
use mem_daemon::start::{self, Started};

/// Whether there is work for a daemon here: a shared tier, logs to distil at night, or somebody who wants one
/// everywhere.
pub(crate) fn is_wanted(place: &ProjectContext) -> bool {
    let Settings {
        team, sync, daemon, ..
    } = &place.config.values;
    let is_shared = !team.remote.is_empty() || !sync.remote.is_empty();
    let has_work = || is_shared || nightly::is_set(place);
    place.location.enabled && daemon.autostart.unwrap_or_else(has_work)
}

/// Sends for a daemon, where one is wanted and none runs; nobody waits for it.
pub(crate) fn send_for(place: &ProjectContext, context: &Context) {
    if !is_wanted(place) {
        return;
    }
    let Ok(house) = DaemonInstance::for_memory(place, context) else {
        return;
    };
    let is_ours = || instance::daemon_at(house.place.clone()).version == VERSION;
    if !house.place.is_taken() || !is_ours() {
        // A start replaces one of another version where it is not at work. Everything works without one.
        let _ = detached::send_detached(["--quiet", "daemon", "start"], &house.root);
    }
}

/// What became of a daemon that a setup would have.
#[derive(Debug)]
pub(crate) enum DaemonSetup {
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
pub(crate) fn start_if_wanted(context: &Context) -> DaemonSetup {
    let place = match context.place() {
        Ok(place) => place,
        Err(error) => return DaemonSetup::Failed(error.to_string()),
    };
    if !is_wanted(&place) {
        // One that somebody started by hand has news all the same.
        mem_daemon::ask::reload_daemon(context);
        return DaemonSetup::Off;
    }
    let started = DaemonInstance::for_memory(&place, context).map_err(|error| error.to_string());
    let started = started
        .and_then(|house| start::start_daemon(&house, context).map_err(|error| error.to_string()));
    match started {
        Ok(Started::Now) => DaemonSetup::Started,
        Ok(Started::Before) => {
            mem_daemon::ask::reload_daemon(context);
            DaemonSetup::Running
        }
        Err(why) => DaemonSetup::Failed(why),
    }
}

impl DaemonSetup {
    /// The word in JSON.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::Started => "started",
            Self::Running => "running",
            Self::Off => "off",
            Self::Failed(_) => "failed",
        }
    }

    /// Says it; `sync` is the command that does the same by hand.
    pub(crate) fn print_setup(&self, sync: &str, context: &Context) {
        let printer = &context.printer;
        match self {
            Self::Started => printer.say(
                "started a daemon, which sends and takes changes by itself: `mem daemon status`",
            ),
            Self::Running => printer
                .say("the daemon that runs sends and takes changes by itself: `mem daemon status`"),
            Self::Off => printer.say(format_args!(
                "no daemon was started (`daemon.autostart`): `{sync}` sends and takes changes"
            )),
            Self::Failed(why) => printer.print_warning(format_args!(
                "no daemon was started: {why}; `{sync}` sends and takes changes"
            )),
        }
    }
}
