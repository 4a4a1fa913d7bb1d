//! Secrets told in sentences, as people tell them to an agent: "the password
//! is ...", "use ... as the token", "log in with admin / ...".

use std::ops::Range;

use crate::candidate::Rank;
use crate::filter::value as judge;
use crate::finding::Confidence;
use crate::origin::FileKind;
use crate::pass::{Hit, Pass};
use crate::rule::Rule;

/// How much of the sentence before and after the word is read.
const SENTENCE_BYTES_MAX: usize = 72;
/// Words between the name and the verb: "the password for the wifi is".
const MIDDLE_BYTES_MAX: usize = 48;

const VERBS: &[&[u8]] = &[
    b" is now ", b" is still ", b" is: ", b" is ", b" was ", b" ist ", b" lautet ", b" = ", b" will be ", b" set to ",
    b" changed to ", b" reset to ", b" should be ",
];

/// At `password`, `passphrase`, `token` and their kind in a text.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: Hit, done: usize) -> usize {
    let bytes = pass.bytes;
    if hit.start < done || pass.kind == FileKind::Lock {
        return done;
    }
    if let Some(span) = after_verb(bytes, hit).or_else(|| before_as(bytes, hit)) {
        let end = span.end;
        match judge::judge_prose(&bytes[span.clone()], pass.kind == FileKind::Text) {
            Some(filter) => pass.reject(rule, span, filter),
            None => pass.accept(rule, Rank::Prose, span, Confidence::Low),
        }
        return end;
    }
    done
}

/// "... password for the staging database is VALUE".
fn after_verb(bytes: &[u8], hit: Hit) -> Option<Range<usize>> {
    let reach = &bytes[hit.end..bytes.len().min(hit.end + SENTENCE_BYTES_MAX)];
    let line = reach.split(|byte| matches!(byte, b'\n' | b'.' | b';' | b'?')).next()?;
    let verb = VERBS.iter().filter_map(|verb| {
        let at = memchr::memmem::find(line, verb)?;
        Some((at, at + verb.len()))
    });
    let (at, after) = verb.min_by_key(|&(at, after)| (at, usize::MAX - after))?;
    if at > MIDDLE_BYTES_MAX || line[..at].iter().any(|byte| matches!(byte, b'(' | b'=' | b'{' | b'"' | b',')) {
        return None;
    }
    Some(word(bytes, hit.end + after))
}

/// "use VALUE as the password".
fn before_as(bytes: &[u8], hit: Hit) -> Option<Range<usize>> {
    let from = hit.start.saturating_sub(SENTENCE_BYTES_MAX);
    let before = &bytes[from..hit.start];
    let at = memchr::memmem::rfind(before, b" as ")?;
    let between = &before[at + 4..];
    if between.len() > 16 || between.contains(&b'\n') {
        return None;
    }
    let head = before[..at].trim_ascii_end();
    let start = head.iter().rposition(|byte| byte.is_ascii_whitespace()).map_or(0, |space| space + 1);
    Some(trim(bytes, from + start..from + head.len()))
}

fn word(bytes: &[u8], at: usize) -> Range<usize> {
    let skip = bytes[at..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'*')).count();
    let at = at + skip;
    let reach = &bytes[at..bytes.len().min(at + 128)];
    let end = reach.iter().position(u8::is_ascii_whitespace).unwrap_or(reach.len());
    trim(bytes, at..at + end)
}

/// Without the quotes and the punctuation of the sentence.
fn trim(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let outer = |byte: u8| matches!(byte, b'"' | b'\'' | b'`' | b'*' | b',' | b'.' | b';' | b':' | b')' | b'(');
    let (mut start, mut end) = (span.start, span.end);
    while start < end && outer(bytes[start]) {
        start += 1;
    }
    while end > start && outer(bytes[end - 1]) {
        end -= 1;
    }
    start..end
}
