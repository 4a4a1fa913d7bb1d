//! `mem redact`: gone from the files and from every content of the history, as SQLite itself reads it.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use mem_tests::{Repo, Session, TestEnv, history};

/// Assembled, so that no search for secrets finds this file.
fn secret() -> String {
    ["hunter", "2", "-", "Tr0ub4dor"].concat()
}

/// Whether anything under the home still holds a text, contents of histories in one piece.
fn is_anywhere(env: &TestEnv, text: &str) -> bool {
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
    let folders = history::folders(env);
    folders
        .iter()
        .any(|folder| holds(&history::contents(folder)))
        || env
            .files_under(&env.home())
            .iter()
            .any(|(_, bytes)| holds(bytes))
}

fn leaking(env: &TestEnv) -> Repo<'_> {
    let repo = env.repo("app");
    let secret = secret();
    repo.edit_note("a.md", &format!("the password is {secret}\n"));
    repo.mem(["history"]).assert_ok();
    env.advance(60);
    repo.edit_note("a.md", &format!("the password was {secret}\nnow changed\n"));
    repo.edit_note("data.md", "innocent\n");
    let index = format!("- [A](a.md) — {secret}\n- [Data](data.md) — fine\n");
    repo.edit_note("MEMORY.md", &index);
    repo.mem(["history"]).assert_ok();
    assert!(is_anywhere(env, &secret));
    repo
}

#[test]
fn blanks_around_a_text_are_no_part_of_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    for text in ["zebra ", "\tzebra\n\n"] {
        repo.edit_note("a.md", "the word is zebra\nzebra is the word\n");
        let given = repo.invoke(["redact", "--text", "-", "--yes"]).stdin(text);
        given.run().assert_ok();
        let note = "the word is [redacted]\n[redacted] is the word\n";
        assert_eq!(repo.note("a.md").unwrap(), note);
        assert!(!is_anywhere(&env, "zebra"));
    }
    let few = repo.mem(["redact", "--text", "  abc  ", "--yes"]);
    few.assert_code(2);
}

