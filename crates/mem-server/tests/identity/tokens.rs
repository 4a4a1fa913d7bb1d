//! Tokens for machines: when they were used last, and how they are rotated.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::fixture::{RunningServer, machine_token, wait_until, with_database};
use crate::storage::fixture::Fixture;

fn used(fixture: &Fixture, id: &str) -> Option<Timestamp> {
    let all = with_database(fixture, async |database| database.tokens().await.unwrap());
    all.into_iter()
        .find(|token| token.id == id)
        .unwrap()
        .last_used_at
}

#[test]
fn the_last_use_is_known_to_an_hour_and_costs_a_request_nothing() {
    for fixture in Fixture::all() {
        let server = RunningServer::start(&fixture, "");
        let (id, token) = machine_token(&fixture, "ci", &["team:acme/*:read"]);
        assert_eq!(used(&fixture, &id), None);
        assert_eq!(server.reads(&token, "acme/app"), 200);
        wait_until(|| used(&fixture, &id).is_some());
        let first = used(&fixture, &id).unwrap();
        server.ahead.set(30 * 60);
        assert_eq!(server.reads(&token, "acme/app"), 200);
        server.ahead.set(90 * 60);
        assert_eq!(server.reads(&token, "acme/app"), 200);
        wait_until(|| used(&fixture, &id) != Some(first));
        let second = used(&fixture, &id).unwrap();
        assert!(second.duration_since(first) > SignedDuration::from_mins(80));
        // A token that does not count was not used.
        server.ahead.set(0);
        assert_eq!(server.reads(&token[..token.len() - 1], "acme/app"), 401);
    }
}

#[test]
fn a_rotated_token_has_a_successor_and_ends_after_the_overlap() {
    for fixture in Fixture::all() {
        let server = RunningServer::start(&fixture, "");
        let (id, old) = machine_token(&fixture, "ci", &["team:acme/*:write"]);
        let (admin_id, admin) =
            machine_token(&fixture, "admin", &["team:acme/*:write", "tokens:write"]);
        let (_, less) = machine_token(&fixture, "less", &["team:acme/*:read", "tokens:write"]);
        let rotate = |who: &str, id: &str, body: &Value| {
            let ask = server
                .ask("POST", &format!("/api/tokens/{id}/rotate"))
                .token(who);
            ask.json(body.to_string()).send()
        };
        let day = json!({ "overlap_seconds": 24 * 3600 });
        // Whoever rotates sees the secret: they have to be allowed all of it.
        rotate(&old, &id, &day).assert(403);
        rotate(&less, &id, &day).assert(403);
        rotate(&admin, "apikey_none", &day).assert(404);
        for bad in [
            json!({ "overlap": 1 }),
            json!({ "overlap_seconds": -1 }),
            json!({ "overlap_seconds": 2_592_001 }),
        ] {
            rotate(&admin, &id, &bad).assert(400);
        }
        let answer = rotate(&admin, &id, &day);
        answer.assert(200);
        let made = answer.json();
        let new = made["token"].as_str().unwrap();
        assert_eq!(
            (&made["name"], &made["grants"]),
            (&json!("ci"), &json!(["team:acme/*:write"]))
        );
        assert_eq!(
            (
                server.writes(&old, "acme/app"),
                server.writes(new, "acme/app")
            ),
            (200, 200)
        );
        let listed = server.ask("GET", "/api/tokens").token(&admin).send().json();
        let listed = listed["tokens"].as_array().unwrap().clone();
        let of = |id: &str| listed.iter().find(|token| token["id"] == *id).unwrap();
        assert_eq!(
            of(made["id"].as_str().unwrap())["rotated_from"],
            id.as_str()
        );
        assert!(of(&id)["expires_at"].is_string());
        server.ahead.set(24 * 3600 + 1);
        assert_eq!(
            (
                server.reads(&old, "acme/app"),
                server.reads(new, "acme/app")
            ),
            (401, 200)
        );
        rotate(&admin, &id, &day).assert(404);
        // Without an overlap the old one ends at once.
        let answer = rotate(&admin, &admin_id, &json!({ "overlap_seconds": 0 }));
        answer.assert(200);
        assert_eq!(server.session_status(&admin), 401);
        let next = answer.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(server.session_status(&next), 200);
    }
}
