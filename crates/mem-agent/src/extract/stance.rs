//! For and against what somebody spoke: a model's words may not be for what the person is against.
//!
//! Clause by clause, the words that tell something are taken as wanted or unwanted, by the words of negation beside
//! them. This is coarse, and where it errs the person's own words stand instead.

use std::collections::BTreeSet;

use mem_recall::versus::{are_opposed, denial};

use super::known;

/// What follows one of these is unwanted, and what goes before is not; so it is behind `without`.
const ASIDE: [&str; 4] = ["instead", "than", "statt", "anstatt"];
/// One of these makes all of its clause unwanted.
const ALL: [&str; 8] = [
    "off limits",
    "off-limits",
    "not allowed",
    "no longer",
    "no more",
    "deprecated",
    " nicht ",
    " pas ",
];
/// Behind an "and" they say that what was unwanted before ends here.
const WANTED: &str =
    "always use do only instead rather prefer take keep immer nutze nimm nur lieber stattdessen";
/// Words that are for or against nothing by themselves.
const LIGHT: &str = "without instead than before after when then they them because from only also just here every each \
                     into more other please where what which while limits forbidden prohibited allowed banned ohne \
                     statt avoid stop skip disable ignore nobody nothing nicht kein keine wenn dann auch hier jede \
                     jeder pour dans avec para como can cannot";
/// Of two that say the contrary, a text has the one that was said; there are more in [`are_opposed()`].
const CONTRARY: [(&str, &str); 5] = [
    ("always", "never"),
    ("allow", "forbid"),
    ("more", "less"),
    ("immer", "nie"),
    ("mindestens", "höchstens"),
];
/// What ends a clause.
const MARKS: [char; 13] = [
    '.', ',', ';', ':', '!', '?', '\n', '(', ')', '。', '，', '；', '、',
];
/// Two words that begin alike so far are forms of one.
const STEM_CHARS_MIN: usize = 4;

/// What somebody wants, and what not, by the beginnings of words.
#[derive(Debug, Default)]
pub(super) struct Stance {
    wanted: BTreeSet<String>,
    unwanted: BTreeSet<String>,
    words: BTreeSet<String>,
}

impl Stance {
    /// Of what was said.
    pub(super) fn from_text(text: &str) -> Self {
        let mut stance = Self::default();
        let low = text.to_lowercase().replace('’', "'");
        for clause in low.split(MARKS) {
            let mut is_carried = false;
            for part in split_conjuncts(clause) {
                is_carried = stance.take_part(&part, is_carried);
            }
        }
        stance.words = words_of(&low).map(str::to_owned).collect();
        stance
    }

    /// Whether a text wants what this does not, or the other way around.
    pub(super) fn is_against(&self, text: &str) -> bool {
        let other = Self::from_text(text);
        let differs = |words: &BTreeSet<String>,
                       besides: &BTreeSet<String>,
                       here: &BTreeSet<String>,
                       there: &BTreeSet<String>| {
            let mut words = words.iter().filter(|word| !has_word_form(besides, word));
            words.any(|word| !has_word_form(here, word) && has_word_form(there, word))
        };
        differs(&other.wanted, &other.unwanted, &self.wanted, &self.unwanted)
            || differs(&other.unwanted, &other.wanted, &self.unwanted, &self.wanted)
            || self.is_turned(&other)
    }

    /// Whether a word of the other is the contrary of one here.
    fn is_turned(&self, other: &Self) -> bool {
        let own = |word: &&String| !self.words.contains(*word);
        other.words.iter().filter(own).any(|word| {
            let mut said = self.words.iter();
            said.any(|said| are_contrary(word, said) || are_opposed(word, said))
        })
    }

    /// Takes in a part of a clause. Says whether what an "and" joins to it is unwanted too.
    fn take_part(&mut self, part: &str, is_carried: bool) -> bool {
        let begins_anew = || words_of(part).any(|word| is_in(WANTED, word));
        if is_unwanted(part) {
            self.unwanted.extend(telling_words(part));
            return true;
        }
        let mut before = String::new();
        let (mut aside, mut against) = (false, is_carried && !begins_anew());
        let (mut wanted, mut unwanted) = (String::new(), String::new());
        for word in part.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if is_aside(bare) {
                aside = true;
            } else if is_no(bare) {
                against = true;
            } else {
                let into: &mut [&mut String] = match (against, aside) {
                    (true, true) => &mut [&mut wanted, &mut unwanted],
                    (false, true) | (true, false) => &mut [&mut unwanted],
                    (false, false) => &mut [&mut before],
                };
                for text in into {
                    text.push_str(word);
                    text.push(' ');
                }
            }
        }
        if against {
            self.unwanted.extend(telling_words(&before));
        }
        self.wanted.extend(telling_words(&before));
        self.wanted.extend(telling_words(&wanted));
        self.unwanted.extend(telling_words(&unwanted));
        against
    }
}

