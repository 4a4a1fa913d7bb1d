//! Words for days, made into days by the day on which they were written: what "tomorrow" meant.
//!
//! Expressions are data (`table`, `names`), found once (`found`) where they are no day of every week or month
//! (`recurrence`), and read in two ways: what a person said keeps
//! their words, with the day beside them; what stands in a log is rewritten.

mod date_range;
mod morning_ambiguity;
mod names;
mod recurrence;
mod resolve;
mod table;

use mem_core::compact_sort::CompactSort as _;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::OnceLock;

use jiff::civil::Date;
use regex::bytes::{Regex, RegexBuilder};

use crate::template::fill_pattern;
use date_range::DateRange;
use morning_ambiguity::is_morning;
use recurrence::is_recurring;
use resolve::{is_doubtful, resolve_range};
use table::{
    DE_DAYS, DE_MONTHS, DateMeaning, EN_DAYS, EN_MONTHS, ES_DAYS, ES_MONTHS, EXPRESSIONS, FR_DAYS,
    FR_MONTHS, NUMBER,
};

/// Where a text comes from, which decides what is meant where both a past and a coming day could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateReading {
    /// Said in a conversation: a day is ahead.
    Said,
    /// Written down in a log: a day is the nearest one, and a bare weekday may be every week's.
    Logged,
}

/// An expression in a text.
struct DateMatch {
    place: Range<usize>,
    meaning: DateMeaning,
    meant: DateRange,
}

/// A text with every relative date followed by the day that it means: `Friday (2026-03-06)`.
pub fn annotate_dates(text: &str, said_on: Date) -> String {
    rewrite_matches(
        text,
        find_dates(text, said_on, DateReading::Said),
        |_, one| {
            let place = &text[one.place.clone()];
            format!("{place} ({})", one.meant.annotation_text())
        },
    )
}

/// A text with its words for days replaced, as they were meant on a day. Only words that mean one day or one
/// span are: a bare weekday stays, and so does `the 2nd`, which may be anything.
pub fn replace_dates(text: &str, written_on: Date) -> String {
    let mut found = find_dates(text, written_on, DateReading::Logged);
    found.retain(|one| !matches!(one.meaning, DateMeaning::Weekday | DateMeaning::DayOfMonth));
    rewrite_matches(text, found, |words, one| match (one.meaning, one.meant) {
        // `March 14` only lacks its year.
        (DateMeaning::Month, DateRange::Day(day))
            if words.starts_with(|c: char| c.is_ascii_alphabetic()) =>
        {
            format!("{words}, {}", day.year())
        }
        _ => one.meant.replacement_text(),
    })
}

fn rewrite_matches(
    text: &str,
    found: Vec<DateMatch>,
    new: impl Fn(&str, &DateMatch) -> String,
) -> String {
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for one in found {
        let _ = write!(made, "{}", &text[at..one.place.start]);
        made.push_str(&new(&text[one.place.clone()], &one));
        at = one.place.end;
    }
    made + &text[at..]
}

/// The expressions of a text in their order, none of which has its date with it already.
fn find_dates(text: &str, on: Date, reading: DateReading) -> Vec<DateMatch> {
    let mut found: Vec<DateMatch> = Vec::new();
    let mut doubtful: Vec<Range<usize>> = Vec::new();
    for (pattern, meaning) in date_patterns() {
        for places in pattern.captures_iter(text.as_bytes()) {
            let whole = (1..places.len()).find_map(|group| places.get(group));
            let Some(place) = whole.or(places.get(0)).map(|part| part.range()) else {
                continue;
            };
            let mut taken = found.iter().map(|one| &one.place).chain(&doubtful);
            let is_taken = taken.any(|one| place.start < one.end && one.start < place.end);
            let expression = text.get(place.clone()).filter(|_| !is_taken);
            let expression = expression.map(str::to_lowercase);
            if expression
                .as_deref()
                .is_some_and(|text| is_doubtful(text, *meaning, on))
            {
                doubtful.push(place);
                continue;
            }
            let day = expression.and_then(|text| resolve_range(&text, *meaning, on, reading));
            let has_no_date = |_: &DateRange| {
                let (before, behind) = (&text[..place.start], &text[place.end..]);
                !is_dated(behind, *meaning)
                    && !is_recurring(before, behind, *meaning)
                    && !is_morning(&text[place.clone()], before, behind)
            };
            if let Some(meant) = day.filter(has_no_date) {
                let meaning = *meaning;
                found.push(DateMatch {
                    place,
                    meaning,
                    meant,
                });
            }
        }
    }
    found.compact_sort_by_key(|one| one.place.start);
    found
}

/// Whether a date follows anyway; behind a month and a day, its year.
fn is_dated(rest: &str, meaning: DateMeaning) -> bool {
    let rest = rest.trim_start_matches([' ', ',', '(']).as_bytes();
    let is_year = rest.len() >= 4 && rest[..4].iter().all(u8::is_ascii_digit);
    is_year
        && match rest.get(4) {
            Some(b'-') => true,
            Some(next) => meaning == DateMeaning::Month && !next.is_ascii_alphanumeric(),
            None => meaning == DateMeaning::Month,
        }
}

