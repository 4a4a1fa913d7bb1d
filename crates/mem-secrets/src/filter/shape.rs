//! Values whose form says what they are: templates, expressions of code,
//! places, versions, digests, numbers.

use super::{MatchFilter, words};
use crate::detect::name::{self, Family};
use crate::entropy::shannon;

/// How values begin that are filled in later.
#[rustfmt::skip]
const TEMPLATE_STARTS: &[&[u8]] = &[
    b"$", b"{{", b"{%", b"#{", b"<%", b"%(", b"@{", b"@@", b"__", b"!vault", b"!Ref", b"!Sub",
    b"!secret", b"ENC[", b"vault:", b"env:", b"ENV[", b"secretsmanager:", b"ssm:", b"op://",
    b"arn:", b"ref:", b"file:", b"keyring:", b"[[", b"((", b"{", b"[", b"<", b"&", b"*", b"\\",
];
/// What such values contain.
#[rustfmt::skip]
const TEMPLATE_PARTS: &[&[u8]] = &[
    b"${", b"{{", b"}}", b"$(", b"#{", b"<%", b"%>", b"%{", b"process.env", b"os.environ",
    b"getenv", b"{0}", b"{1}", b"secrets.", b"System.get", b"$env:", b"env.", b"+ ", b" +",
];

/// Whether a value is a pattern rather than what it matches.
fn is_pattern(value: &[u8]) -> bool {
    let signs: &[&[u8]] = &[
        b"[a-z", b"[A-Z", b"[0-9", b"[^", b"{[", b"\\d", b"\\w", b"\\s", b"(?",
    ];
    let is_anchored = value.starts_with(b"^") && value.ends_with(b"$") && value.contains(&b'.');
    is_anchored
        || signs
            .iter()
            .any(|sign| memchr::memmem::find(value, sign).is_some())
}

/// Whether a value is filled in later.
pub(crate) fn is_template(value: &[u8]) -> bool {
    if is_pattern(value)
        || has_left_out(value)
        || value.starts_with(b"{{") && value.ends_with(b"}}")
    {
        return true;
    }
    if is_dense(value) && !words::reads(value) || value.starts_with(b"{AQAA") {
        return false;
    }
    if is_percent_encoded(value) {
        return true;
    }
    let percent = value.len() > 2 && value[0] == b'%' && (value.ends_with(b"%") || value.len() < 4);
    let braces = value.ends_with(b"}") && value.contains(&b'{');
    percent
        || is_between_strings(value)
        || braces
        || TEMPLATE_STARTS.iter().any(|start| value.starts_with(start))
        || TEMPLATE_PARTS
            .iter()
            .any(|part| memchr::memmem::find(value, part).is_some())
}

/// Whether a value is what joins two strings, of which the first one seemed to begin it: `", token: "+name+"`.
fn is_between_strings(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"+") else {
        return false;
    };
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let name = rest.iter().take_while(is_name).count();
    match rest.get(name) {
        Some(b'+') => rest.ends_with(b"+"),
        Some(byte) => name > 0 && matches!(byte, b',' | b'(' | b'[' | b')' | b';' | b'}'),
        None => false,
    }
}

/// Whether a word in brackets tells that a part was left out: `2d2d[STRIPPED]2d0a`.
fn has_left_out(value: &[u8]) -> bool {
    let mut parts = value.split(|byte| *byte == b'[').skip(1);
    parts.any(|part| {
        let length = part
            .iter()
            .take_while(|byte| byte.is_ascii_uppercase())
            .count();
        length > 3 && part.get(length) == Some(&b']')
    })
}

/// Whether a value shows how signs are encoded: `%3A%40c`.
pub(crate) fn is_percent_encoded(value: &[u8]) -> bool {
    let escape = |three: &&[u8]| {
        three[0] == b'%' && three[1].is_ascii_hexdigit() && three[2].is_ascii_hexdigit()
    };
    let escapes = value.windows(3).filter(escape).count();
    escapes > 0 && escapes * 3 * 2 > value.len()
}

/// Whether a value is long and full of signs of every kind, as generators of
/// framework secrets make them: then a brace in it means nothing.
pub(crate) fn is_dense(value: &[u8]) -> bool {
    let mut signs: Vec<u8> = value
        .iter()
        .copied()
        .filter(u8::is_ascii_punctuation)
        .collect();
    let count = signs.len();
    signs.sort_unstable();
    signs.dedup();
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    value.len() >= 40
        && signs.len() >= 6
        && count * 2 < value.len() * 3 / 2
        && digits >= 2
        && shannon(value) > 4.4
        && !words::reads(value)
}

