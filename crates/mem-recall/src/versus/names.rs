//! What a name says that is longer by a word, or ends with a number of its own: `Redis Sentinel` is not Redis, and bug
//! #13 is not bug #12. And the other way round: who is the one of whom there is one takes the place of who was, and a
//! new name that of the old one.

use super::clause::{Clause, is_number, is_of, is_said};
use super::subject_difference::DEFINITE;
use crate::lexicon::WordList;

/// Behind a name these say of what sort it is, and name nothing else.
static SORTS: WordList = WordList::of(&["sorts"]);
/// What is counted by numbers that tell one from another.
static COUNTED: WordList = WordList::of(&["numbered_things"]);
/// Behind these stands what something is, and not which it is.
static BEING: WordList = WordList::of(&["before_values"]);
/// More words behind a name are no name.
const FURTHER_MAX: usize = 2;
/// Of these there is one at a time.
static ROLES: WordList = WordList::of(&["roles"]);
/// So many words say that something is one, and not of what.
const ROLE_WORDS: usize = 3;

/// Whether one speaks of a thing whose name goes on behind that of the other: `Grafana`, `Grafana Loki`.
pub(super) fn is_longer(one: &Clause, other: &Clause) -> bool {
    let (Some(verb), Some(then)) = (one.verb, other.verb) else {
        return false;
    };
    let is_one_verb = one.words[verb] == other.words[then];
    let is_otherwise = one.words[verb..] != other.words[then..];
    let further = longer_name_rest(one.subject_words(), other.subject_words());
    let further = further.or_else(|| longer_name_rest(other.subject_words(), one.subject_words()));
    let names = |words: &[String]| {
        words.len() <= FURTHER_MAX
            && words
                .iter()
                .all(|word| is_said(word) && !is_number(word) && !SORTS.contains(word))
    };
    is_one_verb && is_otherwise && further.is_some_and(names)
}

/// What the longer of two names has behind the shorter one.
fn longer_name_rest<'w>(short: &[String], long: &'w [String]) -> Option<&'w [String]> {
    let rest = long.strip_prefix(short)?;
    let is_named = short.last().is_some_and(|word| is_said(word));
    (is_named && !rest.is_empty()).then_some(rest)
}

/// Whether both name things by numbers, and none by the same: `fixed #12`, `fixed #13`.
pub(super) fn are_numbered_apart(one: &str, other: &str) -> bool {
    let (one, other) = (naming_numbers(one), naming_numbers(other));
    !one.is_empty() && !other.is_empty() && one.iter().all(|number| !other.contains(number))
}

/// The numbers by which a text names things.
fn naming_numbers(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let bare = |at: usize| words[at].trim_matches(|c: char| !c.is_alphanumeric());
    let is_named = |at: usize| {
        let last = at.checked_sub(1).map(|at| bare(at).to_lowercase());
        let last = last.as_deref().unwrap_or_default();
        let is_marked = words[at].trim_start_matches('(').starts_with('#') && !BEING.contains(last);
        is_marked || COUNTED.contains(last)
    };
    let is_figure = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let found = (0..words.len()).filter(|at| is_figure(bare(*at)) && is_named(*at));
    found.map(bare).collect()
}

/// Of what is written in one of these not much is written in another.
static CODE: WordList = WordList::of(&["code_languages"]);
static WRITTEN: WordList = WordList::of(&["written"]);
/// Where somebody or something is at home.
static HOME: WordList = WordList::of(&["home"]);
static WITHIN: WordList = WordList::of(&["within"]);

/// In front of a name.
static NAMING: WordList = WordList::of(&["naming"]);
/// In front of these it is not said whose name it is.
static POINTING: WordList = WordList::of(&["pointing_subjects"]);
/// The fewest words before a name that say whose it is.
const SUBJECT_WORDS_MIN: usize = 2;

