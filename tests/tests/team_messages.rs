//! What `mem team` tells is what is true, and what it is given has an end.

use std::fs;

use mem_tests::{TestEnv, github_token};

use crate::team::{two, two_with, without_remote};

#[test]
fn a_push_that_is_behind_says_so() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "gone.md"]);
    ann.write("x.md", "of ann\n");
    ann.sync();
    ann.mem("team delete gone.md").assert_ok();
    ben.write("x.md", "of ben\n");
    ben.write("gone.md", "of ben\n");
    ben.write("new.md", "goes\n");
    let told = ben.mem("team push").assert_code(1);
    let all = told.shown();
    assert!(
        all.contains("`x.md` changed at both ends") && all.contains("`gone.md` changed"),
        "{all}"
    );
    assert!(
        told.stdout.contains("sent  new.md") && !told.stdout.contains("in step"),
        "{all}"
    );
    let json = ben.mem("team push --json").assert_code(1).json();
    assert_eq!(json["behind"], serde_json::json!(["gone.md", "x.md"]));
    assert_eq!(ben.read("x.md").unwrap(), "of ben\n");
    ben.sync();
    let json = ben.mem("team push --json").assert_ok().json();
    assert_eq!(json["behind"], serde_json::json!([]));
}

#[test]
fn a_merged_text_without_an_end_is_refused() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "of ann\n");
    ben.write("x.md", "of ben\n");
    ann.sync();
    ben.sync();
    let bounded = ben
        .invoke(["team", "resolve", "x.md", "--merged", "/dev/zero"])
        .run();
    let told = bounded.assert_code(1);
    assert!(told.stderr.contains("error: "), "{}", told.shown());
    assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
    let kept = ben.mem("team resolve --json").assert_ok().json();
    assert_eq!(kept["conflicts"][0]["mine"], "of ben\n");
}

#[test]
fn a_hidden_file_of_the_remote_is_not_taken_again_and_again() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    let elsewhere = env.work().join("by-hand");
    let (origin, hand) = (env.work().join("origin.git"), &ann.repo);
    let fetched = ["fetch", "--quiet", "origin", "refs/mem/team"];
    hand.git(fetched);
    hand.git([
        "worktree",
        "add",
        "--quiet",
        "--detach",
        &elsewhere.to_string_lossy(),
        "FETCH_HEAD",
    ]);
    fs::create_dir_all(elsewhere.join(".mem")).unwrap();
    fs::write(elsewhere.join(".mem/team.toml"), "remote = \"git:evil\"\n").unwrap();
    let by_hand = mem_tests::Repo::at(&env, elsewhere);
    by_hand.git(["add", "-f", ".mem/team.toml"]);
    by_hand.git(["commit", "--quiet", "-m", "by hand"]);
    by_hand.git([
        "push",
        "--quiet",
        &origin.to_string_lossy(),
        "HEAD:refs/mem/team",
    ]);
    for _ in 0..2 {
        let json = ben.mem("team sync --json").assert_code(1).json();
        assert_eq!(json["not_taken"][0]["file"], ".mem/team.toml", "{json}");
        assert!(!json["taken"].to_string().contains("team.toml"), "{json}");
    }
    assert!(ben.read("x.md").is_some() && ben.read(".mem/team.toml").is_none());
}

#[test]
fn a_difference_names_a_secret_and_does_not_show_it() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let token = github_token(7);
    ann.write("leak.md", &format!("# Keys\n\nuse {token}\n"));
    ann.write(&format!("{token}.md"), "nothing\n");
    ann.write("fine.md", "nothing secret\n");
    let told = ann.mem("team diff").assert_ok();
    let json = ann.mem("team diff --json").assert_ok();
    for one in [&told, &json] {
        assert!(!one.shown().contains(&token), "the secret was printed");
        assert!(one.stdout.contains("nothing secret"), "{}", one.shown());
    }
    let all = told.shown();
    assert!(
        all.contains("leak.md: not shown: it holds a secret: github-pat in line 3"),
        "{all}"
    );
}

