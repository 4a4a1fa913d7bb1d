//! Judges the password of a URL. Whatever stands there is one, unless the whole of it is a placeholder: a marker of
//! something that is filled in later, words that tell what belongs there, or a login that opens nothing but what runs
//! on this machine.

use std::net::Ipv4Addr;

use super::{MatchFilter, interpolation, placeholder, shape, weak_password, words};
use crate::decode::percent;

/// Words that tell what belongs there. A password that consists of nothing else is none: `your-password`, `dbPassword`.
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "password", "passwords", "passwd", "passwort", "pass", "pwd", "pw", "passphrase", "passcode", "secret", "secrets",
    "token", "tokens", "key", "pat", "credential", "credentials", "cred", "creds", "auth", "user", "username", "name",
    "login", "account", "api", "access", "private", "value", "string", "text", "example", "sample", "placeholder",
    "dummy", "fake", "mock", "testing", "demo", "change", "changed", "replace", "replaced", "insert", "enter", "put",
    "set", "redacted", "hidden", "masked", "removed", "deleted", "omitted", "unknown", "invalid", "wrong", "bad",
    "incorrect", "bogus", "foo", "bar", "baz", "toto", "todo", "tbd", "fixme", "none", "null", "nil", "undefined",
    "empty", "your", "my", "the", "this", "some", "any", "here", "not", "no", "a", "me", "it", "is", "in", "to", "of",
    "with", "for", "app", "application", "service", "server", "client", "proxy", "super", "top", "strong", "secure",
    "safe", "random", "long", "generated", "actual", "real", "new", "old", "url", "encoded", "x", "oauth", "basic",
    "submit", "aws", "personal", "anonymous", "anything", "whatever", "something", "unused", "ignored", "clave", "contrasena", "contraseña", "senha",
    "motdepasse", "kennwort", "geheim", "hemmelig", "пароль", "密码", "密碼", "パスワード", "비밀번호",
    // The example of RFC 7617.
    "opensesame",
];

/// Users and products, which are their own password where nobody chose one.
#[rustfmt::skip]
const ROLES: &[&str] = &[
    "admin", "administrator", "root", "test", "tester", "guest", "default", "public", "dev", "development", "local",
    "postgres", "postgresql", "pg", "mysql", "mariadb", "redis", "mongo", "mongodb", "rabbitmq", "rabbit", "minio",
    "oracle", "neo", "db", "database", "docker", "vagrant", "airflow", "celery", "django", "laravel", "symfony",
];

/// What many people choose: a password all the same, but where the host is near, one that opens nothing else.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "passw0rd", "p4ssw0rd", "p@ssw0rd", "p@ssword", "hunter2", "abc", "abc123", "letmein", "welcome", "qwerty", "toor",
    "tiger", "hello", "world", "helloworld", "homestead", "raspberry", "ubuntu", "monkey", "dragon", "s3cr3t",
    "s3cret", "secr3t", "opensesame", "pa55word", "pa55w0rd", "asdf", "asdfgh",
    "p@ss",
];

/// Words that say that a login is for a trial: with `123` behind them they are still anybody's.
#[rustfmt::skip]
const TRIAL: &[&str] = &[
    "test", "tester", "testing", "dev", "development", "local", "example", "sample", "dummy", "fake", "mock", "demo",
];

/// Users of documentation: nobody's.
#[rustfmt::skip]
const DOCUMENTED_USERS: &[&str] = &[
    "user", "username", "name", "usr", "login", "myuser", "youruser", "yourusername", "myusername", "someuser", "foo",
    "usuario", "utilisateur", "benutzer", "aladdin", "hello", "x", "u", "me", "anonymous",
];

/// Where whoever connects is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A name of documentation, which is nobody's.
    Documented,
    /// A word that stands for any host, or a host that is filled in later.
    Unnamed,
    /// This machine.
    Loopback,
    /// A service beside it, by a bare name, or an address of a private network.
    Near,
    /// A host on the net.
    Far,
}

