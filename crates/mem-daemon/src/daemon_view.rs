//! How a daemon is, as far as it tells.

use mem_core::location::ProjectContext;
use serde_json::{Value, json};

use crate::ask::{self, DaemonInfo, IMPATIENCE, PATIENCE};
use crate::autostart::is_wanted;
use crate::place::DaemonFiles;
use crate::protocol::PROTOCOL;

/// What is seen of a daemon.
#[derive(Clone, Debug)]
pub struct DaemonView {
    /// Its process; `None` where none runs.
    pub pid: Option<u32>,
    /// What it says of itself; `None` where it does not answer.
    pub seen: Option<DaemonInfo>,
}

impl DaemonView {
    /// Looks whether one runs, and asks it how it is.
    pub fn of_place(place: &DaemonFiles) -> Self {
        let pid = ask::place_holder(place);
        // More patience where there is something to wait for; a socket without a daemon is passed over.
        let seen = pid.and_then(|_| {
            let first = ask::daemon_info(place, IMPATIENCE);
            first.or_else(|_| ask::daemon_info(place, PATIENCE)).ok()
        });
        Self { pid, seen }
    }

    /// Whether a status speaks of it: one runs, or one is wanted.
    pub fn is_relevant(&self, place: &ProjectContext) -> bool {
        self.pid.is_some() || is_wanted(place)
    }

    /// What keeps it from running.
    pub fn trouble_text(&self) -> Option<&str> {
        self.seen.as_ref()?.status.as_ref()?.trouble.as_deref()
    }

    /// The stable shape.
    pub fn to_json(&self) -> Value {
        let status = self.seen.as_ref().and_then(|seen| seen.status.as_ref());
        json!({
            "running": self.pid.is_some(),
            "pid": self.pid,
            "protocol": self.seen.as_ref().map_or(PROTOCOL, |seen| seen.protocol),
            "state": status.map(|status| &status.state),
            "started_at": status.map(|status| &status.started_at),
            "last_sync": status.and_then(|status| status.last_sync.as_ref()),
            "pending": status.is_some_and(|status| status.pending),
            "pss_bytes": self.pid.and_then(ask::pss_bytes),
            "version": self.seen.as_ref().map(|seen| &seen.version),
            "root": status.map(|status| &status.root),
            "trouble": self.trouble_text(),
        })
    }
}
