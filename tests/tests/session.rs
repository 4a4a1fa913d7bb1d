//! `mem session`: notes gathered from a transcript, kept within budget, and never another's words lost.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Session, TestEnv};
use serde_json::{Value, json};

/// What is done with a session here.
pub(crate) trait Noted {
    fn work(&self);
    fn update(&self) -> mem_tests::Output;
    fn notes(&self) -> String;
    fn path(&self) -> PathBuf;
}

impl Noted for Session<'_> {
    /// An afternoon's work.
    fn work(&self) {
        self.say("user", "Add rate limiting to the upload endpoint");
        let file = self.repo.path().join("src/upload.rs").display().to_string();
        self.call(
            "t1",
            "Read",
            &json!({"file_path": file}),
            "fn upload() {}",
            false,
        );
        self.call("t2", "Edit", &json!({"file_path": file}), "ok", false);
        let test = json!({"command": "cargo test limit"});
        self.call(
            "t3",
            "Bash",
            &test,
            "running\nerror[E0425]: cannot find `bucket`\nmore",
            true,
        );
        self.call("t4", "Edit", &json!({"file_path": file}), "ok", false);
        self.call("t5", "Bash", &test, "ok", false);
        self.say(
            "assistant",
            json!([{"type": "text", "text": "Limited to 10 a second."}]),
        );
        self.say("user", "No, it belongs in the middleware");
        let todos = json!({"todos": [{"content": "Move the limiter", "status": "in_progress"}]});
        self.call("t6", "TodoWrite", &todos, "ok", false);
        self.say("assistant", json!([{"type": "text", "text": "Moving it."}]));
    }

    fn update(&self) -> mem_tests::Output {
        self.repo.mem(["session", "update"]).assert_ok()
    }

    fn notes(&self) -> String {
        fs::read_to_string(self.path()).expect("notes")
    }

    fn path(&self) -> PathBuf {
        let shown = self.repo.mem(["session", "path", "--json"]).assert_ok();
        let shown: Value = serde_json::from_slice(&shown.stdout_bytes).expect("JSON");
        PathBuf::from(shown["path"].as_str().expect("a path"))
    }
}

#[test]
fn notes_are_gathered_from_the_newest_session_of_the_repository() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update();
    insta::assert_snapshot!(session.repo.mem(["session", "show"]).assert_ok().stdout, @r"
    # Session Title
    _Five to ten words by which this session is told from every other, no filler._

    Add rate limiting to the upload endpoint

    # Current State
    _What is being worked on right now, what is still open, and the very next steps._

    - Asked last: No, it belongs in the middleware
    - Said last: Moving it.
    - [>] Move the limiter

    # Task specification
    _What the person asked for, with the decisions that were made about how to build it._

    - Add rate limiting to the upload endpoint

    # Files and Functions
    _Which files and functions matter, and in a few words why each one does._

    - `src/upload.rs`: edited twice, read once

    # Workflow
    _Commands that are run, in which order, and how to read what they print._

    - `cargo test limit`

    # Errors & Corrections
    _What went wrong and how it was mended, what the person corrected, and what not to try again._

    - `cargo test limit` failed: error[E0425]: cannot find `bucket`; next: editing `src/upload.rs`
    - Corrected by the person: No, it belongs in the middleware

    # Codebase and System Documentation
    _The parts of the system that matter here, and how they work together._

    # Learnings
    _What worked well, what did not, what to avoid; nothing that another section already says._

    # Key results
    _Exact outputs that the person asked for: an answer, a table, a document, in full._

    # Worklog
    _What was tried and done, step by step, one terse line each._

    - 2026-01-01 10:00 Add rate limiting to the upload endpoint: 2 edits, 2 commands, 1 other call, 1 failure
    - 2026-01-01 10:00 No, it belongs in the middleware: 1 other call
    ");
}

#[test]
fn a_failure_that_a_turn_ends_with_has_no_next_step() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "Import the module");
    let import = json!({"command": "python3 -c 'import nosuchmodule'"});
    session.call(
        "t1",
        "Bash",
        &import,
        "ModuleNotFoundError: nosuchmodule",
        true,
    );
    session.say("user", "Thanks, we leave that for tomorrow");
    let list = json!({"command": "ls README.md"});
    session.call("t2", "Bash", &list, "README.md", false);
    session.update();
    let notes = session.notes();
    let failure =
        "- `python3 -c 'import nosuchmodule'` failed: ModuleNotFoundError: nosuchmodule\n";
    assert!(notes.contains(failure), "{notes}");
}

#[test]
fn an_update_without_news_changes_nothing() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update();
    let before = session.notes();
    let json = session.repo.mem(["session", "update", "--json"]).json();
    assert_eq!(
        (json["changed"].as_bool(), session.notes()),
        (Some(false), before)
    );
}

#[test]
fn what_a_person_wrote_stays_and_the_rest_grows() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update();
    let edited = session.notes().replace(
        "- `cargo test limit`",
        "- run the limit tests before a commit",
    );
    fs::write(session.path(), &edited).expect("written");
    session.call(
        "t9",
        "Bash",
        &json!({"command": "cargo clippy"}),
        "ok",
        false,
    );
    session.update();
    let notes = session.notes();
    assert!(
        notes.contains("- run the limit tests before a commit\n- `cargo clippy`\n"),
        "{notes}"
    );
    assert!(!notes.contains("- `cargo test limit`\n"), "{notes}");
}

