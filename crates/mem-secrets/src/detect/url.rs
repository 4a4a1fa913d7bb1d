//! Passwords in URLs and connection strings: `scheme://user:password@host`.

use std::ops::Range;

use super::name::Family;
use crate::candidate::Rank;
use crate::filter::{MatchFilter, interpolation, url_password, value as judge};
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;
use crate::rule::boundary::is_word;

/// Longest user and password that are read after `://`.
const AUTHORITY_BYTES_MAX: usize = 2048;
/// Shortest user that may be a token. The 32 digits of an address of Sentry are public.
const TOKEN_USER_BYTES_MIN: usize = 40;

/// At `://`: looks for `user:password@`.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    let Some((user, password)) = split(bytes, hit.end) else {
        judge_user(pass, rule, hit.end);
        return done;
    };
    let (user, value) = (&bytes[user], &bytes[password.clone()]);
    let host = host(bytes, password.end + 1);
    let filter = url_password::judge(user, value, host);
    match filter {
        Some(MatchFilter::Placeholder | MatchFilter::Words)
            if url_password::is_weak(user, value, host) =>
        {
            pass.accept(rule, Rank::Formed, password, Confidence::Low);
        }
        Some(filter) => pass.reject(rule, password, filter),
        None => {
            let after = bytes.get(password.end + 1 + host.len()..);
            let is_begun = interpolation::length(after.unwrap_or_default()) > 0;
            let confidence = match url_password::is_word(user, value, host, is_begun) {
                true => Confidence::Low,
                false => Confidence::High,
            };
            pass.accept(rule, Rank::Formed, password, confidence);
        }
    }
    done
}

/// A token in the place of the user, without a password: `https://TOKEN@host`.
fn judge_user(pass: &mut Pass<'_>, rule: &'static Rule, at: usize) {
    let bytes = pass.bytes;
    let reach = &bytes[at..bytes.len().min(at + AUTHORITY_BYTES_MAX)];
    let is_user = |byte: &&u8| is_word(**byte) || **byte == b'-';
    let length = reach.iter().take_while(is_user).count();
    let host = reach[length..].strip_prefix(b"@").unwrap_or_default();
    if length < TOKEN_USER_BYTES_MIN || !host_follows(host, false) {
        return;
    }
    let subject = judge::FilterSubject {
        value: &reach[..length],
        name: b"",
        family: Family::Weak,
        quoted: true,
        expression: false,
        settings: true,
        credentials: false,
    };
    let span = at..at + length;
    match judge::judge(&subject) {
        Some(filter) => pass.reject(rule, span, filter),
        None => pass.accept(rule, Rank::Generic, span, Confidence::Medium),
    }
}

/// The user and the password of an authority that begins at `at`. The
/// password may contain `@` and `/`, as people write them, so the last `@`
/// before the end of the word counts.
pub(crate) fn split(bytes: &[u8], at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let reach = &bytes[at..bytes.len().min(at + AUTHORITY_BYTES_MAX)];
    let colon = user_length(reach)?;
    // What follows the last `@` may be the end of the word: `"scheme://user:password@" + host`.
    let all = &reach[colon + 1..];
    let rest = &all[..all.iter().position(stop).unwrap_or(all.len())];
    let first = rest.iter().position(|byte| *byte == b'@')?;
    // A slash before the `@` is a path, unless what is before it is no port.
    let slash = rest[..first]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'));
    let is_port = |text: &[u8]| text.iter().all(u8::is_ascii_digit) || text == b"port";
    if slash.is_some_and(|slash| is_port(&rest[..slash])) {
        return None;
    }
    let authority = rest[first..]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?'))
        .map_or(rest.len(), |end| first + end);
    let last = (first..authority)
        .rev()
        .filter(|place| rest[*place] == b'@')
        .find(|place| host_follows(&all[place + 1..], slash.is_some()))?;
    let start = at + colon + 1;
    Some((at..at + colon, start..start + last))
}

/// Whether a byte ends a word.
fn stop(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|')
}

/// The length of the user, which a colon follows. An interpolation in it may hold what would end it.
fn user_length(reach: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match reach.get(at)? {
            b':' => return Some(at),
            _ if interpolation::length(&reach[at..]) > 0 => {
                at += interpolation::length(&reach[at..]);
            }
            byte if stop(byte) || matches!(byte, b'/' | b'?' | b'@' | b',' | b')') => return None,
            _ => at += 1,
        }
    }
}

