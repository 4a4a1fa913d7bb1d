//! `mem attach`, `detach`, `attachments`: what is written down, read and printed.

use mem_tests::{TestEnv, github_token};
use serde_json::json;

use super::Bed;

#[test]
fn lists_of_resources_are_read_and_limits_are_kept() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let ids: Vec<String> = (0..9)
        .map(|at| bed.create(&format!("Store {at}")))
        .collect();
    let resource = |id: &str| json!({ "type": "memory_store", "memory_store_id": id, "prompt": "As in the preview" });
    let list = json!({ "resources": [resource(&ids[0]), { "type": "file", "file_id": "x" }] });
    let run = bed
        .repo
        .invoke(["attach", "--from", "-", "--base-url", &bed.url]);
    let output = run.stdin(list.to_string()).run().assert_ok();
    assert!(
        output.stderr.contains("1 resources are no stores"),
        "{}",
        output.stderr
    );
    assert_eq!(bed.attachments()[0]["instructions"], "As in the preview");
    assert_eq!(bed.attachments()[0]["access"], "read_write");
    // What is printed is read again, and changes what is attached instead of adding to it.
    let printed = bed.repo.mem(["attachments", "--json"]).assert_ok().stdout;
    let again = bed
        .repo
        .invoke(["attach", "--from", "-", "--base-url", &bed.url]);
    again.stdin(printed).run().assert_ok();
    assert_eq!(bed.attachments().len(), 1);
    let long = "x".repeat(4_097);
    bed.attach(&[&ids[1], "--instructions", &long])
        .assert_code(1);
    bed.attach(&[&ids[1], "--instructions", &long[1..]])
        .assert_ok();
    for id in &ids[2..8] {
        bed.attach(&[id]).assert_ok();
    }
    let error = bed.attach(&[&ids[8]]).assert_code(1);
    assert!(
        error.stderr.contains("hint: `mem detach"),
        "{}",
        error.stderr
    );
    assert_eq!(bed.attachments().len(), 8);
    let mine = bed
        .repo
        .invoke(["attach", &ids[8], "--base-url", &bed.url])
        .env("MEM_ACTOR", "agent");
    mine.run().assert_code(1);
    bed.repo.mem(["detach", &ids[7]]).assert_ok();
    bed.store(&["archive", &ids[8], "--yes"]);
    let error = bed.attach(&[&ids[8]]).assert_code(1);
    assert!(error.stderr.contains("archived"), "{}", error.stderr);
    for wrong in [
        "",
        "[]",
        "{\"resources\":7}",
        "[{\"type\":\"memory_store\"}]",
    ] {
        let run = bed
            .repo
            .invoke(["attach", "--from", "-", "--base-url", &bed.url]);
        assert_ne!(run.stdin(wrong).run().code, 0, "{wrong}");
    }
}

#[test]
fn no_secret_becomes_instructions() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    let id = bed.create("Store");
    let token = github_token(1);
    let text = format!("Log in with {token} first.");
    let given = bed.attach(&[&id, "--instructions", &text]);
    let resource = json!([{ "type": "memory_store", "memory_store_id": id, "prompt": text }]);
    let from = ["attach", "--from", "-", "--base-url", &bed.url];
    let listed = bed.repo.invoke(from).stdin(resource.to_string()).run();
    for output in [given, listed] {
        let said = output.assert_code(3).stderr;
        assert!(
            said.contains("holds a secret") && !said.contains(&token),
            "{said}"
        );
    }
    assert!(bed.attachments().is_empty());
}

#[test]
fn slugs_tell_stores_of_one_name_and_the_projects_own_tree_apart() {
    let env = TestEnv::new();
    let bed = Bed::new(&env);
    bed.create_file("/memories/notes/own.md", "of the project\n");
    let (one, two) = (bed.create("Notes"), bed.create("notes"));
    bed.attach(&[&one]).assert_ok();
    bed.attach(&[&two]).assert_ok();
    let mounts: Vec<String> = bed
        .attachments()
        .iter()
        .map(|one| one["mount_path"].as_str().unwrap().to_owned())
        .collect();
    let suffix = |id: &str| id[id.len() - 8..].to_lowercase();
    assert_eq!(mounts[0], format!("/memories/notes-{}", suffix(&one)));
    assert_eq!(mounts[1], format!("/memories/notes-{}", suffix(&two)));
    assert!(
        bed.view("/memories/notes/own.md")
            .contains("of the project")
    );
    let root = bed.view("/memories");
    assert!(
        root.contains("\t/memories/notes/") && root.contains(&format!("\t{}/", mounts[0])),
        "{root}"
    );
}
