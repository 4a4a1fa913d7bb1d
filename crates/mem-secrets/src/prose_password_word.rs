//! Passwords of letters alone, as people tell them: "the password is …". Nearly everything that follows these words
//! says something of the password, so a word counts only where it is in quotes, is several words in one, is noise, or
//! ends the sentence and reads like no word that could stand there.

use crate::filter::words::{BIP39, is_word, surprise};

/// Words for a password; a token or key of letters alone is none.
const NAMES: [&str; 9] = [
    "password",
    "passphrase",
    "passcode",
    "pwd",
    "pw",
    "passwort",
    "kennwort",
    "contraseña",
    "mot de passe",
];
/// What says that it follows, and nothing else of it.
const READS: [&str; 4] = ["reads", "lautet", "heißt", "heisst"];
/// What says something of it, or what it is.
const IS: [&str; 2] = ["is", "was"];
/// A shorter one is a word too often.
const LETTERS_MIN: usize = 8;
/// So many letters are several words in one where the dictionary has that much of them.
const COMPOUND_LETTERS_MIN: usize = 16;
/// The shortest word that counts as a part of another.
const PART_LETTERS_MIN: usize = 4;
/// Noise is above this (bits for each letter).
const NOISE_BITS: f32 = 5.0;
/// How words end that say something of a password.
const ENDINGS: [&str; 44] = [
    "ed", "ing", "ly", "ent", "ant", "ble", "al", "ect", "ic", "ive", "ous", "ful", "less", "ary",
    "ory", "est", "tten", "own", "text", "case", "where", "ever", "wise", "ther", "ate", "ure",
    "ete", "ene", "ain", "ough", "time", "times", "thing", "one", "body", "self", "ness", "ment",
    "tion", "sion", "ity", "ance", "ence", "ers",
];
/// How they end in German, behind `lautet` as well.
const GERMAN_ENDINGS: [&str; 6] = ["ich", "ders", "iert", "mals", "falls", "weise"];

/// Whether a word is a password that is told. `before` begins with the word for a password.
pub(crate) fn is_password_word(before: &str, word: &str, after: &str) -> bool {
    let is_lower = |byte: &u8| byte.is_ascii_lowercase();
    // What has capitals inside is the name of something.
    let Some((first, rest)) = word.as_bytes().split_first() else {
        return false;
    };
    let has_form = word.len() >= LETTERS_MIN
        && first.is_ascii_alphabetic()
        && rest.iter().all(is_lower)
        && !after.starts_with(|c: char| c.is_alphanumeric() || "_-/\\(".contains(c));
    if !has_form {
        return false;
    }
    let before = before.to_lowercase();
    let (word, said) = (word.to_ascii_lowercase(), verb(&before));
    let is_name = NAMES.iter().any(|name| before.starts_with(name));
    if !is_name || is_common(&word) {
        return false;
    }
    let is_quoted = before.ends_with(['"', '\'', '`']);
    let is_spoken = said.is_some_and(|verb| IS.contains(&verb) || READS.contains(&verb));
    let is_read = said.is_some_and(|verb| READS.contains(&verb));
    let is_noise = || surprise(word.as_bytes()).is_some_and(|bits| bits > NOISE_BITS);
    is_compound(&word) || is_spoken && (is_quoted || is_read || is_noise() || ends(after))
}

/// The last word before the value.
fn verb(before: &str) -> Option<&str> {
    let is_quote = |c: char| c.is_whitespace() || "\"'`:".contains(c);
    before.trim_end_matches(is_quote).rsplit(' ').next()
}

/// Whether a sentence, or a part of it, ends here.
fn ends(after: &str) -> bool {
    let after = after.trim_start_matches([')', '"', '\'']);
    let rest = after.strip_prefix(['.', '!', ',', ';']).unwrap_or(after);
    let is_line_end = after
        .trim_start_matches([' ', '\t'])
        .starts_with(['\n', '\r']);
    after.trim().is_empty()
        || is_line_end
        || (rest.len() < after.len() && !rest.starts_with(char::is_alphanumeric))
}

/// Whether it is a word that people and programs use.
fn is_common(word: &str) -> bool {
    let is_listed = is_word(word.as_bytes()) || BIP39.position(word.as_bytes()).is_some();
    let mut endings = ENDINGS.iter().chain(&GERMAN_ENDINGS);
    // Several words in one may end as any word does.
    let ends = word.len() < COMPOUND_LETTERS_MIN && endings.any(|end| word.ends_with(end));
    is_listed || ends || word.contains("password") || word.contains("passwort")
}

/// Whether words that everybody knows, two at least, make up most of it.
fn is_compound(word: &str) -> bool {
    if word.len() < COMPOUND_LETTERS_MIN {
        return false;
    }
    let is_known =
        |part: &str| is_word(part.as_bytes()) || BIP39.position(part.as_bytes()).is_some();
    // The most letters that words cover up to each place, and how many words those are.
    let mut best = vec![(0_usize, 0_usize); word.len() + 1];
    for end in 1..=word.len() {
        best[end] = best[end - 1];
        for start in 0..=end.saturating_sub(PART_LETTERS_MIN) {
            if is_known(&word[start..end]) {
                let (letters, parts) = best[start];
                best[end] = best[end].max((letters + end - start, parts + 1));
            }
        }
    }
    let (letters, parts) = best[word.len()];
    parts >= 3 && letters * 4 >= word.len() * 3
}