#[test]
fn a_text_given_on_standard_input_is_gone_everywhere() {
    let env = TestEnv::new();
    let repo = leaking(&env);
    std::fs::create_dir_all(env.base().join("memory")).unwrap();
    std::fs::write(env.base().join("memory/me.md"), secret()).unwrap();
    let redact = |more: &[&str]| {
        let args = [&["redact", "--text", "-"], more].concat();
        repo.invoke(args).stdin(secret() + "\n").run()
    };
    let output = redact(&["--dry-run"]).assert_ok();
    insta::assert_snapshot!(output.shown(), @r"
    exit 0
    --- stdout
    3 files would be changed
    --- stderr
    clean MEMORY.md
    clean a.md
    clean me.md
    ");
    redact(&[]).assert_code(2);
    assert!(is_anywhere(&env, &secret()), "nobody agreed");
    let output = redact(&["--yes"]).assert_ok();
    let (stdout, _) = output.stdout.split_once(';').unwrap();
    assert_eq!(stdout, "3 files and 4 versions cleaned");
    assert!(
        output.stdout.ends_with("objects scanned, 0 hits\n"),
        "{}",
        output.stdout
    );
    assert!(!is_anywhere(&env, &secret()));
    assert_eq!(
        repo.note("a.md").unwrap(),
        "the password was [redacted]\nnow changed\n"
    );
    let history = repo.mem(["history", "a", "--json"]).json();
    assert_eq!(
        history["versions"].as_array().unwrap().len(),
        3,
        "who and when stay"
    );
    let print = ["history", "a", "--rev", "2", "--print"];
    let oldest = repo.mem(print).assert_ok().stdout;
    assert_eq!(
        oldest, "the password is [redacted]\n",
        "the rest of it can be read"
    );
    let json = redact(&["--yes", "--json"]).assert_ok().json();
    assert_eq!((&json["files"], &json["hits"]), (&0.into(), &0.into()));
    assert!(json["objects_scanned"].as_u64().unwrap() > 0);
}

#[test]
fn a_note_is_gone_with_its_pointer_and_others_stay() {
    let env = TestEnv::new();
    let repo = leaking(&env);
    for index in ["MEMORY.md", "MEMORY"] {
        let told = repo.mem(["redact", index, "--yes"]).assert_code(1).stderr;
        assert!(told.contains("`MEMORY.md` is an index"), "{told}");
        assert!(told.contains("`mem redact --text -`"), "{told}");
    }
    let told = repo.mem(["redact", "a", "--dry-run"]).assert_ok().stderr;
    let whole = "remove the whole note a.md with all its versions\n";
    assert!(told.starts_with(whole), "{told}");
    repo.mem(["redact", "a", "--yes"]).assert_ok();
    assert!(!is_anywhere(&env, &secret()));
    assert_eq!(repo.note("a.md"), None);
    assert_eq!(
        repo.note("MEMORY.md").unwrap(),
        "- [Data](data.md) — fine\n"
    );
    let output = repo.mem(["restore", "a"]).assert_code(1);
    assert!(
        output.stderr.contains("has no other version"),
        "{}",
        output.stderr
    );
    let output = repo.mem(["undo"]).assert_code(1);
    assert!(
        output.stderr.contains("removed content for good"),
        "nothing before it is taken for the last change: {}",
        output.stderr
    );
    let redaction = repo.mem(["history", "--json"]).json()["changes"][0]["id"].clone();
    let output = repo
        .mem(["undo", redaction.as_str().unwrap()])
        .assert_code(1);
    assert!(
        output.stderr.contains("removed content for good"),
        "{}",
        output.stderr
    );
}

#[test]
fn a_text_in_names_of_files_goes_with_their_pointers() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let secret = secret();
    let (file, old) = (format!("sub/{secret}.md"), format!("old-{secret}.md"));
    repo.edit_note(&file, "---\nname: x\n---\nx\n");
    repo.edit_note(&old, "y\n");
    repo.edit_note("MEMORY.md", &format!("- [X]({file})\n"));
    let id = repo.mem(["history", &file, "--json"]).assert_ok().json()["note"].clone();
    std::fs::remove_file(repo.memory().join(&old)).unwrap();
    repo.mem(["history"]).assert_ok();
    repo.mem(["redact", "--text", &secret, "--yes"]).assert_ok();
    assert!(!is_anywhere(&env, &secret));
    let names = env.files_under(&env.home());
    assert!(names.iter().all(|(name, _)| !name.contains(&secret)));
    assert_eq!(
        repo.note("MEMORY.md").unwrap(),
        "- [X](sub/[redacted].md)\n"
    );
    assert_eq!(
        repo.note("sub/[redacted].md").unwrap(),
        "---\nname: x\n---\nx\n"
    );
    let shown = repo.mem(["show", "x", "--json"]).assert_ok().json();
    assert_eq!(shown["id"], id, "it is the same note");
    repo.mem(["restore", "old-[redacted].md"]).assert_ok();
    repo.mem(["doctor"]).assert_ok();
}

#[test]
fn what_would_ruin_everything_is_refused() {
    let env = TestEnv::new();
    let repo = leaking(&env);
    for text in ["", "a", "redact"] {
        repo.mem(["redact", "--text", text, "--yes"]).assert_code(2);
    }
    repo.mem(["redact", "--yes"]).assert_code(2);
    repo.mem(["redact", "a", "--text", "abcd", "--yes"])
        .assert_code(2);
    assert!(repo.note("a.md").is_some());
}

#[test]
fn a_text_in_the_name_of_a_note_is_gone_from_what_was_recalled_too() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let name = format!("Port {}", secret().to_lowercase());
    let args = [
        "save",
        "--type",
        "reference",
        "--name",
        &name,
        "--body",
        "x",
    ];
    let about = ["--description", "Which port the billing service listens on"];
    repo.mem(args.into_iter().chain(about)).assert_ok();
    let event = serde_json::json!({"session_id": "s-1", "cwd": repo.path(),
        "prompt": "on which port does the billing service listen?"});
    let hook = repo.invoke(["hook", "claude", "user-prompt-submit"]);
    hook.stdin(event.to_string()).run().assert_ok();
    let text = secret().to_lowercase();
    let recalled = |file: &str| file.contains("/recalled/");
    let told = env.files_under(&env.home());
    let told = told.iter().filter(|(file, _)| recalled(file));
    assert!(
        told.count() >= 2,
        "the session and the ledger know the note"
    );
    repo.mem(["redact", "--text", &text, "--yes"]).assert_ok();
    assert!(!is_anywhere(&env, &text));
}

