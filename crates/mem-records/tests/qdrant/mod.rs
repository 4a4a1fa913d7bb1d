//! The back end over Qdrant, against a server that plays the endpoints of its documented REST API.
//! Qdrant itself does not run here: that it takes these requests rests on its documentation.

mod conduct;
mod fake_server;

use mem_core::Now;
use mem_records::qdrant::{Qdrant, QdrantOptions, STALL};
use mem_records::{Category, NewRecord, RecordError, Records, Retrieve};
use serde_json::{Value, json};

use crate::conformance;
use crate::fixture::now;
use fake_server::FakeServer;

/// Options with the key of the tests.
fn options(base: String, collection: &str) -> QdrantOptions {
    QdrantOptions {
        base,
        api_key: Some(["not", "a", "key"].concat().into()),
        collection: collection.to_owned(),
        stall: STALL,
    }
}

fn open(server: &FakeServer, collection: &str) -> Qdrant {
    Qdrant::open(&options(server.base(), collection)).unwrap()
}

/// A request without its vector, which is the encoder's matter.
fn recorded(server: &FakeServer, at: usize) -> (String, Value) {
    let (line, mut body) = server.requests()[at].clone();
    for pointer in ["/query", "/operations/0/upsert/points/0/vector"] {
        if let Some(vector) = body.pointer_mut(pointer) {
            assert_eq!(vector.as_array().map(Vec::len), Some(384));
            *vector = json!("vector");
        }
    }
    (line, body)
}

#[test]
fn it_does_what_every_back_end_does() {
    let server = FakeServer::begin();
    let (mut alice, mut bob) = (open(&server, "mem_alice"), open(&server, "mem_bob"));
    conformance::check_conformance(&mut alice, &mut bob, now()).unwrap();
    assert_eq!(server.collections(), ["mem_alice", "mem_bob"]);
}

#[test]
fn requests_are_those_of_the_documented_api() {
    let server = FakeServer::begin();
    let mut records = open(&server, "mem_alice");
    let record = NewRecord::new("Lunch is at noon.", Category::ProjectContext, 4).unwrap();
    let record = record.until(Some("2026-04-01T00:00:00Z".parse().unwrap()));
    let stored = records.store(&record, now()).unwrap();
    let line = |at| recorded(&server, at).0;
    assert_eq!(line(0), "GET /collections/mem_alice");
    let vectors = json!({ "vectors": { "size": 384, "distance": "Cosine" } });
    assert_eq!(
        recorded(&server, 1),
        ("PUT /collections/mem_alice".to_owned(), vectors)
    );
    assert_eq!(line(2), "POST /collections/mem_alice/points/query");
    let upsert = json!({ "operations": [{ "upsert": { "points": [{
        "id": stored.id.as_str(), "vector": "vector", "payload": {
            "content": "Lunch is at noon.", "category": "project_context", "tags": [], "importance": 4,
            "created_at": "2026-03-01T12:00:00Z",
            "expires_at": "2026-04-01T00:00:00Z", "expires_s": 1_775_001_600,
        },
    }] } }] });
    let batch = "POST /collections/mem_alice/points/batch?wait=true".to_owned();
    assert_eq!(recorded(&server, 3), (batch, upsert));
    let mut query = Retrieve::new("when is lunch").unwrap();
    query.categories = vec![Category::ProjectContext];
    query.min_importance = 3;
    records.retrieve(&query, now()).unwrap();
    let search = json!({
        "query": "vector", "limit": 10, "with_payload": true,
        "filter": { "must": [
            { "key": "category", "match": { "any": ["project_context"] } },
            { "key": "importance", "range": { "gte": 3 } },
            { "should": [
                { "is_empty": { "key": "expires_s" } },
                { "key": "expires_s", "range": { "gt": 1_772_366_400 } },
            ] },
            { "is_empty": { "key": "gone" } },
        ] },
    });
    assert_eq!(
        recorded(&server, 4),
        (
            "POST /collections/mem_alice/points/query".to_owned(),
            search
        )
    );
    records.delete(&stored.id, "it is over", now()).unwrap();
    let gone = json!({
        "payload": { "gone": {
            "reason": "it is over", "time": "2026-03-01T12:00:00Z", "superseded_by": null,
        } },
        "points": [stored.id.as_str()],
    });
    let last = server.requests().len() - 1;
    let overwrite = "PUT /collections/mem_alice/points/payload?wait=true".to_owned();
    assert_eq!(recorded(&server, last), (overwrite, gone));
    assert!(server.keys().iter().all(|key| key == "notakey"));
}

#[test]
fn what_does_not_answer_or_refuses_is_a_clear_error() {
    let server = FakeServer::begin();
    let mut records = open(&server, "broken");
    let record = NewRecord::new("x", Category::ProjectContext, 4).unwrap();
    let refused = records.store(&record, now()).unwrap_err();
    assert!(matches!(&refused, RecordError::Refused { cause, .. } if cause == "disk is full"));
    let nobody = options("http://127.0.0.1:1".to_owned(), "x");
    let mut nobody = Qdrant::open(&nobody).unwrap();
    let now: Now = now();
    let refused = nobody.store(&record, now).unwrap_err();
    assert!(
        matches!(refused, RecordError::Unreachable { .. }),
        "{refused}"
    );
    assert!(Qdrant::open(&options(server.base(), "../x")).is_err());
}
