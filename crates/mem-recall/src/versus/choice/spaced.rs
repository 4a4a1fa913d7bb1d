//! Choices in languages that divide words: what is set aside stands behind `instead of`, or beside a no.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::super::clause::{self, Clause, is_of, is_said};
use super::super::denial::{self, Turn};
use super::super::opposed;
use super::super::reworded::{is_light, stem_of};
use super::ChoiceSides;

/// Behind these stands what is set aside.
const LEADS: [&str; 19] = [
    "instead of",
    "rather than",
    "in place of",
    "in lieu of",
    "as opposed to",
    "statt",
    "anstatt",
    "anstelle von",
    "anstelle",
    "an stelle von",
    "en lugar de",
    "en lugar del",
    "en vez de",
    "en vez del",
    "au lieu de",
    "au lieu du",
    "au lieu des",
    "plutôt que",
    "à la place de",
];
/// The same behind a word of liking.
const LIKED_LEADS: [&str; 8] = [
    "over",
    "to",
    "more than",
    "better than",
    "antes que",
    "a",
    "à",
    "vor",
];
const LIKING: &str = "prefer prefers preferred favor favors favour favours choose chooses chose chosen pick picks picked like likes \
    bevorzuge bevorzugen bevorzugt prefiere prefiero preferimos prefieren elige préfère préfères préférez préférons préférer";
/// Behind these stands what is chosen, whatever went before.
const CHOOSING: &str = "but sondern sino mais rather instead stattdessen lieber mejor plutôt";
const AND: &str = "and or und oder y o et ou";
/// What is said behind these is said of the whole choice.
const SCOPE: &str = "in for on at when while if about against during by under within inside per via across throughout onto into with without \
    before after until from im für bei mit auf am an beim zum zur unter wenn falls während vor nach ohne en para con cuando \
    al durante por si sin antes dans pour avec sur quand lors pendant chez avant sans";
/// A reason is no part of a choice.
const REASON: &str = "because since so weil da denn porque pues parce car puisque";
const PRONOUNS: &str = "it them";
/// Verbs of choosing, and where everything that is chosen holds anyway.
const IDLE: &str = "prefer prefers preferred favor favors favour favours choose chooses chose chosen pick picks picked take \
    takes go going like likes please pls just bitte por favor nimm nehmt nehme nehmen bevorzuge bevorzugen bevorzugt ziehe wähle \
    prefiere prefiero preferimos elige usad useis préfère préfères préférez préférons prends stp svp \
    repo repository project codebase everywhere always now more better projekt überall proyecto repositorio projet partout dépôt";
/// What ends a part of a sentence where a space or nothing follows.
const MARKS: [char; 9] = [',', ';', '.', '!', '?', ':', '(', ')', '—'];

/// One of these stands wherever a word says that what follows is set aside; `instead` is no word of a clause.
const MARKED: &str = "rather place lieu opposed statt anstatt anstelle stelle lugar vez plutôt over prefer prefers preferred \
    bevorzuge bevorzugen bevorzugt prefiere prefiero preferimos prefieren préfère préfères préférez préférons préférer than antes ne";

/// Whether a text may set something aside without a no.
pub(in super::super) fn may_lead(text: &str, clause: &Clause) -> bool {
    static FOUND: LazyLock<HashSet<&str>> =
        LazyLock::new(|| MARKED.split_ascii_whitespace().collect());
    let mut words = clause.words.iter();
    words.any(|word| FOUND.contains(word.as_str())) || text.contains("nstead")
}

/// Reads both sides, as far as they stand there.
pub(super) fn read(text: &str, clause: &Clause) -> ChoiceSides {
    let mut reader = Reader {
        has_verb: clause.verb.is_some(),
        is_used: clause.words.iter().any(|word| is_light(word)),
        is_liked: clause.words.iter().any(|word| is_of(LIKING, word)),
        ..Reader::default()
    };
    for (part, mark) in split_parts(text) {
        let words = clause::words_of(part);
        if reader.sides.is_whole() && !reader.goes_on(&words) {
            break;
        }
        reader.take_part(&words);
        let is_end = mark.is_some_and(|mark| mark != ',');
        if reader.has_ended || (is_end && reader.sides.is_whole()) {
            break;
        }
    }
    match reader.is_freed {
        true => ChoiceSides::default(),
        false => reader.sides.with_own(),
    }
}

