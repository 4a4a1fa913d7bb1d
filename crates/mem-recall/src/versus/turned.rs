//! The same words in another order: `Alice reports to Bob`, `Bob reports to Alice`.

use super::Statement;
use super::clause::{is_of, is_verb};

/// Between two things these say which of them is which.
const DIRECTED: &str = "to over than from before after into not never instead onto via statt als vor nach auf que a \
    antes avant sur vers";
/// Between two things these do not.
const MUTUAL: &str = "with mit con avec";
/// These say that two things are one: it does not matter which of them comes first.
const EQUAL: &str = "is are was were be has have ist sind war es son est sont";
/// Behind these something else is spoken of.
const AND: &str = "and und y et";
/// In front of whoever does what is done.
const DOER: &str = "by von durch por par";

/// Whether two rows hold the same words, as often, in another order.
pub(super) fn is_permuted(one: &[String], other: &[String]) -> bool {
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}

/// Whether two words have changed places around something that says which of them is which. `The api is called by
/// the worker` says what `the worker calls the api` says.
pub(super) fn is_swapped(older: &Statement, newer: &Statement) -> bool {
    let pairs = older.stems.iter().zip(&newer.stems);
    let differing: Vec<usize> = pairs
        .enumerate()
        .filter(|(_, (one, other))| one != other)
        .map(|(at, _)| at)
        .collect();
    let &[first, last] = differing.as_slice() else {
        return false;
    };
    if has_doer(older) != has_doer(newer) {
        return false;
    }
    let words = &older.clause.words;
    let between = &words[older.places[first] + 1..older.places[last]];
    let is_mutual = between.iter().any(|word| is_of(MUTUAL, word));
    let does = |word: &String| is_verb(word) && !is_of(EQUAL, word);
    let is_directed = between
        .iter()
        .any(|word| is_of(DIRECTED, word) || does(word));
    let is_row = last > first + 1 && between.iter().any(|word| is_of(AND, word));
    !is_mutual && (is_directed || is_row)
}

fn has_doer(statement: &Statement) -> bool {
    let mut words = statement.clause.words.iter();
    words.any(|word| is_of(DOER, word))
}
