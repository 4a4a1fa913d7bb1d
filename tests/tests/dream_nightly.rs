//! Logs that are distilled at night, by the daemon: where that is set, by one machine, as far as agents may.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Invocation, Repo, TestEnv};

use crate::daemon::{QUICK, wait};
use crate::inbox::ids;
use crate::sync::two;
use crate::team::Person;

fn pace() -> String {
    format!("{QUICK},night=50")
}

fn nightly<'e>(repo: &Repo<'e>, line: &str) -> Invocation<'e> {
    repo.invoke(line.split(' ')).env("MEM_DAEMON_PACE", pace())
}

fn logged(directory: &str, text: &str) -> PathBuf {
    let directory = PathBuf::from(directory);
    let folder = directory.join("logs/2025/12");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("2025-12-01.md"), format!("- 10:00 {text}\n")).unwrap();
    directory.join("MEMORY.md")
}

fn read(path: &PathBuf) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn one_of_two_distils_where_the_host_does_it_too() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "dream.nightly", "true"])
        .assert_ok();
    let dream = || repo.mem(["status", "--json"]).assert_ok().json()["dream"].clone();
    assert_eq!(
        (&dream()["nightly"], &dream()["by_host"]),
        (&true.into(), &false.into())
    );
    let settings = env.base().join("settings.json");
    fs::create_dir_all(env.base()).unwrap();
    fs::write(&settings, r#"{"autoDreamEnabled": true}"#).unwrap();
    assert_eq!(
        (&dream()["nightly"], &dream()["by_host"]),
        (&false.into(), &true.into())
    );
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        told.contains("Claude Code distils this memory (`autoDreamEnabled`"),
        "{told}"
    );
    // Memory that the host does not keep is not distilled by it.
    fs::write(
        &settings,
        r#"{"autoDreamEnabled": true, "autoMemoryEnabled": false}"#,
    )
    .unwrap();
    let on = repo
        .invoke(["status", "--json"])
        .env("MEM_MEMORY_ENABLED", "true");
    assert_eq!(on.run().assert_ok().json()["dream"]["nightly"], true);
}

#[test]
fn a_night_distils_where_that_is_set_and_the_status_tells_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let index = logged(&repo.mem(["path"]).line(), "The payments owner is Alice");
    nightly(&repo, "daemon start").run().assert_ok();
    let before = repo.mem(["status", "--json"]).assert_ok().json();
    assert!(before["dream"].is_null(), "nothing is distilled unasked");
    assert_eq!(read(&index), "");
    nightly(&repo, "config set dream.nightly true")
        .run()
        .assert_ok();
    nightly(&repo, "daemon restart").run().assert_ok();
    wait("the night distils", || {
        read(&index).contains("payments owner is Alice")
    });
    let dreamt = || repo.mem(["status", "--json"]).assert_ok().json()["dream"].clone();
    wait("it is remembered", || dreamt()["change"].is_string());
    let dream = dreamt();
    assert_eq!(
        (dream["nightly"].as_bool(), dream["summary"].as_str()),
        (Some(true), Some("1 added, 0 merged, 0 retired"))
    );
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        told.contains("distilled") && told.contains("mem undo chg_"),
        "{told}"
    );
    let change = dream["change"].as_str().unwrap().to_owned();
    repo.mem(["undo", &change]).assert_ok();
    assert!(!read(&index).contains("Alice"));
}

#[test]
fn what_a_night_would_warn_of_is_told_the_next_morning() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let index = logged(&repo.mem(["path"]).line(), "The payments owner is Alice");
    repo.mem(["dream", "--yes"]).assert_ok();
    repo.mem(["config", "set", "dream.nightly", "true"])
        .assert_ok();
    let files = env.files_under(env.root());
    let state = files.iter().find(|(name, _)| name.ends_with("/dream.json"));
    fs::write(env.root().join(&state.unwrap().0), "{broken").unwrap();
    assert!(read(&index).contains("Alice"));
    nightly(&repo, "daemon start").run().assert_ok();
    let warnings =
        || repo.mem(["status", "--json"]).assert_ok().json()["dream"]["warnings"].to_string();
    wait("that is told", || warnings().contains("may come again"));
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(told.contains("is damaged"), "{told}");
}