/// Whether one word says where something is at home, or in what it is written, and that is another one by now.
pub(super) fn has_moved(older: &Clause, newer: &Clause) -> bool {
    let (one, other) = (&older.words, &newer.words);
    let Some(at) = differing_place(one, other).filter(|at| *at >= 2) else {
        return false;
    };
    let is_home = HOME.contains(&one[at - 2]) && at + 1 == one.len();
    let is_code = CODE.contains(&one[at]) && CODE.contains(&other[at]);
    WITHIN.contains(&one[at - 1])
        && (is_home || (is_code && one.iter().any(|word| WRITTEN.contains(word))))
}

/// Whether what the older names has another name by now: `The cluster is called Hydra`. To vectors two names are as far
/// apart as two things, although all else says that it is one.
pub(super) fn is_renamed(older: &Clause, newer: &Clause) -> bool {
    let one = &older.words;
    let place = differing_place(one, &newer.words).filter(|at| *at > SUBJECT_WORDS_MIN);
    place.is_some_and(|at| !POINTING.contains(&one[0]) && NAMING.contains(&one[at - 1]))
}

/// The one place in which two rows of words differ.
fn differing_place(one: &[String], other: &[String]) -> Option<usize> {
    let mut places = (0..one.len().min(other.len())).filter(|at| one[*at] != other[*at]);
    let first = places.next();
    first.filter(|_| places.next().is_none() && one.len() == other.len())
}

/// Whether both say who or which is the one of whom there is one: `Anna is the lead`, `Ben is the lead`.
pub(super) fn is_succeeded(older: &Clause, newer: &Clause) -> bool {
    let (Some(verb), Some(then)) = (older.verb, newer.verb) else {
        return false;
    };
    let (role, other) = (&older.words[verb..], &newer.words[then..]);
    // `Redis is the default` says not of what.
    let is_role = role == other
        && role.len() > ROLE_WORDS
        && is_of("is ist es est", &role[0])
        && role.get(1).is_some_and(|word| DEFINITE.contains(word))
        && role.iter().skip(2).take(2).any(|word| ROLES.contains(word));
    is_role && are_names(older.subject_words(), newer.subject_words())
}

/// One name each, or one of which there are more by its number: `Node 18`, `Node 20`.
fn are_names(one: &[String], other: &[String]) -> bool {
    let is_name = |word: &String| is_said(word) && !is_number(word);
    match (one, other) {
        ([one], [other]) => one != other && is_name(one) && is_name(other),
        ([one, number], [other, then]) => {
            one == other && is_name(one) && number != then && is_number(number) && is_number(then)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Clause;

    fn is_renamed(old: &str, new: &str) -> bool {
        super::is_renamed(&Clause::from_content(old), &Clause::from_content(new))
    }

    #[test]
    fn another_name_of_one_thing_is_told_from_the_name_of_another() {
        for (old, new) in [
            (
                "The staging cluster is called Hydra.",
                "The staging cluster is now called Medusa.",
            ),
            (
                "Der Staging-Cluster heißt Hydra",
                "Der Staging-Cluster heißt jetzt Medusa",
            ),
            (
                "El cluster se llama Hydra",
                "El cluster se llama ahora Medusa",
            ),
            ("Le cluster s'appelle Hydra", "Le cluster s'appelle Medusa"),
        ] {
            assert!(is_renamed(old, new), "{old} -> {new}");
        }
        for (old, new) in [
            (
                "The staging cluster is called Hydra",
                "The production cluster is called Medusa",
            ),
            (
                "The staging cluster is called Hydra",
                "The production cluster is called Hydra",
            ),
            ("It is called Hydra", "It is called Medusa"),
            ("The cluster is called Hydra", "The cluster is called Hydra"),
            (
                "The staging cluster is fast",
                "The staging cluster is shared",
            ),
            (
                "The function is called twice",
                "The function is called twice by the parser",
            ),
            ("", ""),
        ] {
            assert!(!is_renamed(old, new), "{old} -> {new}");
        }
    }
}
