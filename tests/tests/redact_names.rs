//! `mem redact` of a text that stands in names of files and in links as a slug, and in files with escapes.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use std::fs;

use mem_tests::{Repo, TestEnv, history};

/// Assembled, so that no search for secrets finds this file.
fn secret() -> String {
    ["hunter", "2", "-Zebra-", "Quartz-", "9931"].concat()
}

fn slug() -> String {
    secret().to_lowercase().replace('-', "_")
}

/// Everything below the home, contents of histories in one piece, as lower case; without the transcripts of hosts.
fn everything(env: &TestEnv) -> String {
    let mut all = String::new();
    for (name, bytes) in env.files_under(&env.home()) {
        if !name.ends_with(".jsonl") {
            all.extend([&name, "\n", &*String::from_utf8_lossy(&bytes), "\n"]);
        }
    }
    for folder in history::folders(env) {
        all += &String::from_utf8_lossy(&history::contents(&folder));
    }
    all.to_lowercase()
}

fn save(repo: &Repo<'_>, name: &str, body: &str) {
    let args = [
        "save", "--type", "project", "--scope", "private", "--name", name,
    ];
    let more = ["--description", "d", "--body", body];
    repo.mem(args.into_iter().chain(more)).assert_ok();
}

#[test]
fn a_text_is_gone_in_its_slug_as_well() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, &format!("Title {}", secret()), "b");
    let file = format!("project_title_{}.md", slug());
    assert!(repo.note(&file).is_some(), "the name has the slug");
    save(
        &repo,
        "Other",
        &format!("See [it]({file}) and [[project_title_{}]].", slug()),
    );
    env.advance(60);
    // One that was removed, whose name only old versions have.
    save(&repo, &format!("Gone {}", secret()), "b");
    repo.mem(["remove", &format!("project_gone_{}.md", slug())])
        .assert_ok();
    let id = repo.mem(["history", &file, "--json"]).assert_ok().json()["note"].clone();
    let redact = ["redact", "--text", &secret(), "--yes", "--json"];
    let told = repo.mem(redact).assert_ok().json();
    assert_eq!(told["hits"], 0);
    assert_eq!(told["names"], 2, "{told}");
    let all = everything(&env);
    assert!(
        !all.contains("zebra") && !all.contains("quartz"),
        "a trace is left"
    );
    assert_eq!(
        repo.note("MEMORY.md").unwrap().lines().next().unwrap(),
        "- [Title [redacted]](project_title_[redacted].md) \u{2014} d"
    );
    assert!(
        repo.note("project_other.md")
            .unwrap()
            .contains("[it](project_title_[redacted].md)")
    );
    let shown = repo
        .mem(["show", "project_title_[redacted].md", "--json"])
        .assert_ok()
        .json();
    assert_eq!(shown["id"], id, "it is the same memory");
    repo.mem(["doctor"]).assert_ok();
    repo.mem(["check"]).assert_ok();
}

#[test]
fn a_slug_in_prose_is_gone_from_files_and_versions() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    // Put together, as the secret is.
    let words = ["Acme", "merger", "codename", "Bluefin", "42"];
    let text = words.join(" ");
    let (snake, kebab) = (
        words.join("_").to_lowercase(),
        words.join("-").to_lowercase(),
    );
    let form = words.join("+");
    let cased = words.join("-");
    let note = format!(
        "b {kebab} prose\nc {snake} prose\nd project_{snake} prose\nj #{kebab}\nl {form}\nm {cased}\n"
    );
    repo.edit_note("a.md", &format!("{note}older\n"));
    repo.mem(["history"]).assert_ok();
    env.advance(60);
    repo.edit_note("a.md", &note);
    let redact = ["redact", "--text", &text, "--yes", "--json"];
    let told = repo.mem(redact).assert_ok().json();
    assert_eq!(
        (&told["files"], &told["versions"], &told["hits"]),
        (&1.into(), &2.into(), &0.into())
    );
    assert_eq!(
        repo.note("a.md").unwrap(),
        "b [redacted] prose\nc [redacted] prose\nd project_[redacted] prose\nj #[redacted]\nl [redacted]\nm [redacted]\n"
    );
    let all = everything(&env);
    assert!(!all.contains("bluefin"), "a trace is left");
}

#[test]
fn stems_of_names_that_were_cut_off_or_numbered_follow() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let title = format!("{} and some more of {}", "long words ".repeat(4), secret());
    save(&repo, &title, "b");
    let index = repo.note("MEMORY.md").unwrap();
    let file = index.split_once("](").unwrap().1;
    let stem = file.split_once(".md)").unwrap().0.to_owned();
    assert!(!stem.contains(&slug()) && stem.contains("zebra"), "{stem}");
    save(&repo, "Other", &format!("See {stem} and [[{stem}]]."));
    repo.mem(["redact", "--text", &secret(), "--yes"])
        .assert_ok();
    let all = everything(&env);
    assert!(!all.contains("zebra"), "a trace is left");
    let other = repo.note("project_other.md").unwrap();
    let new = other.split_once("See ").unwrap().1;
    let new = new.split_once(" and").unwrap().0;
    assert!(repo.note(&format!("{new}.md")).is_some(), "{other}");
    assert!(other.contains(&format!("[[{new}]]")), "{other}");
    repo.mem(["check"]).assert_ok();
}

