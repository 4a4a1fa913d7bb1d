//! Hooks of a host beside the command that does the same work for a person.

use anyhow::ensure;
use mem_tests::TestEnv;

use super::files::{NotesDir, PROMPT};
use crate::bench::list::write;
use crate::bench::row::{BenchRow, ms};
use crate::bench::timing::interleave;
use crate::bench::{Bench, program};
use crate::run::output_of;

/// What the hook of a prompt may take beyond a recall of that prompt.
const BEYOND_RECALL_MS: f64 = 10.0;
/// What a prompt may wait for the hook of any host, on a busy machine.
const PROMPT_MS: f64 = 40.0;
/// What a tool may wait for the memories of its file.
const FILE_MS: f64 = 15.0;
/// The lines of the file that is read; each tenth begins a function.
const FILE_LINES: usize = 2_000;
/// The hosts that have a hook at a prompt.
const HOSTS: [(&str, &str); 6] = [
    ("claude", "mem hook claude"),
    ("codex", "mem hook codex"),
    ("copilot", "mem hook copilot"),
    ("gemini", "mem hook gemini"),
    ("opencode", "mem hook opencode"),
    ("qwen", "mem hook qwen"),
];
/// A host gives all hooks at the end of a session 1.5 s together.
const SESSION_END_MS: f64 = 300.0;

/// A prompt among 1,000 notes, each time in a new session.
pub(crate) fn measure_prompt(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, 1_000)?;
    notes.index()?;
    let event = env.root().join("event.json");
    let medians = interleave(
        bench.runs,
        |round| {
            let cwd = repo.path();
            let text = serde_json::json!({"session_id": format!("s-{round}"), "cwd": cwd,
                "hook_event_name": "UserPromptSubmit", "prompt": PROMPT});
            write(&event, &text.to_string())?;
            let hook = ["hook", "claude", "user-prompt-submit"];
            Ok(vec![bench.fed(&env, repo.path(), &hook, &event)])
        },
        |_| {
            Ok(vec![bench.fed(
                &env,
                repo.path(),
                &["recall", PROMPT],
                &event,
            )])
        },
    )?;
    let goal = ms(medians[1]) + BEYOND_RECALL_MS;
    let row = BenchRow::new("mem hook claude user-prompt-submit", "mem recall", medians);
    Ok(vec![row.within(goal.round())])
}

/// A prompt among 1,000 notes in each host beside none at all: a host that waits for its hook waits for the whole process.
pub(crate) fn measure_hosts(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, 1_000)?;
    notes.index()?;
    let event = env.root().join("event.json");
    let measured = HOSTS.map(|(host, subject)| {
        let medians = interleave(
            bench.runs,
            |round| {
                let text = serde_json::json!({"session_id": format!("{host}-{round}"),
                    "cwd": repo.path(), "prompt": PROMPT});
                write(&event, &text.to_string())?;
                let hook = ["hook", host, "user-prompt-submit"];
                Ok(vec![bench.fed(&env, repo.path(), &hook, &event)])
            },
            |_| Ok(vec![program(&env, "sh", env.root(), ["-c", ":"])]),
        )?;
        Ok(BenchRow::new(subject, "no hook", medians).within(PROMPT_MS))
    });
    measured.into_iter().collect()
}

/// A part of a file that is read, among 1,000 notes of which one cites a function of it, each time in a new session.
pub(crate) fn measure_file(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, 1_000)?;
    let line = |number: usize| match number % 10 {
        0 => format!("fn price_{number}() {{\n"),
        _ => format!("    let cents_{number} = {number};\n"),
    };
    let source = repo.path().join("till.rs");
    write(&source, &(0..FILE_LINES).map(line).collect::<String>())?;
    notes.cite("Prices are in cents: `price_500` in `till.rs` rounds them.")?;
    notes.index()?;
    let event = env.root().join("event.json");
    let read = |session: &str| {
        let text = serde_json::json!({"session_id": session, "cwd": repo.path(),
            "hook_event_name": "PreToolUse", "tool_name": "Read",
            "tool_input": {"file_path": source, "offset": 505, "limit": 5}});
        write(&event, &text.to_string())?;
        let hook = ["hook", "claude", "pre-tool-use"];
        anyhow::Ok(bench.fed(&env, repo.path(), &hook, &event))
    };
    let answer = output_of(&mut read("first")?)?;
    ensure!(
        answer.contains("project_cited"),
        "no memory of the file: {answer}"
    );
    let medians = interleave(
        bench.runs,
        |round| Ok(vec![read(&format!("s-{round}"))?]),
        |_| Ok(vec![bench.fed(&env, repo.path(), &["--version"], &event)]),
    )?;
    let row = BenchRow::new("mem hook claude pre-tool-use", "mem --version", medians);
    Ok(vec![row.within(FILE_MS)])
}

/// The end of a session, beside the start of the process: notes are not waited for.
pub(crate) fn measure_end(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    NotesDir::new(bench, &env, &repo, 10)?;
    let (event, transcript) = (env.root().join("event.json"), env.root().join("s-1.jsonl"));
    write(
        &transcript,
        "{\"type\":\"user\",\"message\":{\"content\":\"a word\"}}\n",
    )?;
    let text = serde_json::json!({"session_id": "s-1", "cwd": repo.path(),
        "transcript_path": transcript, "hook_event_name": "SessionEnd", "reason": "other"});
    write(&event, &text.to_string())?;
    let medians = interleave(
        bench.runs,
        |_| {
            let hook = ["hook", "claude", "session-end"];
            Ok(vec![bench.fed(&env, repo.path(), &hook, &event)])
        },
        |_| Ok(vec![bench.fed(&env, repo.path(), &["--version"], &event)]),
    )?;
    let row = BenchRow::new("mem hook claude session-end", "mem --version", medians);
    Ok(vec![row.within(SESSION_END_MS)])
}
