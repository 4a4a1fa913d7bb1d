//! Credentials in HTTP headers: `Authorization: Bearer ...`, `Basic ...`, and
//! the `-u` and `-H` of curl.

use std::ops::Range;

use crate::candidate::Rank;
use crate::decode::base64;
use crate::filter::{MatchFilter, login as judge, weak_password};
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// Longest credential that is read.
const VALUE_BYTES_MAX: usize = 4096;
/// How far back `curl` may stand.
const COMMAND_BYTES_MAX: usize = 600;

/// At `Bearer`, `Basic`, `Token` and their kind: the credential after it.
pub(crate) fn scheme(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    let bytes = pass.bytes;
    let spaces = gap(bytes, hit.end);
    let before = hit.start.checked_sub(1).map_or(b' ', |at| bytes[at]);
    // Words that are more than schemes bring their space along, and have to begin a header's value.
    let is_apart = spaces > 0 || bytes[hit.end - 1] == b' ' && begins_value(bytes, hit.start);
    if hit.start < done || !is_apart || before.is_ascii_alphanumeric() || before == b'_' {
        return done;
    }
    let span = word(bytes, hit.end + spaces);
    let value = &bytes[span.clone()];
    if value.len() < 8 {
        return done;
    }
    let basic = bytes[hit.start..hit.end].eq_ignore_ascii_case(b"basic");
    if pass.least <= Confidence::Low && is_weak_login(value) {
        pass.accept(rule, Rank::Generic, span.clone(), Confidence::Low);
        return span.end;
    }
    let filter = if basic {
        basic_filter(value)
    } else {
        judge::judge_bearer(value)
    };
    judge_header(pass, rule, span, filter)
}

/// At `Authorization` and the header names of API keys in a curl command.
pub(crate) fn curl_header(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    let bytes = pass.bytes;
    if hit.start < done || !in_curl(bytes, hit.start) {
        return done;
    }
    let mut at = hit.end + gap(bytes, hit.end);
    if bytes.get(at) != Some(&b':') {
        return done;
    }
    at += 1;
    at += gap(bytes, at);
    let mut span = word(bytes, at);
    let head = bytes[span.clone()].to_ascii_lowercase();
    let mut basic = false;
    if [
        b"bearer".as_slice(),
        b"basic",
        b"token",
        b"api-token",
        b"apikey",
        b"key",
        b"api-key",
        b"apitoken",
    ]
    .contains(&head.as_slice())
    {
        basic = head == b"basic";
        span = word(bytes, span.end + gap(bytes, span.end));
    }
    let value = &bytes[span.clone()];
    let filter = if basic {
        basic_filter(value)
    } else {
        judge::judge_bearer(value)
    };
    judge_header(pass, rule, span, filter)
}

/// At ` -u` and ` --user` of a curl command: `user:password`.
pub(crate) fn curl_user(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    let bytes = pass.bytes;
    if hit.start < done || !in_curl(bytes, hit.start) {
        return done;
    }
    let equals = usize::from(bytes.get(hit.end) == Some(&b'='));
    let at = hit.end + equals + gap(bytes, hit.end + equals);
    let (text, colon) = pair(bytes, at);
    let Some(colon) = colon else { return done };
    let (mut user, mut password) = (text.start..colon, colon + 1..text.end);
    trim_quotes(bytes, &mut user);
    trim_quotes(bytes, &mut password);
    let secret = if password.is_empty() {
        user.clone()
    } else {
        password
    };
    let filter = judge::judge_login(&bytes[user], &bytes[secret.clone()]);
    let is_weak = pass.least <= Confidence::Low
        && filter == Some(MatchFilter::Words)
        && weak_password::judge(&bytes[secret.clone()], true).is_none();
    if is_weak {
        pass.accept(rule, Rank::Generic, secret.clone(), Confidence::Low);
        return secret.end;
    }
    judge_header(pass, rule, secret, filter)
}

/// Whether a place begins the value of a header: behind a colon or a quote.
fn begins_value(bytes: &[u8], at: usize) -> bool {
    let before = bytes[at.saturating_sub(4)..at].trim_ascii_end();
    matches!(before.last(), Some(b':' | b'"' | b'\'' | b'`' | b'='))
}

