//! Whether a request is sent again, and after how long.

use std::time::Duration;

use mem_http::{Wish, growing_pause};

/// A request is sent so often at most.
const ATTEMPTS_MAX: u32 = 4;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// There is no answer, or no end of it.
    Lost,
    /// There is an answer, which says this.
    Answered(Wish),
}

/// How long to wait before the next attempt; `None` for no further one: it would not help, or come after the
/// time that is `left`. `chance` is from 0 to 1.
pub(super) fn pause(attempt: Attempt, made: u32, left: Duration, chance: f64) -> Option<Duration> {
    if made >= ATTEMPTS_MAX {
        return None;
    }
    let own = growing_pause(made, chance);
    let wait = match attempt {
        Attempt::Lost => own,
        Attempt::Answered(wish) => {
            let is_busy = matches!(wish.status, 408 | 409 | 429 | 500..);
            if !wish.should_retry.unwrap_or(is_busy) {
                return None;
            }
            wish.retry_after.unwrap_or(own)
        }
    };
    (wait < left).then_some(wait)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMPLE: Duration = Duration::from_secs(60);

    fn answered(status: u16, should_retry: Option<bool>, after: Option<u64>) -> Attempt {
        Attempt::Answered(Wish {
            status,
            should_retry,
            retry_after: after.map(Duration::from_secs),
        })
    }

    #[test]
    fn what_passes_is_tried_again_with_growing_pauses_and_not_for_ever() {
        for attempt in [
            Attempt::Lost,
            answered(429, None, None),
            answered(529, None, None),
        ] {
            assert_eq!(pause(attempt, 1, AMPLE, 0.0), Some(growing_pause(1, 0.0)));
            assert_eq!(pause(attempt, 3, AMPLE, 0.0), Some(growing_pause(3, 0.0)));
            assert_eq!(pause(attempt, 4, AMPLE, 0.0), None);
        }
        for status in [200, 301, 400, 401, 404, 413] {
            assert_eq!(pause(answered(status, None, None), 1, AMPLE, 0.0), None);
        }
    }

    #[test]
    fn the_server_decides_within_the_time_that_is_left() {
        assert_eq!(pause(answered(529, Some(false), None), 1, AMPLE, 0.0), None);
        assert!(pause(answered(400, Some(true), None), 1, AMPLE, 1.0).is_some());
        let seven = Duration::from_secs(7);
        let asked = answered(429, None, Some(7));
        assert_eq!(pause(asked, 1, AMPLE, 0.0), Some(seven));
        assert_eq!(pause(asked, 1, seven, 0.0), None);
    }
}
