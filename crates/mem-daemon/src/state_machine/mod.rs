//! The state machine of the daemon: [`step()`] takes a state, an event and the time, and says what is to be done.
//! It does no I/O, starts no thread and looks at no clock.
//!
//! ```text
//!  watch, socket, timer, jobs --event, now--> step --effects--> event loop: begin a job, set the timer, end
//!        ^                                     |                  |
//!        |                                   state                |
//!        +------------ Maintained, Synced, Dreamed, Woken <-------+
//! ```
//!
//! A task per concern with its own timers would be shorter to begin with, and its races would be the scheduler's. Here
//! every order of events is a list that a test writes down, and a simulated day takes no time.
//!
//! **Invariants**, each a property over thousands of interleavings: never two jobs of one kind at once, what changed is
//! sent within the longest wait, a permanent failure is not repeated by itself, and a daemon that is told to stop ends
//! within `drain`. **Cost:** a step is a few comparisons; the state does not grow with the number of changes.
//!
//! Tests: `state_machine::tests::interleavings::it_always_ends_when_told`, `state_machine::tests::interleavings::nothing_waits_for_ever`,
//! `state_machine::tests::interleavings::a_permanent_failure_is_not_repeated`,
//! `state_machine::tests::simulated_day::a_day_with_a_bad_network_and_a_kill_every_hour_loses_nothing`.
//!
//! - [`DaemonEvent`] and [`Effect`]: all that can happen, and all that can be asked for. Both are closed.
//! - `scope_sync`: one tier on its way to its remote.
//! - `debounce`: when something that keeps changing is left alone for long enough.
//! - `state`: what is remembered between two events.
//! - `step`: what follows from an event.

mod debounce;
mod effect;
mod event;
mod scope_sync;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use effect::{Effect, ExitReason};
pub use event::{DaemonEvent, Remotes, SyncOutcome, WatchedScope};
pub use scope_sync::SyncBlock;
pub use state::{DaemonState, DaemonTimings};
pub use step::step;

/// A moment: how long after a start that only the caller knows. It never goes back, whatever happens to
/// the clock on the wall.
pub type Moment = std::time::Duration;
