//! A memory made of what somebody said: its name, its line and its text.

use super::request_phrases::without_request_end;
use crate::dates::annotate_dates;
use crate::title::capitalized;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_core::MemoryType;
use mem_core::foreign_text::single_spaced;
use mem_recall::lexicon::WordList;

/// No session is older.
const YEAR_MIN: i16 = 2020;
const NAME_CHARS_MAX: usize = 64;
const DESCRIPTION_CHARS_MAX: usize = 150;

/// How sentences begin that say the same without it. A bare "no" is none: without it they say the opposite.
static LEADS: WordList = WordList::of(&["statement_leads", "memory_requests"]);

/// Where a rule ends and its reason begins.
static REASONS: WordList = WordList::of(&["reason_marks"]);

/// A sentence without what introduces it, its first letter large.
pub(super) fn statement_text(text: &str) -> String {
    let mut rest = text.trim();
    loop {
        let lower = rest.to_lowercase();
        let lead = LEADS.prefix_len(&lower);
        let shorter = lead.and_then(|lead| rest.get(lead..));
        match shorter.map(str::trim_start) {
            Some(shorter) if shorter.chars().count() >= 8 => rest = shorter,
            _ => break,
        }
    }
    let rest = without_request_end(rest).unwrap_or(rest);
    // What is asked for is an instruction.
    let asked = rest
        .strip_suffix('?')
        .filter(|_| rest.len() < text.trim().len());
    let rest = asked.map_or_else(|| rest.to_owned(), |asked| format!("{}.", asked.trim_end()));
    // A sentence of another script that begins with a name in Latin letters has no large first letter, and the names
    // of code and addresses are written as they are.
    if rest.contains(is_wide) || begins_with_code(&rest) {
        return rest;
    }
    capitalized(&rest)
}

/// Whether the first word of a text is no word of a language: `file_folders`, `src/main.rs`, `https://..`.
fn begins_with_code(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let first = first.trim_end_matches(|c: char| !c.is_alphanumeric());
    let is_of_word = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    !first.starts_with(char::is_alphabetic) || !first.chars().all(is_of_word)
}

/// Whether a character is of a script that writes a word with few of them.
pub(super) fn is_wide(letter: char) -> bool {
    letter >= '\u{3000}'
}

/// The statement and the reason that stands in the same sentence.
pub(super) fn reason_of(statement: &str) -> Option<&str> {
    let turn = REASONS
        .words()
        .iter()
        .filter_map(|turn| Some((statement.find(turn.as_str())?, turn.len())))
        .filter(|(at, _)| *at >= 12)
        .min()?;
    let reason = statement[turn.0 + turn.1..].trim();
    (reason.chars().count() >= 8).then_some(reason)
}

/// A short title.
pub(super) fn memory_name(statement: &str) -> String {
    let reasons = REASONS.words().iter();
    let cut = reasons.filter_map(|turn| statement.find(turn.as_str()));
    let end = cut.filter(|at| *at >= 12).min().unwrap_or(statement.len());
    shorten_text(&statement[..end], NAME_CHARS_MAX)
}

/// The address that a text names without saying much else: a title tells more with it than with "it's ..".
pub(super) fn address_name(text: &str) -> Option<String> {
    const TELLING_WORDS_MAX: usize = 2;
    let (before, address) = text.split_once("https://").or(text.split_once("http://"))?;
    let telling = before.split_whitespace().filter(|word| word.len() >= 4);
    let address = address.split_whitespace().next()?;
    let address = address.trim_end_matches(['/', '.', ',', ';', ':', ')', '!', '>', '"', '\'']);
    let is_title = telling.count() <= TELLING_WORDS_MAX && !address.is_empty();
    is_title.then(|| shorten_text(address, NAME_CHARS_MAX))
}

/// One line for a selector.
pub(super) fn describe_statement(statement: &str) -> String {
    shorten_text(statement, DESCRIPTION_CHARS_MAX)
}

/// The text of a memory: the statement, and the person's words with their day.
pub(super) fn memory_body(
    kind: MemoryType,
    statement: &str,
    quote: &str,
    day: Option<Date>,
) -> String {
    let gap = match kind {
        MemoryType::Feedback | MemoryType::Project => "\n",
        MemoryType::User | MemoryType::Reference => "",
    };
    let when = day.map_or_else(String::new, |day| format!(" on {day}"));
    let (statement, quote) = (end_with_period(statement), single_spaced(quote));
    format!("{statement}\n{gap}**Said{when}:** \"{quote}\"\n")
}

