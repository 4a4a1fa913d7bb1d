//! A repository that was moved, renamed or keyed otherwise keeps its memories.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;
use mem_tests::{Repo, TestEnv, words};

fn save(repo: &Repo<'_>, name: &str, body: &str) {
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        name,
        "--description",
        "when it matters",
        "--body",
        body,
    ];
    repo.mem(args).assert_ok();
}

/// Moves a repository's folder and returns it at its new place.
fn move_to<'e>(env: &'e TestEnv, repo: &Repo<'e>, name: &str) -> Repo<'e> {
    let path = env.work().join(name);
    fs::rename(repo.path(), &path).unwrap();
    Repo::at(env, path)
}

fn files(env: &TestEnv, repo: &Repo<'_>) -> Vec<(String, Vec<u8>)> {
    env.files_under(&PathBuf::from(repo.mem(["path"]).line()))
}

#[cfg(target_os = "linux")]
#[test]
fn a_source_of_which_a_part_cannot_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;

    use crate::check::WITHOUT_PRIVILEGE;

    let env = TestEnv::new();
    let repo = env.repo("repo");
    save(&repo, "Release", "On Fridays.");
    let folder = repo.memory().join("sub");
    fs::create_dir(&folder).unwrap();
    let moved = move_to(&env, &repo, "repo2");
    let set_mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o000);
    let run = moved.invoke(["adopt"]).through_shell(WITHOUT_PRIVILEGE);
    let told = run.run().stderr;
    set_mode(0o755);
    assert!(
        told.contains("memory/sub") && told.contains("permission denied"),
        "{told}"
    );
    assert!(files(&env, &moved).is_empty());
}

