//! What is distilled: one thing that somebody wrote down, where, and on which day.

use std::borrow::Cow;

use jiff::civil::Date;
use mem_core::history::Sha256;
use mem_secrets::redacted;
use serde::Serialize;

use crate::dates::replace_dates;
use crate::session::notes::SessionNotes;

/// A longer text is no one thing; its beginning is taken.
const TEXT_BYTES_MAX: usize = 2_000;
/// The section of a session's notes that holds what outlives the session. What failed does not, and what the person
/// corrected is for extraction, which reads their own words.
const LASTING_SECTION: &str = "Learnings";

/// Where something stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Source {
    /// The file, or the entry of the inbox, as a person names it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The day that it was written on, `YYYY-MM-DD`.
    pub date: String,
}

/// One thing that was written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bullet {
    /// On one line, with days for words that mean days.
    pub text: String,
    /// The day that it was written on.
    pub date: Date,
    /// Where it stands.
    pub source: Source,
    /// Whether it holds a secret, which is in nothing that is made of it.
    pub is_secret: bool,
}

/// The bullets of a file, and how many of its lines are neither bullets nor parts of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bullets {
    /// In the order of the file.
    pub bullets: Vec<Bullet>,
    /// The first line that is no bullet, and how many there are.
    pub strange: Option<(usize, usize)>,
}

impl Bullet {
    /// A text of a day; `None` where nothing is said.
    pub fn new(text: &str, date: Date, file: &str, line: usize) -> Option<Self> {
        let text = one_line(&text[..text.floor_char_boundary(TEXT_BYTES_MAX)]);
        if text.is_empty() {
            return None;
        }
        let source = Source {
            file: file.to_owned(),
            line,
            date: date.to_string(),
        };
        let is_secret = redacted(&text) != text;
        let text = replace_dates(&text, date);
        Some(Self {
            text,
            date,
            source,
            is_secret,
        })
    }

    /// By what it is known again: a digest, since nothing of a text is kept where it is remembered.
    pub fn content_digest(&self) -> String {
        let key = format!("{}\n{}", self.source.file, self.text);
        Sha256::digest(key.as_bytes()).to_string()[..16].to_owned()
    }
}

/// The bullets of a daily log. A line that is indented goes on with the bullet above it; any other
/// that is neither bullet nor heading is no part of it, and is counted.
pub fn of_log(text: &str, date: Date, file: &str) -> Bullets {
    // Some editors begin a file with a mark of its encoding.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    gather_bullets(lines, date, file)
}

/// The bullets of a session's notes that are worth more than the session.
pub fn of_session(text: &str, date: Date, file: &str) -> Bullets {
    let mut all = Bullets::default();
    let mut before = SessionNotes::parse(text).preamble.lines().count();
    for section in SessionNotes::parse(text).sections {
        let head = section.head.lines().count();
        if section.title == LASTING_SECTION {
            let first = before + head + 1;
            let lines = section.body.lines().enumerate();
            let lines = lines.map(|(at, line)| (first + at, line));
            all.bullets
                .extend(gather_bullets(lines, date, file).bullets);
        }
        before += head + section.body.lines().count();
    }
    all
}

fn gather_bullets<'t>(
    lines: impl Iterator<Item = (usize, &'t str)>,
    date: Date,
    file: &str,
) -> Bullets {
    let mut found = Bullets::default();
    let mut open: Option<(usize, String)> = None;
    let close = |open: Option<(usize, String)>, found: &mut Bullets| {
        let bullet = open.and_then(|(line, text)| Bullet::new(&text, date, file, line));
        found.bullets.extend(bullet);
    };
    for (number, line) in lines {
        let marked = ["- ", "* ", "+ "]
            .iter()
            .find_map(|mark| line.strip_prefix(mark));
        if let Some(text) = marked {
            close(open.take(), &mut found);
            open = Some((number, without_time(text).to_owned()));
        } else if let (Some((_, text)), true) = (&mut open, goes_on(line)) {
            text.push(' ');
            text.push_str(line.trim());
        } else if !line.trim().is_empty() {
            close(open.take(), &mut found);
            if !line.starts_with('#') {
                let (first, count) = found.strange.unwrap_or((number, 0));
                found.strange = Some((first, count + 1));
            }
        }
    }
    close(open, &mut found);
    found
}