/// A text whose relative dates say which days were meant, where the day is known on which it was said.
pub(super) fn date_text(text: &str, day: Option<Date>) -> String {
    day.map_or_else(|| text.to_owned(), |day| annotate_dates(text, day))
}

/// A text with a point at its end.
fn end_with_period(text: &str) -> String {
    let text = single_spaced(text);
    let has_end = text.ends_with(['.', '!', '?', '。', '！', '？']);
    let point = match text.chars().next_back() {
        Some(last) if is_wide(last) && !('\u{ac00}'..='\u{d7a3}').contains(&last) => "。",
        _ => ".",
    };
    if has_end {
        text
    } else {
        format!("{text}{point}")
    }
}

/// The day that something was said on. A clock that stood before there were agents tells none: what was due tomorrow
/// would be due in 1970.
pub(super) fn day_said(time: &str) -> Option<Date> {
    let time: Timestamp = time.parse().ok()?;
    let day = time.to_zoned(TimeZone::UTC).date();
    (day.year() >= YEAR_MIN).then_some(day)
}

fn shorten_text(text: &str, chars_max: usize) -> String {
    let text = single_spaced(text);
    let text = text.trim_end_matches(['.', ',', ';', ':', '!', '。', '，', ' ']);
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = &text[..end];
            let blank = kept.rfind(' ').filter(|at| at * 2 > end).unwrap_or(end);
            format!(
                "{}...",
                kept[..blank].trim_end_matches([',', ';', ':', ' '])
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_was_never_set_tells_no_day() {
        assert_eq!(day_said("1970-01-01T00:00:05Z"), None);
        assert_eq!(day_said("nonsense"), None);
        let said = day_said("2026-03-04T23:00:00Z").map(|day| day.to_string());
        assert_eq!(said.as_deref(), Some("2026-03-04"));
    }

    #[test]
    fn a_statement_has_no_lead_and_a_name_no_reason() {
        let said =
            statement_text("No, please don't mock the database in tests because it hid a bug");
        assert_eq!(
            said,
            "Don't mock the database in tests because it hid a bug"
        );
        assert_eq!(memory_name(&said), "Don't mock the database in tests");
        assert_eq!(reason_of(&said), Some("it hid a bug"));
        assert_eq!(
            statement_text("以后提交信息都用英文写"),
            "提交信息都用英文写"
        );
        assert_eq!(statement_text("no, stop"), "No, stop");
        assert_eq!(
            statement_text("Can you please always run the linter first?"),
            "Always run the linter first."
        );
        assert_eq!(statement_text("npm は使わないで"), "npm は使わないで");
        for (said, ending) in [
            ("提交信息用英文", "。"),
            ("테스트를 먼저 해 주세요", "."),
            ("use tabs", "."),
        ] {
            assert_eq!(end_with_period(said), format!("{said}{ending}"));
        }
        for (said, stated) in [
            ("No mocks in the tests", "No mocks in the tests"),
            ("No, no uses npm, usa pnpm", "No uses npm, usa pnpm"),
            ("no no uses yarn", "No no uses yarn"),
            ("user_id is set by RLS", "user_id is set by RLS"),
            ("--no-verify is forbidden", "--no-verify is forbidden"),
            (
                "https://a.example is the demo",
                "https://a.example is the demo",
            ),
            ("don't guess, ask", "Don't guess, ask"),
        ] {
            assert_eq!(statement_text(said), stated);
        }
    }

    #[test]
    fn an_address_is_a_title_where_little_else_is_said() {
        for (said, title) in [
            (
                "It's https://shop.onrender.com/.",
                Some("shop.onrender.com"),
            ),
            (
                "see my repo https://github.com/o/r, please",
                Some("github.com/o/r"),
            ),
            ("Incidents are written down under https://w.example/i", None),
            ("no address", None),
        ] {
            assert_eq!(address_name(said).as_deref(), title, "{said}");
        }
    }

    #[test]
    fn long_names_end_at_a_word() {
        let long = memory_name(&"word ".repeat(40));
        assert!(
            long.chars().count() <= NAME_CHARS_MAX + 3 && long.ends_with("word..."),
            "{long}"
        );
    }
}