#[test]
fn at_night_nobody_agrees_for_a_person() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    repo.mem(["config", "set", "dream.nightly", "true"])
        .assert_ok();
    let index = logged(&repo.mem(["path"]).line(), "The payments owner is Alice");
    nightly(&repo, "daemon start").run().assert_ok();
    wait("it waits in the inbox", || ids(&repo).len() == 1);
    let trouble = || repo.mem(["status", "--json"]).assert_ok().json()["dream"]["trouble"].clone();
    wait("that is told", || trouble().is_string());
    assert_eq!(read(&index), "");
    repo.mem(["inbox", "accept", &ids(&repo)[0]]).assert_ok();
    assert!(read(&index).contains("payments owner is Alice"));
}

#[test]
fn of_two_machines_one_distils_a_night() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    for machine in [&laptop, &desk] {
        machine.mem("config set dream.nightly true").assert_ok();
    }
    let index = logged(&laptop.mem("path").line(), "The payments owner is Alice");
    let start = |machine: &Person<'_>| {
        let run = machine.invoke(vec!["daemon", "start"]);
        run.env("MEM_DAEMON_PACE", pace()).run().assert_ok();
    };
    let dream =
        |machine: &Person<'_>| machine.mem("status --json").assert_ok().json()["dream"].clone();
    start(&laptop);
    wait("one distils", || dream(&laptop)["change"].is_string());
    wait("and the index has it", || {
        read(&index).contains("payments owner is Alice")
    });
    start(&desk);
    wait("the other does not", || dream(&desk)["trouble"].is_string());
    let said = dream(&desk)["trouble"].to_string();
    assert!(said.contains("another machine"), "{said}");
    let other = PathBuf::from(desk.mem("path").line()).join("MEMORY.md");
    wait("and has what the first made", || {
        read(&other).contains("payments owner is Alice")
    });
}

#[test]
fn of_two_machines_that_begin_at_once_the_one_that_the_remote_heard_first_distils() {
    let env = TestEnv::new();
    let (laptop, desk) = two(&env);
    desk.mem("config set dream.nightly true").assert_ok();
    let place = |machine: &Person<'_>| PathBuf::from(machine.mem("path").line());
    logged(&laptop.mem("path").line(), "The payments owner is Alice");
    let lease = |machine: &Person<'_>, name: &str| {
        let night = "2026-01-01";
        let file = place(machine).join("logs/dream.lease");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, format!("{night} {name}\n")).unwrap();
    };
    // Both have written that it is theirs, and neither has heard of the other.
    lease(&laptop, "aaaaaaaaaaaaaaaa");
    lease(&desk, "bbbbbbbbbbbbbbbb");
    laptop.mem("sync").assert_ok();
    let run = desk.invoke(vec!["daemon", "start"]);
    run.env("MEM_DAEMON_PACE", pace()).run().assert_ok();
    let trouble = || desk.mem("status --json").assert_ok().json()["dream"]["trouble"].to_string();
    wait("the second does not", || {
        trouble().contains("another machine")
    });
    let said = fs::read_to_string(place(&desk).join("logs/dream.lease")).unwrap();
    assert!(said.contains("aaaaaaaaaaaaaaaa"), "{said}");
    assert_eq!(read(&place(&desk).join("MEMORY.md")), "");
}

#[test]
fn a_machine_that_cannot_ask_the_remote_does_not_distil() {
    let env = TestEnv::new();
    let (laptop, _) = two(&env);
    laptop.mem("config set dream.nightly true").assert_ok();
    let index = logged(&laptop.mem("path").line(), "The payments owner is Alice");
    fs::rename(env.root().join("notes.git"), env.root().join("away.git")).unwrap();
    let run = laptop.invoke(vec!["daemon", "start"]);
    run.env("MEM_DAEMON_PACE", pace()).run().assert_ok();
    let trouble = || laptop.mem("status --json").assert_ok().json()["dream"]["trouble"].to_string();
    wait("that is told", || trouble().contains("cannot be asked"));
    assert_eq!(read(&index), "");
}
