//! A sentence as far as it takes to compare it with another: the words that carry something, where each stands, and
//! what kind of value each is. Yes, no, may and must are read by [`Statement`] alone.

use std::collections::BTreeSet;

use jiff::civil::Date;
use mem_recall::text::{Stems, fold_word, is_stop, is_unspaced};
use mem_recall::versus::{Statement, first_clause, is_name, negation_words, unspaced_words};
use mem_recall::{DIMS, Embedding, Table};

use super::words;
use crate::title::capitalized;

/// So many tokens make a vector.
const TOKENS_MAX: usize = 64;

/// What kind of value a word is: one of a kind can stand in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word like others.
    Plain,
    /// A word that is written as a name is.
    Name,
    /// A day of the week.
    Day,
    /// A word with digits, by its shape.
    Figure(String),
}

/// A word that carries something.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) stem: String,
    pub(super) kind: Kind,
    /// Whether it stands behind a word that ties what is said to what it is said of.
    pub(super) is_behind: bool,
    /// Whether it is the first one behind such a word.
    pub(super) is_direct: bool,
}

/// A sentence of a day.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// As it was written, without a label in front.
    pub(super) text: String,
    /// The day it was written on.
    pub(super) date: Date,
    /// The stems of all of it.
    pub(super) stems: BTreeSet<String>,
    /// The words of its first clause, in order.
    pub(super) words: Vec<Word>,
    /// The stems of what it says that it was before.
    pub(super) gone: BTreeSet<String>,
    /// The names and figures of all of it, in order.
    pub(super) values: Vec<String>,
    /// Whether anything in it says no.
    pub(super) says_no: bool,
    /// Whether it says that it was otherwise.
    pub(super) is_change: bool,
    /// Whether it says that it comes beside what is known.
    pub(super) is_beside: bool,
    /// Whether a word ties what it says to what it says that of.
    pub(super) is_tied: bool,
    /// Whether it is written without spaces.
    pub(super) is_unspaced: bool,
    pub(super) vector: Option<Embedding<DIMS>>,
    pub(super) statement: Statement,
}

impl Sentence {
    /// Reads a sentence of a day.
    pub(super) fn read(text: &str, date: Date, stems: &mut Stems) -> Self {
        let (plain, is_correction) = strip_labels(text);
        let clause = first_clause(&plain);
        // Behind a colon stands the value, and no reason.
        let is_named = plain[clause.len()..].starts_with(':');
        let clause = if is_named { &plain } else { clause };
        let is_unspaced = plain.chars().any(is_unspaced);
        let first = read_words(clause, is_unspaced, stems);
        let all = read_words(&plain, is_unspaced, stems);
        let values = all.words.iter().filter(|word| word.kind != Kind::Plain);
        Self {
            date,
            stems: all.words.iter().map(|word| word.stem.clone()).collect(),
            values: values.map(|word| word.stem.clone()).collect(),
            gone: first.gone,
            says_no: all.says_no,
            is_change: is_correction || first.is_change,
            is_beside: first.is_beside,
            is_tied: first.is_tied,
            is_unspaced,
            vector: Table::embedded().text_vector(&plain, TOKENS_MAX),
            statement: Statement::from_text(&plain),
            words: first.words,
            text: plain,
        }
    }

    /// Whether it speaks of a thing of which there is one at a time.
    pub(super) fn is_about_one_of(&self) -> bool {
        let mut words = self.words.iter();
        words.any(|word| !word.is_direct && is_one_of(&word.stem))
    }

    /// The stems of what it speaks of.
    pub(super) fn subject(&self) -> BTreeSet<&str> {
        let words = self.words.iter().filter(|word| !word.is_behind);
        words.map(|word| word.stem.as_str()).collect()
    }

    /// Whether another one says all that this one says.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.stems.is_subset(&other.stems) && self.says_no == other.says_no
    }
}

/// What was read of a part of a text.
#[derive(Debug, Default)]
struct Reading {
    words: Vec<Word>,
    gone: BTreeSet<String>,
    says_no: bool,
    is_change: bool,
    is_beside: bool,
    is_tied: bool,
    /// Whether nothing was said since the last word that ties.
    is_direct: bool,
}

impl Reading {
    fn tie(&mut self) {
        self.is_tied = true;
        self.is_direct = true;
    }

    fn push(&mut self, stem: String, kind: Kind) {
        self.words.push(Word {
            stem,
            kind,
            is_behind: self.is_tied,
            is_direct: self.is_direct,
        });
        self.is_direct = false;
    }
}

/// The text without labels that only say what kind of entry it is, and whether one says that it was otherwise.
fn strip_labels(text: &str) -> (String, bool) {
    let mut rest = text.trim();
    let mut is_correction = false;
    while let Some((label, after)) = rest.split_once(": ") {
        let low = label.to_lowercase();
        is_correction |= words::CORRECTIONS.contains(low.as_str());
        if !words::LABELS.contains(low.as_str()) && !words::CORRECTIONS.contains(low.as_str()) {
            break;
        }
        rest = after.trim_start();
    }
    if rest.len() == text.trim().len() {
        return (rest.to_owned(), is_correction);
    }
    (capitalized(rest), is_correction)
}