/// Whether a value without quotes is code: a call, a member, an index.
pub(crate) fn is_expression(value: &[u8]) -> bool {
    let padding = value.iter().rev().take_while(|byte| **byte == b'=').count();
    let value = &value[..value.len() - padding];
    let call = value.contains(&b'(') && value.iter().any(u8::is_ascii_alphabetic);
    let member = value.split(|byte| *byte == b'.').collect::<Vec<_>>();
    let dotted = member.len() >= 2 && member.iter().all(|part| is_identifier(part));
    let arrows: &[&[u8]] = &[b"->", b"::", b"=>", b"==", b"&&", b"||"];
    // `!0` and `!1` are true and false in minified script, and more of it follows.
    let is_minified = value.starts_with(b"!0,") || value.starts_with(b"!1,");
    call || is_minified
        || (dotted && !words::surprise(value).is_some_and(|bits| bits > 5.0))
        || arrows
            .iter()
            .any(|arrow| memchr::memmem::find(value, arrow).is_some())
        || value.ends_with(b"]")
        || value.ends_with(b")")
}

fn is_identifier(part: &[u8]) -> bool {
    part.first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && part
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Other things that have a form of their own.
pub(crate) fn of(value: &[u8], family: Family) -> Option<MatchFilter> {
    if is_password_hash(value) || is_named_digest(value) {
        return Some(MatchFilter::Hash);
    }
    if is_public_key(value) || family != Family::Password && is_publishable(value) {
        return Some(MatchFilter::Public);
    }
    if is_dense(value) {
        return None;
    }
    if is_locator(value) || is_version(value) {
        return Some(MatchFilter::Locator);
    }
    let public: [&[u8]; 6] = [
        b"-----BEGIN PUBLIC",
        b"ssh-rsa ",
        b"ssh-ed25519 ",
        b"MIIBIjAN",
        b"MFkwEwYH",
        b"MCowBQYDK2Vw",
    ];
    if public.iter().any(|start| value.starts_with(start)) {
        return Some(MatchFilter::Public);
    }
    if !value.is_ascii() {
        return Some(MatchFilter::Words);
    }
    let digits = value
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':' | b'/' | b'_'));
    if digits
        && (family != Family::Password || value.len() < 6 || !value.iter().all(u8::is_ascii_digit))
    {
        return Some(MatchFilter::Number);
    }
    let has_space = value.contains(&b' ') || memchr::memmem::find(value, b"%20").is_some();
    if has_space && family != Family::Password {
        return Some(MatchFilter::Words);
    }
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    // `DB_sql_0000` is a password, a constant with that many digits is rare.
    if is_constant(value) && (family != Family::Password || digits < 3) {
        return Some(MatchFilter::Identifier);
    }
    (family == Family::Weak && is_uuid(value)).then_some(MatchFilter::Uuid)
}

/// A password as it is stored, from which nobody can log in.
fn is_password_hash(value: &[u8]) -> bool {
    let value = value.strip_prefix(b"{CRYPT}").unwrap_or(value);
    let starts: &[&[u8]] = &[
        b"$argon2", b"$2a$", b"$2b$", b"$2y$", b"$5$", b"$6$", b"$1$", b"$y$", b"$pbkdf2",
        b"pbkdf2_", b"{SSHA", b"{SHA", b"bcrypt$", b"argon2$", b"sha1$", b"sha256$", b"md5$",
    ];
    starts.iter().any(|start| value.starts_with(start))
}

/// Whether a value is a digest behind what says so: `sha256:...`, `hash:...`, `W/...` of an entity tag.
fn is_named_digest(value: &[u8]) -> bool {
    const DIGEST_DIGITS: [usize; 5] = [32, 40, 64, 96, 128];
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    let digits = value.iter().rev().take_while(is_digit).count();
    let label = &value[..value.len() - digits];
    let is_label = label == b"W/" || label.ends_with(b":") && name::is_hash(label);
    DIGEST_DIGITS.contains(&digits) && is_label
}

/// What names an account in public: the public half of an nkey, an address of a contract.
fn is_public_key(value: &[u8]) -> bool {
    let is_base32 = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'2'..=b'7');
    let is_nkey = value.len() == 56
        && matches!(value[0], b'U' | b'A' | b'O' | b'N' | b'C' | b'X')
        && value.iter().all(is_base32);
    let is_address = value.len() == 42
        && value.starts_with(b"0x")
        && value[2..].iter().all(u8::is_ascii_hexdigit);
    is_nkey || is_address
}

/// Whether a key says before its noise that it is one for browsers: `sb_publishable_...`, `live_pub_...`, Mapbox's
/// `pk.eyJ...`, PostHog's `phc_...`.
pub(super) fn is_publishable(value: &[u8]) -> bool {
    const NOISE_BYTES_MIN: usize = 16;
    const WORDS: [&[u8]; 5] = [b"pub", b"pubkey", b"public", b"publishable", b"phc"];
    let mut parts = value.split(|byte| matches!(byte, b'_' | b'-'));
    let is_marked = parts.by_ref().take(2).any(|part| WORDS.contains(&part));
    let is_key = |part: &[u8]| part.len() >= NOISE_BYTES_MIN;
    value.starts_with(b"pk.eyJ") || is_marked && parts.next().is_some_and(is_key)
}