#[test]
fn a_memory_that_is_called_like_the_text_keeps_its_index_entry() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let text = secret().replace('-', " ");
    let args = ["save", "--type", "user", "--name", &text];
    let more = ["--description", "d", "--body", "b"];
    repo.mem(args.into_iter().chain(more)).assert_ok();
    env.advance(60);
    // Of another day, so that the index has an older version.
    save(&repo, "Other", "Something else");
    repo.mem(["redact", "--text", &text, "--yes"]).assert_ok();
    assert!(!everything(&env).contains("zebra"));
    repo.mem(["check"]).assert_ok();
    let line = "- [(redacted)](user_[redacted].md) \u{2014} d\n";
    let index = repo.note("MEMORY.md").unwrap();
    assert!(index.starts_with(line), "{index}");
    assert!(repo.note("user_[redacted].md").is_some());
    let older = ["history", "MEMORY.md", "--rev", "2", "--print"];
    assert_eq!(repo.mem(older).assert_ok().stdout, line);
    repo.mem(["doctor"]).assert_ok();
}

#[test]
fn names_that_would_become_one_stay_two() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let dashed = slug().replace('_', "-");
    repo.edit_note(&format!("x_{}.md", slug()), "one\n");
    repo.edit_note(&format!("x_{dashed}.md"), "two\n");
    repo.edit_note(
        "MEMORY.md",
        &format!("- [A](x_{}.md)\n- [B](x_{dashed}.md)\n", slug()),
    );
    repo.mem(["history"]).assert_ok();
    repo.mem(["redact", "--text", &secret(), "--yes"])
        .assert_ok();
    assert!(!everything(&env).contains("zebra"));
    let index = repo.note("MEMORY.md").unwrap();
    let linked = |title: &str| {
        let line = index.lines().find(|line| line.contains(title)).unwrap();
        let file = line.split_once("](").unwrap().1.trim_end_matches(')');
        repo.note(file).unwrap()
    };
    assert_eq!(
        (linked("[A]").as_str(), linked("[B]").as_str()),
        ("one\n", "two\n"),
        "{index}"
    );
}

#[test]
fn escapes_and_ends_of_lines_hide_no_text() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let text = ["it's \"Zebra\" ", "<Quartz> key"].concat();
    let yaml = text.replace('\'', "''");
    let html = text.replace('<', "&lt;").replace('>', "&gt;");
    let json = text.replace('"', "\\\"");
    let folded = text.replace(' ', "\n    ");
    let note = format!("---\nname: '{yaml}'\ndescription: x\n---\n{html}\n{json}\n{folded}\n");
    repo.edit_note("a.md", &note);
    repo.mem(["history"]).assert_ok();
    repo.mem(["redact", "--text", &text, "--yes"]).assert_ok();
    assert!(
        !everything(&env).contains("zebra"),
        "{:?}",
        repo.note("a.md")
    );
}

#[test]
fn a_short_text_renames_nothing_that_is_not_named_so() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Deploy day", "Deploy on Tuesday");
    repo.mem(["redact", "--text", "Deploy", "--yes"])
        .assert_ok();
    assert!(repo.note("project_deploy_day.md").is_some());
}

#[test]
fn transcripts_that_hold_it_are_named_with_a_command_and_stay() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "Key", &format!("It is \"{}\"", secret()));
    let of_claude = env.base().join("projects/-another/s/subagents");
    let of_codex = env.home().join(".codex/sessions/2026/01/01");
    for folder in [&of_claude, &of_codex] {
        fs::create_dir_all(folder).unwrap();
    }
    let line = serde_json::json!({"type": "attachment", "attachment": {"type": "hook_additional_context",
        "content": [format!("It is \"{}\"", secret())]}});
    let transcript = of_claude.join("agent-1.jsonl");
    fs::write(&transcript, format!("{{}}\n{line}\n{{}}\n{line}\n")).unwrap();
    fs::write(of_codex.join("rollout-1.jsonl"), format!("{line}\n")).unwrap();
    fs::write(of_codex.join("rollout-2.jsonl"), "{}\n").unwrap();
    let before = fs::read(&transcript).unwrap();
    let dry = ["redact", "--text", &secret(), "--dry-run", "--json"];
    let told = repo.mem(dry).assert_ok().json()["transcripts"].clone();
    assert_eq!(
        (&told["searched"], &told["untouched"]),
        (&3.into(), &true.into()),
        "{told}"
    );
    let output = repo
        .mem(["redact", "--text", &secret(), "--yes"])
        .assert_ok();
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(!said.contains(&secret()), "{said}");
    assert!(
        said.contains("2 transcripts of hosts still hold it. mem does not change transcripts"),
        "{said}"
    );
    let command = said
        .lines()
        .find(|line| line.contains("agent-1.jsonl"))
        .unwrap();
    let command = command.replace("[ENV]", &env.root().to_string_lossy());
    let shown = env.command("sh").arg("-c").arg(command).output().unwrap();
    assert_eq!(
        String::from_utf8(shown.stdout).unwrap(),
        format!("{line}\n{line}\n")
    );
    assert_eq!(fs::read(&transcript).unwrap(), before, "it is untouched");
}
