//! What an erasure leaves: everything that is not a memory of `mem`'s own, wherever it stands.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{Repo, TestEnv, words};

fn save(repo: &Repo<'_>, name: &str, scope: &str) {
    let (kind, text) = match scope {
        "global" => (
            "user",
            "She answers in the evening, and reads Rust every day",
        ),
        _ => (
            "project",
            "The staging database is restored on mondays at six",
        ),
    };
    let save = format!("save --type {kind} --scope {scope} --name {name} --description");
    repo.mem(words(&format!("{save} 'of {kind}' --body '{text}'")))
        .assert_ok();
}

/// Puts files of every foreign kind into a memory directory that has the memories `kept` and `edited` of `mem`'s;
/// says which files have to stay with which content.
fn plant(folder: &Path, env: &TestEnv, edited: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let outside = env.root().join("outside");
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::write(outside.join("deep/letter.md"), "a letter\n").unwrap();
    fs::create_dir_all(folder.join("sub/deep")).unwrap();
    let mut stays = BTreeMap::from([(outside.join("deep/letter.md"), b"a letter\n".to_vec())]);
    for (name, content) in [
        ("thesis.pdf", "%PDF-1.7 thesis"),
        ("shopping.md", "- milk\n"),
        (
            "like_a_memory.md",
            "---\nname: x\ndescription: y\ntype: user\n---\nz\n",
        ),
        ("sub/deep/picture.png", "\u{89}PNG"),
        ("sub/notes.md", "notes\n"),
        (".hidden", "h"),
    ] {
        fs::write(folder.join(name), content).unwrap();
        stays.insert(folder.join(name), content.into());
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("deep/letter.md"), folder.join("link.md")).unwrap();
        std::os::unix::fs::symlink(outside.join("deep"), folder.join("folder")).unwrap();
        for link in ["link.md", "folder/letter.md"] {
            stays.insert(folder.join(link), b"a letter\n".to_vec());
        }
    }
    let file = folder.join(edited);
    let mut text = fs::read(&file).unwrap();
    // No text of another memory: that would be told as left.
    text.extend_from_slice(edited.repeat(3).as_bytes());
    fs::write(&file, &text).unwrap();
    stays.insert(file, text);
    stays
}

#[track_caller]
fn assert_there(stays: &BTreeMap<PathBuf, Vec<u8>>) {
    for (path, content) in stays {
        let now = fs::read(path).unwrap_or_default();
        assert_eq!(&now, content, "{} has to stay as it is", path.display());
    }
}

#[test]
fn a_folder_that_was_adopted_from_is_never_erased() {
    for erase in [["purge", "--all", "--yes"], ["erase", "--all", "--yes"]] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let documents = env.home().join("Documents");
        fs::create_dir_all(&documents).unwrap();
        fs::write(documents.join("a.md"), "n\n").unwrap();
        fs::write(documents.join("thesis.pdf"), "p\n").unwrap();
        let from = documents.to_str().unwrap();
        repo.mem(["adopt", "--from", from]).assert_ok();
        repo.mem(["undo"]).assert_ok();
        let listed = env.mem([erase[0], "--all", "--dry-run"]).assert_ok().stdout;
        assert!(!listed.contains("Documents: "), "{listed}");
        repo.mem(erase).assert_ok();
        assert_eq!(fs::read_to_string(documents.join("a.md")).unwrap(), "n\n");
        assert_eq!(
            fs::read_to_string(documents.join("thesis.pdf")).unwrap(),
            "p\n"
        );
    }
}

#[test]
fn a_source_that_an_older_version_recorded_is_no_memory_directory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let documents = env.home().join("Documents");
    fs::create_dir_all(&documents).unwrap();
    for (name, content) in [("a.md", "n\n"), ("thesis.pdf", "p\n")] {
        fs::write(documents.join(name), content).unwrap();
    }
    // Its history knows every file of it.
    let run = |args: &[&str]| {
        repo.invoke(args)
            .env("MEM_DIR", &documents)
            .run()
            .assert_ok()
    };
    let from = documents.to_str().unwrap();
    let refused = repo
        .mem(["adopt", "--from", from, "--delete-source"])
        .assert_code(1);
    assert!(
        refused.stderr.contains("not a memory directory of a host"),
        "{}",
        refused.stderr
    );
    assert!(repo.note("a.md").is_none() && documents.join("thesis.pdf").exists());
    let text = ["--description", "d", "--body", "b"];
    run(&[&["save", "--type", "project", "--name", "T"][..], &text].concat());
    run(&["undo"]);
    assert!(documents.join("thesis.pdf").exists());
    for erase in [
        &["purge", "--all", "--yes"][..],
        &["purge", "--repo", "--yes"],
    ] {
        run(erase);
        assert_eq!(fs::read_to_string(documents.join("a.md")).unwrap(), "n\n");
        assert_eq!(
            fs::read_to_string(documents.join("thesis.pdf")).unwrap(),
            "p\n"
        );
    }
}

