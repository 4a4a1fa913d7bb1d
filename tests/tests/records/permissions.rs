//! Who may write, read and delete a record, and what is told of it.

use mem_tests::{TestEnv, words};
use serde_json::json;

use super::{DAY, contents, id, retrieved, store};
use crate::mcp::served;

#[test]
fn a_write_of_an_agent_waits_as_every_other_does() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "The API gateway listens on port 8080.",
        "factual_knowledge",
        &[],
    );
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let before = env.files_under(&repo.memory());
    let mut rpc = served(&repo, &[]);
    let record = json!({
        "content": "The API gateway listens on port 9090.", "category": "factual_knowledge", "importance": 3,
    });
    assert!(
        rpc.refused("memory_store", record.clone())
            .contains("put aside for a person")
    );
    assert_eq!(env.files_under(&repo.memory()), before);
    let waiting = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(waiting.contains("9090"), "{waiting}");
    let entries = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
    let entry = entries["entries"][0]["id"].as_str().unwrap().to_owned();
    repo.mem(["inbox", "accept", &entry]).assert_ok();
    assert_eq!(
        contents(&retrieved(&repo, "gateway port", &[])),
        ["The API gateway listens on port 9090."]
    );
    let mut rpc = served(&repo, &["--user", "alice"]);
    assert!(
        rpc.refused("memory_store", record)
            .contains("not for a user either")
    );
}

#[test]
fn nobody_learns_anything_of_another_users_records() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "The project's door code is on the wall.",
        "factual_knowledge",
        &[],
    );
    let alice = ["--user", "alice"];
    let secret = id(&store(
        &repo,
        "The door code changes monthly.",
        "factual_knowledge",
        &alice,
    ));
    for other in [
        &["--user", "bob"][..],
        &["--user", "Alice"],
        &["--user", "../alice"],
    ] {
        assert!(
            contents(&retrieved(&repo, "door code", other)).is_empty(),
            "{other:?}"
        );
        let listed = repo
            .mem(["record", "list", "--json"].iter().chain(other))
            .json();
        assert_eq!(listed, json!({ "memories": [] }));
        let delete = |id: &str| {
            let args = ["record", "delete", id, "--reason", "curious", "--json"];
            let error = repo
                .mem(args.iter().chain(other))
                .assert_code(1)
                .json_error();
            error.to_string().replace(id, "ID")
        };
        let unknown = format!("mem_{}", "0".repeat(24));
        assert_eq!(delete(&secret), delete(&unknown));
        let own = store(
            &repo,
            "The door code changes weekly.",
            "factual_knowledge",
            other,
        );
        assert!(own.json()["superseded"].is_null(), "{own:?}");
        let trail = repo.mem(["log-audit", "--json"].iter().chain(other)).json();
        assert_eq!(trail, json!({ "entries": [] }));
    }
    let project = retrieved(&repo, "door code", &[]);
    assert_eq!(
        contents(&project),
        ["The project's door code is on the wall."]
    );
    assert_eq!(
        contents(&retrieved(&repo, "door code", &alice)),
        ["The door code changes monthly."]
    );
    let recalled = repo
        .mem(["recall", "what is the door code?"])
        .assert_ok()
        .stdout;
    assert!(!recalled.contains("monthly"), "{recalled}");
    repo.mem(["record", "list", "--user", ""]).assert_code(2);
}

#[test]
fn a_reason_is_asked_for_and_stands_in_the_audit_trail() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let one = id(&store(
        &repo,
        "Sprint 12 ends on Friday.",
        "task_progress",
        &[],
    ));
    repo.mem(["record", "delete", &one]).assert_code(2);
    repo.mem(["record", "delete", &one, "--reason", " "])
        .assert_code(2);
    repo.mem(["record", "delete", &one, "--reason", "it is\nover"])
        .assert_ok();
    env.advance(3 * DAY);
    let save = words("save --type project --name Old --description old --body x");
    repo.mem(save).assert_ok();
    repo.mem(["remove", "Old", "--reason", "nobody asks"])
        .assert_ok();
    let trail = repo.mem(["log-audit"]).assert_ok().stdout;
    let lines: Vec<&str> = trail.lines().collect();
    assert_eq!(lines.len(), 2, "{trail}");
    assert!(lines[0].contains("project_old.md  nobody asks"), "{trail}");
    assert!(lines[1].contains("it is over"), "{trail}");
    let recent = repo
        .mem(["log-audit", "--since", "2d", "--json"])
        .assert_ok()
        .json();
    assert_eq!(recent["entries"].as_array().unwrap().len(), 1);
    assert_eq!(recent["entries"][0]["reason"], "nobody asks");
    repo.mem(["undo"]).assert_ok();
    assert!(repo.mem(["log-audit"]).stdout.contains("(undone)"));
}

