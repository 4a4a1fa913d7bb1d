//! Whether a request is sent again, and after how long.

use std::time::Duration;

use mem_http::{Wish, growing_pause};

use super::Patience;

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// Nothing was sent.
    NotSent,
    /// It may have been carried out.
    Lost,
    /// There is an answer, which says this.
    Answered(Wish),
}

/// Whether what may have been carried out may be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeat {
    /// Twice is as good as once.
    Always,
    /// Only where it was not carried out for certain.
    IfRefused,
}

/// How long to wait before the next attempt; `None` for no further one. `chance` is from 0 to 1.
pub(super) fn pause(
    attempt: Attempt,
    made: u32,
    repeat: Repeat,
    patience: &Patience,
    chance: f64,
) -> Option<Duration> {
    if made >= patience.attempts {
        return None;
    }
    let own = growing_pause(made, chance);
    match attempt {
        Attempt::NotSent => Some(own.min(patience.pause)),
        Attempt::Lost => (repeat == Repeat::Always).then(|| own.min(patience.pause)),
        Attempt::Answered(wish) => {
            // A server that fails may have done it all the same.
            let is_certain = !matches!(wish.status, 500 | 502 | 504..);
            let is_busy = matches!(wish.status, 408 | 429 | 500..);
            let may = is_certain || repeat == Repeat::Always;
            match wish.should_retry.unwrap_or(is_busy) && may {
                true => {
                    Some(wish.retry_after.unwrap_or(own)).filter(|wait| *wait <= patience.pause)
                }
                false => None,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(status: u16, should_retry: Option<bool>, after: Option<u64>) -> Attempt {
        Attempt::Answered(Wish {
            status,
            should_retry,
            retry_after: after.map(Duration::from_secs),
        })
    }

    fn wait(attempt: Attempt, made: u32) -> Option<Duration> {
        pause(attempt, made, Repeat::Always, &Patience::default(), 0.0)
    }

    #[test]
    fn what_passes_is_tried_again_with_growing_pauses() {
        for status in [408, 429, 500, 503, 529] {
            assert_eq!(
                wait(answered(status, None, None), 1),
                Some(growing_pause(1, 0.0))
            );
        }
        let second = wait(Attempt::NotSent, 2).unwrap();
        assert_eq!(second, Duration::from_secs(1));
        assert_eq!(wait(Attempt::NotSent, 4), None);
        for status in [200, 400, 401, 404, 409, 413] {
            assert_eq!(wait(answered(status, None, None), 1), None, "{status}");
        }
    }

    #[test]
    fn the_server_decides_and_is_not_waited_for_without_end() {
        assert_eq!(wait(answered(503, Some(false), None), 1), None);
        assert!(wait(answered(409, Some(true), None), 1).is_some());
        let seven = Duration::from_secs(7);
        assert_eq!(wait(answered(429, None, Some(7)), 1), Some(seven));
        assert_eq!(wait(answered(429, None, Some(3_600)), 1), None);
    }

    #[test]
    fn what_may_have_been_done_is_not_done_twice() {
        let once = |attempt| pause(attempt, 1, Repeat::IfRefused, &Patience::default(), 1.0);
        assert_eq!(once(Attempt::Lost), None);
        assert_eq!(once(answered(500, None, None)), None);
        assert_eq!(once(answered(504, Some(true), None)), None);
        assert!(once(Attempt::NotSent).is_some());
        assert!(once(answered(429, None, None)).is_some());
        assert!(once(answered(503, None, None)).is_some());
    }
}