/// Whether a host begins here: a name, an address, an interpolation, a mask, a socket's path, or the end of a literal
/// that the code goes on after.
fn host_follows(after: &[u8], has_slash: bool) -> bool {
    match after {
        [b'#' | b'<', ..] => interpolation::length(after) > 0,
        [b'\\', next, ..] => *next == b'(',
        [b'.', next, ..] => *next == b'.',
        [b'/', ..] => !has_slash,
        [first, ..] => {
            first.is_ascii_alphanumeric()
                || !first.is_ascii()
                || matches!(first, b'$' | b'{' | b'[' | b'%' | b'_' | b'*')
                || matches!(first, b'"' | b'\'' | b'`')
        }
        [] => false,
    }
}

/// The host as far as its name or address goes; of one that is filled in later, its first sign.
fn host(bytes: &[u8], at: usize) -> &[u8] {
    let reach = &bytes[at.min(bytes.len())..bytes.len().min(at + 128)];
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let end = match reach {
        [b'/', ..] | [] => 0,
        // `[::1]` is an address, `[host]` is filled in.
        [b'[', ..] => {
            let end = reach.iter().position(|byte| *byte == b']');
            let end = end.map_or(reach.len(), |end| end + 1);
            match reach[..end].contains(&b':') {
                true => end,
                false => 1,
            }
        }
        [first, ..] if !is_name(first) || reach.starts_with(b"..") => 1,
        _ => reach
            .iter()
            .position(|byte| !is_name(byte))
            .unwrap_or(reach.len()),
    };
    &reach[..end]
}

#[cfg(test)]
mod tests {
    use crate::{InputOrigin, Scanner};

    fn finds(line: &str) -> bool {
        let findings = Scanner::new().scan(line.as_bytes(), &InputOrigin::unknown());
        findings.iter().any(|one| one.is_by("url-credentials"))
    }

    /// Passwords that are words with digits.
    fn weak() -> [String; 3] {
        [
            ["blue", "42", "sky"],
            ["secret", "1", "23"],
            ["admin", "12", "3"],
        ]
        .map(|one| one.concat())
    }

    #[test]
    fn an_interpolated_user_hides_no_literal_password() {
        let users = "{user} {} {u[\"name\"]} {{user}} %s %(user)s %[1]s ${USER} ${DB_USER:-app} $USER $(whoami) #{user} \
                     <user> <db-user> [user] app-{env} %USER%";
        for user in users.split(' ') {
            for value in weak() {
                let line = format!("postgres://{user}:{value}@db.corp.io/x");
                assert!(finds(&line), "{line}");
            }
            for value in [
                "{password}",
                "${PASS}",
                "%s",
                "<password>",
                "password",
                "x-oauth-basic",
                "$PASS",
                "***",
            ] {
                let line = format!("postgres://{user}:{value}@db.corp.io/x");
                assert!(!finds(&line), "{line}");
            }
        }
    }

    #[test]
    fn a_host_may_be_concatenated_or_filled_in() {
        let hosts = "\"+host '.$host `+h {host} <host> <db-host>:5432 $HOST ${HOST} %s #{host} [host] [db-host] [::1]:5432 *** ... \u{2026} /db \
                     b\u{fc}ro.example.net {host}.corp.io \\(host) 10.0.0.5";
        for host in hosts.split(' ') {
            let strong = ["blue", "42", "sky"].concat();
            let line = format!("x = postgres://app:{strong}@{host}/x");
            assert!(finds(&line), "{line}");
            for (user, value) in [
                ("user", "password"),
                ("guest", "guest"),
                ("{user}", "{password}"),
                ("<user>", "<p>"),
            ] {
                let line = format!("x = amqp://{user}:{value}@{host}/x");
                assert!(!finds(&line), "{line}");
            }
        }
    }

    #[test]
    fn neither_a_path_nor_a_pattern_nor_an_end_is_a_password() {
        for line in [
            "see http://{host}:port/users/@me",
            "see http://<host>:8080/a@b",
            "see http://{host}:{port}/a@b",
            "s|://.*:.*@||",
            "https?://[^:]+:[^@/]+@\"",
            "https?://([a-z]+):blue42@host",
            "postgres://user:password@",
            "(https://<b>x</b>: mail a@b.c)",
            "https://a.io:1 and a@b",
            "docker://{image}:latest@sha256:aa",
            "\"https://\" + user + \":\" + pass + \"@host\"",
        ] {
            assert!(!finds(line), "{line}");
        }
    }
}
