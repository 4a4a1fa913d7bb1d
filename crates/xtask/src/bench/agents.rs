//! What agents feed: a transcript read whole, one call of the memory tool.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use mem_tests::{Repo, TestEnv};

use super::Bench;
use super::list::write;
use super::row::BenchRow;
use super::timing::interleave;
use super::usage;
use crate::run::run as run_command;
use crate::workspace::cargo;

/// The size of the transcript.
const TRANSCRIPT_BYTES: usize = 100_000_000;

/// 100 MB of a session: notes from its first to its last line, beside reading the bytes alone. The
/// reader by itself prints its rate first (goal 300 MB/s).
pub(crate) fn measure_transcript(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env
        .root()
        .join("00000000-0000-4000-8000-000000000001.jsonl");
    write(&file, &transcript(repo.path()))?;
    let example = [
        "run",
        "--release",
        "--quiet",
        "-p",
        "mem-agent",
        "--example",
    ];
    let mut reader = cargo(example);
    run_command(reader.args(["transcript_speed", "--"]).arg(&file))?;
    let update = |name: &str| {
        let mut update = mem(bench, &env, &repo, &["session", "update", "--quiet"]);
        update
            .arg("--transcript")
            .arg(&file)
            .args(["--session", name]);
        update
    };
    let medians = interleave(
        bench.runs.div_ceil(8),
        |round| Ok(vec![update(&format!("session-{round}"))]),
        |_| {
            let mut cat = env.command("cat");
            cat.arg(&file);
            Ok(vec![cat])
        },
    )?;
    let peak = usage::of(&update("another"), env.root()).map(|usage| usage.peak);
    let peak = peak.map_or_else(String::new, |peak| format!("peak MB {peak:.0}"));
    Ok(vec![
        BenchRow::new("mem session update", "cat", medians).also(peak),
    ])
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

fn mem(bench: &Bench, env: &TestEnv, repo: &Repo<'_>, args: &[&str]) -> Command {
    let mut command = env.command(&bench.binary);
    command.args(args).current_dir(repo.path());
    command
}

/// Turns of a session in the shape of a host's: a prompt, an answer with a tool call, its result.
fn transcript(folder: &Path) -> String {
    let mut text = String::with_capacity(TRANSCRIPT_BYTES + 8_192);
    let output = "test upload::limit ... ok\n".repeat(120);
    for turn in 0.. {
        if text.len() >= TRANSCRIPT_BYTES {
            break;
        }
        let common = |kind: &str, part: &str, content: serde_json::Value| {
            serde_json::json!({"type": kind, "uuid": format!("{turn}-{part}"), "cwd": folder,
                "sessionId": "00000000-0000-4000-8000-000000000001", "isSidechain": false,
                "timestamp": "2026-01-01T00:00:00Z",
                "message": {"role": kind, "id": format!("m-{turn}"), "content": content}})
        };
        let use_ = serde_json::json!([{"type": "text", "text": "The limiter wants a test."},
            {"type": "tool_use", "id": format!("t-{turn}"), "name": "Bash",
             "input": {"command": format!("cargo test upload_{}", turn % 50)}}]);
        let result = serde_json::json!([{"type": "tool_result", "is_error": false,
            "tool_use_id": format!("t-{turn}"), "content": output}]);
        for line in [
            common(
                "user",
                "p",
                serde_json::json!("Add rate limiting to the upload endpoint"),
            ),
            common("assistant", "a", use_),
            common("user", "r", result),
        ] {
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{line}");
        }
    }
    text
}
