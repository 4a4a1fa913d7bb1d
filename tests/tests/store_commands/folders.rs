//! A directory as the memories of a store, and the other way round.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use mem_tests::{TestEnv, github_token};
use serde_json::{Value, json};

use super::Shop;

#[test]
fn a_directory_goes_in_and_comes_out_again() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let folder = env.work().join("in");
    fs::create_dir_all(folder.join("deep/er")).unwrap();
    fs::create_dir_all(folder.join(".git")).unwrap();
    fs::write(folder.join(".git/config"), "x").unwrap();
    fs::write(folder.join("a.md"), "one\r\n").unwrap();
    fs::write(folder.join("deep/er/b.txt"), "\u{fc}ml\u{e4}ut").unwrap();
    fs::write(folder.join("empty"), "").unwrap();
    fs::write(folder.join("binary"), b"\xff\xfe").unwrap();
    fs::write(folder.join("large"), "x".repeat(102_401)).unwrap();
    fs::write(env.work().join("outside"), "outside").unwrap();
    symlink(env.work().join("outside"), folder.join("link")).unwrap();
    let dry = shop.json(&["import", &store, "in", "--dry-run"]);
    assert_eq!(dry["created"], 3);
    assert_eq!(shop.json(&["memories", &store])["memories"], json!([]));
    let report = shop.json(&["import", &store, "in", "--below", "/x"]);
    assert_eq!(report["created"], 3, "{report}");
    let skipped: Vec<&str> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["path"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["/x/.git", "/x/binary", "/x/large", "/x/link"]);
    let again = shop.json(&["import", &store, "in", "--below", "/x"]);
    assert_eq!(
        (&again["created"], &again["unchanged"]),
        (&json!(0), &json!(3))
    );
    fs::write(folder.join("a.md"), "two\n").unwrap();
    let kept = shop.json(&["import", &store, "in", "--below", "/x"]);
    assert_eq!(
        (&kept["replaced"], kept["skipped"].as_array().unwrap().len()),
        (&json!(0), 5)
    );
    let replaced = shop.json(&["import", &store, "in", "--below", "/x", "--replace"]);
    assert_eq!(replaced["replaced"], 1);
    let report = shop.json(&["export", &store, "out"]);
    assert_eq!(report["files"], 3);
    let out = env.files_under(&env.work().join("out"));
    let expected = [
        ("x/a.md", "two\n"),
        ("x/deep/er/b.txt", "\u{fc}ml\u{e4}ut"),
        ("x/empty", ""),
    ];
    let expected: Vec<(String, Vec<u8>)> = expected
        .map(|(name, text)| (name.to_owned(), text.into()))
        .to_vec();
    assert_eq!(out, expected);
    let mode = fs::metadata(env.work().join("out/x/a.md"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
    shop.run(&["export", &store, "out"]).assert_code(1);
    shop.run(&["export", &store, "out", "--force"]).assert_ok();
}

#[test]
fn what_is_left_out_is_named_in_plain_fields_and_no_secret_with_it() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let token = github_token(4);
    let folder = env.work().join("in");
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(folder.join("sub/bad.md"), format!("one\nkey: {token}\n")).unwrap();
    fs::write(folder.join(format!("{token}.md")), "x").unwrap();
    // Left out for another reason, with a name that nobody may read either.
    symlink("nowhere", folder.join(format!("link-{token}"))).unwrap();
    // What says where a repository is counts as git's own too.
    fs::write(folder.join("sub/.git"), "gitdir: /elsewhere").unwrap();
    let output = shop.run(&["import", &store, "in", "--json"]).assert_code(3);
    assert!(!output.stdout.contains(&token) && !output.stderr.contains(&token));
    let report = output.json();
    let rule = "github-pat";
    let one = |path: &str| {
        let all = report["skipped"].as_array().unwrap().iter();
        let mut found = all.filter(|one| one["path"] == path);
        found.next().unwrap_or_else(|| panic!("{path}: {report}"))
    };
    let bad = one("/sub/bad.md");
    assert_eq!(
        (&bad["rule"], &bad["line"]),
        (&json!(rule), &json!(2)),
        "{bad}"
    );
    assert!(one("/sub/.git")["why"].as_str().unwrap().contains("git"));
    let unnamed: Vec<&Value> = report["skipped"].as_array().unwrap().iter().collect();
    let unnamed = unnamed.into_iter().filter(|one| one["path"].is_null());
    assert_eq!(unnamed.count(), 2, "{report}");
    assert_eq!(report["created"], 0);
    let output = shop.run(&["import", &store, "in"]).assert_code(3);
    assert!(
        output.stderr.contains("/sub/bad.md is left out"),
        "{}",
        output.stderr
    );
    assert!(!output.stderr.contains(&token), "{}", output.stderr);
}

#[test]
fn a_dry_run_says_what_a_run_would_do_where_memories_are_in_the_way() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    shop.put(&store, "/notes", "a memory where a folder would be");
    shop.put(&store, "/deep/er/a.md", "a memory below a file");
    shop.put(&store, "/deeper", "none of it");
    let folder = env.work().join("in");
    fs::create_dir_all(folder.join("notes")).unwrap();
    fs::write(folder.join("notes/todo.md"), "x").unwrap();
    fs::write(folder.join("deep"), "x").unwrap();
    fs::write(folder.join("free.md"), "x").unwrap();
    let dry = shop.json(&["import", &store, "in", "--dry-run"]);
    assert_eq!(dry["created"], 1, "{dry}");
    let skipped = dry["skipped"].as_array().unwrap();
    let said = |at: usize| {
        let why = skipped[at]["why"].as_str().unwrap();
        (skipped[at]["path"].as_str().unwrap(), why)
    };
    assert_eq!(skipped.len(), 2, "{dry}");
    assert!(
        said(0).0 == "/deep" && said(0).1.contains("`/deep/er/a.md`"),
        "{dry}"
    );
    assert!(
        said(1).0 == "/notes/todo.md" && said(1).1.contains("`/notes`"),
        "{dry}"
    );
    let done = shop.json(&["import", &store, "in"]);
    assert_eq!(done["created"], 1, "{done}");
    assert_eq!(
        done["skipped"], dry["skipped"],
        "the run does what it said it would"
    );
}

#[test]
fn long_paths_are_told_whole() {
    let env = TestEnv::new();
    let shop = Shop::open(&env);
    let store = shop.store("s");
    let long = format!("/{}/{}.md", "folder".repeat(40), "name".repeat(60));
    let line = shop.run(&["put", &store, &long, "--body", "x"]).assert_ok();
    assert!(line.stdout.contains(&long), "{}", line.stdout);
    for args in [vec!["memories", &store], vec!["versions", &store]] {
        let listed = shop.run(&args).assert_ok().stdout;
        assert!(listed.contains(&long), "{listed}");
    }
    let other = long.replace("name", "none");
    let error = shop.run(&["cat", &store, &other]).assert_code(1);
    assert!(error.stderr.contains(&other), "{}", error.stderr);
    // What cannot be a file here is left out, by its whole name.
    let wide = format!("/{}", "n".repeat(300));
    shop.put(&store, &wide, "x");
    let out = shop.run(&["export", &store, "out"]).assert_ok();
    assert!(out.stderr.contains(&wide), "{}", out.stderr);
    // And what the server says of them comes through whole too.
    let below = format!("{long}/x");
    let error = shop.fails(&["put", &store, &below, "--body", "x"], 4);
    assert!(error["hint"].as_str().unwrap().contains(&long), "{error}");
}
