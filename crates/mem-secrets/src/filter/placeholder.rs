//! Values that stand where a secret will be.

use super::words;

/// Whatever contains one of these is no secret.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "example", "changeme", "change_me", "change-me", "changeit", "your", "placeholder", "dummy",
    "redacted", "insert", "replace", "todo", "fixme", "sample", "xxxx", "****", "...", "enter_",
    "my_secret", "mysecret", "my-secret", "mypassword", "my_password", "my-password", "not_set",
    "notset", "no_password", "nopassword", "secret_key", "secretkey", "secret-key", "api_key",
    "apikey", "api-key", "access_token", "accesstoken", "topsecret", "top-secret", "top_secret",
    "fake", "mock", "foobar", "foo_", "lorem", "-here",
    "_here", "<", "hidden", "masked", "removed", "deleted", 
    "unknown", "invalid", "wrong", "incorrect", "supersecret", "super-secret",
    "super_secret", "notasecret", "not-a-secret", "not_a_secret",
    "testkey", "test_key", "test-key", "testtoken", "test_token", "test-token", "testpass",
    "token_value", "bogus", "some-", "some_", 
];

/// Rows of keys and words in disguise: what manuals print, and what people choose all the same.
#[rustfmt::skip]
const WEAK: &[&str] = &[
    "123456", "abcdef", "qwerty", "asdf", "passw0rd", "pa55w", "p@ss", "aaaa", "0000000", "s3cr3t",
    "s3cret", "secr3t", "deadbeef", "a1b2c3", "1a2b3c", "--",
];

/// Whole values that mean nothing or everything.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "none", "null", "nil", "undefined", "true", "false", "empty", "default", "password", "passwd",
    "pass", "secret", "token", "admin", "root", "test", "user", "guest", "string", "value",
    "required", "optional", "prompt", "yes", "off", "disabled", "enabled", "letmein", "welcome",
    "toor", "postgres", "mysql", "redis", "mongo", "oracle", "manager", "monitor", "nobody",
    "anonymous", "public", "private", "bearer", "basic", "foo", "bar", "baz", "hunter2", "tbd",
    "environ", "self", "this", "text", "hello", "world", "rails", "vagrant", "pwd", "homestead",
    "laravel", "symfony", "django", "application", "development", "production", "staging",
    "database", "username", "encrypted", "anything", "whatever", "something", "nothing", "blank",
    "webmaster", "raspberry", "ubuntu", "debian", "centos", "alpine", "localhost", "tiger",
];

/// Words that people put into passwords of tests and manuals.
#[rustfmt::skip]
const TEST_WORDS: &[&str] = &[
    "test", "pass", "secret", "admin", "user", "demo", "hello", "qwerty", "letmein", "welcome",
    "temp", "default", "root", "guest", "token", "key", "foo", "pwd",
];

/// The digits of a keyboard with the shift key held.
const SHIFTED_DIGITS: &[u8] = b"!@#$%^&*()";

/// Whether most of a value is one character again and again, as in a row of
/// `x`, `*`, `0` or dots.
pub(crate) fn is_filler(value: &[u8]) -> bool {
    let body = value
        .iter()
        .rposition(|byte| matches!(byte, b'_' | b'.' | b'~'));
    let body = body.map_or(value, |at| &value[at + 1..]);
    longest_run(value) >= 8.max(value.len() / 4)
        || (body.len() >= 8 && longest_run(body) * 2 > body.len())
}

/// Whether a value says that it is not the real one.
pub(crate) fn is_stand_in(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    is_regular(&lower)
        || is_whole(&lower)
        || contains_any(&lower, TELLING)
        || contains_any(&lower, WEAK)
}

/// Whether a value is a row of keys, counts, or uses two or three signs only.
pub(super) fn is_regular(lower: &[u8]) -> bool {
    let contains = |text: &[u8], part: &[u8]| memchr::memmem::find(text, part).is_some();
    let is_sign_row = || contains(lower, SHIFTED_DIGITS) || contains(SHIFTED_DIGITS, lower);
    distinct(lower) <= 3.min(lower.len().saturating_sub(1))
        || is_sequence(lower)
        || lower.iter().all(u8::is_ascii_punctuation) && is_sign_row()
}

fn contains_any(lower: &[u8], parts: &[&str]) -> bool {
    parts
        .iter()
        .any(|part| memchr::memmem::find(lower, part.as_bytes()).is_some())
}

/// Whether a value in lower case is a word that is nobody's password.
pub(super) fn is_whole(lower: &[u8]) -> bool {
    WHOLE.iter().any(|whole| lower == whole.as_bytes())
}

