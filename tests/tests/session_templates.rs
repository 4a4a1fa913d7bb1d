//! `mem session` with templates and prompts of one's own, and with input that is none.

use std::fs;

use mem_tests::{Session, TestEnv};

use crate::session::Noted as _;

#[test]
fn own_templates_and_prompts_count() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    let config = env.base().join("session-memory/config");
    fs::create_dir_all(&config).expect("a folder");
    fs::write(config.join("template.md"), "# Workflow\n_mine_\n").expect("written");
    fs::write(
        config.join("prompt.md"),
        "{{notesPath}}|{{currentNotes}}|{{else}}",
    )
    .expect("written");
    session.update();
    assert_eq!(
        session.notes(),
        "# Workflow\n_mine_\n\n- `cargo test limit`\n"
    );
    let prompt = session.repo.mem(["session", "prompt"]).assert_ok().stdout;
    assert!(
        prompt.ends_with("|# Workflow\n_mine_\n\n- `cargo test limit`\n|{{else}}\n"),
        "{prompt}"
    );
}

#[test]
fn bad_input_is_a_clear_error_and_loses_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("empty");
    let none = repo.mem(["session", "update"]).assert_code(1);
    assert!(none.stderr.contains("no session of this repository") && none.stderr.contains("hint:"));
    for (flag, value) in [
        ("--session", "../../x"),
        ("--transcript", "/nowhere/x.jsonl"),
        ("--transcript", "/"),
    ] {
        let output = repo.mem(["session", "update", flag, value]);
        assert_eq!(output.code, 1, "{}", output.shown());
        assert!(output.stderr.contains("hint:"), "{}", output.stderr);
    }
    let session = Session::new(&env);
    session.work();
    session.update();
    let path = session.path();
    fs::write(&path, b"\xff\xfe broken").expect("written");
    let output = session.repo.mem(["session", "update"]).assert_code(1);
    assert!(
        output.stderr.contains("cannot read the notes"),
        "{}",
        output.stderr
    );
    assert_eq!(fs::read(&path).expect("there"), b"\xff\xfe broken");
}

#[test]
fn an_empty_template_or_prompt_of_ones_own_is_none() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.work();
    let own = env.base().join("session-memory/config");
    fs::create_dir_all(&own).unwrap();
    for name in ["template.md", "prompt.md"] {
        fs::write(own.join(name), " \n").unwrap();
    }
    session.update().assert_ok();
    assert!(session.notes().contains("# Worklog"), "{}", session.notes());
    let prompt = session.repo.mem(["session", "prompt"]).assert_ok().stdout;
    assert!(prompt.contains("<current_notes>"), "{prompt}");
}
