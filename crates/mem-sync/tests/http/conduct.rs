//! Servers that do not do what they should.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use mem_core::history::Sha256;
use mem_sync::EntryKey;
use mem_sync::remote::http::{Http, HttpError};
use mem_sync::remote::{ErrorClass, Fetched, Remote, RemoteError, StateQuery};
use mem_sync::wire::{ETag, PutBody};
use mem_tests::Dripping;
use mem_tests::http::read_head;
use secrecy::SecretString;

use super::server::{answer, open, options, serve};

const EMPTY: &str = r#"{"version":1,"entries":{}}"#;
const TAG: &str = "ETag: \"1\"\r\n";

/// What a GET comes to where every request is answered like this.
fn get(reply: Option<Vec<u8>>) -> Result<Fetched, RemoteError> {
    let (base, _) = serve(move |_| reply.clone());
    open(&base).get_state(&StateQuery::default(), None)
}

fn put(reply: Option<Vec<u8>>) -> Result<ETag, RemoteError> {
    let (base, _) = serve(move |_| reply.clone());
    open(&base)
        .put_entries(&PutBody::default(), Some(&ETag::of_version(7)))
        .map(|put| put.etag)
}

fn is_unreachable<T: std::fmt::Debug>(result: &Result<T, RemoteError>) {
    assert!(
        matches!(result, Err(RemoteError::Unreachable(_))),
        "{result:?}"
    );
}

fn is_nonsense<T: std::fmt::Debug>(result: &Result<T, RemoteError>) {
    assert!(
        matches!(result, Err(RemoteError::Nonsense(_))),
        "{result:?}"
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = Command::new("gzip");
    let mut child = gzip
        .arg("-c")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let bytes = bytes.to_vec();
    std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    child.wait_with_output().unwrap().stdout
}

fn packed(body: &[u8]) -> Option<Vec<u8>> {
    let body = gzip(body);
    let head = format!(
        "HTTP/1.1 200 OK\r\n{TAG}Content-Type: application/json\r\nContent-Encoding: gzip\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    Some([head.into_bytes(), body].concat())
}

#[test]
fn statuses_are_told_apart() {
    let of = |status, headers: &str| get(answer(status, headers, "{}")).unwrap_err();
    assert_eq!(of(401, ""), RemoteError::Unauthorized);
    assert_eq!(of(403, ""), RemoteError::Forbidden);
    assert_eq!(of(404, ""), RemoteError::NotFound);
    // To a GET it says that the answer would be too large: what is asked for in parts comes.
    assert_eq!(of(413, ""), RemoteError::AnswerTooLarge);
    let busy = |status, retry_after_seconds| RemoteError::Busy {
        status,
        message: String::new(),
        retry_after_seconds,
    };
    assert_eq!(of(500, ""), busy(500, None));
    assert_eq!(of(503, "Retry-After: 7\r\n"), busy(503, Some(7)));
    assert_eq!(of(429, "Retry-After: soon\r\n"), busy(429, None));
    assert_eq!(of(429, "Retry-After-Ms: 1200\r\n"), busy(429, Some(2)));
    let date =
        "Date: Sun, 22 Nov 2026 09:00:00 GMT\r\nRetry-After: Sun, 22 Nov 2026 09:01:30 GMT\r\n";
    assert_eq!(of(503, date), busy(503, Some(90)));
    let past =
        "Date: Sun, 22 Nov 2026 09:00:00 GMT\r\nRetry-After: Sun, 22 Nov 2026 08:00:00 GMT\r\n";
    assert_eq!(of(503, past), busy(503, Some(0)));
    let why =
        r#"{"type":"error","error":{"type":"x","message":"no\u001b such thing"},"request_id":"r"}"#;
    let said = get(answer(500, "", why)).unwrap_err();
    assert_eq!(
        said.to_string(),
        "the remote is busy or ill (status 500): no such thing"
    );
    let said = get(answer(422, "", why)).unwrap_err();
    assert_eq!(
        said.to_string(),
        "the remote refuses the request (status 422): no such thing"
    );
    let full = get(answer(507, "", why)).unwrap_err();
    assert_eq!(full, RemoteError::NoRoom("no such thing".to_owned()));
    assert_eq!(full.error_class(), ErrorClass::Permanent);
    let hint = mem_core::Diagnose::hint(&full).unwrap();
    assert!(hint.contains("quotas"), "{hint}");
    is_nonsense(&get(answer(204, "", "")));
}

#[test]
fn answers_have_a_form() {
    assert!(get(answer(200, TAG, EMPTY)).is_ok());
    is_nonsense(&get(answer(200, "", EMPTY)));
    is_nonsense(&get(answer(200, "ETag: 1\r\n", EMPTY)));
    is_nonsense(&get(answer(200, TAG, "<html>")));
    is_nonsense(&get(answer(304, TAG, "")));
    let html = format!(
        "HTTP/1.1 200 OK\r\n{TAG}Content-Type: text/html\r\nContent-Length: 26\r\n\r\n{EMPTY}"
    );
    is_nonsense(&get(Some(html.into_bytes())));
    is_nonsense(&put(answer(200, "", r#"{"version":1}"#)));
    let raced = |etag| Err(RemoteError::Raced { etag });
    assert_eq!(
        put(answer(412, TAG, "{}")),
        raced(Some(ETag::of_version(1)))
    );
    assert_eq!(put(answer(412, "", "")), raced(None));
    is_unreachable(&get(Some(b"SSH-2.0-x\r\n\r\n".to_vec())));
}

#[test]
fn lines_break() {
    is_unreachable(&get(None));
    is_unreachable(&put(None));
    let whole = answer(200, TAG, EMPTY).unwrap();
    let broken = whole[..whole.len() - 5].to_vec();
    let (base, _) = serve({
        let mut first = true;
        move |_| std::mem::take(&mut first).then(|| broken.clone())
    });
    let mut options = options(&base);
    options.limits.stall = Duration::from_millis(300);
    is_unreachable(
        &Http::open(options)
            .unwrap()
            .get_state(&StateQuery::default(), None),
    );
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    is_unreachable(&open(&format!("http://{closed}")).get_state(&StateQuery::default(), None));
}

#[test]
fn a_kept_connection_that_the_server_closed_is_opened_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let (closed, is_closed) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            read_head(&mut stream);
            stream.write_all(&answer(200, TAG, EMPTY).unwrap()).unwrap();
            drop(stream);
            closed.send(()).unwrap();
        }
    });
    let mut http = open(&base);
    for _ in 0..5 {
        http.get_state(&StateQuery::default(), None).unwrap();
        is_closed.recv().unwrap();
    }
}

#[test]
fn a_body_that_stalls_and_one_without_end_are_given_up() {
    let whole = answer(200, TAG, EMPTY).unwrap();
    let begin = whole[..whole.len() - 5].to_vec();
    let (base, _) = serve(move |_| Some(begin.clone()));
    let mut impatient = options(&base);
    impatient.limits.stall = Duration::from_millis(200);
    is_unreachable(
        &Http::open(impatient)
            .unwrap()
            .get_state(&StateQuery::default(), None),
    );
    let mut impatient = options(&base);
    impatient.limits.request = Duration::from_millis(200);
    let error = Http::open(impatient)
        .unwrap()
        .get_state(&StateQuery::default(), None)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the remote cannot be reached: it did not answer in time"
    );
}

