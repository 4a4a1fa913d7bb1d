//! `mem scan` over the index, ranges and history.

use mem_tests::{Repo, TestEnv, github_token};

#[test]
fn staged_means_the_added_lines_of_the_index() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("old.txt", &format!("{}\n", github_token(1)), "before");
    repo.mem(["scan", "--staged"]).assert_ok();
    repo.write("old.txt", format!("{}\nmore\n", github_token(1)));
    repo.git(["add", "--all"]);
    repo.mem(["scan", "--staged"]).assert_ok();
    repo.write("new.txt", format!("a\n{}\n", github_token(2)));
    repo.mem(["scan", "--staged"]).assert_ok();
    repo.git(["add", "--all"]);
    repo.write("new.txt", "clean again, but not what is staged\n");
    let json = repo
        .mem(["scan", "--staged", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["file"], "new.txt");
    assert_eq!(json["findings"][0]["line"], 2);
}

#[test]
fn what_is_staged_stops_where_a_hook_does() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let word = ["pork", "chop"].concat();
    repo.write("compose.yml", format!("DB_PASSWORD: {word}\n"));
    repo.git(["add", "--all"]);
    repo.mem(["scan", "--staged"]).assert_ok();
    repo.mem(["scan", "--staged", "--confidence", "low"])
        .assert_code(3);
    repo.mem(["scan"]).assert_code(3);
}

#[test]
fn a_range_is_what_its_commits_add() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("a.txt", &format!("{}\n", github_token(1)), "old leak");
    repo.git(["tag", "base"]);
    repo.commit("a.txt", &format!("{}\nmore\n", github_token(1)), "no leak");
    repo.git(["mv", "a.txt", "b.txt"]);
    repo.commit(
        "b.txt",
        &format!("{}\nmore\nand\n", github_token(1)),
        "renamed and changed",
    );
    repo.mem(["scan", "--range", "base..HEAD"]).assert_ok();
    repo.commit("c.txt", &github_token(2), "leak");
    let commit = repo.git(["rev-parse", "HEAD"]);
    repo.git(["rm", "--quiet", "c.txt"]);
    repo.git(["commit", "--quiet", "--message", "gone again"]);
    let json = repo
        .mem(["scan", "--range", "base..", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["commit"], commit.as_str());
    repo.mem(["scan", "--range", "base..nowhere"])
        .assert_code(1);
}

#[test]
fn a_change_of_a_large_file_is_found_at_its_line() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let rows = |count| "a row of a large file\n".repeat(count);
    repo.commit("big.txt", &rows(20_000), "large");
    repo.git(["tag", "base"]);
    let changed = format!("{}{}\n{}", rows(10_000), github_token(1), rows(10_000));
    repo.commit("big.txt", &changed, "leak");
    let scan = repo.mem(["scan", "--range", "base..", "--format", "json"]);
    let json = scan.assert_code(3).json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["line"], 10_001);
}

#[test]
fn a_rule_of_the_repository_sees_the_whole_of_a_large_file() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let rules = "[[rules]]\nid = 'host'\nregex = 'host-[0-9]+'\nskipReport = true\n\
        [[rules]]\nid = 'pair'\nregex = 'user-[0-9]+'\n[[rules.required]]\nid = 'host'\n";
    repo.commit(".gitleaks.toml", rules, "rules");
    let rows = format!("host-1\n{}", "a row of a large file\n".repeat(20_000));
    repo.commit("big.txt", &rows, "large");
    repo.commit("big.txt", &format!("{rows}user-2\n"), "pair");
    let scan = repo.mem(["scan", "--range", "HEAD~1..", "--format", "json"]);
    assert_eq!(scan.assert_code(3).json()["findings"][0]["rule"], "pair");
}

#[test]
fn a_shallow_clone_is_no_whole_history() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for text in ["one\n", "two\n", "three\n"] {
        repo.commit("a.txt", text, text);
    }
    let url = format!("file://{}", repo.path().display());
    let above = Repo::at(&env, env.work());
    above.git(["clone", "--quiet", "--depth", "2", &url, "shallow"]);
    let clone = Repo::at(&env, env.work().join("shallow"));
    let told = clone.mem(["scan", "--history", "--json"]).assert_code(1);
    assert_eq!(told.json()["complete"], false);
    assert!(
        told.stderr.contains("git fetch --unshallow"),
        "{}",
        told.stderr
    );
    clone.mem(["scan", "--range", "HEAD~1.."]).assert_ok();
}

