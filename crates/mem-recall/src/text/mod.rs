//! From text to index terms: what two writings of the same thing must share to meet.
//!
//! English words are folded and stemmed; identifiers are given by their parts and whole; numbers,
//! versions and error codes stay whole; scripts without spaces become characters and pairs.

mod cjk;
mod identifier;
mod normalisation;
mod scan;
mod stem;
mod stop;

pub use cjk::is_unspaced;
pub use normalisation::fold_word;
pub use stem::Stems;
pub use stop::is_stop;

use scan::TextPiece;

/// Longer terms are cut: they are keys, data URLs and hashes, alike in their first bytes or not.
pub const TERM_BYTES_MAX: usize = 64;

/// A term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What the index holds.
    pub text: String,
    /// The folded word before stemming; empty where the term is no word.
    pub word: String,
    /// Whether the word carries no subject of its own.
    pub stop: bool,
}

/// Hands every term of `text` to `emit`, in order, repetitions included.
pub fn emit_terms(text: &str, stems: &mut Stems, emit: &mut dyn FnMut(&str)) {
    scan::emit_pieces(text, &mut |piece| match piece {
        TextPiece::Unspaced(run) => cjk::emit_grams(run, emit),
        TextPiece::Chunk(chunk) => identifier::emit_chunk_terms(chunk, &mut |word, is_word| {
            emit(truncate_term(if is_word {
                stems.stem_word(word)
            } else {
                word
            }));
        }),
    });
}

/// The distinct terms of a query in order of appearance, with what soft matching needs to know.
pub fn query_terms(text: &str, stems: &mut Stems) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    let mut add = |text: &str, word: &str| {
        if !found.iter().any(|t| t.text == text) {
            let (text, word) = (text.to_owned(), word.to_owned());
            found.push(Term {
                stop: is_stop(&word) || (word.is_empty() && stop::is_bond(&text)),
                text,
                word,
            });
        }
    };
    scan::emit_pieces(text, &mut |piece| match piece {
        TextPiece::Unspaced(run) => cjk::emit_grams(run, &mut |gram| add(gram, "")),
        TextPiece::Chunk(chunk) => identifier::emit_chunk_terms(chunk, &mut |word, is_word| {
            if is_word {
                add(truncate_term(stems.stem_word(word)), word);
            } else {
                add(truncate_term(word), "");
            }
        }),
    });
    found
}

/// The share of a text's letters that belong to a script written with spaces, 0 to 1 (1 for none).
pub fn spaced_share(text: &str) -> f32 {
    let (mut all, mut unspaced) = (0_u32, 0_u32);
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        all += 1;
        unspaced += u32::from(is_unspaced(c));
    }
    if all == 0 {
        1.0
    } else {
        1.0 - unspaced as f32 / all as f32
    }
}

fn truncate_term(term: &str) -> &str {
    if term.len() <= TERM_BYTES_MAX {
        term
    } else {
        &term[..term.floor_char_boundary(TERM_BYTES_MAX)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        emit_terms(text, &mut Stems::default(), &mut |t| {
            found.push(t.to_owned());
        });
        found
    }

    #[test]
    fn words_are_folded_and_stemmed() {
        assert_eq!(
            of("Deploying Caf\u{e9}s, STRASSE stra\u{df}e"),
            ["deploy", "cafe", "strass", "strass"]
        );
        assert_eq!(
            of("the user's flags don't"),
            ["the", "user", "flag", "dont"]
        );
    }

    #[test]
    fn one_identifier_is_found_by_each_writing() {
        for writing in [
            "sessionStore",
            "SessionStore",
            "session_store",
            "session-store",
            "SESSION_STORE",
        ] {
            assert_eq!(
                of(writing),
                ["session", "store", "sessionstore"],
                "{writing}"
            );
        }
        assert_eq!(
            of("parseHTTPHeader"),
            ["pars", "http", "header", "parsehttpheader"]
        );
    }

    #[test]
    fn paths_are_found_by_part_by_file_and_whole() {
        let found = of("see src/auth/session_store.rs:42.");
        for wanted in [
            "auth",
            "session",
            "store",
            "sessionstore",
            "src/auth/session_store.rs",
        ] {
            assert!(found.iter().any(|t| t == wanted), "{wanted} in {found:?}");
        }
    }

    #[test]
    fn numbers_and_codes_stay_whole() {
        assert_eq!(
            of("E0502 v1.2.3 0x80070005 3.14 2026-11-20"),
            ["e0502", "v1.2.3", "0x80070005", "3.14", "2026-11-20"]
        );
        assert_eq!(
            of("ERR_MODULE_NOT_FOUND").last().map(String::as_str),
            Some("errmodulenotfound")
        );
    }

    #[test]
    fn unspaced_scripts_are_read_by_characters_and_pairs() {
        assert_eq!(
            of("\u{7f13}\u{5b58}key"),
            ["\u{7f13}", "\u{7f13}\u{5b58}", "\u{5b58}", "key"]
        );
        assert_eq!(
            of("\u{ce90}\u{c2dc}"),
            ["\u{ce90}", "\u{ce90}\u{c2dc}", "\u{c2dc}"]
        );
    }

    #[test]
    fn a_query_knows_its_stop_words() {
        let found = query_terms("where is the deploy script", &mut Stems::default());
        let stops: Vec<bool> = found.iter().map(|t| t.stop).collect();
        assert_eq!(stops, [true, true, true, false, false]);
        assert_eq!(found[3].word, "deploy");
    }

    #[test]
    fn shares_count_letters_only() {
        assert!((spaced_share("ab \u{7f13}\u{5b58}!") - 0.5).abs() < 1e-6);
        assert!((spaced_share("...") - 1.0).abs() < 1e-6);
    }
}
