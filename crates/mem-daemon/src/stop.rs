//! Ending a daemon: it is asked to, then told to, then killed.
//!
//! It counts as ended when its lock is free and not when its socket is gone: a daemon keeps the lock until its process
//! and its jobs are over (`RunningLock::leave_at_exit`), so that whoever waits here may remove its files.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use crate::client::{AskError, DaemonClient};
use crate::place::DaemonFiles;
use crate::protocol::DaemonRequest;

use crate::ask::{PATIENCE, place_holder};
use crate::error::DaemonError;
use crate::system::{EndSignal, end_process};

/// A daemon that ends sends what waits first, for up to 5 seconds, and stops its jobs.
const END_TIME_MAX: Duration = Duration::from_secs(7);
/// A daemon that did not answer or did not end in time gets so long after the first signal. One that hangs is killed 3
/// seconds after the question.
const HUNG_TIME_MAX: Duration = Duration::from_secs(1);
/// Between two looks whether a process is gone.
const LOOK_PERIOD: Duration = Duration::from_millis(2);

/// What ending one came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaemonStop {
    /// It has ended.
    Ended,
    /// None ran.
    Absent,
}

/// Ends the daemon of a place, and waits until it is gone.
///
/// # Errors
/// It does not end.
pub fn stop_daemon(place: &DaemonFiles) -> Result<DaemonStop, DaemonError> {
    if !place.is_taken() {
        return Ok(DaemonStop::Absent);
    }
    let asked = DaemonClient::connect(place, PATIENCE)
        .and_then(|mut client| client.ask(DaemonRequest::Stop));
    let patience = match asked {
        Ok(_) if is_gone(place, END_TIME_MAX) => return Ok(DaemonStop::Ended),
        Ok(_) => HUNG_TIME_MAX,
        Err(AskError::Silent(error)) if is_timeout(error.kind()) => HUNG_TIME_MAX,
        Err(_) => END_TIME_MAX,
    };
    // It hangs, or speaks another protocol. The process id is that of the daemon for as long as the lock is held.
    for (signal, patience) in [(EndSignal::Ask, patience), (EndSignal::Kill, END_TIME_MAX)] {
        let Some(pid) = place_holder(place) else {
            return Ok(DaemonStop::Ended);
        };
        end_process(pid, signal);
        if is_gone(place, patience) {
            return Ok(DaemonStop::Ended);
        }
    }
    match place_holder(place) {
        Some(pid) => Err(DaemonError::Stays(pid)),
        None => Ok(DaemonStop::Ended),
    }
}

/// Whether an answer did not come in time: systems differ in the kind of that error.
fn is_timeout(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Waits until nobody has the place.
fn is_gone(place: &DaemonFiles, patience: Duration) -> bool {
    let begun = Instant::now();
    while place.is_taken() {
        if begun.elapsed() > patience {
            return false;
        }
        std::thread::sleep(LOOK_PERIOD);
    }
    true
}
