//! Judges a value that only its name makes a secret: here most of the false
//! alarms of secret scanners are made or avoided.

use super::{MatchFilter, placeholder, shape, weak_password, words};
use crate::decode::base64;
use crate::detect::name::Family;
use crate::entropy::shannon;

/// Shortest password that is reported.
const PASSWORD_BYTES_MIN: usize = 5;
/// Shortest secret, token or key that a machine made.
const SECRET_BYTES_MIN: usize = 10;
/// Shortest value of a name that says no more than `key`.
const WEAK_BYTES_MIN: usize = 20;
/// Longest word or number in a name that several make up.
const PART_BYTES_MAX: usize = 8;
/// Longest password.
const PASSWORD_BYTES_MAX: usize = 128;
/// Surprise of letters above which they are noise, in bits.
pub(super) const NOISE_BITS: f32 = 4.55;

/// A value in its context.
pub(crate) struct FilterSubject<'a> {
    pub(crate) value: &'a [u8],
    pub(crate) name: &'a [u8],
    pub(crate) family: Family,
    /// In quotes, so that its end is certain.
    pub(crate) quoted: bool,
    /// Part of an expression in code.
    pub(crate) expression: bool,
    /// In a file whose values are what they say (not a document).
    pub(crate) settings: bool,
    /// In a file or a connection string that is there to hold credentials: a
    /// word may be the password.
    pub(crate) credentials: bool,
}

impl FilterSubject<'_> {
    /// Where passwords are kept, words with a number between them are one.
    fn is_login(&self) -> bool {
        let digits = self.value.iter().filter(|byte| byte.is_ascii_digit());
        self.credentials && self.family == Family::Password && digits.count() >= 2
    }
}

/// Why the value is no secret, or nothing.
pub(crate) fn judge(subject: &FilterSubject<'_>) -> Option<MatchFilter> {
    let value = subject.value;
    if subject.family == Family::Weak && is_encoded_login(value) {
        return None;
    }
    if let Some(filter) = length(subject) {
        return Some(filter);
    }
    if shape::is_template(value) {
        return Some(MatchFilter::Template);
    }
    if subject.expression || (!subject.quoted && shape::is_expression(value)) {
        return Some(MatchFilter::Expression);
    }
    if placeholder::is_filler(value) || (placeholder::is_stand_in(value) && !shape::is_dense(value))
    {
        return Some(MatchFilter::Placeholder);
    }
    if weak_password::encodes_stand_in(value) {
        return Some(MatchFilter::Placeholder);
    }
    if placeholder::echoes(value, subject.name) {
        return Some(MatchFilter::Echo);
    }
    let form = shape::of(value, subject.family)
        .filter(|form| *form != MatchFilter::Identifier || !subject.is_login());
    form.or_else(|| match subject.family {
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

fn length(subject: &FilterSubject<'_>) -> Option<MatchFilter> {
    let (least, most) = match subject.family {
        Family::Password => (PASSWORD_BYTES_MIN, PASSWORD_BYTES_MAX),
        Family::Secret => (SECRET_BYTES_MIN, usize::MAX),
        Family::Weak => (WEAK_BYTES_MIN, usize::MAX),
    };
    let length = subject.value.len();
    (length < least || length > most).then_some(MatchFilter::Length)
}

/// People's passwords: anything that is not plainly words.
fn password(subject: &FilterSubject<'_>) -> Option<MatchFilter> {
    let value = subject.value;
    if value.iter().any(u8::is_ascii_whitespace) || words::is_contraction(value) {
        return Some(MatchFilter::Words);
    }
    if is_stored(value) {
        return Some(MatchFilter::Hash);
    }
    if placeholder::is_counted(value) && !subject.credentials {
        return Some(MatchFilter::Placeholder);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let signs = value
        .iter()
        .filter(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.'))
        .count();
    if words::reads(value) {
        // `Summer2019` is a password, `password1` and `db-user` are not.
        let word = subject.credentials && !value.contains(&b'|');
        let human = (digits >= 2 || word) && !placeholder::is_test_word(value);
        return (!human).then_some(MatchFilter::Words);
    }
    if digits == 0 && signs == 0 && !subject.credentials {
        let noise = words::surprise(value).is_some_and(|bits| bits >= NOISE_BITS)
            || words::is_jumbled(value);
        return (!noise || value.len() < 6).then_some(MatchFilter::Words);
    }
    (!subject.settings && !subject.quoted && digits == 0).then_some(MatchFilter::Words)
}

/// Whether a value is what is stored of a password: a hash with its salt, each in base64 with its padding, or what RSA
/// encrypted, which is as long as its key.
fn is_stored(value: &[u8]) -> bool {
    const RSA_BYTES: [usize; 4] = [64, 128, 256, 512];
    if value.len() < 40
        || !value
            .iter()
            .all(|byte| base64::is_digit(*byte) || *byte == b'=')
    {
        return false;
    }
    let mut parts = value
        .split(|byte| *byte == b'=')
        .filter(|part| !part.is_empty());
    let (first, second) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    second.len() >= 10 || RSA_BYTES.contains(&(first.len() * 3 / 4))
}

/// The seed of one-time passwords: base 32 of 80 bits or more.
fn is_seed(value: &[u8]) -> bool {
    let is_digit = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'2'..=b'7');
    value.len() >= 16 && value.iter().all(is_digit) && !words::reads(value) && shannon(value) >= 2.7
}

/// Whether short words and a row that counts are all that is there: `sk-prod-abc123`.
fn is_counted_name(value: &[u8]) -> bool {
    let mut parts = value.rsplit(|byte| matches!(byte, b'-' | b'_'));
    let is_word =
        |part: &[u8]| part.len() <= PART_BYTES_MAX && part.iter().all(u8::is_ascii_lowercase);
    parts.next().is_some_and(placeholder::is_sequence) && parts.all(is_word)
}

/// Whether a value is the path of a key in a cache: words and numbers between colons.
fn is_key_path(value: &[u8]) -> bool {
    let is_part = |part: &[u8]| {
        let is_pure =
            part.iter().all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_digit);
        is_pure && part.len() <= PART_BYTES_MAX
    };
    value.contains(&b':') && value.split(|byte| *byte == b':').all(is_part)
}

/// What a machine made: letters and digits, or letters that are noise.
fn secret(value: &[u8]) -> Option<MatchFilter> {
    if is_counted_name(value) {
        return Some(MatchFilter::Placeholder);
    }
    if is_key_path(value) {
        return Some(MatchFilter::Identifier);
    }
    let digits = value.iter().any(u8::is_ascii_digit);
    let noise = words::surprise(value).is_none_or(|bits| bits >= NOISE_BITS) || is_seed(value);
    // A machine does not make a short row of small letters.
    let name = !digits && value.len() < 16 && value.iter().all(u8::is_ascii_lowercase);
    if words::reads(value) || !(digits || noise) || name {
        return Some(MatchFilter::Words);
    }
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    let least = if value.len() < 20 || hex { 2.7 } else { 3.1 };
    (shannon(value) < least).then_some(MatchFilter::LowEntropy)
}

/// Under a weak name only noise counts.
fn weak(value: &[u8]) -> Option<MatchFilter> {
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    // A list of keys, as editors have it, is none.
    let is_list = value.iter().filter(|byte| **byte == b',').count() > 1 && !shape::is_dense(value);
    if digits < 2 || letters < 4 || is_list || words::reads(value) {
        return Some(MatchFilter::Words);
    }
    let hex = value.iter().all(u8::is_ascii_hexdigit);
    (shannon(value) < if hex { 3.0 } else { 3.3 }).then_some(MatchFilter::LowEntropy)
}
