//! Credentials in fields that a word or a form tells: netrc, and the password
//! hashes of htpasswd, shadow and database dumps.

use std::ops::Range;

use super::line::line_before;
use crate::candidate::Rank;
use crate::filter::{MatchFilter, login as judge};
use crate::finding::Confidence;
use crate::origin::FileKind;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// Longest hash that is read.
const HASH_BYTES_MAX: usize = 200;
/// The length of every hash of bcrypt.
const BCRYPT_BYTES: usize = 60;

/// At `password` in a netrc: `machine h login u password VALUE`.
pub(crate) fn netrc(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    let bytes = pass.bytes;
    let apart = bytes
        .get(hit.end)
        .is_some_and(|byte| matches!(byte, b' ' | b'\t'));
    if hit.start < done || !apart || !in_entry(bytes, hit.start) {
        return done;
    }
    let mut span = field(bytes, hit.end + 1);
    // In a string of code the line ends with its escape.
    if let Some(end) = memchr::memmem::find(&bytes[span.clone()], b"\\n") {
        span.end = span.start + end;
    }
    // The entry may be written by a command: `echo "machine ..."`.
    if span.len() > 2 && bytes[span.start] == b'"' && bytes[span.end - 1] == b'"' {
        span.start += 1;
    }
    while span.len() > 1 && matches!(bytes[span.end - 1], b'"' | b'\'') {
        span.end -= 1;
    }
    let value = &bytes[span.clone()];
    let filter = match pass.kind {
        FileKind::Text => judge::judge_record_in_text(value),
        _ => judge::judge_record(value),
    };
    finish(pass, rule, span, filter)
}

/// Whether the words before are those of an entry: `machine`, a host, then
/// pairs of which one is `login` or `account`.
fn in_entry(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(200)..at];
    let apart = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let words: Vec<&[u8]> = before
        .split(apart)
        .filter(|word| !word.is_empty())
        .collect();
    let Some(entry) = words
        .iter()
        .rposition(|word| matches!(*word, b"machine" | b"default"))
    else {
        return false;
    };
    let pairs = words
        .get(entry + 1 + usize::from(words[entry] == b"machine")..)
        .unwrap_or_default();
    let known = |word: &&[u8]| matches!(*word, b"login" | b"account" | b"port" | b"user");
    !pairs.is_empty() && pairs.len() % 2 == 0 && pairs.iter().step_by(2).all(known)
}

/// At `$6$`, `$2y$`, `$apr1$`, `{SHA}` and their kind, after a user's name or
/// inside a quoted value.
pub(crate) fn hash(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    let bytes = pass.bytes;
    let before = hit.start.checked_sub(1).map_or(b'\n', |at| bytes[at]);
    if hit.start < done || !matches!(before, b':' | b'\'' | b'"') {
        return done;
    }
    let record = before == b':' && {
        let user = &line_before(bytes, hit.start);
        let user = &user[..user.len() - 1];
        !user.is_empty()
            && user.len() <= 64
            && user
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_' | b'@'))
    };
    let dump = before != b':'
        && memchr::memmem::find(line_before(bytes, hit.start), b"(").is_some()
        && pass.kind != FileKind::Code;
    let reach = &bytes[hit.start..bytes.len().min(hit.start + HASH_BYTES_MAX)];
    let stop = |byte: &u8| {
        !(byte.is_ascii_alphanumeric()
            || matches!(byte, b'$' | b'.' | b'/' | b'=' | b'+' | b'{' | b'}' | b'_'))
    };
    let end = hit.start + reach.iter().position(stop).unwrap_or(reach.len());
    let is_cut = bytes[hit.start..].starts_with(b"$2") && end - hit.start < BCRYPT_BYTES;
    if !(record || dump) || is_cut || end - hit.start < 20 {
        return done;
    }
    pass.accept(rule, Rank::Formed, hit.start..end, Confidence::Medium);
    end
}

/// The next word.
fn field(bytes: &[u8], at: usize) -> Range<usize> {
    let skip = bytes[at.min(bytes.len())..]
        .iter()
        .take(16)
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let start = (at + skip).min(bytes.len());
    let reach = &bytes[start..bytes.len().min(start + HASH_BYTES_MAX)];
    let end = reach
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(reach.len());
    start..start + end
}

/// Reports a field or rejects it, by what its judge says.
pub(super) fn finish(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    span: Range<usize>,
    filter: Option<MatchFilter>,
) -> usize {
    let end = span.end;
    match filter {
        // Whoever writes the word into such a file logs in with it.
        Some(MatchFilter::Placeholder) if pass.least <= Confidence::Low => {
            pass.accept(rule, Rank::Formed, span, Confidence::Low);
        }
        Some(filter) => pass.reject(rule, span, filter),
        None => pass.accept(rule, Rank::Formed, span, Confidence::High),
    }
    end
}
