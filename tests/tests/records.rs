//! `mem record`, and the three tools of `mem mcp`: structured memories, whoever they belong to.

use mem_tests::{Output, Repo, TestEnv, github_token};
use serde_json::{Value, json};

use crate::mcp::served;

const DAY: u64 = 86_400;

pub(crate) fn store(repo: &Repo<'_>, content: &str, category: &str, more: &[&str]) -> Output {
    let args = ["record", "store", content, "--category", category, "--json"];
    repo.mem(args.iter().chain(more)).assert_ok()
}

fn id(output: &Output) -> String {
    output.json()["memory_id"].as_str().unwrap().to_owned()
}

fn retrieved(repo: &Repo<'_>, query: &str, more: &[&str]) -> Value {
    let args = ["record", "retrieve", query, "--json"];
    repo.mem(args.iter().chain(more)).assert_ok().json()
}

fn contents(answer: &Value) -> Vec<&str> {
    let memories = answer["memories"].as_array().unwrap().iter();
    memories
        .map(|one| one["content"].as_str().unwrap())
        .collect()
}

#[test]
fn who_stores_at_once_sees_the_others() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let at_once = |contents: &[String]| {
        let running: Vec<_> = contents
            .iter()
            .map(|content| {
                let args = ["record", "store", content, "--category", "decision_log"];
                repo.invoke(args).spawn()
            })
            .collect();
        for mut one in running {
            assert!(one.wait().expect("it ends").success());
        }
        let listed = repo.mem(["record", "list", "--json"]).json();
        listed["memories"].as_array().unwrap().len()
    };
    let same = "Everybody writes this very sentence at once.".to_owned();
    assert_eq!(at_once(&vec![same; 6]), 1);
    let days = (1..=4).map(|day| format!("The release train leaves on day {day} of the month."));
    assert_eq!(
        at_once(&days.collect::<Vec<_>>()),
        2,
        "each supersedes the one before it"
    );
}

#[test]
fn a_record_comes_back_in_its_shape_and_every_other_command_knows_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let more = [
        "--importance",
        "4",
        "--tag",
        "deploy,day",
        "--expires-at",
        "2030-01-01",
    ];
    let stored = store(&repo, "Deploys are on Tuesdays.", "decision_log", &more);
    let id = id(&stored);
    assert_eq!(stored.json(), json!({ "success": true, "memory_id": id }));
    let answer = retrieved(&repo, "when do we deploy?", &[]);
    let one = &answer["memories"][0];
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    let expected = [
        "id",
        "content",
        "category",
        "importance",
        "score",
        "created_at",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        (one["id"].as_str(), &one["importance"]),
        (Some(id.as_str()), &json!(4))
    );
    assert!((0.0..=1.0).contains(&one["score"].as_f64().unwrap()));
    let shown = repo.mem(["show", &id, "--raw"]).assert_ok().stdout;
    assert!(shown.contains("type: project\n") && shown.contains("category: decision_log\n"));
    let recalled = repo
        .mem(["recall", "on what day do we deploy?"])
        .assert_ok();
    assert!(recalled.stdout.contains("Deploys are on Tuesdays."));
    let index = repo.mem(["index", "show"]).assert_ok().stdout;
    assert!(
        index.contains("(project_deploys_are_on_tuesdays.md)"),
        "{index}"
    );
}

#[test]
fn filters_come_first_and_an_explanation_tells_of_what_expired() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "The merge freeze ends soon.",
        "project_context",
        &["--expires", "2026-02-01"],
    );
    store(
        &repo,
        "Merging needs two reviews.",
        "decision_log",
        &["--importance", "2"],
    );
    store(
        &repo,
        "Ann merges on Mondays.",
        "relationship",
        &["--importance", "5"],
    );
    env.advance(300 * DAY);
    let told = retrieved(&repo, "merging", &["--explain"]);
    assert_eq!(told["left_out"][0]["by"], "expired");
    assert_eq!(
        told["left_out"][0]["content"],
        "The merge freeze ends soon."
    );
    let faded = &told["memories"][0]["effective_importance"];
    assert!(faded.as_f64().unwrap() < 0.01, "{faded}");
    let all = retrieved(&repo, "merging", &[]);
    assert_eq!(contents(&all).len(), 2);
    let some = retrieved(&repo, "merging", &["--category", "decision_log"]);
    assert_eq!(contents(&some), ["Merging needs two reviews."]);
    let some = retrieved(&repo, "merging", &["--min-importance", "3"]);
    assert_eq!(contents(&some), ["Ann merges on Mondays."]);
    assert_eq!(
        contents(&retrieved(&repo, "merging", &["--limit", "1"])).len(),
        1
    );
    let text = repo
        .mem(["record", "retrieve", "merging", "--explain"])
        .assert_ok();
    assert!(text.stderr.contains("left out  expired"), "{}", text.stderr);
}

