//! A model that works with the memory tool: what it is sent, what it may do, and what is kept of it.

use mem_tests::{ScriptedModel, TestEnv, Turn, github_token};
use serde_json::{Value, json};
use std::fs;

use super::{
    RULE, SHEET, Session, assert_rules_stand, create, file, json_of, names, scratch_files, view,
};

#[test]
fn what_it_writes_is_one_change_and_an_existing_memory_gets_the_words() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.note("tests.md", "How tests are run", "Tests run in CI.");
    let quote = "> never mock the database in tests\n";
    let model = ScriptedModel::play([
        Turn::calls(&[view("/memories"), view("/memories/tests.md")]),
        Turn::calls(&[
            create(
                "/memories/sheet.md",
                &file("Sheet of platform", "reference", SHEET),
            ),
            json!({ "command": "insert", "path": "/memories/tests.md", "insert_line": 99, "insert_text": quote }),
            json!({ "command": "str_replace", "path": "/memories/tests.md",
                "old_str": "Tests run in CI.", "new_str": format!("Tests run.\n\n{quote}") }),
        ]),
        Turn::says("done"),
    ]);
    let output = session.with(&model).extract().run().assert_ok();
    let done = json_of(&output);
    assert_eq!(names(&done), ["Sheet of platform", "tests.md"], "{done}");
    assert_eq!(done["candidates"][1]["to"], "update", "{done}");
    assert_eq!(done["changes"].as_array().unwrap().len(), 1, "{done}");
    let sheet = done["candidates"][0]["file"].as_str().unwrap();
    let sheet = fs::read_to_string(session.memory().join(sheet)).unwrap();
    assert!(
        !sheet.contains("The fact of")
            && !sheet.contains("> The")
            && sheet.contains(&format!("**Said on 2026-01-01:** \"{SHEET}\"")),
        "{sheet}"
    );
    // What somebody wrote stays, whatever the model made of it in its scratch memory.
    let tests = fs::read_to_string(session.memory().join("tests.md")).unwrap();
    assert!(
        tests.contains("Tests run in CI.\n")
            && tests.contains("**Said on 2026-01-01:** \"never mock the database in tests\""),
        "{tests}"
    );
    session.repo.mem(["undo"]).assert_ok();
    let undone = fs::read_to_string(session.memory().join("tests.md")).unwrap();
    assert!(!undone.contains("Said on"), "{undone}");
    assert_eq!(scratch_files(&env), ["lock"]);
    // It saw the memories, and what it had written itself.
    let requests = model.requests();
    let seen = requests[1].tool_results();
    assert!(seen[0].0.contains("/memories/tests.md") && seen[1].0.contains("Tests run in CI."));
    let errors: Vec<bool> = requests[2].tool_results().iter().map(|one| one.1).collect();
    assert_eq!(errors, [false, true, false]);
}

#[test]
fn a_model_that_writes_nothing_takes_away_nothing_that_rules_are_sure_of() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([Turn::says("done")]);
    let run = session.with(&model).repo.mem(["extract", "--explain"]);
    let told = run.assert_ok().stdout;
    assert!(
        told.contains("ever mock the database") && !told.contains("no sentence reads like"),
        "{told}"
    );
}

#[test]
fn what_gets_a_line_in_a_file_that_is_there_is_not_told_as_new() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let model = ScriptedModel::play([
        Turn::calls(&[
            create("/memories/a.md", &file("Sheet", "reference", SHEET)),
            create("/memories/b.md", &file("Sheet", "reference", RULE)),
        ]),
        Turn::says("done"),
    ]);
    let done = json_of(&session.with(&model).extract().run().assert_ok());
    let all = done["candidates"].as_array().unwrap();
    let new: Vec<_> = all.iter().filter(|one| one["to"] == "memory").collect();
    let mut files: Vec<_> = new.iter().map(|one| one["file"].as_str()).collect();
    files.dedup();
    assert_eq!(files.len(), new.len(), "{done}");
}

