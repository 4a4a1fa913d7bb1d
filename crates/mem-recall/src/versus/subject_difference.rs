//! Whether two contents say the like of two things: to vectors the staging database is the production database.
//!
//! What differs in front of the verb, or behind a preposition that says of what or what for, tells things apart; what
//! differs elsewhere behind the verb is a newer value. In doubt they are two things: that both stand is the smaller
//! harm.

use std::collections::BTreeSet;

use super::clause::{Clause, is_number, is_said, is_verb};
use crate::lexicon::{WordGroups, WordList};

/// Where something runs, by all its names: who speaks of one does not speak of another.
static PLACES: WordGroups = WordGroups::of("environments");
/// In front of what something is of, or for.
static SCOPING: WordList = WordList::of(&["scoping"]);
/// In front of what everybody knows which it is.
pub(super) static DEFINITE: WordList = WordList::of(&["definite"]);
/// In front of what something is kept in as well as of where it holds.
static PLACING: WordList = WordList::of(&["placing"]);
/// Behind these such a preposition has the value.
static WANTING: WordList = WordList::of(&["wanting"]);
/// What is a value wherever it stands: a day, a month, a span, the language somebody speaks.
static VALUES: WordList = WordList::of(&["values"]);

/// Whether the new one speaks of another thing than the old one.
pub(super) fn is_another(old: &Clause, new: &Clause) -> bool {
    if is_elsewhere(old, new) || has_other_subject(old, new) {
        return true;
    }
    if old.verb.is_none() && new.verb.is_none() {
        return has_other_words(old, new);
    }
    let (hunks, kept) = diff_words(&old.words, &new.words);
    // What is worded another way altogether is left to vectors.
    let is_reworded = 2 * kept < old.words.len().max(new.words.len());
    let mut replaced = hunks.iter().filter(|hunk| is_replaced(hunk, old, new));
    !is_reworded && replaced.any(|hunk| tells_apart(hunk, old, new))
}

/// Whether two contents without a known verb do not merely end with another value.
fn has_other_words(old: &Clause, new: &Clause) -> bool {
    let same = old.words.iter().zip(&new.words);
    let same = same.take_while(|(old, new)| old == new).count();
    let (from, to) = (&old.words[same..], &new.words[same..]);
    if !(new.lacks_any(from) && old.lacks_any(to)) {
        return false;
    }
    let is_counted = |words: &[String]| match words {
        [one] => is_value(one),
        words => words.first().is_some_and(|word| is_number(word)),
    };
    let is_last = from.last() != to.last() && from.len().max(to.len()) <= same;
    let is_led = old.words[..same].iter().any(|word| is_led(word));
    !(is_counted(from) && is_counted(to)) && (is_led || !is_last)
}

/// Whether they are of different places.
fn is_elsewhere(old: &Clause, new: &Clause) -> bool {
    let named = |clause: &Clause| -> BTreeSet<&str> {
        let places = clause.words.iter().flat_map(|word| PLACES.sides_of(word));
        places.map(|place| place.group).collect()
    };
    named(old) != named(new)
}

/// Whether each says something in front of its verb that the other one does not have.
fn has_other_subject(old: &Clause, new: &Clause) -> bool {
    let lacks = |one: &Clause, other: &Clause| {
        let mut words = one.subject_words().iter().enumerate();
        // A number at the beginning counts what is spoken of, which another one tells nothing apart by.
        words.any(|(at, word)| {
            !(at == 0 && is_plain_number(word)) && is_said(word) && !other.contains_word(word)
        })
    };
    lacks(old, new) && lacks(new, old)
}

/// Whether a word is a number and nothing else: `web01` is a name.
fn is_plain_number(word: &str) -> bool {
    is_number(word)
        && !(word.contains(|c: char| c.is_ascii_digit()) && word.contains(char::is_alphabetic))
}

/// Words of the old one in whose place the new one has others, both from and up to.
pub(super) struct Hunk {
    pub(super) old: (usize, usize),
    pub(super) new: (usize, usize),
}

impl Hunk {
    /// Whether both have words there.
    pub(super) fn is_on_both_sides(&self) -> bool {
        self.old.0 < self.old.1 && self.new.0 < self.new.1
    }

    /// Whether all that stands there, if anything, are numbers: the parts of a date.
    pub(super) fn is_of_numbers(&self, old: &[String], new: &[String]) -> bool {
        let mut words = old[self.old.0..self.old.1]
            .iter()
            .chain(&new[self.new.0..self.new.1]);
        words.all(|word| is_number(word))
    }

    /// Whether nothing stands in front of it.
    pub(super) fn is_first(&self) -> bool {
        self.old.0 == 0 && self.new.0 == 0
    }

    fn hunk_words<'c>(&self, old: &'c Clause, new: &'c Clause) -> (&'c [String], &'c [String]) {
        let (from, to) = (self.old, self.new);
        (&old.words[from.0..from.1], &new.words[to.0..to.1])
    }
}

