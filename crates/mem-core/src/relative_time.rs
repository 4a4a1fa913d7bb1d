//! A point in the past, as people say it.

use std::str::FromStr;

use jiff::Timestamp;

use crate::Now;
use crate::topic::instant;

const DAY_SECONDS: i64 = 86_400;

/// So long ago, or an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// Seconds before the present.
    Ago(i64),
    /// An instant.
    At(Timestamp),
}

/// The text is no such thing.
#[derive(Debug, thiserror::Error)]
#[error("neither a span such as `30d` or `2w` nor a date such as `2026-01-31`")]
pub struct TimeError;

impl Since {
    /// The instant.
    pub fn to_instant(self, now: Now) -> Timestamp {
        match self {
            Self::At(instant) => instant,
            Self::Ago(seconds) => {
                let then = now.0.as_second().saturating_sub(seconds);
                Timestamp::from_second(then).unwrap_or(Timestamp::MIN)
            }
        }
    }
}

impl FromStr for Since {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let text = text.trim();
        for (unit, seconds) in [("h", 3_600), ("d", DAY_SECONDS), ("w", 7 * DAY_SECONDS)] {
            let number = text
                .strip_suffix(unit)
                .and_then(|digits| digits.parse::<u32>().ok());
            if let Some(number) = number {
                return Ok(Self::Ago(seconds * i64::from(number)));
            }
        }
        instant(text).map(Self::At).ok_or(TimeError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_days_and_instants_are_read() {
        let now = Now("2026-11-20T12:00:00Z".parse().unwrap());
        let at = |text: &str| text.parse::<Since>().unwrap().to_instant(now).to_string();
        assert_eq!(at("2w"), "2026-11-06T12:00:00Z");
        assert_eq!(at("36h"), "2026-11-19T00:00:00Z");
        assert_eq!(at("2026-01-31"), "2026-01-31T00:00:00Z");
        assert_eq!(at("2026-01-31T10:00:00+01:00"), "2026-01-31T09:00:00Z");
        for wrong in ["soon", "-3d", "2026-01-31T10:00:00+25:00"] {
            assert!(wrong.parse::<Since>().is_err(), "{wrong}");
        }
    }
}