/// Why `raw` is no password in `user:raw@host`, as it stands in a text.
pub(crate) fn judge(user: &[u8], raw: &[u8], host: &[u8]) -> Option<MatchFilter> {
    if raw.len() < 3 {
        return Some(MatchFilter::Length);
    }
    if is_locator(raw, host) {
        return Some(MatchFilter::Locator);
    }
    // What percent encoding hides is part of the password, and no sign of code.
    let value = percent::decode(raw);
    if is_pattern(user) || is_call(raw) || is_marker(&value) {
        return Some(MatchFilter::Template);
    }
    let lower = String::from_utf8_lossy(&value).to_lowercase();
    let user = String::from_utf8_lossy(user).to_lowercase();
    let (counted, number) = split_number(&lower);
    let is_like_user = number.is_empty() || split_number(&user).1 == number;
    if is_like_user && (is_password_word(counted) || is_constant(&value)) {
        return Some(MatchFilter::Placeholder);
    }
    let reach = reach(host);
    if reach != Reach::Far && is_pair(&user, &lower) {
        return Some(MatchFilter::Placeholder);
    }
    let is_nobodys = DOCUMENTED_USERS.contains(&&*user);
    let is_open = matches!(reach, Reach::Documented | Reach::Loopback) || is_nobodys;
    if (is_open || reach != Reach::Far) && is_anybodys(&lower, &user, is_open) {
        return Some(MatchFilter::Placeholder);
    }
    let (reads, digits) = (words::reads(&value), number_of_digits(&value));
    let is_weak = match reach {
        Reach::Documented => value.len() < 8 || reads || placeholder::is_stand_in(&value),
        Reach::Loopback => reads && digits < 2,
        Reach::Unnamed => reads && digits == 0,
        // A word of small letters beside a user of documentation: `foo:yeah`.
        Reach::Near | Reach::Far => {
            is_nobodys && value.iter().all(u8::is_ascii_lowercase) && value.len() < 8
        }
    };
    if is_weak {
        return Some(MatchFilter::Words);
    }
    (digits == value.len() && value.len() < 6).then_some(MatchFilter::Number)
}

/// Whether user and password begin alike and go on with what each of them is: `prod-user:prod-pass`.
fn is_pair(user: &str, lower: &str) -> bool {
    let both = user.char_indices().zip(lower.chars());
    let rest = both
        .skip_while(|((_, one), other)| one == other)
        .map(|((at, _), _)| (user.get(at..), lower.get(at..)))
        .next();
    let tells = |rest: Option<&str>| rest.is_some_and(|rest| consists_of(rest, &[TELLING]));
    rest.is_some_and(|(user, lower)| tells(user) && tells(lower))
}

/// Whether a password in lower case is one that anybody would try first. On a host that others may reach, a word with
/// digits behind it is one that somebody chose (`secret123`), unless the word is the user's name or tells of a trial.
fn is_anybodys(lower: &str, user: &str, is_open: bool) -> bool {
    let (counted, number) = split_number(lower);
    let is_users = !user.is_empty() && (counted == user || lower == user);
    let words: &[&[&str]] = match is_open || number.is_empty() {
        true => &[ROLES, TELLING],
        false => &[TRIAL],
    };
    let is_common =
        COMMON.contains(&lower) && (is_open || !lower.bytes().any(|byte| byte.is_ascii_digit()));
    is_common
        || "123456".starts_with(number) && (is_users || consists_of(counted, words))
        || lower == user
        || placeholder::is_regular(lower.as_bytes())
}

fn number_of_digits(value: &[u8]) -> usize {
    value.iter().filter(|byte| byte.is_ascii_digit()).count()
}

/// A text and the number at its end.
pub(super) fn split_number(text: &str) -> (&str, &str) {
    text.split_at(text.trim_end_matches(|c: char| c.is_ascii_digit()).len())
}

