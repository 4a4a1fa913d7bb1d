//! Words for days, made into days: what "tomorrow" meant when it was written.
//!
//! Only words that mean one day or one span are replaced. A bare weekday may be every week's, and stays.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan as _};

/// A phrase is at most so many words.
const PHRASE_WORDS_MAX: usize = 4;

/// A text with its words for days replaced, as they were meant on a day.
pub fn absolute(text: &str, on: Date) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let bare: Vec<String> = words.iter().map(|word| bare(word)).collect();
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let longest = PHRASE_WORDS_MAX.min(words.len() - at);
        let found = (1..=longest).rev().find_map(|count| {
            // Punctuation within it: these are two phrases.
            let inner = &words[at..at + count - 1];
            let is_one = inner.iter().all(|word| !ends_a_phrase(word));
            let phrase: Vec<&str> = bare[at..at + count].iter().map(String::as_str).collect();
            let meant = meant(&phrase, on).filter(|_| is_one)?;
            Some((meant, count))
        });
        match found {
            Some((meant, count)) => {
                out.push(in_place(&meant, words[at], words[at + count - 1]));
                at += count;
            }
            None => {
                let next = bare.get(at + 1).map_or("", String::as_str);
                out.push(with_year(words[at], &bare[..=at], next, on));
                at += 1;
            }
        }
    }
    out.join(" ")
}

/// A word in lower case, without what surrounds it.
fn bare(word: &str) -> String {
    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
    inner.to_lowercase()
}

fn ends_a_phrase(word: &str) -> bool {
    word.ends_with([',', '.', ';', ':', '!', '?', ')'])
}

/// The replacement with what stood before the first word and behind the last.
fn in_place(meant: &str, first: &str, last: &str) -> String {
    let is_mark = |c: char| !c.is_alphanumeric();
    let before: String = first.chars().take_while(|c| is_mark(*c)).collect();
    let rest = last.trim_end_matches(is_mark);
    format!("{before}{meant}{}", &last[rest.len()..])
}

/// The day or the span that a phrase means.
fn meant(phrase: &[&str], on: Date) -> Option<String> {
    let day = |span: Span| on.checked_add(span).ok().map(|day| day.to_string());
    match phrase {
        ["today" | "tonight" | "heute" | "hoy" | "aujourd'hui"] => day(0.days()),
        ["this", "morning" | "afternoon" | "evening"] => day(0.days()),
        ["yesterday" | "gestern" | "ayer"] => day((-1).days()),
        ["tomorrow" | "morgen" | "mañana" | "demain"] => day(1.day()),
        ["day", "after", "tomorrow"] | ["the", "day", "after", "tomorrow"] | ["übermorgen"] => {
            day(2.days())
        }
        ["vorgestern"] | ["the", "day", "before", "yesterday"] => day((-2).days()),
        ["in", count, unit] => day(spans(count, unit)?),
        [count, unit, "ago"] => day(spans(count, unit)?.negate()),
        ["end", "of", rest @ ..] => end_of(rest, on),
        [which @ ("this" | "next" | "last"), unit] => span_of(which, unit, on),
        ["coming", day] | ["on", "coming", day] => Some(coming(day, on)?.to_string()),
        [lead @ ("by" | "until" | "before" | "due"), day] => {
            Some(format!("{lead} {}", coming(day, on)?))
        }
        _ => None,
    }
}

