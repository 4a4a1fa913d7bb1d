//! The values of a Kubernetes `Secret`: base64 under `data`, plain text under
//! `stringData`, whichever of the two and of `kind` comes first, in YAML and in JSON.

use std::ops::Range;

use super::line::{indent, is_quote, white};
use super::name;
use crate::candidate::Rank;
use crate::decode::base64;
use crate::filter::{MatchFilter, login as judge, words};
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;

/// How far from `kind: Secret` a document is read.
const DOCUMENT_BYTES_MAX: usize = 64 << 10;
/// Base64 digits of the shortest value that is reported.
const VALUE_BYTES_MIN: usize = 10;

/// At `kind: Secret`: every value of the document around it.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    if hit.start < done || !is_kind_secret(bytes, hit) {
        return done;
    }
    if bytes[hit.start] == b'"'
        && let Some(object) = object(bytes, hit.start)
    {
        let end = object.end;
        mapping(pass, rule, object, None);
        return end;
    }
    let document = document(bytes, hit.start);
    let mut section = None;
    // What stands deeper than the first entry of a section is the text of a block.
    let mut column = None;
    let mut at = document.start;
    while at < document.end {
        let end = memchr::memchr(b'\n', &bytes[at..document.end]).map_or(document.end, |n| at + n);
        let line = &bytes[at..end];
        let text = line.trim_ascii();
        let indent = indent(line);
        let is_block = column.is_some_and(|column| indent > column);
        let brace = text.iter().position(|byte| *byte == b'{');
        let brace = brace.filter(|_| !is_block);
        let flow = brace.and_then(|brace| section_of(text[..brace].trim_ascii_end()));
        if let (Some(brace), Some(_)) = (brace, flow) {
            let start = at + indent + brace + 1;
            let inner = start..start + object_length(&bytes[start..document.end]);
            at = inner.end;
            mapping(pass, rule, inner, flow);
            continue;
        }
        if let Some(kind) = section_of(text).filter(|_| !is_block) {
            (section, column) = (Some((kind, indent)), None);
        } else if section.is_some_and(|(_, base)| !text.is_empty() && indent <= base) {
            (section, column) = (None, None);
        } else if let Some((encoded, _)) = section
            && !is_block
            && !text.is_empty()
            && !text.starts_with(b"#")
        {
            column = Some(indent);
            entry(pass, rule, at..end, document.end, encoded);
        }
        at = end + 1;
    }
    document.end
}

/// `kind: Secret` with any quotes, and nothing after it but the next entry or a comment.
fn is_kind_secret(bytes: &[u8], hit: KeywordHit) -> bool {
    const KIND: &[u8] = b"secret";
    let is_outer = |byte: &&u8| is_quote(**byte) || matches!(byte, b' ' | b'\t');
    let rest = &bytes[hit.end..bytes.len().min(hit.end + 24)];
    let start = rest.iter().take_while(is_outer).count();
    let (word, rest) = rest[start..].split_at(KIND.len().min(rest.len() - start));
    let after = rest.iter().find(|byte| !is_outer(byte));
    word.eq_ignore_ascii_case(KIND)
        && matches!(after, None | Some(b'\n' | b'\r' | b',' | b'}' | b'#'))
}

/// What is between the braces of the JSON object with an entry at `at`.
fn object(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let from = at.saturating_sub(DOCUMENT_BYTES_MAX);
    let mut depth = 0;
    let open = bytes[from..at].iter().rposition(|byte| {
        depth += i32::from(*byte == b'{') - i32::from(*byte == b'}');
        depth > 0
    })?;
    let start = from + open + 1;
    Some(start..start + object_length(&bytes[start..bytes.len().min(start + DOCUMENT_BYTES_MAX)]))
}

/// How long the rest of an object is, up to the brace that closes it.
fn object_length(text: &[u8]) -> usize {
    let mut depth = 0;
    let closes = |byte: &u8| {
        depth += i32::from(*byte == b'}') - i32::from(*byte == b'{');
        depth > 0
    };
    text.iter().position(closes).unwrap_or(text.len())
}

