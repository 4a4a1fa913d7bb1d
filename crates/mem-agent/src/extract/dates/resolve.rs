//! From an expression and the day on which it was said to the day that it means.

use jiff::ToSpan as _;
use jiff::civil::Date;

use super::names::{day_name, day_within, month, number};
use super::table::Meaning::{
    self, Day, DayOfMonth, Days, EndOfMonth, EndOfNamed, EndOfQuarter, EndOfWeek, EndOfYear,
    InDays, InMonths, InWeeks, LastMonth, LastQuarter, LastWeek, LastYear, Month, NextMonth,
    NextQuarter, NextWeek, NextYear,
};

/// The day, month, quarter or year that an expression means.
pub(super) fn resolved(text: &str, meaning: Meaning, today: Date) -> Option<String> {
    span(meaning, today).or_else(|| Some(day(text, meaning, today)?.to_string()))
}

/// A stretch of days that has a name.
fn span(meaning: Meaning, today: Date) -> Option<String> {
    let first = today.first_of_month();
    Some(match meaning {
        NextWeek => format!("week of {}", monday(today.checked_add(7.days()).ok()?)),
        LastWeek => format!("week of {}", monday(today.checked_sub(7.days()).ok()?)),
        NextMonth => month_of(first.checked_add(1.month()).ok()?),
        LastMonth => month_of(first.checked_sub(1.month()).ok()?),
        NextQuarter => quarter_of(first.checked_add(3.months()).ok()?),
        LastQuarter => quarter_of(first.checked_sub(3.months()).ok()?),
        NextYear => (i32::from(today.year()) + 1).to_string(),
        LastYear => (i32::from(today.year()) - 1).to_string(),
        _ => return None,
    })
}

/// One day.
fn day(text: &str, meaning: Meaning, today: Date) -> Option<Date> {
    let plus = |days: i32| today.checked_add(days.days()).ok();
    match meaning {
        Days(days) => plus(days),
        Day(is_next) => day_of_week(text, is_next, today),
        DayOfMonth => day_of_month(number(text)?, today),
        Month => near(today, month(text)?, day_within(text)?),
        EndOfWeek => monday(today).checked_add(4.days()).ok(),
        EndOfMonth => Some(today.last_of_month()),
        EndOfQuarter => {
            let last = (today.month() + 2) / 3 * 3;
            let month = today.first_of_month().with().month(last).build().ok()?;
            Some(month.last_of_month())
        }
        EndOfYear => Some(today.last_of_year()),
        EndOfNamed => Some(near(today, month(text)?, 1)?.last_of_month()),
        InDays => plus(number(text)?),
        InWeeks => plus(number(text)?.checked_mul(7)?),
        InMonths => {
            let months = i64::from(number(text)?);
            today
                .checked_add(jiff::Span::new().try_months(months).ok()?)
                .ok()
        }
        _ => None,
    }
}

/// The next such day; with `is_next` the one of next week.
fn day_of_week(text: &str, is_next: bool, today: Date) -> Option<Date> {
    let wanted = i32::from(day_name(text)?);
    let now = i32::from(today.weekday().to_monday_zero_offset());
    let days = match is_next {
        true => 7 - now + wanted,
        // Said on a Friday, "Friday" is a week away.
        false => match (wanted - now).rem_euclid(7) {
            0 => 7,
            days => days,
        },
    };
    today.checked_add(days.days()).ok()
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

fn monday(day: Date) -> Date {
    let back = i32::from(day.weekday().to_monday_zero_offset());
    day.checked_sub(back.days()).unwrap_or(day)
}

fn month_of(day: Date) -> String {
    day.strftime("%Y-%m").to_string()
}

fn quarter_of(day: Date) -> String {
    format!("{}-Q{}", day.year(), (day.month() + 2) / 3)
}

/// The month and day of the year that is nearest ahead; one of the last weeks is meant as past.
fn near(today: Date, month: i8, day: i8) -> Option<Date> {
    let this = Date::new(today.year(), month, day).ok()?;
    let passed = today.checked_sub(60.days()).ok()?;
    if this >= passed {
        return Some(this);
    }
    Date::new(today.year() + 1, month, day).ok()
}
