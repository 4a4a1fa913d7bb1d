//! Records over MCP, beside what `mem save` and `mem recall` take once their process has started.

use std::process::Stdio;
use std::time::Instant;

use mem_tests::{Rpc, TestEnv};
use serde_json::{Value, json};

use super::recall::files::{NotesDir, PROMPT};
use super::row::BenchRow;
use super::timing::{in_turn, time_of};
use super::{Bench, program};

/// A call may take so much of what the command takes without its start.
const RATIO: f64 = 1.5;
/// Notes that are there already.
const NOTES: u64 = 1_000;
/// Calls that are not counted.
const WARM_UP: usize = 3;

/// Words of which contents are made that say nothing alike.
const WORDS: &str = "harbour invoice violin glacier compiler lantern orchard passport turbine velvet quarry saffron \
    antenna bakery cathedral dynamo eclipse furnace granite hammock island jacket kettle ledger marathon \
    nectar oxygen pendulum quilt raven satellite thunder umbrella volcano walnut yogurt zeppelin bishop \
    carpet dolphin elbow fountain garlic helmet ivory jungle kidney lemon";

/// `memory_store` beside `mem save`.
pub(crate) fn measure_store(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let names = ["memory_store over MCP", "mem save, less mem --version"];
    let record = |round| json!({ "content": content(round), "category": "project_context", "importance": 3 });
    beside_command(bench, names, ("memory_store", &record), |round| {
        let text = content(round + 1_000_000);
        let command = ["save", "--quiet", "--type", "project", "--name", &text];
        let more = ["--description", &text, "--body", &text];
        command
            .iter()
            .chain(&more)
            .map(|&word| word.to_owned())
            .collect()
    })
}

/// `memory_retrieve` beside `mem recall`.
pub(crate) fn measure_retrieve(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let names = ["memory_retrieve over MCP", "mem recall, less mem --version"];
    let query = |_| json!({ "query": PROMPT, "limit": 5 });
    beside_command(bench, names, ("memory_retrieve", &query), |_| {
        ["recall", PROMPT].map(str::to_owned).to_vec()
    })
}

/// Calls of a tool, and a command without what its process takes to start.
fn beside_command(
    bench: &Bench,
    [subject, beside]: [&'static str; 2],
    (tool, arguments): (&str, &dyn Fn(usize) -> Value),
    args: impl Fn(usize) -> Vec<String>,
) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    NotesDir::new(bench, &env, &repo, NOTES)?.index()?;
    let mut serve = bench.mem(&env, repo.path(), &["mcp"]);
    let mut rpc = Rpc::new(serve.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?);
    rpc.initialize("2025-11-25");
    let run = |args: Vec<String>| time_of(vec![program(&env, &bench.binary, repo.path(), args)]);
    let [call, whole, start] = in_turn(
        WARM_UP,
        bench.runs,
        &mut [
            &mut |round| {
                let arguments = arguments(round);
                let start = Instant::now();
                rpc.tool(tool, arguments);
                Ok(start.elapsed())
            },
            &mut |round| run(args(round)),
            &mut |_| run(vec!["--version".to_owned()]),
        ],
    )?;
    let row = BenchRow::new(subject, beside, [call, whole.saturating_sub(start)]);
    Ok(vec![row.at_most(RATIO)])
}

/// A content for a round, unlike that of every other.
fn content(round: usize) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut state = round as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut text = String::new();
    for _ in 0..5 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        text = text + words[(state >> 33) as usize % words.len()] + " ";
    }
    format!("{text}{round}")
}
