//! Repositories of SHA-1 and of SHA-256 are scanned alike: what the one finds, the other finds.

use std::fs;

use mem_tests::{Repo, TestEnv, github_token};

const FORMATS: [&str; 2] = ["sha1", "sha256"];

/// Builds what is to be pushed, with the secret in it, and names the reference.
type Case = (&'static str, fn(&Repo<'_>, &str) -> String);

/// Where a secret can hide in objects. Each leaves the checkout on `main`.
const CASES: [Case; 17] = [
    ("tag of a blob", |repo, secret| {
        let blob = blob(repo, secret);
        repo.git(["tag", "blob", &blob]);
        "refs/tags/blob".to_owned()
    }),
    ("annotated tag of a blob", |repo, secret| {
        let blob = blob(repo, secret);
        repo.git(["tag", "-a", "-m", "clean", "tagged-blob", &blob]);
        "refs/tags/tagged-blob".to_owned()
    }),
    ("tag of a tree", |repo, secret| {
        let commit = aside(repo, "tree", secret, "clean");
        repo.git(["tag", "tree", &format!("{commit}^{{tree}}")]);
        "refs/tags/tree".to_owned()
    }),
    ("message of a tag", |repo, secret| {
        repo.git(["tag", "-a", "-m", secret, "said"]);
        "refs/tags/said".to_owned()
    }),
    ("message of a tag inside a tag", |repo, secret| {
        repo.git(["tag", "-a", "-m", secret, "inner"]);
        repo.git(["tag", "-a", "-m", "clean", "outer", "inner"]);
        repo.git(["tag", "-d", "inner"]);
        "refs/tags/outer".to_owned()
    }),
    ("reference to a blob", |repo, secret| {
        let blob = blob(repo, secret);
        repo.git(["update-ref", "refs/own/blob", &blob]);
        "refs/own/blob".to_owned()
    }),
    ("note", |repo, secret| {
        repo.git(["notes", "add", "-m", secret]);
        "refs/notes/commits".to_owned()
    }),
    ("stash", |repo, secret| {
        repo.write("README", format!("start\n{secret}\n"));
        repo.git(["stash", "--quiet"]);
        "refs/stash".to_owned()
    }),
    ("message of a commit", |repo, secret| {
        let commit = aside(repo, "message", "clean", secret);
        repo.git(["branch", "message", &commit]);
        "refs/heads/message".to_owned()
    }),
    ("author of a commit", |repo, secret| {
        let author = format!("--author=A {secret} <a@example.org>");
        repo.git(["checkout", "--quiet", "-b", "author"]);
        repo.git(["commit", "--quiet", "--allow-empty", "-m", "x", &author]);
        repo.git(["checkout", "--quiet", "main"]);
        "refs/heads/author".to_owned()
    }),
    ("e-mail of an author", |repo, secret| {
        let author = format!("--author=A <{secret}@example.org>");
        repo.git(["checkout", "--quiet", "-b", "mail"]);
        repo.git(["commit", "--quiet", "--allow-empty", "-m", "x", &author]);
        repo.git(["checkout", "--quiet", "main"]);
        "refs/heads/mail".to_owned()
    }),
    ("committer", |repo, secret| {
        let name = format!("user.name={secret}");
        let author = "--author=A <a@example.org>";
        repo.git(["checkout", "--quiet", "-b", "committer"]);
        repo.git([
            "-c",
            &name,
            "commit",
            "--quiet",
            "--allow-empty",
            "-m",
            "x",
            author,
        ]);
        repo.git(["checkout", "--quiet", "main"]);
        "refs/heads/committer".to_owned()
    }),
    ("tagger", |repo, secret| {
        let name = format!("user.name={secret}");
        repo.git(["-c", &name, "tag", "-a", "-m", "clean", "tagger"]);
        "refs/tags/tagger".to_owned()
    }),
    ("another header", |repo, secret| {
        let commit = repo.git(["cat-file", "commit", "main"]);
        let (head, message) = commit.split_once("\n\n").unwrap();
        // As a merge of a signed tag has it.
        let tag = format!("mergetag object 1\n tagger A <a@example.org>\n \n token {secret}");
        repo.write("../commit", format!("{head}\n{tag}\n\n{message}\n"));
        let id = repo.git([
            "hash-object",
            "-t",
            "commit",
            "--literally",
            "-w",
            "../commit",
        ]);
        repo.git(["update-ref", "refs/heads/header", &id]);
        "refs/heads/header".to_owned()
    }),
    ("later removed", |repo, secret| {
        repo.git(["checkout", "--quiet", "-b", "removed"]);
        repo.commit("deep/in/a.txt", &format!("a\nb {secret}\n"), "with");
        repo.git(["rm", "--quiet", "deep/in/a.txt"]);
        repo.git(["commit", "--quiet", "--message", "without"]);
        repo.git(["checkout", "--quiet", "main"]);
        "refs/heads/removed".to_owned()
    }),
    ("merge's own", |repo, secret| {
        repo.git(["checkout", "--quiet", "-b", "left"]);
        repo.commit("left.txt", "left\n", "left");
        repo.git(["checkout", "--quiet", "-b", "evil", "main"]);
        repo.commit("right.txt", "right\n", "right");
        repo.git(["merge", "--quiet", "--no-commit", "--no-ff", "left"]);
        repo.commit("right.txt", &format!("right\n{secret}\n"), "merge");
        repo.git(["checkout", "--quiet", "main"]);
        "refs/heads/evil".to_owned()
    }),
    ("replaced by a clean one", |repo, secret| {
        let leak = aside(repo, "replaced", secret, "clean");
        let clean = aside(repo, "replaced", "nothing", "clean");
        repo.git(["branch", "replaced", &leak]);
        repo.git(["replace", &leak, &clean]);
        "refs/heads/replaced".to_owned()
    }),
];

