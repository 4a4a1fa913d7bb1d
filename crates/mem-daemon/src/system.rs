//! What a daemon and its jobs ask of the system beside sockets. Where there are no daemons, the twins let this compile.

use std::time::Duration;

/// How a process is told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndSignal {
    /// It may end in order.
    Ask,
    /// It ends at once.
    Kill,
}

/// Whether nothing can be read from a pipe for so long. Its end, and an interruption, is something.
#[cfg(unix)]
pub fn stays_silent(source: &impl std::os::fd::AsFd, time: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let timeout = Timespec::try_from(time).ok();
    let mut ready = [PollFd::new(source, PollFlags::IN)];
    matches!(poll(&mut ready, timeout.as_ref()), Ok(0))
}

/// Not told: reading it waits.
#[cfg(not(unix))]
pub fn stays_silent<T>(_source: &T, _time: Duration) -> bool {
    false
}

/// Tells a process to end; whether it was told. It may have ended by itself.
#[cfg(unix)]
pub fn end_process(pid: u32, how: EndSignal) -> bool {
    use rustix::process::{Pid, Signal, kill_process};

    let signal = match how {
        EndSignal::Ask => Signal::TERM,
        EndSignal::Kill => Signal::KILL,
    };
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| kill_process(pid, signal).is_ok())
}

#[cfg(not(unix))]
pub fn end_process(_pid: u32, _how: EndSignal) -> bool {
    false
}

/// Ends every process of a group at once.
#[cfg(unix)]
pub fn end_group(pid: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};

    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

#[cfg(not(unix))]
pub fn end_group(_pid: u32) {}

/// Leaves the session of whoever started this process. A leader of a group stays where it is, which only means that a
/// terminal takes it along.
pub fn leave_session() {
    #[cfg(unix)]
    let _ = rustix::process::setsid();
}
