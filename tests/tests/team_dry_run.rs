//! `--dry-run` of everything around sharing: what would be done is told, and nothing is.

use std::collections::BTreeMap;

use mem_tests::{Output, TestEnv, github_token};

use crate::team::{Person, both_changed, two, two_with, without_remote};

/// Runs a dry command in words and as JSON. Nothing in the home differs afterwards.
fn dry(env: &TestEnv, person: &Person<'_>, line: &str) -> (String, serde_json::Value) {
    let all =
        || -> BTreeMap<String, Vec<u8>> { env.files_under(&person.home).into_iter().collect() };
    let before = all();
    let told = person.mem(line).assert_ok();
    let json = person.mem(&format!("{line} --json")).assert_ok().json();
    assert_eq!(json["dry_run"], true, "{line}: {json}");
    let mut after = all();
    after.retain(|name, bytes| before.get(name) != Some(bytes));
    // What a look at the files remembers of them is no change of anything.
    let changed: Vec<&String> = after
        .keys()
        .filter(|name| !name.ends_with("/catalog"))
        .collect();
    assert!(changed.is_empty(), "{line}: {changed:?}");
    (told.stdout, json)
}

#[test]
fn resolving_dry_decides_nothing() {
    let env = TestEnv::new();
    let (_, ben) = both_changed(&env, "of ben\n");
    ben.sync();
    ben.repo.write("merged.txt", "of both\n");
    for (choice, words) in [
        ("--mine", "would put your text into x.md"),
        ("--theirs", "would forget your text of x.md"),
        (
            "--merged merged.txt",
            "would put the text of that file into x.md",
        ),
        ("--edit", "would put what you make of both into x.md"),
    ] {
        let line = format!("team resolve x.md {choice} --dry-run");
        let (told, json) = dry(&env, &ben, &line);
        assert!(told.contains(words), "{line}: {told}");
        assert_eq!(json["resolved"], "x.md");
        assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
        assert!(ben.mem("team status").stdout.contains("gave way  x.md"));
    }
    ben.mem("team resolve y.md --mine --dry-run").assert_code(1);
    // What could not be done is not told as what would be.
    ben.repo.write("merged.txt", github_token(3));
    let refused = |run: Output| assert!(run.assert_code(3).stderr.contains("holds a secret"));
    refused(ben.mem("team resolve x.md --merged merged.txt --dry-run"));
    refused(ben.mem("team resolve x.md --merged merged.txt"));
}

#[test]
fn reviewing_dry_lets_nothing_go() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    ann.mem("config set team.push review").assert_ok();
    let save = "save --type project --scope team --name x --description d --body b";
    let save = ann.invoke(save.split(' ')).env("MEM_ACTOR", "agent");
    save.run().assert_ok();
    ann.sync();
    let (told, json) = dry(&env, &ann, "team review --all --dry-run");
    let words = "would go with the next sync  project_x.md";
    assert!(told.contains(words), "{told}");
    let both = serde_json::json!(["MEMORY.md", "project_x.md"]);
    assert_eq!(json["approved"], both);
    ann.sync();
    assert_eq!(ann.repo.git(["ls-remote", "origin", "refs/mem/team"]), "");
    ann.mem("team review --all").assert_ok();
    ann.sync();
    assert_ne!(ann.repo.git(["ls-remote", "origin", "refs/mem/team"]), "");
}

#[test]
fn a_dry_run_says_what_would_be_done_and_that_nothing_was() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["x.md", "y.md"]);
    let told = ann.mem("team delete y.md --dry-run").assert_ok().stdout;
    for line in ["would remove  y.md", "would delete  y.md"] {
        assert!(told.contains(line), "{told}");
    }
    assert!(told.contains("\nnothing was changed: "), "{told}");
    ben.write("z.md", "new\n");
    ben.sync();
    assert!(ann.read("y.md").is_some());
    let told = ann.mem("team pull --dry-run").assert_ok().stdout;
    assert!(told.starts_with("would take  z.md\n"), "{told}");
    assert!(told.contains("\nnothing was changed: "), "{told}");
    // What stays, and a remote that is not there, change nothing about that.
    ann.write("leak.md", &format!("{}\n", github_token(3)));
    ann.write("new.md", "new\n");
    let told = ann.mem("team sync --dry-run").assert_code(3).stdout;
    assert!(told.contains("would send  new.md\n"), "{told}");
    assert!(told.contains(", and nothing was changed: "), "{told}");
    let pull = || ann.mem("team pull --dry-run").assert_code(5).stdout;
    let told = without_remote(&env, pull);
    assert!(told.contains("nothing was changed: "), "{told}");
}

