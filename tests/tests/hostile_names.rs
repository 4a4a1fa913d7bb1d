//! Names that mean harm: of memories, of files that others made, of repositories.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use mem_tests::{Repo, TestEnv};

fn save<'a>(name: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut args = vec!["save", "--type", "project", "--name", name];
    args.extend(["--description", "d", "--body", name]);
    args.extend(more);
    args
}

fn memory_dir(repo: &Repo<'_>) -> PathBuf {
    let dir = PathBuf::from(repo.mem(["path"]).assert_ok().line());
    fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn hostile_file_names_are_refused_with_a_hint_and_write_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let (long, deep) = ("x".repeat(256), "a/".repeat(21) + "x.md");
    let names = [
        "..",
        "../x.md",
        "a/../../x.md",
        "/tmp/x.md",
        "./x.md",
        "a//x.md",
        "a\\x.md",
        "x\u{1b}[31m.md",
        "x\n.md",
        "x\u{9b}.md",
        ".git/x.md",
        "con.md",
        "NUL",
        "aux.x.md",
        "com1.md",
        "lpt9.md",
        "x./y.md",
        "a /x.md",
        ".hidden.md",
        "logs/x.md",
        "sub/MEMORY.md",
        "MEMORY.archive.md",
        &long,
        &deep,
    ];
    for name in names {
        for verb in ["save", "update"] {
            let mut args = save("n", &["--file", name, "--json"]);
            args.extend((verb == "update").then_some("--update"));
            let failed = repo.mem(args).assert_code(2);
            let error = failed.json_error();
            assert!(error["hint"].is_string(), "{name:?}: {error}");
            assert!(!failed.stderr.contains('\u{1b}'), "{name:?}");
        }
    }
    assert!(!env.base().join("projects").exists(), "nothing was written");
    assert!(!env.home().join(".local").exists(), "no state either");
}

#[test]
fn names_that_people_give_become_plain_files() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let long = "é".repeat(200);
    let names = [
        "../../etc/passwd",
        "con",
        ".git",
        "a/b\\c",
        "$(reboot) `x` %s",
        "-rf",
        "통과",
        "🦀",
        &long,
    ];
    for name in names {
        repo.mem(save(name, &[])).assert_ok();
    }
    let files = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap());
    let files: Vec<_> = files.collect();
    assert_eq!(files.len(), names.len() + 1, "one file each, and the index");
    assert!(files.iter().all(|file| file.file_name().len() <= 255));
    assert_eq!(repo.mem(["check"]).code, 0);
}

#[test]
fn a_name_that_only_looks_like_another_one_makes_no_twin() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let (composed, decomposed) = ("\u{e9}.md", "e\u{301}.md");
    for (there, other) in [("Notes.md", "notes.md"), (composed, decomposed)] {
        fs::write(dir.join(there), "---\nname: X\ntype: project\n---\n").unwrap();
        for more in [&["--file", other][..], &["--file", other, "--update"]] {
            let refused = repo.mem(save("n", more)).assert_code(4);
            assert!(
                refused.stderr.contains("hint: write the name"),
                "{}",
                refused.stderr
            );
        }
        assert!(!dir.join(other).exists(), "{other:?}");
    }
    // A name that is made up by mem steps aside instead.
    fs::write(dir.join("Project_Plan.md"), "---\nname: Other\n---\n").unwrap();
    let saved = repo.mem(save("Plan", &[])).assert_ok();
    assert_eq!(saved.line(), "saved project_plan_2.md (private)");
    let refused = repo.mem(["rename", "plan_2", "NOTES.md"]);
    assert_eq!(refused.code, 1, "no memory is called so");
    repo.mem(["rename", "project_plan_2", "NOTES.md"])
        .assert_code(4);
    // Its own twin it may become.
    repo.mem(["rename", "project_plan_2", "Project_Plan_2.md"])
        .assert_ok();
}

