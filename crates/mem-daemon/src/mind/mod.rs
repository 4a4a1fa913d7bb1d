//! The mind of the daemon: [`step()`] takes a state, an event and the time, and says what is to be done.
//! It does no I/O, starts no thread and looks at no clock.
//!
//! - [`DaemonEvent`] and [`Effect`]: all that can happen, and all that can be asked for. Both are closed.
//! - `lane`: one tier on its way to its remote.
//! - `settle`: when something that keeps changing is left alone for long enough.
//! - `state`: what is remembered between two events.
//! - `step`: what follows from an event.

mod effect;
mod event;
mod lane;
mod settle;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use effect::{Effect, ExitReason};
pub use event::{DaemonEvent, Remotes, SyncOutcome, WatchedScope};
pub use lane::LaneBlock;
pub use state::{DaemonState, DaemonTimings};
pub use step::step;

/// A moment: how long after a start that only the caller knows. It never goes back, whatever happens to
/// the clock on the wall.
pub type Moment = std::time::Duration;
