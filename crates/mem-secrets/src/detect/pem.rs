//! Private keys in PEM and in the formats that look like it (OpenSSH, PuTTY,
//! PGP), also when line ends are written as `\n` inside a string.

use crate::candidate::Rank;
use crate::decode::base64;
use crate::filter::MatchFilter;
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// The longest key block that is read.
const BLOCK_BYTES_MAX: usize = 32 << 10;
/// Base64 digits that a body must have.
const BODY_DIGITS_MIN: usize = 64;
/// What keys in DER begin with.
const DER_SEQUENCE: u8 = 0x30;
/// What keys of OpenSSH begin with.
const OPENSSH: &[u8] = b"openssh-key-v1\0";

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
    match block_filter(label, &body[..end], &digits) {
        Some(filter) => pass.reject(rule, start..close, filter),
        None => pass.accept(rule, Rank::Formed, start..close, Confidence::Certain),
    }
    close
}

/// Why a block is no key that can be used: it is encrypted, has a gap, or is made up.
fn block_filter(label: &[u8], body: &[u8], digits: &[u8]) -> Option<MatchFilter> {
    let has = |text: &[u8], part: &[u8]| memchr::memmem::find(text, part).is_some();
    if has(label, b"ENCRYPTED") || has(body, b"4,ENCRYPTED") {
        return Some(MatchFilter::Encrypted);
    }
    if digits.len() < BODY_DIGITS_MIN || has_gap(body) {
        return Some(MatchFilter::Placeholder);
    }
    // Marks of comments and of diffs before the first line are digits too; keys begin with letters.
    let marks = digits
        .iter()
        .take_while(|byte| !byte.is_ascii_alphanumeric());
    let digits = &digits[marks.count()..];
    let key = base64::decode(&digits[..digits.len().min(64) / 4 * 4]).unwrap_or_default();
    if let Some(rest) = key.strip_prefix(OPENSSH) {
        // The name of the cipher follows, after its length.
        let is_plain = rest.get(4..).is_some_and(|name| name.starts_with(b"none"));
        return (!is_plain).then_some(MatchFilter::Encrypted);
    }
    // Packets of PGP begin in many ways.
    let is_key = has(label, b"PGP") || key.first() == Some(&DER_SEQUENCE);
    (!is_key).then_some(MatchFilter::Placeholder)
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

/// The base64 digits of a body.
fn content(body: &[u8]) -> Vec<u8> {
    let mut digits = Vec::with_capacity(body.len());
    for line in body.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        // Headers such as `Proc-Type: 4,ENCRYPTED` and `Version: 1`.
        if line.contains(&b':') && !line.contains(&b'\\') {
            continue;
        }
        let mut escape = false;
        for &byte in line {
            let skip = std::mem::replace(&mut escape, byte == b'\\') && matches!(byte, b'n' | b'r');
            if base64::is_digit(byte) && byte != b'-' && !skip {
                digits.push(byte);
            }
        }
    }
    digits
}