#[test]
fn foreign_files_stay_in_every_memory_directory_and_memories_go() {
    for erase in [
        &["purge", "--all", "--yes"][..],
        &["purge", "--repo", "--yes"],
        &["erase", "--all", "--yes"],
        &["erase", "--project", "--yes"],
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        for scope in ["private", "global"] {
            save(&repo, "kept", scope);
            save(&repo, "edited", scope);
        }
        let (own, global) = (repo.memory(), env.base().join("memory"));
        let stays = plant(&own, &env, "project_edited.md");
        let in_global = plant(&global, &env, "user_edited.md");
        let mut dry = erase.to_vec();
        dry.pop();
        dry.push("--dry-run");
        let listed = repo.mem(dry).assert_ok().stdout;
        for name in [
            "thesis.pdf",
            "shopping.md",
            "project_edited.md",
            "sub/notes.md",
            ".hidden",
        ] {
            let line = format!("stays: {name}");
            assert!(listed.contains(&line), "{erase:?}: {line} in {listed}");
        }
        assert!(listed.contains("memory, 1 index)"), "{listed}");
        repo.mem(erase).assert_ok();
        assert_there(&stays);
        assert_there(&in_global);
        let is_whole = erase.contains(&"--all");
        assert!(!own.join("project_kept.md").exists() && !own.join("MEMORY.md").exists());
        assert_eq!(!global.join("user_kept.md").exists(), is_whole);
        // Nothing is left to do, and doing it again changes nothing.
        repo.mem(erase).assert_ok();
        assert_there(&stays);
        assert_there(&in_global);
    }
}

#[test]
fn a_folder_elsewhere_is_asked_for_by_itself_whatever_yes_says() {
    for erase in [
        ["purge", "--all"],
        ["purge", "--repo"],
        ["erase", "--all"],
        ["erase", "--project"],
    ] {
        let env = TestEnv::new();
        let repo = env.repo("app");
        let elsewhere = env.root().join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        fs::write(elsewhere.join("diary.md"), "dear diary\n").unwrap();
        let save = "save --type project --name Far --description d --body x";
        let run = |args: &[String]| repo.invoke(args).env("MEM_DIR", &elsewhere).run();
        run(&words(save)).assert_ok();
        let before = env.files_under(&elsewhere);
        let told = run(&[erase[0].into(), erase[1].into(), "--yes".into()]);
        // Memories are left, and an erasure says whether anything is.
        let told = told.assert_code(i32::from(erase[0] == "erase"));
        let is_told_as_left = told.stdout.contains("left: [ENV]/elsewhere (memories)");
        assert_eq!(is_told_as_left, erase[0] == "erase", "{}", told.stdout);
        assert!(
            told.stdout
                .contains("asked for by itself: [ENV]/elsewhere: "),
            "{}",
            told.stdout
        );
        assert!(
            told.stderr.contains("`[ENV]/elsewhere` stays with 2 files"),
            "{}",
            told.stderr
        );
        assert!(told.stderr.contains("by hand"), "{}", told.stderr);
        assert_eq!(env.files_under(&elsewhere), before);
        // Its history stays too: it alone says which files are whose when a person is asked.
        let told = run(&["purge".into(), "--all".into(), "-n".into()]).assert_ok();
        assert!(
            told.stdout.contains("elsewhere: 2 files"),
            "{}",
            told.stdout
        );
    }
}

/// A directory that a host's leads to, with files that `mem` has not seen yet.
#[cfg(unix)]
#[test]
fn memories_behind_a_new_link_are_told_as_left() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Plan", "private");
    let project = repo.memory().parent().unwrap().to_owned();
    let moved = env.home().join("Documents/project");
    fs::create_dir_all(moved.parent().unwrap()).unwrap();
    fs::rename(&project, &moved).unwrap();
    std::os::unix::fs::symlink(&moved, &project).unwrap();
    let before = env.files_under(&moved);
    let told = repo.mem(["erase", "--all", "--yes"]).assert_code(1);
    assert!(
        told.stdout
            .contains("left: [ENV]/home/Documents/project/memory (memories)"),
        "{}",
        told.stdout
    );
    assert_eq!(env.files_under(&moved), before);
}

