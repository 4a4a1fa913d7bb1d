//! How a newer statement stands to an older one, word by word: the same, the contrary, a newer value, or about
//! another thing.
//!
//! To vectors `always` is `never` and the staging database is the production database. Records, extraction and
//! distillation all have to know better before one statement takes another's place, so all three ask here.
//!
//! # Layout
//! - `clause`: a text as words, up to its verb and behind it. `opposed`: the words that turn a statement round.
//! - `turned`: the same words in another order. `apart`: whether two things are spoken of. `values`: one value in the
//!   place of another. `unspaced`: Chinese, Japanese and Korean.

mod apart;
mod clause;
mod opposed;
mod turned;
mod unspaced;
mod values;

use apart::{hunks, is_another};
use clause::{Clause, is_said, stem};
use opposed::Mark;
use unspaced::Unspaced;

/// How many of something there are: nothing that a statement is about, and not the same.
const COUNTED: &str =
    "one all both every each any some only alle jeder nur todos solo tous seulement";

/// How a newer statement stands to an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versus {
    /// The same words, and the same yes or no.
    Same,
    /// The same words with a no, or the other way round.
    Contrary,
    /// The same but for its values, of so many.
    Updated(usize),
    /// The like of another thing: both stand.
    Another,
    /// Words alone do not tell.
    Open,
}

/// A statement, read once for all comparisons.
#[derive(Clone, Debug)]
pub struct Statement {
    clause: Clause,
    /// The words that say something and turn nothing round.
    base: Vec<Base>,
    /// Whether it says no, or says it twice.
    is_no: bool,
    marks: Vec<Mark>,
    unspaced: Option<Unspaced>,
}

#[derive(Clone, Debug)]
struct Base {
    stem: String,
    /// Its place among the words of the clause.
    at: usize,
}

impl Statement {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let clause = Clause::of(opposed::without_lead(text));
        let read = opposed::read(&clause.words);
        let words = read.rest.into_iter();
        let base = words.filter(|(_, word)| is_said(word));
        Self {
            base: base
                .map(|(at, word)| Base {
                    stem: stem(&word).to_owned(),
                    at,
                })
                .collect(),
            is_no: read.is_no,
            marks: read.marks,
            unspaced: Unspaced::of(text),
            clause,
        }
    }

    fn stems(&self) -> Vec<String> {
        self.base.iter().map(|word| word.stem.clone()).collect()
    }
}

/// Compares two texts.
pub fn versus(older: &str, newer: &str) -> Versus {
    stand(&Statement::of(older), &Statement::of(newer))
}

/// Compares two statements.
pub fn stand(older: &Statement, newer: &Statement) -> Versus {
    match (&older.unspaced, &newer.unspaced) {
        (Some(one), Some(other)) => return one.versus(other),
        (None, None) => {}
        _ => return Versus::Open,
    }
    let (one, other) = (older.stems(), newer.stems());
    if one.is_empty() || other.is_empty() {
        return Versus::Open;
    }
    let (is_alike, prefixed) = opposed::by_prefix(&one, &other);
    if is_alike {
        return of_the_same_words(older, newer, prefixed);
    }
    let has_turned = has_turned(older, newer);
    if turned::is_permuted(&one, &other) {
        return match (turned::is_swapped(older, newer), has_turned) {
            (true, false) | (false, true) => Versus::Contrary,
            (true, true) | (false, false) => Versus::Open,
        };
    }
    if is_another(&older.clause, &newer.clause) {
        return Versus::Another;
    }
    let (found, _) = hunks(&one, &other);
    let replaced: Vec<_> = found
        .iter()
        .filter(|hunk| hunk.is_on_both_sides())
        .collect();
    if replaced.is_empty() {
        return Versus::Open;
    }
    values::versus(older, newer, &replaced, has_turned)
}

fn of_the_same_words(older: &Statement, newer: &Statement, prefixed: usize) -> Versus {
    let opposed = opposed::count(&older.marks, &newer.marks) + prefixed;
    let counted = |one: &Statement| {
        let words = one.clause.words.iter();
        words
            .filter(|word| clause::is_of(COUNTED, word))
            .cloned()
            .collect::<Vec<_>>()
    };
    match (older.is_no == newer.is_no, opposed) {
        (true, 0) if counted(older) == counted(newer) => Versus::Same,
        (true, 0) => Versus::Open,
        (true, _) | (false, 0) => Versus::Contrary,
        // `Is not allowed`, `is forbidden`: in other words.
        (false, _) => Versus::Open,
    }
}

fn has_turned(older: &Statement, newer: &Statement) -> bool {
    let opposed = opposed::count(&older.marks, &newer.marks);
    (older.is_no != newer.is_no) != (opposed > 0)
}

#[cfg(test)]
mod tests;
