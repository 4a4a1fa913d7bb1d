//! Keeping daemons away while what they look after is erased: one that runs is ended, and none begins meanwhile.
//!
//! ```text
//!  .start   |== held ==================================|   `daemon start` of a hook waits here
//!  daemon   ------ ends                                    its jobs end with it
//!  .pid                  |== held =====================|   `daemon run` of a service finds the place taken
//!  erasure                   removes, searches, proves
//! ```
//!
//! Ending the daemon alone is not enough: the next prompt starts one, which writes the state that was just removed.
//! Both locks, because a service manager runs daemons without `.start`.
//! Test: `erase::a_daemon_ends_before_what_it_looks_after_goes`.

use std::fs::File;

use crate::place::{DaemonFiles, PlaceError, RunningLock};

use crate::error::DaemonError;
use crate::instance::{self, DaemonInstance};
use crate::stop;
use mem_core::RunContext;
use mem_core::location::ProjectContext;

/// No daemon begins in a place while this is kept.
#[derive(Debug)]
pub struct StartupLock {
    _turn: Option<File>,
    _running: Option<RunningLock>,
}

/// Holds the places of all daemons, or of the one of this repository.
///
/// # Errors
/// One does not end.
pub fn hold_daemons(
    all: bool,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<Vec<StartupLock>, DaemonError> {
    let mut places = vec![DaemonInstance::for_memory(place, run)?.place];
    if all {
        let others = instance::all_daemons(run)?
            .into_iter()
            .map(|found| found.place);
        let others: Vec<DaemonFiles> = others.filter(|place| *place != places[0]).collect();
        places.extend(others);
    }
    places.iter().map(hold_one).collect()
}

fn hold_one(place: &DaemonFiles) -> Result<StartupLock, DaemonError> {
    // Where no daemon can ever be, nothing is to be kept away.
    let turn = place.starting().ok();
    stop::stop_daemon(place)?;
    let running = match place.claim("") {
        Ok(running) => Some(running),
        Err(PlaceError::Taken) => return Err(PlaceError::Taken.into()),
        Err(_) => None,
    };
    Ok(StartupLock {
        _turn: turn,
        _running: running,
    })
}
