//! Memories taken by rules from a transcript of 100 MB, dense with what people say.

use std::fmt::Write as _;
use std::path::Path;

use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::Bench;
use super::list::write;
use super::row::BenchRow;
use super::timing::interleave;
use super::usage;

/// The size of the transcript, and what may be taken at 100 MB a second.
const TRANSCRIPT_BYTES: usize = 100_000_000;
const MILLISECONDS_MAX: f64 = 1_000.0;
/// Calls of tools that follow each prompt.
const CALLS: usize = 6;
/// What people say, one prompt a line.
const PROMPTS: &str = include_str!("extract_prompts.txt");

/// A dry run over all of it, beside reading the bytes alone.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let file = env
        .root()
        .join("00000000-0000-4000-8000-000000000002.jsonl");
    write(&file, &transcript(repo.path()))?;
    let extract = || {
        let mut extract = env.command(&bench.binary);
        extract.args([
            "extract",
            "--dry-run",
            "--no-model",
            "--quiet",
            "--transcript",
        ]);
        extract.arg(&file).current_dir(repo.path());
        extract
    };
    let medians = interleave(
        bench.runs.div_ceil(8),
        |_| Ok(vec![extract()]),
        |_| {
            let mut cat = env.command("cat");
            cat.arg(&file);
            Ok(vec![cat])
        },
    )?;
    let peak = usage::of(&extract(), env.root()).map(|usage| usage.peak);
    let peak = peak.map_or_else(String::new, |peak| format!("peak MB {peak:.0}"));
    let row = BenchRow::new("mem extract --dry-run", "cat", medians);
    Ok(vec![row.within(MILLISECONDS_MAX).also(peak)])
}

/// Turns of a session in the shape of a host's: a prompt, then calls with their results.
fn transcript(folder: &Path) -> String {
    let said: Vec<&str> = PROMPTS.lines().collect();
    let output = "test upload::limit ... ok\n".repeat(120);
    let mut text = String::with_capacity(TRANSCRIPT_BYTES + 65_536);
    for turn in 0.. {
        if text.len() >= TRANSCRIPT_BYTES {
            break;
        }
        let mut add = |kind: &str, part: &str, content: Value| {
            let line = json!({"type": kind, "uuid": format!("{turn}-{part}"), "cwd": folder,
                "sessionId": "00000000-0000-4000-8000-000000000002", "isSidechain": false,
                "timestamp": "2026-01-01T00:00:00Z",
                "message": {"role": kind, "id": format!("m-{turn}"), "content": content}});
            // Writing into a string cannot fail.
            let _ = writeln!(text, "{line}");
        };
        // Told apart, so that no two prompts are the same.
        let prompt = format!("{} (item {turn})", said[turn % said.len()]);
        add("user", "p", json!(prompt));
        for call in 0..CALLS {
            let id = format!("t-{turn}-{call}");
            add(
                "assistant",
                "a",
                json!([{"type": "text", "text": "The limiter wants a test."},
                {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("cargo test {turn}")}}]),
            );
            add(
                "user",
                "r",
                json!([{"type": "tool_result", "tool_use_id": id, "is_error": false, "content": output}]),
            );
        }
    }
    text
}