/// Whether what stands before `@` is no password but part of a place: hosts with ports, a version before a digest, a
/// package before its version.
fn is_locator(raw: &[u8], host: &[u8]) -> bool {
    // `h1:27017,user:password@h2` begins with a host and its port.
    let mut hosts = raw.splitn(2, |byte| *byte == b',');
    let (port, rest) = (hosts.next().unwrap_or_default(), hosts.next());
    let is_host = rest.is_some_and(|rest| rest.contains(&b':') || rest.contains(&b'@'));
    let groups: Vec<_> = host.split(|byte| *byte == b'.').collect();
    let is_version = groups
        .iter()
        .all(|group| !group.is_empty() && group.iter().all(u8::is_ascii_digit))
        && groups.len() != 4;
    // `http://host:80#@elsewhere` ends at the fragment.
    let digits = raw.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_fragment = digits > 0 && raw.get(digits) == Some(&b'#');
    let is_digest = [b"sha256".as_slice(), b"sha384", b"sha512"].contains(&host);
    is_host && port.iter().all(u8::is_ascii_digit) || is_version || is_digest || is_fragment
}

/// Whether a user is part of a pattern, and so is what follows it: no user has such a sign, beside those of what is
/// filled in later. That says nothing of a password, which may stand there all the same.
fn is_pattern(user: &[u8]) -> bool {
    let mut rest = user;
    while let Some((first, after)) = rest.split_first() {
        let length = interpolation::length(rest);
        if length == 0 && b"<>{}[]($^*".contains(first) {
            return true;
        }
        rest = rest.get(length..).filter(|_| length > 0).unwrap_or(after);
    }
    false
}

/// Whether a value is the call of a function.
fn is_call(raw: &[u8]) -> bool {
    let name = raw
        .iter()
        .position(|byte| !is_name_byte(byte))
        .unwrap_or(raw.len());
    name > 0 && raw.get(name) == Some(&b'(') && raw.last() == Some(&b')')
}

fn is_name_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Whether a value is written in the syntax of what is filled in later, or has been left out.
fn is_marker(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const PARTS: &[&[u8]] = &[
        b"${", b"$(", b"{{", b"}}", b"#{", b"<%", b"%>", b"%{", b"%(", b"@{", b"...", "…".as_bytes(), b"***",
        b"xxxx", b"XXXX", b"[^", b"[a-z", b"[A-Z", b"[0-9", b"(?",
    ];
    let is_name = |text: &[u8]| !text.is_empty() && text.iter().all(is_name_byte);
    let rest = value.get(1..).unwrap_or_default();
    let inner = rest.split_last().map_or(rest, |(_, inner)| inner);
    let wrapped = match (value.first(), value.last()) {
        (Some(b'<'), Some(b'>')) => true,
        (Some(b'%'), Some(b'%')) | (Some(b'@'), Some(b'@')) => is_name(inner),
        (Some(b'_'), Some(b'_')) => value.starts_with(b"__") && value.ends_with(b"__"),
        // `$PASS` and what follows it, `$pass` alone.
        (Some(b'$'), _) => {
            is_name(rest)
                || rest
                    .iter()
                    .take(2)
                    .filter(|byte| byte.is_ascii_uppercase())
                    .count()
                    == 2
        }
        (Some(b'%'), _) => value.len() < 4,
        (Some(b':' | b'&'), _) => is_name(rest),
        _ => false,
    };
    wrapped
        || !String::from_utf8_lossy(value).contains(char::is_alphanumeric)
        || PARTS
            .iter()
            .any(|part| memchr::memmem::find(value, part).is_some())
        || is_bracketed(value, b'{', b'}')
        || is_bracketed(value, b'[', b']')
        || value.iter().all(|byte| *byte == value[0])
        || placeholder::is_filler(value)
        || shape::is_percent_encoded(value)
}

/// Whether a name stands in brackets: `{password}`, `{0}`, `[pass]`.
fn is_bracketed(value: &[u8], open: u8, close: u8) -> bool {
    let Some(start) = value.iter().position(|byte| *byte == open) else {
        return false;
    };
    let Some(length) = value[start..].iter().position(|byte| *byte == close) else {
        return false;
    };
    let sign =
        |byte: &u8| is_name_byte(byte) || matches!(byte, b'.' | b':' | b'!' | b'-' | b'?' | b' ');
    value[start + 1..start + length].iter().all(sign)
}