/// Whether a line goes on with what stands above it.
fn goes_on(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t'])
}

/// `09:30 text` -> the text.
fn without_time(text: &str) -> &str {
    match text.trim_start().split_once(' ') {
        Some((word, rest)) if clock_validity(word) == Some(true) => rest,
        _ => text,
    }
}

/// Whether a word is a time of day; nothing where it is not even written as one.
pub(super) fn clock_validity(word: &str) -> Option<bool> {
    let word = word.trim_matches(|c| matches!(c, '[' | ']' | '(' | ')' | '*'));
    let (hour, rest) = word.split_once(':')?;
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_written = matches!(hour.len(), 1 | 2)
        && is_digits(hour)
        && rest
            .split(':')
            .all(|part| part.len() == 2 && is_digits(part));
    let parts = word.split(':').filter(|_| is_written);
    let parts: Vec<u8> = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts.as_slice() {
        [hour, rest @ ..] if (1..=2).contains(&rest.len()) => {
            Some(*hour < 24 && rest.iter().all(|part| *part < 60))
        }
        _ => None,
    }
}

/// White space and control characters become single blanks; the colours of a terminal go.
pub(super) fn one_line(text: &str) -> String {
    let plain = strip_colors(text);
    let words = plain.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The text without `ESC [ 31 m` and its like.
fn strip_colors(text: &str) -> Cow<'_, str> {
    const ESCAPE: &str = "\u{1b}[";
    let Some((before, mut rest)) = text.split_once(ESCAPE) else {
        return Cow::Borrowed(text);
    };
    let mut plain = before.to_owned();
    loop {
        let code = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?'));
        rest = code
            .strip_prefix(|c: char| c.is_ascii_alphabetic())
            .unwrap_or(code);
        match rest.split_once(ESCAPE) {
            Some((before, after)) => {
                plain.push_str(before);
                rest = after;
            }
            None => {
                plain.push_str(rest);
                return Cow::Owned(plain);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_encodings_and_colours_are_no_text() {
        let date = "2026-03-04".parse().unwrap();
        let log = "\u{feff}- 09:00 Use bun\r\n- \u{1b}[1;31mred\u{1b}[0m alert \u{1b}[\r\n";
        let found = of_log(log, date, "l.md");
        let texts: Vec<&str> = found.bullets.iter().map(|one| &*one.text).collect();
        assert_eq!(texts, ["Use bun", "red alert"]);
        assert_eq!(found.strange, None);
    }

    #[test]
    fn bullets_are_read_with_their_lines_and_what_is_none_is_counted() {
        let text = "# 2026-03-04\n\n- 09:05 one\n  goes on\n\n* two tomorrow\nno bullet\n- \n  \nnor this\n- 10:00:01 three\n";
        let found = of_log(text, "2026-03-04".parse().unwrap(), "logs/x.md");
        let shown: Vec<_> = found
            .bullets
            .iter()
            .map(|one| (one.source.line, one.text.as_str()))
            .collect();
        assert_eq!(
            shown,
            [(3, "one goes on"), (6, "two 2026-03-05"), (11, "three")]
        );
        assert_eq!(found.strange, Some((7, 2)));
    }

    #[test]
    fn of_a_session_only_what_lasts_is_taken() {
        let text = "# Current State\n_g_\n- now\n\n# Errors & Corrections\n- `make` failed: 2\n# Learnings\n_what worked_\n\n- Use bun\n# Worklog\n- did it\n";
        let found = of_session(text, "2026-03-04".parse().unwrap(), "s.md");
        let texts: Vec<_> = found
            .bullets
            .iter()
            .map(|one| (one.source.line, &*one.text))
            .collect();
        assert_eq!(texts, [(10, "Use bun")]);
    }

    #[test]
    fn a_secret_is_seen() {
        let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
        let date = "2026-03-04".parse().unwrap();
        let bullet = Bullet::new(&format!("the token is {token}"), date, "l.md", 1).unwrap();
        assert!(bullet.is_secret);
        assert!(!Bullet::new("plain", date, "l.md", 1).unwrap().is_secret);
    }
}