/// A blob that nothing names yet.
fn blob(repo: &Repo<'_>, secret: &str) -> String {
    repo.write("../loose", format!("one\ntoken {secret}\n"));
    repo.git(["hash-object", "-w", "../loose"])
}

/// A commit beside `main` with one more file, which no branch names.
fn aside(repo: &Repo<'_>, name: &str, content: &str, message: &str) -> String {
    repo.git(["checkout", "--quiet", "--detach"]);
    repo.commit(&format!("{name}.txt"), &format!("{content}\n"), message);
    let commit = repo.git(["rev-parse", "HEAD"]);
    repo.git(["checkout", "--quiet", "main"]);
    commit
}

/// A repository of a format with one commit, and an empty remote `origin`.
fn repository<'e>(env: &'e TestEnv, format: &str) -> Repo<'e> {
    let path = env.work().join(format);
    fs::create_dir(&path).unwrap();
    let repo = Repo::at(env, path);
    let object_format = format!("--object-format={format}");
    let remote = format!("../{format}.git");
    repo.git(["init", "--quiet", "--initial-branch=main", &object_format]);
    repo.git(["init", "--quiet", "--bare", &object_format, &remote]);
    repo.git(["remote", "add", "origin", &remote]);
    repo.commit("README", "start\n", "first");
    repo
}

/// Runs the pre-push hook as git does for one reference.
fn push(repo: &Repo<'_>, reference: &str) -> mem_tests::Output {
    let new = repo.git(["rev-parse", reference]);
    let old = "0".repeat(new.len());
    let hook = repo.invoke(["hook", "pre-push", "--strict", "origin", "../origin.git"]);
    hook.stdin(format!("{reference} {new} {reference} {old}\n"))
        .run()
}

