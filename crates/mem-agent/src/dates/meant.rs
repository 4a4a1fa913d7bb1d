//! What an expression means: a day or a stretch of days that has a name, and how it is written.

use jiff::civil::Date;

/// A day, or a stretch of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    /// One day.
    Day(Date),
    /// The week that begins on this day.
    Week(Date),
    /// The month, the quarter, the year of this day.
    Month(Date),
    Quarter(Date),
    Year(Date),
}

impl Meant {
    /// Beside the words that mean it.
    pub(super) fn beside(self) -> String {
        match self {
            Meant::Week(monday) => format!("week of {monday}"),
            Meant::Month(day) => day.strftime("%Y-%m").to_string(),
            _ => self.short(),
        }
    }

    /// In place of the words that mean it.
    pub(super) fn instead(self) -> String {
        match self {
            Meant::Week(monday) => format!("the week of {monday}"),
            Meant::Month(day) => day.strftime("%B %Y").to_string(),
            _ => self.short(),
        }
    }

    fn short(self) -> String {
        match self {
            Meant::Day(day) | Meant::Week(day) | Meant::Month(day) => day.to_string(),
            Meant::Quarter(day) => format!("{}-Q{}", day.year(), (day.month() + 2) / 3),
            Meant::Year(day) => day.year().to_string(),
        }
    }
}
