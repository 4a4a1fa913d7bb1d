//! Two times at which something comes back: what is on Mondays at 9 may be on Fridays at 10 as well.

use super::clause::{Clause, is_number};
use crate::lexicon::{WordGroups, WordList};

/// A day that comes back, by its form.
static RECURRING: WordList = WordList::of(&["recurring_days"]);
/// A day that does behind one of [`EVERY`].
static DAYS: WordList = WordList::of(&["days"]);
static EVERY: WordList = WordList::of(&["every"]);

/// Whether both the day that comes back and a figure differ.
pub(super) fn are_two(one: &Clause, other: &Clause) -> bool {
    let (days, others) = (recurring_days(one), recurring_days(other));
    let is_other_day =
        !days.is_empty() && !others.is_empty() && days.iter().all(|day| !others.contains(day));
    is_other_day && {
        let (one, other) = (number_words(one), number_words(other));
        !one.is_empty() && !other.is_empty() && one != other
    }
}

fn recurring_days(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().enumerate();
    let is_every = |at: usize| at > 0 && EVERY.contains(&clause.words[at - 1]);
    let found = words
        .filter(|(at, word)| RECURRING.contains(word) || (DAYS.contains(word) && is_every(*at)));
    found.map(|(_, word)| word.as_str()).collect()
}

fn number_words(clause: &Clause) -> Vec<&str> {
    let words = clause.words.iter().filter(|word| is_number(word));
    words.map(String::as_str).collect()
}

/// Spans of which something is so much: each row is one in every language that is read.
static SPANS: WordGroups = WordGroups::of("spans");
/// In front of such a span.
static PER: WordList = WordList::of(&["per"]);
/// How often something is says when it is, and not how much of it there is.
static TIMES: WordList = WordList::of(&["times"]);
/// So many words in front of a span say how much.
const AMOUNT_WORDS: usize = 4;

/// Whether both say how much, of one span and of another: `20 EUR per month`, `200 EUR per year`.
pub(super) fn are_other_rates(one: &Clause, other: &Clause) -> bool {
    let both = find_rate(one).zip(find_rate(other));
    both.is_some_and(|((much, span), (other, then))| span != then && much != other)
}

/// How much, and of which span.
fn find_rate(clause: &Clause) -> Option<(Vec<&str>, &'static str)> {
    let words = &clause.words;
    let is_figure = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    // Most statements have none.
    words.iter().find(is_figure)?;
    let (at, span) =
        (1..words.len()).find_map(|at| Some((at, find_span(&words[at - 1], &words[at])?)))?;
    let before = &words[at.saturating_sub(AMOUNT_WORDS)..at];
    let is_often = before.iter().any(|word| TIMES.contains(word));
    let figures = before.iter().filter(is_figure);
    let figures: Vec<&str> = figures.map(String::as_str).collect();
    (!is_often && !figures.is_empty()).then_some((figures, span))
}

/// Which span a word names behind another: `per month`, `monthly`, `eur/month`.
fn find_span(before: &str, word: &str) -> Option<&'static str> {
    let name = match word.rsplit_once('/') {
        Some((_, name)) => name,
        None if PER.contains(before) || word.ends_with("ly") || word.ends_with("lich") => word,
        None => return None,
    };
    SPANS.sides_of(name).first().map(|side| side.group)
}
