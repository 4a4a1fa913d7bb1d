//! The default of a variable of the environment or of an argument: `os.getenv("KEY", "...")`,
//! `process.env.KEY || "..."`, `${KEY:-...}`, `Field(default="...")`.

use std::ops::Range;

use super::line::{blank, is_quote};
use super::name::{self, Family};
use crate::rule::boundary::is_word;

/// Longest name of a variable.
const NAME_BYTES_MAX: usize = 64;
/// Longest default, and longest call, that is read.
const DEFAULT_BYTES_MAX: usize = 300;

/// How many bytes there are before the value that is fallen back to; none
/// where there is no such value.
pub(super) fn skip(bytes: &[u8], at: usize) -> usize {
    argument(bytes, at)
        .or_else(|| alternative(bytes, at))
        .or_else(|| default(bytes, at))
        .map_or(0, |value| value - at)
}

/// The default of the reference to a variable that begins at `at`: `${NAME:-value}` of a shell, `${NAME:value}` of
/// Spring.
pub(super) fn parameter(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..)?.strip_prefix(b"${")?;
    let is_part = |byte: &&u8| is_word(**byte) || matches!(byte, b'.' | b'-');
    let length = rest.iter().take(NAME_BYTES_MAX).take_while(is_part).count();
    let (name, rest) = rest.split_at(length);
    let sign = match rest {
        [b':', b'-' | b'=', ..] if !name.is_empty() => 2,
        [b':', b'?' | b'+', ..] => return None,
        [b':', ..] if is_variable(name) => 1,
        _ => return None,
    };
    let text = rest.get(sign..rest.len().min(DEFAULT_BYTES_MAX))?;
    let end = text.iter().position(|byte| matches!(byte, b'}' | b'\n'))?;
    let start = at + 2 + length + sign;
    let quotes = usize::from(end > 1 && is_quote(text[0]) && text[end - 1] == text[0]);
    (text[end] == b'}').then(|| start + quotes..start + end - quotes)
}

/// Whether a name is that of a variable, not of where its value is looked up: `${vault:path}`, `${env:NAME}`.
fn is_variable(name: &[u8]) -> bool {
    let is_joined = name.iter().any(|byte| matches!(byte, b'_' | b'.' | b'-'));
    let is_loud = !name.is_empty() && name.iter().all(u8::is_ascii_uppercase);
    is_joined || is_loud || name::family(name) == Some(Family::Password)
}

/// The argument `default` of the call at `at`, or of the call that has the argument there: `Field(default="...")`,
/// `z.string().default("...")`.
fn default(bytes: &[u8], at: usize) -> Option<usize> {
    const WORD: &[u8] = b"default";
    let reach = &bytes[at.min(bytes.len())..bytes.len().min(at + DEFAULT_BYTES_MAX)];
    let line = reach.split(|byte| *byte == b'\n').next()?;
    let is_string = line.first().is_some_and(|byte| is_quote(*byte));
    let place = memchr::memmem::find(line, WORD).filter(|_| !is_string)?;
    let mut depth = 0;
    for byte in &line[..place] {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b';' | b'{' | b'#' => return None,
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    let sign = at + place + WORD.len();
    let before = line[..place].last();
    let is_inside = depth > 0 || bytes[..at].trim_ascii_end().ends_with(b",");
    let is_argument = is_inside && matches!(before, None | Some(b'(' | b',' | b' '));
    let value = match bytes.get(sign)? {
        b'(' if before == Some(&b'.') && depth == 0 => sign + 1,
        b'=' if is_argument => sign + 1,
        _ => return None,
    };
    bytes
        .get(value)
        .is_some_and(|byte| is_quote(*byte))
        .then_some(value)
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
    let sign = end + blank(bytes, end);
    let rest = &bytes[sign.min(bytes.len())..];
    // The block of Ruby: `ENV.fetch("KEY") { "..." }`.
    let signs: [&[u8]; 2] = [b",", b") {"];
    let sign = sign + signs.iter().find(|sign| rest.starts_with(sign))?.len();
    let value = sign + blank(bytes, sign);
    bytes
        .get(value)
        .is_some_and(|byte| is_quote(*byte))
        .then_some(value)
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