/// `3 weeks`, `a month`.
fn spans(count: &str, unit: &str) -> Option<Span> {
    const WORDS: [&str; 11] = [
        "a", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let count: i64 = match count.parse() {
        Ok(count) => count,
        Err(_) => {
            let at = WORDS.iter().position(|word| *word == count)?;
            i64::try_from(at.max(1)).ok()?
        }
    };
    if !(0..=1_000).contains(&count) {
        return None;
    }
    Some(match unit {
        "day" | "days" => count.days(),
        "week" | "weeks" => count.weeks(),
        "month" | "months" => count.months(),
        _ => return None,
    })
}

/// `end of month`, `end of the week`.
fn end_of(rest: &[&str], on: Date) -> Option<String> {
    let unit = match rest {
        ["the" | "this", unit] | [unit] => *unit,
        _ => return None,
    };
    let day = match unit {
        "month" => on.last_of_month(),
        "week" => coming_from(Weekday::Friday, on, true)?,
        "year" => on.last_of_year(),
        _ => return None,
    };
    Some(day.to_string())
}

/// `next week`, `last Friday`, `this month`.
fn span_of(which: &str, unit: &str, on: Date) -> Option<String> {
    let step: i64 = match which {
        "last" => -1,
        "next" => 1,
        _ => 0,
    };
    let monday = on
        .checked_add((-i64::from(on.weekday().to_monday_zero_offset())).days())
        .ok()?;
    let week = monday.checked_add(step.weeks()).ok()?;
    if let Some(weekday) = weekday(unit) {
        let offset = i64::from(weekday.to_monday_zero_offset());
        return Some(week.checked_add(offset.days()).ok()?.to_string());
    }
    Some(match unit {
        "week" => format!("the week of {week}"),
        "month" => {
            let month = on.first_of_month().checked_add(step.months()).ok()?;
            month.strftime("%B %Y").to_string()
        }
        "year" => on.checked_add(step.years()).ok()?.year().to_string(),
        _ => return None,
    })
}

/// The next day of that name.
fn coming(day: &str, on: Date) -> Option<Date> {
    coming_from(weekday(day)?, on, false)
}

fn coming_from(weekday: Weekday, on: Date, with_today: bool) -> Option<Date> {
    if with_today && on.weekday() == weekday {
        return Some(on);
    }
    on.nth_weekday(1, weekday).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "montag" => Weekday::Monday,
        "tuesday" | "dienstag" => Weekday::Tuesday,
        "wednesday" | "mittwoch" => Weekday::Wednesday,
        "thursday" | "donnerstag" => Weekday::Thursday,
        "friday" | "freitag" => Weekday::Friday,
        "saturday" | "samstag" => Weekday::Saturday,
        "sunday" | "sonntag" => Weekday::Sunday,
        _ => return None,
    })
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The day of a month gets the year in which it is nearest, where none follows: `March 14`.
fn with_year(word: &str, before: &[String], next: &str, on: Date) -> String {
    let [.., month, day] = before else {
        return word.to_owned();
    };
    let month = MONTHS.iter().position(|name| name == month);
    let digits = day.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let is_year = next.len() == 4 && next.bytes().all(|byte| byte.is_ascii_digit());
    let date = month
        .zip(digits.parse::<i8>().ok())
        .filter(|_| !is_year)
        .and_then(|(month, day)| nearest(i8::try_from(month + 1).ok()?, day, on));
    match date {
        Some(date) => in_place(&format!("{day}, {}", date.year()), word, word),
        None => word.to_owned(),
    }
}

fn nearest(month: i8, day: i8, on: Date) -> Option<Date> {
    let years = [on.year() - 1, on.year(), on.year() + 1];
    let dates = years
        .into_iter()
        .filter_map(|year| Date::new(year, month, day).ok());
    dates.min_by_key(|date| on.duration_until(*date).as_secs().abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_days_become_days() {
        // A Wednesday.
        let on: Date = "2026-03-04".parse().unwrap();
        for (text, want) in [
            ("freeze starts tomorrow.", "freeze starts 2026-03-05."),
            ("(Yesterday) it broke", "(2026-03-03) it broke"),
            ("demo by Friday, then rest", "demo by 2026-03-06, then rest"),
            ("next Friday we ship", "2026-03-13 we ship"),
            ("in two weeks, or 3 days ago", "2026-03-18, or 2026-03-01"),
            ("due next week", "due the week of 2026-03-09"),
            ("until end of the month", "until 2026-03-31"),
            ("next month", "April 2026"),
            ("the day after tomorrow", "2026-03-06"),
            ("moved to March 14", "moved to March 14, 2026"),
            ("on December 30th it was", "on December 30th, 2025 it was"),
            ("since March 14, 2024", "since March 14, 2024"),
            ("abgabe übermorgen", "abgabe 2026-03-06"),
        ] {
            assert_eq!(absolute(text, on), want);
        }
    }

    #[test]
    fn what_means_no_one_day_stays() {
        let on: Date = "2026-03-04".parse().unwrap();
        for text in [
            "we deploy on Tuesdays",
            "standup on Monday",
            "the march 99",
            "in a hurry",
            "last resort",
            "",
        ] {
            assert_eq!(absolute(text, on), text);
        }
    }
}