/// What differs, and how many words are kept in their order.
pub(super) fn diff_words(old: &[String], new: &[String]) -> (Vec<Hunk>, usize) {
    // The longest common order of what is left of both.
    let mut common = vec![vec![0_usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = match old[i] == new[j] {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j, mut start) = (0, 0, (0, 0));
    let mut hunks = Vec::new();
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            let (old, new) = ((start.0, i), (start.1, j));
            hunks.push(Hunk { old, new });
            (i, j) = (i + 1, j + 1);
            start = (i, j);
        } else if common[i + 1][j] >= common[i][j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    hunks.push(Hunk {
        old: (start.0, old.len()),
        new: (start.1, new.len()),
    });
    (hunks, common[0][0])
}

/// Whether something of the one gives way to something that only the other has.
fn is_replaced(hunk: &Hunk, old: &Clause, new: &Clause) -> bool {
    let (from, to) = hunk.hunk_words(old, new);
    new.lacks_any(from) && old.lacks_any(to)
}

/// Whether what is replaced is of what something is said.
fn tells_apart(hunk: &Hunk, old: &Clause, new: &Clause) -> bool {
    let Some((verb, _)) = old.verb.zip(new.verb) else {
        return false;
    };
    let (from, to) = hunk.hunk_words(old, new);
    let both = |is_one: fn(&String) -> bool| from.iter().any(is_one) && to.iter().any(is_one);
    if hunk.old.0 <= verb || both(|word| is_number(word)) {
        return false;
    }
    let said = &old.words[verb..hunk.old.0];
    // `owns the red button`: what follows is kept, and which one it is differs.
    let is_definite = said.last().is_some_and(|word| DEFINITE.contains(word));
    let follows = old.words.get(hunk.old.1);
    let is_followed = follows.is_some_and(|word| is_said(word));
    if is_definite && is_followed {
        return true;
    }
    if !is_followed && both(|word| is_value(word)) {
        return false;
    }
    let Some((before, led)) = (1..said.len())
        .rfind(|at| is_led(&said[*at]))
        .map(|at| said.split_at(at))
    else {
        return false;
    };
    let last = before.last().map_or("", String::as_str);
    if WANTING.contains(last) {
        return false;
    }
    // `wants tabs in Go code`: of what is said something already, it says where that holds.
    let is_done = |word: &String| is_verb(word) || !is_said(word) || word.ends_with("ed");
    SCOPING.contains(&led[0]) || !(before.iter().all(is_done) || is_participle(last))
}

/// Whether a word says of or for what, or where.
fn is_led(word: &str) -> bool {
    SCOPING.contains(word) || PLACING.contains(word)
}

/// Whether a word is a value wherever it stands.
pub(super) fn is_value(word: &str) -> bool {
    is_number(word) || VALUES.contains(word)
}

/// Whether it is what was done, which has its place behind it.
fn is_participle(word: &str) -> bool {
    static ODD: WordList = WordList::of(&["participles"]);
    word.ends_with("ed") || ODD.contains(word) || is_verb(word)
}

#[cfg(test)]
mod tests {
    use super::super::clause::Clause;

    fn is_another(old: &str, new: &str) -> bool {
        super::is_another(&Clause::from_content(old), &Clause::from_content(new))
    }

    #[test]
    fn what_is_spoken_of_tells_things_apart() {
        for (old, new) in [
            (
                "Customer 2 asked for exports.",
                "Customer 5 asked for exports.",
            ),
            ("Sprint 12 ends on Friday.", "Sprint 13 ends on Friday."),
            ("The disk of db-1 is full.", "The disk of db-2 is full."),
            ("Team red uses PostgreSQL", "Team blue uses PostgreSQL"),
            ("Use port 80 for the website", "Use port 80 for the tracker"),
            (
                "The user wants tabs in Go code",
                "The user wants tabs in C code",
            ),
            (
                "Dan reviews changes to the schema",
                "Dan reviews changes to the parser",
            ),
            (
                "Deploy key: staging, port 22",
                "Deploy key: production, port 22",
            ),
            (
                "The database has port 5432",
                "The staging database has port 5433",
            ),
            ("Anna's birthday is in May", "Ben's birthday is in May"),
            (
                "Carol signs deals with shops",
                "Carol signs deals with banks",
            ),
            (
                "Limit of the parser pod: 512 MB",
                "Limit of the mailer pod: 512 MB",
            ),
            (
                "Redis in the Frankfurt zone crashed",
                "Redis in the Dublin zone crashed",
            ),
            ("amber lake walks north", "amber cave walks north"),
        ] {
            assert!(is_another(old, new), "{old} -> {new}");
            assert!(is_another(new, old), "{new} -> {old}");
        }
    }

    #[test]
    fn values_do_not() {
        for (old, new) in [
            (
                "Sprint 12 ends on Friday.",
                "Sprint 12 ends on Monday instead.",
            ),
            (
                "Line length is 80 characters.",
                "Line length is 100 characters.",
            ),
            ("Uploads may be 10 MB large.", "Uploads may be 25 MB large."),
            ("CI takes about 20 minutes.", "CI takes about 8 minutes."),
            ("3 of 12 reports are ported", "7 of 12 reports are ported"),
            (
                "Backups are kept for 14 days",
                "Backups are kept for 90 days",
            ),
            (
                "The demo is planned for April",
                "The demo is planned for June",
            ),
            (
                "The key is kept in Vault",
                "The key is kept in Parameter Store",
            ),
            ("We use npm for the website", "We use pnpm for the website"),
            (
                "The login page waits for review",
                "The login page waits for approval",
            ),
            (
                "Limit of the parser pod: 512 MB",
                "Limit of the parser pod: 900 MB",
            ),
            ("Dan drinks tea", "Dan drinks coffee"),
            ("The beta is late", "The beta is done"),
            ("Ann leads the team", "The team is led by Ann"),
            ("", ""),
        ] {
            assert!(!is_another(old, new), "{old} -> {new}");
            assert!(!is_another(new, old), "{new} -> {old}");
        }
    }
}
