//! Files that are nothing but credentials, a line each, and say so by their
//! names only: pgpass, htpasswd and passwd in the old form, the secrets of pppd.

use std::ops::Range;

use super::line::indent;
use super::record;
use crate::candidate::Rank;
use crate::filter::MatchFilter;
use crate::filter::login::judge_record;
use crate::finding::Confidence;
use crate::pass::Pass;
use crate::rule::Rule;

/// Digits of a hash by DES-crypt: two of salt, eleven of hash.
const CRYPT_DIGITS: usize = 13;

/// What a line holds, by the name that rule files use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineRecord {
    /// `host:port:database:user:password`, colons inside fields escaped.
    Pgpass,
    /// `user:hash`, whatever follows, the hash by DES-crypt.
    Crypt,
    /// `scheme://user:password@host`, with `@` in user and password.
    GitCredentials,
    /// `client server secret addresses` of PAP and CHAP.
    Ppp,
}

/// Reads every line of a file.
pub(crate) fn run(record: LineRecord, pass: &mut Pass<'_>, rule: &'static Rule) {
    let bytes = pass.bytes;
    let mut start = 0;
    for line in bytes.split(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        let secret = match record {
            _ if text.starts_with(b"#") => None,
            LineRecord::Pgpass => pgpass(text),
            LineRecord::Crypt => crypt(text),
            LineRecord::GitCredentials => git_credentials(text),
            LineRecord::Ppp => ppp(text),
        };
        if let Some(secret) = secret {
            let start = start + indent(line);
            let span = start + secret.start..start + secret.end;
            if record == LineRecord::Crypt {
                pass.accept(rule, Rank::Formed, span, Confidence::Medium);
            } else if span.is_empty() {
                pass.reject(rule, span, MatchFilter::Length);
            } else {
                let filter = judge_record(&bytes[span.clone()]);
                record::finish(pass, rule, span, filter);
            }
        }
        start += line.len() + 1;
    }
}

fn pgpass(line: &[u8]) -> Option<Range<usize>> {
    let mut escaped = false;
    let mut colons = line.iter().enumerate().filter(|(_, byte)| {
        let plain = !std::mem::replace(&mut escaped, **byte == b'\\');
        plain && **byte == b':'
    });
    let (last, _) = colons.nth(3)?;
    Some(last + 1..line.len())
}

fn crypt(line: &[u8]) -> Option<Range<usize>> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let rest = &line[colon + 1..];
    let end = rest
        .iter()
        .position(|byte| *byte == b':')
        .unwrap_or(rest.len());
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/');
    let hash = &rest[..end];
    let mixed = hash.iter().any(u8::is_ascii_uppercase) && hash.iter().any(u8::is_ascii_lowercase);
    let is_hash = hash.len() == CRYPT_DIGITS && mixed && hash.iter().all(digit);
    (colon > 0 && is_hash).then_some(colon + 1..colon + 1 + end)
}

fn git_credentials(line: &[u8]) -> Option<Range<usize>> {
    let user = memchr::memmem::find(line, b"://")? + 3;
    let colon = user + line[user..].iter().position(|byte| *byte == b':')?;
    let host = line.iter().rposition(|byte| *byte == b'@')?;
    (colon < host).then_some(colon + 1..host)
}

fn ppp(line: &[u8]) -> Option<Range<usize>> {
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let secret = words.nth(2)?;
    let start = secret.as_ptr() as usize - line.as_ptr() as usize;
    let quoted = secret.len() > 2 && secret.starts_with(b"\"") && secret.ends_with(b"\"");
    let trim = usize::from(quoted);
    Some(start + trim..start + secret.len() - trim)
}
