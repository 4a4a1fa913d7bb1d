//! Ending a daemon: it is asked to, then told to, then killed.
//!
//! It counts as ended when its lock is free and not when its socket is gone: a daemon keeps the lock until its process
//! and its jobs are over (`RunningLock::leave_at_exit`), so that whoever waits here may remove its files.

use std::time::{Duration, Instant};

use crate::client::DaemonClient;
use crate::place::DaemonFiles;
use crate::protocol::DaemonRequest;

use crate::ask::{PATIENCE, place_holder};
use crate::error::DaemonError;
use crate::system::{EndSignal, end_process};

/// A daemon has so long to send what waits, and a little to end.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(7);
/// After each signal so much time goes by.
const SIGNAL_TIME_MAX: Duration = Duration::from_secs(7);
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
    if is_asked(place) && is_gone(place, SIGNAL_TIME_MAX) {
        return Ok(DaemonStop::Ended);
    }
    // It hangs, or speaks of something else. Its number is true while it has the lock.
    for signal in [EndSignal::Ask, EndSignal::Kill] {
        let Some(pid) = place_holder(place) else {
            return Ok(DaemonStop::Ended);
        };
        end_process(pid, signal);
        if is_gone(place, SIGNAL_TIME_MAX) {
            return Ok(DaemonStop::Ended);
        }
    }
    match place_holder(place) {
        Some(pid) => Err(DaemonError::Stays(pid)),
        None => Ok(DaemonStop::Ended),
    }
}

/// Asks it to end, and waits while it sends what waits.
fn is_asked(place: &DaemonFiles) -> bool {
    let Ok(mut client) = DaemonClient::connect(place, PATIENCE.max(DRAIN_TIME_MAX)) else {
        return false;
    };
    client.ask(DaemonRequest::Stop).is_ok() && client.until_gone()
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