#[test]
fn a_text_goes_from_what_is_kept_of_sessions_too() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let text = secret().to_lowercase();
    session.say("user", format!("My \"rent\" is {text} from spring on"));
    session.repo.mem(["session", "update"]).assert_ok();
    let kept = |text: &str| {
        let mut files = env.files_under(&env.home());
        files.retain(|(file, _)| !file.ends_with(".jsonl"));
        let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
        files.iter().filter(|(_, bytes)| holds(bytes)).count()
    };
    assert_eq!(kept(&text), 2, "its notes, and what is remembered");
    let redact = ["redact", "--text", &text, "--json"];
    let dry = session.repo.mem(redact.into_iter().chain(["--dry-run"]));
    assert_eq!(dry.assert_ok().json()["sessions"], 2);
    assert_eq!(kept(&text), 2);
    let done = session.repo.mem(redact.into_iter().chain(["--yes"]));
    assert_eq!(done.assert_ok().json()["sessions"], 2);
    assert_eq!(kept(&text), 0);
    // The session goes on from where it was.
    session.say("user", "Plant the tomatoes in the south bed");
    session.repo.mem(["session", "update"]).assert_ok();
    assert_eq!(kept(&text), 0);
    assert!(kept("Plant the tomatoes") >= 1 && kept("from spring on") >= 1);
}

#[test]
fn what_waits_where_nothing_was_ever_recorded_goes_too() {
    let env = TestEnv::new();
    let repo = crate::inbox::confirming(&env);
    let said = format!("the password is {}", secret());
    let _ = crate::inbox::save(&repo, "s1", "one", &said);
    assert!(is_anywhere(&env, &secret()));
    assert_eq!(crate::inbox::ids(&repo).len(), 1);
    let redact = repo.invoke(["redact", "--text", "-", "--yes"]);
    let redacted = redact.stdin(secret()).run().assert_ok();
    let told = "1 write in the inbox cleaned";
    assert!(redacted.stdout.contains(told), "{}", redacted.stdout);
    assert!(!is_anywhere(&env, &secret()));
    let ids = crate::inbox::ids(&repo);
    repo.mem(["inbox", "accept", &ids[0]]).assert_ok();
    let shown = repo.mem(["show", "one"]).assert_ok().stdout;
    assert!(shown.contains("the password is [redacted]"), "{shown}");
}

/// Nobody could decide on what is left of these.
#[test]
fn a_write_that_says_nothing_else_goes_and_is_told() {
    let env = TestEnv::new();
    let repo = crate::inbox::confirming(&env);
    let _ = crate::inbox::save(&repo, "s1", "Kohlrabi", "Kohlrabi, Kohlrabi.");
    let only = [
        "save",
        "--type",
        "user",
        "--name",
        "Kohlrabi",
        "--description",
    ];
    let more = ["Kohlrabi", "--body", "Kohlrabi"];
    let _ = crate::inbox::as_agent(&repo, "s2", only.into_iter().chain(more));
    let stored = ["record", "store", "Kohlrabi", "--category", "relationship"];
    let _ = crate::inbox::as_agent(&repo, "s3", stored);
    assert_eq!(crate::inbox::ids(&repo).len(), 3);
    let redact = ["redact", "--text", "Kohlrabi", "--yes"];
    let redacted = repo.mem(redact).assert_ok().stdout;
    assert!(
        redacted.contains("2 writes in the inbox removed"),
        "{redacted}"
    );
    assert!(
        redacted.contains("1 write in the inbox cleaned"),
        "{redacted}"
    );
    assert!(!is_anywhere(&env, "Kohlrabi"));
    // The description of the first says how to work.
    let waits = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(waits.contains("how to work"), "{waits}");
    repo.mem(["inbox", "accept", "--all"]).assert_ok();
    let index = std::fs::read_to_string(crate::inbox::directory(&repo).join("MEMORY.md")).unwrap();
    assert_eq!(index.lines().count(), 1, "{index}");
}

