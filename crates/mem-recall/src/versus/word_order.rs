//! The same words in another order: `service A calls service B`, `service B calls service A`.
//!
//! Who does what to whom is a fact of its own, and so is where something came from: both stand. A decision, an order of
//! what is to be done first, and what can be true only one way round are contraries.

use super::antonyms::word_mark;
use super::cjk::is_name;
use super::clause::{Clause, is_number, is_of, is_said, is_verb};
use super::{Statement, StatementRelation};
use crate::lexicon::WordList;

/// Between two things these say which of them is which.
static DIRECTED: WordList = WordList::of(&["directed"]);
/// Between two things these do not.
static MUTUAL: WordList = WordList::of(&["mutual"]);
/// These say that two things are one: it does not matter which of them comes first.
static EQUAL: WordList = WordList::of(&["equal"]);
/// Behind these something else is spoken of.
pub(super) static AND: WordList = WordList::of(&["and"]);
/// In front of whoever does what is done.
static DOER: WordList = WordList::of(&["doer"]);
/// What one says of a choice, and of whom one answers to: the other way round it is the contrary.
static ONE_WAY: WordList = WordList::of(&["one_way"]);
/// What one takes over something else.
static CHOSEN: WordList = WordList::of(&["chosen"]);
/// That who speaks uses another thing by now; what is copied or sent has a way.
static CHANGED: WordList = WordList::of(&["changed"]);
/// Who speaks, and what helps such a verb.
static OURSELVES: WordList = WordList::of(&["ourselves"]);
static FROM: WordList = WordList::of(&["from"]);
static TO: WordList = WordList::of(&["to"]);
/// So many words name one end of a way.
const END_WORDS_MAX: usize = 4;

/// Whether two rows hold the same words, as often, in another order.
pub(super) fn is_permuted(one: &[String], other: &[String]) -> bool {
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}

/// Two parts of a row that have changed places, up to which and from which on they stand.
struct Swap {
    first: (usize, usize),
    last: (usize, usize),
}

/// What has changed places between two rows of the same: a first part, and a last one.
fn find_swap<T: PartialEq>(one: &[T], other: &[T]) -> Option<Swap> {
    let front = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let back = one[front..].iter().rev().zip(other[front..].iter().rev());
    let back = back.take_while(|(a, b)| a == b).count();
    let (a, b) = (
        &one[front..one.len() - back],
        &other[front..other.len() - back],
    );
    let count = a.len();
    let is_swapped = |first: usize, last: usize| {
        b[..last] == a[count - last..]
            && b[count - first..] == a[..first]
            && b[last..count - first] == a[first..count - last]
    };
    // The shortest parts that do it.
    let pairs = (2..=count).flat_map(|both| (1..both).map(move |first| (first, both - first)));
    let (first, last) = pairs
        .into_iter()
        .find(|(first, last)| is_swapped(*first, *last))?;
    Some(Swap {
        first: (front, front + first),
        last: (front + count - last, front + count),
    })
}

/// How two statements of the same words in another order stand, neither of which says no to the other. `The api is
/// called by the worker` says what `the worker calls the api` says.
pub(super) fn compare_reordered(older: &Statement, newer: &Statement) -> StatementRelation {
    let Some(swap) = find_swap(&older.stems, &newer.stems) else {
        return StatementRelation::Open;
    };
    let words = &older.clause.words;
    let between = &words[older.places[swap.first.1 - 1] + 1..older.places[swap.last.0]];
    let says = |words: &[String], list: &WordList| words.iter().any(|word| list.contains(word));
    if says(words, &DOER) != says(&newer.clause.words, &DOER)
        || says(words, &EQUAL) != says(&newer.clause.words, &EQUAL)
        || says(between, &MUTUAL)
    {
        return StatementRelation::Open;
    }
    let is_verb = |word: &String| is_verb(word) && !EQUAL.contains(word);
    let is_directed = between
        .iter()
        .any(|word| DIRECTED.contains(word) || is_verb(word));
    let tells = between
        .iter()
        .any(|word| is_said(word) && !EQUAL.contains(word) && !AND.contains(word));
    if !is_directed && !tells {
        return StatementRelation::Open;
    }
    let (front, back) = (
        older.places[swap.first.0],
        older.places[swap.last.1 - 1] + 1,
    );
    match is_row(&words[..front], between, &words[back..])
        || is_of_one_way(words, between, &older.clause)
        || is_of_ours(&words[..front], between, &words[back..])
        || (older.clause.is_unspaced && says(words, &CHANGED))
    {
        true => StatementRelation::Contrary,
        false => StatementRelation::Another,
    }
}

