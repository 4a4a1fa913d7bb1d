//! When what a memory says was said: sessions are not read in the order in which they were held, and what was said
//! before it does not take its place.

use crate::extract::Candidate;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_core::memory::Note;

use super::extraction_memory::ExtractionMemory;

/// How the lines begin that quote what was said.
const LEADS: [&str; 2] = ["**Said again", "**Said"];
/// Behind the day, in front of the quotation.
const QUOTED: &str = ":** \"";

/// Whether what an extraction wrote was said after a candidate was. What nothing is known of was not.
pub(super) fn is_outdated(
    candidate: &Candidate,
    note: &Note,
    remembered: &ExtractionMemory,
) -> bool {
    let Ok(said) = candidate.source.time.parse::<Timestamp>() else {
        return false;
    };
    let text = String::from_utf8_lossy(note.topic.body(&note.bytes));
    let lines = text.lines().filter_map(QuotingLine::from_line);
    let mut later = lines.map(|line| line.is_after(said, remembered));
    later.any(|is_later| is_later)
}

/// A line that quotes what was said.
struct QuotingLine<'t> {
    day: Option<Date>,
    quote: &'t str,
}

impl<'t> QuotingLine<'t> {
    fn from_line(line: &'t str) -> Option<Self> {
        let rest = LEADS.iter().find_map(|lead| line.strip_prefix(lead))?;
        let (when, quote) = rest.split_once(QUOTED)?;
        let day = when.trim().strip_prefix("on ");
        Some(Self {
            day: day.and_then(|day| day.parse().ok()),
            quote: quote.strip_suffix('"').unwrap_or(quote),
        })
    }

    /// To the second where that is remembered, else by the day.
    fn is_after(&self, said: Timestamp, remembered: &ExtractionMemory) -> bool {
        let day = said.to_zoned(TimeZone::UTC).date();
        let is_of_the_day =
            |time: &Timestamp| Some(time.to_zoned(TimeZone::UTC).date()) == self.day;
        match remembered.said_last(self.quote).filter(is_of_the_day) {
            Some(time) => time > said,
            None => self.day.is_some_and(|own| own > day),
        }
    }
}