#[test]
fn leaving_dry_leaves_nothing() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let own = env.work().join("own.git");
    ann.repo
        .git(["init", "--quiet", "--bare", &own.to_string_lossy()]);
    let own = format!("git:{}", own.display());
    let setup = ["sync", "setup", "--remote", &own];
    ann.invoke(setup).run().assert_ok();
    for command in ["team", "sync"] {
        let line = format!("{command} leave --dry-run");
        let (told, json) = dry(&env, &ann, &line);
        assert!(told.starts_with("would "), "{told}");
        assert_eq!(json["left"], true);
        ann.mem(command).assert_ok();
        // In the wrong place it is not taken for nothing.
        ann.mem(&format!("{command} --dry-run leave"))
            .assert_code(2);
        ann.mem(&format!("{command} status")).assert_ok();
        ann.mem(&format!("{command} leave")).assert_ok();
        let (told, json) = dry(&env, &ann, &line);
        assert!(told.contains("not"), "{told}");
        assert_eq!(json["left"], false);
    }
}

#[test]
fn a_token_is_neither_asked_for_nor_forgotten_dry() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let server = "--server https://mem.example.org";
    let login = format!("team login {server} --dry-run");
    let logout = format!("team logout {server} --dry-run");
    let (told, _) = dry(&env, &ann, &login);
    assert_eq!(
        told.trim(),
        "would keep a token for https://mem.example.org"
    );
    let (told, json) = dry(&env, &ann, &logout);
    assert!(told.contains("there was no token"), "{told}");
    assert_eq!(json["removed"], false);
    let keep = format!("team login --no-check {server}");
    let keep = ann.invoke(keep.split(' ')).stdin(github_token(1));
    keep.run().assert_ok();
    let other = ann.invoke(login.split(' ')).stdin(github_token(2));
    let told = other.run().assert_ok().stdout;
    assert!(told.contains("in the place of the one"), "{told}");
    let (told, json) = dry(&env, &ann, &logout);
    assert!(told.contains("would forget the token"), "{told}");
    assert_eq!(json["removed"], true);
    ann.mem(&format!("team logout {server}")).assert_ok();
    let (told, _) = dry(&env, &ann, &logout);
    assert!(told.contains("there was no token"), "{told}");
    let open = "team login --server http://mem.example.org --dry-run";
    ann.mem(open).assert_code(1);
}

#[test]
fn whoever_leaves_is_told_how_the_token_is_forgotten() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let keep = |server: &str| {
        let keep = ["team", "login", "--no-check", "--server", server];
        ann.invoke(keep).stdin(github_token(1)).run().assert_ok();
    };
    let server = "https://mem.example.org";
    keep(server);
    ann.mem(&format!("config set --repository team.remote {server}"))
        .assert_ok();
    let told = ann.mem("team leave").assert_ok().stderr;
    let command = format!("mem team logout --server {server}");
    assert!(told.contains(&format!("`{command}`")), "{told}");
    // One that is the only one need not be named; of several each is.
    keep("https://other.example.org");
    let told = ann.mem("team logout").assert_code(2).stderr;
    assert!(told.contains(&command) && told.contains("other."), "{told}");
    ann.mem("team logout --server https://other.example.org")
        .assert_ok();
    let told = ann.mem("team logout").assert_ok().stdout;
    assert!(told.contains(server), "{told}");
    ann.mem("team logout").assert_code(2);
}