#[test]
fn what_says_about_the_same_is_superseded_told_and_taken_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let old = id(&store(
        &repo,
        "The API gateway listens on port 8080.",
        "factual_knowledge",
        &[],
    ));
    let stored = store(
        &repo,
        "The API gateway listens on port 9090.",
        "factual_knowledge",
        &[],
    );
    let superseded = &stored.json()["superseded"];
    assert_eq!(superseded["id"], old.as_str());
    assert_eq!(
        superseded["content"],
        "The API gateway listens on port 8080."
    );
    let gone = repo
        .mem(["record", "delete", &old, "--reason", "old"])
        .assert_code(1);
    assert!(
        gone.stderr
            .contains(&format!("superseded by `{}`", id(&stored))),
        "{}",
        gone.stderr
    );
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["action"], &entry["superseded_by"]),
        (&json!("supersede"), &json!(id(&stored)))
    );
    repo.mem(["undo"]).assert_ok();
    let all = retrieved(&repo, "gateway port", &[]);
    assert_eq!(contents(&all), ["The API gateway listens on port 8080."]);
    let again = store(
        &repo,
        "The API gateway listens on port 8080.",
        "factual_knowledge",
        &[],
    );
    assert_eq!(id(&again), old);
}

#[test]
fn tiers_are_kept_apart_when_something_is_superseded() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let global = ["--scope", "global"];
    store(
        &repo,
        "Answers are wanted in German.",
        "user_preference",
        &global,
    );
    let stored = store(
        &repo,
        "Answers are wanted in English.",
        "user_preference",
        &[],
    );
    assert!(stored.json()["superseded"].is_null());
    let stored = store(
        &repo,
        "Answers are wanted in French.",
        "user_preference",
        &global,
    );
    assert_eq!(
        stored.json()["superseded"]["content"],
        "Answers are wanted in German."
    );
    assert_eq!(contents(&retrieved(&repo, "answers", &[])).len(), 2);
}

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
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Old",
        "--description",
        "old",
        "--body",
        "x",
    ];
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
fn bad_input_is_a_clear_error_and_writes_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let large = "x".repeat(1 << 20);
    let huge = repo.invoke(["record", "store", "--category", "relationship"]);
    let huge = huge.stdin(large.clone()).run().assert_code(2);
    assert!(
        huge.stderr
            .contains("1048576 bytes long, the limit is 65536"),
        "{}",
        huge.stderr
    );
    let base = ["record", "store", "x", "--category", "relationship"];
    for (more, told) in [
        (&["--importance", "6"][..], "from 1 to 5"),
        (&["--importance", "-1"], "from 1 to 5"),
        (&["--expires-at", "soon"], "neither a date nor a time"),
        (&["--expires-at", "2026-13-45"], "neither a date nor a time"),
        (&["--tag", "a\nb"], "is not a tag"),
    ] {
        let refused = repo.mem(base.iter().chain(more)).assert_code(2);
        assert!(
            refused.stderr.contains(told) && refused.stderr.contains("hint:"),
            "{}",
            refused.stderr
        );
    }
    for args in [
        &["store", "x", "--category", "mood"][..],
        &["store", " ", "--category", "relationship"],
        &["list", "--category", "mood"],
        &["retrieve", ""],
        &["retrieve", "x", "--limit", "0"],
        &["retrieve", "x", "--min-importance", "6"],
        &["delete", "../x", "--reason", "y"],
    ] {
        let refused = repo.mem(["record"].iter().chain(args)).assert_code(2);
        let told = refused.stderr;
        assert!(
            told.contains("hint:") && !told.contains("memory_"),
            "{told}"
        );
    }
    // What was understood and is not there is another thing.
    let gone = repo.mem(["record", "delete", "mem_1", "--reason", "y"]);
    let told = gone.assert_code(1).stderr;
    assert!(
        told.contains("hint:") && !told.contains("memory_"),
        "{told}"
    );
    let mut rpc = served(&repo, &[]);
    let good = json!({ "content": "x", "category": "relationship", "importance": 3 });
    for (field, value) in [
        ("content", json!("")),
        ("content", json!(large)),
        ("category", json!("mood")),
        ("importance", json!(9)),
        ("importance", json!("high")),
        ("tags", json!("a")),
        ("expires_at", json!("9999999-01-01")),
        ("user", json!("bob")),
    ] {
        let mut given = good.clone();
        given[field] = value;
        assert!(
            rpc.refused("memory_store", given).contains(field),
            "{field}"
        );
    }
    rpc.refused(
        "memory_delete",
        json!({ "memory_id": "mem_x", "path": "a.md", "reason": "y" }),
    );
    rpc.refused("memory_delete", json!({ "memory_id": "mem_x" }));
    rpc.refused("memory_delete", json!({}));
    assert!(!repo.memory().exists() || env.files_under(&repo.memory()).is_empty());
}

