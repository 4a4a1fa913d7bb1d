//! Two ends of one thing: when it opens and when it closes, its least and its most. Both are true at once.

use super::clause::{Clause, is_said};
use crate::lexicon::{GroupSide, WordGroups};

static ENDS: WordGroups = WordGroups::of("ends");

/// Whether each speaks of another end of what both speak of.
pub(super) fn are_two(older: &Clause, newer: &Clause) -> bool {
    let (one, other) = (find_ends(older, newer), find_ends(newer, older));
    let has_opposed = |of: &[GroupSide], end: &GroupSide| of.iter().any(|one| one.is_opposed(*end));
    one.iter()
        .any(|end| has_opposed(&other, end) && !has_opposed(&one, end) && !other.contains(end))
}

/// The ends of which a clause says something: those in front of its verb, the verb, and those that tell which of what
/// both speak of. What is said of something (`is left`, `reads from the primary`) is a value.
fn find_ends(clause: &Clause, other: &Clause) -> Vec<GroupSide> {
    let tells = |at: usize| {
        let next = clause.words.get(at + 1);
        clause.verb.is_none_or(|verb| at <= verb)
            || next.is_some_and(|next| is_said(next) && other.contains_word(next))
    };
    let words = clause.words.iter().enumerate();
    let found = words.filter_map(|(at, word)| Some((at, ENDS.sides_of(word).first()?)));
    let told = found.filter(|(at, _)| tells(*at));
    told.map(|(_, end)| *end).collect()
}
