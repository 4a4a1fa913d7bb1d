//! A sentence, read as far as it takes to compare it with another: what it is about, what it says of
//! that, whether it says no, and what it says holds no longer.

mod clause;

use std::collections::BTreeSet;

use jiff::civil::Date;
use mem_recall::text::{Stems, fold_word, is_stop, is_unspaced};
use mem_recall::versus::Statement;
use mem_recall::versus::denial::says_no;
use mem_recall::{DIMS, Embedding, Table};

use super::whole::{Whole, is_name};
use super::{denied, means, qualified, unspaced, words};

/// So many tokens make a vector.
const TOKENS_MAX: usize = 64;

/// Before what a role of several is told by: no word begins so.
const OF_A_ROLE: char = '@';

/// Stems.
pub(super) type Stemmed = BTreeSet<String>;

/// How a sentence ties what it says to what it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tie {
    /// It does so in no way that is known.
    #[default]
    None,
    /// Something is something.
    Is,
    /// Something has one of several things.
    Has,
    /// Somebody answers for something.
    Owns,
    /// Something is chosen for something.
    Uses,
}

/// A sentence.
#[derive(Clone, Debug)]
pub(super) struct ParsedSentence {
    /// As it was written.
    pub(super) text: String,
    /// The day it was written on.
    pub(super) date: Date,
    /// All that is compared.
    pub(super) content: Stemmed,
    /// All that it says, with what is not compared.
    pub(super) whole: Whole,
    /// The same in order, with what is repeated.
    pub(super) order: Vec<String>,
    /// What it is about.
    pub(super) subject: Stemmed,
    /// What it says of that.
    pub(super) value: Stemmed,
    pub(super) tie: Tie,
    /// The word that ties, with the one behind it where that says what kind of thing follows.
    pub(super) verb: String,
    pub(super) is_negated: bool,
    /// Whether it says that it was otherwise.
    pub(super) is_change: bool,
    /// Whether it says that it comes beside what is known.
    pub(super) is_beside: bool,
    /// What it says holds no longer.
    pub(super) gone: Stemmed,
    /// For what, where and by whom it holds.
    pub(super) qualified: qualified::Qualified,
    /// With what something is done, where no word ties.
    pub(super) means: Option<means::Means>,
    pub(super) vector: Option<Embedding<DIMS>>,
    /// Word by word, to be compared so.
    pub(super) statement: Statement,
    /// Whether what it is about has one value at a time.
    pub(super) is_about_one_of: bool,
    /// Whether all that it says of that is a day of the week.
    pub(super) is_on_a_day: bool,
    /// Whether it is written without spaces, and read by its characters.
    pub(super) is_unspaced: bool,
}

/// A word with what is compared of it.
pub(super) struct Word {
    pub(super) low: String,
    pub(super) stem: Option<String>,
}

impl ParsedSentence {
    /// Reads a sentence of a day.
    pub(super) fn read(text: &str, date: Date, stems: &mut Stems) -> Self {
        let (clause, is_correction) = clause::first_clause(text);
        let words: Vec<Word> = clause.iter().map(|word| word_of(word, stems)).collect();
        let low: Vec<&str> = words.iter().map(|word| word.low.as_str()).collect();
        let has = |list: &words::Words| low.iter().any(|word| list.contains(*word));
        let denied = denied::read(&clause, &words);
        let tie = find_tie(&words).map(|(at, _)| at);
        let mut said = Self {
            text: clause::strip_label(text),
            date,
            content: content_stems(&words),
            whole: Whole::default(),
            order: words.iter().filter_map(|word| word.stem.clone()).collect(),
            subject: Stemmed::new(),
            value: Stemmed::new(),
            tie: Tie::None,
            verb: String::new(),
            is_negated: denied.is_negated,
            is_change: is_correction || denied.is_change || has(&words::CHANGE),
            is_beside: is_beside(&low, denied.is_negated),
            gone: denied.gone,
            qualified: qualified::read(&clause, &words, tie),
            means: means::read(&words).filter(|_| tie.is_none()),
            vector: Table::embedded().text_vector(text, TOKENS_MAX),
            statement: Statement::from_text(&clause.join(" ")),
            is_about_one_of: false,
            is_on_a_day: false,
            is_unspaced: text.chars().any(is_unspaced),
        };
        if said.is_unspaced {
            // Scripts without spaces have no words to look at: their characters are compared.
            unspaced::read(&mut said, &clause.join(" "), stems);
        } else {
            said.split_at_tie(&words);
            said.is_about_one_of = said.subject.iter().any(|stem| is_one_of(stem));
        }
        said.whole = whole_text(&said, stems);
        said.value.retain(|stem| !said.gone.contains(stem));
        said.subject.retain(|stem| !said.gone.contains(stem));
        said
    }

