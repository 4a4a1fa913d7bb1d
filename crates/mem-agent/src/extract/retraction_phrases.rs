//! What takes back what was said in an earlier prompt: the last of it ("scrap that"), or what is about something
//! ("forget what I said about tabs").
//!
//! Such words are also said of the work at hand ("forget it, I'll do that myself"), so a prompt has to begin with them,
//! and those that are not plain have to be all of it.

use std::collections::BTreeSet;

use super::candidate::Reason;
use super::known_instructions;
use super::language::{RuleLanguage, detect_languages, fold_to_ascii};
use super::pending_memory::Pending;
use super::request_phrases::is_question;
use super::rules::PatternMark::{self, MayUnsay, TakesBack, Unsays, WavesOff, Withdraws};
use super::sentence_outcome::{SentenceOutcome, classify_sentence};
use super::speech::Sentence;

/// Words and pairs of letters that may be in every such object and tell nothing of it.
const IDLE: [&str; 34] = [
    "den", "dem", "ein", "eine", "del", "que", "dans", "sur", "mes", "mis", "con", "mein", "rule",
    "rules", "thing", "things", "said", "told", "what", "about", "last", "earlie", "regel",
    "regeln", "sache", "regle", "regla", "cosa", "the", "规则", "那条", "ルー", "ール", "규칙",
];
/// Of more words than two, so many hundredths have to be there.
const SHARE_MIN: usize = 66;
/// A short sentence has so many words at most, or so many letters of a script without blanks.
const SHORT_WORDS: usize = 3;
const SHORT_LETTERS: usize = 8;
/// What ends a clause.
const BREAKS: [char; 9] = [',', '，', '、', ';', ':', '—', '–', '.', '…'];

/// What is taken back of what was said before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Retraction {
    /// The last of it.
    Last,
    /// The last of it, unless that was an answer to what the agent asked.
    LastPerhaps,
    /// The last of it, if that was an order; it may be about something else, so a person decides.
    LastDoubted,
    /// What is about something.
    About(SubjectWords),
}

/// What something is about: its words, as `known_instructions::words` has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubjectWords(BTreeSet<String>);

impl SubjectWords {
    /// What a sentence that takes something back by its name names; `None` where no word of that tells anything.
    pub(super) fn from_plain(plain: &str) -> Option<Self> {
        let spoken = detect_languages(plain).into_iter();
        let mut rules = spoken.filter_map(RuleLanguage::rules);
        let named = rules.find_map(|rules| rules.withdrawn_part(plain))?;
        let mut words = known_instructions::word_stems(named);
        words.retain(|word| !IDLE.contains(&word.as_str()));
        (!words.is_empty()).then_some(Self(words))
    }

    /// Whether a text is about that: it has its words, most of them where those are many.
    pub fn is_of(&self, text: &str) -> bool {
        let told = known_instructions::word_stems(&fold_to_ascii(&text.to_lowercase()));
        let is_told = |word: &&String| told.iter().any(|other| is_same_word(word, other));
        let shared = self.0.iter().filter(is_told).count();
        match self.0.len() {
            0 => false,
            few @ (1 | 2) => shared == few,
            many => shared * 100 >= many * SHARE_MIN,
        }
    }
}

/// Whether two words are forms of one: the shorter begins the longer.
fn is_same_word(one: &str, other: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let (short, long) = if one.len() <= other.len() {
        (one, other)
    } else {
        (other, one)
    };
    short == long || short.len() >= LETTERS_MIN && long.starts_with(short)
}

/// What is left of a sentence that takes something back: what it says instead, where that is sure.
pub(super) fn unless_taken_back(
    outcome: SentenceOutcome,
    marks: &[PatternMark],
    plain: &str,
) -> SentenceOutcome {
    let is_of_before =
        |mark: &PatternMark| matches!(mark, TakesBack | Unsays | WavesOff | Withdraws | MayUnsay);
    let takes_back = marks.iter().any(is_of_before);
    match outcome {
        SentenceOutcome::Keep(..) if takes_back && !says_instead(plain) => {
            SentenceOutcome::Drop(Reason::TakenBack)
        }
        outcome => outcome,
    }
}

/// Whether something is said after what takes back: "scrap that, use spaces in every file".
fn says_instead(plain: &str) -> bool {
    let clauses = plain.split(BREAKS).map(str::trim);
    let mut rest = clauses.skip_while(|clause| clause.is_empty() || is_exclaimed(clause));
    rest.next();
    let is_kept = |clause| {
        matches!(
            classify_sentence(clause, clause, false),
            (SentenceOutcome::Keep(..), _)
        )
    };
    rest.any(|clause| !is_short(clause) || is_kept(clause))
}

/// Whether what takes back is a clause of its own: not in "vergiss das nicht, ..".
fn is_own_clause(plain: &str) -> bool {
    let mut rules = detect_languages(plain)
        .into_iter()
        .filter_map(RuleLanguage::rules);
    let rest = rules.find_map(|rules| rules.text_after_mark(plain, TakesBack));
    rest.is_some_and(|rest| {
        let taken_back = plain[..plain.len() - rest.len()].trim_end();
        rest.starts_with(BREAKS) || rest.starts_with(" - ") || taken_back.ends_with(BREAKS)
    })
}

