//! What a host may want: limits, users, expiry, a history of its own.

use std::fs;

use mem_tests::TestEnv;
use serde_json::json;

use super::host::{Host, create, delete, insert, rename, replace, view, view_range};

const DAY: u64 = 86_400;

#[test]
fn overwriting_is_an_option_and_the_history_keeps_the_old_text() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--on-exists", "overwrite", "--history"]);
    let told = host.all(&[
        create("/memories/a.md", "one"),
        create("/memories/a.md", "two"),
        create("/memories/d/x", "x"),
        create("/memories/d", "y"),
    ]);
    assert_eq!(told[1].text, "File created successfully at: /memories/a.md");
    assert_eq!(told[3].text, "Error: File /memories/d already exists");
    assert_eq!(host.text("a.md").unwrap(), "two");
    // No index of its own, and every change can be taken back.
    assert!(!host.at("MEMORY.md").exists());
    let undo = |more: &[&str]| {
        let args: Vec<&str> = ["undo"].iter().chain(more).copied().collect();
        env.invoke(args)
            .env("MEM_DIR", host.at(""))
            .run()
            .assert_ok()
    };
    undo(&["2"]);
    assert_eq!(host.text("a.md").unwrap(), "one");
    assert!(host.text("d/x").is_none());
}

#[test]
fn a_host_can_limit_files_views_and_writing() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--max-file-bytes", "10", "--max-total-bytes", "15"]);
    let told = host.all(&[
        create("/memories/a", "0123456789"),
        create("/memories/b", "0123456789x"),
        create("/memories/b", "012345"),
        create("/memories/b", "01234"),
        insert("/memories/b", 0, "x"),
        replace("/memories/a", "0123456789", "0"),
        insert("/memories/b", 0, "x"),
    ]);
    let failed: Vec<bool> = told.iter().map(|told| told.is_error).collect();
    assert_eq!(
        failed,
        [false, true, true, false, true, false, false],
        "{told:?}"
    );
    assert_eq!(
        told[1].text,
        "File /memories/b would be 11 bytes, over the limit of 10. Keep files short and split what is long."
    );
    assert_eq!(
        told[2].text,
        "All files would be 16 bytes, over the limit of 15. Delete what is no longer needed."
    );

    let reader = Host::new(&env, &["--read-only"]);
    for input in [
        create("/memories/c", "x"),
        delete("/memories/a"),
        rename("/memories/a", "/memories/c"),
        insert("/memories/a", 0, "x"),
        replace("/memories/a", "0", "1"),
    ] {
        let told = reader.ask(input);
        assert_eq!(
            (told.text.as_str(), told.is_error),
            ("Memory is read-only here.", true)
        );
    }
    assert!(!reader.ask(view("/memories/a")).is_error);
}

#[test]
fn a_view_that_is_too_long_says_how_to_page_on() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--max-view-chars", "400"]);
    let lines: Vec<String> = (1..=100)
        .map(|line| format!("this is line {line}"))
        .collect();
    host.put("long", lines.join("\n"));
    let mut seen = Vec::new();
    let mut input = view("/memories/long");
    loop {
        let told = host.ask(input.clone());
        assert!(
            !told.is_error && told.text.chars().count() <= 400,
            "{}",
            told.text
        );
        let numbered = told.text.lines().filter_map(|line| line.split_once('\t'));
        seen.extend(numbered.map(|(_, line)| line.to_owned()));
        let Some(notice) = told
            .text
            .lines()
            .last()
            .filter(|line| line.starts_with("[..."))
        else {
            break;
        };
        let next: u64 = notice
            .split_once("view_range [")
            .unwrap()
            .1
            .split_once(',')
            .unwrap()
            .0
            .parse()
            .unwrap();
        input = view_range("/memories/long", json!([next, -1]));
    }
    assert_eq!(seen, lines);
    host.put("wide", "w".repeat(1_000));
    let wide = host.ask(view("/memories/wide")).text;
    assert!(
        wide.chars().count() <= 400 && wide.contains("this one cut"),
        "{wide}"
    );
    for number in 0..50 {
        host.put(&format!("many/file-{number}"), "x");
    }
    let many = host.ask(view("/memories/many")).text;
    assert!(
        many.chars().count() <= 400
            && many.ends_with(" more; view a folder in it to see the rest ...]"),
        "{many}"
    );
}

