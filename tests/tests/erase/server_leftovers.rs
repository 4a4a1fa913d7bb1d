//! What an erasure of a server's user leaves because others wrote it too, and that it says so.

use serde_json::{Value, json};

use super::server_users::{Users, id, noted, post, put};

#[test]
fn what_somebody_else_wrote_to_the_letter_stays_and_is_told() {
    let users = Users::over(None);
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    let late = "Both say that the ferry is late today";
    for (token, text) in [
        (&bob, late),
        (&alice, "Alice says it is early"),
        (&alice, late),
    ] {
        put(&server, token, &json!({ "same.md": text }));
    }
    let shared = noted(&server, &bob, None, "/b.md", late);
    server.end();
    // The file has the text yet, which is his; that is no clean proof.
    let told = users.erase(&["--yes"]).assert_code(1);
    assert!(
        told.stdout.contains("mem.sqlite (content)"),
        "{}",
        told.stdout
    );
    assert!(told.stderr.contains("traces found"), "{}", told.stderr);
    let server = users.serve();
    let team = server
        .store("GET", "acme/app", "")
        .token(&bob)
        .send()
        .json();
    assert_eq!(team["entries"]["same.md"]["content"], late);
    let memories = format!("/v1/memory_stores/{shared}/memories");
    let memories = server.ask("GET", &memories).token(&bob).send().json();
    assert_eq!(memories["data"].as_array().unwrap().len(), 1, "{memories}");
    let files = users.env.files_under(&users.env.root().join("data"));
    let name = b"alice";
    let holds = |bytes: &[u8]| bytes.windows(name.len()).any(|one| one == name);
    let left: Vec<_> = files.iter().filter(|(_, bytes)| holds(bytes)).collect();
    assert!(left.is_empty(), "her name is left");
}

#[test]
fn an_archived_store_goes_back_to_what_others_wrote_and_who_is_named_is_told() {
    let users = Users::over(None);
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    let post = |token: &str, rest: &str, body: &Value| post(&server, token, rest, body);
    let made = json!({ "name": "tides", "description": "What Alice and Bob know of the tides" });
    let store = id(&post(&bob, "", &made));
    let memories = format!("/{store}/memories");
    let his = "Bob says that the tide turns at noon";
    let page = id(&post(
        &bob,
        &memories,
        &json!({ "path": "/page.md", "content": his }),
    ));
    let hers = json!({ "content": "Alice says that the tide turns at one" });
    post(&alice, &format!("{memories}/{page}"), &hers);
    let alone = json!({ "path": "/hers.md", "content": "Alice alone knows of the moon" });
    post(&alice, &memories, &alone);
    post(&bob, &format!("/{store}/archive"), &json!({}));
    // Not while somebody is told of it.
    let beside = users.erase(&["--yes"]);
    assert_ne!(beside.code, 0, "{}", beside.shown());
    let told = &beside.stderr;
    assert!(
        told.contains("a server is using") && told.contains("hint: stop it"),
        "{told}"
    );
    let page_now = || {
        let ask = server.ask("GET", &format!("/v1/memory_stores/{store}/memories/{page}"));
        ask.token(&bob).send().json()["content"].clone()
    };
    assert_eq!(page_now(), hers["content"]);
    server.end();

    let erased = users.erase(&["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        (&erased["memories"], &erased["memories_back"]),
        (&json!(1), &json!(1))
    );
    let proof = &erased["proof"];
    let stays = proof["stays"][0].as_str().unwrap();
    assert!(stays.contains(&store), "{proof}");
    assert_eq!(
        (&proof["is_clean"], &proof["found"]),
        (&json!(false), &json!([]))
    );
    users.erase(&["--yes"]).assert_code(2);
    let server = users.serve();
    let get = |rest: &str| {
        let ask = server.ask("GET", &format!("/v1/memory_stores/{store}{rest}"));
        ask.token(&bob).send().json()
    };
    let listed = get("/memories");
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!(get(&format!("/memories/{id}"))["content"], his);
    assert!(get("")["archived_at"].is_string());
}

#[test]
fn the_tombstone_of_what_they_alone_wrote_and_the_audit_log_are_told() {
    let users = Users::over(None);
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    put(&server, &bob, &json!({ "bob.md": "Bob is here" }));
    put(&server, &alice, &json!({ "ann-divorce.md": "Ann is ill" }));
    server.end();
    let erased = users.erase(&["--yes", "--json"]).assert_ok();
    let proof = erased.json()["proof"].clone();
    let server = users.serve();
    let team = server.store("GET", "acme/app", "").token(&bob).send();
    let team = team.json();
    // Other machines have to be told to remove it.
    let sha256 = team["deleted"]["ann-divorce.md"]["sha256"]
        .as_str()
        .unwrap();
    for word in ["ann-divorce", sha256] {
        assert!(!proof.to_string().contains(word), "{word}: {proof}");
    }
    let tombstones = &proof["tombstones"][0];
    assert_eq!(
        (&tombstones["store"], &tombstones["count"]),
        (&json!("team:acme/app"), &json!(1))
    );
    let looked_for = proof["traces"]["digests"].as_array().unwrap();
    assert!(looked_for.contains(&tombstones["digests"][0]), "{proof}");
    // The name is for whoever runs it.
    let command = "`mem team redact ann-divorce.md --name`";
    assert!(erased.stderr.contains(command), "{}", erased.stderr);
    assert_eq!(
        (&proof["is_clean"], &proof["found"]),
        (&json!(false), &json!([]))
    );
    assert!(proof["not_searched"].to_string().contains("audit log"));
}

#[test]
fn a_tombstone_explains_no_other_row_with_its_checksum() {
    let users = Users::over(None);
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    put(&server, &bob, &json!({ "bob.md": "Bob is here" }));
    put(&server, &alice, &json!({ "ann.md": "Ann is ill" }));
    // Too short to be found by a piece of it.
    noted(&server, &bob, None, "/b.md", "Ann is ill");
    server.end();
    let told = users.erase(&["--yes", "--json"]).assert_code(1);
    let proof = told.json()["proof"].clone();
    assert_eq!(proof["tombstones"][0]["count"], 1);
    let found = proof["found"].as_array().unwrap();
    let digest = found.iter().find(|hit| hit["kind"] == "digest");
    let file = digest.unwrap()["file"].as_str().unwrap();
    assert!(file.ends_with("mem.sqlite"), "{proof}");
    assert!(
        proof["searched_for"]["digest"].as_u64() >= Some(1),
        "{proof}"
    );
}
