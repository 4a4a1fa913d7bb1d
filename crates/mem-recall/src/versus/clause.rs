//! A content as words, up to its verb and behind it: what is spoken of stands in front, what is said of it behind.

use super::cjk::{has_unspaced, unspaced_words};
use crate::lexicon::WordList;

/// The verbs that records are written with; of other sentences it is not known what they speak of.
static VERBS: WordList = WordList::of(&["verbs"]);
/// Of these in front of the verb nobody knows more about what is spoken of.
static EMPTY: WordList = WordList::of(&["function_words"]);
/// Verbs that are nouns in front of another verb: `Read access needs ..`, `Releases are ..`.
static NOUNS: WordList = WordList::of(&["verbs_as_nouns"]);
/// In front of a noun.
static ARTICLES: WordList = WordList::of(&["determiners"]);
/// That it was otherwise before.
static CHANGE: WordList = WordList::of(&["by_now"]);
/// What stands before and behind a thing that is called by a letter.
static BEFORE_LETTERS: WordList = WordList::of(&["before_letters"]);
static BEHIND_LETTERS: WordList = WordList::of(&["behind_letters"]);
static NUMBERS: WordList = WordList::of(&["numbers"]);

/// Whether a word is one of a list.
pub(super) fn is_of(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

/// Whether a word counts.
pub(super) fn is_number(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) || NUMBERS.contains(word)
}

/// Whether a word says anything of its own.
pub(super) fn is_said(word: &str) -> bool {
    !EMPTY.contains(word)
}

/// Whether it may be a verb.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(word)
}

/// A word without its ending.
pub(super) fn stem_word(word: &str) -> &str {
    const ENDINGS: [&str; 6] = ["ing", "ed", "es", "s", "e", "d"];
    const STEM_MIN: usize = 3;
    if word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    let cut = ENDINGS.iter().filter_map(|end| word.strip_suffix(end));
    cut.into_iter()
        .find(|stem| stem.chars().count() >= STEM_MIN)
        .unwrap_or(word)
}

/// Where the verb stands.
fn verb_of(words: &[String]) -> Option<usize> {
    let is_noun = |at: usize| at > 0 && ARTICLES.contains(&words[at - 1]);
    let mut verbs = (0..words.len()).filter(|at| is_verb(&words[*at]) && !is_noun(*at));
    let first = verbs.next()?;
    match first == 0 && NOUNS.contains(&words[0]) {
        true => verbs.next().or(Some(first)),
        false => Some(first),
    }
}

/// The words of a text in small letters, of names as much as tells them from other words.
pub(super) fn words_of(content: &str) -> Vec<String> {
    if has_unspaced(content) {
        return unspaced_words(content);
    }
    let pieces = content.split_whitespace().flat_map(|word| {
        // `n'utilisons` and `d'utiliser` are two words.
        let elided = [
            ("n'", "ne"),
            ("n’", "ne"),
            ("N'", "ne"),
            ("N’", "ne"),
            ("d'", "de"),
            ("d’", "de"),
        ];
        let found = elided
            .iter()
            .find_map(|(head, whole)| Some((word.strip_prefix(head)?, *whole)));
        let first = found.map(|(_, whole)| (false, whole));
        let parts = found.map_or(word, |(rest, _)| rest).split('-').enumerate();
        first
            .into_iter()
            .chain(parts.map(|(at, part)| (at > 0, part)))
    });
    let bare = pieces.enumerate().map(|(at, (is_behind, piece))| {
        let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
        // `orders-us`, `node-a` and `US` are names, whatever such a word says by itself.
        let is_upper = inner.len() > 1 && inner.chars().all(char::is_uppercase);
        if (is_behind || is_upper) && EMPTY.contains(&inner.to_lowercase()) {
            return format!("-{}", inner.to_lowercase());
        }
        // `service A`, not an article.
        let is_letter = at > 0 && inner.len() == 1 && inner != "I";
        if is_letter && inner.chars().all(char::is_uppercase) {
            return inner.to_owned();
        }
        let lower = inner.to_lowercase().replace('’', "'");
        lower.strip_suffix("'s").unwrap_or(&lower).to_owned()
    });
    let told = bare.filter(|word| !word.is_empty());
    let mut words: Vec<String> = told.take(Clause::WORDS_MAX).collect();
    // `From a to b`, not an article.
    for at in 1..words.len() {
        let next = words.get(at + 1).map_or("", String::as_str);
        if words[at] == "a"
            && (next.is_empty() || BEHIND_LETTERS.contains(next))
            && BEFORE_LETTERS.contains(&words[at - 1])
        {
            words[at].insert(0, '-');
        }
    }
    words
}

/// The words of a content.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) words: Vec<String>,
    /// Where the verb stands.
    pub(super) verb: Option<usize>,
    /// Whether it is in a script without spaces, whose verbs are not known.
    pub(super) is_unspaced: bool,
}

impl Clause {
    /// Of so many words at most: a longer content says more than one thing.
    const WORDS_MAX: usize = 64;

    pub(super) fn from_content(content: &str) -> Self {
        let mut words = words_of(content);
        words.retain(|word| !CHANGE.contains(word));
        let is_unspaced = has_unspaced(content);
        let verb = verb_of(&words).filter(|_| !is_unspaced);
        Self {
            words,
            verb,
            is_unspaced,
        }
    }

    /// The words in front of the verb; none where there is none.
    pub(super) fn subject_words(&self) -> &[String] {
        &self.words[..self.verb.unwrap_or(0)]
    }

    /// Whether a word occurs, whatever its ending.
    pub(super) fn contains_word(&self, word: &str) -> bool {
        self.words
            .iter()
            .any(|one| stem_word(one) == stem_word(word))
    }

    /// Whether any of these words says something that does not occur.
    pub(super) fn lacks_any(&self, words: &[String]) -> bool {
        words
            .iter()
            .any(|word| is_said(word) && !self.contains_word(word))
    }
}