/// How a prompt begins, sentence by sentence.
#[derive(Debug, Default)]
pub(super) struct Opening {
    state: State,
    about: Vec<SubjectWords>,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing but exclamations yet.
    #[default]
    Open,
    /// Nothing but words that may take something back.
    Waved,
    /// Nothing but words that may as well be about the work at hand.
    Doubted,
    /// What is said instead follows.
    Replaced,
    /// It takes back.
    Plain,
    /// It begins otherwise.
    Other,
}

impl Opening {
    /// Takes in the next sentence; what it takes back by its name.
    pub(super) fn take_sentence(
        &mut self,
        sentence: &Sentence,
        marks: &[PatternMark],
        outcome: SentenceOutcome,
    ) -> Option<SubjectWords> {
        let is_kept = matches!(outcome, SentenceOutcome::Keep(..));
        let has = |mark| marks.contains(&mark);
        self.state = match std::mem::take(&mut self.state) {
            State::Open | State::Waved if has(Unsays) => State::Plain,
            State::Open | State::Waved if has(WavesOff) => State::Waved,
            State::Open | State::Doubted if has(MayUnsay) => State::Doubted,
            State::Waved if is_kept => State::Replaced,
            State::Open if is_kept && is_own_clause(&sentence.plain) => State::Replaced,
            State::Open | State::Waved | State::Doubted if !is_exclaimed(&sentence.plain) => {
                State::Other
            }
            settled => settled,
        };
        let is_named = has(Withdraws) && !has(Unsays);
        let about = is_named.then(|| SubjectWords::from_plain(&sentence.plain))??;
        self.about.push(about.clone());
        Some(about)
    }

    /// What the prompt takes back of what was said before it.
    pub(super) fn into_retractions(self) -> Vec<Retraction> {
        let last = match self.state {
            _ if !self.about.is_empty() => None,
            State::Plain => Some(Retraction::Last),
            State::Waved | State::Replaced => Some(Retraction::LastPerhaps),
            State::Doubted => Some(Retraction::LastDoubted),
            State::Open | State::Other => None,
        };
        let about = self.about.into_iter().map(Retraction::About);
        last.into_iter().chain(about).collect()
    }
}

/// Whether a sentence is so short that it seldom asks for anything.
pub(super) fn is_short(plain: &str) -> bool {
    let wide = plain.chars().filter(|c| *c >= '\u{3000}').count();
    plain.split_whitespace().count() <= SHORT_WORDS && wide <= SHORT_LETTERS && !is_question(plain)
}

/// Whether a sentence is nothing but an exclamation: "hm, wait."
fn is_exclaimed(plain: &str) -> bool {
    is_short(plain) && {
        let ended = format!("{plain}.");
        let mut rules = detect_languages(plain)
            .into_iter()
            .filter_map(RuleLanguage::rules);
        rules.any(|rules| rules.is_exclamation(&ended))
    }
}

/// A retraction that a session has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetractionRecord {
    /// The `uuid` of the record that says so.
    pub record: String,
    /// What.
    pub what: RetractionTarget,
    /// Whether nothing else can be meant: else a person decides.
    pub is_sure: bool,
}

/// What is retracted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RetractionTarget {
    /// The last that was said before this stretch of the session.
    Before {
        /// Whether the words may also answer what the agent asked.
        may_answer: bool,
    },
    /// This, of the record of that `uuid`.
    Quote {
        /// The record.
        record: String,
        /// What was said.
        quote: String,
    },
    /// All that the session says of something.
    About(SubjectWords),
}

/// What a person said last, so that the next stretch of a session can take it back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastSaid {
    /// The `uuid` of the record.
    pub record: String,
    /// The last of it that may be kept; none where that is nothing.
    pub quote: Option<String>,
    /// Whether something else was said after that.
    pub goes_on: bool,
    /// Whether the agent ended with a question since.
    pub is_asked: bool,
}

impl LastSaid {
    /// Of a prompt.
    pub(super) fn from_record(record: &str, candidates: &[Pending], goes_on: bool) -> Self {
        Self {
            record: record.to_owned(),
            quote: candidates.last().map(|one| one.quote.clone()),
            goes_on,
            is_asked: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_again_in_other_forms_of_its_words() {
        for (said, told, is_of) in [
            (
                "scrap the pnpm rule, i changed my mind",
                "Always use pnpm, never npm",
                true,
            ),
            (
                "forget what i said about branch names",
                "Name branches after the ticket, short names",
                true,
            ),
            (
                "forget what i said about branch names",
                "Always squash before you delete a branch",
                false,
            ),
            ("scrap the pnpm rule", "Always use yarn", false),
            ("刚才说的制表符那条规则作废", "以后都用制表符缩进", true),
            ("タブの件は忘れてください", "今後は必ずタブを使って", true),
        ] {
            let about = SubjectWords::from_plain(said).expect(said);
            assert_eq!(about.is_of(told), is_of, "{about:?} / {told}");
        }
        for none in [
            "forget about the refactoring, let's do the tests first",
            "scrap that rule",
        ] {
            assert_eq!(SubjectWords::from_plain(none), None, "{none}");
        }
    }
}
