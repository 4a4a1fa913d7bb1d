//! When to try again. Whoever calls sleeps, counts and draws the random numbers.

use std::time::Duration;

use crate::remote::RemoteError;

/// The bounds of trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure; it doubles with each one.
    pub first: Duration,
    /// No wait is longer, but where the remote asks for more.
    pub longest: Duration,
    /// After so many failures in a row the run is over; what waits is tried by the next one.
    pub tries_max: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(100),
            longest: Duration::from_secs(30),
            tries_max: 8,
        }
    }
}

/// The remote's `Retry-After` is believed up to this.
const ASKED_MAX: Duration = Duration::from_secs(3600);

impl Backoff {
    /// The wait after failure number `failures`, from 1; `None` when it was one too many. `jitter` is
    /// any number: half of the wait is fixed and half is drawn by it, so that clients that lost one race
    /// do not meet again.
    pub fn wait(&self, failures: u32, jitter: u32, error: &RemoteError) -> Option<Duration> {
        if failures >= self.tries_max {
            return None;
        }
        let factor = 1_u32
            .checked_shl(failures.saturating_sub(1))
            .unwrap_or(u32::MAX);
        let wait = self.first.saturating_mul(factor).min(self.longest);
        let drawn = (wait / 2).mul_f64(f64::from(jitter) / f64::from(u32::MAX));
        let asked = match error {
            RemoteError::Busy {
                retry_after_seconds: Some(seconds),
                ..
            } => Duration::from_secs(*seconds).min(ASKED_MAX),
            _ => Duration::ZERO,
        };
        Some((wait / 2 + drawn).max(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_bound_and_end() {
        let backoff = Backoff::default();
        let raced = RemoteError::Raced { etag: None };
        let wait = |failures, jitter| backoff.wait(failures, jitter, &raced);
        assert_eq!(wait(1, 0), Some(Duration::from_millis(50)));
        assert_eq!(wait(1, u32::MAX), Some(Duration::from_millis(100)));
        assert_eq!(wait(3, u32::MAX), Some(Duration::from_millis(400)));
        assert_eq!(wait(8, 0), None);
        let patient = Backoff {
            tries_max: 100,
            ..backoff
        };
        assert_eq!(patient.wait(99, u32::MAX, &raced), Some(backoff.longest));
        let busy = |seconds| RemoteError::Busy {
            status: 429,
            message: String::new(),
            retry_after_seconds: Some(seconds),
        };
        assert_eq!(backoff.wait(1, 0, &busy(7)), Some(Duration::from_secs(7)));
        assert_eq!(backoff.wait(1, 0, &busy(u64::MAX)), Some(ASKED_MAX));
    }
}
