//! Which languages a text may be in: by its letters, and by the small words that every sentence has.

use mem_recall::lexicon::WordGroups;

/// The languages that rules are there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RuleLanguage {
    English,
    German,
    French,
    Spanish,
    Russian,
    Chinese,
    Japanese,
    Korean,
}

impl RuleLanguage {
    pub(super) const ALL: [Self; 8] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Russian,
        Self::Chinese,
        Self::Japanese,
        Self::Korean,
    ];
}

/// Languages of Latin letters, and by what their most frequent words are found.
const LATIN: [(RuleLanguage, &str); 4] = [
    (RuleLanguage::English, "en"),
    (RuleLanguage::German, "de"),
    (RuleLanguage::French, "fr"),
    (RuleLanguage::Spanish, "es"),
];
/// The most frequent words, as rules see them.
static SMALL_WORDS: WordGroups = WordGroups::of("small_words");

/// The languages that a text, as rules see it, may be in; none where it has no letters.
pub(super) fn detect_languages(plain: &str) -> Vec<RuleLanguage> {
    let (mut han, mut latin) = (false, false);
    for character in plain.chars() {
        match character {
            '\u{3040}'..='\u{30ff}' => return vec![RuleLanguage::Japanese],
            '\u{ac00}'..='\u{d7a3}' => return vec![RuleLanguage::Korean],
            '\u{400}'..='\u{4ff}' => return vec![RuleLanguage::Russian],
            '\u{3400}'..='\u{9fff}' => han = true,
            'a'..='z' | 'A'..='Z' => latin = true,
            _ => {}
        }
    }
    match (han, latin) {
        (true, _) => vec![RuleLanguage::Chinese],
        (false, true) => by_words(plain),
        (false, false) => Vec::new(),
    }
}

/// The languages most of whose small words a text has; all of them where it has none.
fn by_words(plain: &str) -> Vec<RuleLanguage> {
    let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let known: Vec<_> = words.flat_map(|word| SMALL_WORDS.sides_of(word)).collect();
    let hits = LATIN.map(|(_, code)| known.iter().filter(|word| word.group == code).count());
    let most = hits.into_iter().max().unwrap_or_default();
    let likely = LATIN.iter().zip(hits).filter(|(_, hits)| *hits == most);
    likely.map(|((language, _), _)| *language).collect()
}

/// A text with the letters of ASCII in the place of those with marks: words then end where ASCII letters do.
pub(super) fn fold_to_ascii(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => made.push('a'),
            'é' | 'è' | 'ê' | 'ë' => made.push('e'),
            'í' | 'ì' | 'î' | 'ï' => made.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' => made.push('o'),
            'ú' | 'ù' | 'û' | 'ü' => made.push('u'),
            'ñ' => made.push('n'),
            'ç' => made.push('c'),
            'ß' => made.push_str("ss"),
            'œ' => made.push_str("oe"),
            'ё' => made.push('е'),
            other => made.push(other),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_small_words_tell_the_language() {
        assert_eq!(detect_languages("テストは必ず"), [RuleLanguage::Japanese]);
        assert_eq!(detect_languages("测试用 pytest"), [RuleLanguage::Chinese]);
        assert_eq!(detect_languages("테스트는 pytest"), [RuleLanguage::Korean]);
        assert_eq!(detect_languages("тесты на pytest"), [RuleLanguage::Russian]);
        assert_eq!(
            detect_languages("we never mock the database"),
            [RuleLanguage::English]
        );
        assert_eq!(
            detect_languages("wir mocken die datenbank nie"),
            [RuleLanguage::German]
        );
        assert_eq!(
            detect_languages("on n'utilise pas de mocks"),
            [RuleLanguage::French]
        );
        assert_eq!(
            detect_languages("no usamos mocks en las pruebas"),
            [RuleLanguage::Spanish]
        );
        assert_eq!(detect_languages("pnpm!").len(), LATIN.len());
        assert!(detect_languages("123 !?").is_empty());
    }
}
