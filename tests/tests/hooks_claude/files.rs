//! `pre-tool-use` before a file of the checkout is read or changed: the memories that cite it.

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

use super::{Host, put};

/// A tool of the host, about a file.
fn tool(name: &str, path: &std::path::Path) -> Value {
    json!({"tool_name": name, "tool_input": {"file_path": path}})
}

fn memory(repo: &Repo<'_>, file: &str, text: &str) {
    let text =
        format!("---\nname: {file}\ndescription: About {file}\ntype: project\n---\n\n{text}\n");
    put(&repo.memory().join(format!("{file}.md")), &text);
}

/// What the model is given before a tool runs; empty where that is nothing.
#[track_caller]
fn given(host: &Host<'_>, name: &str, path: &std::path::Path) -> String {
    let answer = host.fire("pre-tool-use", &tool(name, path));
    let specific = &answer.unwrap_or_default()["hookSpecificOutput"];
    assert!(specific["permissionDecision"].is_null(), "{specific}");
    specific["additionalContext"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn repo(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    repo.write("src/billing/invoice.rs", "pub fn total() {}\n");
    repo.write("src/billing/tax.rs", "pub fn rate() {}\n");
    repo.write("src/web/mod.rs", "mod a;\n");
    repo.commit("src/cli/mod.rs", "mod b;\n", "Begin");
    memory(
        &repo,
        "rounding",
        "`src/billing/invoice.rs` rounds to cents, never to euros.",
    );
    memory(
        &repo,
        "money",
        "Everything in `src/billing/` counts in cents.",
    );
    memory(&repo, "rates", "`tax.rs` has the rates of 2026.");
    memory(&repo, "modules", "`mod.rs` lists modules only.");
    memory(&repo, "other", "Deploys go out on Tuesdays.");
    repo
}

#[test]
fn a_file_brings_the_memories_that_cite_it_once_a_session() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let invoice = repo.path().join("src/billing/invoice.rs");
    let first = given(&host, "Read", &invoice);
    let place = |word: &str| {
        first
            .find(word)
            .unwrap_or_else(|| panic!("{word}: {first}"))
    };
    assert!(
        place("never to euros") < place("counts in cents"),
        "{first}"
    );
    for other in ["rates of 2026", "lists modules", "Tuesdays"] {
        assert!(!first.contains(other), "{first}");
    }
    assert_eq!(
        given(&host, "Edit", &invoice),
        "",
        "the session has seen them"
    );
    let tax = given(&host, "Edit", &repo.path().join("src/billing/tax.rs"));
    assert!(tax.contains("rates of 2026"), "{tax}");
    assert!(!tax.contains("counts in cents"), "{tax}");
    let other = Host::new(&env, &repo, "s-2");
    assert!(!given(&other, "Write", &invoice).is_empty());
}

#[test]
fn a_name_that_many_files_have_and_a_file_elsewhere_bring_nothing() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    assert_eq!(
        given(&host, "Read", &repo.path().join("src/web/mod.rs")),
        ""
    );
    assert_eq!(
        given(&host, "Read", &env.root().join("src/billing/invoice.rs")),
        ""
    );
    assert_eq!(given(&host, "Read", &repo.path().join("README.md")), "");
    let new = given(&host, "Write", &repo.path().join("src/billing/new.rs"));
    assert!(new.contains("counts in cents"), "{new}");
}

#[test]
fn a_memory_comes_when_its_files_do_in_every_repository() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let host = Host::new(&env, &repo, "s-1");
    let save = |name: &str, when: &str, flag: &[&str]| {
        let what = ["save", "--type", "feedback", "--name", name, "--when", when];
        let text = ["--description", "How it is written", "--body", name];
        repo.mem([&what[..], &text[..], flag].concat()).assert_ok();
    };
    save("Never drop a column", "migrations/*.sql", &[]);
    save("Comments in English", "*.sql", &["--scope", "global"]);
    let note = repo.note("feedback_never_drop_a_column.md").unwrap();
    assert!(note.contains("when: [\"migrations/*.sql\"]"), "{note}");
    let sql = repo.path().join("migrations/1.sql");
    let text = given(&host, "Write", &sql);
    for expected in ["Never drop a column", "Comments in English"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert_eq!(given(&host, "Read", &sql), "", "once a session");
    assert_eq!(given(&host, "Read", &repo.path().join("a.rs")), "");
    let elsewhere = env.repo("elsewhere");
    let other = Host::new(&env, &elsewhere, "s-2");
    let text = given(&other, "Edit", &elsewhere.path().join("q.sql"));
    assert!(text.contains("Comments in English"), "{text}");
    assert!(!text.contains("Never drop"), "{text}");
}

/// A file whose functions memories speak of, without the file's name.
const TILL: &str = "pub struct Till;\n\nimpl Till {\n    pub fn open_drawer(&self) {\n        lift();\n    }\n\n    \
    pub fn charge_card(&self) {\n        let cents = 1;\n        book(cents);\n    }\n}\n";

