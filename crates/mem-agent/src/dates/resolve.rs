//! From an expression and the day on which it was written to the day that it means.

use jiff::civil::Date;
use jiff::{Span, ToSpan as _};

use super::DateReading;
use super::date_range::DateRange;
use super::names::{day_name, day_within, month_number, parse_number};
use super::table::DateMeaning::{
    self, ComingDay, CountedDays, CountedMonths, CountedWeeks, DayOfMonth, Days, EndOfMonth,
    EndOfNamed, EndOfQuarter, EndOfWeek, EndOfYear, LastDay, Month, Months, NextDay, Quarters,
    ThisDay, Weekday, Weeks, Years,
};

/// The day, week, month, quarter or year that an expression means.
pub(super) fn resolve_range(
    text: &str,
    meaning: DateMeaning,
    today: Date,
    reading: DateReading,
) -> Option<DateRange> {
    let plus = |span: Span| today.checked_add(span).ok();
    let month = |months: i64| today.first_of_month().checked_add(months.months()).ok();
    let count = |sign: i64| Some(sign * i64::from(parse_number(text)?));
    let day = match meaning {
        Weeks(ahead) => {
            let monday = monday_of(today).checked_add(ahead.weeks()).ok()?;
            return Some(DateRange::Week(monday));
        }
        Months(ahead) => return month(ahead).map(DateRange::Month),
        Quarters(ahead) => return month(3 * ahead).map(DateRange::Quarter),
        Years(ahead) => return month(12 * ahead).map(DateRange::Year),
        Days(days) => plus(days.days()),
        Weekday | ComingDay | ThisDay | NextDay | LastDay => {
            plus(days_to(day_name(text)?, meaning, today, reading).days())
        }
        DayOfMonth => day_of_month(parse_number(text)?, today),
        Month => of_year(today, month_number(text)?, day_within(text)?, reading),
        EndOfWeek => monday_of(today).checked_add(4.days()).ok(),
        EndOfMonth => Some(today.last_of_month()),
        EndOfQuarter => {
            let last = (today.month() + 2) / 3 * 3;
            let month = today.first_of_month().with().month(last).build().ok()?;
            Some(month.last_of_month())
        }
        EndOfYear => Some(today.last_of_year()),
        EndOfNamed => Some(of_year(today, month_number(text)?, 1, reading)?.last_of_month()),
        CountedDays(sign) => plus(count(sign)?.days()),
        CountedWeeks(sign) => plus(count(sign)?.weeks()),
        CountedMonths(sign) => plus(count(sign)?.months()),
    };
    day.map(DateRange::Day)
}

/// Whether "next Friday" may mean the one of this week, which is still ahead, as well as the one of the next. Languages
/// that name the week ("下周五") leave no doubt.
pub(super) fn is_doubtful(text: &str, meaning: DateMeaning, today: Date) -> bool {
    let is_next = meaning == NextDay && text.is_ascii()
        || ["nächst", "prochain", "próximo"]
            .iter()
            .any(|one| text.contains(one));
    let is_ahead = |day: i8| day > today.weekday().to_monday_zero_offset();
    is_next && day_name(text).is_some_and(is_ahead)
}

/// How many days on such a day of the week is. Said on a Friday, "Friday" is a week away.
fn days_to(weekday: i8, meaning: DateMeaning, today: Date, reading: DateReading) -> i32 {
    let wanted = i32::from(weekday);
    let now = i32::from(today.weekday().to_monday_zero_offset());
    let ahead = match (wanted - now).rem_euclid(7) {
        0 => 7,
        days => days,
    };
    match meaning {
        NextDay => 7 - now + wanted,
        LastDay => match ahead {
            7 => -7,
            days => days - 7,
        },
        ThisDay if reading == DateReading::Logged => wanted - now,
        _ => ahead,
    }
}

/// The day of this month, or of the next one where it has passed.
fn day_of_month(number: i32, today: Date) -> Option<Date> {
    let number = i8::try_from(number).ok()?;
    let this = today.with().day(number).build().ok();
    if let Some(this) = this.filter(|this| *this >= today) {
        return Some(this);
    }
    let next = today.first_of_month().checked_add(1.month()).ok()?;
    next.with().day(number).build().ok()
}

fn monday_of(day: Date) -> Date {
    let back = i32::from(day.weekday().to_monday_zero_offset());
    day.checked_sub(back.days()).unwrap_or(day)
}

/// A month and a day in the year that is meant. What is said is about what comes, unless it was in the last
/// weeks; a log looks back as often as ahead.
fn of_year(today: Date, month: i8, day: i8, reading: DateReading) -> Option<Date> {
    let year = today.year();
    let of = |year: i16| Date::new(year, month, day).ok();
    match reading {
        DateReading::Said => {
            let passed = today.checked_sub(60.days()).ok()?;
            let ahead = [year, year + 1].into_iter().filter_map(of);
            ahead.into_iter().find(|date| *date >= passed)
        }
        DateReading::Logged => {
            let years = [year - 1, year, year + 1].into_iter().filter_map(of);
            years.min_by_key(|date| today.duration_until(*date).as_secs().abs())
        }
    }
}