/// The words of a text that tell something, as far as somebody said them, and all.
pub(super) fn count_shared_words(text: &str, said: &BTreeSet<String>) -> (usize, usize) {
    let words: BTreeSet<String> = telling_words(text).collect();
    (
        words
            .iter()
            .filter(|word| has_word_form(said, word))
            .count(),
        words.len(),
    )
}

/// Whether words say no to what follows them.
pub(super) fn is_denial(text: &str) -> bool {
    // A contraction that was taken apart leaves its end.
    words_of(text).any(|word| is_no(word) || is_aside(word) || word == "don")
}

/// A sentence by its clauses.
pub(super) fn split_clauses(sentence: &str) -> impl Iterator<Item = String> {
    let low = sentence.to_lowercase();
    let all: Vec<String> = low.split(MARKS).flat_map(split_conjuncts).collect();
    all.into_iter()
}

/// What an "and" or a "but" joins.
fn split_conjuncts(clause: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    for word in clause.split_whitespace() {
        match word {
            "and" | "but" | "und" | "aber" | "sondern" | "et" | "mais" | "y" | "pero"
            | "because" | "since" | "weil" => parts.push(String::new()),
            _ => {
                if let Some(part) = parts.last_mut() {
                    part.push_str(word);
                    part.push(' ');
                }
            }
        }
    }
    parts
}

fn telling_words(text: &str) -> impl Iterator<Item = String> {
    known::word_stems(text).into_iter().filter(|word| {
        !LIGHT
            .split_whitespace()
            .any(|light| light.chars().take(6).eq(word.chars()))
    })
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Whether a whole clause says what is not wanted.
fn is_unwanted(part: &str) -> bool {
    let spaced = format!(" {part} ");
    ALL.iter().any(|mark| spaced.contains(mark))
        || words_of(part).any(|word| is_in(denial::BARRED, word))
        || denial::unspaced::may_say_no(part)
}

fn is_no(word: &str) -> bool {
    !is_in(denial::WITHOUT, word)
        && (denial::says_no(word) || is_in(denial::REFUSE, word) || word == "ne")
}

fn is_aside(word: &str) -> bool {
    is_in(denial::WITHOUT, word) || ASIDE.contains(&word)
}

fn are_contrary(one: &str, other: &str) -> bool {
    CONTRARY.contains(&(one, other)) || CONTRARY.contains(&(other, one))
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

fn has_word_form(set: &BTreeSet<String>, word: &str) -> bool {
    set.contains(word)
        || set.iter().any(|other| {
            let (short, long) = if word.len() < other.len() {
                (word, other.as_str())
            } else {
                (other.as_str(), word)
            };
            long.starts_with(short) && short.chars().count() >= STEM_CHARS_MIN
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_a_meaning_around_is_told_from_what_keeps_it() {
        for (said, turned, kept) in [
            (
                "From now on always run the tests before pushing, we broke main.",
                "Do not run the tests before pushing.",
                "Always run the tests before a push.",
            ),
            (
                "From now on always run the tests before pushing",
                "Run the tests after pushing",
                "Tests are run before each push",
            ),
            (
                "Never touch the billing tables without asking me, auditors watch them.",
                "Always touch the billing tables without asking.",
                "Don't touch the billing tables without asking.",
            ),
            (
                "Please use pnpm and never npm here, the lock file breaks.",
                "Use npm, never pnpm.",
                "Use pnpm, never npm.",
            ),
            (
                "Always use the staging cluster for tests, production is off limits.",
                "Use the production cluster for tests.",
                "Tests use the staging cluster, production is off limits",
            ),
            (
                "From now on always lint before committing",
                "Never lint before committing",
                "Lint before committing",
            ),
            (
                "Please always ask for a review before merging schema changes.",
                "Skip every review",
                "Ask for a review before schema changes are merged",
            ),
            (
                "Never push and merge on Fridays",
                "Merge on Fridays",
                "Never merge on Fridays",
            ),
            (
                "Bitte die Datenbank in Tests nicht mocken",
                "In Tests die Datenbank mocken",
                "Datenbank in Tests nie mocken",
            ),
            (
                "Use tabs instead of spaces",
                "Use spaces instead of tabs",
                "Tabs, not spaces",
            ),
            ("测试里不要模拟数据库", "模拟数据库", "不要模拟数据库"),
        ] {
            assert!(
                Stance::from_text(said).is_against(turned),
                "{said} / {turned}"
            );
            assert!(
                !Stance::from_text(said).is_against(kept),
                "{said} / {kept}: {:?}",
                Stance::from_text(said)
            );
        }
    }
}
