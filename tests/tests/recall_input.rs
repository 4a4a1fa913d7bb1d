//! Recall with input that nobody wants: odd prompts, odd notes, odd repositories, foreign indexes.

use std::fs;
use std::path::PathBuf;

use mem_tests::{Repo, TestEnv};

use crate::recall::{files, recall, three_notes};

/// A prompt that one of the three notes answers.
const PROMPT: &str = "may I mock the database in the integration tests?";
const ANSWER: [&str; 1] = ["feedback_no_mocks.md"];

/// The stored index of the only memory directory with notes.
fn index_file(env: &TestEnv) -> PathBuf {
    let folder = env.home().join(".cache/mem/recall");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files = files.filter(|path| path.extension().is_some_and(|end| end == "index"));
    files.next().unwrap()
}

#[test]
fn odd_prompts_get_an_answer() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    for prompt in [
        "",
        " \n\t",
        "the of and is",
        "🦀🦀",
        "\u{200b}",
        "-",
        "--",
        "?!,.;",
    ] {
        let run = repo
            .invoke(["recall", "--format", "json", "-"])
            .stdin(prompt)
            .run();
        assert_eq!(
            run.assert_ok().json()["memories"],
            serde_json::json!([]),
            "{prompt:?}"
        );
    }
    let odd: [&[u8]; 3] = [b"\0\0\0", b"\xff\xfe\x80 mock", b"a\0mock\0b"];
    for prompt in odd {
        repo.invoke(["recall", "-"]).stdin(prompt).run().assert_ok();
    }
    // As an argument, too: a hyphen in front is no flag.
    repo.mem(["recall", "-x is a flag?"]).assert_ok();
}

#[test]
fn a_prompt_of_ten_megabytes_is_searched_by_its_first_line_and_last_question() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let log = "    at frame 17 of the stack\n".repeat(400_000);
    let prompt = format!("The suite is red.\n{log}{PROMPT}\n");
    assert!(prompt.len() > 10 << 20);
    let run = repo
        .invoke(["recall", "--format", "json", "-"])
        .stdin(prompt.clone())
        .run();
    let answer = run.assert_ok().json();
    assert_eq!(answer["memories"][0]["file"], ANSWER[0], "{answer}");
    let too_large = repo
        .invoke(["recall", "--json", "-"])
        .stdin(prompt.repeat(2))
        .run();
    let error = too_large.assert_code(1).json_error();
    assert_eq!(error["kind"], "invalid", "{error}");
}

#[test]
fn odd_notes_are_ranked_by_what_can_be_read() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    let memory = repo.memory();
    fs::write(
        memory.join("broken.md"),
        "---\nname: [\n: {\n---\nThe kiosk firmware is flashed over USB.\n",
    )
    .unwrap();
    fs::write(
        memory.join("binary.md"),
        b"\xff\xfe kiosk \x80\x81 printer ribbon",
    )
    .unwrap();
    fs::write(memory.join("empty.md"), "").unwrap();
    let long = format!(
        "---\nname: Scanner calibration\ndescription: how the label scanner is calibrated\ntype: project\n---\n{}",
        "Hold the target still and wait. ".repeat(340_000)
    );
    assert!(long.len() > 10 << 20);
    fs::write(memory.join("long.md"), long).unwrap();
    let best = |prompt: &str| files(&repo, prompt, &["--min-score", "0", "--limit", "1"]);
    assert_eq!(best("how is the kiosk firmware flashed?"), ["broken.md"]);
    assert_eq!(best("printer ribbon"), ["binary.md"]);
    assert_eq!(best("how is the label scanner calibrated?"), ["long.md"]);
    repo.mem(["warm"]).assert_ok();
    assert_eq!(best("how is the label scanner calibrated?"), ["long.md"]);
}

