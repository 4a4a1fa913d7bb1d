//! Emits the word lists (sorted, so that they can be searched) and the table
//! of letter surprise.

use std::fmt::Write as _;

/// The source of `BIP39`, `WORDS` and `LETTERS`.
pub(crate) fn emit(bip39: &str, words: &str, letters: &str) -> String {
    let seeds: Vec<&str> = bip39.lines().collect();
    let mut all: Vec<&str> = seeds.iter().copied().chain(words.lines()).collect();
    all.sort_unstable();
    all.dedup();
    let mut text = String::new();
    list(&mut text, "BIP39", &seeds);
    list(&mut text, "WORDS", &all);
    let costs: Vec<u32> = letters.chars().filter_map(|c| c.to_digit(36)).collect();
    let _ = writeln!(
        text,
        "pub(crate) static LETTERS: [u8; {}] = {costs:?};",
        costs.len()
    );
    text
}

/// A list as one text and the ends of its words: a table of strings would be thousands of
/// pointers for the loader to adjust at every start of the program.
fn list(text: &mut String, name: &str, words: &[&str]) {
    let mut end = 0;
    let ends: Vec<usize> = words
        .iter()
        .map(|word| {
            end += word.len();
            end
        })
        .collect();
    let _ = writeln!(
        text,
        "pub(crate) static {name}: WordList = WordList {{ text: {:?}, ends: &{ends:?} }};",
        words.concat()
    );
}
