//! Writes scalars that YAML 1.1 and 1.2 readers, strict or naive, all understand as the same text.

/// How a scalar is to be quoted where there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// Bare where every reader takes it for the same text, else in double quotes.
    Bare,
    /// In single quotes where that is possible.
    Single,
    /// In double quotes.
    Double,
}

/// A text as one scalar on one line.
pub fn scalar(text: &str, quoting: Quoting) -> String {
    match quoting {
        Quoting::Bare if is_bare_safe(text) => text.to_owned(),
        Quoting::Single if !text.chars().any(needs_escape) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => double_quoted(text),
    }
}

/// Texts as a list in brackets.
pub fn flow_list<S: AsRef<str>>(items: &[S]) -> String {
    let items: Vec<String> = items
        .iter()
        .map(|item| item_scalar(item.as_ref()))
        .collect();
    format!("[{}]", items.join(", "))
}

/// A text as an item of a list, in brackets or on a line of its own.
pub fn item_scalar(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ' ');
    let quoting = if text.chars().all(word) {
        Quoting::Bare
    } else {
        Quoting::Double
    };
    scalar(text, quoting)
}

fn double_quoted(text: &str) -> String {
    use std::fmt::Write as _;

    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if needs_escape(c) && u32::from(c) <= 0xff => {
                let _ = write!(out, "\\x{:02x}", u32::from(c));
            }
            c if needs_escape(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that YAML forbids, or reads as line breaks, or that nobody would see.
fn needs_escape(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        )
}

/// Whether a bare scalar says just this text to every reader.
fn is_bare_safe(text: &str) -> bool {
    let edge = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    text.chars().next().is_some_and(char::is_alphanumeric)
        && edge(text.chars().next_back())
        && !text.ends_with(':')
        && !text.contains(": ")
        && !text.contains(" #")
        && !text
            .chars()
            .any(|c| needs_escape(c) || (c.is_whitespace() && c != ' '))
        && !is_special_word(text)
        && !is_number_like(text)
}

/// The words that YAML 1.1 or 1.2 read as something other than text.
fn is_special_word(text: &str) -> bool {
    [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf",
    ]
    .iter()
    .any(|word| text.eq_ignore_ascii_case(word))
}

/// Numbers, dates, times and whatever else some reader may compute with.
fn is_number_like(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| {
            c.is_ascii_hexdigit()
                || "xXoO_.,:+- tTzZ".contains(c)
                || !c.is_ascii() && c.is_numeric()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_another_meaning_are_quoted() {
        for text in [
            "no",
            "Yes",
            "ON",
            "~",
            "null",
            "12",
            "1.5e3",
            "0x1f",
            "2026-11-20",
            "12:30:45",
            "1_000",
            " a",
            "a ",
            "",
            "a: b",
            "a #b",
            "a:",
            "- a",
            "[a",
            "*a",
            "!a",
            "@a",
            "'a",
        ] {
            let written = scalar(text, Quoting::Bare);
            assert!(written.starts_with('"'), "{text:?} was written {written}");
        }
        for text in [
            "a",
            "No mocks",
            "v1.2 of x",
            "한글 — b",
            "see \"x\" there",
            "C#",
        ] {
            assert_eq!(scalar(text, Quoting::Bare), text);
        }
    }

    #[test]
    fn quoting_is_kept_where_it_can_be() {
        assert_eq!(scalar("it's", Quoting::Single), "'it''s'");
        assert_eq!(scalar("a\u{7}", Quoting::Single), "\"a\\x07\"");
        assert_eq!(scalar("a", Quoting::Double), "\"a\"");
        assert_eq!(
            flow_list(&["a", "b c", "no", "x,y"]),
            r#"[a, b c, "no", "x,y"]"#
        );
    }
}
