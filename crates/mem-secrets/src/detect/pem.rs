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
    let (digits, der) = content(&body[..end]);
    if digits < BODY_DIGITS_MIN {
        pass.reject(rule, start..close, MatchFilter::Placeholder);
        return close;
    }
    let confidence = if der {
        Confidence::Certain
    } else {
        Confidence::High
    };
    pass.accept(rule, Rank::Formed, start..close, confidence);
    close
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
    let (digits, _) = content(&body[..used]);
    if digits >= 2 * BODY_DIGITS_MIN {
        pass.accept(rule, Rank::Formed, start..from + used, Confidence::Medium);
    }
    from + used
}

const fn is_glue(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'\\' | b'"' | b'\'' | b'=' | b'-' | b',' | b':')
}

/// How many base64 digits a body has, and whether it decodes to what private
/// keys begin with.
fn content(body: &[u8]) -> (usize, bool) {
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
    let head = base64::decode(&digits[..digits.len().min(32)]).unwrap_or_default();
    let der = head.first() == Some(&0x30)
        || head.starts_with(b"openssh-key-v1")
        || head.first().is_some_and(|b| b & 0x80 != 0);
    (digits.len(), der)
}
