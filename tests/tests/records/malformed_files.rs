//! Files among the records that somebody put there by hand: bytes that are no text, categories that are none, and
//! whatever a terminal would act on.

use std::fs;

use mem_tests::{Repo, TestEnv};
use serde_json::json;

use super::{contents, retrieved, store};
use crate::inbox::directory;

/// What a terminal would act on: sequences that clear, name the window and colour, bells, both ways to begin one.
const HOSTILE: &str = "zebra \u{1b}[2J\u{1b}]0;title\u{7} \u{1b}[31mred\u{9b}31m \u{7f}\u{202e}end";

/// A directory of memories with one of each.
fn odd(repo: &Repo<'_>) {
    store(repo, "Deploys are on Tuesdays.", "project_context", &[]);
    let noise: Vec<u8> = (0..=255).cycle().take(3_000).collect();
    fs::write(directory(repo).join("noise.md"), noise).unwrap();
    let said = "The cat sleeps on Mondays";
    let cat = format!(
        "---\nname: cat\ndescription: {said}\ntype: project\ncategory: nonsense\n---\n\n{said}\n"
    );
    fs::write(directory(repo).join("project_cat.md"), cat).unwrap();
}

#[test]
fn what_is_no_text_is_no_record_and_is_told() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    odd(&repo);
    let listed = repo.mem(["record", "list", "--json"]).assert_ok().json();
    let mut told = contents(&listed);
    told.sort_unstable();
    assert_eq!(
        told,
        ["Deploys are on Tuesdays.", "The cat sleeps on Mondays"]
    );
    let warnings = json!([
        "noise.md: no text, and so no record",
        "project_cat.md: `nonsense` is not a category, and it counts as project_context",
    ]);
    assert_eq!(listed["warnings"], warnings);
    let explained = retrieved(&repo, "noise cat", &["--explain"]);
    assert_eq!(contents(&explained), ["The cat sleeps on Mondays"]);
    assert_eq!(explained["warnings"], warnings);
    let lines = repo.mem(["record", "list"]).assert_ok();
    assert_eq!(lines.stdout.matches("The cat sleeps").count(), 1);
    assert!(lines.stderr.contains("`nonsense` is not a category"));
    // It stays where it is, whatever counts least goes, and whoever looks is told.
    let pruned = repo.mem(["prune", "--below", "5", "--json"]).assert_ok();
    assert_eq!(pruned.json()["pruned"].as_array().unwrap().len(), 2);
    assert!(directory(&repo).join("noise.md").exists());
    let checked = repo.mem(["check", "--json"]).assert_code(1).stdout;
    assert!(checked.contains(r#""code":"not-text""#), "{checked}");
    let all = repo.mem(["list"]).assert_ok().stdout;
    assert!(all.contains("(no text: `mem check`)"), "{all}");
}

/// Whether a terminal shows all of it, but for colours and what makes lines.
fn is_harmless(text: &str) -> bool {
    let mut parts = text.split('\u{1b}');
    let is_style = |part: &str| {
        let rest = part.strip_prefix('[').unwrap_or("");
        let end = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        end.starts_with('m')
    };
    let is_plain = |part: &str| {
        let harms = |c: char| c.is_control() && c != '\n' && c != '\t' || c == '\u{202e}';
        !part.contains(harms)
    };
    let first = parts.next().unwrap_or_default();
    is_plain(first) && parts.all(|part| is_style(part) && is_plain(part))
}

#[test]
fn nothing_that_a_terminal_would_act_on_reaches_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    odd(&repo);
    let head = serde_json::to_string(HOSTILE)
        .unwrap()
        .replace('\u{9b}', "\\x9b");
    let note = format!(
        "---\nname: {head}\ndescription: {head}\ntype: project\ntags: [{head}]\n---\n\n{HOSTILE}\n"
    );
    fs::write(directory(&repo).join("evil.md"), &note).unwrap();
    repo.mem(["log", HOSTILE]).assert_ok();
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Gone",
        "--description",
    ];
    repo.mem(save.iter().chain(&["what", "--body", HOSTILE]))
        .assert_ok();
    repo.mem(["remove", "Gone", "--reason", HOSTILE])
        .assert_ok();
    repo.mem(["undo"]).assert_ok();
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let _ = crate::inbox::save(&repo, "s1", "Waits", HOSTILE);
    for args in [
        &["list"][..],
        &["record", "list"],
        &["record", "retrieve", "zebra", "--explain"],
        &["recall", "zebra red end"],
        &["recall", "--format", "prefetch", "zebra red end"],
        &["preview", "zebra red end"],
        &["search", "zebra"],
        &["similar", "evil.md"],
        &["inbox"],
        &["status"],
        &["history"],
        &["history", "evil.md"],
        &["history", "gone"],
        &["log", "show"],
        &["diff"],
        &["show", "evil.md"],
        &["show", "noise.md"],
        &["show", "gone"],
        &["check"],
        &["audit"],
        &["verify"],
        &["index", "show"],
        &["manifest"],
        &["log-audit"],
        &["prune", "--below", "5", "--dry-run"],
        &["dream", "--dry-run"],
        &["undo", "--dry-run"],
        &["redact", "--text", "zebra", "--dry-run"],
        &["erase", "--project", "--dry-run"],
    ] {
        for more in ["--color=always", "--json"] {
            let run = repo.mem(args.iter().chain(&[more]));
            let text = String::from_utf8(run.stdout_bytes.clone()).unwrap();
            assert!(is_harmless(&text), "{args:?} {more}: {text:?}");
            assert!(
                is_harmless(&run.stderr),
                "{args:?} {more}: {:?}",
                run.stderr
            );
        }
    }
    // The file itself is given as it is, and a terminal gets what it can show.
    let raw = repo.mem(["show", "evil.md", "--raw"]).assert_ok();
    assert_eq!(raw.stdout_bytes, note.as_bytes());
    let terminal = r#"exec python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$0" "$@""#;
    let shown = repo
        .invoke(["show", "evil.md", "--raw"])
        .through_shell(terminal);
    let shown = shown.run().stdout.replace('\r', "");
    assert!(
        shown.contains("zebra [2J") && is_harmless(&shown),
        "{shown:?}"
    );
}
