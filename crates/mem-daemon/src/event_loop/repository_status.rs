//! What is known of a daemon at a moment, for whoever asks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::protocol::DaemonStatus;
use crate::state_machine::{DaemonState, WatchedScope};

/// The newest status; connections read it while the loop goes on.
#[derive(Debug)]
pub(super) struct RepositoryStatus {
    status: Mutex<KnownRepository>,
}

#[derive(Debug)]
struct KnownRepository {
    status: DaemonStatus,
    /// What stands in the way of the team's tier, and of one's own.
    troubles: [Option<String>; 2],
}

impl RepositoryStatus {
    pub(super) fn new(root: String, started_at: String) -> Self {
        let status = DaemonStatus {
            pid: std::process::id(),
            state: "watching".to_owned(),
            started_at,
            last_sync: None,
            pending: false,
            trouble: None,
            root,
        };
        let known = KnownRepository {
            status,
            troubles: [None, None],
        };
        Self {
            status: Mutex::new(known),
        }
    }

    pub(super) fn status(&self) -> DaemonStatus {
        self.lock().status.clone()
    }

    /// Takes over the state of the state machine.
    pub(super) fn follow(&self, state: &DaemonState, is_polling: bool, is_stopping: bool) {
        let status = &mut self.lock().status;
        status.pending = state.is_pending();
        status.state = match () {
            () if is_stopping => "stopping",
            () if state.is_busy() => "busy",
            () if state.is_blocked() => "blocked",
            () if is_polling => "polling",
            () => "watching",
        }
        .to_owned();
    }

    /// Both ends agreed at that time.
    pub(super) fn agreed(&self, at: String) {
        self.lock().status.last_sync = Some(at);
    }

    /// What stands in the way of a tier now. Returns whether that is news.
    pub(super) fn trouble(&self, tier: WatchedScope, trouble: Option<String>) -> bool {
        let mut known = self.lock();
        let place = match tier {
            WatchedScope::Team => 0,
            WatchedScope::Own => 1,
        };
        let is_news = known.troubles[place] != trouble;
        known.troubles[place] = trouble;
        let all: Vec<&str> = known.troubles.iter().flatten().map(|one| &**one).collect();
        let all = all.join("; ");
        known.status.trouble = Some(all).filter(|all| !all.is_empty());
        is_news
    }

    fn lock(&self) -> MutexGuard<'_, KnownRepository> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