fn till(env: &TestEnv) -> Repo<'_> {
    let repo = repo(env);
    repo.commit("src/billing/till.rs", TILL, "Till");
    memory(&repo, "cards", "`charge_card()` is called twice a sale.");
    memory(&repo, "drawers", "`Till::open_drawer` sticks in winter.");
    memory(&repo, "tills", "`src/billing/till.rs` is audited.");
    repo
}

/// What the model is given before a tool about the till runs.
#[track_caller]
fn given_for(host: &Host<'_>, repo: &Repo<'_>, name: &str, mut input: Value) -> String {
    input["file_path"] = json!(repo.path().join("src/billing/till.rs"));
    let answer = host.fire(
        "pre-tool-use",
        &json!({"tool_name": name, "tool_input": input}),
    );
    let answer = answer.unwrap_or_default();
    let text = answer["hookSpecificOutput"]["additionalContext"].as_str();
    text.unwrap_or_default().to_owned()
}

#[test]
fn an_edit_brings_the_memories_that_cite_a_symbol_of_its_region() {
    let env = TestEnv::new();
    let repo = till(&env);
    let host = Host::new(&env, &repo, "s-1");
    // The function's own line is not in the edit, only above it.
    let edit =
        json!({"old_string": "        book(cents);", "new_string": "        book(cents + 1);"});
    let text = given_for(&host, &repo, "Edit", edit.clone());
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word}: {text}"));
    assert!(place("is audited") < place("twice a sale"), "{text}");
    assert!(place("twice a sale") < place("counts in cents"), "{text}");
    assert!(!text.contains("sticks in winter"), "{text}");
    assert_eq!(given_for(&host, &repo, "Edit", edit), "", "once a session");
    let edits = json!({"edits": [{"old_string": "lift();", "new_string": "lift_up();"}]});
    let text = given_for(&host, &repo, "MultiEdit", edits);
    assert!(text.contains("sticks in winter"), "{text}");
}

#[test]
fn the_lines_that_are_read_bring_the_memories_of_their_symbols() {
    let env = TestEnv::new();
    let repo = till(&env);
    let host = Host::new(&env, &repo, "s-1");
    let text = given_for(&host, &repo, "Read", json!({}));
    assert!(
        !text.contains("twice a sale"),
        "the whole file is no region: {text}"
    );
    let text = given_for(&host, &repo, "Read", json!({"offset": 9, "limit": 1}));
    assert!(text.contains("twice a sale"), "{text}");
    assert!(!text.contains("sticks in winter"), "{text}");
    for (place, is_there) in [("", false), (":5", false), (":8", true), (":9-10", true)] {
        let file = format!("src/billing/till.rs{place}");
        let shown = repo.mem(["preview", "--file", &file]).assert_ok().stdout;
        assert_eq!(shown.contains("twice a sale"), is_there, "{file}: {shown}");
    }
}

#[test]
fn a_worktree_has_the_files_of_the_repository() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let worktree = repo.worktree("branch");
    let host = Host::new(&env, &worktree, "s-1");
    let text = given(
        &host,
        "Read",
        &worktree.path().join("src/billing/invoice.rs"),
    );
    assert!(text.contains("never to euros"), "{text}");
}

#[test]
fn the_setting_turns_it_off_and_a_person_can_look_at_it() {
    let env = TestEnv::new();
    let repo = repo(&env);
    let shown = repo
        .mem(["preview", "--file", "src/billing/invoice.rs"])
        .assert_ok()
        .stdout;
    assert!(shown.contains("never to euros"), "{shown}");
    let why = repo.mem(["recall", "--file", "src/billing/invoice.rs", "--explain"]);
    let why = why.assert_ok();
    assert!(
        format!("{}{}", why.stdout, why.stderr).contains("it cites the file"),
        "{}",
        why.shown()
    );
    // A note that changed is found by what it cites now.
    memory(
        &repo,
        "other",
        "`src/billing/invoice.rs` goes out on Tuesdays.",
    );
    let shown = repo.mem(["preview", "--file", "src/billing/invoice.rs"]);
    assert!(shown.stdout.contains("on Tuesdays"), "{}", shown.shown());
    let elsewhere = repo.mem(["preview", "--file", "../elsewhere.rs"]);
    insta::assert_snapshot!(elsewhere.assert_code(1).stderr, @"
    error: `../elsewhere.rs` is not in `[ENV]/work/app`
    hint: name a file of this checkout
    ");
    repo.mem(["config", "set", "recall.file_chars", "0"])
        .assert_ok();
    let host = Host::new(&env, &repo, "s-1");
    let invoice = repo.path().join("src/billing/invoice.rs");
    assert_eq!(given(&host, "Read", &invoice), "");
}
