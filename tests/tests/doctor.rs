//! `mem doctor` and `mem purge`: what is wrong around the memories, and an end of them.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Repo, TestEnv, words};
use serde_json::Value;

fn save(repo: &Repo<'_>, name: &str) {
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        name,
        "--description",
        "d",
        "--body",
        "x",
    ];
    repo.mem(args).assert_ok();
}

fn directory(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).line().into()
}

/// The messages of checks with this status.
fn with_status(report: &Value, status: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let found = checks.filter(|check| check["status"] == status);
    found
        .map(|check| check["message"].as_str().unwrap().to_owned())
        .collect()
}

fn history(repo: &Repo<'_>) -> PathBuf {
    let output = repo.mem(["status", "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout_bytes).unwrap();
    json["history_dir"].as_str().unwrap().into()
}

#[test]
fn a_healthy_place_has_nothing_but_the_path_to_complain_of() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let report = repo.mem(["doctor", "--json"]).assert_ok().json();
    assert!(with_status(&report, "fail").is_empty(), "{report}");
    let warnings = with_status(&report, "warn");
    assert!(
        matches!(&*warnings, [only] if only.contains("PATH")),
        "{report}"
    );
    let text = repo.mem(["doctor"]).assert_ok().stdout;
    assert!(
        text.contains("ok    memory: the history is whole: 1 change,"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn open_state_and_leftovers_are_found_and_mended() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let state = env.home().join(".local/state/mem");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o755)).unwrap();
    let leftover = directory(&repo).join(".mem-tmp-1-1");
    fs::write(&leftover, "half").unwrap();
    let report = repo.mem(["doctor", "--json"]).assert_code(1).json();
    assert!(
        with_status(&report, "fail")[0].contains("mode 755"),
        "{report}"
    );
    assert!(
        with_status(&report, "warn")
            .iter()
            .any(|text| text.contains("1 temporary file")),
        "{report}"
    );
    repo.mem(["doctor", "--fix"]).assert_ok();
    assert!(!leftover.exists());
    let mode = fs::metadata(&state).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode, 0o700);
}

#[test]
fn the_holder_of_the_lock_is_named() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let lock = fs::File::open(history(&repo).with_file_name("lock")).unwrap();
    lock.lock().unwrap();
    let report = repo.mem(["doctor", "--json"]).assert_ok().json();
    let warnings = with_status(&report, "warn");
    let held = warnings
        .iter()
        .find(|text| text.ends_with("is writing right now"));
    let held = held.unwrap_or_else(|| panic!("{report}"));
    // Some sandboxes do not list locks.
    let own = format!("process {} ", std::process::id());
    assert!(
        held.starts_with(&own) || held.starts_with("a process "),
        "{held}"
    );
    drop(lock);
    let report = repo.mem(["doctor", "--json"]).assert_ok().json();
    assert!(
        with_status(&report, "ok")
            .iter()
            .any(|text| text.starts_with("nobody writes"))
    );
}

#[test]
fn a_damaged_history_is_found() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let damage = "UPDATE contents SET bytes = CAST('other' AS BLOB) WHERE id = 1";
    let db = mem_tests::history::database(&history(&repo));
    assert_eq!(db.execute(damage, ()), Ok(1));
    let report = repo.mem(["doctor", "--json"]).assert_code(1).json();
    assert!(
        with_status(&report, "fail")[0].contains("the history is damaged"),
        "{report}"
    );
}

#[cfg(unix)]
#[test]
fn another_program_called_mem_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    let folder = env.root().join("bin");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("mem"), "#!/usr/bin/env python3\n").unwrap();
    fs::set_permissions(folder.join("mem"), fs::Permissions::from_mode(0o755)).unwrap();
    let own = mem_tests::binary::path().parent().unwrap();
    let doctor = |path: String| {
        env.invoke(["doctor", "--json"])
            .env("PATH", path)
            .run()
            .json()
    };
    let before = doctor(format!("{}:{}", folder.display(), own.display()));
    assert!(
        with_status(&before, "warn").iter().any(|text| text
            .starts_with("a Python program called mem is on the PATH: [ENV]/bin/mem, before")),
        "{before}"
    );
    assert!(
        with_status(&before, "warn")
            .iter()
            .any(|text| text == "it is not on the PATH"),
        "git: {before}"
    );
    let behind = doctor(format!("{}:{}", own.display(), folder.display()));
    assert!(
        with_status(&behind, "ok")
            .iter()
            .any(|text| text.contains(", behind ")),
        "{behind}"
    );
}

