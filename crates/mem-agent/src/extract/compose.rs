//! A memory made of what somebody said: its name, its line and its text.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mem_core::MemoryType;
use std::fmt::Write as _;

/// No session is older.
const YEAR_MIN: i16 = 2020;
const NAME_CHARS_MAX: usize = 64;
const DESCRIPTION_CHARS_MAX: usize = 150;

/// How sentences begin that say the same without it. A bare "no" is none: without it they say the opposite.
const LEADS: &[&str] = &[
    "no, ",
    "no. ",
    "nope, ",
    "nah, ",
    "wait, ",
    "wait ",
    "yes, ",
    "yeah, ",
    "yes ",
    "yeah ",
    "ok, ",
    "okay, ",
    "ok so ",
    "so, ",
    "so ",
    "hey, ",
    "hm, ",
    "well, ",
    "actually, ",
    "actually ",
    "also, ",
    "also ",
    "and ",
    "but ",
    "btw, ",
    "btw ",
    "by the way, ",
    "fyi, ",
    "fyi ",
    "fyi: ",
    "heads up: ",
    "heads up, ",
    "please ",
    "please, ",
    "remember: ",
    "remember that ",
    "remember, ",
    "remember ",
    "note: ",
    "note that ",
    "keep in mind that ",
    "just so you know, ",
    "for context: ",
    "for context, ",
    "for the record, ",
    "from now on, ",
    "from now on ",
    "going forward, ",
    "can you ",
    "could you ",
    "would you ",
    "will you ",
    "kannst du ",
    "könntest du ",
    "peux-tu ",
    "pourrais-tu ",
    "puedes ",
    "podrías ",
    "one thing: ",
    "one more thing: ",
    "important: ",
    "for future reference, ",
    "in the future, ",
    "in future, ",
    "next time, ",
    "as a rule, ",
    "sorry, ",
    "don't forget that ",
    "exactly, ",
    "perfect, ",
    "great, ",
    "nein, ",
    "bitte ",
    "ab jetzt ",
    "merk dir: ",
    "merk dir, dass ",
    "merk dir ",
    "übrigens, ",
    "non, ",
    "s'il te plaît, ",
    "désormais, ",
    "à partir de maintenant, ",
    "retiens que ",
    "por favor, ",
    "a partir de ahora, ",
    "de ahora en adelante, ",
    "recuerda que ",
    "不，",
    "不,",
    "不对，",
    "以后",
    "请",
    "记住：",
    "记住，",
    "记住",
    "いや、",
    "いいえ、",
    "今後は",
    "今後、",
    "これからは",
    "아니, ",
    "아니요, ",
    "앞으로는 ",
    "앞으로 ",
    "참고로 ",
];

/// Where a rule ends and its reason begins.
const REASONS: &[&str] = &[
    " because ",
    ", because",
    " since ",
    ", otherwise",
    " so that ",
    ", weil ",
    ", sonst ",
    " parce qu",
    " car ",
    ", sinon ",
    " porque ",
    ", ya que ",
    "，因为",
    "，否则",
    "，不然",
    "ので、",
    "ため、",
];

/// A sentence without what introduces it, its first letter large.
pub(super) fn statement_text(text: &str) -> String {
    let mut rest = text.trim();
    loop {
        let lower = rest.to_lowercase();
        let lead = LEADS.iter().find(|lead| lower.starts_with(**lead));
        let shorter = lead.and_then(|lead| rest.get(lead.len()..));
        match shorter.map(str::trim_start) {
            Some(shorter) if shorter.chars().count() >= 8 => rest = shorter,
            _ => break,
        }
    }
    // What is asked for is an instruction.
    let asked = rest
        .strip_suffix('?')
        .filter(|_| rest.len() < text.trim().len());
    let rest = asked.map_or_else(|| rest.to_owned(), |asked| format!("{}.", asked.trim_end()));
    // A sentence of another script that begins with a name in Latin letters has no large first letter.
    if rest.contains(is_wide) {
        return rest;
    }
    let mut letters = rest.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn is_wide(letter: char) -> bool {
    letter >= '\u{3000}'
}

/// The statement and the reason that stands in the same sentence.
pub(super) fn reason_of(statement: &str) -> Option<&str> {
    let turn = REASONS
        .iter()
        .filter_map(|turn| Some((statement.find(turn)?, turn.len())))
        .filter(|(at, _)| *at >= 12)
        .min()?;
    let reason = statement[turn.0 + turn.1..].trim();
    (reason.chars().count() >= 8).then_some(reason)
}

/// A short title.
pub(super) fn memory_name(statement: &str) -> String {
    let cut = REASONS.iter().filter_map(|turn| statement.find(turn));
    let end = cut.filter(|at| *at >= 12).min().unwrap_or(statement.len());
    shorten_text(&statement[..end], NAME_CHARS_MAX)
}

/// One line for a selector.
pub(super) fn describe_statement(statement: &str) -> String {
    shorten_text(statement, DESCRIPTION_CHARS_MAX)
}

/// The text of a memory.
pub(super) fn memory_body(kind: MemoryType, said: &ComposedText<'_>) -> String {
    let mut text = format!("{}\n", end_with_period(said.statement));
    if !said.why.is_empty() {
        let _ = writeln!(text, "\n**Why:** {}", end_with_period(said.why));
    } else if kind == MemoryType::Feedback || kind == MemoryType::Project {
        text.push('\n');
    }
    let _ = writeln!(text, "{}", said_on(said));
    text
}

/// The person's words, and their day.
fn said_on(said: &ComposedText<'_>) -> String {
    let when = said
        .day
        .map_or_else(String::new, |day| format!(" on {day}"));
    format!("**Said{when}:** \"{}\"", one_line(said.quote))
}

/// What goes into a text.
pub(super) struct ComposedText<'a> {
    pub statement: &'a str,
    pub why: &'a str,
    pub quote: &'a str,
    pub day: Option<Date>,
}

/// A text with a point at its end.
fn end_with_period(text: &str) -> String {
    let text = one_line(text);
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

/// A text without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shorten_text(text: &str, chars_max: usize) -> String {
    let text = one_line(text);
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
        ] {
            assert_eq!(statement_text(said), stated);
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
