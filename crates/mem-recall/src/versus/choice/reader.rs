//! Reads what a text chooses and what it sets aside, word by word: that stands behind `instead of` or beside a no, in
//! Japanese and Korean in front of both.

use std::sync::LazyLock;

use super::super::cjk::{is_ideographic, unspaced_words};
use super::super::clause::{self, Clause, is_of, is_said};
use super::super::negation;
use super::super::negation_words::{self, Turn};
use super::super::paraphrase::{JOINING, is_light, stem_of};
use super::Choice;
use crate::lexicon::{WordList, WordRows};

/// Behind these stands what is set aside.
static LEADS: LazyLock<WordRows<()>> =
    LazyLock::new(|| WordRows::from_lists(&[("aside_leads", ())]));
/// The same behind a word of liking.
/// In front of these stands what is set aside.
static ASIDE_ENDS: LazyLock<WordRows<()>> =
    LazyLock::new(|| WordRows::from_lists(&[("aside_ends", ())]));
/// Said of a whole part: it sets aside what it names.
static PART_NOS: LazyLock<WordRows<()>> =
    LazyLock::new(|| WordRows::from_lists(&[("choice_not", ())]));
/// Behind what says where a choice holds.
static TOPICS: WordList = WordList::of(&["topics"]);
static LIKED_LEADS: LazyLock<WordRows<()>> =
    LazyLock::new(|| WordRows::from_lists(&[("liked_leads", ())]));
static LIKING: WordList = WordList::of(&["liking"]);
/// Behind these stands what is chosen, whatever went before.
static CHOOSING: WordList = WordList::of(&["choosing"]);
/// What is said behind these is said of the whole choice.
static SCOPE: WordList = WordList::of(&["scope"]);
/// A reason is no part of a choice.
static REASON: WordList = WordList::of(&["reason"]);
const PRONOUNS: &str = "it them";
/// Verbs of choosing, and where everything that is chosen holds anyway.
static IDLE: WordList = WordList::of(&["choice_idle", "use_forms"]);
/// What ends a part of a sentence where a space or nothing follows.
const MARKS: [char; 15] = [
    ',', ';', '.', '!', '?', ':', '(', ')', '—', '，', '；', '。', '！', '：', '、',
];

/// One of these stands wherever a word says that what follows is set aside; `instead` is no word of a clause.
static MARKED: WordList = WordList::of(&["choice_marked"]);

/// Whether a text may set something aside without a no.
pub(in super::super) fn may_lead(text: &str, clause: &Clause) -> bool {
    let mut words = clause.words.iter();
    words.any(|word| MARKED.contains(word)) || text.contains("nstead")
}

/// Reads both sides, as far as they stand there.
pub(super) fn read(text: &str, clause: &Clause) -> Choice {
    let mut reader = Reader {
        has_verb: clause.verb.is_some(),
        is_used: clause.is_unspaced || clause.words.iter().any(|word| is_light(word)),
        is_unspaced: clause.is_unspaced,
        is_liked: clause.words.iter().any(|word| LIKING.contains(word)),
        ..Reader::default()
    };
    for (part, mark) in split_parts(text, clause.is_unspaced) {
        let words = match clause.is_unspaced {
            true => unspaced_words(part),
            false => clause::words_of(part),
        };
        if reader.sides.is_whole() && !reader.goes_on(&words) {
            break;
        }
        reader.take_part(&words);
        let is_end = mark.is_some_and(|mark| !matches!(mark, ',' | '，' | '、'));
        if reader.has_ended || (is_end && reader.sides.is_whole()) {
            break;
        }
    }
    match reader.is_freed {
        true => Choice::default(),
        false => reader.sides.with_own(),
    }
}

/// The parts of a text, each with the mark that ends it.
fn split_parts(text: &str, is_unspaced: bool) -> Vec<(&str, Option<char>)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices(MARKS) {
        let end = at + mark.len();
        let next = text[end..].chars().next();
        if is_unspaced || next.is_none_or(|c| !c.is_alphanumeric()) {
            parts.push((&text[start..at], mark.chars().next()));
            start = end;
        }
    }
    parts.push((&text[start..], None));
    parts.retain(|(part, _)| part.chars().any(char::is_alphanumeric));
    parts
}

#[derive(Debug, Default)]
struct Reader {
    sides: Choice,
    /// Whether words that could as well say where something is say what is set aside.
    is_liked: bool,
    has_verb: bool,
    is_unspaced: bool,
    /// How much of what is chosen only says where that holds.
    topic: usize,
    /// Whether it says what to use: then `over` says so as well.
    is_used: bool,
    is_aside: bool,
    /// Whether a no stands behind what it says no to.
    is_no_behind: bool,
    /// A no said what is set aside, and not a word of choosing.
    is_no: bool,
    /// What is set aside is joined to what is chosen by an "and".
    is_joined: bool,
    /// It says what need not be, and sets nothing aside.
    is_freed: bool,
    /// What follows says where it holds.
    is_scoped: bool,
    /// Where what this part chooses and sets aside begins.
    start: (usize, usize),
    has_ended: bool,
}

impl Reader {
    /// Whether a part still belongs to a choice that is whole.
    fn goes_on(&self, words: &[String]) -> bool {
        let first = words.first().map_or("", String::as_str);
        SCOPE.contains(first)
            || CHOOSING.contains(first)
            || self.aside_lead_len(words).is_some()
            || self.negation_len(words).is_some()
    }

