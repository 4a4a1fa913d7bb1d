//! For and against what somebody spoke: a model's words may not be for what the person is against.
//!
//! Clause by clause, the words that tell something are taken as wanted or unwanted, by the words of negation beside
//! them. This is coarse, and where it errs the person's own words stand instead.

use std::collections::BTreeSet;

use super::known;

/// What follows one of these in its clause is unwanted; what goes before may be either.
const NO: &str = "not never no dont cannot nor none nobody nothing neither avoid stop skip disable ignore refuse drop \
                  except unless nie niemals kein keine keinen keinem keiner keinerlei niemand nichts vermeide ne jamais \
                  aucun aucune évite evite nunca jamás ningún ninguna";
/// What follows one of these is unwanted, and what goes before is not.
const ASIDE: &str = "without instead than ohne statt anstatt sans sin";
/// One of these makes all of its clause unwanted.
const ALL: [&str; 25] = [
    "off limits",
    "off-limits",
    "forbidden",
    "prohibited",
    "not allowed",
    "banned",
    "taboo",
    "deprecated",
    "no longer",
    "verboten",
    "nicht",
    "tabu",
    "untersagt",
    "interdit",
    "prohibido",
    " pas ",
    "不",
    "别",
    "勿",
    "禁止",
    "ない",
    "しないで",
    "ません",
    "마세요",
    "하지",
];
/// Behind an "and" they say that what was unwanted before ends here.
const WANTED: &str =
    "always use do only instead rather prefer take keep immer nutze nimm nur lieber stattdessen";
/// Words that are for or against nothing by themselves.
const LIGHT: &str = "without instead than before after when then they them because from only also just here every each \
                     into more other please where what which while limits forbidden prohibited allowed banned ohne \
                     statt avoid stop skip disable ignore nobody nothing nicht kein keine wenn dann auch hier jede \
                     jeder pour dans avec para como can cannot";
/// Of two that say the contrary, a text has the one that was said.
const CONTRARY: [(&str, &str); 14] = [
    ("before", "after"),
    ("always", "never"),
    ("least", "most"),
    ("minimum", "maximum"),
    ("above", "below"),
    ("over", "under"),
    ("include", "exclude"),
    ("enable", "disable"),
    ("allow", "forbid"),
    ("more", "less"),
    ("vor", "nach"),
    ("immer", "nie"),
    ("mindestens", "höchstens"),
    ("über", "unter"),
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
    pub(super) fn of(text: &str) -> Self {
        let mut stance = Self::default();
        let low = text.to_lowercase().replace('’', "'");
        for clause in low.split(MARKS) {
            let mut is_carried = false;
            for part in parts(clause) {
                is_carried = stance.take(&part, is_carried);
            }
        }
        stance.words = words_of(&low).map(str::to_owned).collect();
        stance
    }

    /// Whether a text wants what this does not, or the other way around.
    pub(super) fn is_against(&self, text: &str) -> bool {
        let other = Self::of(text);
        let differs = |words: &BTreeSet<String>,
                       besides: &BTreeSet<String>,
                       here: &BTreeSet<String>,
                       there: &BTreeSet<String>| {
            let mut words = words.iter().filter(|word| !has(besides, word));
            words.any(|word| !has(here, word) && has(there, word))
        };
        differs(&other.wanted, &other.unwanted, &self.wanted, &self.unwanted)
            || differs(&other.unwanted, &other.wanted, &self.unwanted, &self.wanted)
            || CONTRARY.iter().any(|(one, two)| {
                let turned = |one: &str, two: &str| {
                    other.words.contains(one)
                        && !self.words.contains(one)
                        && self.words.contains(two)
                };
                turned(one, two) || turned(two, one)
            })
    }

    /// Takes in a part of a clause. Says whether what an "and" joins to it is unwanted too.
    fn take(&mut self, part: &str, is_carried: bool) -> bool {
        let begins_anew = || words_of(part).any(|word| is_in(WANTED, word));
        if ALL.iter().any(|mark| format!(" {part} ").contains(mark)) {
            self.unwanted.extend(telling(part));
            return true;
        }
        let mut before = String::new();
        let (mut aside, mut against) = (false, is_carried && !begins_anew());
        let (mut wanted, mut unwanted) = (String::new(), String::new());
        for word in part.split_whitespace() {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if is_in(ASIDE, bare) {
                aside = true;
            } else if is_in(NO, bare) || bare.ends_with("n't") {
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
            self.unwanted.extend(telling(&before));
        }
        self.wanted.extend(telling(&before));
        self.wanted.extend(telling(&wanted));
        self.unwanted.extend(telling(&unwanted));
        against
    }
}

/// The words of a text that tell something, as far as somebody said them, and all.
pub(super) fn shared(text: &str, said: &BTreeSet<String>) -> (usize, usize) {
    let words: BTreeSet<String> = telling(text).collect();
    (
        words.iter().filter(|word| has(said, word)).count(),
        words.len(),
    )
}

/// Whether words say no to what follows them.
pub(super) fn denies(text: &str) -> bool {
    // A contraction that was taken apart leaves its end.
    let is_no =
        |word: &str| is_in(NO, word) || is_in(ASIDE, word) || word == "don" || word == "nicht";
    words_of(text).any(is_no)
}

/// A sentence by its clauses.
pub(super) fn clauses(sentence: &str) -> impl Iterator<Item = String> {
    let low = sentence.to_lowercase();
    let all: Vec<String> = low.split(MARKS).flat_map(parts).collect();
    all.into_iter()
}

/// What an "and" or a "but" joins.
fn parts(clause: &str) -> Vec<String> {
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

fn telling(text: &str) -> impl Iterator<Item = String> {
    known::words(text).into_iter().filter(|word| {
        !LIGHT
            .split_whitespace()
            .any(|light| light.chars().take(6).eq(word.chars()))
    })
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

fn has(set: &BTreeSet<String>, word: &str) -> bool {
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
            assert!(Stance::of(said).is_against(turned), "{said} / {turned}");
            assert!(
                !Stance::of(said).is_against(kept),
                "{said} / {kept}: {:?}",
                Stance::of(said)
            );
        }
    }
}
