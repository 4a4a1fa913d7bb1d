//! The remote in memory behind a socket: what the client sends and reads is what the protocol says.

use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, InMemory, LogQuery, Remote, RemoteError, StateQuery, conformance};
use mem_sync::wire::{ETag, LOG_PATH, PATH, PutBody, REDACT_PATH, RedactBody};

use super::server::{Request, answer, open, serve};

/// The pairs of a query, unescaped.
fn pairs(line: &str) -> (String, Vec<(String, String)>) {
    let target = line.split(' ').nth(1).unwrap();
    let url = reqwest::Url::parse(&format!("http://x{target}")).unwrap();
    (
        url.path().to_owned(),
        url.query_pairs().into_owned().collect(),
    )
}

/// Answers one request out of a store.
fn bridge(store: &InMemory, request: &Request) -> Option<Vec<u8>> {
    let mut store = store.for_actor(request.header("x-mem-actor").unwrap());
    let tag = |name| request.header(name).map(|text| ETag::parse(text).unwrap());
    let (path, pairs) = pairs(&request.line);
    let first = |name: &str| {
        pairs
            .iter()
            .find(|(one, _)| one == name)
            .map(|(_, value)| value.clone())
    };
    assert_eq!(first("repo").as_deref(), Some("acme/app"));
    let path = path.strip_prefix("/some/prefix").unwrap();
    let etag = |etag: ETag| format!("ETag: {etag}\r\n");
    let text = |json: Vec<u8>| String::from_utf8(json).unwrap();
    let done = match (request.line.split(' ').next().unwrap(), path) {
        ("GET", PATH) => {
            let keys = pairs.iter().filter(|(name, _)| name == "keys");
            let query = StateQuery {
                hashes: first("view").as_deref() == Some("hashes"),
                keys: keys.map(|(_, key)| EntryKey::parse(key).unwrap()).collect(),
            };
            store
                .get_state(&query, tag("if-none-match").as_ref())
                .map(|found| match found {
                    Fetched::NotModified => answer(304, "", ""),
                    Fetched::Found {
                        etag: tag,
                        answer: body,
                        ..
                    } => answer(200, &etag(tag), &text(body.to_json())),
                })
        }
        ("PUT", PATH) => {
            let (body, rejected) = PutBody::read(&request.body).unwrap();
            store
                .put_entries(&body, tag("if-match").as_ref())
                .map(|mut put| {
                    let rejected = rejected.into_iter().map(|one| (one.name, one.rejection));
                    put.answer.rejected.extend(rejected);
                    answer(200, &etag(put.etag), &text(put.answer.to_json()))
                })
        }
        ("GET", LOG_PATH) => {
            let query = LogQuery {
                key: first("key").map(|key| EntryKey::parse(&key).unwrap()),
                limit: first("limit").unwrap().parse().unwrap(),
                page: first("page"),
            };
            store
                .read_log(&query)
                .map(|page| answer(200, "", &text(page.to_json())))
        }
        ("POST", REDACT_PATH) => {
            let what = RedactBody::read(&request.body).unwrap();
            store
                .redact_key(&what)
                .map(|redacted| answer(200, "", &text(redacted.to_json())))
        }
        _ => panic!("{}", request.line),
    };
    done.unwrap_or_else(|error| match error {
        RemoteError::Raced { etag: tag } => answer(412, &etag(tag.unwrap()), "{}"),
        RemoteError::NotFound => answer(404, "", "{}"),
        RemoteError::InTheWay(_) => answer(409, "", "{}"),
        RemoteError::Refused { status, .. } => answer(status, "", "{}"),
        other => panic!("{other:?}"),
    })
}

#[test]
fn it_conforms_over_one_connection_each() {
    let store = InMemory::default();
    let (base, seen) = serve(move |request| bridge(&store, request));
    let base = format!("{base}/some/prefix/");
    conformance::check_remote(&mut open(&base), &mut open(&base)).unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 30 && seen.iter().all(|request| request.connection < 2));
    let token = ["Bearer t0k", "en"].concat();
    for request in &*seen {
        assert_eq!(request.header("authorization"), Some(token.as_str()));
        assert_eq!(request.header("x-mem-actor"), Some("Ada Lovelace"));
        assert_eq!(request.header("accept-encoding"), Some("identity"));
        assert_eq!(request.header("user-agent"), Some("mem/test"));
    }
}

#[test]
fn only_another_machine_is_asked_to_pack() {
    let store = InMemory::default();
    let (base, seen) = serve(move |request| bridge(&store, request));
    let (_, port) = base.rsplit_once(':').unwrap();
    // That this address leads to this machine too is nothing that it says.
    for host in ["localhost", "0.0.0.0"] {
        let base = format!("http://{host}:{port}/some/prefix");
        open(&base).get_state(&StateQuery::default(), None).unwrap();
    }
    let seen = seen.lock().unwrap();
    let asked: Vec<_> = seen
        .iter()
        .map(|request| request.header("accept-encoding"))
        .collect();
    assert_eq!(asked, [Some("identity"), Some("gzip")]);
}