/// Whether a value is the name of what belongs there: `DB_MAIN_PASSWORD`.
fn is_constant(value: &[u8]) -> bool {
    let mut parts = value.rsplit(|byte| *byte == b'_');
    let last = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_loud = value
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    is_loud && parts.next().is_some() && consists_of(&String::from_utf8_lossy(&last), &[TELLING])
}

/// Whether a text in lower case consists of words that tell what belongs there, not of a user's name alone.
fn is_password_word(lower: &str) -> bool {
    // `!ChangeMe!`
    let lower = lower.trim_matches(|c: char| c.is_ascii_punctuation() || c == ' ');
    consists_of(lower, &[TELLING, ROLES]) && !consists_of(lower, &[ROLES])
}

/// Whether nothing but these words stands in a text in lower case, whatever is between them.
pub(super) fn consists_of(lower: &str, lists: &[&[&str]]) -> bool {
    const BYTES_MAX: usize = 64;
    let text: String = lower
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | ' ' | '+' | ':'))
        .collect();
    if text.is_empty() || text.len() > BYTES_MAX {
        return false;
    }
    // Which beginnings of the text words make up.
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    for at in 0..text.len() {
        if !reached[at] || !text.is_char_boundary(at) {
            continue;
        }
        for word in lists.iter().copied().flatten() {
            if text[at..].starts_with(word) {
                reached[at + word.len()] = true;
            }
        }
    }
    reached[text.len()]
}

/// Whether a password that [`judge`] takes for one is the user's name or a single word, and opens nothing but what is
/// near; `is_begun` says that the rest of the host is filled in later. A row of words is a passphrase.
pub(crate) fn is_word(user: &[u8], raw: &[u8], host: &[u8], is_begun: bool) -> bool {
    let (value, reach) = (percent::decode(raw), reach(host));
    let is_users = raw.eq_ignore_ascii_case(user) && (is_begun || reach != Reach::Far);
    let is_one = value.len() < 16 && value.iter().all(u8::is_ascii_alphabetic);
    is_one && (is_users || reach == Reach::Near && words::reads(&value))
}

/// Whether a password that [`judge`] takes for none is a weak one: a word that somebody chose, for a user and a host
/// that are somebody's.
pub(crate) fn is_weak(user: &[u8], raw: &[u8], host: &[u8]) -> bool {
    let is_user = raw.eq_ignore_ascii_case(user);
    let user = String::from_utf8_lossy(user).to_lowercase();
    let is_password_word = is_password_word(&String::from_utf8_lossy(raw).to_lowercase());
    let is_nobodys = is_user || DOCUMENTED_USERS.contains(&&*user);
    !is_nobodys
        && !is_password_word
        && !matches!(reach(host), Reach::Documented | Reach::Loopback)
        && weak_password::judge(raw, false).is_none()
}

