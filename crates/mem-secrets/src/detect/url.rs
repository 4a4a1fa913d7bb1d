//! Passwords in URLs and connection strings: `scheme://user:password@host`.

use std::ops::Range;

use crate::candidate::Rank;
use crate::filter::url_password;
use crate::finding::Confidence;
use crate::pass::{Hit, Pass};
use crate::rule::Rule;

/// Longest user and password that are read after `://`.
const AUTHORITY_BYTES_MAX: usize = 2048;

/// At `://`: looks for `user:password@`.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: Hit, done: usize) -> usize {
    let bytes = pass.bytes;
    let Some((user, password)) = split(bytes, hit.end) else {
        return done;
    };
    let value = &bytes[password.clone()];
    let host = host(bytes, password.end + 1);
    let filter = url_password::judge(&bytes[user.clone()], value, host);
    match filter {
        Some(filter) => pass.reject(rule, password, filter),
        None => pass.accept(rule, Rank::Formed, password, Confidence::High),
    }
    done
}

/// The user and the password of an authority that begins at `at`. The
/// password may contain `@` and `/`, as people write them, so the last `@`
/// before the end of the word counts.
pub(crate) fn split(bytes: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let reach = &bytes[at..bytes.len().min(at + AUTHORITY_BYTES_MAX)];
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
    };
    let end_of_user = |byte: &u8| matches!(byte, b':' | b'/' | b'?' | b'@');
    let colon = reach
        .iter()
        .position(|byte| end_of_user(byte) || stop(byte))?;
    let word = &reach[..reach.iter().position(stop).unwrap_or(reach.len())];
    if word.len() == colon
        || word[colon] != b':'
        || word[..colon].iter().any(|byte| matches!(byte, b',' | b')'))
    {
        return None;
    }
    let rest = &word[colon + 1..];
    let first = rest.iter().position(|byte| *byte == b'@')?;
    // A slash before the `@` is a path, unless what is before it is no port.
    let slash = rest[..first]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'));
    if slash.is_some_and(|slash| rest[..slash].iter().all(u8::is_ascii_digit)) {
        return None;
    }
    let host_follows = |place: &usize| {
        rest.get(place + 1).is_some_and(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'{' | b'[' | b'%' | b'_')
        })
    };
    let authority = rest[first..]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'))
        .map_or(rest.len(), |end| first + end);
    let last = (first..authority)
        .rev()
        .filter(|place| rest[*place] == b'@')
        .find(host_follows)?;
    let start = at + colon + 1;
    Some((at..at + colon, start..start + last))
}

fn host(bytes: &[u8], at: usize) -> &[u8] {
    let reach = &bytes[at.min(bytes.len())..bytes.len().min(at + 128)];
    let end = reach
        .iter()
        .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')));
    &reach[..end.unwrap_or(reach.len())]
}