    /// Tells what it is about from what it says of that.
    fn split_at_tie(&mut self, words: &[Word]) {
        let Some((at, tie)) = find_tie(words) else {
            return self.tie_turn(words);
        };
        // A colon ties behind its word, a verb is one.
        let is_colon = words[at].low.ends_with(':');
        let (before, after) = (&words[..at + usize::from(is_colon)], &words[at + 1..]);
        self.tie = tie;
        let next = after.first().map_or("", |word| word.low.as_str());
        self.verb.clone_from(&words[at].low);
        if words::AT.contains(next) {
            self.verb.push(' ');
            self.verb.push_str(if next == "to" { "in" } else { next });
        }
        match tie {
            Tie::Uses => {
                let is_for = |word: &Word| words::FOR.contains(word.low.as_str());
                let end = after.iter().position(is_for).unwrap_or(after.len());
                self.value = content_stems(&after[..end]);
                self.subject = content_stems(&after[end..]);
                let stem = if self.verb.starts_with("pre") {
                    "prefer"
                } else {
                    "use"
                };
                self.verb = match after.get(end) {
                    Some(word) => format!("{stem} {}", word.low),
                    None => stem.to_owned(),
                };
                self.subject.extend(content_stems(before));
            }
            Tie::Owns => {
                self.value = content_stems(before);
                self.subject = content_stems(after);
                // Who reviews a thing need not own it.
                self.subject
                    .insert(match words::SHARED.contains(self.verb.as_str()) {
                        true => format!(
                            "{OF_A_ROLE}{}",
                            words[at].stem.as_deref().unwrap_or_default()
                        ),
                        false => "owner".to_owned(),
                    });
            }
            Tie::Is | Tie::Has | Tie::None => {
                self.subject = content_stems(before);
                self.value = content_stems(after);
                self.read_name_clause(after);
                self.is_on_a_day = is_a_day(after);
                // `Kim is the payments owner` says what `the payments owner is Kim` says.
                let is_turned = after.first().is_some_and(|word| word.low == "the")
                    && self.value.iter().any(|stem| is_one_of(stem))
                    && !self.subject.iter().any(|stem| is_one_of(stem))
                    && before.len() <= 2;
                if is_turned {
                    std::mem::swap(&mut self.subject, &mut self.value);
                }
            }
        }
    }

    /// `It is called Hydra` says what `its name is Hydra` says: a thing has one.
    fn read_name_clause(&mut self, after: &[Word]) {
        let first = after.iter().position(|word| word.stem.is_some());
        let named = first.filter(|at| words::NAMED.contains(after[*at].low.as_str()));
        // `called twice`, `called from main` name nothing.
        let named = named.filter(|at| {
            let next = after.get(at + 1).map_or("", |word| word.low.as_str());
            !next.is_empty() && !words::AT.contains(next) && !words::TIMES.contains(next)
        });
        let named = named.map(|at| &after[at]);
        if named.is_some() || words::NAMES.contains(self.verb.as_str()) {
            "is called".clone_into(&mut self.verb);
        }
        if let Some(stem) = named.and_then(|word| word.stem.as_ref()) {
            self.value.remove(stem);
        }
    }

    /// `Raised the limit from 5 to 10` says what `the limit is 10` says.
    fn tie_turn(&mut self, words: &[Word]) {
        let turn = words
            .iter()
            .position(|word| words::TURNS.contains(word.low.as_str()));
        let Some(turn) = turn else { return };
        let after = &words[turn + 1..];
        let Some(to) = after.iter().rposition(|word| word.low == "to") else {
            return;
        };
        let from = after[..to].iter().position(|word| word.low == "from");
        self.subject = content_stems(&after[..from.unwrap_or(to)]);
        if self.subject.is_empty() {
            self.subject = content_stems(&words[..turn]);
        }
        self.value = content_stems(&after[to + 1..]);
        self.tie = Tie::Is;
        self.is_change = true;
        "is".clone_into(&mut self.verb);
    }

    /// What it is about, where a thing and its place are one.
    pub(super) fn place_subject(&self) -> Stemmed {
        let is_place = |stem: &&String| words::PLACES.contains(stem.as_str());
        self.subject
            .iter()
            .filter(|stem| !is_place(stem))
            .cloned()
            .collect()
    }
}

