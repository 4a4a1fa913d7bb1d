//! What follows from an event.

use crate::state_machine::Moment;
use crate::state_machine::effect::{Effect, ExitReason};
use crate::state_machine::event::{DaemonEvent, SyncOutcome, WatchedScope};
use crate::state_machine::scope_sync::ScopeSync;
use crate::state_machine::state::DaemonState;

/// Takes an event in, and says what is to be done now. After [`Effect::Exit`] nothing is.
pub fn step(state: &mut DaemonState, event: DaemonEvent, now: Moment) -> Vec<Effect> {
    if state.is_over {
        return Vec::new();
    }
    // The event changes the state; what follows is derived from the state alone. So an event that comes twice, early or
    // out of order can begin nothing that is not due.
    take_in(state, event, now);
    let mut effects = Vec::new();
    if let Some(reason) = state.end(now) {
        state.is_over = true;
        return vec![Effect::Exit(reason)];
    }
    if state.is_maintenance_due(now) {
        state.pending_maintenance.take();
        state.is_maintaining = true;
        effects.push(Effect::Maintain);
    }
    effects.extend(state.begin(now).map(Effect::Sync));
    if state.dream_due().is_some_and(|at| at <= now) {
        (state.dream_at, state.is_dreaming) = (None, true);
        effects.push(Effect::Dream);
    }
    // Always, and as a replacement: a wake-up that an earlier step asked for may be about what is done by now.
    effects.push(Effect::WakeAt(state.next(now)));
    effects
}

/// What an event changes.
fn take_in(state: &mut DaemonState, event: DaemonEvent, now: Moment) {
    match event {
        DaemonEvent::Started => {
            // Whatever happened while nobody watched.
            state.pending_maintenance.touch(now);
            state.scopes.iter_mut().for_each(ScopeSync::ask);
        }
        DaemonEvent::Changed(tier) => {
            state.used_at = now;
            state.pending_maintenance.touch(now);
            let mut scopes = state.scopes.iter_mut();
            if let Some(scope) = scopes.find(|scope| scope.tier == tier) {
                scope.touch(now);
            }
        }
        DaemonEvent::Woken => {}
        DaemonEvent::Asked => state.used_at = now,
        DaemonEvent::SyncAsked => {
            state.used_at = now;
            for scope in &mut state.scopes {
                scope.unblock();
                scope.ask();
            }
        }
        DaemonEvent::Maintained => state.is_maintaining = false,
        DaemonEvent::Scheduled(wait) => {
            state.dream_at = wait.map(|wait| now + wait).filter(|_| !state.is_dreaming);
        }
        DaemonEvent::Dreamed => state.is_dreaming = false,
        DaemonEvent::Synced(tier, outcome) => state.synced(tier, &outcome, now),
        DaemonEvent::Configured(remotes) => {
            for scope in &mut state.scopes {
                scope.configured(remotes.has(scope.tier));
            }
        }
        DaemonEvent::Stop => {
            let until = now + state.settings.drain;
            state.stopping.get_or_insert(until);
        }
        DaemonEvent::Gone => state.is_gone = true,
    }
}

impl DaemonState {
    fn synced(&mut self, tier: WatchedScope, outcome: &SyncOutcome, now: Moment) {
        self.syncing = None;
        if let SyncOutcome::Done { has_written: true }
        | SyncOutcome::Overtaken { has_written: true } = outcome
        {
            self.pending_maintenance.touch(now);
        }
        let draw = self.draw();
        let mut scopes = self.scopes.iter_mut();
        if let Some(scope) = scopes.find(|scope| scope.tier == tier) {
            scope.end(outcome, &self.settings, draw, now);
        }
    }

    /// When changes of one's own notes are to be looked at.
    fn maintenance_at(&self) -> Option<Moment> {
        let due = self.pending_maintenance.due(
            self.settings.maintenance_quiet,
            self.settings.maintenance_longest,
        );
        due.filter(|_| !self.is_maintaining && self.stopping.is_none())
    }

    fn is_maintenance_due(&self, now: Moment) -> bool {
        self.maintenance_at().is_some_and(|at| at <= now)
    }

    /// The next tier to synchronise, and when, if nothing else happens.
    fn sync_at(&self) -> Option<(Moment, usize)> {
        if self.syncing.is_some() {
            return None;
        }
        let is_stopping = self.stopping.is_some();
        let scopes = self.scopes.iter().enumerate();
        let dues = scopes.filter_map(|(index, scope)| {
            let due = scope.due(&self.settings, is_stopping);
            due.map(|at| (at, index))
        });
        dues.min()
    }

    /// Begins what is due.
    fn begin(&mut self, now: Moment) -> Option<WatchedScope> {
        let (_, index) = self.sync_at().filter(|&(at, _)| at <= now)?;
        let scope = self.scopes.get_mut(index)?;
        scope.begin();
        self.syncing = Some(scope.tier);
        self.syncing
    }

    /// When the logs are to be distilled: once nothing else is being done.
    fn dream_due(&self) -> Option<Moment> {
        self.dream_at
            .filter(|_| !self.is_busy() && self.stopping.is_none())
    }

    /// When it has been idle for too long. One that waits for the night is not idle.
    fn idle_at(&self) -> Option<Moment> {
        let is_idle = !self.is_busy()
            && !self.pending_maintenance.is_pending()
            && !self.is_wanted()
            && self.dream_at.is_none();
        Some(self.used_at + self.settings.idle?).filter(|_| is_idle)
    }

    /// Whether something waits that can be sent.
    fn is_wanted(&self) -> bool {
        self.scopes.iter().any(ScopeSync::is_wanted)
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
        // A round that is under way is waited for, since its files are half written. Beyond `drain` it is left behind:
        // the files and the state say where the next start goes on.
        let waits = self.is_busy() || self.sync_at().is_some();
        if waits && now < until {
            return None;
        }
        let is_left = self.syncing.is_some() || self.is_wanted();
        Some(if is_left {
            ExitReason::StoppedPending
        } else {
            ExitReason::Stopped
        })
    }

    /// When something is to be done although nothing happens.
    fn next(&self, now: Moment) -> Option<Moment> {
        let all = [
            self.maintenance_at(),
            self.sync_at().map(|(at, _)| at),
            self.dream_due(),
            self.idle_at(),
            self.stopping,
        ];
        all.into_iter().flatten().min().map(|at| at.max(now))
    }
}
