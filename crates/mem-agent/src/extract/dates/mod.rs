//! Relative dates made absolute by the day on which they were said.

mod names;
mod resolve;
mod table;

use std::fmt::Write as _;
use std::sync::OnceLock;

use jiff::civil::Date;
use regex::bytes::{Regex, RegexBuilder};

use resolve::resolved;
use table::{DE_MONTHS, EN_MONTHS, ES_MONTHS, EXPRESSIONS, FR_MONTHS, Meaning, NUMBER};

/// A text with every relative date followed by the day that it means: `Friday (2026-03-06)`.
pub(super) fn absolute(text: &str, said_on: Date) -> String {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    for (pattern, meaning) in patterns() {
        for place in pattern.find_iter(text.as_bytes()) {
            let (start, end) = (place.start(), place.end());
            let is_taken = found.iter().any(|(from, to, _)| start < *to && *from < end);
            let expression = text.get(start..end).filter(|_| !is_taken);
            let day = expression.and_then(|text| resolved(&text.to_lowercase(), *meaning, said_on));
            if let Some(day) = day.filter(|_| !is_dated(&text[end..])) {
                found.push((start, end, day));
            }
        }
    }
    found.sort();
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for (_, end, day) in found {
        made.push_str(&text[at..end]);
        let _ = write!(made, " ({day})");
        at = end;
    }
    made + &text[at..]
}

/// Whether a date follows anyway.
fn is_dated(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', ',', '(']);
    rest.len() >= 4 && rest.as_bytes()[..4].iter().all(u8::is_ascii_digit)
}

fn patterns() -> &'static [(Regex, Meaning)] {
    static PATTERNS: OnceLock<Vec<(Regex, Meaning)>> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let parts = [
            ("{EN}", EN_MONTHS),
            ("{DE}", DE_MONTHS),
            ("{FR}", FR_MONTHS),
            ("{ES}", ES_MONTHS),
            ("{N}", NUMBER),
        ]
        .map(|(name, part)| (name.to_owned(), part.to_owned()));
        let compile = |(pattern, meaning): &(&str, Meaning)| {
            let mut builder = RegexBuilder::new(&filled(pattern, &parts));
            let regex = builder.unicode(false).case_insensitive(true).build();
            Some((regex.ok()?, *meaning))
        };
        EXPRESSIONS.iter().filter_map(compile).collect()
    })
}

fn filled(pattern: &str, parts: &[(String, String)]) -> String {
    let put = |text: String, (name, part): &(String, String)| text.replace(name, part);
    parts.iter().fold(pattern.to_owned(), put)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Said on Wednesday, 4 March 2026.
    fn on_wednesday(text: &str) -> String {
        absolute(text, jiff::civil::date(2026, 3, 4))
    }

    #[test]
    fn every_expression_compiles() {
        assert_eq!(patterns().len(), EXPRESSIONS.len());
    }

    #[test]
    fn days_are_told_in_seven_languages() {
        for (text, day) in [
            ("after Thursday", "2026-03-05"),
            ("by next Friday", "2026-03-13"),
            ("on Wednesday", "2026-03-11"),
            ("the day after tomorrow", "2026-03-06"),
            ("in two weeks", "2026-03-18"),
            ("by the end of the month", "2026-03-31"),
            ("by end of June", "2026-06-30"),
            ("on May 12th", "2026-05-12"),
            ("on the 2nd", "2026-04-02"),
            ("since last quarter", "2025-Q4"),
            ("next week", "week of 2026-03-09"),
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
        ] {
            assert_eq!(on_wednesday(text), text);
        }
    }
}
