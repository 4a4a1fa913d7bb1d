//! The words by which people say no, may, must and need not, in every language that is read: they stand here once,
//! and everything that reads a no asks here.

use std::sync::LazyLock;

use crate::lexicon::{WordList, WordRows};

/// What stands behind one of these is not there.
pub(super) static WITHOUT: WordList = WordList::of(&["without"]);
/// Behind a no these say that there is more, and no no.
pub(super) static ONLY: WordList = WordList::of(&["only"]);
/// To leave a thing out: a no to it, where a sentence is read as a whole.
pub static REFUSE: WordList = WordList::of(&["refuse"]);

/// How a word or a row of words turns what it stands beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// No.
    No,
    /// No, and it was so until now.
    Ceased,
    /// That it was so until now, where there is a no.
    AnyMore,
    /// It is so again.
    Again,
    May,
    /// No may.
    Barred,
    Need,
    /// No need.
    Freed,
    Ought,
    /// It says nothing of its own.
    Idle,
}

static TURNS: LazyLock<WordRows<Turn>> = LazyLock::new(|| {
    WordRows::from_lists(&[
        ("not", Turn::No),
        ("without", Turn::No),
        ("shun", Turn::No),
        ("ceased", Turn::Ceased),
        ("any_more", Turn::AnyMore),
        ("again", Turn::Again),
        ("may", Turn::May),
        ("barred", Turn::Barred),
        ("need", Turn::Need),
        ("freed", Turn::Freed),
        ("ought", Turn::Ought),
        ("idle_rows", Turn::Idle),
    ])
});

/// Every single word that says no in a sentence that is read as a whole, as it is written and without accents.
static NOS: WordList = WordList::of(&NO_LISTS);
static NOS_FOLDED: WordList = WordList::folded(&NO_LISTS);
const NO_LISTS: [&str; 5] = ["not", "nobody", "without", "shun", "barred"];

/// Whether a word in small letters says no, with its accents or without: `don't`, `dont`, `jamás`, `verboten`.
pub fn says_no(word: &str) -> bool {
    word.ends_with("n't") || NOS.contains(word) || NOS_FOLDED.contains(word)
}

/// How words from a place on turn a statement, and how many they are.
pub(super) fn find_turn(words: &[String]) -> Option<(Turn, usize)> {
    let is_contracted = || words.first().is_some_and(|word| word.ends_with("n't"));
    let turn = TURNS.find_row(words);
    turn.or_else(|| is_contracted().then_some((Turn::No, 1)))
}

/// The same of Chinese, Japanese and Korean, whose words nobody divides.
pub mod unspaced {
    use crate::lexicon::WordList;

    static NO: WordList = WordList::unspaced(&["freed", "ceased", "not", "loose"]);
    /// That something is to be so whatever comes.
    static EVER: WordList = WordList::unspaced(&["ever"]);

    /// Whether a text says that something is always, or never, to be done.
    pub fn is_standing_order(text: &str) -> bool {
        says_no(text) || EVER.is_within(text)
    }

    /// Whether a text may have a no in it, be it of one word only.
    pub fn may_say_no(text: &str) -> bool {
        const LONE: [&str; 3] = ["不", "勿", "하지"];
        says_no(text) || LONE.iter().any(|row| text.contains(row))
    }

    /// Whether a text has a no in it. A lone `不` says it of one word only.
    pub fn says_no(text: &str) -> bool {
        let mut rows = NO.words().iter();
        rows.any(|row| row != "不" && text.contains(row.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_is_known_however_it_is_written() {
        for word in [
            "don't", "dont", "never", "jamás", "jamas", "evite", "verboten",
        ] {
            assert!(says_no(word), "{word}");
        }
        for word in ["always", "notes", "node", "nur"] {
            assert!(!says_no(word), "{word}");
        }
    }

    #[test]
    fn rows_of_words_are_read_before_their_words() {
        let turned = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            find_turn(&words)
        };
        assert_eq!(turned("no need to ask"), Some((Turn::Freed, 3)));
        assert_eq!(turned("no more tabs"), Some((Turn::Ceased, 2)));
        assert_eq!(turned("no tabs"), Some((Turn::No, 1)));
        assert_eq!(turned("notes"), None);
    }
}