    /// How many words say that what follows is set aside.
    fn aside_lead_len(&self, here: &[String]) -> Option<usize> {
        let lead = LEADS.find_row(here).or_else(|| {
            let is_over = || here.first().is_some_and(|first| first == "over");
            let is_liked = self.is_liked || ((self.is_used || !self.has_verb) && is_over());
            (is_liked && !self.is_first())
                .then(|| LIKED_LEADS.find_row(here))
                .flatten()
        });
        lead.map(|((), count)| count)
    }

    /// Whether this part has said nothing yet.
    fn is_first(&self) -> bool {
        self.sides.chosen.len() == self.start.0
    }

    fn take_part(&mut self, words: &[String]) {
        self.begin_part();
        self.is_no_behind = self.is_unspaced && words.iter().any(|word| !is_ideographic(word));
        let mut at = 0;
        while at < words.len() && !self.has_ended {
            at += self.take_row(&words[at..]);
        }
        self.end_run();
        if words.iter().any(|word| is_of(PRONOUNS, word)) {
            self.resolve_pronoun();
        }
    }

    fn begin_part(&mut self) {
        self.start = (self.sides.chosen.len(), self.sides.aside.len());
        self.topic = self.start.0;
        self.is_aside = false;
        self.is_no = false;
        self.is_scoped = false;
        self.is_joined = false;
    }

    /// `Don't mock the clock, inject it`: what both are done to.
    fn resolve_pronoun(&mut self) {
        let done: Vec<String> = self.sides.aside.iter().skip(1).cloned().collect();
        if self.sides.chosen.len() > self.start.0 {
            self.sides.chosen.extend(done);
        }
    }

    /// `Tabs nicht benutzen, sondern ..`: what stands before the no is what it says no to.
    fn end_run(&mut self) {
        if self.is_no && self.is_aside && self.sides.aside.len() == self.start.1 {
            let said = self.sides.chosen.split_off(self.start.0);
            self.sides.scope.retain(|word| !said.contains(word));
            self.sides.aside.extend(said);
        }
    }

    /// Takes what stands here, and says how many words that are.
    fn take_row(&mut self, here: &[String]) -> usize {
        let word = here[0].as_str();
        if let Some(count) = self.aside_lead_len(here) {
            self.set_aside(false);
            return count;
        }
        if let Some(((), count)) = ASIDE_ENDS.find_row(here) {
            self.set_said_aside();
            return count;
        }
        if let Some(count) = self.negation_len(here) {
            match self.is_no_behind {
                true => self.set_said_aside(),
                false => self.set_aside(true),
            }
            return count;
        }
        if TOPICS.contains(word) {
            self.topic = self.sides.chosen.len();
        }
        let turn = negation_words::find_turn(here);
        let is_choosing = CHOOSING.contains(word);
        if (!self.is_unspaced && matches!(turn, Some((Turn::Freed, _))))
            || (self.is_no && matches!(turn, Some((Turn::Need, _))))
        {
            self.is_freed = true;
        }
        match turn {
            _ if REASON.contains(word) && self.sides.is_whole() => self.has_ended = true,
            _ if is_choosing => self.begin_choice(),
            _ if JOINING.contains(word) && self.negation_len(&here[1..]).is_some() => {
                self.is_joined = true;
            }
            _ if JOINING.contains(word) && here.get(1).is_some_and(|next| begins_clause(next)) => {
                self.begin_choice();
            }
            Some((Turn::No | Turn::Barred | Turn::Freed, _)) | None => self.take_word(word),
            Some((_, count)) => return count,
        }
        1
    }

    /// How many words here say no to what stands beside it.
    fn negation_len(&self, here: &[String]) -> Option<usize> {
        let (word, next) = (
            here.first()?.as_str(),
            here.get(1).map_or("", String::as_str),
        );
        if word == "ne" {
            return Some(1);
        }
        if let Some(((), count)) = PART_NOS.find_row(here) {
            return Some(count);
        }
        let (turn, count) = negation_words::find_turn(here)?;
        let is_freed = self.is_unspaced && turn == Turn::Freed;
        let says_no = (is_freed || matches!(turn, Turn::No | Turn::Ceased))
            && !negation_words::WITHOUT.contains(word);
        (says_no && !negation_words::ONLY.contains(next)).then_some(count)
    }

    fn set_aside(&mut self, is_no: bool) {
        // `The api never calls the worker` chooses nothing.
        if is_no && !self.is_used && !self.is_joined {
            let subject = &self.sides.chosen[self.start.0..];
            self.sides.scope.extend(subject.iter().cloned());
        }
        self.is_no |= is_no;
        self.is_aside = true;
        self.is_scoped = false;
    }

    /// What was said in this part, and not where that holds, is set aside.
    fn set_said_aside(&mut self) {
        let said = self.sides.chosen.split_off(self.topic);
        self.sides.aside.extend(said);
    }

    fn begin_choice(&mut self) {
        self.end_run();
        self.begin_part();
    }

    fn take_word(&mut self, word: &str) {
        self.is_scoped |= SCOPE.contains(word);
        let has_begun = self.sides.aside.len() > self.start.1;
        if SCOPE.contains(word) && self.is_aside && has_begun {
            self.is_aside = false;
            self.is_no = false;
        }
        if !is_said(word) || IDLE.contains(word) || is_light(word) || negation::is_idle(word) {
            return;
        }
        let stem = stem_of(word);
        if self.is_aside {
            self.sides.aside.push(stem);
            return;
        }
        if self.is_scoped {
            self.sides.scope.push(stem.clone());
        }
        self.sides.chosen.push(stem);
    }
}

/// Whether a word behind an "and" says what is chosen.
fn begins_clause(word: &str) -> bool {
    is_light(word)
        || is_of(
            "always immer siempre toujours do prefer take nimm prefiere préfère prends",
            word,
        )
}
