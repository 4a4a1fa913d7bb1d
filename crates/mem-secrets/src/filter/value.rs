//! Judges a value that only its name makes a secret: here most of the false
//! alarms of secret scanners are made or avoided.

use super::{Filter, placeholder, shape, words};
use crate::decode::base64;
use crate::detect::name::Family;
use crate::entropy::shannon;

/// Shortest password that is reported.
const PASSWORD_BYTES_MIN: usize = 5;
/// Shortest secret, token or key that a machine made.
const SECRET_BYTES_MIN: usize = 10;
/// Shortest value of a name that says no more than `key`.
const WEAK_BYTES_MIN: usize = 20;
/// Longest password.
const PASSWORD_BYTES_MAX: usize = 128;
/// Surprise of letters above which they are noise, in bits.
const NOISE_BITS: f32 = 4.55;

/// A value in its context.
pub(crate) struct Subject<'a> {
    pub(crate) value: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) family: Family,
    /// In quotes, so that its end is certain.
    pub(crate) quoted: bool,
    /// Part of an expression in code.
    pub(crate) expression: bool,
    /// In a file whose values are what they say (not a document).
    pub(crate) settings: bool,
}

/// Why the value is no secret, or nothing.
pub(crate) fn judge(subject: &Subject<'_>) -> Option<Filter> {
    let value = subject.value;
    if subject.family == Family::Weak && is_encoded_login(value) {
        return None;
    }
    if let Some(filter) = length(subject) {
        return Some(filter);
    }
    if shape::is_template(value) {
        return Some(Filter::Template);
    }
    if subject.expression || (!subject.quoted && shape::is_expression(value)) {
        return Some(Filter::Expression);
    }
    if placeholder::is_filler(value) || (placeholder::is_stand_in(value) && !shape::is_dense(value))
    {
        return Some(Filter::Placeholder);
    }
    if placeholder::echoes(value, subject.name) {
        return Some(Filter::Echo);
    }
    shape::of(value, subject.family).or_else(|| match subject.family {
        Family::Password => password(subject),
        Family::Secret => secret(value),
        Family::Weak => weak(value),
    })
}

/// `"auth": "..."` as Docker and npm write it: the base64 of `user:password`.
fn is_encoded_login(value: &[u8]) -> bool {
    if value.len() < 12
        || !value
            .iter()
            .all(|byte| base64::is_digit(*byte) || *byte == b'=')
    {
        return false;
    }
    let login = base64::decode(value).unwrap_or_default();
    let colon = login.iter().position(|byte| *byte == b':');
    let text = login.iter().all(u8::is_ascii_graphic);
    text && colon.is_some_and(|colon| colon > 1 && login.len() > colon + 4)
}

fn length(subject: &Subject<'_>) -> Option<Filter> {
    let (least, most) = match subject.family {
        Family::Password => (PASSWORD_BYTES_MIN, PASSWORD_BYTES_MAX),
        Family::Secret => (SECRET_BYTES_MIN, usize::MAX),
        Family::Weak => (WEAK_BYTES_MIN, usize::MAX),
    };
    let length = subject.value.len();
    (length < least || length > most).then_some(Filter::Length)
}