fn reach(host: &[u8]) -> Reach {
    const DOCUMENTED: &[&[u8]] = &[
        b"example.com",
        b"example.org",
        b"example.net",
        b"domain.com",
        b".example",
        b".test",
        b".invalid",
    ];
    #[rustfmt::skip]
    const TOLD: &[&str] = &[
        "some", "any", "my", "your", "the", "path", "to", "url", "host", "hst", "server", "proxy", "domain", "site",
        "website", "foo", "bar", "baz", "qux", "repo", "fake", "example",
    ];
    let host = host.to_ascii_lowercase();
    let is_bare = !host.contains(&b'.') && !host.starts_with(b"[");
    let is_below = |name: &&[u8]| {
        let above = host.strip_suffix(*name);
        above.is_some_and(|above| {
            above.is_empty() || above.ends_with(b".") || name.starts_with(b".")
        })
    };
    // Words that tell what belongs there: `some.url.com`, `path.to.some-host`.
    let text = String::from_utf8_lossy(&host);
    let (labels, last) = text.rsplit_once('.').unwrap_or_default();
    let is_password_word =
        consists_of(labels, &[TOLD]) && (last.len() < 4 || consists_of(last, &[TOLD]));
    if is_password_word || DOCUMENTED.iter().any(is_below) {
        return Reach::Documented;
    }
    if [
        b"host".as_slice(),
        b"hostname",
        b"hostspec",
        b"hst",
        b"server",
        b"h",
    ]
    .contains(&host.as_slice())
    {
        return Reach::Unnamed;
    }
    // A host that is filled in later comes as its first sign.
    if host.len() == 1 && !host[0].is_ascii_alphanumeric() {
        return Reach::Unnamed;
    }
    if host == b"localhost"
        || host == b"[::1]"
        || host.ends_with(b".localhost")
        || host.starts_with(b"127.")
        || host.is_empty()
    {
        return Reach::Loopback;
    }
    let address = text.parse::<Ipv4Addr>();
    // An address may be cut off where code goes on, or have a letter for a number: `10.0.0.`, `192.168.1.x`.
    let is_begun = [b"10.".as_slice(), b"192.168."].iter().any(|start| {
        let rest = host.strip_prefix(*start).and_then(<[u8]>::first);
        rest.is_some_and(u8::is_ascii_digit)
    });
    let is_network = is_begun || address.is_ok_and(|one| one.is_private() || one.is_unspecified());
    let is_private = [
        b"host.docker.internal".as_slice(),
        b"[fc",
        b"[fd",
        b"[fe80:",
    ]
    .iter()
    .any(|start| host.starts_with(start));
    const PRIVATE: [&[u8]; 4] = [b".local", b".lan", b".internal", b".localdomain"];
    let is_private = is_private || PRIVATE.iter().any(|end| host.ends_with(end));
    match is_bare || is_private || is_network {
        true => Reach::Near,
        false => Reach::Far,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_one(user: &str, value: &str, host: &str) -> bool {
        judge(user.as_bytes(), value.as_bytes(), host.as_bytes()).is_none()
    }

    #[test]
    fn a_password_of_words_and_digits_in_a_url_is_one() {
        let leet = ["S3cr3t", "Passw0rd", "99"].concat();
        let year = ["Summer", "2024"].concat();
        let inner = ["pass", "1", "word"].concat();
        let words = ["harbour", "lantern"].concat();
        for host in ["db.acme.io", "db", "10.0.0.4", "host", "prod-1.ab1.db.net"] {
            for value in [&leet, &year, &inner] {
                assert!(is_one("admin", value, host), "{value} at {host}");
                assert!(is_one("", value, host), "{value} at {host}, nobody");
            }
        }
        assert!(is_one("admin", &words, "db.acme.io"));
        assert!(is_one("admin", &year.replace('2', "%32"), "db.acme.io"));
        assert!(is_one("postgres", "postgres", "db.acme.io"));
        assert!(is_one("guest", "guest", "mq.acme.io"));
        // A told word in a password makes no placeholder of it, and a sign no template.
        for value in [
            ["my", "Secret", "9"],
            ["test", "Pass", "1"],
            ["change", "me", "9"],
            ["foo", "bar", "9"],
            ["your", "Mother", "7"],
            ["", "to", "or"],
            ["let", "me", "in"],
            ["qw", "er", "ty"],
            ["$ec", "ret9", "Pass!"],
            ["Pa(", "ss", "9"],
            ["Pa{", "ss", "9"],
            ["Pass", "9", "]"],
            ["__", "Harbour", "9"],
            ["admin", "", ""],
        ] {
            let value = value.concat();
            assert!(is_one("admin", &value, "db.acme.io"), "{value}");
        }
        let long = ["aB3", "xK9"].concat().repeat(60);
        assert!(is_one("oauth2", &long, "git.acme.io"));
        // Encoded brackets are part of a password, a comma is no port, and a host is documented as a whole.
        for value in [&inner.replace("1", "%281%29"), &format!("27017,{year}")] {
            assert!(is_one("admin", value, "db.acme.io"), "{value}");
        }
        for host in ["notexample.com", "prod.mydomain.com"] {
            assert!(is_one("admin", &year, host), "{host}");
        }
    }

    #[test]
    fn a_word_with_digits_is_a_password_where_others_may_reach_the_host() {
        let hosts = ["10.0.0.5", "192.168.1.5", "host", "db", "[fe80::1]", "$"];
        for (word, number) in [
            ("secret", "123"),
            ("password", "1"),
            ("admin", "123"),
            ("hunter", "2"),
            ("passw0rd", ""),
        ] {
            let value = [word, number].concat();
            for host in hosts {
                assert!(is_one("root", &value, host), "{value} at {host}");
            }
            for host in ["localhost", "127.0.0.1", "[::1]", "db.example.com", ""] {
                assert!(!is_one("root", &value, host), "{value} at {host}");
            }
            assert!(!is_one("user", &value, "db"), "{value}");
        }
        // Logins that images come with.
        for name in [
            "postgres", "user", "root", "guest", "admin", "neo4j", "app1", "minio",
        ] {
            for host in ["db", "10.0.0.5", "localhost", "[::1]", "host", "$"] {
                assert!(!is_one(name, name, host), "{name} at {host}");
                let counted = format!("{name}123");
                assert!(
                    name == "app1" || !is_one(name, &counted, host),
                    "{counted} at {host}"
                );
            }
        }
    }

    #[test]
    fn what_stands_for_a_password_and_a_login_of_every_machine_is_none() {
        for host in [
            "db.acme.io",
            "localhost",
            "db",
            "127.0.0.1",
            "host",
            "example.com",
        ] {
            for value in [
                "password",
                "changeme",
                "xxx",
                "$PASS",
                "${DB_PASS}",
                "%s",
                "{password}",
                "********",
                "%3Cpassword%3E",
                "your-password",
                "PASSWORD",
                "$(cat",
                "dbpassword",
                "pass",
                "\u{2026}",
                "27017,user:secret-word-7@db2",
            ] {
                assert!(!is_one("user", value, host), "{value} at {host}");
            }
        }
        for (user, value, host) in [
            ("anonymous", "anonymous", "ftp.acme.io"),
            ("anything", "PAT", "dev.azure.com"),
            ("usuario", "clave", "db.acme.io"),
            ("aladdin", "opensesame", "www.acme.io"),
            ("alpine", "3.19", "sha256"),
            ("npm", "lodash", "4.17.21"),
            ("user1", "pass1", "host1"),
            ("user1", "pass1", "db.acme.io"),
            ("[user[", "password]", "db.acme.io"),
            ("admin", "your-secret-password", "db.acme.io"),
            ("admin", "MYSQL_ROOT_PASSWORD", "db.acme.io"),
            ("admin", "getPassword()", "db.acme.io"),
            ("admin", "{0}", "db.acme.io"),
            ("admin", "%(pass)s", "db.acme.io"),
            ("admin", "$DB_PASS-x", "db.acme.io"),
            ("admin", "ghp_...", "db.acme.io"),
            ("ada", "lovelace", "some.url.com"),
            ("usr", "pwd%23%20", "hst"),
            ("admin", "admin", "registry.local"),
        ] {
            assert!(!is_one(user, value, host), "{user}:{value} at {host}");
        }
        for host in [
            "localhost",
            "127.0.0.1",
            "db",
            "postgres",
            "172.20.0.11",
            "192.168.1.x",
            "10.0.",
        ] {
            for (user, value) in [
                ("admin", "qwerty"),
                ("admin", "test123"),
                ("root", "toor"),
                ("postgres", "postgres"),
                ("guest", "guest"),
                ("app", "app"),
                ("app", "app123"),
                ("root", "root"),
                ("admin", "admin"),
                ("sa", "123456"),
            ] {
                assert!(!is_one(user, value, host), "{user}:{value} at {host}");
            }
        }
    }
}
