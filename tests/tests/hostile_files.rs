//! What others may put into a memory directory: links, pipes, folders, huge files.

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use mem_tests::{Repo, TestEnv};

fn save<'a>(file: &'a str, scope: &'a str, body: &'a str) -> Vec<&'a str> {
    let mut args = vec!["save", "--type", "project", "--name", "N", "--file", file];
    args.extend([
        "--scope",
        scope,
        "--description",
        "d",
        "--body",
        body,
        "--update",
    ]);
    args
}

fn memory_dir(repo: &Repo<'_>) -> PathBuf {
    let dir = PathBuf::from(repo.mem(["path"]).assert_ok().line());
    fs::create_dir_all(&dir).unwrap();
    dir
}

/// Names, kinds and times of everything in a folder; nothing is opened.
fn listing(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let told = entries.map(|entry| {
        let meta = entry.metadata().unwrap();
        format!(
            "{:?} {:?} {:?}",
            entry.file_name(),
            meta.file_type(),
            meta.modified()
        )
    });
    let mut told: Vec<String> = told.collect();
    told.sort();
    told
}

#[test]
fn strange_things_are_left_alone_and_told_and_the_rest_goes_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    repo.mem(save("good.md", "private", "body")).assert_ok();
    let outside = env.root().join("outside.md");
    fs::write(&outside, "outside\n").unwrap();
    let made = Command::new("mkfifo")
        .arg(dir.join("pipe.md"))
        .status()
        .unwrap();
    assert!(made.success());
    fs::create_dir(dir.join("folder.md")).unwrap();
    symlink(&outside, dir.join("link.md")).unwrap();
    symlink(env.root().join("nowhere"), dir.join("dangling.md")).unwrap();
    symlink(env.root(), dir.join("sub")).unwrap();
    fs::write(dir.join(std::ffi::OsStr::from_bytes(b"a\xff.md")), "x").unwrap();
    let before = listing(&dir);
    let listed = repo.mem(["list"]).assert_ok();
    assert_eq!(listed.stdout.lines().count(), 1, "{}", listed.stdout);
    for name in ["pipe.md", "link.md", "dangling.md", "sub", "a\u{fffd}.md"] {
        assert!(
            listed.stderr.contains(name),
            "{name} is not told:\n{}",
            listed.stderr
        );
    }
    for args in [
        &["check"][..],
        &["check", "--fix"],
        &["search", "outside"],
        &["status"],
        &["history"],
    ] {
        let output = repo.mem(args);
        assert!(
            !output.stdout.contains("outside"),
            "{args:?}: {}",
            output.stdout
        );
    }
    for name in ["pipe.md", "folder.md", "link.md", "dangling.md", "sub/x.md"] {
        let failed = repo.mem(save(name, "private", "x")).assert_code(1);
        assert!(
            failed.stderr.contains("\nhint: "),
            "{name}: {}",
            failed.stderr
        );
    }
    assert_eq!(listing(&dir), before);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "outside\n");
    assert!(!env.root().join("nowhere").exists() && !env.root().join("x.md").exists());
    repo.mem(save("other.md", "private", "goes on")).assert_ok();
}

#[test]
fn a_huge_foreign_file_is_neither_read_nor_recorded() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let huge = dir.join("huge.md");
    File::create(&huge)
        .unwrap()
        .set_len(64 * 1024 * 1024)
        .unwrap();
    repo.mem(save("good.md", "private", "body")).assert_ok();
    let listed = repo.mem(["list"]).assert_ok();
    assert!(listed.stderr.contains("huge.md"), "{}", listed.stderr);
    repo.mem(["check", "--fix"]).assert_ok();
    let history = repo.mem(["history"]).assert_ok();
    assert!(!history.stdout.contains("huge.md"), "{}", history.stdout);
    let state: usize = env
        .files_under(&env.home().join(".local"))
        .iter()
        .map(|(_, bytes)| bytes.len())
        .sum();
    assert!(state < 1024 * 1024, "{state} bytes of state");
    assert_eq!(huge.metadata().unwrap().len(), 64 * 1024 * 1024);
    let refused = repo.mem(save("huge.md", "private", "x")).assert_code(1);
    assert!(
        refused.stderr.contains("hint: move it out"),
        "{}",
        refused.stderr
    );
}

