//! The contrary in other words: `use tabs`, `no more tabs`; `ask before deleting`, `no need to ask before deleting`.
//!
//! What merely speaks of the same retires nothing. So all that the one says has to be said by the other too; where the
//! newer says less (`stop squashing`), it has to say that what held until now ends, of what the older begins with.

use std::sync::LazyLock;

use super::antonyms::{Mark, differ_beside};
use super::cjk::{has_unspaced, is_particle};
use super::clause::{is_said, stem_word};
use super::negation::{Negations, Polarity};
use crate::lexicon::{WordList, list_words};

/// Verbs of which a thing is left where they are (`use tabs`, `tabs`), and what adds nothing to a yes or a no.
static LIGHT: WordList = WordList::of(&["light", "fillers"]);
/// These make a yes stronger, and a no weaker: `never push directly`.
static NARROWING: WordList = WordList::of(&["narrowing"]);
/// What an "and" joins is not denied with the rest.
pub(super) static JOINING: WordList = WordList::of(&["joining"]);
/// How something is.
static TELL: WordList = WordList::of(&["tell"]);
/// That something has ended: such a verb is a no that is none.
static ENDED: WordList = WordList::of(&["ended"]);

/// Endings by which forms of one word differ.
const ENDINGS: &str = "a e o as es en n t st te ten ar er ir ez ons s is r end d";
/// The fewest characters that two statements share before they are compared, where a word may be one character.
pub(super) const SHARED_CHARS_MIN: usize = 2;
/// So much of two forms of a word is the same.
const FORMS_CHARS_MIN: usize = 4;

/// The first clause of a statement, as far as it is denied.
#[derive(Clone, Debug, Default)]
pub(super) struct Core {
    stems: Vec<String>,
    /// Of which what is behind only makes it stronger.
    narrowing: Vec<String>,
    pub(super) says: Polarity,
    ceases: bool,
    resumes: bool,
    /// Whether the no stands before a thing: `no tabs`.
    is_of_a_thing: bool,
    marks: Vec<Mark>,
    joins: bool,
    /// Whether it says how something is, and orders nothing.
    tells: bool,
    /// Whether it says in a verb that something has ended.
    is_over: bool,
    /// Whether it says yes to one thing and no to another.
    is_mixed: bool,
    is_unspaced: bool,
}

impl Core {
    /// Of the words of a clause, as they were read.
    pub(super) fn from_text(text: &str, words: &[String], read: &Negations) -> Self {
        let said = read.rest.iter().map(|(_, word)| word.as_str());
        let (narrowing, stems) = said
            .filter(|word| !is_light(word) && is_said(word))
            .partition::<Vec<_>, _>(|word| NARROWING.contains(word));
        let has = |list: &WordList| words.iter().any(|word| list.contains(word));
        let stemmed = |words: Vec<&str>| words.into_iter().map(stem_of).collect();
        Self {
            stems: stemmed(stems),
            narrowing: stemmed(narrowing),
            says: read.overall_claim(),
            ceases: read.ceases,
            resumes: read.resumes,
            is_of_a_thing: read.is_of_a_thing,
            marks: read.marks.clone(),
            joins: has(&JOINING),
            tells: has(&TELL),
            is_over: has(&ENDED),
            is_mixed: is_mixed(text),
            is_unspaced: has_unspaced(text),
        }
    }

    /// Whether words say the contrary of what this says.
    pub(super) fn is_denied_by(&self, newer: &Self) -> bool {
        let is_unclear = |core: &Self| core.is_mixed || core.is_over;
        if !self.says.is_against(newer.says) || is_unclear(self) || is_unclear(newer) {
            return false;
        }
        if self.stems.is_empty()
            || newer.stems.is_empty()
            || self.is_narrow_no()
            || newer.is_narrow_no()
        {
            return false;
        }
        let (gone, come) = (
            missing_places(&self.stems, &newer.stems),
            missing_places(&newer.stems, &self.stems),
        );
        match (gone.as_slice(), come.as_slice()) {
            ([], []) => {
                !differ_beside(&self.marks, &newer.marks) && is_in_order(&self.stems, &newer.stems)
            }
            // `Send a summary`, `no summaries`, and the other way round.
            ([0], []) if newer.is_of_a_thing => !differ_beside(&self.marks, &newer.marks),
            ([], [0]) if self.is_of_a_thing => !differ_beside(&self.marks, &newer.marks),
            (gone, []) => {
                let ends = newer.ceases && newer.says.is_no();
                let resumes = newer.resumes && newer.says == Polarity::Allowed;
                let last = self.stems.len() - 1;
                let has_first = !gone.contains(&0) || (self.is_unspaced && !gone.contains(&last));
                let is_whole = newer.stems.len() > 1 || !self.tells;
                (ends || resumes)
                    && has_first
                    && is_whole
                    && !self.joins
                    && newer.is_marked_within(self)
            }
            _ => false,
        }
    }

    /// Whether each says something that the other does not.
    pub(super) fn is_replaced_by(&self, newer: &Self) -> bool {
        !missing_places(&self.stems, &newer.stems).is_empty()
            && !missing_places(&newer.stems, &self.stems).is_empty()
    }