fn judge_header(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    span: Range<usize>,
    filter: Option<MatchFilter>,
) -> usize {
    let end = span.end;
    match filter {
        Some(filter) => pass.reject(rule, span, filter),
        None => pass.accept(rule, Rank::Generic, span, Confidence::Medium),
    }
    end
}

/// Whether a value is the base64 of a login whose password anybody could guess: it opens a test, if nothing else.
fn is_weak_login(value: &[u8]) -> bool {
    let login = base64::decode(value).unwrap_or_default();
    let mut parts = login.splitn(2, |byte| *byte == b':');
    let (user, password) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let is_text = login.iter().all(u8::is_ascii_graphic);
    is_text
        && user.len() >= 3
        && password.len() >= 3
        && judge::is_stand_in(password)
        && !judge::is_open(password)
}

/// Basic credentials are the base64 of `user:password`.
fn basic_filter(value: &[u8]) -> Option<MatchFilter> {
    if judge::is_open(value) {
        return Some(MatchFilter::Template);
    }
    let decoded = base64::decode(value).unwrap_or_default();
    let Some(colon) = decoded.iter().position(|byte| *byte == b':') else {
        // A web token is no basic credential; its own rule finds it.
        let token = value.starts_with(b"ey").then_some(MatchFilter::Placeholder);
        return token.or_else(|| judge::judge_bearer(value));
    };
    if decoded.iter().any(u8::is_ascii_control) || !decoded.is_ascii() {
        return judge::judge_bearer(value);
    }
    let secret = if colon + 1 == decoded.len() {
        &decoded[..colon]
    } else {
        &decoded[colon + 1..]
    };
    judge::is_stand_in(secret).then_some(MatchFilter::Placeholder)
}

const CURL: &[u8] = b"curl";

/// Whether a `curl` stands before, on this line or on continued ones.
fn in_curl(bytes: &[u8], at: usize) -> bool {
    let from = at.saturating_sub(COMMAND_BYTES_MAX);
    let mut before = &bytes[from..at];
    loop {
        let line = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        // A plain loop beats a searcher that has to be built for every word.
        if before[line..].windows(CURL.len()).any(|word| word == CURL) {
            return true;
        }
        before = &before[..line.saturating_sub(1)];
        let goes_on = before.trim_ascii_end().ends_with(b"\\") || before.ends_with(b"\\n");
        if !goes_on {
            return false;
        }
    }
}

fn gap(bytes: &[u8], at: usize) -> usize {
    bytes[at.min(bytes.len())..]
        .iter()
        .take(16)
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

fn word(bytes: &[u8], at: usize) -> Range<usize> {
    let at = at.min(bytes.len());
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(
                byte,
                b'"' | b'\'' | b'`' | b'\\' | b'<' | b',' | b';' | b')'
            )
    };
    at..at + reach.iter().position(stop).unwrap_or(reach.len())
}

/// `user:password` in one pair of quotes, in none, or in one each; the place
/// of the colon.
fn pair(bytes: &[u8], at: usize) -> (Range<usize>, Option<usize>) {
    let reach = &bytes[at.min(bytes.len())..bytes.len().min(at + 256)];
    let mut quote = None;
    let mut colon = None;
    let mut start = at;
    for (offset, &byte) in reach.iter().enumerate() {
        match byte {
            b'\n' => return (start..at + offset, colon),
            b'\'' | b'"' if quote == Some(byte) => {
                quote = None;
                if colon.is_some_and(|colon| colon + 1 < at + offset) {
                    return (start..at + offset, colon);
                }
            }
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                if offset == 0 {
                    start = at + 1;
                }
            }
            byte if byte.is_ascii_whitespace() && quote.is_none() => {
                return (start..at + offset, colon);
            }
            b':' if colon.is_none() => colon = Some(at + offset),
            _ => {}
        }
    }
    (start..at + reach.len(), colon)
}

fn trim_quotes(bytes: &[u8], span: &mut Range<usize>) {
    while span.start < span.end && matches!(bytes[span.start], b'"' | b'\'') {
        span.start += 1;
    }
    while span.start < span.end && matches!(bytes[span.end - 1], b'"' | b'\'') {
        span.end -= 1;
    }
}