#[test]
fn links_and_odd_names_are_named_and_stay() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    let outside = env.root().join("outside.md");
    fs::write(&outside, "not for the team\n").unwrap();
    std::os::unix::fs::symlink(&outside, ann.team().join("link.md")).unwrap();
    std::os::unix::fs::symlink(env.root(), ann.team().join("folder")).unwrap();
    ann.write("aux.md", "a device elsewhere\n");
    ann.write("ends.md ", "a space\n");
    let named = |said: &str| {
        for (file, why) in [
            ("link.md", "symbolic link"),
            ("folder", "symbolic link"),
            ("aux.md", "reserved device name"),
            ("ends.md ", "ends in a dot or a space"),
        ] {
            let line = said.lines().find(|line| line.contains(file));
            assert!(
                line.is_some_and(|line| line.contains(why)),
                "{file}: {said}"
            );
        }
    };
    named(&ann.mem("team status").assert_ok().stdout);
    named(&ann.mem("team push").shown());
    named(&ann.mem("team sync").shown());
    let json = ann.mem("team sync --json").json();
    assert_eq!(json["not_shared"].as_array().unwrap().len(), 4, "{json}");
    ben.sync();
    assert!(ben.read("x.md").is_some() && ben.read("link.md").is_none());
}

#[test]
fn everybody_reads_why_something_was_deleted() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "y.md"]);
    let token = github_token(5);
    let delete = |reason: &str| {
        ann.invoke(["team", "delete", "x.md", "--reason", reason])
            .run()
    };
    let refused = delete(&format!("leaked {token}")).assert_code(3);
    assert!(
        refused
            .stderr
            .contains("the reason holds a secret: github-pat")
            && !refused.shown().contains(&token),
        "{}",
        refused.shown()
    );
    let refused = delete(&"x".repeat(501)).assert_code(1);
    assert!(
        refused.stderr.contains("501 characters"),
        "{}",
        refused.shown()
    );
    assert!(ann.read("x.md").is_some());
    // Without a connection the reason waits with the deletion.
    without_remote(&env, || delete("the freeze is over"));
    ann.sync();
    ann.mem("team delete y.md").assert_ok();
    let log = ben.mem("team log").assert_ok().stdout;
    let line = log
        .lines()
        .find(|line| line.contains("deleted") && line.contains("x.md"));
    assert!(
        line.unwrap().ends_with("x.md  (the freeze is over)"),
        "{log}"
    );
    let json = ben.mem("team log --json x.md").assert_ok().json();
    assert_eq!(json["changes"][0]["reason"], "the freeze is over", "{json}");
    let json = ben.mem("team log --json y.md").assert_ok().json();
    assert_eq!(json["changes"][0]["reason"], serde_json::Value::Null);
}

#[test]
fn a_ref_that_somebody_deleted_is_told_and_brings_nothing_deleted_back() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "gone.md"]);
    ann.mem("team delete gone.md").assert_ok();
    let origin = env.work().join("origin.git");
    let origin = origin.to_string_lossy();
    ann.repo
        .git(["--git-dir", &origin, "update-ref", "-d", "refs/mem/team"]);
    ann.write("y.md", "two\n");
    let told = ann.mem("team sync").assert_ok();
    assert!(
        told.stderr
            .contains("the remote has lost 1 file that it had"),
        "{}",
        told.shown()
    );
    assert!(told.stdout.contains("sent  x.md"), "{}", told.shown());
    // He still has what was deleted before he looked.
    let json = ben.mem("team sync --json").assert_ok().json();
    assert_eq!(json["removed"], serde_json::json!(["gone.md"]), "{json}");
    assert!(ben.read("gone.md").is_none() && ben.read("y.md").is_some());
    ann.sync();
    assert!(ann.read("gone.md").is_none());
    let quiet = ann.mem("team sync").assert_ok().stderr;
    assert!(!quiet.contains("has lost"), "{quiet}");
}