/// Reads a part.
fn read_words(part: &str, is_unspaced: bool, stems: &mut Stems) -> Reading {
    let mut reading = Reading::default();
    let written: Vec<String> = match is_unspaced {
        true => unspaced_words(part),
        false => part.split_whitespace().map(str::to_owned).collect(),
    };
    let lows: Vec<String> = written.iter().map(|word| fold(word)).collect();
    reading.is_change = lows.iter().any(|low| words::CHANGE.contains(low));
    reading.says_no = match is_unspaced {
        true => negation_words::unspaced::says_no(part) || words::UNSPACED_ASIDE.is_within(part),
        false => lows.iter().any(|low| negation_words::says_no(low)),
    };
    let mut gone_until = 0;
    let mut is_first = true;
    for (at, (written, low)) in written.iter().zip(&lows).enumerate() {
        reading.is_beside |= words::BESIDE.contains(low);
        // `From 5 to 10`, `replaced npm by bun`: what it was stands between.
        if reading.is_change
            && words::GONE.contains(low)
            && let Some(end) = lows[at..]
                .iter()
                .position(|low| words::GONE_ENDS.contains(low))
        {
            gone_until = at + end;
        }
        let ties = [&words::IS, &words::USES, &words::TURNS];
        let is_tie = ties.iter().any(|list| list.contains(low)) || (at > 0 && at == gone_until);
        let content = match is_unspaced {
            true => unspaced_content(written, low),
            false => content_of(written, low, is_first, stems),
        };
        if let Some((stem, kind)) = content.filter(|_| !is_tie) {
            match at < gone_until {
                true => drop(reading.gone.insert(stem)),
                false => reading.push(stem, kind),
            }
        }
        if is_tie || (written.ends_with(':') && !reading.words.is_empty()) {
            reading.tie();
        }
        is_first = written.ends_with(['.', '!', '?', ':', ';']);
    }
    if !is_unspaced {
        turn_role(&mut reading, &lows);
    }
    reading
}

/// The same as [`content_of`] of a word of Chinese, Japanese or Korean: names of other scripts are values there.
fn unspaced_content(written: &str, low: &str) -> Option<(String, Kind)> {
    if let Some(day) = words::WEEKDAYS.sides_of(low).first() {
        return Some((format!("~{}", day.group), Kind::Day));
    }
    let kind = match () {
        () if has_digit(low) => Kind::Figure(digit_shape(low)),
        () if is_name(written) => Kind::Name,
        () if low.is_empty() || words::EMPTY.contains(low) || words::CHANGE.contains(low) => {
            return None;
        }
        () => Kind::Plain,
    };
    Some((low.to_owned(), kind))
}

/// `Alice owns payments` and `Alice is the payments owner` say what `the payments owner is Alice` says.
fn turn_role(reading: &mut Reading, lows: &[String]) {
    let words = &mut reading.words;
    let verb = lows.get(1).map_or("", String::as_str);
    let is_owned = words::OWNS.contains(verb);
    let is_shared = words::SHARED.contains(verb);
    let is_the = words::IS.contains(verb) && lows.get(2).is_some_and(|low| low == "the");
    let is_named = is_the && words.iter().skip(1).any(|word| is_one_of(&word.stem));
    if words.len() < 2 || words[0].is_behind || !(is_owned || is_shared || is_named) {
        return;
    }
    let name = words.remove(0).stem;
    for word in words.iter_mut() {
        word.is_behind = false;
        word.is_direct = false;
    }
    // More than one may review: who does so is no reviewer of whom there is one.
    match () {
        () if is_owned => "owner".clone_into(&mut words[0].stem),
        () if is_shared => words[0].stem = format!("@{verb}"),
        () => {}
    }
    reading.tie();
    reading.push(name, Kind::Name);
}

/// The stem of a word, and what kind of value it is; nothing for a word that carries nothing.
fn content_of(
    written: &str,
    low: &str,
    is_first: bool,
    stems: &mut Stems,
) -> Option<(String, Kind)> {
    if let Some(day) = words::WEEKDAYS.sides_of(low).first() {
        return Some((format!("~{}", day.group), Kind::Day));
    }
    let is_light = is_stop(low) || words::EMPTY.contains(low) || words::CHANGE.contains(low);
    if low.is_empty() || (is_light && !words::LIMITS.contains(low)) {
        return None;
    }
    if has_digit(low) || words::MONTHS.contains(low) {
        return Some((low.to_owned(), Kind::Figure(digit_shape(low))));
    }
    let stem = match low.chars().all(char::is_alphabetic) {
        true => stems.stem_word(low).to_owned(),
        false => low.to_owned(),
    };
    let kind = match is_named(written, is_first) {
        true => Kind::Name,
        false => Kind::Plain,
    };
    Some((stem, kind))
}

/// A word in small letters and without accents, marks at its ends, and what is elided in front: `l'équipe` -> `equipe`.
fn fold(word: &str) -> String {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '=' | '#' | '+' | '$' | '%');
    let inner = word.trim_matches(is_edge);
    let mut low = String::with_capacity(inner.len());
    fold_word(inner, &mut low);
    let elided = low.split_once(['\'', '’']);
    let elided = elided.filter(|(head, rest)| head.len() == 1 && rest.len() > 1);
    match elided {
        Some((_, rest)) => rest.to_owned(),
        None => low.replace(['\'', '’'], ""),
    }
}

/// Whether a stem is that of a thing of which there is one at a time.
fn is_one_of(stem: &str) -> bool {
    let mut names = words::ONE_OF.words().iter();
    names.any(|word| word == stem || (stem.len() > 3 && word.starts_with(stem)))
}

pub(super) fn has_digit(stem: &str) -> bool {
    stem.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a word is written as a name is, at a place that asks for no capital.
fn is_named(word: &str, is_first: bool) -> bool {
    let mut chars = word.chars().filter(|c| c.is_alphabetic());
    let first = chars.next().is_some_and(char::is_uppercase);
    (first && !is_first) || chars.any(char::is_uppercase)
}

/// `2026-03-14` -> `9-9-9`; the name of a month is a figure of a date.
fn digit_shape(stem: &str) -> String {
    let mut shape = String::new();
    if !has_digit(stem) {
        return "9".to_owned();
    }
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

#[cfg(test)]
pub(super) mod tests;
