//! Processes that outlive the one that sends them: nobody waits for them, they give way to
//! everybody else, and they end when they are done.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// How much a process steps back for others: as far as it can.
#[cfg(unix)]
const NICENESS: i32 = 19;

/// Sends this program with other arguments into a folder. Whatever keeps it from starting is the
/// caller's to judge.
///
/// # Errors
/// It cannot be started.
pub fn send_detached<S: AsRef<OsStr>>(
    args: impl IntoIterator<Item = S>,
    folder: &Path,
) -> std::io::Result<()> {
    send_with_input(args, folder, "")
}

/// [`send_detached`] with a text on standard input, which must not be longer than a pipe holds: nobody waits until it
/// is read.
///
/// # Errors
/// It cannot be started.
pub fn send_with_input<S: AsRef<OsStr>>(
    args: impl IntoIterator<Item = S>,
    folder: &Path,
    input: &str,
) -> std::io::Result<()> {
    let mut command = detached_command(args)?;
    if !input.is_empty() {
        command.stdin(Stdio::piped());
    }
    command.current_dir(folder);
    // What ends the group of the sender, a Ctrl-C say, is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // Nobody waits: the sender ends before, and the system takes over.
    let mut child = command.spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A process that is gone already reads nothing.
        let _ = pipe.write_all(input.as_bytes());
    }
    Ok(())
}

fn detached_command<S: AsRef<OsStr>>(
    args: impl IntoIterator<Item = S>,
) -> std::io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Ok(command)
}

/// Gives way to everybody else.
pub fn lower_priority() {
    #[cfg(unix)]
    let _ = rustix::process::nice(NICENESS);
}

/// Leaves the session of whoever sent this process, so that no terminal and no host takes it along
/// when it goes. `false` where another process with the same arguments does the work instead: the
/// leader of a group cannot leave its session, a child of it can.
#[cfg(unix)]
pub fn leave_session<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> bool {
    if rustix::process::setsid().is_ok() || !is_group_leader() {
        return true;
    }
    // What was left on standard input is for the one that does the work.
    let sent =
        detached_command(args).and_then(|mut command| command.stdin(Stdio::inherit()).spawn());
    sent.is_err()
}

#[cfg(unix)]
fn is_group_leader() -> bool {
    rustix::process::getpgrp() == rustix::process::getpid()
}

/// Elsewhere there are no such sessions.
#[cfg(not(unix))]
pub fn leave_session<S: AsRef<OsStr>>(_: impl IntoIterator<Item = S>) -> bool {
    true
}