#[test]
fn it_is_due_by_the_thresholds_and_never_without_compaction() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "Begin");
    let due = || session.repo.mem(["session", "due"]).assert_ok().json();
    assert_eq!(due()["due"], false);
    session.say(
        "assistant",
        json!([{"type": "text", "text": "word ".repeat(11_000)}]),
    );
    assert_eq!(due()["due"], true);
    session.update();
    assert_eq!(due()["due"], false);
    session.say(
        "assistant",
        json!([{"type": "text", "text": "word ".repeat(11_000)}]),
    );
    assert_eq!(due()["due"], true, "a pause in the work");
    fs::write(
        env.home().join(".claude.json"),
        r#"{"autoCompactEnabled": false}"#,
    )
    .expect("written");
    let answer = due();
    assert_eq!(answer["due"], false);
    assert!(
        answer["reason"]
            .as_str()
            .expect("a reason")
            .contains("auto-compaction")
    );
}

#[test]
fn secrets_are_redacted_before_a_line_is_written() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    let token = ["gh", "p_", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5Hj0Sg2Aq4E"].concat();
    session.say("user", format!("Use the token {token} to push"));
    let push = json!({"command": format!("GH_TOKEN={token} gh pr create")});
    session.call("t1", "Bash", &push, "ok", false);
    session.update();
    let everywhere = env.files_under(env.root());
    let leaked: Vec<_> = everywhere
        .iter()
        .filter(|(name, bytes)| {
            !name.ends_with(".jsonl") && bytes.windows(token.len()).any(|at| at == token.as_bytes())
        })
        .map(|(name, _)| name)
        .collect();
    assert!(leaked.is_empty(), "{leaked:?}");
    assert!(
        session.notes().contains("[redacted: "),
        "{}",
        session.notes()
    );
}

#[test]
#[cfg(unix)]
fn a_model_rewrites_the_notes_only_within_their_frame() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    let with = |command: &str| {
        session
            .repo
            .invoke(["session", "update"])
            .env("MEM_MODEL_COMMAND", command)
            .run()
            .assert_ok()
    };
    // It is shown the notes between two lines, and gives them back with a word more.
    let script = "sed -n '/^<current_notes>/,/^<.current_notes>/p' | sed '1d;$d' \
                  | sed 's/^- `cargo test limit`$/- `cargo test limit`: all must pass/'";
    with(script);
    assert!(
        session
            .notes()
            .contains("- `cargo test limit`: all must pass\n"),
        "{}",
        session.notes()
    );
    let kept = session.notes();
    for (command, reason) in [
        ("echo '# Other'", "headings"),
        ("true", "nothing"),
        ("exit 3", "exit status"),
    ] {
        let output = with(command);
        assert!(output.stderr.contains(reason), "{}", output.stderr);
        assert_eq!(session.notes(), kept);
    }
}

#[test]
fn compacted_notes_leave_out_guidance_and_empty_sections() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update();
    let shown = session.repo.mem(["session", "compact"]).assert_ok().stdout;
    assert!(
        shown.starts_with("# Session Title\n\nAdd rate limiting"),
        "{shown}"
    );
    assert!(
        !shown.contains("\n_") && !shown.contains("# Learnings"),
        "{shown}"
    );
}

#[test]
fn notes_are_listed_and_old_ones_pruned() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update();
    let list = session.repo.mem(["session", "list"]).assert_ok().stdout;
    assert!(
        list.contains(Session::ID) && list.contains("Add rate limiting"),
        "{list}"
    );
    let none = session
        .repo
        .mem(["session", "prune", "--days", "30"])
        .assert_ok();
    assert_eq!(none.stdout, "");
    session
        .repo
        .mem(["session", "prune", "--days", "0", "--dry-run"])
        .assert_ok();
    assert!(session.path().exists());
    session
        .repo
        .mem(["session", "prune", "--days", "0"])
        .assert_ok();
    assert!(!session.path().exists() && session.transcript.exists());
}

#[test]
fn the_first_prompt_stays_when_there_are_too_many() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "Build the importer for the old archive");
    for step in 0..30 {
        session.say("user", format!("Step {step}: {}", "see to it ".repeat(60)));
    }
    session.update().assert_ok();
    let notes = session.notes();
    let task = notes.split("# Task specification").nth(1).unwrap();
    let task = task.split("\n# ").next().unwrap();
    assert!(task.contains("\n- Build the importer for the old archive\n- Step "));
    assert!(task.contains("- Step 29:") && !task.contains("- Step 0:"));
}

#[test]
fn notes_that_were_removed_are_rebuilt() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    session.update().assert_ok();
    let whole = session.notes();
    fs::write(session.path(), whole.replace("- ", "- mine: ")).unwrap();
    session.update().assert_ok();
    fs::remove_file(session.path()).unwrap();
    session.update().assert_ok();
    assert_eq!(session.notes(), whole);
}

#[test]
fn a_transcript_that_starts_over_is_read_again() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", "word ".repeat(30_000));
    session.update().assert_ok();
    fs::write(&session.transcript, "").unwrap();
    session.say("user", "other ".repeat(7_000));
    let due = session.repo.mem(["session", "due"]).assert_ok().json();
    assert_eq!(due["due"], true, "{due}");
}
