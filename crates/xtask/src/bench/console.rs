//! A page of `mem console` over many memories, as a browser waits for it.

use std::process::Stdio;
use std::time::Instant;

use anyhow::ensure;
use mem_tests::{Console, TestEnv};

use super::Bench;
use super::list::{note, write_notes};
use super::row::BenchRow;
use super::timing::in_turn;

const MEMORIES: usize = 10_000;
/// From the request to the last byte of the page.
const PAGE_MS: f64 = 200.0;

/// The list, and the list filtered by words.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    write_notes(bench, &env, repo.path(), MEMORIES, note)?;
    let mut mem = bench.mem(&env, repo.path(), &Console::ARGUMENTS);
    let console = Console::listening(mem.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?);
    let cookie = console.enter();
    let base = console.project(&cookie);
    let time = |query: &str| {
        let ask = console.ask("GET", &format!("{base}/memories{query}"));
        let ask = ask.header("cookie", &cookie);
        let start = Instant::now();
        let answer = ask.send();
        ensure!(answer.status == 200, "status {}", answer.status);
        Ok(start.elapsed())
    };
    let [list, filtered] = in_turn(
        3,
        bench.runs.div_ceil(4),
        &mut [&mut |_| time(""), &mut |_| time("?q=case+77")],
    )?;
    let row = |subject, median| BenchRow::alone(subject, median).within(PAGE_MS);
    Ok(vec![
        row("GET /memories", list),
        row("GET /memories?q=..", filtered),
    ])
}
