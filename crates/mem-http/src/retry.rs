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
pub struct Wish {
    /// Its status.
    pub status: u16,
    /// What `x-should-retry` says.
    pub should_retry: Option<bool>,
    /// How long the server wants to be left alone.
    pub retry_after: Option<Duration>,
}

impl Wish {
    /// Reads it from a status and its headers.
    pub(crate) fn of(status: u16, headers: &HeaderMap) -> Self {
        Self {
            status,
            should_retry: match text(headers, &SHOULD_RETRY) {
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
    let millis = text(headers, &RETRY_AFTER_MS).and_then(|text| text.parse().ok());
    if let Some(millis) = millis {
        return Some(Duration::from_millis(millis));
    }
    let after = text(headers, &RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = |text: &str| {
        let date = jiff::fmt::rfc2822::parse(text);
        date.ok().map(|date| date.timestamp())
    };
    let wait = date(after)?.as_second() - date(text(headers, &DATE)?)?.as_second();
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or_default()))
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// How long to wait after so many attempts where the server says nothing. `chance` is from 0 to 1, and takes up to a
/// quarter off.
pub fn growing_pause(made: u32, chance: f64) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(1 << made.saturating_sub(1).min(8));
    pause
        .min(PAUSE_MAX)
        .mul_f64(1.0 - chance.clamp(0.0, 1.0) / 4.0)
}

/// A number from 0 to 1, so that those who waited together do not come back together.
pub fn chance() -> f64 {
    let drawn = getrandom::u32().unwrap_or_default();
    f64::from(drawn) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(headers: &[(&'static str, &'static str)]) -> Wish {
        let pairs = headers.iter().map(|(name, value)| {
            let name = HeaderName::from_static(name);
            (name, reqwest::header::HeaderValue::from_static(value))
        });
        Wish::of(503, &pairs.collect())
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
        assert!((0.0..=1.0).contains(&chance()));
    }
}
