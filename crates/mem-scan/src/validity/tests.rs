//! Tests of [`super`] against a provider on this machine, with a table of its own.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use mem_secrets::template::assemble;
use mem_secrets::{AnswerPattern, Confidence, FingerprintKey, InputOrigin, Scanner};

use super::*;
use crate::scan_origin::ScanOrigin;

/// What a provider was sent: the time, and the head of the request.
struct ReceivedRequest {
    at: Instant,
    head: String,
}

/// A provider that answers each connection with the next of `answers`; with `None` it says nothing.
fn provider(answers: Vec<Option<String>>) -> (&'static str, Receiver<ReceivedRequest>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    thread::spawn(move || {
        let mut silent: Vec<TcpStream> = Vec::new();
        for (stream, answer) in listener.incoming().zip(answers) {
            let mut stream = stream.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0]);
            while !head.ends_with(b"\r\n\r\n") {
                stream.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            let head = String::from_utf8_lossy(&head).into_owned();
            let _ = sender.send(ReceivedRequest {
                at: Instant::now(),
                head,
            });
            match answer {
                Some(answer) => stream.write_all(answer.as_bytes()).unwrap(),
                None => silent.push(stream),
            }
        }
    });
    (origin.leak(), received)
}

fn answer(status: u16, headers: &str, body: &str) -> Option<String> {
    let length = body.len();
    Some(format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    ))
}

/// The table's own row for the rules of a token, at another origin.
fn issuer_at(rule: &str, origin: &'static str) -> [TokenIssuer; 1] {
    let mut table = mem_secrets::TOKEN_ISSUERS.iter();
    let issuer = table.find(|issuer| issuer.rules.contains(&rule)).unwrap();
    [TokenIssuer { origin, ..*issuer }]
}

fn github_token(seed: u64) -> String {
    assemble("{github:ghp_}", seed)
}

fn telegram_token() -> String {
    assemble("123456789:AA{[A-Za-z0-9]:33}", 1)
}

fn findings(text: &str) -> Vec<LocatedFinding> {
    let scanner = Scanner::new().with_confidence(Confidence::Low);
    let found = scanner.scan(text.as_bytes(), &InputOrigin::path("a.py"));
    let key = FingerprintKey::new([0; 32]);
    let located = found.into_iter().map(|finding| LocatedFinding {
        fingerprint: finding.fingerprint(&key),
        place: ScanOrigin::file("a.py", "a.py"),
        finding,
        code_point_columns: None,
        validity: None,
    });
    located.collect()
}

fn github_findings(tokens: &[String]) -> Vec<LocatedFinding> {
    let found = findings(
        &tokens
            .iter()
            .map(|one| format!("token: {one}\n"))
            .collect::<String>(),
    );
    assert!(found.iter().all(|one| one.finding.rule == "github-pat"));
    assert_eq!(found.len(), tokens.len());
    found
}

const QUICK: ValidityLimits = ValidityLimits {
    timeout: Duration::from_secs(20),
    pause: Duration::ZERO,
    tokens_max: 100,
};

#[expect(clippy::unnecessary_wraps, reason = "as asking a person is")]
fn agree(_: &ValidityRecipients<'_>) -> Result<bool, ValidityError> {
    Ok(true)
}

fn words(found: &[LocatedFinding]) -> Vec<(&'static str, &str)> {
    let validity = found.iter().map(|one| one.validity.as_ref().unwrap());
    validity
        .map(|one| (one.word(), one.reason.as_str()))
        .collect()
}

/// What is said of one token after this answer, with the host as `[host]`.
fn said_after(answer: Option<String>, limits: &ValidityLimits) -> (&'static str, String) {
    let (origin, _received) = provider(vec![answer]);
    let mut found = github_findings(&[github_token(1)]);
    let left_out =
        check_validity(&mut found, &issuer_at("github-pat", origin), limits, agree).unwrap();
    assert_eq!(left_out, 0);
    let (word, reason) = words(&found)[0];
    let host = origin.trim_start_matches("http://");
    (word, reason.replace(host, "[host]"))
}