/// Every write that waits quotes the index it was based on.
#[test]
fn writes_that_only_quote_a_text_wait_on() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let text = "Kohlrabi summit";
    let named = ["save", "--type", "user", "--name", text];
    let more = ["--description", "where it was", "--body", "In spring."];
    repo.mem(named.into_iter().chain(more)).assert_ok();
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let _ = crate::inbox::save(&repo, "s1", "One", "Wear boots.");
    let _ = crate::inbox::save(&repo, "s2", "Two", "A text of the Kohlrabi summit.");
    // What was rejected is kept for a while as well.
    let _ = crate::inbox::save(&repo, "s3", "Three", "Take a coat.");
    let of_three = crate::inbox::ids(&repo)[2].clone();
    repo.mem(["inbox", "reject", &of_three]).assert_ok();
    let args = ["redact", "--text", text, "--json"];
    let dry = repo.mem(args.into_iter().chain(["--dry-run"])).assert_ok();
    let dry = dry.json();
    assert_eq!(
        (&dry["inbox"], &dry["inbox_removed"]),
        (&3.into(), &0.into())
    );
    repo.mem(args.into_iter().chain(["--yes"])).assert_ok();
    assert!(!is_anywhere(&env, text));

    let ids = crate::inbox::ids(&repo);
    assert_eq!(ids.len(), 2, "{ids:?}");
    for id in &ids {
        repo.mem(["inbox", "accept", id]).assert_ok();
    }
    let one = repo.mem(["show", "One"]).assert_ok().stdout;
    let two = repo.mem(["show", "Two"]).assert_ok().stdout;
    assert!(one.contains("Wear boots.") && two.contains("A text of the [redacted]."));
    let index = repo.mem(["index", "show"]).assert_ok().stdout;
    assert_eq!(
        index.lines().filter(|line| line.contains("](")).count(),
        3,
        "{index}"
    );
}

#[test]
fn a_write_loses_the_note_that_goes_and_keeps_the_rest() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let _ = crate::inbox::save(&repo, "s", "Old", "text").assert_ok();
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let _ = crate::inbox::save(&repo, "s1", "Old", "another text");
    let _ = crate::inbox::save(&repo, "s2", "Other", "the newer text");
    let redacted = repo.mem(["redact", "Old", "--yes", "--json"]).assert_ok();
    let redacted = redacted.json();
    let met = (&redacted["inbox"], &redacted["inbox_removed"]);
    assert_eq!(met, (&2.into(), &1.into()));
    assert!(!is_anywhere(&env, "another text") && !is_anywhere(&env, "[Old]"));
    let ids = crate::inbox::ids(&repo);
    assert_eq!(ids.len(), 1);
    repo.mem(["inbox", "accept", &ids[0]]).assert_ok();
    let shown = repo.mem(["show", "Other"]).assert_ok().stdout;
    assert!(shown.contains("the newer text"), "{shown}");
}

