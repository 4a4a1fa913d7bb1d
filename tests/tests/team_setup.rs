//! Setting sharing up: what stands in the way is told by its exit code, and nothing is left of a look.

use std::fs;
use std::os::unix::fs::symlink;

use mem_tests::{Repo, TestEnv};

use crate::team::{Person, two};

#[test]
fn a_remote_that_does_not_answer_is_exit_code_5_and_nothing_is_set_up() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    // Nobody listens on this port.
    let closed = "http://127.0.0.1:9/acme/app";
    ann.repo.git(["remote", "set-url", "origin", closed]);
    for remote in ["git:origin", "http://127.0.0.1:9"] {
        for end in ["", " --dry-run", " --json"] {
            let line = format!("team setup --remote {remote} --repo acme/app{end}");
            let told = ann.mem(&line).assert_code(5).stderr;
            assert!(told.contains("check the address"), "{line}: {told}");
            assert!(!told.contains("what waits"), "{line}: {told}");
            assert!(
                end != " --json" || told.contains("\"kind\":\"unreachable\""),
                "{told}"
            );
        }
    }
    ann.mem("team status").assert_code(1);
    let own = "sync setup --remote git:http://127.0.0.1:9/me/notes";
    ann.mem(own).assert_code(5);
}

#[test]
fn a_dry_setup_leaves_nothing() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.mem("team leave").assert_ok();
    fs::remove_dir_all(ben.home.join(".local")).unwrap();
    ben.mem("status").assert_ok();
    let before = env.files_under(&ben.home);
    let folders = |folder: &str| fs::read_dir(ben.home.join(folder)).map_or(0, Iterator::count);
    let told = ben
        .mem("team setup --dry-run --remote git:origin --repo acme/app")
        .assert_ok()
        .stdout;
    assert!(
        told.contains("would share the team's memory of acme/app at git:origin: 1 memory there"),
        "{told}"
    );
    let notes = env.work().join("origin.git");
    let own = format!("git:{}", notes.display());
    let dry = ["sync", "setup", "--dry-run", "--mine", "--remote", &own];
    ben.invoke(dry).run().assert_ok();
    assert_eq!(env.files_under(&ben.home), before);
    assert_eq!(folders(".cache"), 0);
    let stores = ben.home.join(".local/state/mem/stores");
    let folders = fs::read_dir(stores).into_iter().flatten().flatten();
    let is_copy = |name: &str| name.ends_with(".git") || name == "team" || name == "own";
    for store in folders {
        let inside = fs::read_dir(store.path()).unwrap().flatten();
        let names = inside.map(|one| one.file_name().to_string_lossy().into_owned());
        assert_eq!(names.filter(|name| is_copy(name)).count(), 0);
    }
}

#[test]
fn a_suggestion_behind_a_link_is_none() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let elsewhere = env.root().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let text = "remote = \"git:origin\"\nrepo = \"acme/app\"\n";
    fs::write(elsewhere.join("team.toml"), text).unwrap();
    let folder = ann.repo.path().join(".mem");
    let refused = || {
        let told = ann.mem("team join --yes").assert_code(1).stderr;
        assert!(told.contains("reached through a symbolic link"), "{told}");
        let status = ann.mem("status").assert_ok().stdout;
        assert!(
            status.contains("symbolic link") && !status.contains("mem team join"),
            "{status}"
        );
    };
    symlink(&elsewhere, &folder).unwrap();
    refused();
    fs::remove_file(&folder).unwrap();
    fs::create_dir(&folder).unwrap();
    symlink(elsewhere.join("team.toml"), folder.join("team.toml")).unwrap();
    refused();
    fs::remove_file(folder.join("team.toml")).unwrap();
    fs::write(folder.join("team.toml"), text).unwrap();
    ann.mem("team join --yes").assert_ok();
}

#[test]
fn a_suggestion_without_a_name_is_joined_under_a_given_one() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    ann.repo
        .write(".mem/team.toml", "remote = \"git:origin\"\n");
    let told = ann.mem("team join --yes").assert_code(1).stderr;
    assert!(told.contains("give it with --repo OWNER/REPO"), "{told}");
    ann.mem("team join --yes --repo acme/app").assert_ok();
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(status.contains("acme/app"), "{status}");
}

#[test]
fn who_reads_a_git_remote_is_said_before_anything_leaves() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let told = ann.mem("team setup --remote git:origin --repo acme/app");
    let told = told.assert_ok().stderr;
    assert!(
        told.contains("everyone who can read that repository will read these notes")
            && !told.contains("ssh"),
        "{told}"
    );
    // An ssh that is a door to the same repository.
    let origin = env.work().join("origin.git");
    let ssh = format!("sh -c 'exec git-upload-pack {}' --", origin.display());
    ann.repo.git(["config", "core.sshCommand", &ssh]);
    let url = "git@git.example.org:acme/app.git";
    ann.repo.git(["remote", "set-url", "origin", url]);
    let setup = ann.mem("team setup --remote git:origin --repo acme/app");
    let told = setup.assert_ok().stderr;
    assert!(told.contains("cannot be asked over ssh"), "{told}");
    ann.repo
        .write(".mem/team.toml", "remote = \"git:origin\"\n");
    let asked = ann.mem("team join").assert_code(2);
    assert!(asked.stderr.contains("no terminal"), "{}", asked.shown());
}

#[test]
fn two_repositories_with_one_directory_are_told_and_neither_is_shared_or_erased() {
    let env = TestEnv::new();
    // Claude Code calls both `...-shop-web`.
    let (one, other) = (env.repo("shop/web"), env.repo("shop-web"));
    let save = |repo: &Repo<'_>, name: &str| {
        let args = [
            "save", "--type", "project", "--scope", "team", "--name", name,
        ];
        let rest = ["--description", "about it", "--body", "x"];
        repo.mem(args.iter().chain(&rest)).assert_ok();
    };
    save(&one, "Margins");
    for repo in [&one, &other] {
        let remote = env.work().join("remote.git");
        let remote = remote.to_str().unwrap();
        repo.git(["init", "-q", "--bare", remote]);
        repo.git(["remote", "add", "origin", remote]);
    }
    let setup = [
        "team",
        "setup",
        "--remote",
        "git:origin",
        "--repo",
        "acme/web",
    ];
    let told = other.mem(setup).assert_code(1).stderr;
    assert!(
        told.contains("shop/web") && told.contains("hint: rename"),
        "{told}"
    );
    for command in [["status"], ["doctor"], ["init"]] {
        let told = other.mem(command);
        assert!(
            told.shown().contains("the memories of both are mixed"),
            "{}",
            told.shown()
        );
    }
    for command in [
        ["erase", "--project", "--yes"],
        ["purge", "--repo", "--yes"],
    ] {
        let told = other.mem(command).assert_code(1);
        assert!(told.stderr.contains("would go as well"), "{}", told.shown());
    }
    assert!(one.note("team/project_margins.md").is_some());
    // Nor does one that was set up before send anything.
    for (key, value) in [("team.repo", "acme/web"), ("team.remote", "git:origin")] {
        one.mem(["config", "set", "--repository", key, value])
            .assert_ok();
    }
    let told = one.mem(["team", "sync"]).assert_code(1).stderr;
    assert!(told.contains("shop-web"), "{told}");
    // Once the other one is gone, nothing is in the way.
    fs::remove_dir_all(env.work().join("shop")).unwrap();
    let told = other.mem(["status"]);
    assert!(!told.shown().contains("mixed"), "{}", told.shown());
}
