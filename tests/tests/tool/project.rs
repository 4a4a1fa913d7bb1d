//! The memory of a project as `/memories`: index, history, gates.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use mem_tests::{TestEnv, github_token};
use serde_json::{Value, json};

use super::host::{Host, create, delete, insert, rename, replace, view};

fn note(name: &str, description: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\ntype: project\n---\n\nBody of {name}.\n"
    )
}

#[test]
fn the_index_follows_every_command() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    let index = || repo.note("MEMORY.md").unwrap_or_default();
    assert!(
        !host
            .ask(create(
                "/memories/deploy.md",
                &note("Deploy", "how we deploy")
            ))
            .is_error
    );
    assert_eq!(
        repo.note("deploy.md").unwrap(),
        note("Deploy", "how we deploy")
    );
    assert_eq!(index(), "- [Deploy](deploy.md) \u{2014} how we deploy\n");
    assert!(
        !host
            .ask(replace(
                "/memories/deploy.md",
                "how we deploy",
                "the way to production"
            ))
            .is_error
    );
    assert_eq!(
        index(),
        "- [Deploy](deploy.md) \u{2014} the way to production\n"
    );
    assert!(!host.ask(insert("/memories/deploy.md", 7, "More.")).is_error);
    assert!(
        !host
            .ask(rename("/memories/deploy.md", "/memories/ops/release.md"))
            .is_error
    );
    assert_eq!(
        index(),
        "- [Deploy](ops/release.md) \u{2014} the way to production\n"
    );
    // A file that is no note has no line.
    assert!(
        !host
            .ask(create("/memories/progress.txt", "half way"))
            .is_error
    );
    assert!(
        !host
            .ask(rename("/memories/ops", "/memories/operations"))
            .is_error
    );
    assert_eq!(
        index(),
        "- [Deploy](operations/release.md) \u{2014} the way to production\n"
    );
    assert!(!repo.memory().join("ops").exists());
    let listed = host.ask(view("/memories")).text;
    assert!(
        listed.contains("\t/memories/MEMORY.md\n")
            && listed.contains("\t/memories/operations/release.md\n"),
        "{listed}"
    );
    assert!(!host.ask(delete("/memories/operations")).is_error);
    assert_eq!(index(), "");
    assert!(!repo.memory().join("operations").exists());
    repo.mem(["check"]).assert_ok();
}

#[test]
fn the_index_can_be_edited_but_neither_deleted_nor_renamed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    let file = create("/memories/deploy.md", &note("Deploy", "how we deploy"));
    assert!(!host.ask(file).is_error);
    let told = host.all(&[
        delete("/memories/MEMORY.md"),
        rename("/memories/MEMORY.md", "/memories/index.md"),
        replace("/memories/MEMORY.md", "how we deploy", "the way to deploy"),
    ]);
    let failed: Vec<_> = told.iter().map(|told| told.is_error).collect();
    assert_eq!(failed, [true, true, false], "{told:?}");
    assert_eq!(
        told[0].text,
        "Cannot delete the memory index /memories/MEMORY.md: edit its lines instead"
    );
    let index = "- [Deploy](deploy.md) \u{2014} the way to deploy\n";
    assert_eq!(repo.note("MEMORY.md").unwrap(), index);
}

#[test]
fn a_folder_goes_with_its_index_and_all_its_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    let a = create("/memories/team/a.md", &note("A", "what A is about"));
    let b = create("/memories/team/b.md", &note("B", "what B is about"));
    let told = host.all(&[a, b.clone(), delete("/memories/team")]);
    assert!(told.iter().all(|told| !told.is_error), "{told:?}");
    assert!(!repo.memory().join("team").exists());
    repo.mem(["check"]).assert_ok();
    assert!(!host.ask(b).is_error);
    let index = "- [B](b.md) \u{2014} what B is about\n";
    assert_eq!(repo.note("team/MEMORY.md").unwrap(), index);
}