#[test]
fn files_of_others_in_a_folder_elsewhere_stay_and_are_named() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let (secret, documents) = (secret(), env.home().join("Doc"));
    std::fs::create_dir_all(&documents).unwrap();
    let picture = [b"\0\xff", secret.as_bytes(), b"\0"].concat();
    let named = format!("{secret}.txt");
    let foreign: [(&str, &[u8]); 4] = [
        ("pic.jpg", &picture),
        ("t.txt", secret.as_bytes()),
        ("letter.md", secret.as_bytes()),
        (&named, b"clean"),
    ];
    for (name, bytes) in foreign {
        std::fs::write(documents.join(name), bytes).unwrap();
    }
    let run = |args: &[&str]| repo.invoke(args).env("MEM_DIR", &documents).run();
    let save = ["save", "--type", "project", "--scope", "private", "--name"];
    let text = ["--description", "d", "--body"];
    let one = [&save[..], &["One"], &text, &["mine"]].concat();
    run(&one).assert_ok();
    let body = format!("of {secret}");
    let two = [&save[..], &[&secret], &text, &[&body]].concat();
    run(&two).assert_ok();
    // A memory that somebody edits is a memory still.
    let mine = documents.join("project_one.md");
    let edited = std::fs::read_to_string(&mine).unwrap() + &secret;
    std::fs::write(&mine, edited).unwrap();

    let redact = ["redact", "--text", &secret];
    let dry = run(&[&redact[..], &["--dry-run", "--json"]].concat()).assert_ok();
    assert_eq!(dry.json()["left"].as_array().unwrap().len(), 4);
    let told = run(&[&redact[..], &["--yes"]].concat()).assert_code(1);
    for (name, bytes) in foreign {
        assert_eq!(std::fs::read(documents.join(name)).unwrap(), bytes);
        assert!(
            told.stderr.contains(&format!("Doc/{name}` holds it")),
            "{}",
            told.stderr
        );
    }
    assert!(
        told.stdout
            .contains("4 files not mem's own left as they are"),
        "{}",
        told.stdout
    );
    let mine = std::fs::read_to_string(mine).unwrap();
    assert!(mine.ends_with("[redacted]"), "{mine}");
    let index = std::fs::read_to_string(documents.join("MEMORY.md")).unwrap();
    assert!(
        index.contains("[(redacted)](project_[redacted].md)"),
        "{index}"
    );
    assert!(documents.join("project_[redacted].md").exists());
    // The history has it of no file, whoever wrote that.
    let states = env.files_under(&env.home().join(".local/state/mem"));
    let holds = |bytes: &[u8]| {
        bytes
            .windows(secret.len())
            .any(|one| one == secret.as_bytes())
    };
    let catalogs = states.iter().filter(|(_, bytes)| holds(bytes));
    assert!(
        catalogs
            .into_iter()
            .all(|(name, _)| name.contains("catalog"))
    );
    run(&["history"]).assert_ok();
    run(&["doctor"]).assert_ok();
    let again = run(&[&redact[..], &["--yes", "--json"]].concat())
        .assert_code(1)
        .json();
    assert_eq!(
        (&again["files"], &again["versions"]),
        (&0.into(), &0.into())
    );
}

/// There hosts keep nothing but memories, in whatever form.
#[test]
fn files_of_any_kind_in_a_folder_of_a_host_are_cleaned() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let secret = secret();
    repo.edit_note("pic.bin", &format!("\0{secret}\0"));
    repo.mem(["redact", "--text", &secret, "--yes"]).assert_ok();
    assert_eq!(repo.note("pic.bin").unwrap(), "\0[redacted]\0");
    assert!(!is_anywhere(&env, &secret));
}

#[test]
fn a_text_goes_from_what_could_not_be_written_to_its_memory() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("a.md", "fine\n");
    let text = format!("it is {}\n", secret());
    let edit = ["edit", "a.md", "--if-match", "00", "--content", &text];
    repo.mem(edit).assert_code(4);
    assert!(is_anywhere(&env, &secret()));
    let redact = ["redact", "--text", &secret(), "--yes"];
    let told = repo.mem(redact).assert_ok();
    assert!(
        told.stderr.contains("clean 1 unsaved text"),
        "{}",
        told.shown()
    );
    assert!(!is_anywhere(&env, &secret()));
}

#[test]
fn no_unsaved_text_is_lost_to_another_of_the_same_clean_name_and_others_files_are_passed_over() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.edit_note("a.md", "fine\n");
    let unsaved = env.home().join(".local/state/mem/unsaved");
    std::fs::create_dir_all(unsaved.join("folder")).unwrap();
    std::os::unix::fs::symlink("nowhere", unsaved.join(".#lock")).unwrap();
    let text = format!("of one {}\n", secret());
    std::fs::write(unsaved.join(format!("1-{}.md", secret())), text).unwrap();
    std::fs::write(unsaved.join("1-[redacted].md"), "of another\n").unwrap();
    let redact = ["redact", "--text", &secret(), "--yes"];
    repo.mem(redact).assert_ok();
    let read = |name: &str| std::fs::read_to_string(unsaved.join(name)).unwrap();
    assert_eq!(read("1-[redacted].md"), "of another\n");
    assert_eq!(read("1-1-[redacted].md"), "of one [redacted]\n");
    assert!(!is_anywhere(&env, &secret()));
}