#[test]
fn a_clock_in_1970_loses_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let run = |args: &[&str]| {
        let run = repo.invoke(args).env("MEM_NOW", "1970-01-01T00:00:00Z");
        run.run().assert_ok()
    };
    run(&[
        "record",
        "store",
        "Lunch is at noon.",
        "--category",
        "project_context",
    ]);
    let all = retrieved(&repo, "lunch", &["--explain"]);
    assert_eq!(contents(&all), ["Lunch is at noon."]);
    let early = run(&["record", "retrieve", "lunch", "--json", "--explain"]).json();
    assert_eq!(early["memories"][0]["effective_importance"], 3.0);
    assert_eq!(
        run(&["prune", "--below", "2.9", "--json"]).json()["pruned"],
        json!([])
    );
}

#[test]
fn the_tools_store_retrieve_and_delete_over_mcp() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut rpc = served(&repo, &[]);
    let record = json!({
        "content": "Ann wants answers in German.", "category": "user_preference", "importance": 5,
        "tags": ["language"], "expires_at": "2030-01-01T00:00:00Z",
    });
    let stored = rpc.tool("memory_store", record);
    assert_eq!(stored["success"], true);
    let query =
        json!({ "query": "which language?", "categories": ["user_preference"], "limit": 3 });
    let found = rpc.tool("memory_retrieve", query.clone());
    assert_eq!(found["memories"][0]["id"], stored["memory_id"]);
    let wanted = json!({ "memory_id": stored["memory_id"], "reason": "she moved on" });
    let deleted = rpc.tool("memory_delete", wanted.clone());
    assert_eq!(
        (&deleted["success"], &deleted["scope"]),
        (&json!(true), &json!("private"))
    );
    assert_eq!(rpc.tool("memory_retrieve", query)["memories"], json!([]));
    assert!(
        rpc.refused("memory_delete", wanted)
            .contains("there is no memory")
    );
    let trail = repo.mem(["log-audit", "--json"]).assert_ok().json();
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["reason"], &entry["actor"]),
        (&json!("she moved on"), &json!("agent"))
    );
    let mut bob = served(&repo, &["--user", "bob"]);
    let tools = bob.result("tools/list", json!({}));
    assert_eq!(tools["tools"].as_array().unwrap().len(), 3);
    let resources = bob.result("resources/list", json!({}));
    assert_eq!(resources["resources"], json!([]));
    bob.refused("memory_list", json!({}));
}

#[test]
fn a_block_to_put_before_a_prompt_has_a_line_each() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    store(
        &repo,
        "Deploys are on Tuesdays.\n# Never\non a Friday.",
        "decision_log",
        &["--importance", "5"],
    );
    let block = repo
        .mem([
            "recall",
            "--format",
            "prefetch",
            "on which day are deploys?",
        ])
        .assert_ok();
    let expected = "## Relevant earlier memories\n\
        - [decision_log] Deploys are on Tuesdays. # Never on a Friday. (importance: 5)\n";
    assert_eq!(block.stdout, expected);
    let nothing = repo
        .mem(["recall", "--format", "prefetch", "thanks, looks good"])
        .assert_ok();
    assert_eq!(nothing.stdout, "");
}

