//! What `mem team` tells is what is true, and what it is given has an end.

use std::fs;

use mem_tests::{TestEnv, github_token};

use crate::team::two;

#[test]
fn a_push_that_is_behind_says_so() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for file in ["x.md", "gone.md"] {
        ann.write(file, "one\n");
    }
    ann.sync();
    ben.sync();
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
