//! When a server may be asked again: what it says about that, and how long to wait where it says nothing.

use std::time::Duration;

use reqwest::header::{DATE, HeaderMap, HeaderName, RETRY_AFTER};

/// Milliseconds, as the SDKs read it.
const RETRY_AFTER_MS: HeaderName = HeaderName::from_static("retry-after-ms");
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

/// The first pause; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// Pauses that nobody asked for grow no longer.
const PAUSE_MAX: Duration = Duration::from_secs(8);

/// What an answer says about being asked again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetryHint {
    /// Its status.
    pub status: u16,
    /// What `x-should-retry` says.
    pub should_retry: Option<bool>,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
}

impl RetryHint {
    /// Reads it from a status and its headers.
    pub(crate) fn from_response(status: u16, headers: &HeaderMap) -> Self {
        Self {
            status,
            should_retry: match header_text(headers, &SHOULD_RETRY) {
                Some("true") => Some(true),
                Some("false") => Some(false),
                _ => None,
            },
            retry_after: retry_after(headers),
        }
    }
}

/// Milliseconds, seconds, or a date, which is compared with the server's own: clocks differ.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let millis = header_text(headers, &RETRY_AFTER_MS).and_then(|text| text.parse().ok());
    if let Some(millis) = millis {
        return Some(Duration::from_millis(millis));
    }
    let after = header_text(headers, &RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text: &str| {
        let date = jiff::fmt::rfc2822::parse(text);
        date.ok().map(|date| date.timestamp())
    };
    let wait = date(after)?.as_second() - date(header_text(headers, &DATE)?)?.as_second();
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or_default()))
}

fn header_text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Nothing was sent.
    NotSent,
    /// It may have been carried out.
    Lost,
    /// There is an answer, which says this.
    Answered(RetryHint),
}

/// How often a request is sent, and for how long that may be waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retries {
    /// It is sent so often at most.
    pub attempts: u32,
    /// The longest pause between two attempts.
    pub pause: Duration,
    /// Whether twice is as good as once: else only what was not carried out for certain is sent again.
    pub is_repeatable: bool,
    /// Whether a conflict (409) passes by itself.
    pub does_conflict_pass: bool,
}

impl Retries {
    /// How long to wait before the next attempt; `None` for no further one. `chance` is from 0 to 1.
    pub fn pause_before_retry(&self, attempt: Attempt, made: u32, chance: f64) -> Option<Duration> {
        let own = growing_pause(made, chance);
        let wait = match attempt {
            Attempt::NotSent => own,
            Attempt::Lost => self.is_repeatable.then_some(own)?,
            Attempt::Answered(wish) => {
                // A server that fails may have done it all the same.
                let is_certain = !matches!(wish.status, 500 | 502 | 504..);
                let is_busy = match wish.status {
                    409 => self.does_conflict_pass,
                    status => matches!(status, 408 | 429 | 500..),
                };
                let may = is_certain || self.is_repeatable;
                let is_tried_again = may && wish.should_retry.unwrap_or(is_busy);
                is_tried_again.then(|| wish.retry_after.unwrap_or(own))?
            }
        };
        (made < self.attempts && wait <= self.pause).then_some(wait)
    }
}

/// How long to wait after so many attempts where the server says nothing. `chance` is from 0 to 1, and takes up to a
/// quarter off.
fn growing_pause(made: u32, chance: f64) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(1 << made.saturating_sub(1).min(8));
    pause
        .min(PAUSE_MAX)
        .mul_f64(1.0 - chance.clamp(0.0, 1.0) / 4.0)
}

