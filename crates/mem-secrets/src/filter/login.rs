//! Judges what stands in a place for credentials: a header, a URL, a command,
//! a record of a credential file, a sentence.

use super::value::NOISE_BITS;
use super::{MatchFilter, placeholder, shape, words};
use crate::detect::name::Family;
use crate::entropy::shannon;

/// Whether a value is filled in later or is nothing but a row of signs.
pub(crate) fn is_open(value: &[u8]) -> bool {
    shape::is_template(value) || placeholder::is_filler(value)
}

/// Whether a value says that it is not the real one.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    value.is_empty() || placeholder::is_stand_in(value)
}

/// A bearer token or the value of an API key header.
pub(crate) fn judge_bearer(value: &[u8]) -> Option<MatchFilter> {
    if value.len() < 10 {
        return Some(MatchFilter::Length);
    }
    if is_open(value) {
        return Some(MatchFilter::Template);
    }
    if shape::is_publishable(value) {
        return Some(MatchFilter::Public);
    }
    if shape::is_expression(value) && !value.starts_with(b"ey") {
        return Some(MatchFilter::Expression);
    }
    if placeholder::is_stand_in(value) {
        return Some(MatchFilter::Placeholder);
    }
    let digits = value.iter().any(u8::is_ascii_digit);
    let noise = words::surprise(value).is_none_or(|bits| bits >= NOISE_BITS);
    // A machine does not make a short row of small letters: `Token abgelaufen`.
    let is_word = !digits && value.len() < 16 && value.iter().all(u8::is_ascii_lowercase);
    if words::reads(value) || is_word || !(digits || noise) || !value.is_ascii() {
        return Some(MatchFilter::Words);
    }
    (shannon(value) < 2.8).then_some(MatchFilter::LowEntropy)
}

/// The password of `user:password` in a command line.
pub(crate) fn judge_login(user: &[u8], value: &[u8]) -> Option<MatchFilter> {
    if value.len() < 4 || value == user && value.len() < 8 {
        return Some(MatchFilter::Length);
    }
    let (user, value) = (unwrapped(user), unwrapped(value));
    if is_open(value) || shape::is_template(user) || user.starts_with(b"<") {
        return Some(MatchFilter::Template);
    }
    // Ports, addresses: `-p 27017:27017`.
    let is_place = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'/');
    if value.iter().all(is_place) && !value.iter().all(u8::is_ascii_digit) {
        return Some(MatchFilter::Number);
    }
    let digits = value.iter().any(u8::is_ascii_digit);
    let lower = value.to_ascii_lowercase();
    if WEAK_LOGINS.contains(&lower.as_slice()) || placeholder::is_whole(&lower) {
        return Some(MatchFilter::Placeholder);
    }
    // Words in another script are those of a manual or a surface: nobody types them into a terminal.
    let is_foreign = !value.iter().any(u8::is_ascii_graphic);
    if !digits && words::reads(value) || is_foreign {
        return Some(MatchFilter::Words);
    }
    value
        .iter()
        .all(u8::is_ascii_punctuation)
        .then_some(MatchFilter::Placeholder)
}

/// What stands in one pair of braces, where it is no name of a variable.
fn unwrapped(value: &[u8]) -> &[u8] {
    let inner = value
        .strip_prefix(b"{")
        .and_then(|inner| inner.strip_suffix(b"}"));
    let noise = |inner: &&[u8]| {
        inner.len() >= 10
            && inner.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
            && inner
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || *b == b'-')
            && !words::reads(inner)
    };
    inner.filter(noise).unwrap_or(value)
}

/// Passwords that every manual prints.
const WEAK_LOGINS: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"pass",
    b"secret",
    b"token",
    b"admin",
    b"root",
    b"test",
    b"guest",
    b"user",
    b"changeme",
    b"xxx",
    b"yyy",
    b"xxxx",
    b"123",
    b"1234",
    b"12345",
    b"123456",
    b"pwd",
    b"example",
    b"passw0rd",
    b"password1",
    b"password123",
    b"hunter2",
    b"postgres",
    b"mysql",
    b"pw",
    b"foo",
    b"bar",
    b"abc",
    b"abc123",
    b"x-oauth-basic",
    b"p4ssw0rd",
    b"api_token",
    b"p@ssw0rd",
    b"p@ssword",
    b"your_password",
    b"yourpassword",
    b"my_password",
    b"mypassword",
    b"submit",
];

/// A field of a file that holds nothing but credentials: even words count.
pub(crate) fn judge_record(value: &[u8]) -> Option<MatchFilter> {
    if value.len() < 3 {
        return Some(MatchFilter::Length);
    }
    let outer = |byte: &u8| matches!(byte, b'"' | b'\'' | b'{' | b'<');
    if is_open(value) || (outer(&value[0]) && is_open(&value[1..])) {
        return Some(MatchFilter::Template);
    }
    let start = value.iter().position(|byte| !outer(byte)).unwrap_or(0);
    let end = value
        .iter()
        .rposition(|byte| !outer(byte))
        .map_or(0, |at| at + 1);
    let lower = value[start..end.max(start)].to_ascii_lowercase();
    let stand_in = [
        b"password".as_slice(),
        b"secret",
        b"changeme",
        b"your_password",
        b"yourpassword",
        b"pass",
        b"xxx",
    ];
    stand_in
        .contains(&lower.as_slice())
        .then_some(MatchFilter::Placeholder)
}

/// The same for an entry that stands in a document: a row of keys is one of an example.
pub(crate) fn judge_record_in_text(value: &[u8]) -> Option<MatchFilter> {
    let is_row = || placeholder::is_regular(&value.to_ascii_lowercase());
    judge_record(value).or_else(|| is_row().then_some(MatchFilter::Placeholder))
}

/// Whether a word by itself looks like a password: letters, digits and signs.
pub(crate) fn is_strong(value: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| value.iter().any(class);
    let signs = value.iter().any(|byte| {
        byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'_' | b'.' | b'/' | b':')
    });
    has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && (signs || (value.len() >= 8 && !words::reads(value)))
}

/// A value in a sentence: it has to look like a password by itself.
pub(crate) fn judge_prose(value: &[u8], document: bool) -> Option<MatchFilter> {
    if value.len() < 6 || value.len() > 64 {
        return Some(MatchFilter::Length);
    }
    let is_flag = value[0] == b'-';
    let is_member = value.contains(&b'[') && value.ends_with(b"]");
    let is_code = is_member || value.iter().any(|byte| matches!(byte, b'(' | b'|'));
    if is_flag || is_open(value) || is_code {
        return Some(MatchFilter::Template);
    }
    if !value.is_ascii() || placeholder::is_stand_in(value) || placeholder::is_counted(value) {
        return Some(MatchFilter::Placeholder);
    }
    if let Some(filter) = shape::of(value, Family::Secret) {
        return Some(filter);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    let signs = value.len() - digits - letters;
    let reads = words::reads(value);
    let number = value[0].is_ascii_digit() && (letters <= 3 || value.starts_with(b"0x"));
    if number {
        return Some(MatchFilter::Number);
    }
    let strong = digits >= 1 && letters >= 1 && (!reads || digits + signs >= 3);
    let least = if document { 0 } else { 1 };
    if !strong
        || (signs == 0 && digits < 2 && least > 0)
        || (reads && placeholder::is_test_word(value))
    {
        return Some(MatchFilter::Words);
    }
    None
}
