//! What a daemon shares by itself, through a git remote: with a team, and between one's own machines.

use std::fs;

use mem_tests::{Invocation, TestEnv};
use serde_json::{Value, json};

use crate::daemon::{QUICK, processes, wait};
use crate::sync;
use crate::team::Person;

const NOTE: &str = "---\nname: w\ndescription: watched\ntype: project\n---\nbody\n";

fn quick<'e>(person: &Person<'e>, line: &str) -> Invocation<'e> {
    let run = person.invoke(line.split(' ').collect::<Vec<_>>());
    run.env("MEM_DAEMON_PACE", QUICK)
}

fn status(person: &Person<'_>) -> Value {
    person.mem("daemon status --json").assert_ok().json()
}

/// Whether the remote has a file.
fn has(person: &Person<'_>, name: &str) -> bool {
    let origin = person.repo.path().parent().unwrap().join("origin.git");
    let mut git = std::process::Command::new("git");
    git.arg("--git-dir").arg(origin);
    git.args(["ls-tree", "-r", "--name-only", "refs/mem/team"]);
    let output = git.output().unwrap();
    String::from_utf8_lossy(&output.stdout).contains(name)
}

#[test]
fn what_is_written_reaches_a_colleague_by_itself() {
    let env = TestEnv::new();
    let [ann, bob] = ["ann", "bob"].map(|name| Person::new(&env, name).set_up());
    // Setting up starts one where that is not forbidden.
    let setup = quick(&ann, "team setup --remote git:origin --repo acme/app");
    let setup = setup.without_env("MEM_DAEMON_AUTOSTART").run().assert_ok();
    assert!(setup.stderr.contains("daemon"), "{}", setup.stderr);
    ann.write("project_w.md", NOTE);
    wait("the remote has it", || has(&ann, "project_w.md"));
    wait("nothing waits", || status(&ann)["pending"] == false);
    assert!(status(&ann)["last_sync"].is_string());
    quick(&bob, "daemon start").run().assert_ok();
    wait("a colleague has it", || bob.read("project_w.md").is_some());
    fs::remove_file(bob.team().join("project_w.md")).unwrap();
    wait("a removal is no deletion", || {
        bob.read("project_w.md").is_some()
    });
    let line = ann.mem("status").assert_ok().stdout;
    assert!(line.contains("in step with the remote since"), "{line}");
}

#[test]
fn setup_starts_no_daemon_that_a_setting_forbids_and_says_what_it_starts() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let unset = ann.invoke(["config", "get", "daemon.autostart", "--json"]);
    let unset = unset.without_env("MEM_DAEMON_AUTOSTART").run().json();
    assert!(
        unset["value"].is_null(),
        "a default that does not hold: {unset}"
    );
    ann.mem("config set daemon.autostart false").assert_ok();
    let setup = |end: &str| {
        let line = format!("team setup --remote git:origin --repo acme/app{end}");
        let run = quick(&ann, &line).without_env("MEM_DAEMON_AUTOSTART");
        run.run().assert_ok()
    };
    let told = setup("").stderr;
    assert!(told.contains("no daemon was started"), "{told}");
    assert_eq!(setup(" --json").json()["daemon"], "off");
    assert!(processes(&env).is_empty());
    ann.mem("config unset daemon.autostart").assert_ok();
    let told = setup("").stderr;
    assert!(told.contains("started a daemon"), "{told}");
    assert_eq!(setup(" --json").json()["daemon"], "running");
    // What it sent is what a run tells that finds nothing left to send.
    ann.save("Freeze", "Nothing lands.");
    wait("the remote has it", || has(&ann, "project_freeze.md"));
    wait("nothing waits", || status(&ann)["pending"] == false);
    let told = ann.sync().stdout;
    assert!(
        told.contains("sent by the daemon  project_freeze.md"),
        "{told}"
    );
    let told = ann.sync().stdout;
    assert!(told.starts_with("in step"), "{told}");
}

#[test]
fn what_waits_is_sent_on_the_way_out() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    let start = ann.invoke(["daemon", "start"]);
    // It would wait for an hour.
    let patient = "team_quiet=3600000,team_longest=3600000,tend_quiet=1";
    start.env("MEM_DAEMON_PACE", patient).run().assert_ok();
    wait("the first look is over", || {
        let status = status(&ann);
        status["last_sync"].is_string() && status["pending"] == false
    });
    ann.write("project_w.md", NOTE);
    wait("it is noticed", || status(&ann)["pending"] == true);
    assert!(!has(&ann, "project_w.md"));
    let pid = status(&ann)["pid"].to_string();
    let killed = std::process::Command::new("kill")
        .args(["-TERM", &pid])
        .status();
    assert!(killed.unwrap().success());
    wait("it ends", || processes(&env).is_empty());
    assert!(has(&ann, "project_w.md"));
}

#[test]
fn one_that_runs_follows_what_is_set_up_later() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    quick(&ann, "init --no-setup").run().assert_ok();
    quick(&ann, "daemon start").run().assert_ok();
    let ann = ann.set_up();
    ann.write("project_w.md", NOTE);
    wait("the remote has it", || has(&ann, "project_w.md"));
}

