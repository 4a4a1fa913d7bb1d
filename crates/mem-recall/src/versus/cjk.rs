//! The words of Chinese, Japanese and Korean, which nobody divides, or otherwise than they are compared: those of the
//! lists, names, Korean words and their particles apart, and every other character by itself.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexicon::{WordGroups, list_words};
use crate::text::{fold_word, is_unspaced};

/// The lists whose words are found wherever they stand.
const LISTS: [&str; 26] = [
    "is",
    "change",
    "beside",
    "empty",
    "weekdays",
    "not",
    "ceased",
    "any_more",
    "may",
    "freed",
    "idle_rows",
    "axes",
    "ends",
    "states",
    "qualities",
    "last",
    "by_now",
    "and",
    "changed",
    "from",
    "aside_leads",
    "aside_ends",
    "choosing",
    "choice_not",
    "choice_idle",
    "topics",
];
/// What stands at the end of a Korean word, and that it was found there.
static PARTICLES: WordGroups = WordGroups::of("particles");
const PARTICLE: char = '+';
/// Behind this stands what is said of what is in front.
const COLON: char = ':';
const WIDE_COLON: char = '：';
/// A name in Latin letters or figures, whatever such a word says elsewhere.
const NAME: char = '-';

/// The words of the lists by their first character, the longest first.
static KNOWN: LazyLock<HashMap<char, Vec<String>>> = LazyLock::new(|| {
    let mut known: HashMap<char, Vec<String>> = HashMap::new();
    for word in LISTS.iter().flat_map(|list| list_words(list)) {
        if let Some(first) = word.chars().next().filter(|c| is_unspaced(*c)) {
            known.entry(first).or_default().push(word);
        }
    }
    for words in known.values_mut() {
        words.sort_by_key(|word| Reverse(word.len()));
    }
    known
});

/// Whether a text is in such a script.
pub(super) fn has_unspaced(text: &str) -> bool {
    text.chars().any(is_unspaced)
}

/// The words of a text in such a script.
pub fn unspaced_words(text: &str) -> Vec<String> {
    let mut low = String::with_capacity(text.len());
    fold_word(text, &mut low);
    let mut words = Vec::new();
    let mut rest = low.as_str();
    while let Some(first) = rest.chars().next() {
        let len = match known_word(rest) {
            Some(word) => {
                words.push(word.to_owned());
                word.len()
            }
            None => push_run(rest, first, &mut words),
        };
        rest = &rest[len..];
    }
    words
}

/// Whether such a word only says how others belong together: a particle, an ending in hiragana.
pub(super) fn is_particle(word: &str) -> bool {
    word.starts_with(PARTICLE) || word.chars().all(is_hiragana)
}

/// Whether a word in a text of such a script is a name in Latin letters, or a figure.
pub fn is_name(word: &str) -> bool {
    word.starts_with(NAME)
}

/// Whether a word of such a text may be Chinese: a name, or without kana and hangul.
pub(super) fn is_ideographic(word: &str) -> bool {
    is_name(word)
        || !word.contains(|c| c == PARTICLE || is_hiragana(c) || is_katakana(c) || is_hangul(c))
}

/// The word of the lists that a text begins with.
fn known_word(text: &str) -> Option<&'static str> {
    let first = text.chars().next()?;
    let words = KNOWN.get(&first)?.iter();
    let mut begun = words.filter(|word| text.starts_with(*word));
    // A part of a longer word in katakana is another word.
    let is_whole = |word: &&String| {
        let next = text[word.len()..].chars().next();
        !(word.ends_with(is_katakana) && next.is_some_and(is_katakana))
    };
    begun.find(is_whole).map(String::as_str)
}

/// Takes what stands at the beginning of a text and is in no list, and says how many bytes that are.
fn push_run(text: &str, first: char, words: &mut Vec<String>) -> usize {
    let run_len = |is_one: fn(char) -> bool| text.find(|c| !is_one(c)).unwrap_or(text.len());
    if is_hangul(first) {
        let is_end = |at: &usize| {
            let rest = &text[*at..];
            !rest.starts_with(is_hangul) || known_word(rest).is_some()
        };
        let mut ends = text.char_indices().map(|(at, _)| at).skip(1);
        let len = ends.find(is_end).unwrap_or(text.len());
        push_korean(&text[..len], words);
        return len;
    }
    if is_katakana(first) {
        let len = run_len(is_katakana);
        words.push(text[..len].to_owned());
        return len;
    }
    if is_spaced_letter(first) {
        let len = run_len(|c| is_spaced_letter(c) || "-_.:/".contains(c));
        let name = text[..len].trim_end_matches(|c: char| !c.is_alphanumeric());
        words.push(format!("{NAME}{name}"));
        return name.len();
    }
    if first.is_alphanumeric() || first == COLON {
        words.push(first.to_string());
    } else if first == WIDE_COLON {
        words.push(COLON.to_string());
    }
    first.len_utf8()
}

/// A Korean word, and its particle as a word of its own. A word of one character keeps its end,
/// unless that marks an object or a topic.
fn push_korean(word: &str, words: &mut Vec<String>) {
    // `PostgreSQL을`: a name has its particle behind it.
    let is_behind_name = words.last().is_some_and(|last| is_name(last));
    let starts = word.char_indices().map(|(at, _)| at);
    let found = starts.skip(usize::from(!is_behind_name)).find_map(|at| {
        let (stem, end) = word.split_at(at);
        let group = PARTICLES.sides_of(end).first()?.group;
        let is_short = stem.chars().count() < 2;
        (!is_short || at == 0 || "을은".contains(group)).then_some((stem, group))
    });
    let (stem, particle) = found.map_or((word, None), |(stem, group)| (stem, Some(group)));
    if !stem.is_empty() {
        words.push(stem.to_owned());
    }
    words.extend(particle.map(|group| format!("{PARTICLE}{group}")));
}

fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7af}').contains(&c)
}

fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

fn is_katakana(c: char) -> bool {
    ('\u{30a1}'..='\u{30ff}').contains(&c)
}

fn is_spaced_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

#[cfg(test)]
mod tests {
    use super::unspaced_words;

    #[test]
    fn words_of_the_lists_names_and_particles_are_told_apart() {
        for (text, words) in [
            ("不要用npm", "不要 用 -npm"),
            (
                "オンコールはAPIを使わない",
                "オンコール は -api を 使 わ ない",
            ),
            ("ステージングはオンです", "ステージング は オン です"),
            ("커밋을 하지 마세요", "커밋 +을 하지 마세요"),
            ("API를 쓴다", "-api +을 쓴다"),
        ] {
            assert_eq!(unspaced_words(text).join(" "), words, "{text}");
        }
    }
}
