//! Starting a daemon: one at a time, and only where none runs. It returns when the daemon is ready.

use std::io::{PipeReader, Read as _};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::client::AskError;
use crate::event_loop::RunError;
use mem_core::history::AuthorKind;

use crate::ask::{self, DaemonInfo, PATIENCE};
use crate::error::DaemonError;
use crate::instance::DaemonInstance;
use crate::stop;
use crate::system::stays_silent;
use mem_core::RunContext;
use mem_core::foreign_text::one_line;

/// The word that a daemon says when its socket answers and its watches are set.
pub const READY: &str = "ready";

/// A daemon that is not ready after so long has not started.
const READY_TIME_MAX: Duration = Duration::from_secs(20);
/// Of what a daemon says that cannot begin.
const COMPLAINT_BYTES_MAX: usize = 4096;

/// What belongs to one session of a host, and would make everything that the daemon does the work of that
/// session's agent.
const OF_SESSION: [&str; 7] = [
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_SESSION_ID",
    "MEM_ACTOR",
    "MEM_HOST",
    "MEM_MODEL_TASK",
    "MEM_SESSION",
];

/// What decides on where memory goes: a daemon would take an agent's word for its person's.
const OF_PERSON: [&str; 2] = ["MEM_SYNC_", "MEM_TEAM_"];

/// What a start came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaemonStart {
    /// One ran already.
    Before,
    /// It runs now.
    Now,
}

/// Makes sure that a daemon runs, of this version; one of another version ends where it has nothing to do.
///
/// # Errors
/// It does not start, or another one cannot be ended.
pub fn start_daemon(
    instance: &DaemonInstance,
    run: &RunContext,
) -> Result<DaemonStart, DaemonError> {
    if !crate::IS_AVAILABLE {
        return Err(RunError::Unsupported.into());
    }
    if ask::daemon_info(&instance.place, PATIENCE).is_ok_and(|seen| seen.is_ours()) {
        return Ok(DaemonStart::Before);
    }
    if let Some(name) = of_person(run) {
        return Err(DaemonError::ByEnvironment(name.to_owned()));
    }
    // Asked before the lock and again under it: most hooks find a daemon and never wait, and of a burst of starts all
    // but the first find it the second time.
    let _turn = instance.place.starting()?;
    // From here on nobody else begins one.
    match ask::daemon_info(&instance.place, PATIENCE) {
        Ok(seen) if seen.is_ours() => return Ok(DaemonStart::Before),
        Ok(seen) => end_other(instance, &seen)?,
        Err(AskError::Foreign) => return Err(AskError::Foreign.into()),
        // One that is ending, or hangs. A dead one's socket is simply taken over.
        Err(_) => drop(stop::stop_daemon(&instance.place)?),
    }
    spawn_daemon(instance, run).map(|()| DaemonStart::Now)
}

/// The variable by which an agent's environment would decide on where memory goes.
fn of_person(run: &RunContext) -> Option<&str> {
    let mut names = run.env.iter().map(|(name, _)| name);
    let name = names.find(|name| OF_PERSON.iter().any(|one| name.starts_with(one)));
    name.filter(|_| run.author().actor == AuthorKind::Agent)
}

/// Ends a daemon of another version where it has nothing under way.
fn end_other(instance: &DaemonInstance, seen: &DaemonInfo) -> Result<(), DaemonError> {
    if !instance.place.is_taken() {
        // Something listens that is no daemon; its socket is no more in the way than a dead one's.
        return Ok(());
    }
    if !seen.is_free() {
        return Err(DaemonError::OtherVersion(one_line(&seen.version)));
    }
    stop::stop_daemon(&instance.place).map(drop)
}

fn spawn_daemon(instance: &DaemonInstance, run: &RunContext) -> Result<(), DaemonError> {
    let failed = |error: std::io::Error| DaemonError::NotStarted(error.to_string());
    let (words, out) = std::io::pipe().map_err(failed)?;
    let mut command = Command::new(std::env::current_exe().map_err(failed)?);
    command
        .arg("-C")
        .arg(&instance.root)
        .args(["--quiet", "daemon", "run", "--detached"])
        .current_dir(&instance.root)
        .stdin(Stdio::null())
        .stderr(Stdio::from(out.try_clone().map_err(failed)?))
        .stdout(Stdio::from(out));
    for name in OF_SESSION {
        command.env_remove(name);
    }
    if run.env.get("CLAUDE_CONFIG_DIR").is_some()
        && let Ok(dirs) = run.dirs()
    {
        // It may have been relative to where this run began.
        command.env("CLAUDE_CONFIG_DIR", &dirs.base);
    }
    command.spawn().map_err(failed)?;
    // The ends that are kept here would keep it open.
    drop(command);
    wait_for_ready(words)
}

/// Waits for the word.
fn wait_for_ready(mut words: PipeReader) -> Result<(), DaemonError> {
    let mut said = Vec::new();
    loop {
        if said.ends_with(b"\n") && said.starts_with(READY.as_bytes()) {
            return Ok(());
        }
        if stays_silent(&words, READY_TIME_MAX) {
            let why = "it is not ready after 20 seconds".to_owned();
            return Err(DaemonError::NotStarted(why));
        }
        let mut buffer = [0; 512];
        match words.read(&mut buffer) {
            Ok(count @ 1..) if said.len() < COMPLAINT_BYTES_MAX => {
                said.extend_from_slice(&buffer[..count]);
            }
            _ => return Err(DaemonError::NotStarted(startup_complaint(&said))),
        }
    }
}

/// What it said instead.
fn startup_complaint(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let line = text.lines().next().unwrap_or_default();
    match line.strip_prefix("error: ").unwrap_or(line) {
        "" => "it ended at once".to_owned(),
        line => one_line(line),
    }
}
