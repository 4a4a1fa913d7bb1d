//! Exports and folders that mean no good.

use std::fs;

use insta::assert_snapshot;
use mem_tests::TestEnv;

use super::{filled, import, write};

#[test]
fn hostile_exports_are_refused_and_nothing_is_written() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let sha = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let entry = |scope: &str, file: &str, more: &str| {
        format!(r#"{{"scope":"{scope}","file":"{file}","sha256":"{sha}"{more}}}"#)
    };
    let document =
        |files: &str| format!(r#"{{"format":"mem-export","version":1,"files":[{files}]}}"#);
    let text = r#","text":"x""#;
    let twice = [
        entry("private", "a.md", text),
        entry("private", "a.md", text),
    ]
    .join(",");
    for files in [
        entry("private", "../a.md", text),
        entry("private", "/etc/a.md", text),
        entry("private", "team/a.md", text),
        entry("team", "..", text),
        entry("private", ".git/config", text),
        entry("elsewhere", "a.md", text),
        entry("private", "a.md", r#","text":"y""#),
        entry("private", "a.md", r#","base64":"*""#),
        entry("private", "a.md", ""),
        twice,
    ] {
        let json = document(&files);
        let refused = repo
            .invoke(["import", "-", "--json"])
            .stdin(json.clone())
            .run();
        assert_eq!(
            refused.assert_code(1).json_error()["kind"],
            "corrupt",
            "{json}"
        );
    }
    repo.invoke(["import", "-"])
        .stdin("[".repeat(1 << 20))
        .run()
        .assert_code(1);
    let odd_id = entry("private", "a.md", r#","text":"x","id":"mem_a\tb\nc""#);
    repo.invoke(["import", "-"])
        .stdin(document(&odd_id))
        .run()
        .assert_ok();
    let notes = repo.mem(["list", "--json"]).assert_ok().json();
    assert_eq!(notes["memories"].as_array().unwrap().len(), 1);
    assert!(!notes["memories"][0]["id"].as_str().unwrap().contains('\t'));
    let id = r#","text":"x","id":"mem_000000000000000000000000""#;
    let claims = [entry("private", "b.md", id), entry("team", "c.md", id)].join(",");
    repo.invoke(["import", "-"])
        .stdin(document(&claims))
        .run()
        .assert_ok();
    let notes = repo.mem(["list", "--json"]).assert_ok().json();
    assert_ne!(notes["memories"][1]["id"], notes["memories"][2]["id"]);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_huge_files_are_not_read() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let other = env.root().join("other");
    write(other.join("good.md"), "Good.\n");
    let secret = env.root().join("secret.md");
    write(&secret, "secret");
    std::os::unix::fs::symlink(&secret, other.join("link.md")).unwrap();
    std::os::unix::fs::symlink("/", other.join("root")).unwrap();
    let pipe = other.join("pipe.md");
    assert!(env.command("mkfifo").arg(&pipe).status().unwrap().success());
    let done = import(&repo, &[other.to_str().unwrap()]).assert_ok();
    assert_snapshot!(done.stderr, @r#"
    warning: link.md is a symbolic link, which is not followed
    warning: pipe.md is not a regular file
    warning: root is a symbolic link, which is not followed
    "#);
    assert_eq!(repo.note("link.md"), None);
    import(&repo, &[pipe.to_str().unwrap()]).assert_code(1);
    let huge = fs::File::create(other.join("huge.md")).unwrap();
    huge.set_len(17 << 20).unwrap();
    write(other.join("new.md"), "New.\n");
    let refused = import(&repo, &[other.to_str().unwrap()]).assert_code(1);
    assert_snapshot!(refused.stderr, @r#"
    error: `huge.md` is larger than 16777216 bytes
    hint: memories are short; leave it out, or split it
    "#);
    assert_eq!(repo.note("new.md"), None);
    for own in [repo.memory(), repo.path().to_owned(), env.home()] {
        import(&repo, &[own.to_str().unwrap()]).assert_code(1);
    }
}

#[test]
fn an_altered_export_is_told_apart() {
    let env = TestEnv::new();
    let repo = filled(&env, "app");
    let target = env.root().join("out");
    let name = target.to_str().unwrap().to_owned();
    repo.mem(["export", &name]).assert_ok();
    write(target.join("private/feedback_real_db.md"), "changed\n");
    let two = env.repo("two");
    let refused = import(&two, &[&name]).assert_code(1);
    assert_snapshot!(refused.stderr, @r#"
    error: `feedback_real_db.md` of the export `[ENV]/out` has other bytes than the manifest says
    hint: export it again; or delete `mem-export.json` and import `private`, `team` and `global` one by one, as they stand
    "#);
    fs::remove_file(target.join("mem-export.json")).unwrap();
    import(&two, &[target.join("private").to_str().unwrap()]).assert_ok();
    assert_eq!(two.note("feedback_real_db.md").unwrap(), "changed\n");
}
