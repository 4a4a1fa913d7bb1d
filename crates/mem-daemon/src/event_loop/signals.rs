//! What a watch tells the loop: a few bits, so that fifty thousand changes take no more room than one.

use std::sync::atomic::{AtomicU8, Ordering};

use tokio::sync::Notify;

use crate::state_machine::WatchedScope;

const OWN: u8 = 1;
const TEAM: u8 = 2;
const LOST: u8 = 4;

/// Set by the watch's thread, taken by the loop.
#[derive(Debug, Default)]
pub(super) struct WatchSignals {
    bits: AtomicU8,
    woken: Notify,
}

/// What was told since the last look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingEvents {
    bits: u8,
}

impl WatchSignals {
    /// Something below a directory changed.
    pub(super) fn changed(&self, tier: WatchedScope) {
        self.set(match tier {
            WatchedScope::Own => OWN,
            WatchedScope::Team => TEAM,
        });
    }

    /// The watch does not see everything any more.
    pub(super) fn report_overflow(&self) {
        self.set(OWN | TEAM | LOST);
    }

    fn set(&self, bits: u8) {
        // Whoever was told already need not be woken again.
        if self.bits.fetch_or(bits, Ordering::AcqRel) | bits != 0 {
            self.woken.notify_one();
        }
    }

    /// Waits until something is told.
    pub(super) async fn wait(&self) -> PendingEvents {
        loop {
            let bits = self.bits.swap(0, Ordering::AcqRel);
            if bits != 0 {
                return PendingEvents { bits };
            }
            self.woken.notified().await;
        }
    }
}

impl PendingEvents {
    /// The tiers that changed.
    pub(super) fn tiers(self) -> impl Iterator<Item = WatchedScope> {
        let all = [(OWN, WatchedScope::Own), (TEAM, WatchedScope::Team)];
        all.into_iter()
            .filter(move |(bit, _)| self.bits & bit != 0)
            .map(|(_, tier)| tier)
    }

    /// Whether the watch has to be set anew.
    pub(super) fn is_lost(self) -> bool {
        self.bits & LOST != 0
    }
}
