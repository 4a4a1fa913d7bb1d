//! What a daemon remembers between two events: a few numbers, however much happens.

use std::time::Duration;

use crate::state_machine::Moment;
use crate::state_machine::debounce::Debounce;
use crate::state_machine::event::{Remotes, WatchedScope};
use crate::state_machine::scope_sync::{ScopeSync, SyncBlock};

/// How patient it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaemonTimings {
    /// What goes to a remote is left alone for so long before it is sent.
    pub team_quiet: Duration,
    /// Under steady writing it is sent so long after the first change.
    pub team_longest: Duration,
    /// Files are left alone for so long before history, index and recall follow them.
    pub maintenance_quiet: Duration,
    /// Under steady writing they follow so long after the first change.
    pub maintenance_longest: Duration,
    /// The remote is asked so often whether there is news, a tenth more or less.
    pub poll: Duration,
    /// The first wait after a failure; each further one is twice as long.
    pub retry_first: Duration,
    /// The longest wait after a failure.
    pub retry_longest: Duration,
    /// It ends after so long without use; `None`: never.
    pub idle: Option<Duration>,
    /// On its way out, it waits so long for what is not yet sent.
    pub drain: Duration,
}

impl Default for DaemonTimings {
    fn default() -> Self {
        Self {
            team_quiet: Duration::from_secs(2),
            team_longest: Duration::from_secs(10),
            maintenance_quiet: Duration::from_millis(500),
            maintenance_longest: Duration::from_secs(5),
            poll: Duration::from_secs(300),
            retry_first: Duration::from_secs(5),
            retry_longest: Duration::from_secs(900),
            idle: Some(Duration::from_secs(30 * 60)),
            drain: Duration::from_secs(5),
        }
    }
}

/// One daemon.
#[derive(Clone, Debug)]
pub struct DaemonState {
    pub(crate) settings: DaemonTimings,
    /// Changes that history, index and recall have not followed.
    pub(crate) pending_maintenance: Debounce,
    pub(crate) is_maintaining: bool,
    /// When the logs are to be distilled.
    pub(crate) dream_at: Option<Moment>,
    pub(crate) is_dreaming: bool,
    /// What goes to the team's remote, and what goes to one's own; the first goes first.
    pub(crate) scopes: [ScopeSync; 2],
    /// Of the two, only one synchronises at a time.
    pub(crate) syncing: Option<WatchedScope>,
    pub(crate) used_at: Moment,
    /// Until when it waits for what is not yet sent, once it has been told to end.
    pub(crate) stopping: Option<Moment>,
    /// What it looked after is gone.
    pub(crate) is_gone: bool,
    /// It has ended.
    pub(crate) is_over: bool,
    pub(crate) random: u64,
}

impl DaemonState {
    /// A daemon that has just begun. `seed` is any number; it spreads what several daemons do.
    pub fn new(settings: DaemonTimings, remotes: Remotes, now: Moment, seed: u64) -> Self {
        Self {
            settings,
            pending_maintenance: Debounce::default(),
            is_maintaining: false,
            dream_at: None,
            is_dreaming: false,
            scopes: [WatchedScope::Team, WatchedScope::Own]
                .map(|tier| ScopeSync::new(tier, remotes.has(tier))),
            syncing: None,
            used_at: now,
            stopping: None,
            is_gone: false,
            is_over: false,
            random: seed,
        }
    }

    /// Whether changes wait to be sent or are on their way.
    pub fn is_pending(&self) -> bool {
        self.syncing.is_some() || self.scopes.iter().any(ScopeSync::is_pending)
    }

    /// Whether anything is being done.
    pub fn is_busy(&self) -> bool {
        self.syncing.is_some() || self.is_maintaining || self.is_dreaming
    }

    /// What keeps it from synchronising a tier.
    pub fn blocked(&self, tier: WatchedScope) -> SyncBlock {
        let scope = self.scopes.iter().find(|scope| scope.tier == tier);
        scope.map_or(SyncBlock::NoRemote, |scope| scope.blocked)
    }

    /// Whether something that failed is in the way.
    pub fn is_blocked(&self) -> bool {
        let has_failed =
            |scope: &ScopeSync| !matches!(scope.blocked, SyncBlock::No | SyncBlock::NoRemote);
        self.scopes.iter().any(has_failed)
    }

    /// A number from 0 to 1, another each time.
    pub(crate) fn draw(&mut self) -> f64 {
        // SplitMix64: an odd step, and a mixture of its bits.
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.random;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) as f64 / u64::MAX as f64
    }
}
