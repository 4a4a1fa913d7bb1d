//! The life of a daemon: one a repository, ready when it says so, gone without a trace.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mem_tests::{Invocation, Repo, TestEnv};
use serde_json::Value;

/// Longer than anything takes on the slowest machine.
pub(crate) const LONG: Duration = Duration::from_secs(90);
/// A daemon with little patience, so that tests need little of it.
pub(crate) const QUICK: &str = "team_quiet=50,team_longest=500,tend_quiet=10,tend_longest=100";

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG, "in vain: {what}");
        std::thread::yield_now();
    }
}

/// A run of `mem` whose daemon is quick.
pub(crate) fn quick<'e>(repo: &Repo<'e>, line: &str) -> Invocation<'e> {
    repo.invoke(line.split(' ')).env("MEM_DAEMON_PACE", QUICK)
}

pub(crate) fn status(repo: &Repo<'_>) -> Value {
    let run = repo.mem(["daemon", "status", "--json"]);
    run.assert_ok().json()
}

/// The command lines of all processes of daemons in an environment.
pub(crate) fn processes(env: &TestEnv) -> Vec<String> {
    let run = format!("XDG_RUNTIME_DIR={}", env.root().join("run").display());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| {
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let line = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        let is_ours = String::from_utf8_lossy(&read("environ")).contains(&run);
        (is_ours && line.contains("daemon run")).then_some(line)
    });
    lines.collect()
}

fn kill(pid: &Value, signal: &str) {
    let mut kill = Command::new("kill");
    let status = kill.args([signal, &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

pub(crate) fn runtime(env: &TestEnv) -> PathBuf {
    env.root().join("run/mem")
}

/// The files of a runtime directory that end so.
fn files(env: &TestEnv, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(runtime(env)).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| path.extension().is_some_and(|one| one == ending))
        .collect()
}

/// The contents and paths of a history, by the name of its folder.
fn recorded(history: &str) -> String {
    let bytes = mem_tests::history::contents(Path::new(history));
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_burst_of_starts_in_two_worktrees_leaves_one() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    repo.git(["worktree", "add", "--quiet", "../tree"]);
    let tree = Repo::at(&env, env.work().join("tree"));
    let starts = (0..100).map(|number| {
        let place = if number % 2 == 0 { &repo } else { &tree };
        place.invoke(["daemon", "start"]).spawn()
    });
    let starts: Vec<_> = starts.collect();
    for mut start in starts {
        assert!(start.wait().unwrap().success());
    }
    wait("one process", || processes(&env).len() == 1);
    assert_eq!(status(&repo)["pid"], status(&tree)["pid"]);
    assert_eq!(status(&repo)["running"], true);
    assert_eq!(files(&env, "sock").len(), 1);
}

#[test]
fn it_says_how_it_is_and_leaves_nothing_behind() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let before = status(&repo);
    assert_eq!(
        (&before["running"], &before["pid"]),
        (&false.into(), &Value::Null)
    );
    let line = repo.mem(["status"]).assert_ok().stdout;
    assert!(!line.contains("daemon"), "{line}");
    assert!(processes(&env).is_empty(), "a bare init starts none");
    let started = repo.mem(["daemon", "start", "--json"]).assert_ok().json();
    assert_eq!(
        (&started["running"], &started["protocol"]),
        (&true.into(), &1.into())
    );
    assert_eq!(started["root"], "[ENV]/work/app");
    assert!(started["pss_bytes"].as_u64().is_some_and(|bytes| bytes > 0));
    let line = repo.mem(["status"]).assert_ok().stdout;
    assert!(line.contains("daemon: "), "{line}");
    assert!(line.contains("since 00:00 (process "), "{line}");
    let again = repo.mem(["daemon", "start"]).assert_ok();
    assert!(again.stderr.contains("already"), "{}", again.stderr);
    repo.mem(["daemon", "stop"]).assert_ok();
    assert_eq!((processes(&env), files(&env, "sock")), (vec![], vec![]));
    let doctor = repo.mem(["doctor"]).stdout;
    assert!(doctor.contains("no process left behind"), "{doctor}");
    let again = repo.mem(["daemon", "stop"]).assert_ok();
    assert!(again.stderr.contains("no daemon runs"), "{}", again.stderr);
    let log = repo.mem(["daemon", "logs"]).assert_ok().stdout;
    let words: Vec<&str> = log.lines().map(|line| &line[21..]).collect();
    assert_eq!(words[0], "started, version 0.1.0");
    assert_eq!(words.last(), Some(&"ended: Stopped"));
}

#[test]
fn one_of_each_repository_and_one_word_for_all() {
    let env = TestEnv::new();
    let repos = ["one", "two"].map(|name| env.repo(name));
    for repo in &repos {
        repo.mem(["init", "--no-setup"]).assert_ok();
        repo.mem(["daemon", "start"]).assert_ok();
    }
    let all = env
        .mem(["daemon", "status", "--all", "--json"])
        .assert_ok()
        .json();
    let roots: Vec<&Value> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["root"])
        .collect();
    assert_eq!(roots, ["[ENV]/work/one", "[ENV]/work/two"]);
    let stopped = env
        .mem(["daemon", "stop", "--all", "--json"])
        .assert_ok()
        .json();
    assert_eq!(stopped["stopped"], 2);
    assert!(processes(&env).is_empty());
}