#[test]
fn an_index_that_is_no_index_is_rebuilt() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    assert_eq!(files(&repo, PROMPT, &[]), ANSWER);
    let file = index_file(&env);
    let good = fs::read(&file).unwrap();
    let head = good.iter().position(|&byte| byte == b'\n').unwrap();
    let mut newer = good.clone();
    newer[head + 1 + 8] = 200;
    let mut flipped = good.clone();
    let middle = good.len() / 2;
    flipped[middle] ^= 0x55;
    let mut elsewhere = good.clone();
    elsewhere[head - 1] ^= 1;
    let forms: [(&str, &[u8]); 6] = [
        ("empty", b""),
        ("foreign", b"PK\x03\x04 something else"),
        ("torn", &good[..good.len() - 7]),
        ("newer", &newer),
        ("damaged", &flipped),
        ("another directory's", &elsewhere),
    ];
    for (what, bytes) in forms {
        fs::write(&file, bytes).unwrap();
        assert_eq!(files(&repo, PROMPT, &[]), ANSWER, "{what}");
        assert_eq!(
            fs::read(&file).unwrap().len(),
            good.len(),
            "{what}: stored anew"
        );
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(files(&repo, PROMPT, &[]), ANSWER, "a folder in its place");
}

#[test]
fn a_cache_that_cannot_be_written_costs_time_only() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    fs::create_dir_all(env.home().join(".cache")).unwrap();
    // Whoever runs this may be root, to whom every folder is writable.
    fs::write(env.home().join(".cache/mem"), "in the way").unwrap();
    assert_eq!(files(&repo, PROMPT, &[]), ANSWER);
    let run = repo
        .invoke(["recall", PROMPT])
        .env("MEM_RECALL_BACKGROUND", "true")
        .run();
    assert!(run.assert_ok().stdout.contains("No database mocks"));
    repo.mem(["warm"]).assert_ok();
}

#[test]
fn odd_repositories_have_memories_too() {
    let env = TestEnv::new();
    let origin = env.repo("origin");
    let work = env.work();
    let url = format!("file://{}", origin.path().display());
    origin.git([
        "clone",
        "--quiet",
        "--bare",
        &url,
        &work.join("bare").to_string_lossy(),
    ]);
    origin.git([
        "clone",
        "--quiet",
        "--depth",
        "1",
        &url,
        &work.join("shallow").to_string_lossy(),
    ]);
    origin.git(["init", "--quiet", &work.join("unborn").to_string_lossy()]);
    fs::create_dir(work.join("plain")).unwrap();
    for name in ["bare", "shallow", "unborn", "plain"] {
        let repo = Repo::at(&env, work.join(name));
        three_notes(&repo);
        assert_eq!(files(&repo, PROMPT, &[]), ANSWER, "{name}");
    }
    // A rewritten history: what was checked out is gone.
    let shallow = Repo::at(&env, work.join("shallow"));
    shallow.git([
        "commit",
        "--quiet",
        "--amend",
        "--allow-empty",
        "--message",
        "other",
    ]);
    assert_eq!(files(&shallow, PROMPT, &[]), ANSWER);
}

#[test]
fn many_at_once_agree_and_leave_a_whole_index() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    three_notes(&repo);
    for number in 0..40 {
        let note = format!(
            "---\nname: Ticket {number}\ndescription: what ticket {number} was about\ntype: project\n---\nDone.\n"
        );
        repo.edit_note(&format!("project_ticket_{number}.md"), &note);
    }
    let children: Vec<_> = (0..8)
        .map(|at| match at % 2 {
            0 => repo.invoke(["recall", PROMPT, "--format", "paths"]).spawn(),
            _ => repo.invoke(["warm"]).spawn(),
        })
        .collect();
    for (at, child) in children.into_iter().enumerate() {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            at % 2 == 1 || text.ends_with("feedback_no_mocks.md\n"),
            "{text}"
        );
    }
    assert_eq!(files(&repo, PROMPT, &[]), ANSWER);
    assert_eq!(
        repo.mem(["warm", "--json"]).assert_ok().json()["pending"],
        0
    );
    let left = fs::read_dir(index_file(&env).parent().unwrap()).unwrap();
    let names = left.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.starts_with(".tmp-")));
}

#[test]
fn memory_that_is_off_or_not_there_recalls_nothing() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    assert_eq!(
        recall(&repo, PROMPT, &[])["abstained"],
        false,
        "there is nothing to rank"
    );
    three_notes(&repo);
    let off = repo
        .invoke(["recall", PROMPT])
        .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
        .run();
    assert_eq!(off.assert_ok().stdout, "");
}