#[test]
fn every_user_has_a_memory_of_their_own_whatever_the_id() {
    let env = TestEnv::new();
    let ids = [
        "alice", "Alice", "../alice", "..", "", "a/b", "CON", "e\u{301}", "\u{e9}", "-x",
    ];
    for (number, id) in ids.iter().enumerate() {
        let host = Host::new(&env, &[&format!("--user={id}")]);
        let told = host.all(&[
            view("/memories/mine"),
            create("/memories/mine", &format!("of {number}")),
        ]);
        assert!(told[0].is_error && !told[1].is_error, "{id:?}: {told:?}");
    }
    for (number, id) in ids.iter().enumerate() {
        let host = Host::new(&env, &[&format!("--user={id}")]);
        let told = host.ask(view("/memories/mine"));
        assert!(
            told.text.ends_with(&format!("\tof {number}")),
            "{id:?}: {}",
            told.text
        );
    }
    let host = Host::new(&env, &[]);
    assert_eq!(
        fs::read_dir(host.base.join("users")).unwrap().count(),
        ids.len()
    );
    assert!(!host.at("").exists());
    assert_eq!(fs::read_dir(env.work()).unwrap().count(), 1);
    // Without --root too, and then with a history.
    let repo = env.repo("app");
    let own = Host::of_project(&env, repo.path(), &["--user", "alice"]);
    assert!(!own.ask(create("/memories/a.md", "kept for alice")).is_error);
    assert!(repo.note("a.md").is_none());
    repo.mem(["undo"]).assert_code(1);
    repo.mem(["purge", "--repo", "--yes"]).assert_ok();
    let told = own.ask(view("/memories/a.md"));
    assert!(told.is_error, "a purge takes what users wrote: {told:?}");
    let left = env.files_under(&env.home());
    let is_left = |(name, bytes): &(String, Vec<u8>)| {
        name.contains("a.md") || bytes.ends_with(b"kept for alice")
    };
    assert!(!left.iter().any(is_left), "{left:?}");
}

#[test]
fn limits_that_would_show_or_keep_nothing_are_refused() {
    let env = TestEnv::new();
    for (option, value) in [("--expire-after", "0"), ("--max-view-chars", "399")] {
        let host = Host::new(&env, &[]);
        host.put("a", "text");
        let output = host
            .run(&[option, value], view("/memories/a").to_string())
            .assert_code(2);
        assert!(output.stderr.contains(option), "{}", output.stderr);
        assert!(host.base.join("memories/a").exists());
    }
}

#[test]
fn files_expire_when_nobody_looks_and_can_be_brought_back() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--expire-after", "30"]);
    host.put("old.txt", "old");
    host.put("d/read.txt", "read");
    host.ask(view("/memories"));
    env.advance(20 * DAY);
    host.ask(view("/memories/d/read.txt"));
    env.advance(11 * DAY);
    let output = host.run(&[], view("/memories").to_string()).assert_ok();
    assert!(
        !output.stdout.contains("old.txt") && output.stdout.contains("d/read.txt"),
        "{}",
        output.stdout
    );
    assert_eq!(
        output.stderr,
        "`old.txt` was not viewed for long: moved to `[ENV]/work/base/expired/2026-02-01/old.txt`\n"
    );
    assert_eq!(
        fs::read_to_string(host.base.join("expired/2026-02-01/old.txt")).unwrap(),
        "old"
    );

    let repo = env.repo("app");
    let project = Host::of_project(&env, repo.path(), &["--expire-after", "30"]);
    let pinned = "---\nname: P\ndescription: kept\ntype: project\npinned: true\n---\nx\n";
    project.all(&[
        create("/memories/a.md", "text\n"),
        create("/memories/p.md", pinned),
    ]);
    env.advance(31 * DAY);
    let output = project.run(&[], view("/memories").to_string()).assert_ok();
    assert_eq!(
        output.stderr,
        "`a.md` was not viewed for long: `mem undo` brings it back\n"
    );
    assert!(repo.note("p.md").is_some() && repo.note("MEMORY.md").is_some());
    repo.mem(["undo"]).assert_ok();
    assert_eq!(repo.note("a.md").unwrap(), "text\n");
    // Its days begin anew.
    let output = project.run(&[], view("/memories").to_string()).assert_ok();
    assert_eq!(output.stderr, "");
}
