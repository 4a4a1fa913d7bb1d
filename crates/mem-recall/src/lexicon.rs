//! The lists of words by which sentences are read. They are data of `templates/statements`, one file for each language,
//! and every reader of sentences asks here.
//!
//! ```text
//! # Of these one thing is true at a time.
//! [single]                            a list: all up to the next one
//! is are_about                        words between blanks; `_` is a blank within one
//! [ends]
//! opens: opens open | closes close    a group, by its name; the same name in another language is the same group
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use crate::text::{fold_word, is_unspaced};

const FILES: [&str; 8] = [
    mem_templates::STATEMENTS_EN,
    mem_templates::STATEMENTS_DE,
    mem_templates::STATEMENTS_ES,
    mem_templates::STATEMENTS_FR,
    mem_templates::STATEMENTS_RU,
    mem_templates::STATEMENTS_ZH,
    mem_templates::STATEMENTS_JA,
    mem_templates::STATEMENTS_KO,
];

/// The lines of each list, over all languages.
static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    for file in FILES {
        let mut name = "";
        for line in file.lines() {
            let inner = line.strip_prefix('[');
            if let Some(found) = inner.and_then(|line| line.strip_suffix(']')) {
                name = found;
            } else if !line.is_empty() && !line.starts_with('#') {
                lists.entry(name).or_default().push(line);
            }
        }
    }
    lists
});

fn list_lines(name: &str) -> &[&'static str] {
    let lines = LISTS.get(name).map(Vec::as_slice);
    debug_assert!(lines.is_some(), "there is no list `{name}`");
    lines.unwrap_or_default()
}

fn line_words(line: &str) -> impl Iterator<Item = String> {
    line.split_whitespace().map(|word| word.replace('_', " "))
}

/// The words of a list, in their order.
pub fn list_words(name: &str) -> impl Iterator<Item = String> {
    list_lines(name).iter().flat_map(|line| line_words(line))
}

/// Which words of a list count, and in which form.
#[derive(Debug)]
enum Form {
    AsWritten,
    Folded,
    Unspaced,
}

/// One or more lists, each word of which is found at once: every word of every statement is looked up.
#[derive(Debug)]
pub struct WordList {
    names: &'static [&'static str],
    form: Form,
    words: OnceLock<HashSet<String>>,
}

impl WordList {
    /// The words of these lists, in small letters.
    pub const fn of(names: &'static [&'static str]) -> Self {
        Self::in_form(names, Form::AsWritten)
    }

    /// The same without accents.
    pub const fn folded(names: &'static [&'static str]) -> Self {
        Self::in_form(names, Form::Folded)
    }

    /// Of these lists the words of scripts without spaces, which may be looked for in the middle of others.
    pub const fn unspaced(names: &'static [&'static str]) -> Self {
        Self::in_form(names, Form::Unspaced)
    }

    const fn in_form(names: &'static [&'static str], form: Form) -> Self {
        Self {
            names,
            form,
            words: OnceLock::new(),
        }
    }

    /// Whether a word is one of these.
    pub fn contains(&self, word: &str) -> bool {
        self.words().contains(word)
    }

    /// Whether a text has one of these anywhere.
    pub fn is_within(&self, text: &str) -> bool {
        self.words().iter().any(|word| text.contains(word.as_str()))
    }

    /// How many bytes the longest of these has that a text begins with.
    pub fn prefix_len(&self, text: &str) -> Option<usize> {
        let begun = self.words().iter().filter(|word| text.starts_with(*word));
        begun.map(String::len).max()
    }

    /// A text without the longest of these that it ends with; `None` where it ends with none.
    pub fn strip_end<'t>(&self, text: &'t str) -> Option<&'t str> {
        let lower = text.to_lowercase();
        let ends = self.words().iter().filter(|word| lower.ends_with(*word));
        let length = ends.map(String::len).max()?;
        text.get(..text.len().checked_sub(length)?)
    }

    /// The words, in no order.
    pub fn words(&self) -> &HashSet<String> {
        self.words.get_or_init(|| {
            let words = self.names.iter().flat_map(|name| list_words(name));
            match self.form {
                Form::AsWritten => words.collect(),
                Form::Folded => words.map(|word| fold_text(&word)).collect(),
                Form::Unspaced => words.filter(|word| word.contains(is_unspaced)).collect(),
            }
        })
    }
}

fn fold_text(text: &str) -> String {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    low
}

/// The place of a word in the groups of a list: the group, and the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupSide {
    /// The name of the group.
    pub group: &'static str,
    /// Whether it is before the `|`.
    pub is_first: bool,
}

impl GroupSide {
    /// Whether another is the other side of the same group.
    pub fn is_opposed(self, other: Self) -> bool {
        self.group == other.group && self.is_first != other.is_first
    }
}

/// A list of groups: words that say the same, or on two sides the contrary.
#[derive(Debug)]
pub struct WordGroups {
    name: &'static str,
    sides: OnceLock<HashMap<String, Vec<GroupSide>>>,
}