/// Whether a stem is that of a thing of which there is one at a time.
pub(super) fn is_one_of(stem: &str) -> bool {
    words::ONE_OF
        .iter()
        .any(|word| *word == stem || (stem.len() > 3 && word.starts_with(stem)))
}

/// All that a text says, where only its first clause was compared.
fn whole_text(said: &ParsedSentence, stems: &mut Stems) -> Whole {
    let mut whole = Whole::default();
    if said.is_unspaced {
        whole.words.clone_from(&said.content);
        unspaced::gather_whole(&said.text, stems, &mut whole);
        return whole;
    }
    let mut is_first = true;
    for written in said.text.split_whitespace() {
        let word = word_of(written, stems);
        let low = word.low.trim_end_matches(':');
        whole.says_no |= says_no(low);
        if words::LIMITS.contains(low) {
            whole.words.insert(low.to_owned());
        }
        if let Some(stem) = word.stem {
            if is_name(written, is_first) {
                whole.names.insert(stem.clone());
            }
            whole.words.insert(stem);
        }
        is_first = written.ends_with(['.', '!', '?', ':', ';']);
    }
    whole
}

/// Whether a word says that more is true; in French `plus` with a no says the contrary.
fn is_beside(low: &[&str], is_negated: bool) -> bool {
    low.iter().enumerate().any(|(at, word)| {
        let is_no = *word == "plus" && (is_negated || (at > 0 && low[at - 1] == "non"));
        words::BESIDE.contains(*word) && !is_no
    })
}

fn word_of(word: &str, stems: &mut Stems) -> Word {
    let is_edge = |c: char| !c.is_alphanumeric() && !matches!(c, '=' | '#' | '+' | '$' | '%');
    let inner = strip_elision(word.trim_matches(is_edge));
    let mut low = String::with_capacity(inner.len());
    fold_word(inner, &mut low);
    let low = low.replace(['\'', '’'], "");
    let is_plain = low.chars().all(char::is_alphabetic);
    let day = words::WEEKDAYS.get(&low);
    let stem = match () {
        () if low.is_empty() || low == "=" => None,
        () if day.is_some() => day.map(|day| words::weekday_token(*day)),
        () if is_stop(&low) || words::EMPTY.contains(low.as_str()) => None,
        () if is_plain => Some(stems.stem_word(&low).to_owned()),
        () => Some(low.clone()),
    };
    // A colon behind the first words ties as a verb does.
    let low = if word.ends_with(':') && !word.contains("//") {
        format!("{low}:")
    } else {
        low
    };
    Word { low, stem }
}

/// Whether the first that is said is a day of the week: `on Tuesdays`, and not `off on Tuesdays`.
fn is_a_day(after: &[Word]) -> bool {
    let is_empty = |word: &&Word| {
        let low = word.low.as_str();
        words::BREAKS.contains(low) || words::EMPTY.contains(low)
    };
    let first = after.iter().find(|word| !is_empty(word));
    first.is_some_and(|word| words::WEEKDAYS.contains_key(&word.low))
}

/// `l'équipe` -> `équipe`.
fn strip_elision(word: &str) -> &str {
    let mut chars = word.chars();
    let letter = chars.next().map(|c| c.to_ascii_lowercase());
    let is_elided = matches!(letter, Some('l' | 'd' | 'n' | 's' | 'j'))
        && matches!(chars.next(), Some('\'' | '’'));
    match is_elided && chars.as_str().chars().count() > 1 {
        true => chars.as_str(),
        false => word,
    }
}

pub(super) fn content_stems(words: &[Word]) -> Stemmed {
    words.iter().filter_map(|word| word.stem.clone()).collect()
}

/// The word that ties, and how.
fn find_tie(words: &[Word]) -> Option<(usize, Tie)> {
    let has_subject = |at: usize| words[..at].iter().any(|word| word.stem.is_some());
    words.iter().enumerate().find_map(|(at, word)| {
        let low = word.low.as_str();
        let tie = match () {
            () if low.ends_with(':') && at < 6 && at + 1 < words.len() => {
                return Some((at, Tie::Is)).filter(|_| word.stem.is_some() || has_subject(at));
            }
            () if words::USES.contains(low) => return Some((at, Tie::Uses)),
            () if !has_subject(at) => return None,
            () if words::OWNS.contains(low) => Tie::Owns,
            () if words::IS.contains(low) => Tie::Is,
            () if words::HAS.contains(low) => Tie::Has,
            () => return None,
        };
        Some((at, tie))
    })
}

#[cfg(test)]
pub(super) mod tests;
