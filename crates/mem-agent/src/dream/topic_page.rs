//! A topic file that a distillation wrote: statements with their days, and what each one replaced.
//!
//! ```text
//! - The payments owner is Bob (2026-02-10)
//!   Before: "The payments owner is Alice" (2026-01-05)
//! ```
//!
//! A file that holds anything else was edited by somebody, and is theirs: it is never written anew.

use std::fmt::Write as _;

use jiff::civil::Date;
use mem_core::MemoryType;
use mem_core::compact_sort::CompactSort as _;

use crate::title::{capitalized, words_only};

/// The tag of such a file.
pub(super) const TAG: &str = "distilled";
/// A title has at most so many characters.
const TITLE_CHARS_MAX: usize = 60;
/// A description has at most so many characters.
const DESCRIPTION_CHARS_MAX: usize = 180;

const BEFORE: &str = "  Before: \"";

/// One thing that holds, since a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    /// On one line.
    pub(super) text: String,
    /// The day it was written down.
    pub(super) date: Date,
    /// What it replaced, and of which day that was.
    pub(super) before: Option<(String, Date)>,
}

/// What such a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Page {
    /// The title.
    pub(super) title: String,
    /// The type.
    pub(super) kind: MemoryType,
    /// What holds.
    pub(super) statements: Vec<Statement>,
}

impl Page {
    /// The Markdown below the frontmatter.
    pub(super) fn render_body(&self) -> String {
        let mut body = String::new();
        for one in &self.statements {
            // Writing into a string cannot fail.
            let _ = writeln!(body, "- {} ({})", one.text, one.date);
            if let Some((text, date)) = &one.before {
                let _ = writeln!(body, "{BEFORE}{text}\" ({date})");
            }
        }
        body
    }

    /// The line that a selector reads: what holds. Where the title says all of that, since when it does.
    pub(super) fn describe_page(&self) -> String {
        let line = self.summary_line();
        let is_title = words_only(&line) == words_only(&self.title);
        match self.statements.first().filter(|_| is_title) {
            Some(one) => format!("{line} (since {})", one.date),
            None => line,
        }
    }

    /// What holds, the newest first, as far as there is room.
    pub(super) fn summary_line(&self) -> String {
        let mut newest: Vec<&Statement> = self.statements.iter().collect();
        newest.compact_sort_by_key(|one| std::cmp::Reverse(one.date));
        let mut line = String::new();
        for one in newest {
            let more = line.chars().count() + one.text.chars().count() + 2;
            if !line.is_empty() && more > DESCRIPTION_CHARS_MAX {
                break;
            }
            if !line.is_empty() {
                line.push_str("; ");
            }
            line.push_str(one.text.trim_end_matches(['.', ';']));
        }
        cut_text(&line, DESCRIPTION_CHARS_MAX)
    }
}

/// Reads the body of such a file; nothing where it holds anything else.
pub(super) fn read(body: &str) -> Option<Vec<Statement>> {
    let mut statements: Vec<Statement> = Vec::new();
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(rest) = line.strip_prefix(BEFORE) {
            let (quote, date) = split_date(rest)?;
            let last = statements.last_mut()?;
            last.before = Some((quote.strip_suffix('"')?.to_owned(), date));
        } else {
            let (text, date) = split_date(line.strip_prefix("- ")?)?;
            statements.push(Statement {
                text: text.to_owned(),
                date,
                before: None,
            });
        }
    }
    (!statements.is_empty()).then_some(statements)
}

/// `text (2026-01-31)` -> both.
fn split_date(line: &str) -> Option<(&str, Date)> {
    let (text, rest) = line.rsplit_once(" (")?;
    let date = rest.strip_suffix(')')?.parse().ok()?;
    Some((text, date))
}

/// A title for a statement: what it is about where that is said in front, else how it begins.
pub(super) fn statement_title(text: &str) -> String {
    let text = text.trim_end_matches(['.', '!', ';']);
    let (label, rest) = match text.split_once(": ") {
        Some((label, rest)) if label.len() <= TITLE_CHARS_MAX => (label, rest),
        _ => ("", text),
    };
    let is_kind = super::words::LABELS
        .words()
        .iter()
        .chain(super::words::CORRECTIONS.words())
        .any(|word| label.eq_ignore_ascii_case(word));
    let named = if label.is_empty() || is_kind {
        rest
    } else {
        label
    };
    let mut words: Vec<&str> = named.split_whitespace().collect();
    let ties = |word: &&str| *word == "will" || super::words::IS.contains(&word.to_lowercase());
    let is_long = |at: usize| words[..at].iter().map(|word| word.len()).sum::<usize>() > 5;
    if let Some(at) = words.iter().position(ties).filter(|at| is_long(*at)) {
        words.truncate(at);
    }
    if words.len() > 1 && ["the", "our", "a"].contains(&words[0].to_lowercase().as_str()) {
        words.remove(0);
    }
    let joined = words.join(" ");
    cut_text(&capitalized(&joined), TITLE_CHARS_MAX)
}

/// The beginning, cut between words where one is near.
fn cut_text(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let start: String = text.chars().take(max.saturating_sub(1)).collect();
    let end = start.rfind(' ').filter(|at| at * 2 > start.len());
    let start = &start[..end.unwrap_or(start.len())];
    format!("{}…", start.trim_end_matches([' ', ',', ';', ':', '-']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_back_and_an_edited_one_is_none() {
        let date: Date = "2026-02-10".parse().unwrap();
        let page = Page {
            title: "Payments owner".to_owned(),
            kind: MemoryType::Project,
            statements: vec![
                Statement {
                    text: "The owner (of payments) is \"Bob\"".to_owned(),
                    date,
                    before: Some(("It was \"Al\" (x)".to_owned(), date)),
                },
                Statement {
                    text: "And more".to_owned(),
                    date,
                    before: None,
                },
            ],
        };
        assert_eq!(read(&page.render_body()), Some(page.statements.clone()));
        assert_eq!(
            read(&format!("{}\nmy own words\n", page.render_body())),
            None
        );
        assert_eq!(read(""), None);
        assert_eq!(
            page.describe_page(),
            "The owner (of payments) is \"Bob\"; And more"
        );
    }

    #[test]
    fn titles_say_what_it_is_about() {
        for (text, want) in [
            ("The payments owner is Bob.", "Payments owner"),
            ("Decision: use bun for installs", "Use bun for installs"),
            ("Deploy window: Tuesdays", "Deploy window"),
            ("It is so", "It is so"),
        ] {
            assert_eq!(statement_title(text), want);
        }
        assert!(statement_title(&"word ".repeat(40)).chars().count() <= TITLE_CHARS_MAX);
    }
}