#[test]
fn what_was_written_after_an_older_state_that_was_restored_is_sent_again() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md"]);
    let origin = env.work().join("origin.git");
    let origin = origin.to_string_lossy();
    let git = |args: &[&str]| ann.repo.git([&["--git-dir", &origin][..], args].concat());
    git(&["update-ref", "refs/heads/backup", "refs/mem/team"]);
    ann.write("x.md", "newer\n");
    ann.write("MEMORY.md", "- [X](x.md) — newer\n");
    ann.sync();
    ben.sync();
    git(&["update-ref", "refs/mem/team", "refs/heads/backup"]);
    let told = ben.mem("team sync").assert_ok();
    assert!(told.stdout.contains("sent  x.md"), "{}", told.shown());
    assert!(told.stderr.contains("newer versions"), "{}", told.shown());
    ann.sync();
    for person in [&ann, &ben] {
        assert_eq!(person.read("x.md").as_deref(), Some("newer\n"));
        assert!(person.read("MEMORY.md").unwrap().contains("newer"));
    }
}

#[test]
fn a_deletion_that_the_restore_of_an_older_state_took_back_is_made_again_and_told() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "gone.md"]);
    let origin = env.work().join("origin.git");
    let origin = origin.to_string_lossy();
    let git = |args: &[&str]| ann.repo.git([&["--git-dir", &origin][..], args].concat());
    git(&["update-ref", "refs/heads/backup", "refs/mem/team"]);
    ann.mem("team delete gone.md").assert_ok();
    ben.sync();
    git(&["update-ref", "refs/mem/team", "refs/heads/backup"]);
    let pulled = ben.mem("team pull --json").assert_ok().json();
    assert_eq!(pulled["undeleted"], serde_json::json!(["gone.md"]));
    assert_eq!(pulled["taken"], serde_json::json!([]), "{pulled}");
    let status = ben.mem("team status").assert_ok().stdout;
    assert!(status.contains("gone.md"), "{status}");
    let told = ben.mem("team sync").assert_ok();
    assert!(told.stdout.contains("deleted  gone.md"), "{}", told.shown());
    let told = ann.mem("team sync").assert_ok();
    assert!(ann.read("gone.md").is_none(), "{}", told.shown());
    assert!(ann.read("x.md").is_some() && ben.read("x.md").is_some());
}

#[test]
fn a_status_of_many_files_names_some_and_counts_the_rest() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    for n in 0..30 {
        ann.write(&format!("n{n}.md"), "one\n");
    }
    let status = ann.mem("team status").assert_ok().stdout;
    assert_eq!(
        status.matches("waits to be sent  n").count(),
        20,
        "{status}"
    );
    assert!(
        status.contains("waits to be sent  10 files more"),
        "{status}"
    );
    let json = ann.mem("team status --json").assert_ok().json();
    assert_eq!(json["waiting"].as_array().unwrap().len(), 30);
}

#[test]
fn a_deletion_that_reaches_nobody_is_told_and_fails() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "y.md"]);
    let origin = env.work().join("origin.git");
    let origin = origin.to_string_lossy();
    ann.repo
        .git(["--git-dir", &origin, "update-ref", "-d", "refs/mem/team"]);
    let told = ann.mem("team delete x.md").assert_code(1);
    assert!(
        told.stdout.contains("could not be deleted  x.md") && !told.stdout.contains("\ndeleted"),
        "{}",
        told.shown()
    );
    assert!(
        told.stderr.contains("the remote has lost it")
            && told
                .stderr
                .contains("`mem team delete x.md` once it is there again"),
        "{}",
        told.shown()
    );
    ben.sync();
    ann.sync();
    ann.mem("team delete x.md").assert_ok();
    ben.sync();
    assert!(ben.read("x.md").is_none() && ann.read("x.md").is_none());
    // Somebody was faster.
    ben.write("y.md", "two\n");
    ben.sync();
    let told = ann.mem("team delete y.md --json").assert_code(4);
    let json = told.json();
    assert_eq!(json["kept"], serde_json::json!(["y.md"]), "{json}");
    let why = json["error"].as_str().unwrap();
    assert!(why.contains("somebody changed it meanwhile"), "{json}");
    assert!(
        told.stderr.contains("\"kind\":\"conflict\""),
        "{}",
        told.shown()
    );
    assert_eq!(ann.read("y.md").as_deref(), Some("two\n"));
    ann.mem("team delete y.md").assert_ok();
}