fn date_patterns() -> &'static [(Regex, DateMeaning)] {
    static PATTERNS: OnceLock<Vec<(Regex, DateMeaning)>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let parts = [
            ("{EN}", EN_MONTHS),
            ("{DE}", DE_MONTHS),
            ("{FR}", FR_MONTHS),
            ("{ES}", ES_MONTHS),
            ("{ED}", EN_DAYS),
            ("{DD}", DE_DAYS),
            ("{FD}", FR_DAYS),
            ("{SD}", ES_DAYS),
            ("{N}", NUMBER),
        ]
        .map(|(name, part)| (name.to_owned(), part.to_owned()));
        let compile = |(pattern, meaning): &(&str, DateMeaning)| {
            let regex = compile_pattern(&fill_pattern(pattern, &parts))?;
            Some((regex, *meaning))
        };
        EXPRESSIONS.iter().filter_map(compile).collect()
    })
}

/// A pattern whose letters are those of ASCII in both cases, and of other languages as they are written.
fn compile_pattern(pattern: &str) -> Option<Regex> {
    let mut builder = RegexBuilder::new(pattern);
    builder.unicode(false).case_insensitive(true).build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Said on Wednesday, 4 March 2026.
    fn on_wednesday(text: &str) -> String {
        annotate_dates(text, jiff::civil::date(2026, 3, 4))
    }

    #[test]
    fn every_expression_compiles() {
        assert_eq!(date_patterns().len(), EXPRESSIONS.len());
    }

    #[test]
    fn days_are_told_in_seven_languages() {
        for (text, day) in [
            ("after Thursday", "2026-03-05"),
            ("by next Monday", "2026-03-09"),
            ("on Wednesday", "2026-03-11"),
            ("the day after tomorrow", "2026-03-06"),
            ("in two weeks", "2026-03-18"),
            ("by the end of the month", "2026-03-31"),
            ("by end of June", "2026-06-30"),
            ("on May 12th", "2026-05-12"),
            ("on the 2nd", "2026-04-02"),
            ("since last quarter", "2025-Q4"),
            ("next week", "week of 2026-03-09"),
            ("this year", "2026"),
            ("3 days ago", "2026-03-01"),
            ("last Friday", "2026-02-27"),
            ("bis Freitag", "2026-03-06"),
            ("ab dem 3. Februar", "2026-02-03"),
            ("übermorgen", "2026-03-06"),
            ("avant vendredi", "2026-03-06"),
            ("le 14 juillet", "2026-07-14"),
            ("antes del viernes", "2026-03-06"),
            ("la semana que viene", "week of 2026-03-09"),
            ("下周五", "2026-03-13"),
            ("周五", "2026-03-06"),
            ("月底", "2026-03-31"),
            ("三天后", "2026-03-07"),
            ("来週の金曜日", "2026-03-13"),
            ("4月10日", "2026-04-10"),
            ("다음 주 금요일", "2026-03-13"),
            ("금요일", "2026-03-06"),
            ("지난주 금요일", "2026-02-27"),
            ("vor drei Tagen", "2026-03-01"),
            ("4월 10일", "2026-04-10"),
        ] {
            assert_eq!(on_wednesday(text), format!("{text} ({day})"));
        }
    }

    #[test]
    fn what_is_no_date_or_has_one_stays() {
        for text in [
            "may 99 times",
            "Friday (2026-03-06)",
            "in 400000000 days",
            "guten Morgen",
            "a marching band",
            // Of this week, or of the next?
            "by next Friday",
            "ab nächstem Freitag",
            "vendredi prochain",
        ] {
            assert_eq!(on_wednesday(text), text);
        }
    }

    #[test]
    fn words_for_days_become_days() {
        // A Wednesday.
        let on: Date = "2026-03-04".parse().unwrap();
        for (text, want) in [
            ("freeze starts tomorrow.", "freeze starts 2026-03-05."),
            ("(Yesterday) it broke", "(2026-03-03) it broke"),
            ("demo by Friday, then rest", "demo by 2026-03-06, then rest"),
            ("next Monday we ship", "2026-03-09 we ship"),
            ("in two weeks, or 3 days ago", "2026-03-18, or 2026-03-01"),
            ("due next week", "due the week of 2026-03-09"),
            ("until end of the month", "until 2026-03-31"),
            ("next month", "April 2026"),
            ("the day after tomorrow", "2026-03-06"),
            ("moved to March 14", "moved to March 14, 2026"),
            ("on December 30th it was", "on December 30th, 2025 it was"),
            ("since March 14, 2024", "since March 14, 2024"),
            ("abgabe übermorgen", "abgabe 2026-03-06"),
            ("since last Friday", "since 2026-02-27"),
            ("am 3. Mai ist Abnahme", "am 2026-05-03 ist Abnahme"),
            ("bis morgen fertig", "bis 2026-03-05 fertig"),
            ("in two weeks, 2000 users", "2026-03-18, 2000 users"),
        ] {
            assert_eq!(replace_dates(text, on), want);
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
            "on the 2nd attempt",
            "周五",
            "",
        ] {
            assert_eq!(replace_dates(text, on), text);
        }
    }
}
