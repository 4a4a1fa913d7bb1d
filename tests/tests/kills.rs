//! `kill -9` at any moment of commands that change many files, or the history itself.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use mem_tests::{Repo, TestEnv, words};

/// Kills of each command. The first come right after the start, the last after it has ended.
const ROUNDS: u32 = 24;

/// Runs a command again and again, each time a little longer before it is killed; `set_up` goes
/// before each round and `check` after it.
fn kill_at_any_moment(
    repo: &Repo<'_>,
    set_up: &dyn Fn(u32),
    args: &dyn Fn(u32) -> Vec<String>,
    check: &dyn Fn(u32),
) {
    set_up(ROUNDS);
    let start = Instant::now();
    assert!(
        repo.invoke(args(ROUNDS))
            .spawn()
            .wait_with_output()
            .unwrap()
            .status
            .success()
    );
    let whole = start.elapsed();
    check(ROUNDS);
    for round in 0..ROUNDS {
        set_up(round);
        let mut child = repo.invoke(args(round)).spawn();
        spin(whole * round / ROUNDS);
        let _ = child.kill();
        child.wait().unwrap();
        check(round);
    }
}

/// Waits without giving up the processor, so that a kill can be placed between two system calls.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

fn save(repo: &Repo<'_>, name: &str, body: &str) {
    let args = words("save --type project --update --description d");
    repo.mem(
        args.into_iter()
            .chain(["--name", name, "--body", body].map(str::to_owned)),
    )
    .assert_ok();
}

/// After whatever happened, one command brings everything in step, and nothing looks foreign.
fn settle(repo: &Repo<'_>, what: &str) {
    let history = repo.mem(["history", "--json"]).assert_ok();
    assert!(
        !history.stderr.contains("warning"),
        "{what}: {}",
        history.stderr
    );
    let changes = history.json()["changes"].as_array().unwrap().clone();
    assert!(
        changes.iter().all(|one| one["verb"] != "foreign"),
        "{what}: a kill made a change look foreign"
    );
    let check = repo.mem(["check"]);
    assert_eq!(check.code, 0, "{what}: {}", check.stdout);
    let names = fs::read_dir(repo.memory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = names
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{what}: {left:?}");
}

#[test]
fn an_undo_of_many_files_is_whole_or_not_at_all() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let names = ["One", "Two", "Three"];
    let count = || repo.mem(["list"]).assert_ok().stdout.lines().count();
    kill_at_any_moment(
        &repo,
        &|_| names.iter().for_each(|name| save(&repo, name, name)),
        &|_| words("undo 3"),
        &|round| {
            settle(&repo, &format!("round {round}"));
            assert!([0, 3].contains(&count()), "round {round}: half an undo");
        },
    );
}

#[test]
fn a_rename_or_removal_takes_file_and_line_along_or_neither() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (verb, args) in [
        ("rename", "rename project_note Other"),
        ("remove", "remove project_note"),
    ] {
        kill_at_any_moment(
            &repo,
            &|round| {
                save(&repo, "Note", &format!("body {round}"));
                repo.mem(["remove", "project_other"]);
            },
            &|_| words(args),
            &|round| settle(&repo, &format!("{verb}, round {round}")),
        );
    }
}

/// Whether a text stands anywhere below a folder, in files or (by git) in objects.
fn stands_in(env: &TestEnv, folder: &Path, text: &str) -> bool {
    let grep = env
        .command("grep")
        .args(["-rqF", text])
        .arg(folder)
        .status()
        .unwrap();
    let stores = fs::read_dir(env.home().join(".local/state/mem/stores")).unwrap();
    let mut histories = stores.flat_map(|store| fs::read_dir(store.unwrap().path()).unwrap());
    grep.success()
        || histories.any(|entry| {
            let path = entry.unwrap().path();
            let script = format!(
                "git --git-dir '{0}' cat-file --batch-all-objects --batch | grep -qF '{text}'",
                path.display()
            );
            path.join("objects").exists()
                && env
                    .command("sh")
                    .args(["-c", &script])
                    .status()
                    .unwrap()
                    .success()
        })
}

#[test]
fn a_redaction_that_was_killed_can_be_finished_and_nothing_comes_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let secret = ["the", "hidden", "word"].join("-");
    save(&repo, "Kept", "harmless");
    kill_at_any_moment(
        &repo,
        &|round| save(&repo, "Note", &format!("before {secret} {round}")),
        &|_| words(&format!("redact --yes --text {secret}")),
        &|round| {
            settle(&repo, &format!("round {round}"));
            // Where the kill came before its end it is run again; where it came after, that is
            // no error.
            repo.mem(words(&format!("redact --yes --text {secret}")))
                .assert_ok();
            assert!(
                !stands_in(&env, &env.home(), &secret),
                "round {round}: it is still there"
            );
            save(&repo, "Kept", &format!("harmless {round}"));
            settle(&repo, &format!("round {round}, after"));
            assert!(
                !stands_in(&env, &env.home(), &secret),
                "round {round}: it came back"
            );
        },
    );
}

#[test]
fn packing_that_was_killed_loses_no_version() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let count = || {
        repo.mem(["history", "--json"]).assert_ok().json()["changes"]
            .as_array()
            .unwrap()
            .len()
    };
    let before = std::cell::Cell::new(0);
    kill_at_any_moment(
        &repo,
        &|round| {
            save(&repo, "Note", &format!("body {round}"));
            before.set(count());
        },
        &|_| words("gc"),
        &|round| {
            settle(&repo, &format!("round {round}"));
            assert_eq!(count(), before.get(), "round {round}");
            let oldest = (before.get() - 1).to_string();
            repo.mem(["history", "note", "--print", "--rev", &oldest])
                .assert_ok();
        },
    );
}

