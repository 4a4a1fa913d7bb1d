//! The time that programs under test are told: it moves only when a test says so.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Seconds since a fixed start; shared by all runs of an environment.
#[derive(Debug, Default)]
pub(crate) struct Clock(AtomicU64);

impl Clock {
    /// Moves the clock.
    pub(crate) fn advance(&self, seconds: u64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }

    /// How far it has moved.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_secs(self.0.load(Ordering::SeqCst))
    }

    /// The time in RFC 3339: 2026-01-01T00:00:00Z plus what has been advanced, below one year.
    pub(crate) fn rfc3339(&self) -> String {
        let seconds = self.0.load(Ordering::SeqCst);
        let (month, day) = month_and_day(seconds / 86_400);
        let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
        format!("2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// From the day of the year 2026, counted from 0.
fn month_and_day(mut day: u64) -> (u64, u64) {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (month, length) in (1..).zip(lengths) {
        if day < length {
            return (month, day + 1);
        }
        day -= length;
    }
    panic!("the test clock covers one year");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_moves_only_when_told() {
        let clock = Clock::default();
        assert_eq!(clock.rfc3339(), "2026-01-01T00:00:00Z");
        clock.advance(59 * 86_400 + 3_661);
        assert_eq!(clock.rfc3339(), "2026-03-01T01:01:01Z");
    }
}
