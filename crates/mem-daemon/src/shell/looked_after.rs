//! What is known of a daemon at a moment, for whoever asks.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::mind::{Blocked, State};
use crate::protocol::Status;

/// The newest status; connections read it while the loop goes on.
#[derive(Debug)]
pub(super) struct LookedAfter {
    status: Mutex<Status>,
}

impl LookedAfter {
    pub(super) fn new(root: String, started_at: String) -> Self {
        let status = Status {
            pid: std::process::id(),
            state: "watching".to_owned(),
            started_at,
            last_sync: None,
            pending: false,
            trouble: None,
            root,
        };
        Self {
            status: Mutex::new(status),
        }
    }

    pub(super) fn status(&self) -> Status {
        self.lock().clone()
    }

    /// Takes over what the mind says of itself.
    pub(super) fn follow(&self, state: &State, is_polling: bool, is_stopping: bool) {
        let mut status = self.lock();
        status.pending = state.is_pending();
        let blocked = matches!(
            state.blocked(),
            Blocked::Until(_) | Blocked::UntilConfigured
        );
        status.state = match () {
            () if is_stopping => "stopping",
            () if state.is_busy() => "busy",
            () if blocked => "blocked",
            () if is_polling => "polling",
            () => "watching",
        }
        .to_owned();
    }

    /// Both ends agreed at that time.
    pub(super) fn agreed(&self, at: String) {
        self.lock().last_sync = Some(at);
    }

    /// What stands in the way now. Returns whether that is news.
    pub(super) fn trouble(&self, trouble: Option<String>) -> bool {
        let mut status = self.lock();
        let is_news = status.trouble != trouble;
        status.trouble = trouble;
        is_news
    }

    fn lock(&self) -> MutexGuard<'_, Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
