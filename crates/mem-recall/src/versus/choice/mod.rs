//! A choice, and what it sets aside: `use tabs instead of spaces`, `don't use mocks, use the real database`.
//!
//! Of two choices between the same, the one that chooses what the other sets aside is its contrary, however the one or
//! the other is worded. Where more than that differs, each is a choice for another case, and both stand.

mod reader;

use std::collections::BTreeMap;

pub(super) use reader::may_lead;

use super::StatementRelation;
use super::clause::Clause;
use super::paraphrase::are_forms;

/// What is chosen, with all that is said of it, and what is set aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    chosen: Vec<String>,
    aside: Vec<String>,
    /// Of that, what is said of nothing chosen.
    own: Vec<String>,
    /// Of what is chosen, what says where it holds, or of what.
    scope: Vec<String>,
}

impl Choice {
    fn is_whole(&self) -> bool {
        self.has_choice() && !self.aside.is_empty()
    }

    /// Whether more is chosen than where it holds.
    fn has_choice(&self) -> bool {
        self.chosen.len() > self.scope.len()
    }

    /// With what is set aside, and not said of what is chosen as well: of `unit tests`, not `end-to-end tests`, the
    /// latter's own. It is asked for with every pair.
    fn with_own(mut self) -> Self {
        let aside = self.aside.iter();
        let own = aside.filter(|word| !contains_word(&self.chosen, word));
        self.own = own.cloned().collect();
        self
    }

    /// Whether this sets aside what another one is about, and says all else that it says: `use pnpm instead of npm` of
    /// `use npm`.
    fn sets_aside(&self, other: &Self) -> bool {
        // What is told soonest first: most pairs have nothing to do with each other.
        let is_about_it =
            self.is_whole() && !self.own.is_empty() && is_within(&self.own, &other.chosen);
        if !is_about_it
            || self
                .own
                .iter()
                .any(|word| contains_word(&other.scope, word))
        {
            return false;
        }
        let mut rest = other
            .chosen
            .iter()
            .filter(|word| !contains_word(&self.own, word));
        rest.all(|word| contains_word(&self.chosen, word)) && is_within(&self.scope, &other.chosen)
    }
}

impl Choice {
    /// Of a text, as far as it chooses something or sets it aside.
    pub(super) fn from_text(text: &str, clause: &Clause) -> Self {
        reader::read(text, clause)
    }

    /// How a newer choice of the same script stands to this one; nothing where they are not between the same.
    pub(super) fn compare_choice(
        &self,
        newer: &Self,
        is_unspaced: bool,
    ) -> Option<StatementRelation> {
        match is_unspaced {
            true => of_characters(self, newer),
            false => of_words(self, newer),
        }
    }
}

fn of_words(older: &Choice, newer: &Choice) -> Option<StatementRelation> {
    if !older.is_whole() && !newer.is_whole() {
        return None;
    }
    if older.is_whole() && newer.is_whole() {
        let between = of_two_choices(older, newer);
        if between.is_some() {
            return between;
        }
    }
    (newer.sets_aside(older) || older.sets_aside(newer)).then_some(StatementRelation::Contrary)
}

/// Of two that both choose, and set aside.
fn of_two_choices(older: &Choice, newer: &Choice) -> Option<StatementRelation> {
    let (gone, barred) = (older.own.as_slice(), newer.own.as_slice());
    if gone.is_empty() || barred.is_empty() {
        return None;
    }
    if are_alike(gone, barred) {
        return are_alike(&older.chosen, &newer.chosen).then_some(StatementRelation::Same);
    }
    if !is_within(gone, &newer.chosen) || !is_within(barred, &older.chosen) {
        return None;
    }
    let one = [older.chosen.as_slice(), gone].concat();
    let other = [newer.chosen.as_slice(), barred].concat();
    Some(match are_alike(&one, &other) {
        true => StatementRelation::Contrary,
        false => StatementRelation::Another,
    })
}

fn is_within(some: &[String], all: &[String]) -> bool {
    some.iter().all(|word| contains_word(all, word))
}

fn are_alike(one: &[String], other: &[String]) -> bool {
    is_within(one, other) && is_within(other, one)
}

fn of_characters(older: &Choice, newer: &Choice) -> Option<StatementRelation> {
    if !older.is_whole() || !newer.is_whole() {
        return None;
    }
    if older.aside == newer.aside {
        return (count_words(&older.chosen) == count_words(&newer.chosen))
            .then_some(StatementRelation::Same);
    }
    // `用中文而不是英文回答`: what both end with is done to what is chosen too.
    let shared = older.aside.iter().rev().zip(newer.aside.iter().rev());
    let shared = shared.take_while(|(one, other)| one == other).count();
    let found = compare_crossed(older, newer, 0);
    let is_decided = found == Some(StatementRelation::Contrary) || shared == 0;
    if is_decided {
        found
    } else {
        compare_crossed(older, newer, shared).or(found)
    }
}

