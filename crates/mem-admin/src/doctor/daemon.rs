//! Daemons: whether those that run have their places, and what those left behind that do not run any more.

use std::path::Path;

use mem_daemon::place::DaemonFiles;

use super::check::DoctorCheck;
use mem_core::RunContext;
use mem_core::foreign_text::one_line;
use mem_core::plural::format_count;
use mem_core::regular_file;
use mem_daemon::ask;
use mem_daemon::instance::{self, RunningDaemon};
use mem_daemon::system::{EndSignal, end_process};

const NAME: &str = "daemon";
const FIX: &str = "`mem doctor --fix` removes it";

/// Variables that make a process one of this user's world.
const WORLD: [&str; 3] = ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"];

/// A process of a daemon.
struct Process {
    pid: u32,
    parent: Option<u32>,
    /// Whether it works for a daemon, and is none itself.
    is_job: bool,
}

pub(crate) fn daemon_checks(run: &RunContext, fix: bool) -> Vec<DoctorCheck> {
    let Ok(all) = instance::all_daemons(run) else {
        return Vec::new();
    };
    let mut checks: Vec<DoctorCheck> = all
        .iter()
        .filter_map(|found| leftover_check(found, fix))
        .collect();
    let running: Vec<u32> = all
        .iter()
        .filter_map(|found| ask::place_holder(&found.place))
        .collect();
    let processes = daemon_processes(run);
    let is_leaked = |one: &&Process| match one.is_job {
        true => !one.parent.is_some_and(|parent| running.contains(&parent)),
        false => !running.contains(&one.pid),
    };
    let leaked: Vec<&Process> = processes.iter().filter(is_leaked).collect();
    for process in &leaked {
        checks.push(end_leaked(process, fix));
    }
    if leaked.is_empty() {
        let daemons = format_count(running.len(), "daemon runs", "daemons run");
        let seen = format_count(processes.len(), "process", "processes");
        let places = format_count(all.len(), "place", "places");
        checks.push(DoctorCheck::with_ok(
            NAME,
            format!(
                "no process left behind: {daemons}, {seen} of daemons seen, {places} looked at"
            ),
        ));
    }
    checks
}

/// What a daemon left that does not run any more.
fn leftover_check(found: &RunningDaemon, fix: bool) -> Option<DoctorCheck> {
    let place = &found.place;
    if place.is_taken() {
        return None;
    }
    let socket = place.socket();
    let is_there = socket.symlink_metadata().is_ok();
    if !is_there && found.pid.is_none() {
        return None;
    }
    if socket.is_dir() {
        let message = format!(
            "`{}` is a directory, and stands where the socket of a daemon belongs",
            socket.display()
        );
        return Some(DoctorCheck::with_warning(
            NAME,
            message,
            "move it away: until then no daemon runs there",
        ));
    }
    let root = one_line(&found.root);
    let message = match found.pid {
        Some(pid) => format!("process {pid} was killed and left its place behind, of `{root}`"),
        None => format!("`{}` has no daemon", socket.display()),
    };
    if !fix {
        return Some(DoctorCheck::with_warning(NAME, message, FIX));
    }
    Some(match clear_files(place) {
        Ok(()) => DoctorCheck::with_ok(NAME, format!("{message}; removed")),
        Err(error) => DoctorCheck::from_error(NAME, &error),
    })
}

/// Takes the place as a daemon does, and leaves it.
fn clear_files(place: &DaemonFiles) -> Result<(), mem_daemon::place::PlaceError> {
    let _turn = place.starting()?;
    place.claim("")?.leave(place);
    Ok(())
}

/// Ends a process that belongs to no daemon.
fn end_leaked(process: &Process, fix: bool) -> DoctorCheck {
    let message = format!("process {} belongs to no daemon", process.pid);
    if !fix {
        return DoctorCheck::with_warning(NAME, message, "`mem doctor --fix` ends it");
    }
    match end_process(process.pid, EndSignal::Kill) {
        true => DoctorCheck::with_ok(NAME, format!("{message}; ended")),
        false => DoctorCheck::with_warning(NAME, message, "it could not be ended"),
    }
}

/// The processes of daemons of this user's world, where the system lists them.
fn daemon_processes(run: &RunContext) -> Vec<Process> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let own = std::process::id();
    let found = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        (pid != own)
            .then(|| daemon_process(pid, &entry.path(), run))
            .flatten()
    });
    found.collect()
}

fn daemon_process(pid: u32, folder: &Path, run: &RunContext) -> Option<Process> {
    let words = regular_file::read_whole(folder.join("cmdline")).ok()?;
    let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
    let at = words
        .windows(2)
        .position(|two| two == [&b"daemon"[..], &b"run"[..]])?;
    let is_mem = Path::new(std::str::from_utf8(words[0]).ok()?)
        .file_stem()
        .is_some_and(|name| name == "mem");
    let environ = regular_file::read_whole(folder.join("environ")).ok()?;
    let is_ours = WORLD.iter().all(|name| {
        let prefix = format!("{name}=");
        let mut pairs = environ.split(|byte| *byte == 0);
        let value = pairs.find_map(|pair| pair.strip_prefix(prefix.as_bytes()));
        value.filter(|value| !value.is_empty()) == run.env.get(name).map(str::as_bytes)
    });
    let status = regular_file::read_text(folder.join("status")).ok()?;
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().to_owned())
    };
    // One that has ended and waits for its parent to take note does nothing any more.
    let is_alive = !field("State:")?.starts_with('Z');
    (is_mem && is_ours && is_alive).then(|| Process {
        pid,
        parent: field("PPid:").and_then(|text| text.parse().ok()),
        is_job: words[at..].contains(&b"--job".as_slice()),
    })
}
