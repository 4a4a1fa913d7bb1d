//! The value that stands in for a variable of the environment which is not
//! set: `os.getenv("KEY", "...")`, `process.env.KEY || "..."`.

use super::line::{blank, is_quote};
use crate::rule::boundary::is_word;

/// Longest name of a variable.
const NAME_BYTES_MAX: usize = 64;

/// How many bytes there are before the value that is fallen back to; none
/// where there is no such value.
pub(super) fn skip(bytes: &[u8], at: usize) -> usize {
    argument(bytes, at)
        .or_else(|| alternative(bytes, at))
        .map_or(0, |value| value - at)
}

/// The second argument of a call that reads the environment.
fn argument(bytes: &[u8], at: usize) -> Option<usize> {
    let calls: [&[u8]; 11] = [
        b"env(",
        b"getenv(",
        b"os.getenv(",
        b"os.environ.get(",
        b"environ.get(",
        b"env.str(",
        b"env.get(",
        b"ENV.fetch(",
        b"System.getenv().getOrDefault(",
        b"config(",
        b"getEnv(",
    ];
    let rest = &bytes[at.min(bytes.len())..];
    let call = calls.iter().find(|call| rest.starts_with(call))?;
    let name = at + call.len() + blank(bytes, at + call.len());
    let end = string(bytes, name)?;
    let comma = end + blank(bytes, end);
    let value = comma + 1 + blank(bytes, comma + 1);
    let quoted = bytes.get(value).is_some_and(|byte| is_quote(*byte));
    (bytes.get(comma) == Some(&b',') && quoted).then_some(value)
}

/// What comes after `||`, `??`, `?:` or `or`.
fn alternative(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = &bytes[at.min(bytes.len())..];
    let starts: [&[u8]; 5] = [
        b"process.env",
        b"import.meta.env",
        b"ENV[",
        b"os.getenv(",
        b"getenv(",
    ];
    starts.iter().find(|start| rest.starts_with(start))?;
    let part = |byte: &&u8| {
        is_word(**byte) || is_quote(**byte) || matches!(byte, b'.' | b'[' | b']' | b'(' | b')')
    };
    let end = at + rest.iter().take(NAME_BYTES_MAX).take_while(part).count();
    let sign = end + blank(bytes, end);
    let signs: [&[u8]; 4] = [b"||", b"??", b"?:", b"or "];
    let sign = sign + signs.iter().find(|s| bytes[sign..].starts_with(s))?.len();
    let value = sign + blank(bytes, sign);
    bytes
        .get(value)
        .is_some_and(|byte| is_quote(*byte))
        .then_some(value)
}

/// Where a short string ends that begins at `at`.
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = *bytes.get(at).filter(|byte| is_quote(**byte))?;
    let reach = bytes[at + 1..].iter().take(NAME_BYTES_MAX);
    let length = reach
        .take_while(|byte| **byte != quote && **byte != b'\n')
        .count();
    let end = at + 1 + length;
    (bytes.get(end) == Some(&quote)).then_some(end + 1)
}
