//! `mem mcp`: notes and indexes as resources, and the notes of sessions.

use mem_tests::{TestEnv, words};
use serde_json::{Value, json};

use crate::mcp::{note, served};

fn uris(page: &Value) -> Vec<String> {
    let resources = page["resources"].as_array().unwrap().iter();
    resources
        .map(|one| one["uri"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn notes_and_indexes_are_listed_and_read() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &["--scope", "private"]);
    let file = "sub/a note.md";
    rpc.tool(
        "memory_write",
        json!({ "path": file, "content": note("A", "one") }),
    );
    repo.mem(words(
        "save --type user --scope global --name G --description g --body x",
    ))
    .assert_ok();
    let page = rpc.result("resources/list", json!({}));
    assert_eq!(
        uris(&page),
        [
            "memory://private/MEMORY.md",
            "memory://private/sub/a%20note.md"
        ]
    );
    let resource = &page["resources"][1];
    assert_eq!(
        (&resource["name"], &resource["mimeType"]),
        (&json!(file), &json!("text/markdown"))
    );
    for resource in page["resources"].as_array().unwrap() {
        let read = rpc.result("resources/read", json!({ "uri": resource["uri"] }));
        let text = read["contents"][0]["text"].as_str().unwrap();
        assert_eq!(text.len() as u64, resource["size"].as_u64().unwrap());
    }
    let templates = rpc.result("resources/templates/list", json!({}));
    let template = &templates["resourceTemplates"][0]["uriTemplate"];
    assert_eq!(template, "memory://{scope}/{+path}");
    for uri in [
        "memory://private/none.md",
        "memory://global/user_g.md",
        "memory://private/../MEMORY.md",
        "memory://private/%2e%2e/x.md",
        "memory://private/%00.md",
        "file:///etc/passwd",
        "",
    ] {
        let answer = rpc.ask("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
}

#[test]
fn many_resources_come_in_pages() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for number in 0..230 {
        repo.edit_note(&format!("n{number:03}.md"), "x");
    }
    let mut rpc = served(&repo, &[]);
    let (mut seen, mut pages, mut cursor) = (Vec::new(), 0, Value::Null);
    loop {
        let page = rpc.result("resources/list", json!({ "cursor": cursor }));
        seen.extend(uris(&page));
        pages += 1;
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!((pages, seen.len()), (3, 230));
    assert!(seen.is_sorted());
    let answer = rpc.ask("resources/list", json!({ "cursor": "7" }));
    assert_eq!(answer["error"]["code"], -32602);
}

#[test]
fn the_index_is_read_like_a_note_but_not_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let told = rpc.refused("memory_read", json!({ "path": "MEMORY.md" }));
    assert!(told.contains("there is no note `MEMORY.md`"), "{told}");
    rpc.tool(
        "memory_write",
        json!({ "path": "team:a.md", "content": note("A", "one") }),
    );
    let index = rpc.tool("memory_read", json!({ "path": "team:MEMORY.md" }));
    assert!(index["content"].as_str().unwrap().contains("(a.md)"));
    for path in [
        "MEMORY.md",
        "team/MEMORY.md",
        "logs/x.md",
        "../a.md",
        "/etc/a.md",
        "a\0.md",
        "",
    ] {
        let told = rpc.refused("memory_write", json!({ "path": path, "content": "x" }));
        assert!(told.contains("hint:"), "{path:?}: {told}");
    }
    let delete = json!({ "path": "team:MEMORY.md", "reason": "x" });
    let told = rpc.refused("memory_delete", delete);
    let index = "`team:MEMORY.md` is a memory index and cannot be deleted";
    assert!(told.contains(index), "{told}");
}

#[test]
fn session_notes_are_those_that_a_compaction_is_given() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let told = rpc.refused("session_notes", json!({}));
    assert_eq!(
        told,
        "error: no session of this repository has notes yet\nhint: go on without them: they are taken \
         while sessions run"
    );
    let session = "11111111-2222-3333-4444-555555555555";
    let slug: String = repo
        .path()
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = env.base().join("projects").join(slug);
    std::fs::create_dir_all(&folder).unwrap();
    let record = json!({
        "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": session, "cwd": repo.path(),
        "timestamp": "2026-01-01T00:00:00Z", "isSidechain": false,
        "message": {"role": "user", "content": "Add rate limiting to the upload endpoint"},
    });
    std::fs::write(
        folder.join(format!("{session}.jsonl")),
        format!("{record}\n"),
    )
    .unwrap();
    repo.mem(["session", "update"]).assert_ok();
    let given = rpc.tool("session_notes", json!({}));
    assert_eq!(given["session"], session);
    assert!(
        given["notes"].as_str().unwrap().contains("rate limiting"),
        "{given}"
    );
    // A session that has only begun is the newest, and asks for what the one before was doing.
    let begun = "99999999-2222-3333-4444-555555555555";
    std::fs::write(folder.join(format!("{begun}.jsonl")), format!("{record}\n")).unwrap();
    assert_eq!(rpc.tool("session_notes", json!({}))["session"], session);
    let told = rpc.refused("session_notes", json!({ "session": begun }));
    assert!(told.contains("has no notes yet"), "{told}");
}