#[cfg(unix)]
#[test]
#[cfg(target_os = "linux")]
fn at_a_terminal_a_folder_elsewhere_goes_after_a_yes_of_its_own() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let elsewhere = env.root().join("elsewhere");
    let there = |args: &[&str]| repo.invoke(args).env("MEM_DIR", &elsewhere);
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "One",
        "--description",
        "d",
        "--body",
        "b",
    ];
    there(&save).run().assert_ok();
    fs::write(elsewhere.join("thesis.pdf"), "theirs").unwrap();
    let purge = |typed: &str| there(&["purge", "--all"]).at_terminal(typed);
    let told = purge("n\n");
    assert!(told.contains("erase all of this"), "{told}");
    assert!(elsewhere.join("project_one.md").is_file(), "{told}");
    let told = purge("y\nn\n");
    assert!(
        told.contains("for good, too?") && told.contains("stays with 2 files"),
        "{told}"
    );
    assert!(!told.contains("run this in a terminal"), "{told}");
    assert!(elsewhere.join("project_one.md").is_file(), "{told}");
    there(&["show", "one"]).run().assert_ok();
    let told = purge("y\ny\n");
    assert!(told.contains("\nerased"), "{told}");
    let left: Vec<_> = fs::read_dir(&elsewhere)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["thesis.pdf"], "{told}");
}

#[test]
fn a_link_in_the_place_of_a_memory_directory_leads_elsewhere() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "kept", "private");
    let own = repo.memory();
    let notes = env.home().join("notes");
    fs::rename(&own, &notes).unwrap();
    std::os::unix::fs::symlink(&notes, &own).unwrap();
    fs::write(notes.join("diary.md"), "dear diary\n").unwrap();
    save(&repo, "other", "private");
    let before = env.files_under(&notes);
    for erase in [["purge", "--repo", "--yes"], ["purge", "--all", "--yes"]] {
        repo.mem(erase).assert_ok();
        assert_eq!(env.files_under(&notes), before);
    }
}

#[test]
fn texts_of_a_persons_own_beside_the_notes_of_sessions_stay() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "kept", "private");
    let notes = env.base().join("session-memory");
    let slug = repo
        .memory()
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_owned();
    fs::create_dir_all(notes.join("config")).unwrap();
    fs::create_dir_all(notes.join(&slug)).unwrap();
    fs::write(notes.join("config/template.md"), "mine\n").unwrap();
    fs::write(notes.join(&slug).join("s1.md"), "# Notes\n").unwrap();
    fs::write(notes.join(&slug).join("plan.txt"), "mine\n").unwrap();
    repo.mem(["purge", "--repo", "--yes"]).assert_ok();
    repo.mem(["purge", "--all", "--yes"]).assert_ok();
    let left: Vec<String> = env
        .files_under(&notes)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let plan = format!("{}/plan.txt", slug.to_str().unwrap());
    assert_eq!(left, [plan.as_str(), "config/template.md"]);
}

#[test]
fn an_agent_erases_nothing_whatever_it_may_write() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "kept", "private");
    repo.mem(["config", "set", "memory.write", "auto"])
        .assert_ok();
    for args in [
        &["purge", "--all", "--yes"][..],
        &["purge", "--repo", "--yes"],
        &["erase", "--all", "--yes"],
        &["erase", "--project", "--yes"],
        &["erase", "--user", "alice", "--yes"],
        &["adopt", "--from", "x", "--delete-source"],
    ] {
        let refused = repo
            .invoke(args)
            .env("CLAUDECODE", "1")
            .run()
            .assert_code(1);
        assert!(
            refused.stderr.contains("by a person alone"),
            "{args:?}: {}",
            refused.stderr
        );
    }
    assert!(repo.note("project_kept.md").is_some());
    let look = repo
        .invoke(["purge", "--all", "--dry-run"])
        .env("CLAUDECODE", "1");
    look.run().assert_ok();
}

#[test]
fn emptying_a_source_leaves_folders_that_had_no_memories() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let source = env.home().join(".claude/projects/-old-app/memory");
    for folder in ["notes", "empty", ".git/refs/tags"] {
        fs::create_dir_all(source.join(folder)).unwrap();
    }
    fs::write(source.join("notes/a.md"), "n\n").unwrap();
    let from = source.to_str().unwrap();
    fs::write(source.join("b.md"), "n\n").unwrap();
    repo.mem(["adopt", "--from", from, "--delete-source"])
        .assert_ok();
    assert!(source.join("empty").is_dir() && source.join(".git/refs/tags").is_dir());
    assert!(!source.join("notes").exists());
}
