//! Secrets told in sentences, as people tell them to an agent: "the password
//! is ...", "use ... as the token", "log in with admin / ...".

use std::ops::Range;

use super::assignment::is_example;
use super::line::line_before;
use crate::candidate::Rank;
use crate::filter::login as judge;
use crate::finding::Confidence;
use crate::origin::FileKind;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;
use crate::rule::boundary::is_word;

/// How much of the sentence before and after the word is read.
const SENTENCE_BYTES_MAX: usize = 72;
/// Words between the name and the verb: "the password for the wifi is".
const MIDDLE_BYTES_MAX: usize = 48;

/// What stands before the word in "use VALUE as the password".
const AS: &[u8] = b" as ";
/// Between `as` and the word: "as the admin password".
const BETWEEN_BYTES_MAX: usize = 16;

const VERBS: &[&[u8]] = &[
    b" is now ",
    b" is still ",
    b" is: ",
    b" is ",
    b" was ",
    b" ist ",
    b" es ",
    b" est ",
    b" lautet ",
    b" will be ",
    b" set to ",
    b" changed to ",
    b" reset to ",
    b" should be ",
];

/// At `password`, `passphrase`, `token` and their kind in a text.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    let is_password_word = is_prose(bytes, hit, pass.kind) && !is_example(bytes, hit.start);
    if hit.start < done || pass.kind == FileKind::Lock || !is_password_word {
        return done;
    }
    let told = after_verb(bytes, hit).or_else(|| before_as(bytes, hit));
    let bare = told.is_none();
    if let Some(span) = told.or_else(|| right_after(bytes, hit, pass.kind)) {
        let end = span.end;
        if bare && !judge::is_strong(&bytes[span.clone()]) {
            return done;
        }
        match judge::judge_prose(&bytes[span.clone()], pass.kind == FileKind::Text) {
            Some(filter) => pass.reject(rule, span, filter),
            None => pass.accept(rule, Rank::Prose, span, Confidence::Medium),
        }
        return end;
    }
    done
}

/// Whether the word stands in a sentence: not in an identifier, and in code
/// only in comments and strings.
fn is_prose(bytes: &[u8], hit: KeywordHit, kind: FileKind) -> bool {
    let joined = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| is_word(*byte))
    };
    let spaced = bytes[hit.start] == b' ';
    if joined(hit.start.checked_sub(1)) && !spaced
        || joined(Some(hit.end)) && bytes[hit.end - 1] != b' '
    {
        return false;
    }
    let line = line_before(bytes, hit.start);
    let marks: [&[u8]; 6] = [b"//", b"#", b"/*", b"* ", b"--", b"\""];
    kind != FileKind::Code
        || marks
            .iter()
            .any(|mark| memchr::memmem::find(line, mark).is_some())
}

/// "... password for the staging database is VALUE".
fn after_verb(bytes: &[u8], hit: KeywordHit) -> Option<Range<usize>> {
    let reach = &bytes[hit.end..bytes.len().min(hit.end + SENTENCE_BYTES_MAX)];
    let line = reach
        .split(|byte| matches!(byte, b'\n' | b'.' | b';' | b'?'))
        .next()?;
    let middle = line.iter().take(MIDDLE_BYTES_MAX + 1);
    let joined = middle.take_while(|byte| !matches!(byte, b'(' | b'=' | b'{' | b'"' | b','));
    let spaces = joined.enumerate().filter(|(_, byte)| **byte == b' ');
    let after = spaces
        .filter_map(|(at, _)| Some(at + verb_at(&line[at..])?))
        .next()?;
    Some(word(bytes, hit.end + after))
}

/// The length of the longest verb that `text` begins with.
fn verb_at(text: &[u8]) -> Option<usize> {
    let verbs = VERBS.iter().filter(|verb| text.starts_with(verb));
    verbs.map(|verb| verb.len()).max()
}

/// "user admin, password VALUE", in documents only: the value must look like
/// a password whatever is said about it.
fn right_after(bytes: &[u8], hit: KeywordHit, kind: FileKind) -> Option<Range<usize>> {
    let password = bytes[hit.start..hit.end]
        .to_ascii_lowercase()
        .starts_with(b"pass");
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 8)];
    let gap = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b':' | b'*'))
        .count();
    (password && gap > 0 && kind == FileKind::Text).then(|| word(bytes, hit.end + gap))
}

/// "use VALUE as the password".
fn before_as(bytes: &[u8], hit: KeywordHit) -> Option<Range<usize>> {
    let from = hit.start.saturating_sub(SENTENCE_BYTES_MAX);
    let before = &bytes[from..hit.start];
    let reach = before.len().saturating_sub(AS.len() + BETWEEN_BYTES_MAX);
    let mut near = before[reach..].windows(AS.len());
    let at = reach + near.rposition(|window| window == AS)?;
    if before[at + AS.len()..].contains(&b'\n') {
        return None;
    }
    let head = before[..at].trim_ascii_end();
    let start = head
        .iter()
        .rposition(u8::is_ascii_whitespace)
        .map_or(0, |space| space + 1);
    Some(trim(bytes, from + start..from + head.len()))
}

fn word(bytes: &[u8], at: usize) -> Range<usize> {
    let skip = bytes[at..]
        .iter()
        .take(4)
        .take_while(|byte| matches!(byte, b' ' | b'*'))
        .count();
    let at = at + skip;
    let reach = &bytes[at..bytes.len().min(at + 128)];
    let end = reach
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(reach.len());
    trim(bytes, at..at + end)
}

/// Without the quotes and the punctuation of the sentence.
fn trim(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let outer = |byte: u8| {
        matches!(
            byte,
            b'"' | b'\'' | b'`' | b'*' | b',' | b'.' | b';' | b':' | b')' | b'('
        )
    };
    let (mut start, mut end) = (span.start, span.end);
    while start < end && outer(bytes[start]) {
        start += 1;
    }
    while end > start && outer(bytes[end - 1]) {
        end -= 1;
    }
    start..end
}