#[test]
fn requests_have_the_shape_of_the_api() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.note("deploy.md", "How we deploy", "By hand.");
    let model = ScriptedModel::play([Turn::calls(&[view("/memories")]), Turn::says("done")]);
    let output = session.with(&model).extract().run().assert_ok();
    assert_eq!(
        names(&json_of(&output)),
        ["Never mock the database in tests"]
    );
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    for request in &requests {
        assert_eq!(request.path, "/v1/messages");
        assert_eq!(request.header("x-api-key"), Some(super::KEY));
        assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
        let betas = request.header("anthropic-beta").unwrap();
        assert_eq!(betas, "context-management-2025-06-27,compact-2026-01-12");
        let body = &request.body;
        assert_eq!(body["model"], "claude-sonnet-4-6");
        assert!(body["max_tokens"].as_u64().is_some_and(|tokens| tokens > 0));
        assert_eq!(
            body["tools"],
            json!([{ "type": "memory_20250818", "name": "memory" }])
        );
        let edits = &body["context_management"]["edits"];
        assert_eq!(edits[0]["type"], "clear_tool_uses_20250919");
        assert_eq!(edits[0]["exclude_tools"], json!(["memory"]));
        assert_eq!(edits[1]["type"], "compact_20260112");
        assert!(edits[1]["trigger"]["value"].as_u64().unwrap() >= 50_000);
        let cached = json!({ "type": "ephemeral" });
        assert_eq!(body["system"][0]["cache_control"], cached);
        // The newest block is where the next turn goes on from; the API takes four marks at most.
        let last = body["messages"].as_array().unwrap().last().unwrap();
        let last = last["content"].as_array().unwrap().last().unwrap();
        assert_eq!(last["cache_control"], cached);
        assert!(request.text().matches("cache_control").count() <= 4);
    }
    let opening = requests[0].body["messages"][0]["content"][0]["text"].as_str();
    let opening = opening.unwrap();
    assert!(
        opening.contains("- /memories/deploy.md: How we deploy"),
        "{opening}"
    );
    assert!(
        opening.contains(RULE) && opening.contains("<prompt day=\"2026-01-01\">"),
        "{opening}"
    );
    // What is said stays as it was said, and results name their calls.
    let (first, second) = (&requests[0].body["messages"], &requests[1].body["messages"]);
    assert_eq!(
        first[0]["content"][0]["text"],
        second[0]["content"][0]["text"]
    );
    assert_eq!(
        second[1]["content"][0]["id"],
        second[2]["content"][0]["tool_use_id"]
    );
}

#[test]
fn no_secret_is_in_any_request() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let (said, kept) = (github_token(1), github_token(2));
    session.say(&format!("Always use the token {said} for the mirror"));
    session.note(
        "mirror.md",
        &format!("Token {kept}"),
        &format!("It is {kept}."),
    );
    let leak = format!(
        "{}\nToken: {}\n",
        file("Mirror", "reference", SHEET),
        github_token(3)
    );
    let model = ScriptedModel::play([
        Turn::calls(&[
            view("/memories/mirror.md"),
            create("/memories/leak.md", &leak),
        ]),
        Turn::says("done"),
    ]);
    let output = session.with(&model).extract().run().assert_ok();
    // What the rules are sure of does not go with what the model may not write.
    assert_rules_stand(&output, "the model proposes a secret");
    for request in model.requests() {
        let text = request.text();
        assert!(
            !text.contains(&said[4..]) && !text.contains(&kept[4..]),
            "{text}"
        );
        assert!(text.contains("[redacted: "), "{text}");
    }
    let results = model.requests()[1].tool_results();
    assert!(results[0].0.contains("It is [redacted: "), "{results:?}");
    assert_eq!(
        results[1],
        ("It holds a secret, which no memory may.".to_owned(), true)
    );
}

#[test]
fn nothing_leads_out_of_the_scratch_memory() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let outside = env.root().join("outside.md");
    let ups = "/memories/../../../../../../../../../../../..";
    let inputs = [
        view(&format!("{ups}/etc/passwd")),
        view("/memories/%2e%2e/%2e%2e/etc/passwd"),
        view("/etc/passwd"),
        view("/memories/../lock"),
        create(&format!("{ups}{}", outside.display()), "x"),
        json!({ "command": "rename", "old_path": "/memories/x", "new_path": "/memories/../y" }),
    ];
    let model = ScriptedModel::play([Turn::calls(&inputs), Turn::says("done")]);
    session.with(&model).extract().run().assert_ok();
    let results = model.requests()[1].tool_results();
    assert!(results.iter().all(|(_, is_error)| *is_error), "{results:?}");
    assert!(!model.requests()[1].text().contains("root:"));
    assert!(!outside.exists());
}

#[test]
fn a_model_that_deletes_everything_takes_nothing_away() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.note("deploy.md", "How we deploy", "By hand.");
    let before = fs::read(session.memory().join("deploy.md")).unwrap();
    let inputs = [
        json!({ "command": "delete", "path": "/memories/deploy.md" }),
        json!({ "command": "delete", "path": "/memories" }),
        json!({ "command": "rename", "old_path": "/memories/deploy.md", "new_path": "/memories/gone.md" }),
        json!({ "command": "str_replace", "path": "/memories/deploy.md", "old_str": "By hand.", "new_str": "" }),
    ];
    let model = ScriptedModel::play([Turn::calls(&inputs), Turn::says("done")]);
    let output = session.with(&model).extract().run().assert_ok();
    assert_rules_stand(&output, "would take memories away");
    let errors = model.requests()[1].tool_results();
    let errors: Vec<bool> = errors.iter().map(|one| one.1).collect();
    assert_eq!(errors, [true, true, true, false]);
    assert_eq!(
        fs::read(session.memory().join("deploy.md")).unwrap(),
        before
    );
}

