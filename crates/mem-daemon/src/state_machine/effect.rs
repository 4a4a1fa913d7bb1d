//! All that a daemon can ask for.

use crate::state_machine::Moment;
use crate::state_machine::event::WatchedScope;

/// To be carried out, in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Bring history, index, recall and drift of one's own notes in step with the files. Answered with
    /// [`crate::state_machine::DaemonEvent::Maintained`]; never asked for twice at once.
    Maintain,
    /// One synchronisation of a tier in both directions. Answered with [`crate::state_machine::DaemonEvent::Synced`]; never
    /// asked for twice at once, for whichever tiers.
    Sync(WatchedScope),
    /// Distil the logs. Answered with [`crate::state_machine::DaemonEvent::Dreamed`]; never asked for twice at once, and never
    /// while something else is being done.
    Dream,
    /// Send [`crate::state_machine::DaemonEvent::Woken`] then. Replaces what was asked for before; `None` cancels it, and
    /// nothing runs until something happens.
    WakeAt(Option<Moment>),
    /// End, leaving behind whatever is under way. The last effect there is.
    Exit(ExitReason),
}

/// Why a daemon ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// It was told to, and nothing waits any more.
    Stopped,
    /// It was told to, and something still waits; the next start goes on with it.
    StoppedPending,
    /// Nothing happened for a long time.
    Idle,
    /// What it looked after is gone.
    Gone,
}