#[test]
fn a_repair_of_a_large_directory_is_whole_or_not_at_all() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "First", "body");
    for n in 0..100 {
        repo.edit_note(
            &format!("n{n}.md"),
            &format!("---\nname: N {n}\ndescription: d\ntype: project\n---\nbody {n}\n"),
        );
    }
    repo.mem(["history"]).assert_ok();
    let short = repo.note("MEMORY.md").unwrap();
    let lines = |text: &str| text.lines().count();
    kill_at_any_moment(
        &repo,
        &|_| repo.edit_note("MEMORY.md", &short),
        &|_| words("check --fix"),
        &|round| {
            let now = lines(&repo.note("MEMORY.md").unwrap());
            assert!([1, 101].contains(&now), "round {round}: {now} lines");
            repo.mem(["check", "--fix"]).assert_ok();
            assert_eq!(lines(&repo.note("MEMORY.md").unwrap()), 101);
        },
    );
}

#[test]
fn an_adoption_that_was_killed_is_whole_or_not_at_all() {
    for round in 0..ROUNDS / 2 {
        let env = TestEnv::new();
        let old = env.repo("old");
        for n in 0..4 {
            save(&old, &format!("Note {n}"), &format!("body {n}"));
        }
        fs::rename(old.path(), env.work().join("new")).unwrap();
        let new = Repo::at(&env, env.work().join("new"));
        let mut child = new.invoke(["adopt"]).spawn();
        spin(Duration::from_millis(6) * round);
        let _ = child.kill();
        child.wait().unwrap();
        let count = || new.mem(["list"]).assert_ok().stdout.lines().count();
        assert!([0, 4].contains(&count()), "round {round}: {}", count());
        new.mem(["history"]).assert_ok();
        // Where it was whole there is nothing left to adopt.
        new.mem(["adopt"]);
        assert_eq!(count(), 4, "round {round}");
        assert_eq!(new.mem(["check"]).code, 0, "round {round}");
    }
}

/// An adoption that empties its source, and its undo: every file stands in one of both folders at any moment.
#[test]
fn a_move_between_folders_that_was_killed_loses_no_file() {
    for round in 0..ROUNDS {
        let env = TestEnv::new();
        let old = env.repo("old");
        save(&old, "Note", "body");
        let source = old.memory();
        fs::write(source.join("photo.jpg"), b"\xff\xd8").unwrap();
        fs::rename(old.path(), env.work().join("new")).unwrap();
        let new = Repo::at(&env, env.work().join("new"));
        let target = new.memory();
        let kill = |args: &[&str], time: Duration| {
            let mut child = new.invoke(args).spawn();
            spin(time);
            let _ = child.kill();
            child.wait().unwrap();
            for name in ["project_note.md", "photo.jpg"] {
                let is_there = [&source, &target].iter().any(|one| one.join(name).exists());
                assert!(is_there, "round {round}, {args:?}: {name} is in neither");
            }
        };
        let time = Duration::from_millis(4) * round;
        kill(&["adopt", "--delete-source"], time);
        // Where the kill came before the end, the command finishes it.
        new.mem(["adopt", "--delete-source"]);
        kill(&["undo"], time);
    }
}

/// A purge ends where it is killed, and the next one ends the rest; neither takes a file of others.
#[test]
fn a_purge_that_was_killed_takes_no_file_of_others() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let memory = repo.memory();
    let others = [("thesis.pdf", "p"), ("shopping.md", "- milk\n")];
    kill_at_any_moment(
        &repo,
        &|_| {
            ["One", "Two", "Three"]
                .iter()
                .for_each(|name| save(&repo, name, name));
            for (name, text) in others {
                fs::write(memory.join(name), text).unwrap();
            }
        },
        &|_| words("purge --repo --yes"),
        &|round| {
            repo.mem(["purge", "--repo", "--yes"]).assert_ok();
            let mut left = env.files_under(&memory);
            left.retain(|(name, _)| !others.iter().any(|(other, _)| name == other));
            assert!(left.is_empty(), "round {round}: {left:?}");
            for (name, text) in others {
                assert_eq!(fs::read_to_string(memory.join(name)).unwrap(), text);
                fs::remove_file(memory.join(name)).unwrap();
            }
        },
    );
}

#[test]
fn a_share_that_was_killed_is_in_one_tier_with_its_entry() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.git(["init", "--quiet", "--bare", "../origin.git"]);
    repo.git(["remote", "add", "origin", "../origin.git"]);
    repo.mem(words("team setup --remote git:origin --repo you/app"))
        .assert_ok();
    let memory = repo.memory();
    let is_listed = |folder: &Path| {
        let list = fs::read_to_string(folder.join("MEMORY.md")).unwrap_or_default();
        list.contains("(project_note.md)")
    };
    kill_at_any_moment(
        &repo,
        &|round| {
            repo.mem(words("remove team:project_note.md"));
            save(&repo, "Note", &format!("body {round}"));
        },
        &|_| words("team share project_note.md"),
        &|round| {
            settle(&repo, &format!("round {round}"));
            let team = memory.join("team");
            let tiers = [&memory, &team].map(|tier| tier.join("project_note.md").exists());
            assert!(tiers[0] != tiers[1], "round {round}: {tiers:?}");
            assert_eq!(
                [&memory, &team].map(|tier| is_listed(tier)),
                tiers,
                "round {round}"
            );
        },
    );
}
