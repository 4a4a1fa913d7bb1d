//! One tier on its way to its remote: what waits, what stands in the way, and when to go next. The team's
//! tier and the personal one have a state each: a failure of one does not delay the other.
//!
//! | `blocked` | left by | a change meanwhile |
//! |---|---|---|
//! | `No` | - | is sent once it has settled |
//! | `Until(moment)` | the moment, a success, somebody who asks | waits for the moment |
//! | `UntilConfigured` | new settings, somebody who asks | waits |
//! | `NoRemote` | new settings | is not remembered: the first synchronisation compares everything |
//!
//! Tests: `state_machine::tests::rules::failures_are_tried_again_ever_more_rarely`,
//! `state_machine::tests::rules::one_remote_that_refuses_is_not_in_the_way_of_the_other`.

use std::time::Duration;

use crate::state_machine::Moment;
use crate::state_machine::debounce::Debounce;
use crate::state_machine::event::{SyncOutcome, WatchedScope};
use crate::state_machine::state::DaemonTimings;

/// What keeps a tier from being synchronised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SyncBlock {
    /// Nothing.
    #[default]
    No,
    /// There is no remote.
    NoRemote,
    /// It failed, and is tried again at a certain moment.
    Until(Moment),
    /// It failed, and trying again would not help until something is changed.
    UntilConfigured,
}

/// One tier.
#[derive(Clone, Debug)]
pub(crate) struct ScopeSync {
    pub(crate) tier: WatchedScope,
    /// Changes that have not been sent.
    unsent: Debounce,
    pub(crate) blocked: SyncBlock,
    failures: u32,
    /// When the remote is to be asked for news.
    poll_at: Option<Moment>,
    /// Somebody wants it at once.
    is_asked: bool,
}

impl ScopeSync {
    pub(crate) fn new(tier: WatchedScope, has_remote: bool) -> Self {
        Self {
            tier,
            unsent: Debounce::default(),
            blocked: if has_remote {
                SyncBlock::No
            } else {
                SyncBlock::NoRemote
            },
            failures: 0,
            poll_at: None,
            is_asked: false,
        }
    }

    fn has_remote(&self) -> bool {
        self.blocked != SyncBlock::NoRemote
    }

    /// Whether changes wait to be sent.
    pub(crate) fn is_pending(&self) -> bool {
        self.unsent.is_pending() || self.is_asked
    }

    /// Whether something waits that can be sent.
    pub(crate) fn is_wanted(&self) -> bool {
        let can = !matches!(
            self.blocked,
            SyncBlock::NoRemote | SyncBlock::UntilConfigured
        );
        can && self.is_pending()
    }

    /// Somebody changed something.
    pub(crate) fn touch(&mut self, now: Moment) {
        if self.has_remote() {
            self.unsent.touch(now);
        }
    }

    pub(crate) fn ask(&mut self) {
        self.is_asked = self.has_remote();
    }

    /// Somebody asks although it failed: it is tried.
    pub(crate) fn unblock(&mut self) {
        if self.has_remote() {
            self.blocked = SyncBlock::No;
        }
    }

    /// The settings are new.
    pub(crate) fn configured(&mut self, has_remote: bool) {
        *self = Self {
            unsent: self.unsent,
            ..Self::new(self.tier, has_remote)
        };
        if !has_remote {
            self.unsent.take();
        }
        self.ask();
    }

    /// It is being synchronised: what comes from here on is new.
    pub(crate) fn begin(&mut self) {
        // Cleared at the beginning and not at the end: a change during the round is not known to be in it, and has to
        // make another one.
        self.unsent.take();
        self.is_asked = false;
        self.poll_at = None;
    }

    /// A synchronisation is over. `draw` is any number from 0 to 1.
    pub(crate) fn end(
        &mut self,
        outcome: &SyncOutcome,
        settings: &DaemonTimings,
        draw: f64,
        now: Moment,
    ) {
        match outcome {
            SyncOutcome::Done { .. } => self.agreed(settings, draw, now),
            SyncOutcome::Overtaken { .. } => {
                self.agreed(settings, draw, now);
                self.touch(now);
            }
            SyncOutcome::Transient { after } => {
                let wait = self.backoff(settings, draw).max(after.unwrap_or_default());
                self.fail(SyncBlock::Until(now + wait));
            }
            // Something was changed, or somebody asked, after it began: its failure says nothing.
            SyncOutcome::Permanent if self.is_asked => {}
            SyncOutcome::Permanent => self.fail(SyncBlock::UntilConfigured),
        }
    }

    fn agreed(&mut self, settings: &DaemonTimings, draw: f64, now: Moment) {
        self.failures = 0;
        if self.has_remote() {
            self.blocked = SyncBlock::No;
            self.poll_at = Some(now + settings.poll.mul_f64(0.9 + 0.2 * draw));
        }
    }

    /// What was to be sent still is: it is remembered as asked for, not as a change that has to settle.
    fn fail(&mut self, blocked: SyncBlock) {
        if self.has_remote() {
            self.failures = self.failures.saturating_add(1);
            self.blocked = blocked;
            self.is_asked = true;
        }
    }

    /// Twice as long each time, up to a fifth more.
    fn backoff(&self, settings: &DaemonTimings, draw: f64) -> Duration {
        let doubled = settings.retry_first * 2_u32.saturating_pow(self.failures.min(16));
        let wait = doubled.min(settings.retry_longest);
        wait.mul_f64(1.0 + 0.2 * draw)
    }

    /// When to synchronise next, if nothing else happens.
    pub(crate) fn due(&self, settings: &DaemonTimings, is_stopping: bool) -> Option<Moment> {
        let settled = self.unsent.due(settings.team_quiet, settings.team_longest);
        let asked = self.is_asked.then_some(Moment::ZERO);
        let wanted = asked.or(settled);
        match self.blocked {
            SyncBlock::NoRemote | SyncBlock::UntilConfigured => None,
            // On the way out there is no time for what failed just now.
            SyncBlock::Until(_) if is_stopping => None,
            SyncBlock::Until(at) => Some(at),
            SyncBlock::No if is_stopping => wanted.map(|_| Moment::ZERO),
            SyncBlock::No => [wanted, self.poll_at].into_iter().flatten().min(),
        }
    }
}
