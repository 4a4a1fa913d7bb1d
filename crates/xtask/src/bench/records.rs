//! Records over MCP, beside what `mem save` and `mem recall` take once their process has started.

use std::time::{Duration, Instant};

use mem_tests::{Repo, Rpc, TestEnv};
use serde_json::{Value, json};

use super::Bench;
use super::recall::{NotesDir, PROMPT};
use super::row::BenchRow;
use super::timing::{Medians, in_turn, time_of};

/// A call may take so much of what the command takes without its start.
const RATIO: f64 = 1.5;
/// Notes that are there already.
const NOTES: u64 = 1_000;
/// Calls that are not counted.
const WARM_UP: usize = 3;

/// Words of which contents are made that say nothing alike.
const WORDS: [&str; 48] = [
    "harbour",
    "invoice",
    "violin",
    "glacier",
    "compiler",
    "lantern",
    "orchard",
    "passport",
    "turbine",
    "velvet",
    "quarry",
    "saffron",
    "antenna",
    "bakery",
    "cathedral",
    "dynamo",
    "eclipse",
    "furnace",
    "granite",
    "hammock",
    "island",
    "jacket",
    "kettle",
    "ledger",
    "marathon",
    "nectar",
    "oxygen",
    "pendulum",
    "quilt",
    "raven",
    "satellite",
    "thunder",
    "umbrella",
    "volcano",
    "walnut",
    "yogurt",
    "zeppelin",
    "bishop",
    "carpet",
    "dolphin",
    "elbow",
    "fountain",
    "garlic",
    "helmet",
    "ivory",
    "jungle",
    "kidney",
    "lemon",
];

/// `memory_store` beside `mem save`.
pub(crate) fn measure_store(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, NOTES)?;
    notes.index()?;
    let mut rpc = served(bench, &env, &repo)?;
    let medians = beside_command(
        bench,
        &env,
        &repo,
        |round, rpc: &mut Rpc| {
            let record = json!({
                "content": content(round), "category": "project_context", "importance": 3,
            });
            timed(rpc, "memory_store", record)
        },
        |round| {
            let text = content(round + 1_000_000);
            let args = [
                "save",
                "--quiet",
                "--type",
                "project",
                "--name",
                &text,
                "--description",
                &text,
                "--body",
                &text,
            ];
            args.map(str::to_owned).to_vec()
        },
        &mut rpc,
    )?;
    let row = BenchRow::new(
        "memory_store over MCP",
        "mem save, less mem --version",
        medians,
    );
    Ok(vec![row.at_most(RATIO)])
}

/// `memory_retrieve` beside `mem recall`.
pub(crate) fn measure_retrieve(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let notes = NotesDir::new(bench, &env, &repo, NOTES)?;
    notes.index()?;
    let mut rpc = served(bench, &env, &repo)?;
    let query = json!({ "query": PROMPT, "limit": 5 });
    let medians = beside_command(
        bench,
        &env,
        &repo,
        |_, rpc: &mut Rpc| timed(rpc, "memory_retrieve", query.clone()),
        |_| ["recall", PROMPT].map(str::to_owned).to_vec(),
        &mut rpc,
    )?;
    let row = BenchRow::new(
        "memory_retrieve over MCP",
        "mem recall, less mem --version",
        medians,
    );
    Ok(vec![row.at_most(RATIO)])
}

fn served(bench: &Bench, env: &TestEnv, repo: &Repo<'_>) -> anyhow::Result<Rpc> {
    let mut command = env.command(&bench.binary);
    command.arg("mcp").current_dir(repo.path());
    let pipe = std::process::Stdio::piped;
    let mut rpc = Rpc::new(command.stdin(pipe()).stdout(pipe()).spawn()?);
    rpc.initialize("2025-11-25");
    Ok(rpc)
}

fn timed(rpc: &mut Rpc, tool: &str, arguments: Value) -> Duration {
    let start = Instant::now();
    rpc.tool(tool, arguments);
    start.elapsed()
}

/// The medians of a call, and of a command without what its process takes to start.
fn beside_command(
    bench: &Bench,
    env: &TestEnv,
    repo: &Repo<'_>,
    mut call: impl FnMut(usize, &mut Rpc) -> Duration,
    args: impl Fn(usize) -> Vec<String>,
    rpc: &mut Rpc,
) -> anyhow::Result<Medians> {
    let run = |args: Vec<String>| {
        let mut command = env.command(&bench.binary);
        command.args(args).current_dir(repo.path());
        time_of(vec![command])
    };
    let [subject, whole, start] = in_turn(
        WARM_UP,
        bench.runs,
        &mut [
            &mut |round| Ok(call(round, rpc)),
            &mut |round| run(args(round)),
            &mut |_| run(vec!["--version".to_owned()]),
        ],
    )?;
    let beside = Some(whole.saturating_sub(start));
    Ok(Medians { subject, beside })
}

/// A content for a round, unlike that of every other.
fn content(round: usize) -> String {
    let mut state = round as u64 ^ 0x9e37_79b9_7f4a_7c15;
    let mut words = Vec::new();
    for _ in 0..5 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        words.push(WORDS[(state >> 33) as usize % WORDS.len()]);
    }
    format!("{} {round}", words.join(" "))
}
