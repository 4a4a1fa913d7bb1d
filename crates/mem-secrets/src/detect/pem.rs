//! Private keys in PEM and in the formats that look like it (OpenSSH, PuTTY,
//! PGP), also when line ends are written as `\n` inside a string.

use crate::candidate::Rank;
use crate::check::private_key::{self, KeyStructure};
use crate::decode::base64;
use crate::filter::MatchFilter;
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// The longest key block that is read.
const BLOCK_BYTES_MAX: usize = 32 << 10;
/// Base64 digits that a body must have.
const BODY_DIGITS_MIN: usize = 64;

/// At `PRIVATE KEY`: finds the block around it and looks at its body.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    if hit.start < done {
        return done;
    }
    let Some(start) = begin(bytes, hit.start) else {
        return done;
    };
    let reach = bytes.len().min(hit.end + BLOCK_BYTES_MAX);
    let body = &bytes[hit.end..reach];
    // A second beginning ends the search, so that a row of them stays linear.
    let next = memchr::memmem::find(body, b"-----BEGIN").unwrap_or(body.len());
    let Some(end) = memchr::memmem::find(&body[..next], b"-----END") else {
        return truncated(pass, rule, start, hit.end, hit.end + next);
    };
    let tail = bytes[hit.end + end..].iter().skip(8);
    let close = hit.end + end + 8 + tail.take(64).take_while(|byte| **byte != b'-').count() + 5;
    let close = close.min(bytes.len());
    let digits = content(&body[..end]);
    let label = &bytes[start..hit.end];
    match judge_block(label, &body[..end], &digits) {
        Err(filter) => pass.reject(rule, start..close, filter),
        Ok(confidence) => pass.accept(rule, Rank::Formed, start..close, confidence),
    }
    close
}

/// How sure it is that a block is a key, or why it is none that can be used: it is encrypted, has a gap, or is made up.
fn judge_block(label: &[u8], body: &[u8], digits: &[u8]) -> Result<Confidence, MatchFilter> {
    let has = |text: &[u8], part: &[u8]| memchr::memmem::find(text, part).is_some();
    if has(label, b"ENCRYPTED") || has(body, b"4,ENCRYPTED") {
        return Err(MatchFilter::Encrypted);
    }
    if digits.len() < BODY_DIGITS_MIN || has_gap(body) {
        return Err(MatchFilter::Placeholder);
    }
    // Packets of PGP begin in many ways.
    if has(label, b"PGP") {
        return Ok(Confidence::High);
    }
    let key = base64::decode(digits).unwrap_or_default();
    match private_key::structure(&key) {
        KeyStructure::Whole => Ok(Confidence::Certain),
        KeyStructure::Broken => Ok(Confidence::Medium),
        KeyStructure::Encrypted => Err(MatchFilter::Encrypted),
        KeyStructure::Absent => Err(MatchFilter::Placeholder),
    }
}

/// Whether dots stand for a part of a body. Headers have some, and so have strings that are concatenated.
fn has_gap(body: &[u8]) -> bool {
    let is_gap = |line: &[u8]| {
        let is_alone = line.contains(&b'.')
            && !line
                .iter()
                .any(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'\''));
        let is_after =
            |pair: &[u8]| pair[1] == b'.' && (pair[0] == b'.' || base64::is_digit(pair[0]));
        is_alone || line.windows(2).any(is_after)
    };
    let mut lines = body.split(|byte| *byte == b'\n');
    lines.any(|line| !line.contains(&b':') && is_gap(line))
}

/// Where `-----BEGIN` stands before the label.
fn begin(bytes: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(48);
    let start = memchr::memmem::rfind(&bytes[from..at], b"-----BEGIN")?;
    Some(from + start)
}

/// A block without an end: a diff hunk, a cut paste.
fn truncated(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    start: usize,
    from: usize,
    end: usize,
) -> usize {
    let body = &pass.bytes[from..end.min(from + 4096)];
    let used = body
        .iter()
        .take_while(|byte| base64::is_digit(**byte) || is_glue(**byte))
        .count();
    let digits = content(&body[..used]);
    let is_encrypted = memchr::memmem::find(body, b"4,ENCRYPTED").is_some();
    if !is_encrypted && digits.len() >= 2 * BODY_DIGITS_MIN {
        pass.accept(rule, Rank::Formed, start..from + used, Confidence::Medium);
    }
    from + used
}

const fn is_glue(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'"' | b'\'' | b'=' | b'-' | b',' | b':')
}

/// The base64 digits of a body, without what stands around each line of it: quotes, the marks of comments, of diffs and
/// of strings that are concatenated.
fn content(body: &[u8]) -> Vec<u8> {
    let mut digits = Vec::with_capacity(body.len());
    let is_added = is_added(body);
    for line in body.split(|byte| *byte == b'\n') {
        let mut line = line.trim_ascii();
        // Headers such as `Proc-Type: 4,ENCRYPTED` and `Version: 1`.
        if line.contains(&b':') && !line.contains(&b'\\') {
            continue;
        }
        if is_added {
            line = line.strip_prefix(b"+").unwrap_or(line);
        }
        let is_outer =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
        let parts = line.split(is_outer);
        for part in parts.filter(|part| part.iter().any(u8::is_ascii_alphanumeric)) {
            push_digits(part, &mut digits);
        }
    }
    digits
}

/// Whether a body stands in a diff that adds it: each of its lines begins with the sign.
fn is_added(body: &[u8]) -> bool {
    let mut lines = body.split(|byte| *byte == b'\n').skip(1).peekable();
    let is_begun = lines.peek().is_some();
    is_begun && lines.all(|line| line.starts_with(b"+"))
}

/// Adds the digits of one part of a line; `\n` and `\r` are ends of lines inside a string.
fn push_digits(part: &[u8], digits: &mut Vec<u8>) {
    let mut escape = false;
    for &byte in part {
        let skip = std::mem::replace(&mut escape, byte == b'\\') && matches!(byte, b'n' | b'r');
        if base64::is_digit(byte) && byte != b'-' && !skip {
            digits.push(byte);
        }
    }
}
