//! What happens before pieces are looked for: control characters go, ideographs and punctuation
//! stand alone, accents and case are dropped.

use unicode_normalization::UnicodeNormalization;

use super::Vocabulary;
use super::vocabulary::CharClass;

/// Hands out the words of `text` until `emit` says stop.
pub(super) fn emit_words(text: &str, vocabulary: &Vocabulary, emit: &mut dyn FnMut(&str) -> bool) {
    let mut word = String::new();
    // No step looks across these four, so that each run can take the road that suits it.
    for run in text.split([' ', '\n', '\t', '\r']) {
        let go_on = if run.is_ascii() {
            emit_ascii_words(run, &mut word, emit)
        } else {
            emit_unicode_words(run, vocabulary, &mut word, emit)
        };
        if !go_on {
            return;
        }
    }
}

/// A run of ASCII: no accents, no ideographs.
fn emit_ascii_words(run: &str, word: &mut String, emit: &mut dyn FnMut(&str) -> bool) -> bool {
    word.clear();
    for byte in run.bytes().filter(|b| !b.is_ascii_control()) {
        if byte.is_ascii_punctuation() {
            if !(word.is_empty() || emit(word)) || !emit(char::from(byte).encode_utf8(&mut [0; 4]))
            {
                return false;
            }
            word.clear();
        } else {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    word.is_empty() || emit(word)
}

fn emit_unicode_words(
    run: &str,
    vocabulary: &Vocabulary,
    word: &mut String,
    emit: &mut dyn FnMut(&str) -> bool,
) -> bool {
    word.clear();
    let kept = run.chars().filter(|&c| is_kept_char(c, vocabulary));
    let spaced = kept.flat_map(|c| {
        let c = if c.is_whitespace() { ' ' } else { c };
        let alone = is_ideograph(c);
        [alone.then_some(' '), Some(c), alone.then_some(' ')]
            .into_iter()
            .flatten()
    });
    let stripped = spaced
        .nfd()
        .filter(|&c| c.is_ascii() || vocabulary.char_class(c) != Some(CharClass::Mark));
    for c in stripped.flat_map(char::to_lowercase) {
        let splits = is_separator_char(c, vocabulary);
        if (splits || c.is_whitespace()) && !word.is_empty() {
            if !emit(word) {
                return false;
            }
            word.clear();
        }
        if splits {
            if !emit(c.encode_utf8(&mut [0; 4])) {
                return false;
            }
        } else if !c.is_whitespace() {
            word.push(c);
        }
    }
    word.is_empty() || emit(word)
}

fn is_kept_char(c: char, vocabulary: &Vocabulary) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => true,
        '\u{fffd}' | '\0'..='\u{1f}' | '\u{7f}' => false,
        _ => vocabulary.char_class(c) != Some(CharClass::Other),
    }
}

fn is_separator_char(c: char, vocabulary: &Vocabulary) -> bool {
    if c.is_ascii() {
        c.is_ascii_punctuation()
    } else {
        vocabulary.char_class(c) == Some(CharClass::Punctuation)
    }
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x4E00..=0x9FFF
        | 0x3400..=0x4DBF
        | 0x20000..=0x2A6DF
        | 0x2A700..=0x2B73F
        | 0x2B740..=0x2B81F
        | 0x2B920..=0x2CEAF
        | 0xF900..=0xFAFF
        | 0x2F800..=0x2FA1F)
}