#[test]
fn a_server_that_sends_a_byte_now_and_then_is_given_up() {
    let dripping = Dripping::start();
    let mut options = options(dripping.url());
    options.limits.stall = Duration::from_millis(300);
    let mut http = Http::open(options).unwrap();
    let error = http
        .get_state(&StateQuery::default(), None)
        .unwrap_err()
        .to_string();
    assert!(error.contains("bytes of its answer in"), "{error}");
    drop(http);
    assert!((2..60_000).contains(&dripping.bytes()));
}

#[test]
fn packed_answers_are_counted_unpacked() {
    assert!(get(packed(EMPTY.as_bytes())).is_ok());
    let bomb = packed(&vec![b' '; 65 * 1024 * 1024]);
    assert!(bomb.as_ref().unwrap().len() < 1024 * 1024);
    assert_eq!(get(bomb), Err(RemoteError::AnswerTooLarge));
    let mut broken = packed(EMPTY.as_bytes()).unwrap();
    let at = broken.len() - 12;
    broken[at] ^= 0xff;
    assert!(get(Some(broken)).is_err());
}

#[test]
fn a_length_that_lies_changes_nothing() {
    let huge = format!("HTTP/1.1 200 OK\r\n{TAG}Content-Length: 99999999999\r\n\r\n");
    assert_eq!(
        get(Some(huge.into_bytes())),
        Err(RemoteError::AnswerTooLarge)
    );
    let short = format!(
        "HTTP/1.1 200 OK\r\n{TAG}Content-Type: application/json\r\nContent-Length: 5\r\n\r\n{EMPTY}"
    );
    is_nonsense(&get(Some(short.into_bytes())));
}

