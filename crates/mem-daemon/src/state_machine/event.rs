//! All that can happen to a daemon.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A directory that is looked after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WatchedScope {
    /// What belongs to one person: private and global notes.
    Own,
    /// What is shared with a team.
    Team,
}

/// Which tiers have a remote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remotes {
    /// What belongs to one person, between their machines.
    pub own: bool,
    /// What is shared with a team.
    pub team: bool,
}

impl Remotes {
    /// Whether a tier has one.
    pub fn has(self, tier: WatchedScope) -> bool {
        match tier {
            WatchedScope::Own => self.own,
            WatchedScope::Team => self.team,
        }
    }
}

/// Something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DaemonEvent {
    /// The watches are set; from here on every change is told.
    Started,
    /// Somebody else than the daemon changed something below a directory, or may have: an overflow, a
    /// watch that was lost and set again.
    Changed(WatchedScope),
    /// The moment of the last [`crate::state_machine::Effect::WakeAt`] has come. Coming early or twice does no harm.
    Woken,
    /// Somebody asked for something: the daemon is of use.
    Asked,
    /// Somebody asked to synchronise now.
    SyncAsked,
    /// A [`crate::state_machine::Effect::Maintain`] is over, whether or not it succeeded.
    Maintained,
    /// A [`crate::state_machine::Effect::Sync`] of this tier is over.
    Synced(WatchedScope, SyncOutcome),
    /// A remote, a token or another setting is a new one.
    Configured(Remotes),
    /// When the logs are to be distilled: so long from now; `None`: never. Told anew from time to time, because
    /// the night is one of the clock on the wall.
    Scheduled(Option<Duration>),
    /// A [`crate::state_machine::Effect::Dream`] is over, whether or not it succeeded.
    Dreamed,
    /// It is to end: a signal, or `mem daemon stop`.
    Stop,
    /// The repository or the memory directory is gone for good.
    Gone,
}

/// What a synchronisation came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "class", rename_all = "snake_case")]
pub enum SyncOutcome {
    /// Both ends agree, but for files that wait until they change.
    Done {
        /// Whether files were written or removed here.
        has_written: bool,
    },
    /// Files changed meanwhile: another round is due.
    Overtaken {
        /// Whether files were written or removed here.
        has_written: bool,
    },
    /// No network, a server that is busy or ill.
    Transient {
        /// How long to wait at least; the server's word, if it gave one.
        after: Option<Duration>,
    },
    /// It will not work until something is changed here: a token, a remote, a setting.
    Permanent,
}

impl SyncOutcome {
    /// Whether both ends were compared and agree, but for what changed meanwhile.
    pub fn has_agreed(self) -> bool {
        matches!(self, Self::Done { .. } | Self::Overtaken { .. })
    }
}