/// People's passwords: anything that is not plainly words.
fn password(subject: &Subject<'_>) -> Option<Filter> {
    let value = subject.value;
    if value.iter().any(u8::is_ascii_whitespace) {
        return Some(Filter::Words);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let signs = value
        .iter()
        .filter(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.'))
        .count();
    if words::reads(value) {
        // `Summer2019!` is a password, `password1` and `db-user` are not.
        let human = digits >= 2 && signs >= 1 && !placeholder::is_test_word(value);
        return (!human).then_some(Filter::Words);
    }
    if digits == 0 && signs == 0 {
        let noise = words::surprise(value).is_some_and(|bits| bits >= NOISE_BITS);
        return (!noise || value.len() < 6).then_some(Filter::Words);
    }
    (!subject.settings && !subject.quoted && digits == 0).then_some(Filter::Words)
}

/// What a machine made: letters and digits, or letters that are noise.
fn secret(value: &[u8]) -> Option<Filter> {
    let digits = value.iter().any(u8::is_ascii_digit);
    let noise = words::surprise(value).is_none_or(|bits| bits >= NOISE_BITS);
    if words::reads(value) || !(digits || noise) {
        return Some(Filter::Words);
    }
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    let least = if value.len() < 20 || hex { 2.7 } else { 3.1 };
    (shannon(value) < least).then_some(Filter::LowEntropy)
}

/// Under a weak name only noise counts.
fn weak(value: &[u8]) -> Option<Filter> {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    if digits < 2 || letters < 4 || words::reads(value) {
        return Some(Filter::Words);
    }
    (shannon(value) < 3.3).then_some(Filter::LowEntropy)
}

/// Whether a value is filled in later or is nothing but a row of signs.
pub(crate) fn is_open(value: &[u8]) -> bool {
    shape::is_template(value) || placeholder::is_filler(value)
}

/// Whether a value says that it is not the real one.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    value.is_empty() || placeholder::is_stand_in(value)
}

/// A bearer token or the value of an API key header.
pub(crate) fn judge_bearer(value: &[u8]) -> Option<Filter> {
    if value.len() < 10 {
        return Some(Filter::Length);
    }
    if is_open(value) {
        return Some(Filter::Template);
    }
    if shape::is_expression(value) && !value.starts_with(b"ey") {
        return Some(Filter::Expression);
    }
    if placeholder::is_stand_in(value) {
        return Some(Filter::Placeholder);
    }
    let digits = value.iter().any(u8::is_ascii_digit);
    let noise = words::surprise(value).is_none_or(|bits| bits >= NOISE_BITS);
    if words::reads(value) || !(digits || noise) || !value.is_ascii() {
        return Some(Filter::Words);
    }
    (shannon(value) < 2.8).then_some(Filter::LowEntropy)
}

/// The password of `user:password` in a command line.
pub(crate) fn judge_login(user: &[u8], value: &[u8]) -> Option<Filter> {
    if value.len() < 4 || value == user && value.len() < 8 {
        return Some(Filter::Length);
    }
    if is_open(value) || shape::is_template(user) || user.starts_with(b"<") {
        return Some(Filter::Template);
    }
    let digits = value.iter().any(u8::is_ascii_digit);
    if WEAK_LOGINS.contains(&value.to_ascii_lowercase().as_slice()) {
        return Some(Filter::Placeholder);
    }
    if !digits && words::reads(value) {
        return Some(Filter::Words);
    }
    value
        .iter()
        .all(u8::is_ascii_punctuation)
        .then_some(Filter::Placeholder)
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
];

/// A password in a URL.
pub(crate) fn judge_url(user: &[u8], value: &[u8], host: &[u8]) -> Option<Filter> {
    let lower = value.to_ascii_lowercase();
    if value.len() < 3 || value.len() > 200 {
        return Some(Filter::Length);
    }
    if is_open(value) || shape::is_template(user) || value.ends_with(b"]") {
        return Some(Filter::Template);
    }
    if WEAK_LOGINS.contains(&lower.as_slice())
        || placeholder::is_stand_in(value)
        || lower == user.to_ascii_lowercase()
    {
        return Some(Filter::Placeholder);
    }
    let documented = [
        b"example.com".as_slice(),
        b"example.org",
        b"example.net",
        b"domain.com",
    ];
    let bare = [b"host".as_slice(), b"hostname"].contains(&host);
    if (bare || documented.iter().any(|name| host.ends_with(name)))
        && (value.len() < 8 || words::reads(value))
    {
        return Some(Filter::Placeholder);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let signs = value
        .iter()
        .filter(|byte| byte.is_ascii_punctuation())
        .count();
    if words::reads(value) && (digits + signs < 2 || placeholder::is_test_word(value)) {
        return Some(Filter::Words);
    }
    if !value.iter().any(u8::is_ascii_alphanumeric)
        || value.iter().any(|b| matches!(b, b'(' | b')' | b'{'))
    {
        return Some(Filter::Template);
    }
    (digits == value.len() && value.len() < 6).then_some(Filter::Number)
}

/// A field of a file that holds nothing but credentials: even words count.
pub(crate) fn judge_record(value: &[u8]) -> Option<Filter> {
    if value.len() < 3 {
        return Some(Filter::Length);
    }
    if is_open(value) {
        return Some(Filter::Template);
    }
    let lower = value.to_ascii_lowercase();
    let stand_in = [
        b"password".as_slice(),
        b"secret",
        b"changeme",
        b"your_password",
        b"yourpassword",
        b"xxx",
    ];
    stand_in
        .contains(&lower.as_slice())
        .then_some(Filter::Placeholder)
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
pub(crate) fn judge_prose(value: &[u8], document: bool) -> Option<Filter> {
    if value.len() < 6 || value.len() > 64 {
        return Some(Filter::Length);
    }
    if is_open(value) || value.contains(&b'(') {
        return Some(Filter::Template);
    }
    if !value.is_ascii() || placeholder::is_stand_in(value) {
        return Some(Filter::Placeholder);
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
        return Some(Filter::Number);
    }
    let strong = digits >= 1 && letters >= 1 && (!reads || digits + signs >= 3);
    let least = if document { 0 } else { 1 };
    if !strong
        || (signs == 0 && digits < 2 && least > 0)
        || (reads && placeholder::is_test_word(value))
    {
        return Some(Filter::Words);
    }
    None
}