#[test]
fn nobody_is_followed_with_the_token() {
    let (elsewhere, seen) = serve(|_| answer(200, TAG, EMPTY));
    let location = format!("Location: {elsewhere}/x?repo=1\r\n");
    for status in [301, 302, 307, 308] {
        let error = get(answer(status, &location, "")).unwrap_err();
        let said = format!("it redirects to `{elsewhere}/x`, which is not followed");
        assert!(error.to_string().contains(&said), "{error}");
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[test]
fn the_token_is_never_shown() {
    let token = ["t0k", "en"].concat();
    let options = options("http://127.0.0.1:1");
    assert!(!format!("{options:?}").contains(&token));
    let mut http = Http::open(options.clone()).unwrap();
    assert!(!format!("{http:?}").contains(&token));
    let error = http.get_state(&StateQuery::default(), None).unwrap_err();
    assert!(!format!("{error:?}{error}").contains(&token));
    let said = format!(
        r#"{{"type":"error","error":{{"type":"x","message":"bad {token}"}},"request_id":"r"}}"#
    );
    let error = get(answer(422, "", &said)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the remote refuses the request (status 422): bad [key]"
    );
    let mut bad = options;
    bad.token = Some(SecretString::from(format!("{token}\r\nX: y")));
    let error = Http::open(bad).unwrap_err();
    assert_eq!(error, HttpError::Token);
    assert!(!format!("{error:?}{error}").contains(&token));
}

#[test]
fn a_look_is_sent_once_more_where_the_connection_ends_and_a_write_is_not() {
    let flaky = || {
        let mut requests = 0;
        serve(move |_| {
            requests += 1;
            // The second of each two is answered: whatever is sent again.
            (requests % 2 == 0).then(|| answer(200, TAG, EMPTY))?
        })
    };
    let (base, seen) = flaky();
    let found = open(&base).get_state(&StateQuery::default(), None);
    assert!(matches!(found, Ok(Fetched::Found { .. })), "{found:?}");
    assert_eq!(seen.lock().unwrap().len(), 2);
    let (base, seen) = flaky();
    is_unreachable(&open(&base).put_entries(&PutBody::default(), None));
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[test]
fn an_answer_that_cannot_be_unpacked_is_the_servers_fault_and_no_line_that_broke() {
    let packed = "ETag: \"1\"\r\nContent-Encoding: gzip\r\n";
    let plain = get(answer(200, packed, EMPTY));
    is_nonsense(&plain);
    let said = plain.unwrap_err().to_string();
    assert!(said.contains("cannot be unpacked"), "{said}");
    // Cut short, with a length that says so.
    let mut whole = gzip(EMPTY.as_bytes());
    whole.truncate(whole.len() / 2);
    let head = format!(
        "HTTP/1.1 200 X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{packed}\r\n",
        whole.len()
    );
    is_nonsense(&get(Some([head.as_bytes(), &whole].concat())));
}

#[test]
fn an_entry_that_lies_costs_itself_and_an_answer_that_is_cut_off_counts_for_nothing() {
    let entry = |name: &str, text: &str| {
        let sha256 = Sha256::digest(text.as_bytes());
        format!(r#""{name}":{{"content":"{text}","sha256":"{sha256}","updated_at":"","actor":""}}"#)
    };
    let (one, two) = (entry("a.md", "one"), entry("b.md", "two"));
    let lie = entry("c.md", "three").replace("three", "four");
    let faulty = format!(r#"{{"version":3,"entries":{{{one},{lie},{two}}},"deleted":{{}}}}"#);
    let Ok(Fetched::Found {
        answer: found,
        rejected,
        ..
    }) = get(answer(200, TAG, &faulty))
    else {
        panic!("there is an answer");
    };
    let names: Vec<&str> = found.entries.keys().map(EntryKey::as_str).collect();
    assert_eq!((names, rejected.len()), (vec!["a.md", "b.md"], 1));
    let whole = format!(r#"{{"version":3,"entries":{{{one},{two}}},"deleted":{{}}}}"#);
    let length = format!(
        "{TAG}Content-Type: application/json\r\nContent-Length: {}",
        whole.len()
    );
    let half = &whole[..whole.len() - 60];
    let cut = format!("HTTP/1.1 200 OK\r\n{length}\r\n\r\n{half}").into_bytes();
    let (base, _) = serve(move |_| Some(cut.clone()));
    let mut impatient = options(&base);
    impatient.limits.stall = Duration::from_millis(300);
    let mut http = Http::open(impatient).unwrap();
    is_unreachable(&http.get_state(&StateQuery::default(), None));
}