/// `Zone A is primary and zone B is backup`: two statements, each about one of them.
fn is_row(front: &[String], between: &[String], back: &[String]) -> bool {
    let does = |words: &[String]| {
        words
            .iter()
            .any(|word| is_verb(word) && !DIRECTED.contains(word))
    };
    does(between) && (does(front) || does(back))
}

/// `Run the linter before the tests`, `we decided to move from S3 to BigQuery`.
fn is_of_one_way(words: &[String], between: &[String], clause: &Clause) -> bool {
    let is_first = |word: &String| is_of("before after vor nach antes después avant après", word);
    let mut rest = between.iter().filter(|word| !is_first(word));
    let is_bare = clause.verb.is_none() && rest.all(|word| !is_said(word));
    let is_order = between.iter().any(is_first) && (clause.verb == Some(0) || is_bare);
    let is_order = is_order && between.iter().any(|word| word_mark(word).is_some());
    is_order || words.iter().any(|word| ONE_WAY.contains(word))
}

/// `Go with Postgres over Mongo`, `we switched from Jest to Vitest`: a choice of those who speak, and not a way of
/// something.
fn is_of_ours(front: &[String], between: &[String], back: &[String]) -> bool {
    let last = front.last().map_or("", String::as_str);
    let are_of = |list: &WordList| {
        let mut words = front.iter().chain(back);
        let is_one = |word: &String| list.contains(word) || OURSELVES.contains(word);
        front.iter().chain(back).any(|word| list.contains(word))
            && words.all(|word| !is_said(word) || is_one(word))
    };
    let is_chosen = between.len() == 1 && between[0] == "over" && are_of(&CHOSEN);
    let is_way = FROM.contains(last) && between.len() == 1 && TO.contains(&between[0]);
    is_chosen || (is_way && are_of(&CHANGED))
}

/// Whether the one goes on from where the other came to: `from 1 to 2`, `from 2 to 3`.
pub(super) fn goes_on(one: &Clause, other: &Clause) -> bool {
    let Some((one, other)) = find_way(one).zip(find_way(other)) else {
        return false;
    };
    is_onward_way(&one, &other) || is_onward_way(&other, &one)
}

/// What names where a way begins, and what where it ends.
type WordOrder<'w> = (Vec<&'w String>, Vec<&'w String>);

fn is_onward_way((from, to): &WordOrder<'_>, (next_from, next_to): &WordOrder<'_>) -> bool {
    let mut ends = to.iter().filter(|word| !from.contains(word));
    ends.any(|end| next_from.contains(end) && !next_to.contains(end))
}

fn find_way(clause: &Clause) -> Option<WordOrder<'_>> {
    let words = &clause.words;
    let from = words.iter().position(|word| FROM.contains(word))?;
    if clause.is_unspaced {
        let mut names = words.iter().rev().filter(|word| is_name(word));
        let to = names.next()?;
        return Some((vec![names.next()?], vec![to]));
    }
    let rest = &words[from + 1..];
    let to = rest
        .iter()
        .take(END_WORDS_MAX + 1)
        .position(|word| TO.contains(word))?;
    let said = |words: &'_ [String]| -> Vec<usize> {
        let words = words.iter().enumerate().take(END_WORDS_MAX);
        let told = words.filter(|(_, word)| is_said(word) || is_number(word));
        told.map(|(at, _)| at).collect()
    };
    let of = |words| -> Vec<&String> { said(words).into_iter().map(|at| &words[at]).collect() };
    Some((of(&rest[..to]), of(&rest[to + 1..])))
}
