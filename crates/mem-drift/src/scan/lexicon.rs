//! All the words that are looked for, and which of them must stand together.

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Match, MatchKind};

use super::marks::Marks;
use super::source::{Comments, SourceKind};

/// More words than this are searched with the slower automaton that needs less memory.
const DENSE_WORDS_MAX: usize = 4_000;

/// Words and groups of words. A group is what an identifier is made of: all its words must stand
/// in one file.
pub(crate) struct Lexicon {
    words: Vec<String>,
    /// Whether words can overlap in a text: no two plain words do, as whole words.
    is_plain: bool,
    automaton: Option<AhoCorasick>,
    /// The words of each group.
    pub(super) groups: Vec<Vec<usize>>,
    /// The groups of each word.
    pub(super) groups_of: Vec<Vec<usize>>,
}

impl Lexicon {
    /// A lexicon of groups, which are known by their place in the list.
    pub(crate) fn new(groups: &[Vec<String>]) -> Self {
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for word in groups.iter().flatten() {
            let next = numbers.len();
            numbers.entry(word).or_insert(next);
        }
        let mut words = vec![String::new(); numbers.len()];
        let mut groups_of = vec![Vec::new(); numbers.len()];
        for (&word, &number) in &numbers {
            word.clone_into(&mut words[number]);
        }
        let number_of = |word: &String| numbers[word.as_str()];
        let groups: Vec<Vec<usize>> = groups
            .iter()
            .map(|group| group.iter().map(number_of).collect())
            .collect();
        for (at, group) in groups.iter().enumerate() {
            for &word in group {
                groups_of[word].push(at);
            }
        }
        Self {
            automaton: build_automaton(&words),
            is_plain: are_plain(&words),
            words,
            groups,
            groups_of,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn words_len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn groups_len(&self) -> usize {
        self.groups.len()
    }

    /// The words of a group: the name comes last, behind the type that holds it.
    pub(crate) fn group_words(&self, group: usize) -> impl Iterator<Item = &str> {
        let words = self.groups.get(group).into_iter().flatten();
        words.filter_map(|&word| self.words.get(word).map(String::as_str))
    }

    /// Notes every whole word of a text: as living code, or as comment and prose.
    pub(crate) fn mark_words(&self, text: &[u8], source: SourceKind, marks: &mut Marks) {
        let comments = match source {
            SourceKind::Code(comments) => Some(comments),
            SourceKind::Prose => None,
            SourceKind::Opaque => return,
        };
        let Some(automaton) = &self.automaton else {
            return;
        };
        let mut note = |found: Match| {
            let word = found.pattern().as_usize();
            if !marks.is_live(word) && is_whole(text, found.start(), found.end(), &self.words[word])
            {
                let is_live =
                    comments.is_some_and(|comments| is_live_code(comments, text, found.start()));
                marks.note_word(word, is_live);
            }
        };
        if self.is_plain {
            automaton.find_iter(text).for_each(&mut note);
        } else {
            automaton.find_overlapping_iter(text).for_each(&mut note);
        }
    }
}

/// Whether all words are made of what identifiers are made of. Then the longest word that starts at a
/// place is the only one that can be whole there, and none that is whole starts within it: such words
/// are found without looking for overlaps, which is faster.
fn are_plain(words: &[String]) -> bool {
    words.iter().all(|word| word.bytes().all(is_part))
}

fn build_automaton(words: &[String]) -> Option<AhoCorasick> {
    let kind = if words.len() <= DENSE_WORDS_MAX {
        AhoCorasickKind::DFA
    } else {
        AhoCorasickKind::ContiguousNFA
    };
    let mut builder = AhoCorasick::builder();
    let matches = match are_plain(words) {
        true => MatchKind::LeftmostLongest,
        false => MatchKind::Standard,
    };
    builder.match_kind(matches).kind(Some(kind));
    builder.build(words).ok().filter(|_| !words.is_empty())
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a match is no part of a longer word. A flag does not end where a dash goes on.
fn is_whole(text: &[u8], start: usize, end: usize, word: &str) -> bool {
    let before = start.checked_sub(1).map(|at| text[at]);
    let after = text.get(end).copied();
    let goes_on = word.contains('-')
        && after == Some(b'-')
        && text.get(end + 1).is_some_and(|&byte| is_part(byte));
    !before.is_some_and(is_part) && !after.is_some_and(is_part) && !goes_on
}

/// Whether the place is code rather than comment.
fn is_live_code(comments: Comments, text: &[u8], at: usize) -> bool {
    let start = text[..at]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |end| end + 1);
    !comments.is_comment(&text[start..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::SymbolPresence;

    #[track_caller]
    fn check(group: &[&str], path: &str, text: &str, expected: SymbolPresence) {
        let group: Vec<String> = group.iter().map(|&word| word.to_owned()).collect();
        let lexicon = Lexicon::new(&[group]);
        let mut marks = Marks::new(&lexicon);
        lexicon.mark_words(
            text.as_bytes(),
            SourceKind::from_path(path.as_bytes()),
            &mut marks,
        );
        marks.end_file(&lexicon, 0);
        assert_eq!(marks.group_presence(0), expected, "{text}");
    }

    #[test]
    fn whole_words_of_code_live() {
        check(&["load_all"], "a.rs", "x.load_all()", SymbolPresence::Live);
        check(
            &["load_all"],
            "a.rs",
            "reload_all() load_all_now",
            SymbolPresence::Absent,
        );
        check(
            &["load_all"],
            "a.rs",
            "// load_all",
            SymbolPresence::Mentioned,
        );
        check(
            &["load_all"],
            "CHANGES.md",
            "load_all",
            SymbolPresence::Mentioned,
        );
        check(
            &["keep-going"],
            "a.py",
            "p.add('--keep-going')",
            SymbolPresence::Live,
        );
        check(
            &["keep-going"],
            "a.py",
            "'--keep-going-now'",
            SymbolPresence::Absent,
        );
    }

    #[test]
    fn the_words_of_a_group_stand_in_one_file() {
        check(
            &["Pool", "acquire"],
            "a.rs",
            "impl Pool { fn acquire() }",
            SymbolPresence::Live,
        );
        check(
            &["Pool", "acquire"],
            "a.rs",
            "impl Pool { }",
            SymbolPresence::Absent,
        );
    }
}
