//! What an expression means: a day or a stretch of days that has a name, and how it is written.

use jiff::civil::Date;

/// A day, or a stretch of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DateRange {
    /// One day.
    Day(Date),
    /// The week that begins on this day.
    Week(Date),
    /// The month, the quarter, the year of this day.
    Month(Date),
    Quarter(Date),
    Year(Date),
}

impl DateRange {
    /// Beside the words that mean it.
    pub(super) fn annotation_text(self) -> String {
        match self {
            DateRange::Week(monday) => format!("week of {monday}"),
            DateRange::Month(day) => day.strftime("%Y-%m").to_string(),
            _ => self.short_label(),
        }
    }

    /// In place of the words that mean it.
    pub(super) fn replacement_text(self) -> String {
        match self {
            DateRange::Week(monday) => format!("the week of {monday}"),
            DateRange::Month(day) => day.strftime("%B %Y").to_string(),
            _ => self.short_label(),
        }
    }

    fn short_label(self) -> String {
        match self {
            DateRange::Day(day) | DateRange::Week(day) | DateRange::Month(day) => day.to_string(),
            DateRange::Quarter(day) => format!("{}-Q{}", day.year(), (day.month() + 2) / 3),
            DateRange::Year(day) => day.year().to_string(),
        }
    }
}
