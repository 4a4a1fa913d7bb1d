//! Addresses that are none, and servers that do not do what they should.

use std::time::Duration;

use mem_core::Diagnose as _;
use mem_records::qdrant::{Qdrant, QdrantOptions};
use mem_records::{RecordError, RecordFilter, Records as _};
use mem_tests::Dripping;
use mem_tests::http::serve_once;

use super::options;
use crate::fixture::now;

/// What a list of records comes to.
fn list(options: &QdrantOptions) -> RecordError {
    let mut records = Qdrant::open(options).unwrap();
    records.list(&RecordFilter::default(), now()).unwrap_err()
}

/// What a list comes to where it is answered with these bytes.
fn answered(answer: Vec<u8>) -> RecordError {
    list(&options(serve_once(answer), "mem_alice"))
}

#[test]
fn an_address_with_a_password_is_refused_and_never_shown() {
    let secret = ["hunter", "2"].concat();
    for (base, why) in [
        (
            format!("http://me:{secret}@localhost:6333"),
            "does not belong into it",
        ),
        (format!("https://h/?key={secret}"), "a query or a fragment"),
        (format!("http://h/{secret}"), "read on the way"),
        (secret.clone(), "not a URL"),
    ] {
        let refused = Qdrant::open(&options(base, "mem_alice")).unwrap_err();
        let said = format!("{refused} {refused:?} {:?}", refused.hint());
        assert!(said.contains(why) && !said.contains(&secret), "{said}");
        assert!(matches!(refused, RecordError::Address(_)), "{said}");
    }
    // Without a key nothing is sent that others may not read, but the records: that is a person's to decide.
    let mut keyless = options("http://h.example/below/".to_owned(), "mem_alice");
    keyless.api_key = None;
    let records = format!("{:?}", Qdrant::open(&keyless).unwrap());
    assert!(records.contains("http://h.example/below)"), "{records}");
    let mut two_lines = options("https://h".to_owned(), "mem_alice");
    two_lines.api_key = Some(format!("{secret}\r\nx-other: 1").into());
    let refused = Qdrant::open(&two_lines).unwrap_err().to_string();
    assert!(refused.contains("that no key has") && !refused.contains(&secret));
}

#[test]
fn an_answer_that_is_too_long_is_an_error_and_not_a_shorter_one() {
    // With a length, and without one, where it would be whole JSON if it were cut.
    let huge = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
    let mut endless = b"HTTP/1.1 200 OK\r\n\r\n{\"result\":{\"points\":[]}}".to_vec();
    endless.resize(endless.len() + (65 << 20), b' ');
    for answer in [huge.as_bytes().to_vec(), endless] {
        let error = answered(answer);
        assert!(matches!(error, RecordError::Refused { .. }), "{error:?}");
        let said = error.to_string();
        assert!(
            said.contains("its answer is longer than 67108864 bytes"),
            "{said}"
        );
    }
}

#[test]
fn a_server_that_sends_a_byte_now_and_then_is_given_up() {
    let dripping = Dripping::start();
    let mut impatient = options(dripping.url().to_owned(), "mem_alice");
    impatient.stall = Duration::from_millis(300);
    let error = list(&impatient);
    assert!(
        matches!(error, RecordError::Unreachable { .. }),
        "{error:?}"
    );
    let said = error.to_string();
    assert!(said.contains("bytes of its answer in"), "{said}");
    assert!((2..60_000).contains(&dripping.bytes()));
}

#[test]
fn what_it_says_is_harmless_and_without_the_key() {
    let key = ["not", "a", "key"].concat();
    let body = format!(r#"{{"status":{{"error":"no\u001b[31m {key}"}}}}"#);
    let said = answered(format!("HTTP/1.1 403 X\r\n\r\n{body}").into_bytes()).to_string();
    assert!(said.contains("no\\u{1b}[31m [key]"), "{said}");
    let location = format!("HTTP/1.1 307 X\r\nLocation: https://me:x@h/there?k={key}\r\n\r\n");
    let said = answered(location.into_bytes()).to_string();
    assert!(said.contains("redirects to `https://h/there`"), "{said}");
}
