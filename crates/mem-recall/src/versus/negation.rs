//! The words that turn a statement round: `never`, `off`, `without`, `no need to`, `un-`.

use std::sync::LazyLock;

use super::antonyms::{Mark, word_mark};
use super::cjk::has_unspaced;
use super::clause::{is_number, is_of};
use super::negation_words::{self, Turn};
use crate::lexicon::{WordList, WordRows};

/// What says nothing where it is not a mark: help of a no, of a yes, and of a request.
static IDLE: WordList = WordList::of(&["idle"]);
/// Rows of words that say how much, and whether more.
static AMOUNTS: LazyLock<WordRows<bool>> =
    LazyLock::new(|| WordRows::from_lists(&[("at_least", true), ("at_most", false)]));
/// These make a word the contrary of itself.
const PREFIXES: [&str; 6] = ["un", "dis", "non", "in", "im", "de"];
/// A shorter word is another word with such a beginning.
const PREFIXED_CHARS_MIN: usize = 4;

/// Whether something is so, may be, must not be or need not be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Polarity {
    /// It is so, or is to be so.
    #[default]
    Holds,
    /// It may be so.
    Allowed,
    /// It is not so, or must not be.
    Barred,
    /// It need not be so.
    Freed,
}

impl Polarity {
    /// Whether it is one of the two that say no.
    pub(super) fn is_no(self) -> bool {
        matches!(self, Self::Barred | Self::Freed)
    }

    /// Whether not both can be said of the same. What need not be may be.
    pub(super) fn is_against(self, other: Self) -> bool {
        let is = |one: Self, other: Self| {
            matches!(
                (one, other),
                (Self::Holds | Self::Allowed, Self::Barred) | (Self::Holds, Self::Freed)
            )
        };
        is(self, other) || is(other, self)
    }
}

/// What the words of a clause say of yes and no, and the others with their places.
#[derive(Debug, Default)]
pub(super) struct Negations {
    is_no: bool,
    is_may: bool,
    is_need: bool,
    is_freed: bool,
    /// Whether any word says no, whatever all of it comes to.
    pub(super) has_no: bool,
    /// Whether it says that what held until now ends.
    pub(super) ceases: bool,
    /// Whether it says that something holds again.
    pub(super) resumes: bool,
    /// Whether a no stands before a thing.
    pub(super) is_of_a_thing: bool,
    pub(super) marks: Vec<Mark>,
    pub(super) rest: Vec<(usize, String)>,
}

impl Negations {
    /// What all of it comes to.
    pub(super) fn overall_claim(&self) -> Polarity {
        match () {
            () if self.is_freed => Polarity::Freed,
            () if self.is_no && self.is_need => Polarity::Freed,
            () if self.is_no => Polarity::Barred,
            () if self.is_may && !self.is_need => Polarity::Allowed,
            () => Polarity::Holds,
        }
    }
}

/// Whether a word says nothing by itself.
pub(super) fn is_idle(word: &str) -> bool {
    IDLE.contains(word)
}

/// A text without what only says that it holds from now on, and without a no to what was done.
pub(super) fn without_lead(text: &str) -> &str {
    static OPENINGS: WordList = WordList::of(&["openings"]);
    static IDLE: WordList = WordList::of(&["idle_rows"]);
    let mut text = text.trim();
    // `.. from now on.`
    let end = text.trim_end_matches(['.', '!', ' ']);
    if let Some(rest) = IDLE.strip_end(end).filter(|rest| rest.ends_with(' ')) {
        text = rest.trim_end_matches([',', ' ']);
    }
    // `No, on second thought, ..`
    while let Some(rest) = OPENINGS
        .prefix_len(&text.to_lowercase())
        .and_then(|end| text.get(end..))
    {
        text = rest.trim_start_matches([',', '，', '、', ' ']);
    }
    text
}

/// Reads the words of a clause.
pub(super) fn read(words: &[String]) -> Negations {
    let mut read = Negations::default();
    let mut at = 0;
    while at < words.len() {
        let taken = read.take_amount(words, at);
        let taken = taken.or_else(|| read.take_turn(words, at));
        at += taken.unwrap_or_else(|| {
            read.take_word(words, at);
            1
        });
    }
    read
}

impl Negations {
    /// `Up to`, `more than`.
    fn take_amount(&mut self, words: &[String], at: usize) -> Option<usize> {
        let (is_yes, count) = AMOUNTS.find_row(&words[at..])?;
        // `No more than` is as much as `at most`.
        let is_turned = at > 0 && matches!(words[at - 1].as_str(), "no" | "not");
        let over = word_mark("over")?;
        self.is_no ^= is_turned;
        self.marks.push(Mark {
            is_first: is_yes != is_turned,
            ..over
        });
        Some(count)
    }