#[test]
fn a_killed_one_is_told_mended_and_followed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    quick(&repo, "daemon start").run().assert_ok();
    kill(&status(&repo)["pid"], "-9");
    wait("it is gone", || status(&repo)["running"] == false);
    let doctor = repo.mem(["doctor"]).stdout;
    assert!(doctor.contains("was killed and left its place"), "{doctor}");
    assert_eq!(files(&env, "sock").len(), 1);
    repo.mem(["doctor", "--fix"]);
    assert_eq!(files(&env, "sock").len(), 0);
    let doctor = repo.mem(["doctor"]).stdout;
    assert!(!doctor.contains("left its place"), "{doctor}");
    quick(&repo, "daemon start").run().assert_ok();
    kill(&status(&repo)["pid"], "-9");
    // What is written while none runs is found by the next one.
    let history = repo.mem(["status", "--json"]).assert_ok().json()["history_dir"].clone();
    let history = history
        .as_str()
        .unwrap()
        .replace("[ENV]", &env.root().to_string_lossy());
    repo.edit_note("project_meanwhile.md", "written while nobody watched\n");
    quick(&repo, "daemon start").run().assert_ok();
    wait("it is in the history", || {
        let tree = recorded(&history);
        tree.contains("project_meanwhile.md")
    });
    // The same of what is written while it watches.
    repo.edit_note("project_later.md", "written while it watches\n");
    wait("it is in the history too", || {
        let tree = recorded(&history);
        tree.contains("project_later.md")
    });
}

#[test]
fn one_that_hangs_is_ended_within_seconds() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    repo.mem(["daemon", "start"]).assert_ok();
    kill(&status(&repo)["pid"], "-STOP");
    let begun = Instant::now();
    let stopped = repo.mem(["daemon", "stop", "--json"]).assert_ok().json();
    assert_eq!(stopped["stopped"], 1);
    assert!(begun.elapsed() < Duration::from_secs(6), "{begun:?}");
    assert!(processes(&env).is_empty());
}

#[test]
fn it_ends_by_itself_when_nobody_needs_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let start = repo.invoke(["daemon", "start"]);
    start
        .env("MEM_DAEMON_PACE", "idle=20,tend_quiet=1")
        .run()
        .assert_ok();
    wait("it ends", || processes(&env).is_empty());
    assert_eq!(files(&env, "sock").len(), 0);
    let log = repo.mem(["daemon", "logs"]).stdout;
    assert!(log.ends_with("ended: Idle\n"), "{log}");
}

#[test]
fn it_ends_with_its_repository() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    let memory = repo.memory();
    quick(&repo, "daemon start").run().assert_ok();
    fs::remove_dir_all(repo.path()).unwrap();
    fs::write(memory.join("project_a.md"), "wakes it\n").unwrap();
    wait("it ends", || processes(&env).is_empty());
}

#[test]
fn where_memory_is_off_none_starts() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let off = repo
        .invoke(["daemon", "start"])
        .env("MEM_DISABLE", "1")
        .run();
    assert!(off.assert_code(1).stderr.contains("MEM_DISABLE"));
    assert!(processes(&env).is_empty());
    let hook = repo.invoke(["hook", "claude", "session-start"]);
    let hook = hook
        .env("MEM_DISABLE", "1")
        .env("MEM_DAEMON_AUTOSTART", "true");
    hook.stdin("{}").run().assert_ok();
    assert!(processes(&env).is_empty());
}