/// Whether each chooses what the other sets aside but for so many characters at the end.
fn compare_crossed(older: &Choice, newer: &Choice, end: usize) -> Option<StatementRelation> {
    let own = |sides: &Choice| sides.aside[..sides.aside.len() - end].to_vec();
    let (gone, barred) = (own(older), own(newer));
    if gone.is_empty() || barred.is_empty() {
        return None;
    }
    let one = remove_part(&older.chosen, &barred)?;
    let other = remove_part(&newer.chosen, &gone)?;
    Some(match count_words(&one) == count_words(&other) {
        true => StatementRelation::Contrary,
        false => StatementRelation::Another,
    })
}

/// Whether a word is among others, in whatever form.
fn contains_word(words: &[String], word: &str) -> bool {
    words.iter().any(|one| are_forms(one, word))
}

/// A row without another that stands in it.
fn remove_part(row: &[String], part: &[String]) -> Option<Vec<String>> {
    let at = row.windows(part.len()).position(|window| window == part)?;
    let (before, rest) = row.split_at(at);
    Some([before, &rest[part.len()..]].concat())
}

/// How often each stands in a row.
fn count_words(row: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for one in row {
        *counts.entry(one.as_str()).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::{StatementRelation, compare_texts};

    #[test]
    fn a_choice_is_the_contrary_of_the_other_one_however_it_is_worded() {
        let tabs = [
            "Use tabs instead of spaces.",
            "Use tabs, not spaces.",
            "Don't use spaces, use tabs.",
            "Don't use spaces. Use tabs!",
            "I prefer tabs to spaces, because diffs stay small.",
            "Rather than spaces, use tabs.",
            "From now on always use tabs and never spaces in this repo.",
        ];
        for one in tabs {
            for other in tabs {
                let turned = other.replace("tabs", "_").replace("spaces", "tabs");
                let turned = turned.replace('_', "spaces");
                assert_eq!(
                    compare_texts(one, &turned),
                    StatementRelation::Contrary,
                    "{one} | {turned}"
                );
                assert_eq!(
                    compare_texts(one, other),
                    StatementRelation::Same,
                    "{one} | {other}"
                );
            }
        }
    }

    #[test]
    fn what_sets_aside_what_was_chosen_before_is_its_contrary() {
        for (one, other) in [
            ("Use npm.", "Use pnpm instead of npm."),
            ("Use yarn instead of npm.", "Use pnpm instead of yarn."),
            ("Use npm, not yarn.", "Don't use npm, use pnpm."),
            ("npm 말고 pnpm을 쓰세요.", "pnpm 대신 npm을 사용하세요."),
            (
                "탭이 아니라 스페이스를 쓰세요.",
                "스페이스 말고 탭을 사용하세요.",
            ),
        ] {
            assert_eq!(
                compare_texts(one, other),
                StatementRelation::Contrary,
                "{one} | {other}"
            );
        }
        let narrow = compare_texts("Use npm.", "Use pnpm instead of npm for the plugin.");
        assert_ne!(narrow, StatementRelation::Contrary);
    }

    #[test]
    fn a_choice_for_another_case_stands_beside_it() {
        for (one, other) in [
            (
                "Use tabs, not spaces, in Go.",
                "Use spaces, not tabs, in Python.",
            ),
            (
                "Use tabs instead of spaces.",
                "Use spaces instead of tabs in Python.",
            ),
            (
                "コードではタブではなくスペースを使う",
                "Makefileではスペースではなくタブを使う",
            ),
        ] {
            assert_eq!(
                compare_texts(one, other),
                StatementRelation::Another,
                "{one} | {other}"
            );
        }
        // What says of what, or where, chooses nothing.
        for (one, other) in [
            (
                "Die Lockdatei niemals committen.",
                "Ab sofort keine Emojis mehr in Commits.",
            ),
            (
                "Write end-to-end tests rather than unit tests.",
                "I don't want you to mock the network in unit tests any longer",
            ),
            (
                "The api never calls the worker.",
                "The worker never calls the api.",
            ),
        ] {
            assert_eq!(
                compare_texts(one, other),
                StatementRelation::Another,
                "{one} | {other}"
            );
        }
        // A part of another word is not that word.
        let (npm, pnpm) = ("不要用npm，用pnpm。", "用pnpm，别用npm。");
        assert_eq!(compare_texts(npm, pnpm), StatementRelation::Same);
    }
}
