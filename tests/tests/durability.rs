//! Nothing is ever lost: many writers, kills at any moment, full and read-only disks.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mem_tests::{Repo, TestEnv, history, words};

fn memory_dir(repo: &Repo<'_>) -> PathBuf {
    repo.mem(["path"]).assert_ok().line().into()
}

fn save_args(name: &str, body: &str) -> Vec<String> {
    let words = [
        "save",
        "--type",
        "project",
        "--update",
        "--name",
        name,
        "--description",
        "d",
        "--body",
        body,
    ];
    words.map(str::to_owned).to_vec()
}

#[test]
fn sixty_four_processes_save_at_once_and_nothing_is_lost() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let children: Vec<_> = (0..64)
        .map(|n| {
            repo.invoke(save_args(&format!("Parallel {n}"), "body"))
                .spawn()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let dir = memory_dir(&repo);
    let index = fs::read_to_string(dir.join("MEMORY.md")).unwrap();
    let pointers: BTreeSet<&str> = index.lines().collect();
    let files = fs::read_dir(&dir).unwrap().count();
    assert_eq!((pointers.len(), index.lines().count(), files), (64, 64, 65));
    let history = repo
        .mem(["history", "--json", "--limit", "100"])
        .assert_ok()
        .json();
    assert_eq!(history["changes"].as_array().unwrap().len(), 64);
}

/// Waits without giving up the processor, so that a kill can be placed between two system calls.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new_state() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(save_args("Note", &"old".repeat(2000))).assert_ok();
    let dir = memory_dir(&repo);
    let file = dir.join("project_note.md");
    let mut bodies = ["old".repeat(2000), "new".repeat(2000)];
    let mut moved_on = 0;
    for round in 0..120 {
        bodies.swap(0, 1);
        let mut child = repo.invoke(save_args("Note", &bodies[0])).spawn();
        spin(Duration::from_micros(round * 150));
        let _ = child.kill();
        child.wait().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let whole = bodies
            .iter()
            .any(|body| text.ends_with(&format!("{body}\n")));
        assert!(whole, "round {round}: half a file");
        // The next command finishes or forgets what was interrupted; nothing looks foreign.
        repo.mem(save_args(&format!("After {round}"), "body"))
            .assert_ok();
        let left: Vec<_> = names(&dir)
            .into_iter()
            .filter(|name| name.starts_with('.'))
            .collect();
        assert!(left.is_empty(), "round {round}: {left:?}");
        moved_on += usize::from(
            fs::read_to_string(&file)
                .unwrap()
                .ends_with(&format!("{}\n", bodies[0])),
        );
    }
    assert!(
        moved_on > 0,
        "no kill came late enough to see the new state"
    );
    let changes = repo
        .mem(["history", "--json", "--limit", "1000"])
        .assert_ok()
        .json();
    let changes = changes["changes"].as_array().unwrap();
    assert!(
        changes.iter().all(|change| change["verb"] == "save"),
        "a kill made a change look foreign"
    );
    let index = fs::read_to_string(dir.join("MEMORY.md")).unwrap();
    assert_eq!(index.lines().count(), 121, "one line a note");
    history_is_sound(&env);
}