#[test]
fn what_was_done_to_a_users_records_is_undone_told_and_redacted_there() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let save = words("save --type project --name Precious --description precious --body x");
    repo.mem(save).assert_ok();
    let ann = ["--user", "ann b"];
    store(&repo, "Lunch is at noon.", "project_context", &ann);
    let kept = |user: &str| {
        let list = ["record", "list", "--json", "--user", user];
        let json = repo.mem(list).assert_ok().json();
        json["memories"].as_array().unwrap().len()
    };
    let gone = ["prune", "--below", "5", "--user", "ann b"];
    let said = repo.mem(gone).assert_ok().stderr;
    assert!(said.contains("`mem undo --user 'ann b'`"), "{said}");
    assert_eq!(kept("ann b"), 0);
    repo.mem(["undo"].iter().chain(&ann)).assert_ok();
    assert_eq!(kept("ann b"), 1, "the prune is taken back");
    let list = repo.mem(["list"]).assert_ok().stdout;
    assert!(list.contains("precious"), "the project's own stays: {list}");
    let history = |name: &[&str]| {
        let args = ["history"].iter().chain(name).chain(&ann);
        repo.mem(args).assert_ok().stdout
    };
    assert_eq!(history(&[]).lines().count(), 3, "{}", history(&[]));
    assert!(!history(&[]).contains("precious"));
    assert_eq!(history(&["project_lunch_is_at_noon"]).lines().count(), 3);
    repo.mem(["undo", "--user", "bob"]).assert_code(1);
}

#[test]
fn a_secret_in_a_users_record_is_redacted_by_the_command_that_its_warning_names() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let secret = format!("ghp_{}", "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b");
    let content = format!("The token is {secret} for now.");
    let args = [
        "record",
        "store",
        &content,
        "--category",
        "factual_knowledge",
    ];
    let told = repo.mem(args.iter().chain(&["--user", "ann"])).assert_ok();
    let command = told.stderr.split_once("`mem redact ").unwrap().1;
    let command = command.split_once('`').unwrap().0;
    assert_eq!(command, "--user ann --text -");
    let holds = || {
        let state = env.files_under(env.root());
        state.iter().any(|(_, bytes)| {
            let text = String::from_utf8_lossy(bytes.as_ref());
            text.contains(&secret)
        })
    };
    assert!(holds());
    let redact = words(&format!("redact --yes {command}"));
    let redact = repo.invoke(redact).stdin(secret.as_str());
    redact.run().assert_ok();
    assert!(!holds(), "the file is clean, and all that is not packed");
    repo.mem(args.iter().chain(&["--user", "bob"])).assert_ok();
    let text = ["redact", "--text", &secret, "--yes"];
    let other = ["--user", "ann"];
    repo.mem(text.iter().chain(&other)).assert_ok();
    assert!(holds(), "one user's redaction leaves another's records");
    repo.mem(text).assert_ok();
    assert!(!holds(), "without a user it reaches everybody's");
}

#[test]
fn what_differs_comes_back_and_is_scanned_of_a_users_records() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let ann = ["--user", "ann b"];
    let whose = "--user 'ann b'";
    store(&repo, "Lunch is at noon.", "project_context", &ann);
    store(&repo, "Lunch is at one.", "project_context", &ann);
    let run = |args: &[&str]| repo.mem(args.iter().chain(&ann));
    let diff = run(&["diff"]).assert_ok().stdout;
    assert!(diff.contains("+Lunch is at one."), "{diff}");
    repo.mem(["diff", "project_lunch_is_at_one"]).assert_code(1);
    let one = run(&["diff", "project_lunch_is_at_one"]).assert_ok().stdout;
    assert!(one.contains("Lunch is at one."), "{one}");
    run(&["prune", "--below", "5"]).assert_ok();
    repo.mem(["restore", "project_lunch_is_at_noon"])
        .assert_code(1);
    run(&["restore", "project_lunch_is_at_noon"]).assert_ok();
    let listed = run(&["record", "list"]).assert_ok().stdout;
    assert!(listed.contains("Lunch is at noon."), "{listed}");
    // Whatever a hint names is about the same records.
    for (args, named) in [
        (&["restore", "breakfast"][..], "`mem history"),
        (&["diff", "breakfast"], "`mem history"),
        (&["undo", "chg_00000000"], "`mem history"),
        (&["history", "breakfast"], "`mem history"),
    ] {
        let told = run(args).assert_code(1).stderr;
        assert!(
            told.contains(&format!("{named} {whose}")),
            "{args:?}: {told}"
        );
    }
    let told = repo.mem(["undo", "--user", "nobody"]).assert_code(1).stderr;
    assert!(told.contains("`mem history --user nobody`"), "{told}");
    let agents = ["config", "set", "memory.write", "confirm"];
    repo.mem(agents).assert_ok();
    let restore = ["restore", "project_lunch_is_at_one"];
    let as_agent = repo
        .invoke(restore.iter().chain(&ann))
        .env("MEM_ACTOR", "agent");
    let told = as_agent.run().assert_code(1).stderr;
    assert!(told.contains("not for a user either"), "{told}");
}

#[test]
fn a_secret_among_a_users_records_is_found_and_its_return_is_warned_of() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let ann = ["--user", "ann b"];
    let content = format!("The token is {} for now.", mem_tests::github_token(7));
    store(&repo, &content, "factual_knowledge", &ann);
    repo.mem(["scan", "--memory"]).assert_ok();
    repo.mem(["scan", "--memory", "--user", "bob"]).assert_ok();
    for args in [&["--user", "ann b"][..], &["--all"]] {
        let scan = ["scan", "--memory"].iter().chain(args);
        let told = repo.mem(scan).assert_code(3).stdout;
        assert!(
            told.contains("records") && !told.contains(&content),
            "{told}"
        );
    }
    let gone = ["prune", "--below", "5"].iter().chain(&ann);
    repo.mem(gone).assert_ok();
    let back = repo.mem(["undo"].iter().chain(&ann)).assert_ok().stderr;
    assert!(back.contains("`mem redact --user 'ann b' "), "{back}");
}