#[test]
fn the_memory_directory_may_be_a_link_and_the_team_tier_may_not() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = PathBuf::from(repo.mem(["path"]).assert_ok().line());
    let (real, elsewhere) = (env.root().join("real"), env.root().join("elsewhere"));
    for folder in [&real, &elsewhere, &dir.parent().unwrap().to_owned()] {
        fs::create_dir_all(folder).unwrap();
    }
    symlink(&real, &dir).unwrap();
    repo.mem(save("n.md", "private", "body")).assert_ok();
    assert!(real.join("n.md").exists() && real.join("MEMORY.md").exists());
    assert!(repo.mem(["list"]).assert_ok().stdout.contains("n.md"));
    symlink(&elsewhere, dir.join("team")).unwrap();
    fs::write(
        elsewhere.join("theirs.md"),
        "---\nname: Theirs\n---\nsecret\n",
    )
    .unwrap();
    let refused = repo.mem(save("t.md", "team", "body")).assert_code(1);
    assert!(
        refused.stderr.contains("symbolic link"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 1);
    let listed = repo.mem(["list"]).assert_ok();
    assert!(!listed.stdout.contains("theirs"), "{}", listed.stdout);
    assert!(listed.stderr.contains("team"), "{}", listed.stderr);
}

#[test]
fn an_index_that_is_a_link_is_not_followed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let outside = env.root().join("outside.md");
    fs::write(&outside, "outside\n").unwrap();
    symlink(&outside, dir.join("MEMORY.md")).unwrap();
    repo.mem(save("n.md", "private", "body")).assert_code(1);
    let shown = repo.mem(["index", "show"]);
    assert!(!shown.stdout.contains("outside"));
    assert_eq!(fs::read_to_string(&outside).unwrap(), "outside\n");
    assert!(!dir.join("n.md").exists(), "whole or not at all");
}

/// Stops the flipping also when the test fails: the threads are waited for.
struct Stop<'s>(&'s AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Exchanges two paths until told to stop, with nothing in between.
fn flip(one: &Path, other: &Path, aside: &Path, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let _ = fs::rename(one, aside);
        let _ = fs::rename(other, one);
        let _ = fs::rename(aside, other);
    }
    // Whatever state the last round left: the links are gone.
    for path in [one, other, aside] {
        if path.is_symlink() {
            let _ = fs::remove_file(path);
        }
    }
}

#[test]
fn links_swapped_in_during_the_call_lead_nowhere() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let (outside, spare) = (env.root().join("outside"), env.root().join("spare"));
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::create_dir_all(&spare).unwrap();
    fs::create_dir(dir.join("sub")).unwrap();
    for folder in [&outside, &dir.join("sub")] {
        fs::write(folder.join("n.md"), "---\nname: N\n---\nsecret outside\n").unwrap();
    }
    fs::write(dir.join("sub/n.md"), "---\nname: N\n---\ninside\n").unwrap();
    fs::write(dir.join("file.md"), "---\nname: F\n---\ninside\n").unwrap();
    symlink(outside.join("n.md"), spare.join("file")).unwrap();
    symlink(&outside, spare.join("folder")).unwrap();
    let before = env.files_under(&outside);
    let (file, sub) = (dir.join("file.md"), dir.join("sub"));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let _stop = Stop(&stop);
        scope.spawn(|| flip(&file, &spare.join("file"), &spare.join("x"), &stop));
        scope.spawn(|| flip(&sub, &spare.join("folder"), &spare.join("y"), &stop));
        for round in 0..20 {
            let body = format!("round {round}");
            for file in ["file.md", "sub/n.md", "sub/new.md"] {
                // Whether it gets through is a matter of luck; what it touches is not.
                let _ = repo.mem(save(file, "private", &body));
            }
            for args in [
                &["list", "--json"][..],
                &["show", "sub/n.md"],
                &["search", "secret"],
            ] {
                let output = repo.mem(args);
                assert!(
                    !output.stdout.contains("secret outside"),
                    "{args:?}: {}",
                    output.stdout
                );
            }
        }
    });
    assert_eq!(env.files_under(&outside), before, "written outside");
    let history = env
        .command("grep")
        .args(["-rl", "secret outside"])
        .arg(env.home())
        .output()
        .unwrap();
    let found = String::from_utf8_lossy(&history.stdout).into_owned();
    assert!(found.is_empty(), "read from outside into {found}");
    for entry in ["n.md", "new.md"] {
        let _ = repo.mem(["diff", entry]);
    }
    let told = repo.mem(["history", "--json"]).assert_ok();
    assert!(!told.stdout.contains("outside/"));
}
