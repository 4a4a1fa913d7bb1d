//! When a memory ceases to hold: a day or an instant.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::error::{Diagnose, ErrorKind};

/// A day (it holds through that day, UTC) or an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expires {
    /// The last day on which it holds.
    On(Date),
    /// The instant from which on it does not.
    At(Timestamp),
}

/// The text is neither a date nor an instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is neither a date nor a time", crate::memory_path::printable(.0))]
pub struct InvalidExpires(String);

impl Diagnose for InvalidExpires {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Invalid
    }

    fn hint(&self) -> Option<String> {
        Some("write it like `2026-12-31` or `2026-12-31T18:00:00Z`".to_owned())
    }
}

impl Expires {
    /// The instant from which on it no longer holds.
    pub fn end(self) -> Timestamp {
        match self {
            Self::At(instant) => instant,
            Self::On(day) => day
                .tomorrow()
                .and_then(|next| TimeZone::UTC.to_timestamp(next.at(0, 0, 0, 0)))
                .unwrap_or(Timestamp::MAX),
        }
    }

    /// Whether it has ceased to hold at an instant.
    pub fn is_past(self, now: Timestamp) -> bool {
        match self {
            Self::At(instant) => now >= instant,
            Self::On(day) => TimeZone::UTC.to_datetime(now).date() > day,
        }
    }
}

impl fmt::Display for Expires {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(day) => day.fmt(f),
            Self::At(instant) => instant.fmt(f),
        }
    }
}

impl FromStr for Expires {
    type Err = InvalidExpires;

    fn from_str(text: &str) -> Result<Self, InvalidExpires> {
        let text = text.trim();
        if text.len() <= "2026-12-31".len()
            && let Ok(day) = text.parse::<Date>()
        {
            return Ok(Self::On(day));
        }
        instant(text)
            .map(Self::At)
            .ok_or_else(|| InvalidExpires(text.to_owned()))
    }
}

/// An instant: RFC 3339, a date and time without a zone (UTC), or a date (its midnight, UTC).
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    let civil: DateTime = text.parse().ok()?;
    TimeZone::UTC.to_timestamp(civil).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_holds_to_its_end() {
        let day: Expires = "2026-12-31".parse().unwrap();
        assert!(!day.is_past("2026-12-31T23:59:59Z".parse().unwrap()));
        assert!(day.is_past("2027-01-01T00:00:00Z".parse().unwrap()));
        assert_eq!(day.to_string(), "2026-12-31");
        assert_eq!(day.end(), "2027-01-01T00:00:00Z".parse().unwrap());
    }

    #[test]
    fn instants_are_read_with_and_without_a_zone() {
        let at: Expires = "2026-12-31T12:00:00+02:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-12-31T10:00:00Z");
        let at: Expires = "2026-12-31 12:00:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-12-31T12:00:00Z");
        assert!("soon".parse::<Expires>().is_err());
    }
}
