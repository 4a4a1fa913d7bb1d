//! When nobody looks any longer: a console ends by itself a while after the last request.
//!
//! An open page asks every half a minute, where scripts run. Times are given as spans since the start, by whoever has a
//! clock.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The last request, and how long after it the console ends.
#[derive(Debug)]
pub(crate) struct Activity {
    limit: Duration,
    /// Milliseconds since the start.
    last: AtomicU64,
}

impl Activity {
    /// Nothing was asked yet; the start counts as a request.
    pub(crate) const fn new(limit: Duration) -> Self {
        Self {
            limit,
            last: AtomicU64::new(0),
        }
    }

    /// Something was asked at `now`.
    pub(crate) fn touch(&self, now: Duration) {
        self.last.fetch_max(millis(now), Ordering::Relaxed);
    }

    /// How long to wait from `now` on before looking again; `None` when the console is to end.
    pub(crate) fn remaining(&self, now: Duration) -> Option<Duration> {
        let end = self
            .last
            .load(Ordering::Relaxed)
            .saturating_add(millis(self.limit));
        match end.saturating_sub(millis(now)) {
            0 => None,
            left => Some(Duration::from_millis(left)),
        }
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_a_while_after_the_last_request() {
        let minute = Duration::from_secs(60);
        let activity = Activity::new(10 * minute);
        assert_eq!(activity.remaining(Duration::ZERO), Some(10 * minute));
        assert_eq!(activity.remaining(4 * minute), Some(6 * minute));
        activity.touch(9 * minute);
        activity.touch(8 * minute);
        assert_eq!(activity.remaining(10 * minute), Some(9 * minute));
        assert_eq!(activity.remaining(19 * minute), None);
        assert_eq!(activity.remaining(60 * minute), None);
    }
}
