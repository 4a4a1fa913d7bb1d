//! A secret that is recognised by the name it is assigned to: the rule that
//! every scanner has and that is most often wrong, so it is all context.

use super::line::line_before;
use super::name::{self, Family};
use super::value;
use crate::candidate::Rank;
use crate::check::known;
use crate::filter::{MatchFilter, value as judge};
use crate::finding::Confidence;
use crate::origin::FileKind;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;
use crate::rule::boundary::is_word;

/// Longest name that is read, to each side of the keyword.
const NAME_BYTES_MAX: usize = 64;

/// Reads the name around a keyword and judges the value after it.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    if hit.start < done {
        return done;
    }
    let bytes = pass.bytes;
    let (start, end) = name_around(bytes, without_operator(bytes, hit));
    let Some(found) = value::after(bytes, start, end, pass.kind) else {
        return end;
    };
    let connection = !found.quoted && is_connection_string(bytes, start);
    let expression = found.expression && !connection;
    if expression && !pass.explain {
        return end;
    }
    let Some(family) = name::family(&bytes[start..end]) else {
        return end;
    };
    if pass.kind == FileKind::Lock {
        pass.reject(rule, found.span, MatchFilter::Hash);
        return end;
    }
    if is_search_widget(bytes, start, &found) || is_badge(bytes, start) {
        pass.reject(rule, found.span, MatchFilter::Public);
        return end;
    }
    let subject = judge::FilterSubject {
        value: &bytes[found.span.clone()],
        name: &bytes[start..end],
        family,
        quoted: found.quoted,
        expression,
        settings: pass.kind != FileKind::Text,
        credentials: connection || pass.origin.holds_credentials(),
    };
    let published = || known::is_published(subject.value).then_some(MatchFilter::Published);
    // What is inside a value without quotes has been judged with it.
    let end = if found.quoted { end } else { found.span.end };
    match judge::judge(&subject).or_else(published) {
        Some(filter) => pass.reject(rule, found.span, filter),
        None => {
            let confidence = if family == Family::Weak {
                Confidence::Low
            } else {
                Confidence::Medium
            };
            pass.accept(rule, Rank::Generic, found.span, confidence);
        }
    }
    end
}

/// Whether a name stands in a row of `key=value;` that says where a database is
/// and who logs in.
fn is_connection_string(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    if line.trim_ascii_end().last() != Some(&b';') {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let keys: [&[u8]; 9] = [
        b"server=",
        b"host=",
        b"source=",
        b"database=",
        b"catalog=",
        b"user id=",
        b"userid=",
        b"username=",
        b"uid=",
    ];
    keys.iter()
        .any(|key| memchr::memmem::find(&line, key).is_some())
}

/// The search-only key of a documentation site's search box, in minified
/// script: `,apiKey:"..."`. It is public by design.
fn is_search_widget(bytes: &[u8], start: usize, found: &value::DetectedValue) -> bool {
    let before = start.checked_sub(1).map_or(b' ', |at| bytes[at]);
    let value = &bytes[found.span.clone()];
    bytes[start..].starts_with(b"apiKey:")
        && matches!(before, b',' | b'{')
        && value.len() == 32
        && value.iter().all(u8::is_ascii_hexdigit)
}

/// The token of a badge image, which readers of a README load.
fn is_badge(bytes: &[u8], start: usize) -> bool {
    bytes[..start].ends_with(b"badge.svg?")
}

/// Short keywords bring their operator along: `pw=`.
fn without_operator(bytes: &[u8], hit: KeywordHit) -> KeywordHit {
    let word = |byte: &u8| is_word(*byte);
    let length = bytes[hit.start..hit.end].iter().rposition(word);
    let end = length.map_or(hit.end, |last| hit.start + last + 1);
    KeywordHit { end, ..hit }
}

/// The whole name that a keyword is part of.
fn name_around(bytes: &[u8], hit: KeywordHit) -> (usize, usize) {
    let part = |byte: &u8| is_word(*byte) || matches!(byte, b'-' | b'.');
    let from = hit.start.saturating_sub(NAME_BYTES_MAX);
    let before = bytes[from..hit.start]
        .iter()
        .rev()
        .take_while(|byte| part(byte))
        .count();
    let reach = bytes.len().min(hit.end + NAME_BYTES_MAX);
    let after = bytes[hit.end..reach]
        .iter()
        .take_while(|byte| part(byte))
        .count();
    let mut start = hit.start - before;
    while start < hit.start && matches!(bytes[start], b'-' | b'.') {
        start += 1;
    }
    let mut end = hit.end + after;
    while end > hit.end && matches!(bytes[end - 1], b'-' | b'.') {
        end -= 1;
    }
    (start, end)
}
