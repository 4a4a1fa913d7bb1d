//! A page of `mem console` over many memories, as a browser waits for it.

use std::process::Stdio;
use std::time::Instant;

use anyhow::ensure;
use mem_tests::{Console, TestEnv};

use super::Bench;
use super::list::{memory_directory, note, write};
use super::row::BenchRow;
use super::timing::{Medians, in_turn};

const MEMORIES: usize = 10_000;
/// From the request to the last byte of the page.
const PAGE_MS: f64 = 200.0;

/// The list, and the list filtered by words.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = memory_directory(bench, &env, repo.path())?;
    for number in 0..MEMORIES {
        let file = format!("project_note_{number}.md");
        write(&folder.join(file), &note(number))?;
    }
    let mut mem = env.command(&bench.binary);
    mem.args(Console::ARGUMENTS).current_dir(repo.path());
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
    let row = |subject, median| {
        let medians = Medians {
            subject: median,
            beside: None,
        };
        BenchRow::new(subject, "", medians).within(PAGE_MS)
    };
    Ok(vec![
        row("GET /memories", list),
        row("GET /memories?q=..", filtered),
    ])
}