#[test]
fn a_moved_repository_is_told_and_takes_its_memories_along() {
    let env = TestEnv::new();
    let repo = env.repo("repo");
    save(&repo, "Release", "On Fridays.");
    env.advance(40 * 86_400);
    let before = files(&env, &repo);
    let id = repo.mem(["show", "release", "--json"]).json()["id"].clone();
    let moved = move_to(&env, &repo, "repo2");
    for command in ["status", "init"] {
        let told = moved.mem([command]).assert_ok().stdout;
        assert!(told.contains("2 files under [SLUG]-work-repo: this repository had them before it was moved (`[ENV]/work/repo`)"), "{told}");
        assert!(told.contains("mem adopt"), "{told}");
    }
    let dry = moved.mem(["adopt", "--dry-run"]).assert_ok();
    assert_snapshot!(dry.stdout, @r"
    MEMORY.md
    project_release.md
    ");
    assert!(files(&env, &moved).is_empty());
    let done = moved.mem(["adopt"]).assert_ok();
    assert_snapshot!(done.shown(), @r"
    exit 0
    --- stdout
    MEMORY.md
    project_release.md
    --- stderr
    took 2 of 2 files from `[ENV]/home/.claude/projects/[SLUG]-work-repo/memory`
    the source is as it was; `mem adopt --from=[SLUG]-work-repo --delete-source` empties it
    ");
    assert_eq!(files(&env, &moved), before);
    let note = moved.mem(["show", "release", "--json"]).json();
    assert_eq!(
        (&note["id"], note["modified"].as_str()),
        (&id, Some("2026-01-01T00:00:00Z"))
    );
    let history = moved.mem(["history", "project_release"]).assert_ok().stdout;
    assert_eq!(history.lines().count(), 2, "{history}");
    assert!(
        !moved
            .mem(["status"])
            .assert_ok()
            .stdout
            .contains("elsewhere")
    );
    let again = moved
        .mem(["adopt", "--from", "../repo", "--json"])
        .assert_ok()
        .json();
    assert!(again["change"].is_null(), "{again}");
    moved.mem(["undo"]).assert_ok();
    assert!(files(&env, &moved).is_empty());
}

#[test]
fn the_source_goes_only_when_asked_and_only_what_is_here() {
    let env = TestEnv::new();
    let repo = env.repo("repo");
    save(&repo, "Release", "On Fridays.");
    let source = PathBuf::from(repo.mem(["path"]).line());
    fs::write(source.parent().unwrap().join("session.jsonl"), "{}\n").unwrap();
    let moved = move_to(&env, &repo, "repo2");
    moved
        .mem(["adopt", "--delete-source", "--dry-run"])
        .assert_ok();
    assert_eq!(env.files_under(&source).len(), 2);
    let json = moved
        .mem(["adopt", "--delete-source", "--json"])
        .assert_ok()
        .json();
    assert_eq!(json["deleted"], true);
    assert!(env.files_under(&source).is_empty());
    assert!(
        source.parent().unwrap().join("session.jsonl").exists(),
        "the host's files stay"
    );
    assert_eq!(files(&env, &moved).len(), 2);
    let nothing = moved.mem(["adopt", "--json"]).assert_code(1).json_error();
    assert_eq!(nothing["kind"], "not_found");
    moved.mem(["adopt", "--from", "nowhere"]).assert_code(1);
}

#[test]
fn memories_of_a_worktree_and_a_subdirectory_are_found_and_one_is_chosen() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let side = repo.worktree("side");
    repo.write("sub/x", "");
    for (keyed, text) in [
        (side.path().to_owned(), "one"),
        (repo.path().join("sub"), "two"),
    ] {
        let slug = mem_slug(&keyed);
        let dir = env.base().join("projects").join(slug).join("memory");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("note.md"), text).unwrap();
    }
    let status = repo
        .invoke(["status", "--json"])
        .in_dir(repo.path().join("sub"))
        .run()
        .json();
    let whys: Vec<&str> = status["adoptable"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["why"].as_str().unwrap())
        .collect();
    assert_eq!(whys, ["worktree", "subdirectory"], "{status}");
    assert_eq!(status["twins"].as_array().unwrap().len(), 2);
    let error = repo
        .invoke(["adopt"])
        .in_dir(repo.path().join("sub"))
        .run()
        .assert_code(1);
    assert_snapshot!(error.shown(), @r"
    exit 1
    --- stdout
    [SLUG]-work-side  1 file  kept for a worktree of this repository (`[ENV]/work/side`)
    [SLUG]-work-app-sub  1 file  kept for a directory inside this repository (`[ENV]/work/app/sub`)
    --- stderr
    error: several memories could be this repository's: [SLUG]-work-side, [SLUG]-work-app-sub
    hint: choose one: `mem adopt --from=[SLUG]-work-side`
    ");
    let slug = mem_slug(side.path());
    repo.mem(["adopt", "--from", &slug]).assert_ok();
    repo.mem([
        "adopt",
        &format!("--from={}", repo.path().join("sub").display()),
    ])
    .assert_ok();
    let names: Vec<(String, Vec<u8>)> = files(&env, &repo);
    assert_eq!(
        names,
        [
            ("note-2.md".to_owned(), b"two".to_vec()),
            ("note.md".to_owned(), b"one".to_vec())
        ]
    );
}

/// What a host that keys by working directory makes of a path.
fn mem_slug(path: &std::path::Path) -> String {
    path.to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect()
}

#[test]
fn a_memory_whose_name_fits_a_folder_inside_is_told_but_not_planned() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("sub/file", "x");
    let slug = repo.mem(["path", "--json"]).json()["slug"].clone();
    assert_eq!(slug, "[SLUG]-work-app");
    let name = PathBuf::from(repo.mem(["path"]).line());
    let name = name.parent().unwrap().to_string_lossy().into_owned() + "-sub/memory/note.md";
    fs::create_dir_all(PathBuf::from(&name).parent().unwrap()).unwrap();
    fs::write(
        &name,
        "---\nname: N\ndescription: d\ntype: project\n---\nx\n",
    )
    .unwrap();
    let told = repo.mem(["status"]).assert_ok().stdout;
    assert!(
        told.contains("their name fits a directory inside this repository (`[ENV]/work/app/sub`)"),
        "{told}"
    );
    let steps = repo.mem(["init", "--json"]).assert_ok().json()["steps"].clone();
    assert!(!steps.to_string().contains("adopt"), "{steps}");
    let audit = repo.mem(["audit", "--json"]).assert_code(1).json();
    assert_eq!(
        audit["projects"][0]["findings"][0]["code"], "twin",
        "{audit}"
    );
    repo.mem(["adopt"]).assert_ok();
    repo.mem(["show", "n"]).assert_ok();
}

#[test]
fn a_repository_that_was_empty_at_first_is_known_after_a_move() {
    let env = TestEnv::new();
    let path = env.work().join("young");
    fs::create_dir(&path).unwrap();
    let repo = Repo::at(&env, path);
    repo.git(["init", "--quiet"]);
    save(&repo, "Early", "Before the first commit.");
    repo.commit("file", "x", "first");
    save(&repo, "Later", "After it.");
    let moved = move_to(&env, &repo, "grown");
    let told = moved.mem(["status"]).assert_ok().stdout;
    assert!(told.contains("before it was moved"), "{told}");
}

#[test]
fn adopting_again_says_what_is_known_and_empties_the_source() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One", "text");
    let clone = env.work().join("clone");
    repo.git(["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let clone = Repo::at(&env, clone);
    save(&clone, "Two", "text of the clone");
    let talk = clone.mem(["adopt"]).assert_code(1).stderr;
    assert!(talk.contains("mem adopt --from=[SLUG]-work-app"), "{talk}");
    fs::remove_dir_all(clone.path()).unwrap();
    let moved = move_to(&env, &repo, "moved");
    let done = moved.mem(["adopt", "--from", "../app"]).assert_ok().stderr;
    assert!(
        done.contains("`mem adopt --from=[SLUG]-work-app --delete-source`"),
        "{done}"
    );
    moved
        .mem(["adopt", "--from", "../clone", "--delete-source"])
        .assert_ok();
    let again = moved.mem(["adopt", "--delete-source"]).assert_ok().stderr;
    assert!(
        again.contains("is here already") && again.contains("is empty now"),
        "{again}"
    );
    moved.mem(["adopt"]).assert_code(1);
}

#[test]
fn a_memory_that_was_put_elsewhere_is_not_called_another_clone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One", "text");
    let elsewhere = env.root().join("elsewhere");
    let run = |command: &str| repo.invoke([command]).env("MEM_DIR", &elsewhere).run();
    let told = run("status").assert_ok().stdout;
    assert!(
        told.contains("[SLUG]-work-app: kept for this folder while"),
        "{told}"
    );
    run("adopt").assert_ok();
    assert!(run("list").stdout.contains("project_one.md"));
}