/// The parts of a text, each with the mark that ends it.
fn split_parts(text: &str) -> Vec<(&str, Option<char>)> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, mark) in text.match_indices(MARKS) {
        let end = at + mark.len();
        let is_end = text[end..]
            .chars()
            .next()
            .is_none_or(|c| !c.is_alphanumeric());
        if is_end {
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
    sides: ChoiceSides,
    /// Whether words that could as well say where something is say what is set aside.
    is_liked: bool,
    has_verb: bool,
    /// Whether it says what to use: then `over` says so as well.
    is_used: bool,
    is_aside: bool,
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
        is_of(SCOPE, first)
            || is_of(CHOOSING, first)
            || self.aside_lead_len(words).is_some()
            || negation_len(words).is_some()
    }

    /// How many words say that what follows is set aside.
    fn aside_lead_len(&self, here: &[String]) -> Option<usize> {
        let counts = |row: &str| {
            let mut words = row.split(' ');
            let count = words.clone().count();
            let is_here = words.by_ref().zip(here).all(|(one, word)| one == word);
            (is_here && count <= here.len()).then_some(count)
        };
        let is_liked =
            |row: &&&str| self.is_liked || ((self.is_used || !self.has_verb) && **row == "over");
        let liked = LIKED_LEADS.iter().filter(is_liked);
        let liked = liked.filter(|_| !self.is_first());
        LEADS.iter().chain(liked).find_map(|row| counts(row))
    }

    /// Whether this part has said nothing yet.
    fn is_first(&self) -> bool {
        self.sides.chosen.len() == self.start.0
    }

    fn take_part(&mut self, words: &[String]) {
        self.begin_part();
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
        if let Some(count) = negation_len(here) {
            self.set_aside(true);
            return count;
        }
        let turn = denial::find_turn(here);
        let is_choosing = is_of(CHOOSING, word);
        if matches!(turn, Some((Turn::Freed, _)))
            || (self.is_no && matches!(turn, Some((Turn::Need, _))))
        {
            self.is_freed = true;
        }
        match turn {
            _ if is_of(REASON, word) && self.sides.is_whole() => self.has_ended = true,
            _ if is_choosing => self.begin_choice(),
            _ if is_of(AND, word) && here.get(1..).and_then(negation_len).is_some() => {
                self.is_joined = true;
            }
            _ if is_of(AND, word) && here.get(1).is_some_and(|next| begins_anew(next)) => {
                self.begin_choice();
            }
            Some((Turn::No | Turn::Barred | Turn::Freed, _)) | None => self.take_word(word),
            Some((_, count)) => return count,
        }
        1
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

    fn begin_choice(&mut self) {
        self.end_run();
        self.begin_part();
    }

    fn take_word(&mut self, word: &str) {
        self.is_scoped |= is_of(SCOPE, word);
        let has_begun = self.sides.aside.len() > self.start.1;
        if is_of(SCOPE, word) && self.is_aside && has_begun {
            self.is_aside = false;
            self.is_no = false;
        }
        if !is_said(word) || is_of(IDLE, word) || is_light(word) || opposed::is_idle(word) {
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

/// How many words here say no to what follows.
fn negation_len(here: &[String]) -> Option<usize> {
    let (word, next) = (
        here.first()?.as_str(),
        here.get(1).map_or("", String::as_str),
    );
    if word == "ne" {
        return Some(1);
    }
    let (turn, count) = denial::find_turn(here)?;
    let says_no = matches!(turn, Turn::No | Turn::Ceased) && !is_of(denial::WITHOUT, word);
    (says_no && !is_of(denial::ONLY, next)).then_some(count)
}

/// Whether a word behind an "and" says what is chosen.
fn begins_anew(word: &str) -> bool {
    is_light(word)
        || is_of(
            "always immer siempre toujours do prefer take nimm prefiere préfère prends",
            word,
        )
}