#[test]
fn an_answer_says_active_or_revoked_or_neither() {
    for (answer, word, reason) in [
        (answer(200, "", "{}"), "active", "[host] accepts it"),
        (answer(401, "", ""), "revoked", "[host] does not accept it"),
        (answer(403, "", ""), "unknown", "[host] answered 403"),
        (answer(429, "", ""), "unknown", "[host] limits requests"),
        (answer(500, "", ""), "unknown", "[host] answered 500"),
    ] {
        assert_eq!(said_after(answer, &QUICK), (word, reason.to_owned()));
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let (elsewhere, received) = provider(vec![answer(200, "", "{}")]);
    let redirect = answer(302, &format!("Location: {elsewhere}/user\r\n"), "");
    let (word, reason) = said_after(redirect, &QUICK);
    assert_eq!(word, "unknown");
    assert_eq!(reason, "[host] redirects, which is not followed");
    assert!(received.try_recv().is_err(), "the other host was asked");
}

#[test]
fn a_provider_that_says_nothing_is_waited_for_so_long() {
    let limits = ValidityLimits {
        timeout: Duration::from_millis(200),
        ..QUICK
    };
    let (word, reason) = said_after(None, &limits);
    assert_eq!(word, "unknown");
    assert_eq!(reason, "asking [host] failed: it did not answer in time");
}

#[test]
fn a_token_is_asked_about_once_and_shown_to_its_provider_alone() {
    let (origin, received) = provider(vec![answer(200, "", ""), answer(401, "", "")]);
    let (one, two) = (github_token(1), github_token(2));
    let mut found = github_findings(&[one.clone(), two.clone(), one.clone()]);
    check_validity(&mut found, &issuer_at("github-pat", origin), &QUICK, agree).unwrap();
    let said: Vec<&str> = words(&found).iter().map(|(word, _)| *word).collect();
    assert_eq!(said, ["active", "revoked", "active"]);
    let heads: Vec<String> = received.try_iter().map(|one| one.head).collect();
    assert_eq!(heads.len(), 2);
    for (head, token) in heads.iter().zip([one, two]) {
        assert!(head.starts_with("GET /user HTTP/1.1\r\n"), "{head}");
        assert!(head.contains(&format!("authorization: Bearer {token}\r\n")));
    }
}

#[test]
fn a_host_is_asked_no_more_often_than_the_pause_lets() {
    let (origin, received) = provider(vec![answer(200, "", ""), answer(200, "", "")]);
    let limits = ValidityLimits {
        pause: Duration::from_millis(300),
        ..QUICK
    };
    let mut found = github_findings(&[github_token(1), github_token(2)]);
    check_validity(&mut found, &issuer_at("github-pat", origin), &limits, agree).unwrap();
    let at: Vec<Instant> = received.try_iter().map(|one| one.at).collect();
    // The first may have been on its way for a moment before it was seen.
    assert!(at[1] - at[0] > limits.pause / 2, "{:?}", at[1] - at[0]);
}

#[test]
fn what_goes_beyond_the_limit_is_not_asked_and_counted() {
    let (origin, received) = provider(vec![answer(200, "", ""), answer(200, "", "")]);
    let limits = ValidityLimits {
        tokens_max: 1,
        ..QUICK
    };
    let tokens = [github_token(1), github_token(2), github_token(3)];
    let mut found = github_findings(&tokens);
    let left_out =
        check_validity(&mut found, &issuer_at("github-pat", origin), &limits, agree).unwrap();
    assert_eq!(left_out, 2);
    let said = words(&found);
    assert_eq!(said[0].0, "active");
    let beyond = ("unknown", "not asked: a run asks about 1 tokens at most");
    assert_eq!(said[1..], [beyond, beyond]);
    assert_eq!(received.try_iter().count(), 1);
}

#[test]
fn a_host_that_limits_requests_is_asked_no_more() {
    let (origin, received) = provider(vec![answer(429, "", ""), answer(200, "", "")]);
    let mut found = github_findings(&[github_token(1), github_token(2)]);
    check_validity(&mut found, &issuer_at("github-pat", origin), &QUICK, agree).unwrap();
    let host = host_of(origin);
    assert_eq!(
        words(&found),
        [
            ("unknown", &*format!("{host} limits requests")),
            ("unknown", &*format!("not asked: {host} limits requests")),
        ]
    );
    assert_eq!(received.try_iter().count(), 1);
}

#[test]
fn nothing_is_sent_before_the_person_agrees_to_the_recipient() {
    let (origin, received) = provider(vec![answer(200, "", "")]);
    let issuers = issuer_at("github-pat", origin);
    let mut found = github_findings(&[github_token(1), github_token(1), github_token(2)]);
    let decline = |recipients: &ValidityRecipients<'_>| {
        assert_eq!(*recipients, BTreeMap::from([(host_of(origin), 2)]));
        Ok::<bool, ValidityError>(false)
    };
    check_validity(&mut found, &issuers, &QUICK, decline).unwrap();
    let declined = ("unknown", "not asked: sending was declined");
    assert_eq!(words(&found), [declined; 3]);
    let fail = |_: &ValidityRecipients<'_>| Err(ValidityError(io::Error::other("nobody to ask")));
    check_validity(&mut found, &issuers, &QUICK, fail).unwrap_err();
    assert!(received.try_recv().is_err(), "the provider was asked");
}