/// Writes a program that prints this version, and leaves `<path>.ran` when it runs.
#[cfg(unix)]
fn put_program(path: &Path, version: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let ran = path.with_extension("ran");
    let text = format!(
        "#!/bin/sh\n: >'{}'\necho 'mem {version} (x86_64-linux)'\n",
        ran.display()
    );
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The PATH of the tests with folders in front.
#[cfg(unix)]
fn path_with(folders: &[&Path]) -> String {
    let folders = folders.iter().map(|folder| folder.display().to_string());
    let rest = std::env::var("PATH").unwrap();
    folders.chain([rest]).collect::<Vec<_>>().join(":")
}

#[cfg(unix)]
#[test]
fn a_newer_and_an_older_mem_on_the_path_are_told() {
    let env = TestEnv::new();
    let own = mem_tests::binary::path().parent().unwrap().to_owned();
    let (newer, older) = (env.root().join("newer"), env.root().join("older"));
    put_program(&newer.join("mem"), "99.0.1");
    put_program(&older.join("mem"), "0.0.1-rc.2");
    let doctor = |folders: &[&Path]| {
        env.invoke(["doctor", "--json"])
            .env("PATH", path_with(folders))
            .run()
            .assert_ok()
            .json()
    };
    let behind = doctor(&[&own, &newer, &older]);
    let warnings = with_status(&behind, "warn");
    let own_version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        warnings,
        [format!(
            "mem 99.0.1, newer than this mem {own_version}, is on the PATH: [ENV]/newer/mem, behind {}",
            own.join("mem").display()
        )]
    );
    let quiet = format!(
        "mem 0.0.1-rc.2, older than this mem {own_version}, is on the PATH: [ENV]/older/mem, behind {}",
        own.join("mem").display()
    );
    let is_reported = |text: &String| text.ends_with(&quiet);
    assert!(
        with_status(&behind, "ok").iter().any(is_reported),
        "{behind}"
    );
    let before = doctor(&[&older, &own]);
    assert!(
        with_status(&before, "warn")[0].starts_with("mem 0.0.1-rc.2, older than this mem"),
        "{before}"
    );
    // A launcher of this version, such as npm's.
    put_program(&older.join("mem"), own_version);
    let same = doctor(&[&older, &own]);
    assert!(with_status(&same, "warn").is_empty(), "{same}");
}

#[cfg(unix)]
#[test]
fn no_program_that_a_repository_controls_is_run() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let inside = repo.path().join("bin");
    put_program(&inside.join("mem"), "99.0.1");
    let outside = env.root().join("outside");
    fs::create_dir(&outside).unwrap();
    std::os::unix::fs::symlink(inside.join("mem"), outside.join("mem")).unwrap();
    let ran = inside.join("mem.ran");
    let doctor = |folders: &[&Path]| {
        let run = repo.invoke(["doctor", "--json"]);
        run.env("PATH", path_with(folders)).run().json()
    };
    // By its folder, by a link to it, and by a folder that is relative.
    let told = doctor(&[&inside, &outside, Path::new("bin")]);
    let warnings = with_status(&told, "warn");
    let unrun = warnings.iter().filter(|text| {
        text.starts_with("a program called mem, which was not run (it stands in this repository),")
    });
    assert_eq!(unrun.count(), 2, "{told}");
    // A PATH that the repository's settings name, and hooks that they bring.
    let elsewhere = env.root().join("elsewhere");
    put_program(&elsewhere.join("mem"), "99.0.1");
    repo.write(
        ".claude/settings.json",
        serde_json::json!({
            "env": {"PATH": path_with(&[&elsewhere])},
            "hooks": {"Stop": [{"hooks": [{
                "type": "command", "command": elsewhere.join("mem"),
                "args": ["hook", "claude", "stop"],
            }]}]},
        })
        .to_string(),
    );
    let told = doctor(&[&elsewhere]);
    assert!(
        with_status(&told, "warn")
            .iter()
            .any(|text| text.contains("the repository's host settings name the PATH")),
        "{told}"
    );
    assert!(
        !ran.exists() && !elsewhere.join("mem.ran").exists(),
        "{told}"
    );
}