/// Whether a value carries a word that tests and manuals use.
pub(crate) fn is_test_word(value: &[u8]) -> bool {
    let lower = value.to_ascii_lowercase();
    let whole = |word: &str, at: usize| {
        let letter = |at: Option<&u8>| at.is_some_and(u8::is_ascii_lowercase);
        let before = at.checked_sub(1).and_then(|at| lower.get(at));
        !letter(before) && !letter(lower.get(at + word.len()))
    };
    TEST_WORDS.iter().any(|word| {
        // `foo` is one, the beginning of `football` is not.
        let found = memchr::memmem::find(&lower, word.as_bytes());
        found.is_some_and(|at| word.len() > 3 || whole(word, at))
    })
}

/// Whether a value is one short word and a row of digits that counts, as
/// people write it into tests and manuals: `toto1234`, `user123`.
pub(crate) fn is_counted(value: &[u8]) -> bool {
    let letters = value
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    let (word, count) = value.split_at(letters);
    let plain = word.iter().skip(1).all(u8::is_ascii_lowercase);
    (2..=12).contains(&letters)
        && (plain || words::reads(word))
        && (3..=6).contains(&count.len())
        && b"123456".starts_with(count)
}

/// Whether a value only repeats its name, or words of it.
pub(crate) fn echoes(value: &[u8], name: &[u8]) -> bool {
    let plain = |text: &[u8]| -> Vec<u8> {
        let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
        letters.map(u8::to_ascii_lowercase).collect()
    };
    let (value, name) = (plain(value), plain(name));
    value.len() >= 4
        && (memchr::memmem::find(&name, &value).is_some()
            || (name.len() >= 6
                && memchr::memmem::find(&value, &name).is_some()
                && words::reads(&value)))
}

/// Whether most bytes follow the one before in the alphabet or on the row of
/// digits.
pub(super) fn is_sequence(value: &[u8]) -> bool {
    let steps = |width: usize| {
        let pairs = value.windows(2 * width).step_by(width);
        pairs
            .filter(|pair| counts(&pair[..width], &pair[width..]))
            .count()
    };
    // Test vectors count in hexadecimal: `000102`, `001122`.
    let bytes = value.len() >= 16 && steps(2) * 2 * 3 >= value.len() * 2;
    (value.len() >= 6 && steps(1) * 3 >= value.len() * 2) || bytes
}

/// Whether `next` comes after `last`: a letter, a digit, or two hexadecimal
/// digits that are a byte.
fn counts(last: &[u8], next: &[u8]) -> bool {
    match (last, next) {
        // Down as well, as in `987654321`, where it is digits: words go down by chance.
        (&[last], &[next]) => {
            let is_down = last.is_ascii_digit() && last == next.wrapping_add(1);
            next == last.wrapping_add(1) || is_down
        }
        (&[a, b], &[c, d]) => {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            match (digit(a), digit(b), digit(c), digit(d)) {
                (Some(a), Some(b), Some(c), Some(d)) => {
                    let (last, next) = (16 * a + b, 16 * c + d);
                    next == last + 1 || next == last + 0x11 || last == next + 1
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn distinct(value: &[u8]) -> usize {
    let mut seen = [false; 256];
    value
        .iter()
        .for_each(|&byte| seen[usize::from(byte)] = true);
    seen.iter().filter(|&&seen| seen).count()
}

fn longest_run(value: &[u8]) -> usize {
    value
        .chunk_by(|a, b| a == b)
        .map(<[u8]>::len)
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_character() {
        assert!(is_filler(b"tok_xxxxxxxxxxxxxxxx"));
        assert!(is_filler(b"****************"));
        assert!(!is_filler(b"a8f3kq92kd83kf92"));
    }

    #[test]
    fn stand_ins() {
        for value in [
            "changeme",
            "your-token-here",
            "none",
            "abcdefgh1",
            "xxxxxx1",
            "12345678",
            "000102030405060708090a0b0c0d0e0f",
            "00112233445566778899AABBCCDDEEFF",
            "!@#$%^&*()",
        ] {
            assert!(is_stand_in(value.as_bytes()), "{value}");
        }
        assert!(!is_stand_in(b"t7Rk!9vQz"));
        assert!(!is_stand_in(b"]!:?&}/+("));
        assert!(is_counted(b"toto1234") && is_counted(b"MyWord123"));
        assert!(!is_counted(b"Darwin2017") && !is_counted(b"xKq9r123"));
    }

    #[test]
    fn echoes_of_the_name() {
        assert!(echoes(b"DB_PASSWORD", b"db_password"));
        assert!(echoes(b"password", b"db_password"));
        assert!(!echoes(b"kR8vbQ2", b"db_password"));
    }
}