#[test]
fn a_token_in_the_address_is_in_nothing_that_is_said() {
    let token = telegram_token();
    let text = format!("bot = \"{token}\"\n");
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|bound| bound.local_addr());
    let nobody: &str = format!("http://{}", closed.unwrap()).leak();
    let (listens, received) = provider(vec![answer(401, "", "")]);
    for (origin, word) in [(nobody, "unknown"), (listens, "revoked")] {
        let mut found = findings(&text);
        let issuers = issuer_at("telegram-bot-token-bare", origin);
        check_validity(&mut found, &issuers, &QUICK, agree).unwrap();
        let (said, reason) = words(&found)[0];
        assert_eq!(said, word, "{reason}");
        assert!(
            !reason.contains(&token) && !reason.contains("getMe"),
            "{reason}"
        );
    }
    let head = received.try_recv().unwrap().head;
    assert!(
        head.starts_with(&format!("GET /bot{token}/getMe ")),
        "{head}"
    );
}

#[test]
fn a_body_counts_where_the_status_says_nothing() {
    let issuers = |origin| {
        [TokenIssuer {
            active: &[AnswerPattern {
                status: 200,
                field: Some(("/ok", "true")),
            }],
            ..issuer_at("github-pat", origin)[0]
        }]
    };
    let long = format!("{{\"ok\":true,\"x\":\"{}\"}}", "x".repeat(ANSWER_BYTES_MAX));
    for (body, word) in [
        (r#"{"ok":true}"#, "active"),
        (r#"{"ok":1}"#, "unknown"),
        (&long, "unknown"),
    ] {
        let (origin, _received) = provider(vec![answer(200, "", body)]);
        let mut found = github_findings(&[github_token(1)]);
        check_validity(&mut found, &issuers(origin), &QUICK, agree).unwrap();
        assert_eq!(words(&found)[0].0, word);
    }
}

#[test]
fn what_no_provider_issued_is_asked_nowhere() {
    let word = ["pork", "chop"].concat();
    let mut found = findings(&format!("db_password = \"{word}\"\n"));
    check_validity(&mut found, mem_secrets::TOKEN_ISSUERS, &QUICK, agree).unwrap();
    assert_eq!(
        words(&found),
        [("unknown", "no provider can be asked about this kind")]
    );
}

#[test]
fn an_address_in_the_clear_is_asked_nothing() {
    let mut found = github_findings(&[github_token(1)]);
    let issuers = issuer_at("github-pat", "http://api.example.org");
    check_validity(&mut found, &issuers, &QUICK, agree).unwrap();
    let (word, reason) = words(&found)[0];
    assert_eq!(word, "unknown");
    assert_eq!(reason, "api.example.org cannot be asked from here");
}