impl WordGroups {
    /// The groups of a list.
    pub const fn of(name: &'static str) -> Self {
        Self {
            name,
            sides: OnceLock::new(),
        }
    }

    /// Where a word stands.
    pub fn sides_of(&self, word: &str) -> &[GroupSide] {
        let sides = self.sides.get_or_init(|| {
            let mut sides: HashMap<String, Vec<GroupSide>> = HashMap::new();
            for (side, word) in group_words(self.name) {
                sides.entry(word).or_default().push(side);
            }
            sides
        });
        sides.get(word).map_or(&[], Vec::as_slice)
    }

    /// Whether a text has a word of each side of one group.
    pub fn has_both_sides(&self, text: &str) -> bool {
        let words = group_words(self.name).filter(|(_, word)| text.contains(word.as_str()));
        let sides: Vec<GroupSide> = words.map(|(side, _)| side).collect();
        let mut first = sides.iter().filter(|side| side.is_first);
        first.any(|side| sides.iter().any(|other| side.is_opposed(*other)))
    }

    /// Whether one word says the contrary of another.
    pub fn are_opposed(&self, one: &str, other: &str) -> bool {
        let others = self.sides_of(other);
        let mut sides = self.sides_of(one).iter();
        sides.any(|side| others.iter().any(|other| side.is_opposed(*other)))
    }
}

/// The words of all groups of a list, each with where it stands.
fn group_words(name: &str) -> impl Iterator<Item = (GroupSide, String)> {
    list_lines(name).iter().flat_map(|line| {
        let (group, words) = line.split_once(": ").unwrap_or((line, ""));
        let (first, second) = words.split_once('|').unwrap_or((words, ""));
        [(first, true), (second, false)]
            .into_iter()
            .flat_map(move |(words, is_first)| {
                line_words(words).map(move |word| (GroupSide { group, is_first }, word))
            })
    })
}

/// Rows of words, each with what it means; a longer row is found before one that it begins with.
#[derive(Debug)]
pub struct WordRows<T>(HashMap<String, Vec<(Vec<String>, T)>>);

impl<T: Copy> WordRows<T> {
    /// The rows of lists, each of which means one thing.
    pub fn from_lists(lists: &[(&str, T)]) -> Self {
        let all = lists.iter();
        Self::from_rows(all.flat_map(|(name, meaning)| list_words(name).map(|row| (row, *meaning))))
    }

    fn from_rows(all: impl Iterator<Item = (String, T)>) -> Self {
        let mut rows: HashMap<String, Vec<(Vec<String>, T)>> = HashMap::new();
        for (row, meaning) in all {
            // A blank in Korean stands within what is found as one word.
            let words: Vec<String> = match row.contains(is_unspaced) {
                true => vec![row],
                false => row.split(' ').map(str::to_owned).collect(),
            };
            let first = words.first().cloned().unwrap_or_default();
            rows.entry(first).or_default().push((words, meaning));
        }
        for rows in rows.values_mut() {
            rows.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Self(rows)
    }

    /// What the words here begin with means, and how many words that is.
    pub fn find_row(&self, words: &[String]) -> Option<(T, usize)> {
        let rows = self.0.get(words.first()?)?;
        let (row, meaning) = rows.iter().find(|(row, _)| words.starts_with(row))?;
        Some((*meaning, row.len()))
    }
}

impl WordRows<&'static str> {
    /// The rows of a list of groups, each of which means the name of its group.
    pub fn from_groups(name: &str) -> Self {
        Self::from_rows(group_words(name).map(|(side, row)| (row, side.group)))
    }

    /// What the words end with means, and how many words that is.
    pub fn find_end(&self, words: &[&str]) -> Option<(&'static str, usize)> {
        (0..words.len()).find_map(|at| {
            let rows = self.0.get(words[at])?;
            let (row, meaning) = rows.iter().find(|(row, _)| words[at..] == row[..])?;
            Some((*meaning, row.len()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_rows_and_groups_are_read_from_every_language() {
        static DEFINITE: WordList = WordList::of(&["definite"]);
        static FOLDED: WordList = WordList::folded(&["not"]);
        static ENDS: WordGroups = WordGroups::of("ends");
        assert!(DEFINITE.contains("the") && DEFINITE.contains("los") && !DEFINITE.contains("a"));
        assert!(FOLDED.contains("jamas") && !FOLDED.contains("jamás"));
        assert!(ENDS.are_opposed("opens", "closes") && ENDS.are_opposed("schließt", "öffnet"));
        assert!(!ENDS.are_opposed("opens", "ends") && !ENDS.are_opposed("opens", "open"));
        let rows = WordRows::from_lists(&[("not", 1), ("ceased", 2)]);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(rows.find_row(&words("no tabs")), Some((1, 1)));
        assert_eq!(rows.find_row(&words("no longer tabs")), Some((2, 2)));
        assert_eq!(rows.find_row(&words("tabs")), None);
        let states = WordRows::from_groups("state_rows");
        assert_eq!(
            states.find_end(&["is", "in", "progress"]),
            Some(("ongoing", 2))
        );
    }
}
