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
    let _ = writeln!(
        text,
        "pub(crate) static BIP39: [&str; {}] = {seeds:?};",
        seeds.len()
    );
    let _ = writeln!(
        text,
        "pub(crate) static WORDS: [&str; {}] = {all:?};",
        all.len()
    );
    let costs: Vec<u32> = letters.chars().filter_map(|c| c.to_digit(36)).collect();
    let _ = writeln!(
        text,
        "pub(crate) static LETTERS: [u8; {}] = {costs:?};",
        costs.len()
    );
    text
}
