//! How a newer statement stands to an older one, word by word: the same, the contrary, a newer value, or about
//! another thing.
//!
//! To vectors `always` is `never` and the staging database is the production database. Records, extraction and
//! distillation all have to know better before one statement takes another's place, so all three ask here.
//!
//! # Layout
//! - `negation_words`: the words of no, may, must and need not. `antonyms`: words in pairs, like `on` and
//!   `off`. `negation`: what both make of a statement. `choice`: what is chosen, and what is set aside.
//! - `clause`: a text as words, up to its verb and behind it. `paraphrase`: the contrary in other words.
//! - `word_order`: the same words in another order. `subject_difference`: whether two things are spoken of,
//!   `interval_ends`: or two ends of one. `times`: or two times, `names`: or two names. `states`: how something is,
//!   said last. `values`: one value in the place of another. `cjk`: the words of Chinese, Japanese and Korean.

mod antonyms;
mod choice;
mod cjk;
mod clause;
mod interval_ends;
mod names;
mod negation;
pub mod negation_words;
mod paraphrase;
mod states;
mod subject_difference;
mod times;
mod values;
mod word_order;

use std::sync::OnceLock;

use antonyms::Mark;
use choice::Choice;
pub use cjk::{is_name, unspaced_words};
use clause::{Clause, is_said, stem_word};
use negation::Polarity;
use paraphrase::Core;
pub use paraphrase::first_clause;
use subject_difference::{diff_words, is_another};

use crate::lexicon::WordList;

/// How many of something there are: nothing that a statement is about, and not the same.
static COUNTED: WordList = WordList::of(&["quantifiers"]);

/// How a newer statement stands to an older one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementRelation {
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
    /// The stems of the words that say something and turn nothing round.
    stems: Vec<String>,
    /// The place of each among the words of the clause.
    places: Vec<usize>,
    says: Polarity,
    marks: Vec<Mark>,
    text: String,
    /// What it says first, without the reason; read when it is asked for.
    core: OnceLock<Core>,
    /// Whether it may set something aside: few statements do.
    may_choose: bool,
    /// What it chooses and sets aside; read when it is asked for.
    choice: OnceLock<Choice>,
}

impl Statement {
    /// Reads a text.
    pub fn from_text(text: &str) -> Self {
        let text_led = negation::without_lead(text);
        let clause = Clause::from_content(text_led);
        let read = negation::read(&clause.words);
        let (says, marks) = (read.overall_claim(), read.marks.clone());
        let words = read.rest.into_iter().filter(|(_, word)| is_said(word));
        let may_choose = clause.is_unspaced || read.has_no || choice::may_lead(text, &clause);
        let (places, stems) = words
            .map(|(at, word)| (at, stem_word(&word).to_owned()))
            .unzip();
        Self {
            stems,
            places,
            says,
            marks,
            text: text_led.to_owned(),
            core: OnceLock::new(),
            may_choose,
            choice: OnceLock::new(),
            clause,
        }
    }

    /// Whether one of both says no and the other yes, whatever they speak of: then the one does not repeat the other.
    pub fn is_against(&self, other: &Self) -> bool {
        if let Some(relation) = self.compare_choices(other) {
            return relation == StatementRelation::Contrary;
        }
        self.is_of_script(other) && self.core().says.is_against(other.core().says)
    }

    /// Whether a newer value takes the place of this one's wherever both are read: of who is the one of whom there is
    /// one, of where something is at home, and of what it is written in.
    pub fn is_succeeded_by(&self, newer: &Self) -> bool {
        let (before, now) = (&self.clause, &newer.clause);
        let is_one = names::is_succeeded(before, now) || names::has_moved(before, now);
        let is_updated = || {
            let found = compare_statements(self, newer);
            matches!(found, StatementRelation::Updated(_))
        };
        names::is_renamed(before, now) || (is_one && is_updated())
    }

    /// Whether each speaks of another end of one thing: when it opens and when it closes. So is what it costs per
    /// month, and what per year.
    pub fn is_other_end(&self, other: &Self) -> bool {
        self.is_of_script(other)
            && (interval_ends::are_two(&self.clause, &other.clause)
                || times::are_other_rates(&self.clause, &other.clause))
    }

    /// How a newer choice between the same stands to this one: the contrary, the same, or one for another case. Nothing
    /// where they are no such choices.
    pub fn compare_choices(&self, newer: &Self) -> Option<StatementRelation> {
        let may_differ = self.is_of_script(newer) && (self.may_choose || newer.may_choose);
        may_differ
            .then(|| {
                self.choice()
                    .compare_choice(newer.choice(), self.clause.is_unspaced)
            })
            .flatten()
    }

    fn choice(&self) -> &Choice {
        let read = || Choice::from_text(&self.text, &self.clause);
        self.choice.get_or_init(read)
    }

    fn core(&self) -> &Core {
        self.core
            .get_or_init(|| read_core(&self.text, &self.clause))
    }

    /// Whether it says that something is not so, must not be, or need not be.
    pub fn is_no(&self) -> bool {
        self.says.is_no()
    }

    /// Whether both are in a script with spaces between words, or both in one without.
    fn is_of_script(&self, other: &Self) -> bool {
        self.clause.is_unspaced == other.clause.is_unspaced
    }
}