/// `SOME_CONSTANT_NAME`, `some.dotted.name`, `some-kebab-name-2`.
fn is_constant(value: &[u8]) -> bool {
    let separator = |byte: &u8| matches!(byte, b'_' | b'-' | b'.' | b':' | b'/');
    let letters = value
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    let others = value
        .iter()
        .any(|byte| !byte.is_ascii_alphanumeric() && !separator(byte));
    if !value.iter().any(separator) || others || letters < 3 {
        return false;
    }
    let loud = digits <= 2 && !value.iter().any(u8::is_ascii_lowercase);
    let plain = |part: &[u8]| {
        let letters = part
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        let numbered = letters <= 4
            && part.len() - letters <= 2
            && part[letters..].iter().all(u8::is_ascii_digit);
        part.len() <= 3
            || numbered
            || words::is_word(&part.to_ascii_lowercase())
            || words::reads(part)
    };
    let mostly = letters * 2 > value.len();
    (mostly && (loud || digits <= 2 && words::reads(value)))
        || value
            .split(separator)
            .all(|part| part.iter().all(u8::is_ascii_digit) || plain(part))
}

/// Whether a value is a path, a URL, a file or an address rather than a word.
pub(super) fn is_place(value: &[u8]) -> bool {
    is_locator(value) || is_version(value)
}

/// A version at the end of a name: `jackson-0.11.2`.
fn is_version(value: &[u8]) -> bool {
    let tail = value
        .iter()
        .rposition(|byte| !byte.is_ascii_digit() && *byte != b'.');
    let tail = tail.map_or(value, |at| &value[at + 1..]);
    tail.iter().filter(|byte| **byte == b'.').count() >= 2 && value.len() - tail.len() < 40
}

/// Paths, URLs, hosts, mail addresses, files.
fn is_locator(value: &[u8]) -> bool {
    if is_object_identifier(value) || is_address(value) {
        return true;
    }
    #[rustfmt::skip]
const ENDS: &[&str] = &[
    ".com", ".org", ".net", ".io", ".pem", ".key", ".crt", ".cer", ".json", ".yaml", ".yml",
    ".txt", ".xml", ".html", ".js", ".ts", ".py", ".java", ".php", ".jks", ".p12", ".pfx", ".cfg",
    ".conf", ".ini", ".env", ".sh", ".md", ".png", ".svg", ".jpg", ".css", ".local", ".keystore",
    ".class", ".exe", ".dll", ".gpg", ".asc", ".pub", ".der", ".csv", ".log",
];
    let lower = value.to_ascii_lowercase();
    let has_image = [b".png?".as_slice(), b".svg?", b".jpg?"]
        .iter()
        .any(|end| memchr::memmem::find(&lower, end).is_some());
    let starts: &[&[u8]] = &[
        b"/", b"./", b"../", b"~/", b"c:", b"d:", b"http", b"www.", b"file:", b"//", b"#",
    ];
    let path = value.iter().filter(|byte| **byte == b'/').count();
    let base64 = value.len() >= 24 && (value.len().is_multiple_of(4) || value.ends_with(b"="));
    has_image
        || ENDS.iter().any(|end| lower.ends_with(end.as_bytes()))
        || memchr::memmem::find(value, b"://").is_some()
        || memchr::memmem::find(value, b":\\").is_some()
        || (!base64 || words::reads(value)) && starts.iter().any(|start| lower.starts_with(start))
        || (path >= 2 && words::reads(value))
        || is_mail(value)
}

/// An object identifier, as LDAP has it in filters: `1.2.840.113556.1.4.803`, maybe with more around it.
fn is_object_identifier(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let head = value.iter().take_while(|byte| is_part(byte)).count();
    if value[head..].starts_with(b":=") && value[..head].contains(&b'.') {
        return true;
    }
    let mut runs = value.split(|byte| !is_part(byte));
    runs.any(|run| {
        run.len() * 3 > value.len() && run.iter().filter(|byte| **byte == b'.').count() >= 5
    })
}

/// An address of the Internet Protocol, maybe with the length of its network.
fn is_address(value: &[u8]) -> bool {
    let text = value.split(|byte| *byte == b'/').next().unwrap_or_default();
    let text = text.strip_prefix(b"[").unwrap_or(text);
    let text = text.strip_suffix(b"]").unwrap_or(text);
    std::str::from_utf8(text).is_ok_and(|text| text.parse::<std::net::IpAddr>().is_ok())
}

fn is_mail(value: &[u8]) -> bool {
    let Some(at) = value.iter().position(|byte| *byte == b'@') else {
        return false;
    };
    let host = &value[at + 1..];
    at > 0
        && host.contains(&b'.')
        && words::reads(host)
        && host
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
}

/// Whether a value is a UUID.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_are_no_secrets() {
        assert!(
            is_template(b"${DB_PASSWORD}")
                && is_template(b"{{ password }}")
                && is_template(b"%PASS%")
        );
        assert!(is_expression(b"get_password()") && is_expression(b"config.password"));
        assert!(is_locator(b"/etc/ssl/private.key") && is_locator(b"james@example.com"));
        assert!(is_constant(b"NEXUS-GPT4-API-KEY") && is_constant(b"id-token-hint"));
        assert!(!is_constant(b"kx8v-92jq-zz81"));
    }
}
