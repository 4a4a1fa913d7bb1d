//! A world with a fake clock around one daemon: it carries effects out, and holds the daemon to its word.

use std::time::Duration;

use crate::state_machine::{
    DaemonEvent, DaemonState, DaemonTimings, Effect, ExitReason, Moment, Remotes, SyncOutcome,
    WatchedScope, step,
};

/// A team's remote alone.
pub(super) const TEAM: Remotes = Remotes {
    own: false,
    team: true,
};
/// Both remotes.
pub(super) const BOTH: Remotes = Remotes {
    own: true,
    team: true,
};

/// What a synchronisation that begins now comes to, and how long it takes.
type Comes = Box<dyn FnMut(Moment) -> (Duration, SyncOutcome)>;

/// One daemon, and what is under way.
pub(super) struct Simulation {
    pub(super) state: DaemonState,
    pub(super) now: Moment,
    wake_at: Option<Moment>,
    /// When the synchronisation that runs is over, and what it comes to.
    syncing: Option<(Moment, WatchedScope, SyncOutcome)>,
    maintaining: Option<Moment>,
    dreaming: Option<Moment>,
    pub(super) dreams: Vec<Moment>,
    /// What the next synchronisations come to, and how long they take.
    pub(super) next_sync: Comes,
    /// The same of one's own notes, where that differs.
    pub(super) next_own: Option<Comes>,
    pub(super) maintenance_time: Duration,
    /// When synchronisations began.
    pub(super) syncs: Vec<Moment>,
    /// Of which tiers.
    pub(super) tiers: Vec<WatchedScope>,
    /// When one that succeeded began.
    pub(super) sent: Vec<(WatchedScope, Moment)>,
    pub(super) maintenances: Vec<Moment>,
    pub(super) exit: Option<(Moment, ExitReason)>,
    /// Steps without the clock moving.
    steps_now: u32,
}

pub(super) fn at_once(_: Moment) -> (Duration, SyncOutcome) {
    (
        Duration::from_millis(40),
        SyncOutcome::Done { has_written: false },
    )
}

impl Simulation {
    pub(super) fn new(settings: DaemonTimings, remotes: Remotes, seed: u64) -> Self {
        Self {
            state: DaemonState::new(settings, remotes, Moment::ZERO, seed),
            now: Moment::ZERO,
            wake_at: None,
            syncing: None,
            maintaining: None,
            dreaming: None,
            dreams: Vec::new(),
            next_sync: Box::new(at_once),
            next_own: None,
            maintenance_time: Duration::from_millis(5),
            syncs: Vec::new(),
            tiers: Vec::new(),
            sent: Vec::new(),
            maintenances: Vec::new(),
            exit: None,
            steps_now: 0,
        }
    }

    /// Something happens now.
    pub(super) fn happens(&mut self, event: DaemonEvent) {
        self.steps_now += 1;
        assert!(
            self.steps_now < 1_000,
            "it runs in circles at {:?}",
            self.now
        );
        for effect in step(&mut self.state, event, self.now) {
            assert!(self.exit.is_none(), "{effect:?} after the end");
            self.carry_out(effect);
        }
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Maintain => {
                assert!(self.maintaining.is_none(), "two maintenance jobs at once");
                self.maintenances.push(self.now);
                self.maintaining = Some(self.now + self.maintenance_time);
            }
            Effect::Sync(tier) => {
                assert!(self.syncing.is_none(), "two synchronise at once");
                self.syncs.push(self.now);
                self.tiers.push(tier);
                let own = self.next_own.as_mut().filter(|_| tier == WatchedScope::Own);
                let next = own.unwrap_or(&mut self.next_sync);
                let (takes, outcome) = next(self.now);
                self.syncing = Some((self.now + takes, tier, outcome));
            }
            Effect::Dream => {
                let is_alone = self.dreaming.is_none() && self.syncing.is_none();
                assert!(
                    is_alone && self.maintaining.is_none(),
                    "beside something else"
                );
                self.dreams.push(self.now);
                self.dreaming = Some(self.now + Duration::from_secs(3));
            }
            Effect::WakeAt(at) => {
                assert!(
                    at.is_none_or(|at| at >= self.now),
                    "to be woken in the past"
                );
                self.wake_at = at;
            }
            Effect::Exit(reason) => self.exit = Some((self.now, reason)),
        }
    }

    /// Lets time pass, and whatever is due happen.
    pub(super) fn until(&mut self, end: Moment) {
        while self.exit.is_none() {
            let synced = self.syncing.as_ref().map(|(at, ..)| *at);
            let all = [synced, self.maintaining, self.dreaming, self.wake_at];
            let Some(next) = all.into_iter().flatten().min().filter(|&at| at <= end) else {
                break;
            };
            if next > self.now {
                (self.now, self.steps_now) = (next, 0);
            }
            if synced == Some(next) {
                self.synced();
            } else if self.maintaining == Some(next) {
                self.maintaining = None;
                self.happens(DaemonEvent::Maintained);
            } else if self.dreaming == Some(next) {
                self.dreaming = None;
                self.happens(DaemonEvent::Dreamed);
            } else {
                self.wake_at = None;
                self.happens(DaemonEvent::Woken);
            }
        }
        (self.now, self.steps_now) = (self.now.max(end), 0);
    }

    fn synced(&mut self) {
        let Some((_, tier, outcome)) = self.syncing.take() else {
            return;
        };
        if matches!(
            outcome,
            SyncOutcome::Done { .. } | SyncOutcome::Overtaken { .. }
        ) {
            self.sent
                .extend(self.syncs.last().map(|&begun| (tier, begun)));
        }
        self.happens(DaemonEvent::Synced(tier, outcome));
    }

    /// Whether nothing will happen by itself, a look for news and the end of idleness aside.
    pub(super) fn rests(&self) -> bool {
        self.syncing.is_none() && self.maintaining.is_none() && !self.state.is_pending()
    }

    pub(super) fn is_syncing(&self) -> bool {
        self.syncing.is_some()
    }
}