#[test]
fn history_has_every_reference_message_and_tag_and_names_the_first_commit() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.git(["checkout", "--quiet", "-b", "side"]);
    repo.commit("a.txt", &github_token(1), "leak");
    let first = repo.git(["rev-parse", "HEAD"]);
    repo.commit("a.txt", &format!("{}\nmore\n", github_token(1)), "later");
    repo.git(["checkout", "--quiet", "main"]);
    repo.commit(
        "b.txt",
        "clean",
        &format!("message with {}", github_token(2)),
    );
    repo.git([
        "tag",
        "-a",
        "v1",
        "-m",
        &format!("tag with {}", github_token(3)),
    ]);
    let json = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3)
        .json();
    let findings = json["findings"].as_array().unwrap();
    let files: Vec<&str> = findings
        .iter()
        .map(|one| one["file"].as_str().unwrap())
        .collect();
    assert_eq!(files, ["a.txt", "commit message", "tag message"]);
    assert_eq!(findings[0]["commit"], first.as_str());
    repo.mem(["scan"]).assert_ok();
}

#[test]
fn a_broken_object_is_said_and_the_rest_is_scanned() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("a.txt", "clean a\n", "a");
    repo.commit("b.txt", &github_token(1), "b");
    let blob = repo.git(["rev-parse", "HEAD:a.txt"]);
    let object = repo
        .path()
        .join(".git/objects")
        .join(&blob[..2])
        .join(&blob[2..]);
    std::fs::remove_file(object).unwrap();
    let output = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3);
    assert_eq!(output.json()["complete"], false);
    assert!(output.stderr.contains(&blob), "{}", output.stderr);
}

#[test]
fn a_value_is_judged_by_the_lines_around_it_in_a_history_of_any_length() {
    let env = TestEnv::new();
    for (name, commits) in [("short", 3), ("long", 230)] {
        let repo = env.repo(name);
        let value = |number: u64| github_token(number)[4..].to_owned();
        let write = |number: u64| {
            let named = format!("env:\n- name: DB_PASSWORD\n  value: {}\n", value(number));
            let head = "kind: SealedSecret\nspec:\n  encryptedData:\n    client-secret: Ag";
            let sealed = (0..8).map(|part| value(10 * number + part));
            repo.write("named.yaml", named.replace(&value(1), "changeme"));
            repo.write(
                "sealed.yaml",
                format!("{head}{}\n", sealed.collect::<String>()),
            );
            repo.git(["add", "--all"]);
            repo.git(["commit", "--quiet", "--message", "change"]);
        };
        write(1);
        write(2);
        for _ in 2..commits {
            repo.git(["commit", "--quiet", "--allow-empty", "--message", "more"]);
        }
        let scan = ["scan", "--history", "--confidence", "medium", "--json"];
        let json = repo.mem(scan).assert_code(3).json();
        let findings = json["findings"].as_array().unwrap().iter();
        let places = findings.map(|one| format!("{}:{}", one["file"], one["line"]));
        assert_eq!(places.collect::<Vec<_>>(), ["\"named.yaml\":3"], "{name}");
    }
}

#[test]
fn files_beside_a_folder_of_their_name_are_compared_with_the_parents() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for (number, name) in (1..).zip(["lib-old", "lib.txt", "lib/a", "lib0"]) {
        repo.write(name, format!("{}\n", github_token(number)));
    }
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "before"]);
    repo.commit("lib/b", &github_token(9), "leak");
    let scan = repo.mem(["scan", "--range", "HEAD~1..", "--format", "json"]);
    let json = scan.assert_code(3).json();
    assert_eq!(json["scanned"]["blobs"], 1);
    assert_eq!(json["findings"][0]["file"], "lib/b");
}