#[test]
fn calls_of_any_form_are_answered_and_the_work_goes_on() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let call = |id: &str, name: &str, input: Value| json!({ "type": "tool_use", "id": id, "name": name, "input": input });
    let odd = [
        json!({ "type": "thinking", "thinking": "hm", "signature": "c2ln" }),
        call("a", "memory", json!("view")),
        call("b", "memory", json!({ "command": "erase" })),
        call("c", "memory", json!({ "command": "create", "path": 7 })),
        call("d", "bash", json!({ "command": "view" })),
        json!({ "type": "tool_use", "id": "e", "name": "memory" }),
    ];
    let unsaid = file("Unsaid", "feedback", "always push to the main branch");
    let model = ScriptedModel::play([
        Turn::message("tool_use", &odd),
        Turn::calls(&[
            create("/memories/a.md", &file("Sheet", "reference", SHEET)),
            create("/memories/b.md", &unsaid),
            create("/memories/c.md", "no frontmatter at all"),
            create("/memories/d.md", &file("Sheet", "secret", SHEET)),
        ]),
        Turn::says("done"),
    ]);
    let done = json_of(&session.with(&model).extract().run().assert_ok());
    assert_eq!(names(&done)[0], "Sheet", "{done}");
    let dropped = done["dropped"].as_array().unwrap().iter();
    let unfounded = dropped.filter(|one| one["reason"] == "unfounded");
    assert_eq!(unfounded.count(), 3, "{done}");
    let requests = model.requests();
    let results = requests[1].tool_results();
    assert!(
        results.len() == 5 && results.iter().all(|one| one.1),
        "{results:?}"
    );
    // Blocks go back as they came.
    assert_eq!(requests[1].body["messages"][1]["content"], json!(odd));
}

#[test]
fn what_a_person_said_gets_into_the_teams_memory_only_once_they_agree() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    fs::create_dir_all(session.memory().join("team")).unwrap();
    session.note("team/tests.md", "How tests are run", "Tests run in CI.");
    let before = fs::read(session.memory().join("team/tests.md")).unwrap();
    let quote = "\n> never mock the database in tests\n";
    let insert = json!({ "command": "insert", "path": "/memories/team/tests.md",
        "insert_line": 6, "insert_text": quote });
    let model = ScriptedModel::play([Turn::calls(&[insert]), Turn::says("done")]);
    let done = json_of(&session.with(&model).extract().run().assert_ok());
    assert_eq!(done["candidates"][0]["to"], "inbox", "{done}");
    assert_eq!(
        (&done["waiting"], &done["changes"]),
        (&json!(1), &json!([]))
    );
    assert_eq!(
        fs::read(session.memory().join("team/tests.md")).unwrap(),
        before
    );
    session.repo.mem(["inbox", "accept", "--all"]).assert_ok();
    let text = fs::read_to_string(session.memory().join("team/tests.md")).unwrap();
    assert!(
        text.contains("Tests run in CI.") && text.contains("**Said on 2026-01-01:**"),
        "{text}"
    );
}

#[test]
fn a_conversation_that_is_summed_up_goes_on() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let summary = json!({ "type": "compaction", "content": "so far", "encrypted_content": "eA==" });
    let written = create("/memories/a.md", &file("Sheet", "reference", SHEET));
    let model = ScriptedModel::play([
        Turn::message("compaction", std::slice::from_ref(&summary)),
        Turn::calls(&[written]),
        Turn::says("done"),
    ]);
    let done = json_of(&session.with(&model).extract().run().assert_ok());
    assert_eq!(names(&done)[0], "Sheet", "{done}");
    let messages = &model.requests()[1].body["messages"];
    assert_eq!(
        messages[1],
        json!({ "role": "assistant", "content": [summary] })
    );
}

#[test]
fn the_scratch_memory_of_a_killed_run_is_removed_by_the_next() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let left = env
        .home()
        .join(".cache/mem/scratch/memories-killed/memories");
    fs::create_dir_all(&left).unwrap();
    fs::write(left.join("a.md"), "a memory").unwrap();
    let model = ScriptedModel::play([Turn::says("done")]);
    session.with(&model).extract().run().assert_ok();
    assert_eq!(scratch_files(&env), ["lock"]);
}

#[test]
fn a_scratch_memory_stays_while_it_is_used_and_is_removed_after_a_kill() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let hung = ScriptedModel::play([Turn::hangs()]);
    let mut first = session.with(&hung).extract().spawn();
    while hung.requests().is_empty() {
        std::thread::yield_now();
    }
    let model = ScriptedModel::play([Turn::says("done"), Turn::says("done")]);
    session.with(&model);
    let again = || session.repo.mem(["extract", "--dry-run"]).assert_ok();
    again();
    assert_eq!(scratch_files(&env).len(), 2, "{:?}", scratch_files(&env));
    first.kill().unwrap();
    first.wait().unwrap();
    again();
    assert_eq!(scratch_files(&env), ["lock"]);
}
