//! The process that a recall leaves behind where notes are not yet encoded: one at a time, with
//! nobody waiting for it, and gone when it is done.

use std::process::{Command, Stdio};
use std::time::Duration;

use mem_core::Dirs;

use super::warm::Turn;

/// The flag by which the child knows that it is one.
pub(crate) const FLAG: &str = "--background";
/// How long a child goes on; the next recall sends another.
pub(crate) const TIME_MAX: Duration = Duration::from_secs(600);
/// How much a child steps back for others: as far as it can.
const NICENESS: i32 = 19;
/// A child keeps still for so long: prompts often come close together.
const GRACE: Duration = Duration::from_secs(3);

/// Sends a child that warms the memory of this working directory, unless one is under way.
/// Whatever keeps it from starting only costs time later.
pub(crate) fn send(dirs: &Dirs) {
    // Given back at once: the child takes it again.
    if Turn::take(dirs).is_none() {
        return;
    }
    let Ok(program) = std::env::current_exe() else {
        return;
    };
    let mut command = Command::new(program);
    command
        .args(["warm", "--quiet", FLAG])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // A Ctrl-C in the terminal is not meant for it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // Nobody waits: this process ends before its child, which the system then takes over.
    drop(command.spawn());
}

/// Makes the child give way to everybody else, and wait until the prompt that sent it is answered
/// and others have been. It has its turn already, so that nobody sends another one meanwhile.
pub(crate) fn step_back() {
    #[cfg(unix)]
    let _ = rustix::process::nice(NICENESS);
    std::thread::sleep(GRACE);
}