#[test]
fn a_hook_starts_one_where_one_is_wanted() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("MEMORY.md", "- [A](project_a.md) — a\n");
    let hook = |wanted: &str| {
        let hook = repo.invoke(["hook", "claude", "session-start"]).stdin("{}");
        hook.env("MEM_DAEMON_AUTOSTART", wanted).run().assert_ok();
    };
    hook("false");
    assert!(processes(&env).is_empty());
    hook("true");
    wait("one runs", || status(&repo)["running"] == true);
}

#[test]
fn killed_again_and_again_it_loses_nothing_and_leaves_no_child() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(["init", "--no-setup"]).assert_ok();
    for round in 0..12 {
        quick(&repo, "daemon start").run().assert_ok();
        let pid = status(&repo)["pid"].clone();
        // Its jobs are under way, or just over, or about to begin.
        for note in 0..round {
            repo.edit_note(&format!("project_{round}_{note}.md"), "text\n");
        }
        kill(&pid, "-9");
    }
    wait("no process is left", || processes(&env).is_empty());
    quick(&repo, "daemon start").run().assert_ok();
    let history = repo.mem(["status", "--json"]).assert_ok().json()["history_dir"].clone();
    let history = history
        .as_str()
        .unwrap()
        .replace("[ENV]", &env.root().to_string_lossy());
    wait("the history has all", || {
        let names = recorded(&history);
        (1..12).all(|round| names.contains(&format!("project_{round}_{}.md", round - 1)))
    });
}

#[test]
fn an_agents_environment_does_not_decide_on_a_teams_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let start = |actor: &str| {
        let start = repo.invoke(["daemon", "start"]).env("MEM_ACTOR", actor);
        start.env("MEM_TEAM_PUSH", "auto").run()
    };
    let refused = start("agent").assert_code(1);
    assert!(
        refused.stderr.contains("`MEM_TEAM_PUSH`"),
        "{}",
        refused.stderr
    );
    assert!(processes(&env).is_empty());
    start("person").assert_ok();
}

/// What the manager itself says of a unit, where there is one.
fn verify(env: &TestEnv, units: &Path, unit: &str) {
    let mut verify = env.command("systemd-analyze");
    verify.env("SYSTEMD_UNIT_PATH", format!("{}:", units.display()));
    let verify = verify.args(["--user", "--man=no", "verify", unit]);
    if let Ok(verify) = verify.output() {
        let told = String::from_utf8_lossy(&verify.stderr).into_owned();
        let of_it: Vec<&str> = told.lines().filter(|line| line.contains("mem@")).collect();
        assert!(of_it.is_empty(), "{told}");
    }
}

#[test]
fn services_are_instances_of_one_unit_that_come_and_go() {
    let env = TestEnv::new();
    let repos = [env.repo("an app"), env.repo("other")];
    let drop_ins = repos.each_ref().map(|repo| {
        let install = repo.mem(["daemon", "install", "--no-start", "--json"]);
        let file = install.assert_ok().json()["file"].clone();
        let root = env.root().to_string_lossy().into_owned();
        PathBuf::from(file.as_str().unwrap().replace("[ENV]", &root))
    });
    let folder = drop_ins[0].parent().unwrap();
    let (units, name) = (folder.parent().unwrap(), folder.file_name().unwrap());
    let unit = name.to_str().unwrap().strip_suffix(".d").unwrap();
    assert!(unit.starts_with("mem@") && unit.ends_with(".service"));
    let template = units.join("mem@.service");
    let text = fs::read_to_string(&template).unwrap();
    assert!(text.contains("daemon run --service"), "{text}");
    assert!(!text.contains("an app"), "{text}");
    let own = env.normalise(&fs::read_to_string(&drop_ins[0]).unwrap());
    assert!(
        own.contains("Environment=\"MEMORY_OF=[ENV]/work/an app\""),
        "{own}"
    );
    verify(&env, units, unit);
    let listed = repos[0].mem(["uninstall", "--dry-run"]).assert_ok().stdout;
    assert!(listed.contains("a service for the daemon"), "{listed}");
    for (repo, file) in repos.iter().zip(&drop_ins) {
        assert!(template.is_file(), "while one is there");
        let removed = repo
            .mem(["daemon", "uninstall", "--json"])
            .assert_ok()
            .json();
        assert_eq!(removed["removed"], true);
        assert!(!file.parent().unwrap().exists());
    }
    assert!(!template.exists(), "with the last one");
    let again = repos[0].mem(["daemon", "uninstall", "--json"]).assert_ok();
    assert_eq!(again.json()["removed"], false);
}