/// How long a string is with its quotes; one behind a backslash does not end it.
fn string_length(text: &[u8], quote: u8) -> usize {
    let mut is_escaped = false;
    let ends = |byte: &u8| {
        let is_end = *byte == quote && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    };
    let end = text[1..].iter().position(ends);
    end.map_or(text.len(), |length| length + 2)
}

/// Judges the entries between the braces of a section, or those of all sections of an object.
fn mapping(pass: &mut Pass<'_>, rule: &'static Rule, span: Range<usize>, section: Option<bool>) {
    let bytes = pass.bytes;
    let mut at = span.start;
    while let Some(colon) = memchr::memchr(b':', &bytes[at..span.end]) {
        // An element of a list has no name, and is an object of its own.
        let is_lead = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'}');
        let lead = bytes[at..span.end].iter().take_while(is_lead).count();
        if bytes.get(at + lead) == Some(&b'{') {
            let inner = (at + lead + 1).min(span.end);
            at = inner + object_length(&bytes[inner..span.end]);
            continue;
        }
        let colon = at + colon;
        let is_comma = |byte: &u8| *byte == b',';
        let comma = bytes[at..colon].iter().position(is_comma);
        at += comma.map_or(0, |comma| comma + 1);
        let name = &bytes[trimmed(bytes, at..colon)];
        let value = (colon + 1 + white(bytes, colon + 1)).min(span.end);
        let rest = &bytes[value..span.end];
        let end = match rest.first() {
            Some(b'{') => 1 + object_length(&rest[1..]),
            Some(quote) if is_quote(*quote) => string_length(rest, *quote),
            _ => rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'\n'))
                .unwrap_or(rest.len()),
        };
        if rest.starts_with(b"{") {
            let inner = value + 1..value + end;
            let kind = section_of(&[name, b":"].concat()).filter(|_| section.is_none());
            if kind.is_some() {
                mapping(pass, rule, inner, kind);
            }
        } else if let Some(encoded) = section {
            judge_entry(
                pass,
                rule,
                name,
                trimmed(bytes, value..value + end),
                encoded,
            );
        }
        at = value + end;
    }
}

/// The YAML document around `at`.
fn document(bytes: &[u8], at: usize) -> Range<usize> {
    let from = at.saturating_sub(DOCUMENT_BYTES_MAX);
    let to = bytes.len().min(at + DOCUMENT_BYTES_MAX);
    let start =
        memchr::memmem::rfind(&bytes[from..at], b"\n---").map_or(from, |found| from + found + 4);
    let end = memchr::memmem::find(&bytes[at..to], b"\n---").map_or(to, |found| at + found);
    start..end
}

/// Whether a line opens `data` (true) or `stringData` (false).
fn section_of(text: &[u8]) -> Option<bool> {
    match text {
        b"data:" => Some(true),
        b"stringData:" => Some(false),
        _ => None,
    }
}

/// Judges one `name: value` line, or the block that it opens.
fn entry(pass: &mut Pass<'_>, rule: &'static Rule, line: Range<usize>, end: usize, encoded: bool) {
    let bytes = pass.bytes;
    let text = &bytes[line.clone()];
    let Some(colon) = text.iter().position(|byte| *byte == b':') else {
        return;
    };
    let mut span = scalar(bytes, line.start + colon + 1..line.end);
    if matches!(&bytes[span.clone()], b"|" | b">" | b"|-" | b">-") {
        let next = (line.end + 1).min(end);
        let stop = memchr::memchr(b'\n', &bytes[next..end]).map_or(end, |n| next + n);
        span = trimmed(bytes, next..stop);
        // A document inside the Secret, which stands there as it is, for all rules.
        let after = bytes[stop..end].split(|byte| *byte == b'\n').nth(1);
        if !encoded && after.is_some_and(|line| indent(line) > indent(text)) {
            return;
        }
    }
    judge_entry(pass, rule, text[..colon].trim_ascii(), span, encoded);
}

fn judge_entry(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    name: &[u8],
    span: Range<usize>,
    encoded: bool,
) {
    let value = &pass.bytes[span.clone()];
    let text = match encoded {
        true => base64::decode(value).unwrap_or_default(),
        false => value.to_vec(),
    };
    let filter = if is_place_name(name) || is_plain_url(name, &text) {
        Some(MatchFilter::Name)
    } else if encoded {
        encoded_filter(value)
    } else {
        plain_filter(value)
    };
    match filter {
        Some(filter) => pass.reject(rule, span, filter),
        // `POSTGRES_DB: artstore`
        None if !promises_secret(name) && is_wording(&text) => {
            pass.accept(rule, Rank::Formed, span, Confidence::Low);
        }
        None => pass.accept(rule, Rank::Formed, span, Confidence::High),
    }
}