    /// `Never push directly` leaves other ways.
    fn is_narrow_no(&self) -> bool {
        self.says.is_no() && !self.narrowing.is_empty()
    }

    fn is_marked_within(&self, other: &Self) -> bool {
        self.marks.iter().all(|mark| other.marks.contains(mark))
    }
}

/// Whether a word adds nothing to what is wanted: `use`, `really`.
pub(super) fn is_light(word: &str) -> bool {
    LIGHT.contains(word) || is_particle(word)
}

/// A word without its ending, however that is joined: `pinning`, `summaries`.
pub(super) fn stem_of(word: &str) -> String {
    let is_vowel = |c: char| "aeiou".contains(c);
    let vowelled = |stem: &str| stem.chars().next_back().is_some_and(is_vowel);
    for end in ["ies", "ied", "y"] {
        if let Some(stem) = word
            .strip_suffix(end)
            .filter(|stem| stem.len() > 2 && !vowelled(stem))
        {
            return stem.to_owned();
        }
    }
    let cut = stem_word(word);
    let mut last = cut.chars().rev();
    let is_double = matches!((last.next(), last.next()), (Some(one), Some(two)) if one == two && !"aeioulsz".contains(one));
    // `Adding` is of `add`.
    match is_double && cut.len() > 3 && cut.len() < word.len() && cut.is_ascii() {
        true => cut[..cut.len() - 1].to_owned(),
        false => cut.to_owned(),
    }
}

pub(super) fn char_count<'w>(words: impl IntoIterator<Item = &'w String>) -> usize {
    words.into_iter().map(|word| word.chars().count()).sum()
}

/// The places of what the one says and the other does not.
fn missing_places(one: &[String], other: &[String]) -> Vec<usize> {
    let stems = one.iter().enumerate();
    stems
        .filter(|(_, stem)| !other.iter().any(|there| are_forms(stem, there)))
        .map(|(at, _)| at)
        .collect()
}

/// In one order, or with the first at the end: `touch the lock file`, `the lock file is touched`.
fn is_in_order(one: &[String], other: &[String]) -> bool {
    let alike = |one: &[String], other: &[String]| {
        one.len() == other.len()
            && one
                .iter()
                .zip(other)
                .all(|(one, other)| are_forms(one, other))
    };
    let turned = |words: &[String]| {
        let mut words = words.to_vec();
        words.rotate_left(1);
        words
    };
    alike(one, other) || alike(&turned(one), other) || alike(one, &turned(other))
}

/// Whether two stems are forms of one word: `firma`, `firmes`.
pub(super) fn are_forms(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    if one.as_bytes().first() != other.as_bytes().first() {
        return false;
    }
    let same: usize = one
        .chars()
        .zip(other.chars())
        .take_while(|(one, other)| one == other)
        .map(|(c, _)| c.len_utf8())
        .sum();
    let is_ending = |rest: &str| rest.is_empty() || ENDINGS.split(' ').any(|one| one == rest);
    one[..same].chars().count() >= FORMS_CHARS_MIN
        && !one
            .bytes()
            .chain(other.bytes())
            .any(|byte| byte.is_ascii_digit())
        && is_ending(&one[same..])
        && is_ending(&other[same..])
}

/// `Use tabs, not spaces`: yes and no.
fn is_mixed(text: &str) -> bool {
    static BETWEEN: LazyLock<Vec<String>> = LazyLock::new(|| list_words("between").collect());
    static ASIDE: WordList = WordList::unspaced(&["aside_leads", "aside_ends"]);
    let low = text.to_lowercase();
    let mut found = BETWEEN.iter().filter_map(|one| low.find(one.as_str()));
    // `Please, no more tabs` has nothing in front.
    found.any(|at| low[..at].split_whitespace().nth(1).is_some()) || ASIDE.is_within(text)
}

/// The first clause of a text, without the reason behind it; all of it where what follows belongs to it.
pub fn first_clause(text: &str) -> &str {
    const WORDS_MIN: usize = 2;
    /// In front of a first part that says when or where.
    static WHEN: WordList = WordList::of(&["clause_when"]);
    /// Behind a mark these go on with what was said.
    static ON: WordList = WordList::of(&["clause_on"]);
    let is_of = |list: &WordList, word: &str| {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        list.contains(&bare.to_lowercase())
    };
    let mut words = text.split_whitespace();
    if words.next().is_none_or(|first| is_of(&WHEN, first)) {
        return text;
    }
    let mut seen = 0;
    let mut rest = text;
    while let Some(at) = rest.find([',', ';', '.', '!', '—', '(', ':']) {
        let end = text.len() - rest.len() + at;
        let head = &text[..end];
        let mark = rest[at..].chars().next().map_or(1, char::len_utf8);
        let tail = &rest[at + mark..];
        seen = seen.max(head.split_whitespace().count());
        let is_end = tail.starts_with(char::is_whitespace) || rest[at..].starts_with('(');
        let next = tail.split_whitespace().next();
        if is_end && seen >= WORDS_MIN && next.is_some_and(|next| !is_of(&ON, next)) {
            return head;
        }
        rest = tail;
    }
    text
}