/// What a scan of everything finds, with names of objects left out.
fn history(repo: &Repo<'_>) -> Vec<String> {
    let json = repo
        .mem(["scan", "--history", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["complete"], true);
    let place = |one: &serde_json::Value| {
        let file = one["file"].as_str().unwrap();
        // A note's file has the name of its commit.
        let is_name = |word: &str| word.len() >= 40 && word.bytes().all(|b| b.is_ascii_hexdigit());
        let file: Vec<&str> = file.split(' ').filter(|word| !is_name(word)).collect();
        let file = file.join(" ");
        format!("{file}:{}:{} {}", one["line"], one["column"], one["rule"])
    };
    let mut found: Vec<String> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(place)
        .collect();
    found.sort();
    found
}

#[test]
fn a_secret_is_found_wherever_it_hides_in_either_format() {
    let env = TestEnv::new();
    let found = FORMATS.map(|format| {
        let repo = repository(&env, format);
        for (number, (name, build)) in CASES.iter().enumerate() {
            let secret = github_token(number as u64 + 1);
            let reference = build(&repo, &secret);
            let talk = push(&repo, &reference).assert_code(3).shown();
            assert!(talk.contains("github-pat"), "{format}, {name}: {talk}");
            assert!(!talk.contains(&secret), "{format}, {name}: {talk}");
        }
        push(&repo, "refs/heads/main").assert_ok();
        history(&repo)
    });
    assert_eq!(found[0], found[1]);
    assert!(found[0].len() >= CASES.len(), "{:#?}", found[0]);
}

#[test]
fn what_is_staged_and_a_range_are_scanned_in_either_format() {
    let env = TestEnv::new();
    for format in FORMATS {
        let repo = repository(&env, format);
        repo.commit("old.txt", &format!("{}\n", github_token(1)), "old leak");
        repo.git(["mv", "old.txt", "new.txt"]);
        repo.git(["commit", "--quiet", "--message", "renamed"]);
        repo.mem(["scan", "--range", "HEAD~1.."]).assert_ok();
        repo.mem(["scan", "--range", "HEAD~2...HEAD~1"])
            .assert_code(3);
        repo.mem(["scan", "--range", "nowhere..HEAD"])
            .assert_code(1);
        repo.mem(["scan", "--staged"]).assert_ok();
        repo.mem(["hook", "pre-commit", "--strict"]).assert_ok();
        repo.write("s.env", format!("a=1\nt={}\n", github_token(2)));
        repo.git(["add", "--all"]);
        let json = repo
            .mem(["scan", "--staged", "--format", "json"])
            .assert_code(3)
            .json();
        assert_eq!(json["findings"][0]["line"], 2, "{format}");
        repo.mem(["hook", "pre-commit"]).assert_code(3);
    }
}

#[cfg(unix)]
#[test]
fn no_scan_of_a_partial_clone_asks_its_remote() {
    let env = TestEnv::new();
    for format in FORMATS {
        let repo = repository(&env, format);
        repo.commit("a.txt", "one\n", "one");
        repo.git(["push", "--quiet", "origin", "main"]);
        let remote = env.work().join(format!("{format}.git"));
        let above = Repo::at(&env, env.work());
        let dir = remote.to_string_lossy().into_owned();
        above.git(["-C", &dir, "config", "uploadpack.allowFilter", "true"]);
        let url = format!("file://{dir}");
        let name = format!("partial-{format}");
        let flags = ["clone", "--quiet", "--filter=blob:none", "--no-checkout"];
        above.git(flags.into_iter().chain([url.as_str(), name.as_str()]));
        let clone = Repo::at(&env, env.work().join(&name));
        let asked = env.work().join(format!("asked-{format}"));
        let script = env.work().join(format!("upload-{format}"));
        fs::write(
            &script,
            format!("#!/bin/sh\ntouch '{}'\nexit 1\n", asked.display()),
        )
        .unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(&script, mode).unwrap();
        let program = script.to_string_lossy().into_owned();
        clone.git(["config", "remote.origin.uploadpack", &program]);
        let told = clone.mem(["scan", "--history", "--json"]).assert_code(1);
        assert_eq!(told.json()["complete"], false, "{format}");
        let new = clone.git(["rev-parse", "HEAD"]);
        let lost = "1".repeat(new.len());
        let hook = clone.invoke(["hook", "pre-push", "--strict", "origin", &url]);
        let line = format!("refs/heads/x {new} refs/heads/x {lost}\n");
        hook.stdin(line).run().assert_ok();
        assert!(!asked.exists(), "{format}");
    }
}
