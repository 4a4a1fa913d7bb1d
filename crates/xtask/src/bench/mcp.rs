//! The start of the MCP server: a client waits for the handshake at the start of every session.

use mem_tests::TestEnv;

use super::Bench;
use super::list::write;
use super::row::BenchRow;
use super::timing::interleave;

/// From the start of the process to its end, with the handshake and the list of tools between.
const START_MS: f64 = 20.0;

const HELLO: &str = "\
{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\
\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}
{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}
{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}
";

/// `mem mcp` in a repository, beside a run of `mem` that does nothing.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let hello = env.root().join("hello.jsonl");
    write(&hello, HELLO)?;
    let side = |word: &str| Ok(vec![bench.fed(&env, repo.path(), &[word], &hello)]);
    let medians = interleave(bench.runs, |_| side("mcp"), |_| side("--version"))?;
    let row = BenchRow::new("mem mcp", "mem --version", medians);
    Ok(vec![row.within(START_MS)])
}
