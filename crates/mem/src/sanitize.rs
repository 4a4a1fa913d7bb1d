//! Text that somebody else wrote, as lines and JSON that a terminal shows.

use std::borrow::Cow;

use mem_core::foreign_text::is_harmful;

pub(crate) use mem_core::foreign_text::{clean, one_line};

/// A line of our own, with colours and nothing else that a terminal would act on: for what nobody made harmless.
pub(crate) fn of_ours(text: &str) -> Cow<'_, str> {
    if matches!(clean(text), Cow::Borrowed(_)) {
        return Cow::Borrowed(text);
    }
    let (mut kept, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\u{1b}') {
        let (before, from) = rest.split_at(at);
        kept.push_str(&clean(before));
        let style = style_at(from).unwrap_or_default();
        kept.push_str(style);
        rest = &from[style.len().max(1)..];
    }
    kept.push_str(&clean(rest));
    Cow::Owned(kept)
}

/// The sequence that sets colours and weight, where a text begins with one.
fn style_at(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("\u{1b}[")?;
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == ';' || c == ':'))?;
    rest[end..].starts_with('m').then(|| &text[..end + 3])
}

/// JSON in which nothing is left that a terminal would act on: the same values, with more of them escaped.
pub(crate) fn escape_json(json: String) -> String {
    if matches!(clean(&json), Cow::Borrowed(_)) {
        return json;
    }
    let escape = |c: char| match is_harmful(c) {
        true => format!("\\u{:04x}", u32::from(c)),
        false => c.to_string(),
    };
    json.chars().map(escape).collect()
}

/// So much of a text is shown in a line of a list.
const SHOWN_CHARS_MAX: usize = 300;

/// [`one_line`] in a line of a list, where a long text is cut: `…` stands for the rest.
pub(crate) fn clean_short(text: &str) -> String {
    let room = text.floor_char_boundary(SHOWN_CHARS_MAX * 8);
    cut_line(&one_line(&text[..room]), room < text.len())
}

/// A line, cut to what is shown of it.
fn cut_line(line: &str, has_more: bool) -> String {
    match line.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None if has_more => format!("{line}…"),
        None => line.to_owned(),
    }
}

/// The first lines of a text for a list, each cut, and how many lines are left out.
pub(crate) fn excerpt_lines(text: &str, lines: usize) -> (String, usize) {
    let all: Vec<&str> = text.lines().collect();
    let kept = all.iter().take(lines).map(|line| {
        let room = line.floor_char_boundary(SHOWN_CHARS_MAX * 8);
        cut_line(&line[..room], room < line.len()) + "\n"
    });
    (kept.collect(), all.len().saturating_sub(lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_our_own_lines_colours_stay_and_of_json_every_value() {
        let bold = "\u{1b}[1mbold\u{1b}[0m";
        assert_eq!(of_ours(bold), bold);
        let foreign = format!("{bold} \u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{1b}");
        assert_eq!(of_ours(&foreign), format!("{bold} [2J]0;title31m"));
        assert!(matches!(of_ours("통과\n"), Cow::Borrowed(_)));
        let text = "a\u{1b}b\u{7f}c\u{9b}d\u{202e}e\n통과";
        let json = escape_json(serde_json::to_string(text).unwrap());
        assert!(!json.chars().any(is_harmful), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn a_line_of_a_list_is_one_line_and_cut() {
        assert_eq!(one_line("a b\nno secrets\u{2028}"), "a b?no secrets?");
        assert_eq!(clean_short("a\tb"), "a?b");
        let long = "통과 ".repeat(1_000_000);
        assert_eq!(clean_short(&long).chars().count(), SHOWN_CHARS_MAX + 1);
        assert!(clean_short(&long).ends_with('…') && clean_short(&"\u{7}".repeat(9_000)) == "…");
        let (text, left) = excerpt_lines(&format!("{long}\nb\nc\nd"), 2);
        assert_eq!((text.lines().nth(1), left), (Some("b"), 2));
        assert!(text.len() < 2_000);
    }
}