/// Whether any part of a name is a word for secrets: `postgres-password-replica`, `rootpw`.
fn promises_secret(name: &[u8]) -> bool {
    const PARTS: [&[u8]; 7] = [
        b"auth", b"cred", b"key", b"pass", b"pw", b"secret", b"token",
    ];
    let lower = name.to_ascii_lowercase();
    let is_in = |part: &&[u8]| memchr::memmem::find(&lower, part).is_some();
    name::family(name).is_some() || PARTS.iter().any(is_in)
}

fn encoded_filter(value: &[u8]) -> Option<MatchFilter> {
    if value.len() < VALUE_BYTES_MIN {
        return Some(MatchFilter::Length);
    }
    if judge::is_open(value)
        || !value
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    {
        return Some(MatchFilter::Template);
    }
    let decoded = base64::decode(value).unwrap_or_default();
    if decoded.starts_with(b"-----BEGIN CERTIFICATE") {
        return Some(MatchFilter::Public);
    }
    let open = decoded.starts_with(b"{{") || decoded.starts_with(b"${");
    open.then_some(MatchFilter::Template)
}

/// Whether a name says where something is, or who somebody is: a Secret holds that beside the password.
fn is_place_name(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: &[&[u8]] = &[
        b"host", b"hostname", b"port", b"server", b"endpoint", b"region", b"bucket", b"database", b"dbname", b"namespace",
        b"type", b"ca.crt", b"tls.crt", b"domain", b"realm", b"issuer", b"url-host", b"username", b"user", b"login",
        b"email",
    ];
    let last = name
        .rsplit(|byte| matches!(byte, b'_' | b'-'))
        .next()
        .unwrap_or_default();
    NAMES
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known) || last.eq_ignore_ascii_case(known))
}

/// Whether an entry is an address that nobody logs in by: neither a login is in it, nor a path or query that is noise.
fn is_plain_url(name: &[u8], value: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    let text = value.trim_ascii();
    let rest = memchr::memmem::find(text, b"://").map_or(text, |at| &text[at + 3..]);
    let is_open = |part: &[u8]| part.len() < 12 || words::reads(part);
    (lower.ends_with(b"url") || lower.ends_with(b"uri"))
        && !rest.iter().any(|byte| matches!(byte, b'@' | b'?' | b'='))
        && rest.split(|byte| *byte == b'/').skip(1).all(is_open)
}

fn plain_filter(value: &[u8]) -> Option<MatchFilter> {
    if value.len() < 6 || judge::is_open(value) {
        return Some(MatchFilter::Template);
    }
    judge::is_stand_in(value).then_some(MatchFilter::Placeholder)
}

/// Whether a text consists of words.
fn is_wording(text: &[u8]) -> bool {
    let is_part =
        |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'-' | b'_' | b'.' | b',');
    text.trim_ascii().iter().all(is_part) && words::reads(text)
}

/// The scalar after a colon: what quotes enclose, or what is before a comment.
fn scalar(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let text = &bytes[span.clone()];
    let head = text.len() - text.trim_ascii_start().len();
    let end = match text.get(head) {
        Some(quote @ (b'"' | b'\'')) => {
            let closes = |pair: &[u8]| pair[0] != b'\\' && pair[1] == *quote;
            let close = text[head..].windows(2).position(closes);
            close.map(|close| head + close + 1)
        }
        _ => memchr::memmem::find(text, b" #"),
    };
    trimmed(
        bytes,
        span.start..end.map_or(span.end, |end| span.start + end),
    )
}

fn trimmed(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let outer = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'');
    let text = &bytes[span.clone()];
    let head = text.iter().take_while(|byte| outer(byte)).count();
    let tail = text[head..]
        .iter()
        .rev()
        .take_while(|byte| outer(byte))
        .count();
    span.start + head..span.end - tail
}
