//! Counts system calls, those that wait for the disk above all, with strace where it is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::run::wrapped;

/// The system calls that are counted.
const CALLS: &str = "trace=fsync,fdatasync,syncfs,sync,sync_file_range,msync";

/// Runs the commands of one round under strace and counts; `None` where that cannot be done.
pub(crate) fn count(commands: &[Command], scratch: &Path) -> Option<usize> {
    // Not the second half of an interrupted call.
    let is_call = |line: &&str| line.contains("sync") && !line.contains("resumed>");
    let logs = commands
        .iter()
        .map(|command| traced(command, CALLS, scratch));
    logs.map(|log| Some(log?.lines().filter(is_call).count()))
        .sum()
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
    strace.args(["-f", "-qq", "-e", calls, "-e", "signal=none", "-o"]);
    strace.arg(&log);
    // strace is found by the PATH of the command, and the rest of its environment passes through.
    let status = wrapped(strace, command).status();
    status.ok()?.success().then_some(())?;
    fs::read_to_string(log).ok()
}