    /// A no, a may or a must.
    fn take_turn(&mut self, words: &[String], at: usize) -> Option<usize> {
        let here = &words[at..];
        let next = |count: usize| here.get(count).map_or("", String::as_str);
        if is_fine(words, at) {
            self.is_may = true;
            return Some(1);
        }
        let is_first = || self.rest.is_empty() && is_of("de d des", next(1)) && !is_number(next(2));
        // `Ne .. plus` is `no longer`, and so is `plus de tabulations`.
        let is_over =
            next(0) == "plus" && (words[..at].iter().any(|one| one == "ne") || is_first());
        let (turn, count) = match is_over {
            true => (Turn::Ceased, 1),
            false => negation_words::find_turn(here)?,
        };
        self.has_no |= matches!(turn, Turn::No | Turn::Ceased);
        match turn {
            // `No more than 5 MB`.
            Turn::Ceased if next(count) == "than" => return self.take_no(here, 1),
            Turn::No => return self.take_no(here, count),
            Turn::Ceased => {
                self.deny(here);
                self.ceases = true;
                self.is_of_a_thing |=
                    matches!(next(1), "more") || next(0) == "plus" && is_of("de d des", next(1));
            }
            Turn::AnyMore if is_of("als than de que", next(count)) => return None,
            Turn::AnyMore => self.ceases = true,
            Turn::Again => self.resumes = true,
            Turn::May if next(0) == "may" && is_month(words, at) => return None,
            Turn::May => self.is_may = true,
            Turn::Barred => {
                self.is_may = true;
                self.deny(here);
            }
            Turn::Need => self.is_need = true,
            Turn::Freed => self.is_freed = true,
            Turn::Ought | Turn::Idle => {}
        }
        Some(count)
    }

    /// A second no turns the first round, but where nobody divides words: there both are parts of one, or of two
    /// clauses.
    fn deny(&mut self, here: &[String]) {
        self.is_no = !self.is_no || has_unspaced(&here[0]);
    }

    fn take_no(&mut self, here: &[String], count: usize) -> Option<usize> {
        let (word, next) = (here[0].as_str(), here.get(count).map_or("", String::as_str));
        let is_end = is_of("stop stopped quit cease", word);
        // `Stop the worker` is something to do.
        if is_end && is_of("the a an this that all", next) {
            return None;
        }
        if !negation_words::ONLY.contains(next) {
            self.deny(here);
        }
        self.ceases |= is_end;
        let is_thing = word == "no" || word.starts_with("kein") || word.starts_with("aucun");
        self.is_of_a_thing |=
            is_thing || word.starts_with("ning") || word == "pas" && is_of("de d", next);
        Some(count)
    }

    /// Another word.
    fn take_word(&mut self, words: &[String], at: usize) {
        let word = &words[at];
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        let is_counted = before.ends_with(|c: char| c.is_ascii_digit());
        if let Some((hour, half)) = split_hour(word) {
            self.rest.push((at, hour.to_owned()));
            self.marks.extend(word_mark(half));
        } else if let Some(mark) = word_mark(word).filter(|_| word != "am" || is_counted) {
            self.marks.push(mark);
        } else if !IDLE.contains(word) {
            self.rest.push((at, word.clone()));
        }
    }
}

/// `Semicolons are fine`, and no `fine tuning`.
fn is_fine(words: &[String], at: usize) -> bool {
    static BEHIND: WordList = WordList::of(&["behind_fine"]);
    let is_end = words.get(at + 1).is_none_or(|next| BEHIND.contains(next));
    let is_said = words[..at]
        .iter()
        .any(|word| is_of("is are be it's that's", word));
    is_of("fine ok okay", &words[at]) && is_end && is_said
}

/// `In May` says nothing of what may be.
fn is_month(words: &[String], at: usize) -> bool {
    static BEFORE: WordList = WordList::of(&["before_months"]);
    let before = at.checked_sub(1).map(|at| words[at].as_str());
    let is_dated = before.is_some_and(|before| {
        BEFORE.contains(before) || before.ends_with(|c: char| c.is_ascii_digit())
    });
    let next = words.get(at + 1);
    is_dated || next.is_none_or(|next| next.starts_with(|c: char| c.is_ascii_digit()))
}

/// `9am` as its two parts.
fn split_hour(word: &str) -> Option<(&str, &str)> {
    let at = word.find(['a', 'p'])?;
    let (hour, half) = word.split_at(at);
    let is_hour = !hour.is_empty() && hour.chars().all(|c| c.is_ascii_digit() || c == ':');
    (is_hour && matches!(half, "am" | "pm")).then_some((hour, half))
}

/// Whether two rows of words are one but for such a beginning, and how many words have it.
pub(super) fn by_prefix(one: &[String], other: &[String]) -> (bool, usize) {
    let is_prefixed = |short: &str, long: &str| {
        let is_long = short.chars().count() >= PREFIXED_CHARS_MIN;
        let mut prefixes = PREFIXES.iter();
        is_long && prefixes.any(|prefix| long.strip_prefix(prefix) == Some(short))
    };
    let mut prefixed = 0;
    let is_alike = one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| {
            let is_turned = is_prefixed(one, other) || is_prefixed(other, one);
            prefixed += usize::from(is_turned);
            one == other || is_turned
        });
    (is_alike, prefixed)
}