/// A number from 0 to 1, so that those who waited together do not come back together.
pub fn random_fraction() -> f64 {
    let drawn = getrandom::u32().unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(headers: &[(&'static str, &'static str)]) -> RetryHint {
        let pairs = headers.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, reqwest::header::HeaderValue::from_static(value))
        });
        RetryHint::from_response(503, &pairs.collect())
    }

    const RETRIES: Retries = Retries {
        attempts: 4,
        pause: Duration::from_secs(30),
        is_repeatable: true,
        does_conflict_pass: false,
    };

    fn answered(status: u16, should_retry: Option<bool>, after: Option<u64>) -> Attempt {
        Attempt::Answered(RetryHint {
            status,
            should_retry,
            retry_after: after.map(Duration::from_secs),
        })
    }

    #[test]
    fn what_passes_is_tried_again_with_growing_pauses_and_not_for_ever() {
        let wait = |attempt, made| RETRIES.pause_before_retry(attempt, made, 0.0);
        for status in [408, 429, 500, 503, 529] {
            assert_eq!(wait(answered(status, None, None), 1), Some(FIRST_PAUSE));
        }
        for attempt in [Attempt::NotSent, Attempt::Lost] {
            assert_eq!(wait(attempt, 2), Some(FIRST_PAUSE * 2));
            assert_eq!(wait(attempt, 4), None);
        }
        for status in [200, 301, 400, 401, 404, 409, 413] {
            assert_eq!(wait(answered(status, None, None), 1), None, "{status}");
        }
        let patient = Retries {
            does_conflict_pass: true,
            ..RETRIES
        };
        assert!(
            patient
                .pause_before_retry(answered(409, None, None), 1, 0.0)
                .is_some()
        );
    }

    #[test]
    fn the_server_decides_and_is_not_waited_for_without_end() {
        let wait = |attempt| RETRIES.pause_before_retry(attempt, 1, 0.0);
        assert_eq!(wait(answered(503, Some(false), None)), None);
        assert!(wait(answered(409, Some(true), None)).is_some());
        let seven = Duration::from_secs(7);
        assert_eq!(wait(answered(429, None, Some(7))), Some(seven));
        assert_eq!(wait(answered(429, None, Some(3_600))), None);
    }

    #[test]
    fn what_may_have_been_done_is_not_done_twice() {
        let once = Retries {
            is_repeatable: false,
            ..RETRIES
        };
        let once = |attempt| once.pause_before_retry(attempt, 1, 1.0);
        assert_eq!(once(Attempt::Lost), None);
        assert_eq!(once(answered(500, None, None)), None);
        assert_eq!(once(answered(504, Some(true), None)), None);
        assert!(once(Attempt::NotSent).is_some());
        assert!(once(answered(429, None, None)).is_some());
        assert!(once(answered(503, None, None)).is_some());
    }

    #[test]
    fn how_long_to_wait_is_said_in_three_ways() {
        let date = ("date", "Sun, 22 Nov 2026 09:00:00 GMT");
        for (headers, millis) in [
            (&[("retry-after", "7")][..], Some(7_000)),
            (&[("retry-after", " 0 ")], Some(0)),
            (&[("retry-after", "7"), ("retry-after-ms", "20")], Some(20)),
            (
                &[("retry-after", "7"), ("retry-after-ms", "soon")],
                Some(7_000),
            ),
            (
                &[date, ("retry-after", "Sun, 22 Nov 2026 09:01:30 GMT")],
                Some(90_000),
            ),
            (
                &[date, ("retry-after", "Sun, 22 Nov 2026 08:00:00 GMT")],
                Some(0),
            ),
            // Nobody knows what the server's clock says.
            (&[("retry-after", "Sun, 22 Nov 2026 09:01:30 GMT")], None),
            (&[date, ("retry-after", "soon")], None),
            (&[date], None),
        ] {
            let wait = millis.map(Duration::from_millis);
            assert_eq!(wish(headers).retry_after, wait, "{headers:?}");
        }
    }

    #[test]
    fn whether_to_ask_again_is_a_word() {
        assert_eq!(wish(&[("x-should-retry", "true")]).should_retry, Some(true));
        let no = wish(&[("x-should-retry", " false ")]);
        assert_eq!(no.should_retry, Some(false));
        assert_eq!(wish(&[("x-should-retry", "maybe")]).should_retry, None);
        assert_eq!((wish(&[]).should_retry, wish(&[]).status), (None, 503));
    }

    #[test]
    fn pauses_grow_to_an_end_and_differ() {
        assert_eq!(growing_pause(1, 0.0), FIRST_PAUSE);
        assert_eq!(growing_pause(3, 0.0), FIRST_PAUSE * 4);
        assert_eq!(growing_pause(u32::MAX, 0.0), PAUSE_MAX);
        assert_eq!(growing_pause(5, 1.0), PAUSE_MAX.mul_f64(0.75));
        assert!((0.0..=1.0).contains(&random_fraction()));
    }
}
