//! When a memory ceases to hold: a day or an instant.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;

use crate::error::Diagnose;

/// A day (it holds through that day, UTC) or an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// The last day on which it holds.
    On(Date),
    /// The instant from which on it does not.
    At(Timestamp),
}

/// The text is neither a date nor an instant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Diagnose)]
#[diagnose(Invalid, hint = "write it like `2026-12-31` or `2026-12-31T18:00:00Z`")]
#[error("`{}` is neither a date nor a time", crate::memory_path::printable(.0))]
pub struct InvalidExpires(String);

impl Expiry {
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

    /// What a write says of a memory that has expired at `now`.
    pub(crate) fn past_warning(self, now: Timestamp) -> Option<String> {
        let is_past = self.is_past(now);
        is_past.then(|| format!("the memory expired on {self}: recall leaves it out"))
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(day) => day.fmt(f),
            Self::At(instant) => instant.fmt(f),
        }
    }
}

impl FromStr for Expiry {
    type Err = InvalidExpires;

    fn from_str(text: &str) -> Result<Self, InvalidExpires> {
        let text = text.trim();
        if text.len() <= "2026-12-31".len()
            && let Ok(day) = text.parse::<Date>()
        {
            return Ok(Self::On(day));
        }
        let read = instant(text).map(Self::At).or_else(|| far(text));
        read.ok_or_else(|| InvalidExpires(text.to_owned()))
    }
}

/// An instant: RFC 3339, a date and time without a zone (UTC), or a date (its midnight, UTC).
pub fn instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let of_civil = || {
        let civil: DateTime = text.parse().ok()?;
        TimeZone::UTC.to_timestamp(civil).ok()
    };
    let instant = text.parse().ok().or_else(of_civil)?;
    let is_one =
        has_an_offset_of_clocks(text) && (!has_a_sixtieth_second(text) || ends_a_day(instant));
    is_one.then_some(instant)
}

/// An instant so far away that the last days of the calendar are all that is left of it, as programs write it that
/// mean never: the day that it names.
fn far(text: &str) -> Option<Expiry> {
    let pieces = Pieces::parse(text).ok()?;
    let is_far = pieces.time().is_some() && pieces.date() >= LAST_DAYS;
    let is_one = is_far && has_an_offset_of_clocks(text) && !has_a_sixtieth_second(text);
    is_one.then(|| Expiry::On(pieces.date()))
}

/// From here on not every instant of a day is one that can be reckoned with.
const LAST_DAYS: Date = date(9999, 12, 30);

/// Whether its offset, where it has one, is less than a day, as RFC 3339 has it: the date library takes more.
fn has_an_offset_of_clocks(text: &str) -> bool {
    let offset = Pieces::parse(text)
        .ok()
        .and_then(|pieces| pieces.to_numeric_offset());
    offset.is_none_or(|offset| offset.seconds().abs() < 24 * 60 * 60)
}

/// Whether it names a 60th second, which the date library takes for the 59th anywhere.
fn has_a_sixtieth_second(text: &str) -> bool {
    let time = text
        .split_once(['T', 't', ' '])
        .map_or("", |(_, time)| time);
    let digits = time
        .bytes()
        .take_while(|byte| byte.is_ascii_digit() || *byte == b':');
    let digits = digits.filter(u8::is_ascii_digit);
    digits.skip("HHMM".len()).take(2).eq(*b"60")
}

/// Whether it is the last second of a day (UTC), after which a leap second may come.
fn ends_a_day(instant: Timestamp) -> bool {
    let time = TimeZone::UTC.to_datetime(instant).time();
    (time.hour(), time.minute(), time.second()) == (23, 59, 59)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_holds_to_its_end() {
        let day: Expiry = "2026-12-31".parse().unwrap();
        assert!(!day.is_past("2026-12-31T23:59:59Z".parse().unwrap()));
        assert!(day.is_past("2027-01-01T00:00:00Z".parse().unwrap()));
        assert_eq!(day.to_string(), "2026-12-31");
        assert_eq!(day.end(), "2027-01-01T00:00:00Z".parse().unwrap());
    }

    #[test]
    fn instants_are_read_with_and_without_a_zone() {
        let at: Expiry = "2026-12-31T12:00:00+02:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-12-31T10:00:00Z");
        let at: Expiry = "2026-12-31 12:00:00".parse().unwrap();
        assert_eq!(at.to_string(), "2026-12-31T12:00:00Z");
        assert!("soon".parse::<Expiry>().is_err());
    }

    #[test]
    fn what_no_clock_or_calendar_shows_is_no_instant() {
        for text in [
            "2027-01-01T00:00:00+25:00",
            "2027-01-01T00:00:00-24:00",
            "2027-01-01T00:00:00+14:60",
            "2027-01-01T00:00:60Z",
            "2027-01-01 00:00:60",
            "20270101T000060Z",
            "2027-01-01T24:00:00Z",
            "2027-04-31",
            "2027-04-31T00:00:00Z",
            "2027-02-29T00:00:00Z",
            "9999-12-31T23:59:59+25:00",
            "9999-12-31T23:59:60-01:00",
        ] {
            assert!(text.parse::<Expiry>().is_err(), "{text}");
        }
        for text in [
            "2027-01-01T00:00:00+23:59",
            "2016-12-31T23:59:60Z",
            "2017-01-01T01:59:60+02:00",
            "2028-02-29T00:00:00Z",
        ] {
            assert!(text.parse::<Expiry>().is_ok(), "{text}");
        }
    }
}