#[test]
fn what_will_not_go_by_itself_is_told_once_and_in_a_status() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    let origin = ann.repo.path().parent().unwrap().join("elsewhere.git");
    ann.repo
        .git(["remote", "set-url", "origin", &origin.to_string_lossy()]);
    quick(&ann, "daemon start").run().assert_ok();
    wait("it gives up", || status(&ann)["state"] == "blocked");
    let line = ann.mem("status").assert_ok().stdout;
    assert!(
        line.contains("not the one that team memory was set up with"),
        "{line}"
    );
    ann.mem("save --type project --name x --description y --body z")
        .assert_ok();
    let hook = || {
        let event = json!({"session_id": "s", "cwd": ann.repo.path(), "source": "startup"});
        let hook = ann.invoke(["hook", "claude", "session-start"]);
        hook.stdin(event.to_string()).run().assert_ok().stdout
    };
    wait("a session is told", || hook().contains("memory-sharing"));
    assert!(!hook().contains("memory-sharing"));
    let log = ann.mem("daemon logs").stdout;
    assert_eq!(log.matches("set up with").count(), 1, "{log}");
}

/// A daemon that asks the remote for news several times a second.
fn eager(person: &Person<'_>) {
    let pace = format!("{QUICK},poll=300");
    let start = person.invoke(["daemon", "start"]);
    start.env("MEM_DAEMON_PACE", pace).run().assert_ok();
}

/// Saves a note for all repositories of a person.
fn save_global(person: &Person<'_>, name: &str) {
    let save = [
        "save", "--type", "user", "--scope", "global", "--name", name,
    ];
    let rest = ["--description", "about it", "--body", "Tabs."];
    person
        .invoke(save.into_iter().chain(rest))
        .run()
        .assert_ok();
}

#[test]
fn ones_own_notes_reach_the_other_machine_by_themselves() {
    let env = TestEnv::new();
    let (laptop, desk) = sync::two(&env);
    eager(&laptop);
    eager(&desk);
    sync::write(&laptop, "project_freeze.md", "Nothing lands.\n");
    wait("the private note arrives", || {
        sync::read(&desk, "project_freeze.md").is_some()
    });
    // There was no directory for it before.
    save_global(&laptop, "Editor");
    wait("the global note arrives", || {
        let list = desk.mem("list --scope global").assert_ok().stdout;
        list.contains("user_editor.md")
    });
    wait("nothing waits", || {
        status(&laptop)["pending"] == false && status(&desk)["pending"] == false
    });
    assert!(status(&laptop)["last_sync"].is_string());
    assert_eq!(status(&laptop)["trouble"], Value::Null);
    // Without a remote it stays here.
    laptop.mem("sync leave").assert_ok();
    sync::write(&laptop, "project_later.md", "Later.\n");
    wait("nothing waits", || status(&laptop)["pending"] == false);
    assert!(sync::read(&desk, "project_later.md").is_none());
}

#[test]
fn daemons_of_two_repositories_take_turns_with_the_global_notes() {
    let env = TestEnv::new();
    let (laptop, desk) = sync::two(&env);
    let mut other = Person::new(&env, "other");
    other.home.clone_from(&laptop.home);
    quick(&laptop, "daemon start").run().assert_ok();
    quick(&other, "daemon start").run().assert_ok();
    for name in ["One", "Two", "Three"] {
        save_global(&laptop, name);
    }
    let rests = |person: &Person<'_>| {
        let status = status(person);
        status["pending"] == false && status["state"] == "watching"
    };
    wait("all have it", || {
        desk.mem("sync").assert_ok();
        let list = desk.mem("list --scope global").assert_ok().stdout;
        ["one", "two", "three"]
            .iter()
            .all(|name| list.contains(&format!("user_{name}.md")))
    });
    wait("both rest", || rests(&laptop) && rests(&other));
    for person in [&laptop, &other] {
        assert_eq!(status(person)["trouble"], Value::Null);
    }
}

#[test]
fn setting_it_up_starts_one_and_an_agents_word_does_not() {
    let env = TestEnv::new();
    let (laptop, _) = sync::two(&env);
    laptop.mem("sync leave").assert_ok();
    let remote = format!("git:{}", env.root().join("notes.git").display());
    let setup = laptop.invoke(["sync", "setup", "--remote", &remote]);
    let setup = setup.without_env("MEM_DAEMON_AUTOSTART").run().assert_ok();
    assert!(setup.stderr.contains("daemon"), "{}", setup.stderr);
    assert_eq!(status(&laptop)["running"], true);
    laptop.mem("daemon stop").assert_ok();
    let start = laptop.invoke(["daemon", "start"]).env("MEM_ACTOR", "agent");
    let refused = start.env("MEM_SYNC_REMOTE", &remote).run().assert_code(1);
    assert!(
        refused.stderr.contains("`MEM_SYNC_REMOTE`"),
        "{}",
        refused.stderr
    );
}
