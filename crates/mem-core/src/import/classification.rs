//! What a part of a file would be as a memory: its type, its name and its description, guessed
//! from its words.

use crate::MemoryType;
use crate::index::hook_line;
use crate::limits::{DESCRIPTION_CHARS_GOOD, IMPORTED_NAME_CHARS_MAX};
use crate::topic::NewTopic;

/// Words of a heading that announce rules.
const RULE_HEADINGS: [&str; 14] = [
    "rule",
    "convention",
    "guideline",
    "style",
    "preference",
    "workflow",
    "practice",
    "polic",
    "standard",
    "instruction",
    "always",
    "never",
    "don't",
    "avoid",
];
/// Words that begin a rule.
const RULE_WORDS: [&str; 12] = [
    "always",
    "never",
    "do not",
    "don't",
    "must",
    "should",
    "use",
    "prefer",
    "avoid",
    "keep",
    "make sure",
    "ensure",
];
/// Words of a heading that announce a person.
const PERSON_HEADINGS: [&str; 4] = ["about me", "who i am", "user profile", "my background"];

/// The type of a section.
pub(super) fn kind(title: &str, text: &str) -> MemoryType {
    let title = title.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| title.contains(word));
    let lines: Vec<String> = text
        .lines()
        .map(|line| plain(line).to_lowercase())
        .filter(|line| !line.is_empty())
        .collect();
    let most = |is: &dyn Fn(&String) -> bool| {
        lines.iter().filter(|line| is(line)).count() * 2 > lines.len()
    };
    if has(&PERSON_HEADINGS) {
        MemoryType::User
    } else if most(&|line| line.contains("://")) {
        MemoryType::Reference
    } else if has(&RULE_HEADINGS)
        || most(&|line| RULE_WORDS.iter().any(|word| line.starts_with(word)))
    {
        MemoryType::Feedback
    } else {
        MemoryType::Project
    }
}

/// A name of one short line.
pub(super) fn name(text: &str) -> String {
    hook_line(&plain(text), IMPORTED_NAME_CHARS_MAX)
}

/// A memory of a part of a file. `None` where there is nothing to call it by.
pub(super) fn topic(kind: MemoryType, name: &str, text: &str) -> Option<NewTopic> {
    let says = first_paragraph(text);
    let name = self::name(name);
    let description = hook_line(
        if says.is_empty() { &name } else { &says },
        DESCRIPTION_CHARS_GOOD,
    );
    let topic = NewTopic::new(kind, &name, &description, text);
    topic.validate().ok().map(|()| topic)
}

/// The first words of a text: headings and code are passed over, one item of a list is enough.
fn first_paragraph(text: &str) -> String {
    let mut words = String::new();
    for line in text.lines().map(str::trim) {
        let is_aside =
            line.starts_with(['#', '@']) || line.starts_with("```") || line.starts_with("~~~");
        let is_item = line.starts_with(['-', '*', '+', '>']);
        match words.is_empty() {
            true if is_aside || !line.chars().any(char::is_alphanumeric) => {}
            true => words = plain(line),
            false if is_aside || is_item || line.is_empty() => break,
            false => {
                words.push(' ');
                words.push_str(&plain(line));
            }
        }
    }
    words
}

/// A line without what Markdown puts around words.
fn plain(line: &str) -> String {
    let line = line
        .trim()
        .trim_start_matches(['-', '*', '+', '>', '#', ' ', '\t']);
    line.replace("**", "").replace("__", "").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_guessed_from_the_words() {
        use MemoryType::{Feedback, Project, Reference, User};
        for (title, text, want) in [
            ("Coding conventions", "Two blanks.", Feedback),
            (
                "Tests",
                "- Never mock\n- **Always** run them\n- x",
                Feedback,
            ),
            ("Links", "- Board: https://example.org/b", Reference),
            ("Release", "Frozen until March.", Project),
            ("About me", "Ten years of Go.", User),
        ] {
            assert_eq!(kind(title, text), want, "{title}");
        }
    }

    #[test]
    fn a_topic_has_a_name_and_a_line() {
        let made = topic(
            MemoryType::Project,
            "**A** x",
            "# X\n```\n- __Real__ text\n  over lines\u{7}\n- more\n",
        )
        .unwrap();
        assert_eq!(
            (made.name.as_str(), made.description.as_str()),
            ("A x", "Real text over lines")
        );
        assert_eq!(
            made.body,
            "# X\n```\n- __Real__ text\n  over lines\u{7}\n- more\n"
        );
        assert_eq!(topic(MemoryType::Project, " ", "x"), None);
        let long = "word ".repeat(500);
        assert!(topic(MemoryType::User, &long, &long).is_some());
    }
}
