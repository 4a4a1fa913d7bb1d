//! One value in the place of another, or one thing in the place of another.

use super::clause::is_number;
use super::subject_difference::{Hunk, is_value};
use super::word_order::AND;
use super::{Statement, StatementRelation};
use crate::lexicon::WordList;

/// Of these more than one thing is true at once.
static ADDING: WordList = WordList::of(&["adding"]);
/// Of these one thing is true at a time.
static SINGLE: WordList = WordList::of(&["single"]);
/// What is written or answered in one of these is not in another.
static LANGUAGES: WordList = WordList::of(&["languages"]);
/// Behind these it is said when something holds, which may be more than once.
static WHEN: WordList = WordList::of(&["when"]);
/// These say that there is such a thing, and not that there is no other.
static SOME: WordList = WordList::of(&["some"]);

/// What words that gave way to others make of a statement; `replaced` are places among the words that say something.
pub(super) fn compare_values(
    older: &Statement,
    newer: &Statement,
    replaced: &[&Hunk],
    has_turned: bool,
) -> StatementRelation {
    let sides: Vec<_> = replaced
        .iter()
        .map(|hunk| Side::from_older(older, newer, hunk))
        .collect();
    let is_first = replaced.iter().any(|hunk| hunk.is_first());
    let is_in_front = is_first && !sides.iter().all(|side| side.is_behind_verb);
    let is_one = |side: &Side| side.is_figure || side.is_value;
    if has_turned && (is_in_front || sides.iter().any(is_one)) {
        return StatementRelation::Another;
    }
    if has_turned {
        return StatementRelation::Open;
    }
    let has_two = replaced.len() > 1;
    let is_named = has_two && sides.first().is_some_and(|side| !side.is_behind_verb);
    // `Never on Fridays` holds beside `never on Saturdays`.
    let is_denied = older.is_no() && is_framed(older, newer, replaced);
    let is_some = older.clause.words.iter().any(|word| SOME.contains(word));
    let is_beside = |side: &Side| is_denied || side.is_adding || is_some;
    let is_added = |side: &Side| !side.is_figure && side.is_behind_verb && is_beside(side);
    if is_named || sides.iter().any(is_added) {
        return StatementRelation::Another;
    }
    let is_single = sides
        .iter()
        .all(|side| side.is_single && side.is_behind_verb);
    let mut parts: Vec<usize> = sides.iter().map(|side| side.part).collect();
    parts.dedup();
    let is_one_each = parts.len() == sides.len() && older.marks == newer.marks;
    let is_like = older.says == newer.says && sides.iter().all(|side| side.is_like);
    match is_like && is_single && is_one_each && is_framed(older, newer, replaced) {
        true => StatementRelation::Updated(sides.len()),
        false => StatementRelation::Open,
    }
}

/// Whether most of both is the same, word for word.
fn is_framed(older: &Statement, newer: &Statement, replaced: &[&Hunk]) -> bool {
    let gone: usize = replaced.iter().map(|hunk| hunk.old.1 - hunk.old.0).sum();
    older.stems.len() == newer.stems.len() && 2 * gone <= older.stems.len()
}

/// What stands where something was replaced.
struct Side {
    /// Both are numbers.
    is_figure: bool,
    /// Both are values wherever they stand, such as days.
    is_value: bool,
    is_behind_verb: bool,
    /// Something else may be true beside it.
    is_adding: bool,
    is_single: bool,
    /// One word in the place of one, or as many with their numbers in the same places; and led by the same word.
    is_like: bool,
    /// Which of the things that are said of what is spoken of.
    part: usize,
}

impl Side {
    fn from_older(older: &Statement, newer: &Statement, hunk: &Hunk) -> Self {
        let words = |statement: &Statement, (from, to): (usize, usize)| -> Vec<String> {
            let places = statement.places[from..to].iter();
            places
                .map(|at| statement.clause.words[*at].clone())
                .collect()
        };
        let (from, to) = (words(older, hunk.old), words(newer, hunk.new));
        let both = |is_one: fn(&str) -> bool| {
            from.iter().any(|word| is_one(word)) && to.iter().any(|word| is_one(word))
        };
        let shape = |words: &[String]| words.iter().map(|word| is_number(word)).collect::<Vec<_>>();
        let counts = |words: &[String]| words.iter().all(|word| is_number(word));
        let is_shaped = match shape(&from) == shape(&to) {
            true => from.len() == 1 || from.iter().any(|word| is_number(word)),
            // The parts of two dates.
            false => counts(&from) && counts(&to),
        };
        let all = &older.clause.words;
        let led = newer.places[hunk.new.0].checked_sub(1);
        let led = led.map_or("", |at| newer.clause.words[at].as_str());
        let before = &all[..older.places[hunk.old.0]];
        let verb = older.clause.verb;
        let part = before.iter().filter(|word| AND.contains(word)).count();
        let start = before.iter().rposition(|word| AND.contains(word));
        let own = &before[start.unwrap_or(0)..];
        let last = before.last().map_or("", String::as_str);
        let is_when = WHEN.contains(last) && !both(is_value);
        let is_like = is_shaped && (last == led || both(is_value));
        Self {
            is_like,
            is_figure: both(is_number),
            is_value: both(is_value),
            is_behind_verb: verb.is_some_and(|verb| before.len() > verb),
            is_adding: own.iter().any(|word| ADDING.contains(word)),
            is_single: !is_when
                && (own.iter().any(|word| SINGLE.contains(word))
                    || both(|word| LANGUAGES.contains(word))),
            part,
        }
    }
}
