//! A state place, a home, a clock and a history that are not as they should be.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Invocation, Repo, TestEnv};

fn save(name: &str) -> Vec<&str> {
    let mut args = vec!["save", "--type", "project", "--name", name];
    // A body that is its own, and a list: what begins with `-` is text here.
    args.extend(["--description", "- things", "--body", name]);
    args
}

/// The folder of the one store of an environment.
fn store(env: &TestEnv) -> PathBuf {
    let stores = fs::read_dir(env.home().join(".local/state/mem/stores")).unwrap();
    let mut paths: Vec<PathBuf> = stores.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(paths.len(), 1);
    paths.remove(0)
}

const READING: [&[&str]; 7] = [
    &["list"],
    &["show", "one"],
    &["search", "things"],
    &["index", "show"],
    &["check"],
    &["path"],
    &["audit"],
];

#[test]
fn a_damaged_history_is_told_and_keeps_nobody_from_working() {
    for file in ["history.db", ""] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        repo.mem(save("One")).assert_ok();
        let broken = store(&env).join("history").join(file);
        if broken.is_dir() {
            fs::remove_dir_all(&broken).unwrap();
        } else {
            fs::write(&broken, "[garbage\n").unwrap();
        }
        for args in READING {
            repo.mem(args).assert_ok();
        }
        let saved = repo.mem(save("Two")).assert_ok();
        let told = saved
            .stderr
            .starts_with("warning: the history was begun anew: ");
        assert!(told, "{file}: {}", saved.stderr);
        let history = repo.mem(["history", "--json"]).assert_ok();
        let changes = history.json()["changes"].as_array().unwrap().len();
        assert_eq!(changes, 2, "{file}: the files as they are, and the save");
        assert!(!history.stderr.contains("warning"), "{file}: told once");
        repo.mem(["undo"]).assert_ok();
        assert_eq!(repo.mem(["list"]).stdout.lines().count(), 1, "{file}");
    }
}

#[test]
fn the_settings_of_git_are_nobodys_business() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    fs::write(env.home().join(".gitconfig"), "[core\nbroken").unwrap();
    for args in [&save("One")[..], &["history"], &["undo"]] {
        repo.invoke(args)
            .without_env("GIT_CONFIG_GLOBAL")
            .run()
            .assert_ok();
    }
}

#[test]
fn without_a_place_for_state_reading_works_and_writing_says_why() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(save("One")).assert_ok();
    let state = env.home().join(".local/state/mem");
    fs::remove_dir_all(&state).unwrap();
    fs::write(&state, "a file").unwrap();
    let memory = env.files_under(&env.base());
    for args in READING {
        repo.mem(args).assert_ok();
    }
    for args in [
        &save("Two")[..],
        &["log", "x"],
        &["undo"],
        &["remove", "one"],
        &["check", "--fix"],
    ] {
        let failed = repo.mem(args).assert_code(1);
        assert!(
            failed.stderr.contains("\nhint: "),
            "{args:?}: {}",
            failed.stderr
        );
    }
    assert_eq!(env.files_under(&env.base()), memory, "nothing changed");
    // With the state gone for good, the memories are there and their history begins.
    fs::remove_file(&state).unwrap();
    repo.mem(save("Two")).assert_ok();
    let changes = repo.mem(["history", "--json"]).assert_ok().json();
    assert_eq!(changes["changes"][1]["verb"], "foreign");
}

