//! Counts system calls, those that wait for the disk above all, with strace where it is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The system calls that are counted.
const CALLS: &str = "trace=fsync,fdatasync,syncfs,sync,sync_file_range,msync";

/// Runs the commands of one round under strace and counts; `None` where that cannot be done.
pub(crate) fn count(commands: &[Command], scratch: &Path) -> Option<usize> {
    commands
        .iter()
        .map(|command| count_one(command, scratch))
        .sum()
}

/// Counts for one command.
fn count_one(command: &Command, scratch: &Path) -> Option<usize> {
    let log = traced(command, CALLS, scratch)?;
    Some(log.lines().filter(|line| is_call(line)).count())
}

/// How many notes a command opens; `None` where that cannot be counted.
pub(crate) fn notes_opened(command: &Command, scratch: &Path) -> Option<usize> {
    let log = traced(command, "trace=open,openat,openat2", scratch)?;
    let is_opened = |line: &&str| line.contains(".md\"") && !line.contains("= -1");
    Some(log.lines().filter(is_opened).count())
}

/// The calls of these kinds that a command makes, a line each.
fn traced(command: &Command, calls: &str, scratch: &Path) -> Option<String> {
    let log = scratch.join("syncs.log");
    let mut strace = Command::new("strace");
    strace
        .args(["-f", "-qq", "-e", calls, "-e", "signal=none", "-o"])
        .arg(&log)
        .arg(command.get_program())
        .args(command.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        strace.current_dir(folder);
    }
    // strace is found by the PATH of the command, and the rest of its environment passes through.
    strace.env_clear();
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            strace.env(name, value);
        }
    }
    strace.status().ok()?.success().then_some(())?;
    fs::read_to_string(log).ok()
}

/// Whether a line is the beginning of a call, and not the second half of an interrupted one.
fn is_call(line: &str) -> bool {
    line.contains("sync") && !line.contains("resumed>")
}
