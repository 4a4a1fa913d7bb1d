//! Whether a newer sentence says anew what an older one says of the same thing, which is one at a time.

use std::collections::BTreeSet;

use super::super::said::{self, ParsedSentence, Stemmed, Tie};
use super::super::whole::has_digit;
use super::super::{counted, means, words};
use super::Pair;

/// Values that can stand in each other's place.
const VALUE_NEAR_MIN: f32 = 0.35;
/// Sentences that differ in one place share so much, and so many words.
const FRAME_SHARED_MIN: f32 = 0.6;
const FRAME_WORDS_MIN: usize = 3;
/// So many words in front say what a sentence speaks of that has no verb we know.
const SUBJECT_WORDS: usize = 2;

impl Pair<'_> {
    /// Both say of the same thing what it is, and it is one at a time.
    pub(super) fn says_it_anew(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        if older.is_negated != newer.is_negated {
            return false;
        }
        // More than one may review: whoever takes another's place is said to do so now.
        if words::SHARED.contains(newer.verb.as_str()) && newer.tie == Tie::Owns && !newer.is_change
        {
            return false;
        }
        if means::are_other(older, newer) || counted::are_other(older, newer) {
            return true;
        }
        if older.subject.is_empty() && newer.subject.is_empty() {
            let is_choice = older.verb == newer.verb && older.tie == Tie::Uses;
            let is_one_choice = is_choice && self.shared >= 2 && self.differs_once();
            return is_one_choice || (self.is_one_frame() && self.differs_late());
        }
        // `Use it as a name` says what it is used as, and no name.
        if older.verb.ends_with(" as") != newer.verb.ends_with(" as") {
            return false;
        }
        if !self.is_about_the_same() {
            return self.is_shortened();
        }
        let is_choice = older.tie == Tie::Uses && newer.tie == Tie::Uses;
        let is_one = (newer.is_about_one_of && !is_choice)
            || self.is_one_verb()
            || (newer.is_change && older.tie == newer.tie && !is_bare(older) && !is_bare(newer))
            || (newer.is_change && self.differs_once())
            || (older.tie == Tie::Is && has_figures(older, newer))
            || (older.verb == newer.verb
                && ["use", "use for", "prefer for"].contains(&newer.verb.as_str()));
        (is_one && older.tie != Tie::Has) || self.is_one_frame() || self.are_values_near()
    }

    /// Both run in, start at, or listen on something.
    fn is_one_verb(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        older.tie == Tie::Is && older.verb == newer.verb && !is_bare(older)
    }

    /// The newer names the subject by some of its words, and says that it changed.
    fn is_shortened(&self) -> bool {
        let (older, newer) = (self.older, self.newer);
        let left: Vec<&String> = older.subject.difference(&newer.subject).collect();
        newer.is_change
            && newer.tie == older.tie
            && (newer.subject.len() >= 2 || has_figures(older, newer))
            && newer.subject.is_subset(&older.subject)
            && newer.is_about_one_of
            && !left.iter().any(|stem| said::is_one_of(stem))
    }

    /// The same sentence with another word in one place, which is not in its subject.
    fn is_one_frame(&self) -> bool {
        let is_one_verb = self.older.verb == self.newer.verb || self.newer.is_change;
        let is_spaced = !self.older.is_unspaced && !self.newer.is_unspaced;
        is_one_verb && is_spaced && self.shared >= FRAME_WORDS_MIN && self.share >= FRAME_SHARED_MIN
    }

    /// Single values of a kind, such as two tools.
    fn are_values_near(&self) -> bool {
        let (older, newer) = (&self.older.value, &self.newer.value);
        // Of a day of the week the figure stands here, which no vector knows.
        let is_word = |value: &Stemmed| value.iter().all(|stem| !stem.starts_with('~'));
        let is_single = older.len() == 1 && newer.len() == 1 && is_word(older) && is_word(newer);
        let text = |value: &Stemmed| value.iter().cloned().collect::<Vec<_>>().join(" ");
        let vector = |value| mem_recall::Table::embedded().text_vector(&text(value), 8);
        is_single
            && matches!(self.older.tie, Tie::Is | Tie::Uses)
            && self.older.tie == self.newer.tie
            && vector(older)
                .zip(vector(newer))
                .is_some_and(|(one, other)| one.cosine(&other) >= VALUE_NEAR_MIN)
    }

    /// Each has one word that the other lacks.
    fn differs_once(&self) -> bool {
        let only = |one: &ParsedSentence, other: &ParsedSentence| {
            one.content.difference(&other.content).count()
        };
        only(self.older, self.newer) == 1 && only(self.newer, self.older) == 1
    }

    /// Word for word the same but for one place, which is not where they say what they speak of.
    fn differs_late(&self) -> bool {
        let (one, other) = (&self.older.order, &self.newer.order);
        let differing: Vec<usize> = one
            .iter()
            .zip(other)
            .enumerate()
            .filter(|(_, (one, other))| one != other)
            .map(|(at, _)| at)
            .collect();
        one.len() == other.len() && differing.len() == 1 && differing[0] >= SUBJECT_WORDS
    }
}

/// Whether it says of a thing what it is, in the way in which more than one thing may be said.
fn is_bare(said: &ParsedSentence) -> bool {
    words::BARE.contains(said.verb.as_str())
}

/// Whether what one says and the other does not is a figure of one shape in both: two dates, two numbers.
fn has_figures(older: &ParsedSentence, newer: &ParsedSentence) -> bool {
    let shapes = |one: &ParsedSentence, other: &ParsedSentence| -> BTreeSet<String> {
        let value = if one.value.is_empty() {
            &one.content
        } else {
            &one.value
        };
        let figures = value
            .difference(&other.content)
            .filter(|stem| has_digit(stem))
            // Somebody may be off on more days than one.
            .filter(|stem| !stem.starts_with('~') || one.is_on_a_day);
        figures.map(|stem| digit_shape(stem)).collect()
    };
    !shapes(older, newer).is_disjoint(&shapes(newer, older))
}

/// `2026-03-14` -> `9-9-9`.
fn digit_shape(stem: &str) -> String {
    let mut shape = String::new();
    for c in stem.chars() {
        let kind = match c {
            c if c.is_numeric() => '9',
            c if c.is_alphabetic() => 'a',
            c => c,
        };
        if !shape.ends_with(kind) {
            shape.push(kind);
        }
    }
    shape
}
