//! What agents feed: a transcript read whole, one call of the memory tool.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::list::write;
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program, usage};
use crate::run::run as run_command;
use crate::workspace::example;

/// The size of a transcript, and the session that it is of.
const TRANSCRIPT_BYTES: usize = 100_000_000;
const SESSION: &str = "00000000-0000-4000-8000-000000000001";

/// 100 MB of a session: notes from its first to its last line, beside reading the bytes alone. The
/// reader by itself prints its rate first (goal 300 MB/s).
pub(crate) fn measure_transcript(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let prompt = |_| "Add rate limiting to the upload endpoint".to_owned();
    let command = |turn| format!("cargo test upload_{}", turn % 50);
    let file = write_transcript(repo.path(), 1, prompt, command)?;
    run_command(example("mem-agent", "transcript_speed").arg(&file))?;
    let update = |name: &str| {
        let args = ["session", "update", "--quiet", "--session", name];
        let mut update = bench.mem(&env, repo.path(), &args);
        update.arg("--transcript").arg(&file);
        update
    };
    let medians = interleave(
        bench.runs.div_ceil(8),
        |round| Ok(vec![update(&format!("session-{round}"))]),
        |_| Ok(vec![program(&env, "cat", env.root(), [&file])]),
    )?;
    let peak = usage::peak_words(&update("another"), env.root(), "");
    let row = BenchRow::new("mem session update", "cat", medians);
    Ok(vec![row.also(peak)])
}

/// One view of a directory through the memory tool.
pub(crate) fn measure_tool(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let input = env.root().join("view.json");
    write(&input, r#"{"command": "view", "path": "/memories"}"#)?;
    let side = |word: &str| Ok(vec![bench.fed(&env, repo.path(), &[word], &input)]);
    let medians = interleave(bench.runs, |_| side("tool"), |_| side("--version"))?;
    Ok(vec![BenchRow::new("mem tool", "mem --version", medians)])
}

/// Writes turns of a session in the shape of a host's: a prompt, then calls of a tool with their results; the file.
pub(super) fn write_transcript(
    folder: &Path,
    calls: usize,
    prompt: impl Fn(usize) -> String,
    command: impl Fn(usize) -> String,
) -> anyhow::Result<PathBuf> {
    let output = "test upload::limit ... ok\n".repeat(120);
    let mut text = String::with_capacity(TRANSCRIPT_BYTES + 65_536);
    for turn in 0.. {
        if text.len() >= TRANSCRIPT_BYTES {
            break;
        }
        let mut add = |kind: &str, part: &str, content: Value| {
            let line = json!({"type": kind, "uuid": format!("{turn}-{part}"), "cwd": folder,
                "sessionId": SESSION, "isSidechain": false, "timestamp": "2026-01-01T00:00:00Z",
                "message": {"role": kind, "id": format!("m-{turn}"), "content": content}});
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        add("user", "p", json!(prompt(turn)));
        for call in 0..calls {
            let id = format!("t-{turn}-{call}");
            let called = json!([{"type": "text", "text": "The limiter wants a test."},
                {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command(turn)}}]);
            let result = json!([{"type": "tool_result", "tool_use_id": id, "is_error": false, "content": output}]);
            add("assistant", "a", called);
            add("user", "r", result);
        }
    }
    let file = folder.with_file_name(format!("{SESSION}.jsonl"));
    write(&file, &text).map(|()| file)
}