/// A commit as `git fast-import` reads it.
fn commit_stream(author: &str, committer: &str, message: &str, change: &str) -> String {
    format!(
        "commit refs/heads/long\nauthor {author} <t@example.org> 1700000000 +0000\n\
         committer {committer} <t@example.org> 1700000000 +0000\n\
         data {}\n{message}\n{change}\n",
        message.len()
    )
}

/// A file of such a commit.
fn file_stream(path: &str, text: &str) -> String {
    format!("M 100644 inline {path}\ndata {}\n{text}", text.len())
}

/// Imports a stream, and returns the findings of the history: each place, and the number of its commit.
fn places_in_history(env: &TestEnv, repo: &Repo<'_>, stream: impl AsRef<[u8]>) -> Vec<String> {
    let path = env.root().join("stream");
    std::fs::write(&path, stream).unwrap();
    let mut import = env.command("git");
    import
        .args(["fast-import", "--quiet"])
        .current_dir(repo.path());
    let done = import
        .stdin(std::fs::File::open(path).unwrap())
        .status()
        .unwrap();
    assert!(done.success());
    let json = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["complete"], true);
    let place = |one: &serde_json::Value| {
        let commit = one["commit"].as_str().unwrap();
        let count = repo.git(["rev-list", "--count", commit]);
        format!(
            "{}:{}:{} in {count}",
            one["file"].as_str().unwrap(),
            one["line"],
            one["column"]
        )
    };
    let findings = json["findings"].as_array().unwrap();
    let mut places: Vec<String> = findings.iter().map(place).collect();
    places.sort();
    places
}

#[test]
fn history_has_the_places_of_people_messages_and_utf_16() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let (one, two) = (github_token(1), github_token(2));
    let first = file_stream("d/f.txt", &format!("1\nx\n{one}\n"));
    let second = file_stream("d/f.txt", &format!("2\n{two} and\n\n{one}\n"));
    let wide: Vec<u8> = format!("\u{feff}token {}\n", github_token(4))
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let third = format!("M 100644 inline wide.txt\ndata {}", wide.len());
    let commits = [
        commit_stream("T", "T", "change", &first),
        commit_stream("T", "T", &github_token(3), &second),
        commit_stream(&github_token(5), &github_token(6), "change", &third),
    ];
    let stream = [commits.concat().as_bytes(), &wide[..]].concat();
    insta::assert_snapshot!(places_in_history(&env, &repo, stream).join("\n"), @r"
    commit author:1:1 in 3
    commit message:1:1 in 2
    committer:1:1 in 3
    d/f.txt:2:1 in 2
    d/f.txt:3:1 in 1
    wide.txt:1:7 in 3
    ");
}

#[test]
fn the_first_commit_of_a_secret_is_named_across_the_parts_of_threads() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let commits = (1..=600).map(|number| {
        let change = match number {
            10 | 150 | 590 => file_stream("a.txt", &github_token(1)),
            20 | 160 => "D a.txt".to_owned(),
            _ => file_stream("b.txt", &format!("{number}\n")),
        };
        let author = if number % 100 == 50 {
            github_token(2)
        } else {
            "T".to_owned()
        };
        commit_stream(&author, "T", "change", &change)
    });
    let places = places_in_history(&env, &repo, commits.collect::<String>());
    assert_eq!(places, ["a.txt:1:1 in 10", "commit author:1:1 in 50"]);
}

#[test]
fn a_broken_commit_is_said_and_the_others_are_scanned() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.commit("old.txt", "old\n", "old");
    repo.commit("lost.txt", "lost\n", "lost");
    let lost = repo.git(["rev-parse", "HEAD"]);
    repo.commit("new.txt", &github_token(1), "new");
    let (folder, file) = lost.trim().split_at(2);
    let object = repo.path().join(".git/objects").join(folder).join(file);
    std::fs::remove_file(object).unwrap();
    let ran = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3);
    assert!(
        ran.stderr
            .contains(&format!("cannot read commit {}", lost.trim())),
        "{}",
        ran.stderr
    );
    let json = ran.json();
    assert_eq!(json["findings"][0]["file"], "new.txt");
    assert_eq!(json["complete"], false);
}