#[test]
fn a_line_that_the_model_wrote_itself_stays() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    let line = "- [My own words](a.md) \u{2014} as I like it\n";
    let told = host.all(&[
        create("/memories/MEMORY.md", line),
        create("/memories/a.md", &note("A", "other words")),
    ]);
    assert!(told.iter().all(|told| !told.is_error), "{told:?}");
    assert_eq!(repo.note("MEMORY.md").unwrap(), line);
}

#[test]
fn every_write_is_an_agents_and_can_be_undone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    let inputs = [
        create("/memories/a.md", "one\n"),
        replace("/memories/a.md", "one", "two"),
        rename("/memories/a.md", "/memories/b.md"),
        delete("/memories/b.md"),
    ];
    for input in inputs {
        assert!(!host.ask(input).is_error);
        env.advance(60);
    }
    let changes = repo.mem(["history", "--json"]).assert_ok().json()["changes"].clone();
    let told: Vec<_> = changes
        .as_array()
        .unwrap()
        .iter()
        .map(|change| {
            (
                change["verb"].as_str().unwrap(),
                change["actor"].as_str().unwrap_or_default(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("remove", "agent"),
            ("rename", "agent"),
            ("edit", "agent"),
            ("save", "agent")
        ],
        "{changes}"
    );
    repo.mem(["undo"]).assert_ok();
    assert_eq!(repo.note("b.md").unwrap(), "two\n");
    repo.mem(["undo", "2"]).assert_ok();
    assert_eq!(repo.note("a.md").unwrap(), "one\n");
    let person = env
        .invoke(["tool"])
        .in_dir(repo.path())
        .env("MEM_ACTOR", "person")
        .stdin(create("/memories/c.md", "x\n").to_string())
        .run()
        .assert_ok();
    assert_eq!(
        person.stdout,
        "File created successfully at: /memories/c.md"
    );
    let last = repo.mem(["history", "--json"]).json()["changes"][0].clone();
    assert_eq!(
        (&last["actor"], &last["host"]),
        (&json!("agent"), &json!("memory-tool"))
    );
}

#[test]
fn secrets_are_refused_everywhere_unless_they_are_allowed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let text = format!("token {}\n", github_token(1));
    for host in [
        Host::of_project(&env, repo.path(), &[]),
        Host::new(&env, &[]),
    ] {
        let told = host.ask(create("/memories/t.md", &text));
        assert!(
            told.is_error && told.text.starts_with("`t.md` line 1 holds a secret"),
            "{}",
            told.text
        );
        assert!(!told.text.contains(&github_token(1)));
        assert!(!host.ask(create("/memories/t.md", "nothing\n")).is_error);
        assert!(host.ask(insert("/memories/t.md", 0, &text)).is_error);
        assert!(
            host.ask(replace("/memories/t.md", "nothing", &text))
                .is_error
        );
    }
    let host = Host::new(&env, &["--allow-secrets", "--on-exists", "overwrite"]);
    assert!(!host.ask(create("/memories/t.md", &text)).is_error);
    // What is there already is no reason to refuse the next edit.
    let strict = Host::new(&env, &[]);
    assert!(!strict.ask(insert("/memories/t.md", 1, "fine")).is_error);
    let team = Host::of_project(&env, repo.path(), &["--allow-secrets"]);
    let told = team.ask(create("/memories/team/t.md", &text));
    assert!(
        told.is_error && told.text.contains("holds a secret"),
        "{}",
        told.text
    );
}

#[test]
fn what_memory_cannot_keep_is_refused_and_memory_that_is_off_says_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    assert!(!host.ask(create("/memories/Notes.md", "x\n")).is_error);
    for input in [
        create("/memories/.hidden", "x"),
        create("/memories/con", "x"),
        create("/memories/notes.md", "twin"),
        rename("/memories/Notes.md", "/memories/.x"),
        create("/memories/.git/config", "x"),
    ] {
        let told = host.ask(input.clone());
        assert!(told.is_error, "{input}: {}", told.text);
    }
    fs::create_dir_all(repo.memory().join("folder")).unwrap();
    assert_eq!(
        host.ask(create("/memories/folder", "x")).text,
        "Error: File /memories/folder already exists"
    );
    let off = |args: &[&str]| {
        env.invoke(args)
            .in_dir(repo.path())
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
            .stdin(json!({"id": 1, "input": view("/memories")}).to_string())
            .run()
    };
    let output = off(&["tool", "--loop"]).assert_ok();
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(answer["is_error"], true);
    assert!(
        answer["content"]
            .as_str()
            .unwrap()
            .starts_with("memory is off here: "),
        "{answer}"
    );
    off(&["tool"]).assert_code(1);
}

