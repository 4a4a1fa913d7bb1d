//! A chunk as terms: its words, and the whole where it is more than one of them.

use super::normalisation::fold_word;

/// Hands out the terms of a chunk; the flag says whether the term is a word (to be stemmed).
pub(super) fn emit_chunk_terms(chunk: &str, emit: &mut dyn FnMut(&str, bool)) {
    if chunk.bytes().all(|b| b.is_ascii_alphabetic()) && !has_hump(chunk) {
        return emit_word(chunk, emit);
    }
    if is_number(chunk) {
        let mut whole = String::new();
        fold_word(chunk, &mut whole);
        return emit(&whole, false);
    }
    let is_path = chunk.contains(['/', '\\']);
    for name in chunk.split(['/', '\\', ':', '@']).filter(|n| !n.is_empty()) {
        emit_dotted(name, emit);
    }
    if is_path {
        let mut whole = String::new();
        fold_word(chunk.split(':').next().unwrap_or(chunk), &mut whole);
        emit(&whole.replace('\\', "/"), false);
    }
}

/// Versions, dates, amounts: digits decide, letters only in front (`v1.2`) or as hexadecimal.
fn is_number(chunk: &str) -> bool {
    let digits = chunk.bytes().filter(u8::is_ascii_digit).count();
    let letters = chunk.chars().filter(|c| c.is_alphabetic()).count();
    let hexadecimal = chunk.starts_with("0x") || chunk.starts_with("0X");
    digits > 0 && (hexadecimal || letters <= 1) && !chunk.contains(['/', '\\', '_'])
}

/// `session_store.rs`, `config.retry.limit`: each name, then all of them as they stand.
fn emit_dotted(name: &str, emit: &mut dyn FnMut(&str, bool)) {
    let mut whole = String::new();
    fold_word(name, &mut whole);
    if is_number(name) {
        return emit(&whole, false);
    }
    let names = name.split('.').filter(|n| !n.is_empty());
    names.clone().for_each(|name| emit_identifier(name, emit));
    if names.count() > 1 {
        emit(&whole, false);
    }
}

/// One name: its words by joiner and hump, then all of them together.
fn emit_identifier(name: &str, emit: &mut dyn FnMut(&str, bool)) {
    let (mut whole, mut parts) = (String::new(), 0);
    let bare = name.replace(['\'', '\u{2019}'], "");
    let possessive = name
        .strip_suffix("'s")
        .or_else(|| name.strip_suffix("\u{2019}s"));
    for run in possessive
        .unwrap_or(&bare)
        .split(['_', '-', '+', '\'', '\u{2019}'])
    {
        split_humps(run, &mut |part| {
            parts += 1;
            fold_word(part, &mut whole);
            emit_word(part, emit);
        });
    }
    if parts > 1 {
        emit(&whole, false);
    }
}

fn emit_word(part: &str, emit: &mut dyn FnMut(&str, bool)) {
    let mut folded = String::with_capacity(part.len());
    fold_word(part, &mut folded);
    let stem = folded.bytes().all(|b| b.is_ascii_alphabetic());
    emit(&folded, stem);
    // `python3` is also `python`.
    let letters = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.len() >= 4
        && letters.len() < folded.len()
        && letters.bytes().all(|b| b.is_ascii_alphabetic())
    {
        emit(letters, true);
    }
}

fn has_hump(word: &str) -> bool {
    let mut found = false;
    let mut parts = 0;
    split_humps(word, &mut |_| {
        parts += 1;
        found = parts > 1;
    });
    found
}

/// `parseHTTPHeader` as `parse`, `HTTP`, `Header`. Digits belong to what stands before them.
fn split_humps<'a>(run: &'a str, emit: &mut dyn FnMut(&'a str)) {
    let mut start = 0;
    let mut before: Option<char> = None;
    let mut rest = run.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next_lower = rest.peek().is_some_and(|&(_, n)| n.is_lowercase());
        let rises = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || b.is_numeric() || (b.is_uppercase() && next_lower)
            });
        // `IDs` and `URLs` are plurals, no humps.
        let plural = next_lower && run[at + c.len_utf8()..] == *"s";
        if rises && !(plural && before.is_some_and(char::is_uppercase)) {
            emit(&run[start..at]);
            start = at;
        }
        before = Some(c);
    }
    if start < run.len() {
        emit(&run[start..]);
    }
}