#[test]
fn a_secret_in_a_reason_stands_in_no_trail() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(7);
    let reason = format!("it used {token} until today");
    let save = |name: &str| {
        let args = [
            "save",
            "--type",
            "project",
            "--description",
            "d",
            "--body",
            "x",
            "--name",
            name,
        ];
        repo.mem(args.iter().chain(&["--reason", reason.as_str()]))
            .assert_ok()
    };
    save("First");
    save("Second");
    let one = id(&store(&repo, "Lunch is at noon.", "project_context", &[]));
    let two = id(&store(
        &repo,
        "Backups run at night.",
        "factual_knowledge",
        &[],
    ));
    for args in [
        &["remove", "First", "--reason", reason.as_str()][..],
        &["record", "delete", &one, "--reason", &reason],
    ] {
        let told = repo.mem(args).assert_ok();
        assert!(told.stderr.contains("kept without"), "{}", told.stderr);
        assert!(!told.stderr.contains(&token) && !told.stdout.contains(&token));
    }
    let mut rpc = served(&repo, &[]);
    let deleted = rpc.tool(
        "memory_delete",
        json!({ "memory_id": two, "reason": reason }),
    );
    assert!(
        deleted["warnings"].to_string().contains("kept without"),
        "{deleted}"
    );
    rpc.tool(
        "memory_delete",
        json!({ "path": "project_second.md", "reason": reason }),
    );
    for args in [
        &["log-audit"][..],
        &["log-audit", "--json"],
        &["history"],
        &["history", "--json"],
    ] {
        let trail = repo.mem(args).assert_ok().stdout;
        assert!(!trail.contains(&token[8..]), "{trail}");
        assert!(trail.contains("[redacted: "), "{trail}");
    }
    let trail = repo.mem(["log-audit", "--json"]).json();
    assert_eq!(trail["entries"].as_array().unwrap().len(), 4);
}

#[test]
fn a_secret_in_a_record_makes_no_name_and_is_not_listed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(7);
    let content = format!("{token} opens the registry of the team.");
    let stored = repo.mem([
        "record",
        "store",
        &content,
        "--category",
        "factual_knowledge",
    ]);
    let stored = stored.assert_ok();
    assert!(
        stored.stderr.contains("looks like a secret"),
        "{}",
        stored.stderr
    );
    let listed = repo.mem(["record", "list"]).assert_ok().stdout;
    let index = repo.mem(["index", "show"]).assert_ok().stdout;
    let lower = token.to_lowercase();
    for text in [&stored.stdout, &stored.stderr, &listed, &index] {
        assert!(!text.to_lowercase().contains(&lower[4..]), "{text}");
    }
    assert!(listed.contains("opens the registry"), "{listed}");
    for (name, _) in env.files_under(&repo.memory()) {
        assert!(!name.to_lowercase().contains(&lower[4..]), "{name}");
    }
    // The content is whoever's who stored it.
    let whole = repo.mem(["record", "list", "--json"]).assert_ok().json();
    assert_eq!(whole["memories"][0]["content"], content);
    let again = store(&repo, &content, "factual_knowledge", &[]);
    assert_eq!(again.json()["memory_id"], whole["memories"][0]["id"]);
}

#[test]
fn a_list_has_a_short_line_each_and_whole_contents_as_json() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let content = format!(
        "The release notes. {}The end.",
        "One more line of it.\n".repeat(400)
    );
    store(&repo, &content, "project_context", &[]);
    let listed = repo.mem(["record", "list"]).assert_ok().stdout;
    assert_eq!(listed.lines().count(), 1);
    assert!(
        listed.chars().count() < 400 && listed.contains("The release notes."),
        "{listed}"
    );
    let whole = repo.mem(["record", "list", "--json"]).assert_ok().json();
    assert_eq!(contents(&whole), [content.as_str()]);
}

#[test]
fn what_shares_nothing_with_a_query_is_not_brought_and_a_score_is_a_likeness() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (content, importance) in [
        ("Deploys of the shop are on Tuesdays.", "1"),
        ("Ann wants answers in German.", "5"),
        ("The office plant is a ficus.", "5"),
    ] {
        store(
            &repo,
            content,
            "project_context",
            &["--importance", importance],
        );
    }
    let all = retrieved(&repo, "on which day is the shop deployed?", &[]);
    assert_eq!(contents(&all)[0], "Deploys of the shop are on Tuesdays.");
    let scores: Vec<f64> = all["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["score"].as_f64().unwrap())
        .collect();
    assert!(scores.iter().all(|score| *score > 0.05), "{all}");
    assert!(
        !contents(&all).contains(&"The office plant is a ficus."),
        "{all}"
    );
    // The very same text is as near as can be.
    let same = retrieved(&repo, "Ann wants answers in German.", &["--limit", "1"]);
    assert!(
        same["memories"][0]["score"].as_f64().unwrap() > 0.9,
        "{same}"
    );
    let nothing = repo
        .mem(["record", "retrieve", "zorbax quillim wurble"])
        .assert_ok();
    assert_eq!(
        (
            nothing.stdout.as_str(),
            nothing.stderr.contains("no record fits")
        ),
        ("", true)
    );
}