/// Asks SQLite itself about every history.
fn history_is_sound(env: &TestEnv) {
    for folder in history::folders(env) {
        let check = history::database(&folder)
            .query_row("PRAGMA integrity_check", (), |row| row.get::<_, String>(0));
        assert_eq!(check, Ok("ok".to_owned()));
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Runs a script with its own mounts; `None` where the system does not allow that.
#[cfg(target_os = "linux")]
fn with_own_mounts(command: &mut Command, script: &str) -> Option<std::process::Output> {
    let unshare = ["--user", "--map-root-user", "--mount", "sh", "-ec"];
    let allowed = Command::new("unshare")
        .args(&unshare[..3])
        .arg("true")
        .status();
    if !allowed.is_ok_and(|status| status.success()) {
        return None;
    }
    Some(command.args(unshare).arg(script).output().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_clear_error_and_nothing_is_changed() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k none '{dir}'; cd '{repo}'
        '{mem}' save --type project --name First --description d --body small
        cp -r '{dir}' before
        head -c 200000 /dev/zero | tr '\\0' x >big
        code=0; '{mem}' save --type project --name Big --description d <big 2>error || code=$?
        diff -r '{dir}' before && echo unchanged $code; grep -o 'disk is full' error
        '{mem}' save --type project --name Second --description d --body small",
        dir = dir.display(),
        repo = repo.path().display(),
        mem = mem_tests::binary::path().display(),
    );
    let Some(output) = with_own_mounts(&mut env.command("unshare"), &script) else {
        eprintln!("user namespaces are not allowed here: not tested");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("unchanged 1\ndisk is full\n"),
        "{text}\n{talk}"
    );
    assert!(
        text.ends_with("saved project_second.md (private)\n"),
        "{text}\n{talk}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_of_the_state_is_a_clear_error_and_the_history_stays_whole() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let script = format!(
        "cd '{repo}'
        '{mem}' save --type project --name First --description d --body small
        state=$(echo '{home}'/.local/state/mem/stores/*)
        cp -r \"$state\" copy; mount -t tmpfs -o size=400k none \"$state\"; cp -r copy/. \"$state\"
        code=0; before=
        for number in 1 2 3 4 5 6 7 8 9; do
            head -c 6000 /dev/urandom | base64 >body; before=$(ls -l '{dir}')
            '{mem}' save --type project --name N$number --description d <body 2>error || {{ code=$?; break; }}
        done
        test \"$before\" = \"$(ls -l '{dir}')\" && echo unchanged $code; grep -o 'disk is full' error | head -1
        mount -o remount,size=9m \"$state\"
        '{mem}' save --type project --name Last --description d --body small
        '{mem}' doctor | grep -o 'memory: the history is whole'",
        dir = memory_dir(&repo).display(),
        home = env.home().display(),
        repo = repo.path().display(),
        mem = mem_tests::binary::path().display(),
    );
    let Some(output) = with_own_mounts(&mut env.command("unshare"), &script) else {
        eprintln!("user namespaces are not allowed here: not tested");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    let told = "unchanged 1\ndisk is full\nsaved project_last.md (private)\nmemory: the history is whole\n";
    assert!(text.ends_with(told), "{text}\n{talk}");
}

/// A share, and the undo of an adoption that emptied its source, write to folders that have no room.
#[cfg(target_os = "linux")]
#[test]
fn on_a_full_disk_no_memory_is_moved_by_half() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.git(["init", "--quiet", "--bare", "../origin.git"]);
    repo.git(["remote", "add", "origin", "../origin.git"]);
    repo.mem(words("team setup --remote git:origin --repo you/app"))
        .assert_ok();
    let dir = memory_dir(&repo);
    fs::create_dir_all(&dir).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k none '{dir}'; cd '{repo}'
        head -c 20000 /dev/zero | tr '\\0' x | '{mem}' save --type project --name First --description d
        head -c 30000 /dev/zero | tr '\\0' y >'{dir}/room.txt' || true
        cp -r '{dir}' before
        code=0; '{mem}' team share project_first.md 2>error || code=$?
        if [ $code = 0 ]; then echo moved; else diff -r '{dir}' before && echo unchanged; fi
        rm '{dir}/room.txt'; '{mem}' team share project_first.md || true; '{mem}' check && ls '{dir}/team'",
        dir = dir.display(),
        repo = repo.path().display(),
        mem = mem_tests::binary::path().display(),
    );
    let Some(output) = with_own_mounts(&mut env.command("unshare"), &script) else {
        eprintln!("user namespaces are not allowed here: not tested");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("moved\n") || text.contains("unchanged\n"),
        "{text}\n{talk}"
    );
    assert!(
        text.ends_with("MEMORY.md\nproject_first.md\n"),
        "{text}\n{talk}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_directory_is_a_clear_error() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(save_args("First", "body")).assert_ok();
    let dir = memory_dir(&repo);
    let script = format!(
        "mount --bind '{dir}' '{dir}'; mount -o remount,bind,ro '{dir}'; cd '{repo}'
        '{mem}' save --type project --name Second --description d --body b || echo code $?
        '{mem}' list",
        dir = dir.display(),
        repo = repo.path().display(),
        mem = mem_tests::binary::path().display(),
    );
    let Some(output) = with_own_mounts(&mut env.command("unshare"), &script) else {
        eprintln!("user namespaces are not allowed here: not tested");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let talk = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.starts_with("code 1\nproject  project_first.md"),
        "{text}\n{talk}"
    );
    assert!(talk.contains("read-only"), "{talk}");
    assert_eq!(names(&dir).len(), 2);
}

#[test]
fn a_foreign_editor_that_saves_all_the_time_loses_nothing_and_corrupts_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.mem(save_args("Note", "body")).assert_ok();
    let index = memory_dir(&repo).join("MEMORY.md");
    let children: Vec<_> = (0..8)
        .map(|n| {
            let child = repo
                .invoke(save_args(&format!("Saved {n}"), "body"))
                .spawn();
            // As an editor saves: read, add a line, put a new file in its place.
            let mut text = fs::read_to_string(&index).unwrap();
            text = format!("{text}- foreign {n}\n");
            let beside = index.with_extension("swp");
            fs::write(&beside, text).unwrap();
            fs::rename(&beside, &index).unwrap();
            child
        })
        .collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    // The editor's own races may drop a line of ours from the file; none is dropped by us, and
    // every note is there.
    let text = fs::read_to_string(&index).unwrap();
    assert!(text.contains("- foreign 7\n"), "{text}");
    assert_eq!(
        names(index.parent().unwrap())
            .iter()
            .filter(|name| name.starts_with("project_"))
            .count(),
        9
    );
}
