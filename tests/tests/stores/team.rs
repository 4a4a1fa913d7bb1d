//! Team memory and the stores API over one repository's store at once.

use mem_tests::Server;
use serde_json::{Value, json};

use super::{Bed, ask, id, ok, send};

fn put(server: &Server, body: &Value) -> Value {
    let put = server.store("PUT", "acme/app", "").json(body.to_string());
    ok(&put.send())
}

fn team(server: &Server) -> Value {
    ok(&server.store("GET", "acme/app", "").send())
}

/// The one store that there is.
fn only_store(server: &Server) -> String {
    let page = ok(&ask(server, "GET", "").send());
    assert_eq!(page["data"].as_array().unwrap().len(), 1, "{page}");
    id(&page["data"][0])
}

#[test]
fn what_is_written_at_one_end_is_seen_at_the_other() {
    for bed in Bed::both() {
        let server = bed.open();
        put(
            &server,
            &json!({ "entries": { "a.md": "one", "d/b.md": "b" } }),
        );
        put(
            &server,
            &json!({ "entries": { "a.md": "two" }, "delete": ["d/b.md"] }),
        );
        let store = only_store(&server);
        let log = ok(&ask(&server, "GET", &format!("/{store}/memory_versions")).send());
        let seen: Vec<(&str, &str)> = log["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| {
                (
                    one["operation"].as_str().unwrap(),
                    one["path"].as_str().unwrap(),
                )
            })
            .collect();
        assert_eq!(seen.len(), 4, "{log}");
        assert!(seen.contains(&("modified", "/a.md")) && seen.contains(&("deleted", "/d/b.md")));
        let page = ok(&ask(&server, "GET", &format!("/{store}/memories?view=full")).send());
        assert_eq!(
            (&page["data"][0]["path"], &page["data"][0]["content"]),
            (&json!("/a.md"), &json!("two"))
        );

        // A write through the stores is a new state of the team's store.
        let before = server.store("GET", "acme/app", "").send().etag();
        let body = json!({ "path": "/new/c.md", "content": "c" });
        let made = ok(&send(&server, "POST", &format!("/{store}/memories"), &body));
        let at = format!("/{store}/memories/{}", id(&made));
        let pull = server
            .store("GET", "acme/app", "")
            .header("if-none-match", before.as_str())
            .send();
        assert_eq!(ok(&pull)["entries"]["new/c.md"]["content"], "c");
        ok(&send(
            &server,
            "POST",
            &at,
            &json!({ "path": "/new/d.md", "content": "d" }),
        ));
        let found = team(&server);
        assert_eq!(found["entries"]["new/d.md"]["content"], "d");
        assert!(found["entries"]["new/c.md"].is_null());
        assert!(!found["deleted"]["new/c.md"].is_null(), "{found}");
        ok(&ask(&server, "DELETE", &at).send());
        assert!(!team(&server)["deleted"]["new/d.md"].is_null());

        // Somebody who knows an old state writes nothing over it.
        let stale = server
            .store("PUT", "acme/app", "")
            .header("if-match", before);
        let stale = stale.json(json!({ "entries": { "a.md": "x" } }).to_string());
        assert_eq!(stale.send().status, 412);
    }
}

#[test]
fn a_redaction_through_either_end_holds_at_both() {
    for bed in Bed::both() {
        let server = bed.open();
        put(&server, &json!({ "entries": { "a.md": "leaked words" } }));
        put(&server, &json!({ "entries": { "a.md": "clean" } }));
        let store = only_store(&server);
        let versions = format!("/{store}/memory_versions");
        let log = ok(&ask(&server, "GET", &versions).send());
        let first = id(&log["data"][1]);
        let leaked = log["data"][1]["content_sha256"]
            .as_str()
            .unwrap()
            .to_owned();
        ok(&ask(&server, "POST", &format!("{versions}/{first}/redact")).send());
        let log = server
            .ask("GET", "/api/claude_code/team_memory/log?repo=acme/app")
            .send();
        let log = ok(&log);
        // Who and when stay, without what was taken out.
        let changes = log["changes"].as_array().unwrap();
        let said = |at: usize| {
            let one: &Value = &changes[at];
            (
                one["key"].as_str(),
                one["sha256"].is_null(),
                one["redacted_at"].is_null(),
                one["actor"].is_string() && one["at"].is_string(),
            )
        };
        assert_eq!(changes.len(), 2, "{log}");
        assert_eq!(said(0), (Some("a.md"), false, true, true), "{log}");
        assert_eq!(said(1), (Some("a.md"), true, false, true), "{log}");
        assert!(!log.to_string().contains(&leaked), "{log}");
        assert_eq!(team(&server)["entries"]["a.md"]["content"], "clean");

        put(
            &server,
            &json!({ "entries": { "b.md": "more leaked words" } }),
        );
        put(&server, &json!({ "entries": { "b.md": "clean" } }));
        let redact = server.ask("POST", "/api/claude_code/team_memory/redact?repo=acme/app");
        ok(&redact.json(r#"{"key":"b.md"}"#).send());
        let full = ok(&ask(&server, "GET", &format!("{versions}?view=full")).send());
        assert!(!full.to_string().contains("leaked"), "{full}");
    }
}

#[test]
fn a_repositorys_store_takes_names_that_every_machine_can_have() {
    for bed in Bed::both() {
        let server = bed.open();
        put(&server, &json!({ "entries": { "notes/a.md": "a" } }));
        let store = only_store(&server);
        let all = format!("/{store}/memories");
        for path in ["/NOTES/a.md", "/con.md", "/a\\b", "/.git/config", "/ends."] {
            let answer = send(
                &server,
                "POST",
                &all,
                &json!({ "path": path, "content": "x" }),
            );
            assert!([400, 409].contains(&answer.status), "{path}: {answer:?}");
        }
        let made = team(&server);
        assert_eq!(made["entries"].as_object().unwrap().len(), 1);
    }
}

#[test]
fn grants_for_repositories_and_for_stores_are_two_things() {
    for bed in Bed::both() {
        let owner = bed.token(&["--grant", "team:acme/app:write"]);
        let reader = bed.token(&["--grant", "team:acme/*:read"]);
        let stores = bed.token(&["--grant", "store:*:write"]);
        let server = bed.serve();
        let body = json!({ "entries": { "a.md": "a" } }).to_string();
        ok(&server
            .store("PUT", "acme/app", "")
            .token(&owner)
            .json(body)
            .send());
        let listed = |token: &str| ok(&ask(&server, "GET", "").token(token).send());
        let page = listed(&owner);
        let store = id(&page["data"][0]);
        assert_eq!(listed(&reader), page);
        assert_eq!(listed(&stores)["data"], json!([]));
        let all = format!("/{store}/memories");
        let create = |token: &str| {
            let body = json!({ "path": "/b.md", "content": "b" }).to_string();
            ask(&server, "POST", &all)
                .token(token)
                .json(body)
                .send()
                .status
        };
        assert_eq!(
            (create(&stores), create(&reader), create(&owner)),
            (404, 403, 200)
        );
        // Who may write one repository makes no stores.
        let new = ask(&server, "POST", "")
            .token(&owner)
            .json(r#"{"name":"n"}"#)
            .send();
        assert_eq!(new.assert(403), "permission_error");
    }
}