#[test]
fn repositories_may_be_called_anything() {
    let env = TestEnv::new();
    let names: [&[u8]; 9] = [
        b"a\nb",
        b"a b c",
        b"it's \"quoted\"",
        b"a\xff\xfeb",
        b"\x1b[31mred",
        b"-rf",
        b"$(touch pwned)",
        b"%s%n",
        b"caf\xc3\xa9",
    ];
    for name in names {
        let folder = env.work().join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir(&folder).unwrap();
        let repo = Repo::at(&env, &folder);
        repo.git(["init", "--quiet"]);
        repo.mem(save("One", &["--file", &format!("n{}.md", name.len())]))
            .assert_ok();
        let listed = repo.mem(["list", "--json"]).assert_ok().json();
        assert!(
            !listed["memories"].as_array().unwrap().is_empty(),
            "{name:?}"
        );
        for args in [
            &["path"][..],
            &["path", "--json"],
            &["list"],
            &["status"],
            &["-v", "history"],
        ] {
            let output = repo
                .invoke(["--color", "always"].iter().chain(args))
                .run()
                .assert_ok();
            let text = output.stdout + &output.stderr;
            assert!(!text.contains("\u{1b}[31mred"), "{args:?}: {text:?}");
        }
        let moved: Vec<&str> = vec!["-C", "."];
        repo.mem(moved.into_iter().chain(["undo"])).assert_ok();
    }
    assert!(!env.work().join("pwned").exists());
}

/// What a terminal would act on: the title of the window, a bell, a C1 control.
const ACTING: &str = "\u{1b}]0;pwned\u{7}\u{9b}2J\u{202e}";

#[test]
fn what_others_wrote_never_reaches_a_terminal_raw() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dir = memory_dir(&repo);
    let topic = format!(
        "---\nname: \"N\\e]0;pwned\\a\"\ndescription: D{ACTING}\ntype: x{ACTING}\ntags: [t{ACTING}]\n---\nword {ACTING}\n"
    );
    fs::write(dir.join("evil.md"), topic).unwrap();
    fs::write(dir.join(format!("n{ACTING}.md")), "x").unwrap();
    let index = format!(
        "# {ACTING}\n- [E{ACTING}](evil.md) — h{ACTING}\n- [G](gone{ACTING}.md) {ACTING}\n"
    );
    fs::write(dir.join("MEMORY.md"), index).unwrap();
    fs::create_dir_all(dir.join("logs/2026/01")).unwrap();
    fs::write(
        dir.join("logs/2026/01/2026-01-01.md"),
        format!("- 10:00 {ACTING}\n"),
    )
    .unwrap();
    let unknown = format!("frob{ACTING}");
    let reason = format!("because{ACTING}");
    let commands: &[&[&str]] = &[
        &["list"],
        &["show", "evil"],
        &["check"],
        &["index", "show"],
        &["index", "check"],
        &["search", "word"],
        &["status"],
        &["audit"],
        &["log", "show"],
        &["log", &reason],
        &["history"],
        &["diff"],
        &["diff", "evil"],
        &["history", "evil"],
        &["index", "repair"],
        &["diff"],
        &["undo", "-n"],
        &["undo"],
        &["remove", "evil", "--reason", &reason],
        &["history"],
        &["restore", "evil", "-n"],
        &["restore", "evil"],
        &["rename", "evil", "evil2.md"],
        &["redact", "evil2", "-n"],
        &["doctor"],
        &["show", &unknown],
        &[&unknown],
        &["list", &unknown],
        &[
            "save",
            "--type",
            "user",
            "--name",
            &unknown,
            "--description",
            "d",
            "--body",
            "b",
        ],
        &["-C", &unknown, "list"],
        &["config", "set", &unknown, "1"],
        &["gc"],
        &["init"],
        &[],
    ];
    for args in commands {
        for colour in ["never", "always"] {
            let output = repo
                .invoke(["--color", colour].iter().chain(*args))
                .env("USER", &reason)
                .run();
            let text = output.stdout + &output.stderr;
            let acts = ["\u{1b}]", "\u{7}", "\u{9b}", "\u{202e}"]
                .iter()
                .any(|one| text.contains(one));
            assert!(!acts, "{args:?}: {text:?}");
        }
        let json = repo.invoke(["--json"].iter().chain(*args)).run();
        let text = String::from_utf8_lossy(&json.stdout_bytes).into_owned() + &json.stderr;
        assert!(
            !text.contains(['\u{1b}', '\u{7}']),
            "--json {args:?}: {text:?}"
        );
    }
}