#[test]
fn what_waits_for_a_person_is_taken_along() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "One", "text");
    let waiting = |repo: &Repo<'_>| {
        let listed = repo.mem(["inbox", "list", "--json"]).assert_ok().json();
        let entries = listed["entries"].as_array().unwrap();
        let ids = entries
            .iter()
            .map(|one| one["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<String>>()
    };
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let args = words("save --type project --name Two --description when");
    let agent = repo.invoke(args).args(["--body", "Written by an agent."]);
    agent.env("MEM_ACTOR", "agent").run().assert_code(1);
    let before = waiting(&repo);
    assert_eq!(before.len(), 1);
    let moved = move_to(&env, &repo, "moved");
    let dry = moved
        .mem(["adopt", "--dry-run", "--json"])
        .assert_ok()
        .json();
    assert_eq!((&dry["waiting"], waiting(&moved).len()), (&1.into(), 0));
    let told = moved.mem(["adopt"]).assert_ok().stderr;
    assert!(told.contains("moved 1 write of agents"), "{told}");
    assert_eq!(waiting(&moved), before);
    let again = moved.mem(["adopt", "--from", "../app", "--json"]).json();
    assert_eq!(again["waiting"], 0);
    moved.mem(["inbox", "accept", &before[0]]).assert_ok();
    let shown = moved.mem(["show", "Two"]).assert_ok().stdout;
    assert!(shown.contains("Written by an agent."), "{shown}");
}

#[test]
fn an_undo_refills_the_source_that_the_adoption_emptied() {
    let env = TestEnv::new();
    let repo = env.repo("repo");
    save(&repo, "Release", "On Fridays.");
    let source = PathBuf::from(repo.mem(["path"]).line());
    fs::create_dir(source.join("sub")).unwrap();
    fs::write(source.join("sub/photo.jpg"), b"\xff\xd8").unwrap();
    let before = env.files_under(&source);
    let moved = move_to(&env, &repo, "repo2");
    moved.mem(["adopt", "--delete-source"]).assert_ok();
    assert!(env.files_under(&source).is_empty());
    // What came along and is no memory is not `mem`'s to remove.
    let photo = PathBuf::from(moved.mem(["path"]).line()).join("sub/photo.jpg");
    moved.mem(["purge", "--repo", "--yes"]).assert_ok();
    assert_eq!(fs::read(&photo).unwrap(), b"\xff\xd8");
    fs::remove_file(photo).unwrap();

    let again = move_to(&env, &moved, "repo3");
    save(&again, "Release", "On Fridays.");
    let source = PathBuf::from(again.mem(["path"]).line());
    fs::write(source.join("notes.txt"), "mine\n").unwrap();
    let emptied = env.files_under(&source);
    let last = move_to(&env, &again, "repo4");
    last.mem(["adopt", "--delete-source"]).assert_ok();
    assert!(env.files_under(&source).is_empty());
    let told = last.mem(["undo"]).assert_ok().stderr;
    assert!(told.contains("restored 3 files in"), "{told}");
    assert_eq!(env.files_under(&source), emptied);
    assert!(files(&env, &last).is_empty());
    assert!(!before.is_empty());
    // They are there to be adopted again.
    let from = source.to_string_lossy().into_owned();
    last.mem(["adopt", "--from", &from]).assert_ok();
    assert!(last.note("project_release.md").is_some());
}

#[test]
fn a_picture_whose_name_is_taken_stays_a_picture() {
    let env = TestEnv::new();
    let (repo, other) = (env.repo("repo"), env.repo("other"));
    for (one, bytes) in [(&repo, b"\xff\xd8 a"), (&other, b"\xff\xd8 b")] {
        save(one, "Release", "On Fridays.");
        fs::write(PathBuf::from(one.mem(["path"]).line()).join("p.jpg"), bytes).unwrap();
    }
    let source = repo.mem(["path"]).line();
    other.mem(["adopt", "--from", &source]).assert_ok();
    let target = PathBuf::from(other.mem(["path"]).line());
    assert_eq!(fs::read(target.join("p-2.jpg")).unwrap(), b"\xff\xd8 a");
    other.mem(["purge", "--repo", "--yes"]).assert_ok();
    for name in ["p.jpg", "p-2.jpg"] {
        assert!(target.join(name).exists(), "{name} is no memory");
    }
}