#[test]
fn what_a_person_has_to_allow_waits_for_them() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &[]);
    assert!(!host.ask(create("/memories/a.md", "one\n")).is_error);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let inputs = [
        create("/memories/b.md", "x\n"),
        replace("/memories/a.md", "one", "two"),
        rename("/memories/a.md", "/memories/c.md"),
        delete("/memories/a.md"),
    ];
    for input in &inputs {
        let told = host.ask(input.clone());
        assert!(
            told.is_error && told.text.starts_with("put aside for a person"),
            "{input}: {}",
            told.text
        );
    }
    assert_eq!(repo.note("a.md").unwrap(), "one\n");
    assert!(repo.note("b.md").is_none() && repo.note("c.md").is_none());
    repo.mem(["config", "set", "memory.write", "read-only"])
        .assert_ok();
    for input in inputs {
        assert!(host.ask(input).is_error);
    }
    assert!(!host.ask(view("/memories/a.md")).is_error);
    assert_eq!(repo.note("a.md").unwrap(), "one\n");
}

#[test]
fn what_a_project_keeps_for_a_user_is_written_only_where_agents_may_write() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let host = Host::of_project(&env, repo.path(), &["--user", "alice"]);
    assert!(!host.ask(create("/memories/a.md", "one\n")).is_error);
    for mode in ["confirm", "read-only"] {
        repo.mem(["config", "set", "memory.write", mode])
            .assert_ok();
        let told = host.ask(replace("/memories/a.md", "one", "two"));
        assert_eq!(
            (told.text.as_str(), told.is_error),
            ("Memory is read-only here.", true)
        );
        assert!(
            host.ask(view("/memories/a.md"))
                .text
                .ends_with("1\tone\n     2\t")
        );
    }
}

#[test]
fn a_person_changes_the_decision_while_a_host_runs() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut command = env.command(mem_tests::binary::path());
    command.args(["tool", "--loop"]).current_dir(repo.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut ask = |asked: Value| -> Value {
        writeln!(input, "{}", json!({ "id": 1, "input": asked })).unwrap();
        serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap()
    };
    assert_eq!(ask(create("/memories/a.md", "x\n"))["is_error"], false);
    let set = |key: &str, value: &str| repo.mem(["config", "set", key, value]).assert_ok();
    set("memory.write", "read-only");
    assert_eq!(ask(create("/memories/b.md", "x\n"))["is_error"], true);
    set("memory.enabled", "false");
    let told = ask(view("/memories/a.md"));
    assert!(
        told["content"]
            .as_str()
            .unwrap()
            .starts_with("memory is off here"),
        "{told}"
    );
    set("memory.enabled", "true");
    set("memory.write", "auto");
    assert_eq!(ask(create("/memories/b.md", "x\n"))["is_error"], false);
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_warning_about_the_settings_is_said_once_a_run() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env.home().join(".config/mem/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "[memory]\nbogus = 1\n").unwrap();
    let host = Host::of_project(&env, repo.path(), &["--loop"]);
    let line = json!({ "id": 1, "input": view("/memories") }).to_string();
    let output = host
        .run(&[], format!("{line}\n{line}\n{line}\n"))
        .assert_ok();
    assert_eq!(output.stdout.lines().count(), 3);
    assert_eq!(
        output.stderr.matches("memory.bogus").count(),
        1,
        "{}",
        output.stderr
    );
}