#[cfg(target_os = "linux")]
#[test]
fn with_a_read_only_home_reading_works_and_writing_says_why() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(save("One")).assert_ok();
    let before = env.files_under(&env.home());
    let mem = mem_tests::binary::path().display();
    let script = format!(
        "mount --bind '{home}' '{home}'; mount -o remount,bind,ro '{home}'; cd '{repo}'
        for command in list 'show one' 'search things' 'index show' check path history diff status audit
        do '{mem}' $command >/dev/null || echo \"$command: $?\"; done
        for command in 'log x' undo 'remove one' 'check --fix' gc 'redact one -y' 'rename one two' init
        do '{mem}' $command >/dev/null 2>error && echo \"$command: 0\"; grep -q hint: error || echo no hint; done
        '{mem}' doctor | grep -A1 'memory cannot be written' | grep -q 'mounted read-only' || echo no doctor",
        home = env.home().display(),
        repo = repo.path().display(),
    );
    let script = script.replace("2>error", &format!("2>{}/error", env.root().display()));
    let script = script.replace(
        "hint: error",
        &format!("hint: {}/error", env.root().display()),
    );
    let mut unshare = env.command("unshare");
    let output = unshare
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .arg(&script);
    let output = output.output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("unshare failed") {
        eprintln!("user namespaces are not allowed here: not tested");
        return;
    }
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(env.files_under(&env.home()), before);
}

#[test]
fn a_clock_that_jumps_confuses_nobody() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let at = |time: &str, args: &[&str]| repo.invoke(args).env("MEM_NOW", time).run().assert_ok();
    at("1970-01-01T00:00:00Z", &save("One"));
    at("2099-12-31T23:59:59Z", &save("Two"));
    at("1969-01-01T00:00:00Z", &save("Three"));
    for now in [
        "1970-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
        "2099-12-31T23:59:59Z",
        "-000044-03-15T00:00:00Z",
    ] {
        let listed = at(now, &["list"]);
        assert_eq!(listed.stdout.lines().count(), 3);
        assert!(
            !listed.stdout.replace("- things", "").contains('-'),
            "no negative age: {}",
            listed.stdout
        );
        let history = at(now, &["history", "--json"]).json();
        let files = history["changes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["versions"][1]["file"].clone());
        let files: Vec<_> = files.collect();
        assert_eq!(
            files,
            ["project_three.md", "project_two.md", "project_one.md"],
            "in the order of what happened"
        );
        at(now, &["check"]);
        at(now, &["status"]);
    }
    // The last change is the one that was made last, whatever the clock said.
    at("1980-01-01T00:00:00Z", &["undo"]);
    assert!(
        !at("2026-01-01T00:00:00Z", &["list"])
            .stdout
            .contains("three")
    );
    repo.invoke(["list"])
        .env("MEM_NOW", "yesterday")
        .run()
        .assert_code(1);
}

#[test]
fn two_homes_on_one_directory_lose_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let (shared, other) = (env.root().join("shared"), env.root().join("other"));
    fs::create_dir_all(&other).unwrap();
    let run = |home: &Path, args: &[&str]| -> Invocation<'_> {
        repo.invoke(args).env("MEM_DIR", &shared).env("HOME", home)
    };
    let homes = [env.home(), other];
    let names: Vec<String> = (0..16).map(|n| format!("Note {n}")).collect();
    let children: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(n, name)| run(&homes[n % 2], &save(name)).spawn())
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let index = fs::read_to_string(shared.join("MEMORY.md")).unwrap();
    assert_eq!(index.lines().count(), 16, "{index}");
    for home in &homes {
        let history = run(home, &["history", "--json"]).run().assert_ok().json();
        let verbs = |verb: &str| {
            let changes = history["changes"].as_array().unwrap();
            changes.iter().filter(|one| one["verb"] == verb).count()
        };
        assert_eq!(verbs("save"), 8, "its own saves");
        assert!(verbs("foreign") > 0, "and those of the other one, as seen");
        run(home, &["check"]).run().assert_ok();
    }
}

/// Two checkouts whose memories must stay apart.
#[test]
fn the_state_of_one_repository_is_not_that_of_another() {
    let env = TestEnv::new();
    let (one, two): (Repo<'_>, Repo<'_>) = (env.repo("one"), env.repo("two"));
    one.mem(save("One")).assert_ok();
    two.mem(save("Two")).assert_ok();
    one.mem(["undo"]).assert_ok();
    assert_eq!(two.mem(["list"]).stdout.lines().count(), 1);
}