/// What a text says first, without the reason.
fn read_core(text: &str, clause: &Clause) -> Core {
    let first = first_clause(text);
    if first.len() == text.len() {
        return Core::from_text(first, &clause.words, &negation::read(&clause.words));
    }
    let words = Clause::from_content(first).words;
    Core::from_text(first, &words, &negation::read(&words))
}

/// Compares two texts.
pub fn compare_texts(older: &str, newer: &str) -> StatementRelation {
    compare_statements(&Statement::from_text(older), &Statement::from_text(newer))
}

/// Compares two statements.
pub fn compare_statements(older: &Statement, newer: &Statement) -> StatementRelation {
    by_yes_and_no(older, newer).unwrap_or_else(|| by_what_differs(older, newer))
}

/// Whether the newer statement is the contrary of the older; the quicker question.
pub fn is_contrary(older: &Statement, newer: &Statement) -> bool {
    by_yes_and_no(older, newer) == Some(StatementRelation::Contrary)
}

/// What words of yes and no tell, and the same words; nothing where it is up to what differs.
fn by_yes_and_no(older: &Statement, newer: &Statement) -> Option<StatementRelation> {
    if let Some(relation) = older.compare_choices(newer) {
        return Some(relation);
    }
    if !older.is_of_script(newer) {
        return Some(StatementRelation::Open);
    }
    if let Some(relation) = states::compare_states(older, newer) {
        return Some(relation);
    }
    let (one, other) = (&older.stems, &newer.stems);
    if one.is_empty() || other.is_empty() {
        return Some(StatementRelation::Open);
    }
    if older.is_other_end(newer) {
        return Some(StatementRelation::Another);
    }
    let (is_alike, prefixed) = negation::by_prefix(one, other);
    if is_alike {
        return Some(of_the_same_words(older, newer, prefixed));
    }
    if word_order::is_permuted(one, other) {
        let turned = word_order::compare_reordered(older, newer);
        return Some(match (turned, has_turned(older, newer)) {
            (_, false) => turned,
            (StatementRelation::Open, true) => StatementRelation::Contrary,
            (_, true) => StatementRelation::Open,
        });
    }
    let is_denied = older.core().is_denied_by(newer.core());
    is_denied.then_some(StatementRelation::Contrary)
}

/// What the words that differ tell, where no yes or no does: never the contrary.
fn by_what_differs(older: &Statement, newer: &Statement) -> StatementRelation {
    let (one, other) = (&older.stems, &newer.stems);
    let (before, now) = (&older.clause, &newer.clause);
    if names::is_succeeded(before, now) && older.says == newer.says {
        return StatementRelation::Updated(1);
    }
    if older.clause.is_unspaced {
        // Which of their words are values is not known.
        let shared = one.iter().filter(|word| other.contains(word));
        let is_replaced = has_turned(older, newer)
            && paraphrase::char_count(shared) >= paraphrase::SHARED_CHARS_MIN
            && older.core().is_replaced_by(newer.core());
        return match is_replaced || word_order::goes_on(before, now) {
            true => StatementRelation::Another,
            false => StatementRelation::Open,
        };
    }
    let is_named_apart =
        names::is_longer(before, now) || names::are_numbered_apart(&older.text, &newer.text);
    if is_named_apart
        || is_another(before, now)
        || word_order::goes_on(before, now)
        || times::are_two(before, now)
    {
        return StatementRelation::Another;
    }
    let (found, _) = diff_words(one, other);
    let replaced: Vec<_> = found
        .iter()
        .filter(|hunk| hunk.is_on_both_sides())
        .collect();
    if replaced.is_empty() {
        return StatementRelation::Open;
    }
    // `The shop uses Stripe`, `use pnpm for installs`: more than a value differs.
    let is_whole = found
        .iter()
        .all(|hunk| hunk.is_on_both_sides() || hunk.is_of_numbers(one, other));
    match values::compare_values(older, newer, &replaced, has_turned(older, newer)) {
        StatementRelation::Updated(_) if !is_whole => StatementRelation::Open,
        relation => relation,
    }
}

fn of_the_same_words(older: &Statement, newer: &Statement, prefixed: usize) -> StatementRelation {
    let (paired, states) = antonyms::count_opposed_pairs(&older.marks, &newer.marks);
    let opposed = paired + prefixed;
    let counted = |one: &Statement| {
        let words = one.clause.words.iter();
        words
            .filter(|word| COUNTED.contains(word))
            .cloned()
            .collect::<Vec<_>>()
    };
    let is_turned = older.says.is_against(newer.says);
    let is_one = older.says == newer.says;
    match (is_turned, opposed) {
        // `Allowed before noon`, `forbidden after noon`.
        _ if (is_turned || states > 0) && antonyms::differ_beside(&older.marks, &newer.marks) => {
            StatementRelation::Another
        }
        (false, 0) if is_one && counted(older) == counted(newer) => StatementRelation::Same,
        (false, 0) => StatementRelation::Open,
        (false, _) | (true, 0) => StatementRelation::Contrary,
        // `Is not on`, `is off`: in other words.
        (true, _) => StatementRelation::Open,
    }
}

fn has_turned(older: &Statement, newer: &Statement) -> bool {
    let (opposed, _) = antonyms::count_opposed_pairs(&older.marks, &newer.marks);
    older.says.is_against(newer.says) != (opposed > 0)
}

#[cfg(test)]
mod tests;
