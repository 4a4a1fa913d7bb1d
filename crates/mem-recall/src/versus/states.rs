//! How something is, said at the end of a statement: `the incident is open`, `the incident is over`; `keep answers
//! short`, `keep answers long`.
//!
//! Words such as `long` and `over` tell things apart elsewhere (`the long name`, `over 5 MB`), so only what is said
//! last is read, behind the very same words. Of one thing not both are true at a time.

use std::sync::LazyLock;

use super::clause::{is_of, is_said};
use super::negation::Polarity;
use super::{Statement, StatementRelation};
use crate::lexicon::{WordGroups, WordList, WordRows};

/// Words behind a verb of being of which the one row says that something is there or goes on, the other that it does
/// not.
static STATES: WordGroups = WordGroups::of("states");
/// Words of which the one says the contrary of the other, whatever verb is in front.
static QUALITIES: WordGroups = WordGroups::of("qualities");
/// In front of how something is.
static BEING: WordList = WordList::of(&["being"]);
/// Rows of words that are one of those above.
static ROWS: LazyLock<WordRows<&str>> = LazyLock::new(|| WordRows::from_groups("state_rows"));
/// What was or has been ended is over: words in front of such a one, and what they are then.
static ENDED: LazyLock<WordRows<&str>> = LazyLock::new(|| WordRows::from_groups("ended_rows"));
/// These say nothing of how it is where they stand last.
static LAST: WordList = WordList::of(&["last"]);
/// These say that the contrary may be true of others, or at other times.
static SOME: WordList = WordList::of(&["some_of"]);
/// In front of the kind of a thing.
static ARTICLES: WordList = WordList::of(&["indefinite"]);

/// The contrary, where two statements end with contrary words behind the same.
pub(super) fn compare_states(older: &Statement, newer: &Statement) -> Option<StatementRelation> {
    let holds = |one: &Statement| one.says == Polarity::Holds;
    // What most pairs differ in already.
    let is_known = older.clause.words.first() == newer.clause.words.first()
        && holds(older)
        && holds(newer)
        && is_contrary(older, newer);
    is_known.then_some(StatementRelation::Contrary)
}

fn is_contrary(older: &Statement, newer: &Statement) -> bool {
    let (one, other) = (words_to_state(older), words_to_state(newer));
    let (Some((last, front)), Some((then, before))) = (one.split_last(), other.split_last()) else {
        return false;
    };
    let is_stated = |front: &[&str]| {
        front.iter().any(|word| is_said(word)) && !front.iter().any(|word| SOME.contains(word))
    };
    if front != before {
        return is_of_a_kind(&one, &other) && is_stated(&one[..one.len() - 1]);
    }
    // In a script without spaces no verb of being comes first.
    let is_being =
        older.clause.is_unspaced || front.last().is_some_and(|word| BEING.contains(word));
    let is_one = QUALITIES.are_opposed(last, then) || (is_being && STATES.are_opposed(last, then));
    is_one && is_stated(front)
}

/// `I'm a junior developer`, `I'm a senior developer`.
fn is_of_a_kind(one: &[&str], other: &[&str]) -> bool {
    let differing = |at: &usize| one[*at] != other[*at];
    if one.len() != other.len() {
        return false;
    }
    let mut places = (0..one.len()).filter(differing);
    let (Some(at), None) = (places.next(), places.next()) else {
        return false;
    };
    let is_led = at >= 2 && ARTICLES.contains(one[at - 1]) && BEING.contains(one[at - 2]);
    is_led && at + 2 == one.len() && QUALITIES.are_opposed(one[at], other[at])
}

/// The words up to how it is, which is one word then.
fn words_to_state(statement: &Statement) -> Vec<&str> {
    let words = &statement.clause.words;
    let mut told: Vec<&str> = match statement.clause.is_unspaced {
        true => statement
            .places
            .iter()
            .map(|at| words[*at].as_str())
            .collect(),
        false => words.iter().map(String::as_str).collect(),
    };
    while told.last().is_some_and(|last| LAST.contains(last)) {
        told.pop();
    }
    if let Some((word, count)) = ROWS.find_end(&told) {
        told.truncate(told.len() - count);
        told.push(word);
    }
    if let Some((last, front)) = told.split_last()
        && STATES.sides_of(last).iter().any(|side| !side.is_first)
        && let Some((being, count)) = ENDED.find_end(front)
    {
        let mut is_over = front[..front.len() - count].to_vec();
        is_over.extend([being, *last]);
        return is_over;
    }
    // `Anna is in the team`, `Anna is out`.
    if let [front @ .., being, within, the, team] = told.as_slice()
        && BEING.contains(being)
        && is_of("in im", within)
        && is_of("the our team", the)
        && is_of("team squad group project crew rotation", team)
    {
        let mut short = front.to_vec();
        short.extend([*being, "in"]);
        return short;
    }
    told
}