#[test]
fn what_a_link_keeps_from_being_written_is_not_told_as_taken() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "one\n");
    ann.sync();
    let elsewhere = env.root().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let team = ben.team();
    fs::create_dir_all(team.parent().unwrap()).unwrap();
    let _ = fs::remove_dir_all(&team);
    std::os::unix::fs::symlink(&elsewhere, &team).unwrap();
    let told = ben.mem("team sync").assert_code(1);
    assert!(!told.stdout.contains("taken"), "{}", told.shown());
    assert!(told.stderr.contains("symbolic link"), "{}", told.shown());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn whatever_stands_in_the_way_of_many_files_the_others_come() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for number in 0..10 {
        for folder in ["linked", "free", "empty"] {
            ann.write(
                &format!("{folder}/n{number}.md"),
                &format!("{folder} {number}\n"),
            );
        }
        ann.write(&format!("taken{number}/note.md"), "one\n");
    }
    ann.sync();
    let elsewhere = env.root().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::create_dir_all(ben.team().join("empty")).unwrap();
    std::os::unix::fs::symlink(&elsewhere, ben.team().join("linked")).unwrap();
    for number in 0..10 {
        fs::create_dir_all(ben.team().join(format!("taken{number}/note.md"))).unwrap();
    }
    let told = ben.mem("team pull").assert_code(1);
    let all = told.shown();
    assert!(told.stderr.contains("symbolic link"), "{all}");
    assert!(told.stderr.contains("is not a regular file"), "{all}");
    for number in 0..10 {
        let text = format!("free {number}\n");
        assert_eq!(ben.read(&format!("free/n{number}.md")), Some(text), "{all}");
        assert!(ben.read(&format!("empty/n{number}.md")).is_some(), "{all}");
    }
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn thousands_of_names_that_are_not_taken_are_counted() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    for number in 0..90 {
        ann.repo.write(&format!("con.{number}"), "no memory");
    }
    ann.repo.commit("fine.md", "fine", "by hand");
    ann.repo
        .git(["push", "--quiet", "origin", "HEAD:refs/mem/team"]);
    let told = ann.mem("team sync").assert_code(1);
    let lines = told
        .stderr
        .lines()
        .filter(|line| line.contains("not taken: "));
    assert_eq!(lines.count(), 21, "{}", told.shown());
    assert!(
        told.stderr.contains("not taken: 70 files more"),
        "{}",
        told.shown()
    );
    assert_eq!(ann.read("fine.md").unwrap(), "fine");
    // As long as they stand there, also after a run that found nothing new.
    ann.sync();
    let status = ann.mem("team status --json").assert_ok().json();
    assert_eq!(status["not_taken"].as_array().unwrap().len(), 90);
    ann.repo.git(["rm", "--quiet", "con.7"]);
    ann.repo.git(["commit", "--quiet", "--message", "one less"]);
    ann.repo
        .git(["push", "--quiet", "origin", "HEAD:refs/mem/team"]);
    ann.mem("team sync").assert_code(1);
    let status = ann.mem("team status --json").assert_ok().json();
    assert_eq!(status["not_taken"].as_array().unwrap().len(), 89);
}