#[test]
fn broken_settings_and_a_missing_home_do_not_stop_the_rest() {
    let env = TestEnv::new();
    let config = env.home().join(".config/mem/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(&config, "memory = [").unwrap();
    let report = env.mem(["doctor", "--json"]).assert_code(1).json();
    assert!(
        with_status(&report, "fail")
            .iter()
            .any(|text| text.contains("config.toml")),
        "{report}"
    );
    assert!(report["checks"].as_array().unwrap().len() > 3);
    let homeless = env.invoke(["doctor", "--json"]).without_env("HOME").run();
    let report = homeless.assert_code(1).json();
    assert_eq!(with_status(&report, "fail"), ["there is no home directory"]);
}

#[test]
fn a_checkout_of_the_memory_itself_is_left_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let checkout = Repo::at(&env, directory(&repo));
    checkout.git(["init", "-q"]);
    fs::write(directory(&repo).join("data.bin"), [0]).unwrap();
    let report = repo.mem(["doctor", "--json"]).assert_ok().json();
    let ok = with_status(&report, "ok");
    assert!(
        ok.iter()
            .any(|text| text.contains("git checkout of somebody's own")),
        "{report}"
    );
    assert!(ok.iter().any(|text| text.contains("data.bin")), "{report}");
}

#[test]
fn purging_a_repository_leaves_the_others_and_the_hosts_files() {
    let env = TestEnv::new();
    let (repo, other) = (env.repo("app"), env.repo("other"));
    save(&repo, "One");
    save(&other, "Two");
    repo.mem(["config", "set", "--repo", "memory.mode", "index"])
        .assert_ok();
    let folder = directory(&repo).parent().unwrap().to_owned();
    fs::write(folder.join("session.jsonl"), "{}\n").unwrap();
    fs::create_dir(directory(&repo).join(".git")).unwrap();
    fs::write(directory(&repo).join(".git/HEAD"), "ref").unwrap();
    let history_dir = history(&repo);
    for unclear in [
        &["purge"][..],
        &["purge", "--yes"],
        &["purge", "--repo", "--all"],
    ] {
        repo.mem(unclear).assert_code(2);
    }
    assert!(history_dir.exists());
    repo.mem(["purge", "--repo"]).assert_code(2);
    let listed = repo
        .mem(["purge", "--repo", "--dry-run", "--json"])
        .assert_ok()
        .json();
    assert_eq!(listed["directories"][0]["files"], 2, "{listed}");
    assert_eq!(
        listed["directories"][0]["kept"],
        serde_json::json!([".git"])
    );
    assert!(history_dir.exists() && env.files_under(&directory(&repo)).len() == 3);
    repo.mem(["purge", "--repo", "--yes"]).assert_ok();
    assert!(!history_dir.exists() && !history_dir.parent().unwrap().exists());
    let left: Vec<String> = env
        .files_under(&folder)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(left, ["memory/.git/HEAD", "session.jsonl"]);
    assert_eq!(
        other.mem(["list", "--json"]).json()["memories"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    let nothing = repo.mem(["purge", "--repo", "--yes"]).assert_ok();
    assert_eq!(nothing.stderr, "there is nothing to erase\n");
}

#[test]
fn purging_all_leaves_nothing_of_mem() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let args = words("save --type user --scope global --name Me --description d --body x");
    repo.mem(args).assert_ok();
    env.mem(["config", "set", "memory.mode", "index"]);
    fs::write(env.base().join("settings.json"), "{}").unwrap();
    let listed = env.mem(["purge", "--all", "--dry-run"]).assert_ok().stdout;
    for place in [
        "work-app/memory: 2 files",
        "[ENV]/home/.claude/memory: 2",
        "[ENV]/home/.local/state/mem\n",
    ] {
        assert!(listed.contains(place), "{place} in {listed}");
    }
    env.mem(["purge", "--all", "--yes"]).assert_ok();
    let left: Vec<String> = env
        .files_under(&env.home())
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(left, [".claude/settings.json"]);
    assert!(
        !env.home().join(".config/mem").exists() && !env.home().join(".local/state/mem").exists()
    );
}

#[test]
fn purging_all_keeps_the_list_of_what_is_installed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    env.mem(["completions", "bash", "--install"]).assert_ok();
    let warned = env.mem(["purge", "--all", "--yes"]).assert_ok().stderr;
    assert!(warned.contains("`mem uninstall`"), "{warned}");
    assert!(!env.home().join(".local/state/mem/stores").exists());
    let removed = env.mem(["uninstall"]).assert_ok().stdout;
    assert!(removed.starts_with("removed bash completions"), "{removed}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_directory_that_cannot_be_written_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    use crate::check::WITHOUT_PRIVILEGE;

    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One");
    let memory = directory(&repo);
    fs::set_permissions(&memory, fs::Permissions::from_mode(0o555)).unwrap();
    let doctor = repo.invoke(["doctor", "--json"]);
    let doctor = doctor.through_shell(WITHOUT_PRIVILEGE).run();
    fs::set_permissions(&memory, fs::Permissions::from_mode(0o755)).unwrap();
    let report = doctor.assert_code(1).json();
    let failed = with_status(&report, "fail");
    assert!(
        matches!(&*failed, [only] if only.contains("cannot be written")),
        "{report}"
    );
}

#[test]
fn a_place_that_cannot_be_made_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env.root().join("file");
    fs::write(&file, "x").unwrap();
    let output = repo.invoke(["doctor"]).env("XDG_STATE_HOME", &file).run();
    let told = output.assert_code(1).stdout;
    assert!(
        told.contains("fail  state: [ENV]/file/mem is not there and cannot be made"),
        "{told}"
    );
    let output = repo.invoke(["trust"]).env("XDG_STATE_HOME", &file).run();
    assert!(output.assert_code(1).stderr.contains("\nhint: "));
}
