//! The tokenizer of BERT's uncased models: text in, numbers of the vocabulary out.
//!
//! Equal to the reference tokenizer (Hugging Face `tokenizers`, `BertNormalizer` and
//! `BertPreTokenizer`) over the texts in `tests/fixtures`.

mod clean;
mod vocabulary;

pub use vocabulary::Vocabulary;

/// Tokens of the vocabulary.
pub(crate) const TOKENS: usize = 30_522;

/// `[UNK]`.
pub const UNKNOWN: u16 = 100;
/// `[CLS]`.
pub const CLASS: u16 = 101;
/// `[SEP]`.
pub const SEPARATOR: u16 = 102;

/// A word of more characters is unknown as a whole.
const WORD_CHARS_MAX: usize = 100;

/// The tokens of `text` without `[CLS]` and `[SEP]`, at most `limit` of them.
pub fn tokenize_text(text: &str, limit: usize) -> Vec<u16> {
    let mut out = Vec::new();
    let vocabulary = Vocabulary::embedded();
    clean::emit_words(text, vocabulary, &mut |word| {
        split_word(word, vocabulary, &mut out);
        out.len() < limit
    });
    out.truncate(limit);
    out
}

/// Greedy: the longest piece of the vocabulary that fits, again and again.
fn split_word(word: &str, vocabulary: &Vocabulary, out: &mut Vec<u16>) {
    if word.chars().count() > WORD_CHARS_MAX {
        return out.push(UNKNOWN);
    }
    let (first, mut start) = (out.len(), 0);
    // `##` stands in front of every piece but the first.
    let mut buffer = Vec::with_capacity(word.len() + 2);
    while start < word.len() {
        buffer.clear();
        if start > 0 {
            buffer.extend_from_slice(b"##");
        }
        let prefix = buffer.len();
        buffer.extend_from_slice(&word.as_bytes()[start..]);
        let longest = buffer.len().min(vocabulary.longest_token_len() + prefix);
        let hit = (prefix + 1..=longest)
            .rev()
            .filter(|end| word.is_char_boundary(start + end - prefix))
            .find_map(|end| Some((vocabulary.find_token(&buffer[..end])?, end - prefix)));
        let Some((token, length)) = hit else {
            out.truncate(first);
            return out.push(UNKNOWN);
        };
        out.push(token);
        start += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_their_longest_pieces() {
        let text = |ids: Vec<u16>| -> Vec<&str> {
            ids.into_iter()
                .map(|id| Vocabulary::embedded().token_text(id))
                .collect()
        };
        assert_eq!(
            text(tokenize_text("Unaffable caf\u{e9}!", 99)),
            ["una", "##ffa", "##ble", "cafe", "!"]
        );
        assert_eq!(
            text(tokenize_text("\u{7f13}\u{4eba}x", 99)),
            ["[UNK]", "\u{4eba}", "x"]
        );
        assert_eq!(tokenize_text("one two three", 2).len(), 2);
        assert_eq!(tokenize_text(&"a".repeat(101), 9), [UNKNOWN]);
        assert!(tokenize_text("", 9).is_empty());
    }
}
