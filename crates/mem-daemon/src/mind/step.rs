//! What follows from an event.

use std::time::Duration;

use crate::mind::Moment;
use crate::mind::effect::{Effect, ExitReason};
use crate::mind::event::{Event, Outcome, Tier};
use crate::mind::state::{Blocked, State};

/// Takes an event in, and says what is to be done now. After [`Effect::Exit`] nothing is.
pub fn step(state: &mut State, event: Event, now: Moment) -> Vec<Effect> {
    if state.is_over {
        return Vec::new();
    }
    take_in(state, event, now);
    let mut effects = Vec::new();
    if let Some(reason) = state.end(now) {
        state.is_over = true;
        return vec![Effect::Exit(reason)];
    }
    if state.tends(now) {
        state.untended.take();
        state.is_tending = true;
        effects.push(Effect::Tend);
    }
    if state.syncs(now) {
        state.unsent.take();
        state.is_asked = false;
        state.is_syncing = true;
        state.poll_at = None;
        effects.push(Effect::Sync);
    }
    effects.push(Effect::WakeAt(state.next(now)));
    effects
}

/// What an event changes.
fn take_in(state: &mut State, event: Event, now: Moment) {
    match event {
        Event::Started => {
            // Whatever happened while nobody watched.
            state.untended.touch(now);
            state.ask_for_sync();
        }
        Event::Changed(tier) => {
            state.used_at = now;
            state.untended.touch(now);
            if tier == Tier::Team {
                state.unsent.touch(now);
            }
        }
        Event::Woken => {}
        Event::Asked => state.used_at = now,
        Event::SyncAsked => {
            state.used_at = now;
            state.unblock();
            state.ask_for_sync();
        }
        Event::Tended => state.is_tending = false,
        Event::Synced(outcome) => state.synced(&outcome, now),
        Event::Configured { has_remote } => {
            state.failures = 0;
            state.blocked = Blocked::No;
            if has_remote {
                state.ask_for_sync();
            } else {
                state.blocked = Blocked::NoRemote;
                state.is_asked = false;
                state.poll_at = None;
            }
        }
        Event::Stop => {
            let until = now + state.settings.drain;
            state.stopping.get_or_insert(until);
        }
        Event::Gone => state.is_gone = true,
    }
}

impl State {
    fn ask_for_sync(&mut self) {
        self.is_asked = self.blocked != Blocked::NoRemote;
    }

    /// Somebody asks although it failed: it is tried.
    fn unblock(&mut self) {
        if self.blocked != Blocked::NoRemote {
            self.blocked = Blocked::No;
        }
    }

    fn synced(&mut self, outcome: &Outcome, now: Moment) {
        self.is_syncing = false;
        match outcome {
            Outcome::Done { has_written } => self.agreed(*has_written, now),
            Outcome::Overtaken { has_written } => {
                self.agreed(*has_written, now);
                self.unsent.touch(now);
            }
            Outcome::Transient { after } => {
                let wait = self.backoff(*after);
                self.fail(Blocked::Until(now + wait));
            }
            // Something was changed, or somebody asked, after it began: its failure says nothing.
            Outcome::Permanent if self.is_asked => {}
            Outcome::Permanent => self.fail(Blocked::UntilConfigured),
        }
    }

    fn agreed(&mut self, has_written: bool, now: Moment) {
        self.failures = 0;
        if has_written {
            self.untended.touch(now);
        }
        if self.blocked == Blocked::NoRemote {
            return;
        }
        self.blocked = Blocked::No;
        let spread = 0.9 + 0.2 * self.draw();
        self.poll_at = Some(now + self.settings.poll.mul_f64(spread));
    }

    /// What was to be sent still is: it is remembered as asked for, not as a change that has to settle.
    fn fail(&mut self, blocked: Blocked) {
        if self.blocked != Blocked::NoRemote {
            self.failures = self.failures.saturating_add(1);
            self.blocked = blocked;
            self.is_asked = true;
        }
    }

    /// Twice as long each time, up to a fifth more, and never less than the server wants.
    fn backoff(&mut self, after: Option<Duration>) -> Duration {
        let doubled = self.settings.retry_first * 2_u32.saturating_pow(self.failures.min(16));
        let wait = doubled.min(self.settings.retry_longest);
        let spread = wait.mul_f64(1.0 + 0.2 * self.draw());
        spread.max(after.unwrap_or_default())
    }

    /// When changes of one's own notes are to be looked at.
    fn tend_at(&self) -> Option<Moment> {
        let due = self
            .untended
            .due(self.settings.tend_quiet, self.settings.tend_longest);
        due.filter(|_| !self.is_tending && self.stopping.is_none())
    }

    fn tends(&self, now: Moment) -> bool {
        self.tend_at().is_some_and(|at| at <= now)
    }

    /// When to synchronise next, if nothing else happens.
    fn sync_at(&self) -> Option<Moment> {
        if self.is_syncing {
            return None;
        }
        let settled = self
            .unsent
            .due(self.settings.team_quiet, self.settings.team_longest);
        let asked = self.is_asked.then_some(Moment::ZERO);
        let (wanted, stopping) = (asked.or(settled), self.stopping.is_some());
        match self.blocked {
            Blocked::NoRemote | Blocked::UntilConfigured => None,
            // On the way out there is no time for what failed just now.
            Blocked::Until(_) if stopping => None,
            Blocked::Until(at) => Some(at),
            Blocked::No if stopping => wanted.map(|_| Moment::ZERO),
            Blocked::No => [wanted, self.poll_at].into_iter().flatten().min(),
        }
    }

    fn syncs(&self, now: Moment) -> bool {
        self.sync_at().is_some_and(|at| at <= now)
    }

    /// When it has been idle for too long.
    fn idle_at(&self) -> Option<Moment> {
        let is_idle = !self.is_busy() && !self.untended.is_pending() && !self.is_wanted();
        Some(self.used_at + self.settings.idle?).filter(|_| is_idle)
    }

    /// Whether something waits that can be sent.
    fn is_wanted(&self) -> bool {
        let can = !matches!(self.blocked, Blocked::NoRemote | Blocked::UntilConfigured);
        can && (self.unsent.is_pending() || self.is_asked)
    }

    /// Whether it is to end now, and why.
    fn end(&self, now: Moment) -> Option<ExitReason> {
        if self.is_gone {
            return Some(ExitReason::Gone);
        }
        let Some(until) = self.stopping else {
            return self
                .idle_at()
                .filter(|&at| at <= now)
                .map(|_| ExitReason::Idle);
        };
        let waits = self.is_busy() || self.sync_at().is_some();
        if waits && now < until {
            return None;
        }
        let is_left = self.is_syncing || self.is_wanted();
        Some(if is_left {
            ExitReason::StoppedPending
        } else {
            ExitReason::Stopped
        })
    }

    /// When something is to be done although nothing happens.
    fn next(&self, now: Moment) -> Option<Moment> {
        let all = [
            self.tend_at(),
            self.sync_at(),
            self.idle_at(),
            self.stopping,
        ];
        all.into_iter().flatten().min().map(|at| at.max(now))
    }
}
