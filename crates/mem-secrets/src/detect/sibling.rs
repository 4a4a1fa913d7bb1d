//! A name that is a value itself, with the secret in the entry beside it:
//! `- name: DB_PASSWORD` and `value: ...` of Kubernetes, `"Key": "..", "Value": ".."`.

use super::line::{blank, is_quote, line_before};

/// White space between the two entries.
const GAP_BYTES_MAX: usize = 80;

/// Where the value beside the name begins: `start` is where the name begins,
/// `at` what follows the name and its quote.
pub(super) fn value(bytes: &[u8], start: usize, at: usize) -> Option<usize> {
    if !matches!(bytes.get(at), Some(b',' | b'\n' | b'\r')) || !is_named(bytes, start) {
        return None;
    }
    let apart = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b',';
    let gap = bytes[at..].iter().take(GAP_BYTES_MAX).take_while(apart);
    let mut at = at + gap.count();
    let quote = usize::from(bytes.get(at).is_some_and(|byte| is_quote(*byte)));
    at += quote;
    let word = bytes.get(at..at + 5)?;
    if !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    at += word.len() + quote;
    at += blank(bytes, at);
    if !matches!(bytes.get(at), Some(b':' | b'=')) {
        return None;
    }
    Some(at + 1 + blank(bytes, at + 1))
}

/// Whether `name:`, `"key":` or their kind stands before.
fn is_named(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    let trimmed = |line: &[u8]| {
        let outer = |byte: &u8| byte.is_ascii_whitespace() || is_quote(*byte);
        line.iter()
            .rposition(|byte| !outer(byte))
            .map_or(0, |last| last + 1)
    };
    let line = &line[..trimmed(line)];
    let Some((b':' | b'=', line)) = line.split_last() else {
        return false;
    };
    let line = line[..trimmed(line)].to_ascii_lowercase();
    [b"name".as_slice(), b"key", b"variable", b"envvar"]
        .iter()
        .any(|word| line.ends_with(word))
}
