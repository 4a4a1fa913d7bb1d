//! Memories taken by rules from a transcript of 100 MB, dense with what people say.

use mem_tests::TestEnv;

use super::agents::write_transcript;
use super::row::BenchRow;
use super::timing::interleave;
use super::{Bench, program, usage};

/// What may be taken, at 100 MB a second.
const MILLISECONDS_MAX: f64 = 1_000.0;
/// Calls of tools that follow each prompt.
const CALLS: usize = 6;
/// What people say, one prompt a line.
const PROMPTS: &str = include_str!("extract_prompts.txt");

/// A dry run over all of it, beside reading the bytes alone.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let said: Vec<&str> = PROMPTS.lines().collect();
    // Told apart, so that no two prompts are the same.
    let prompt = |turn| format!("{} (item {turn})", said[turn % said.len()]);
    let command = |turn| format!("cargo test {turn}");
    let file = write_transcript(repo.path(), CALLS, prompt, command)?;
    let extract = || {
        let args = ["extract", "--dry-run", "--no-model", "--quiet"];
        let mut extract = bench.mem(&env, repo.path(), &args);
        extract.arg("--transcript").arg(&file);
        extract
    };
    let medians = interleave(
        bench.runs.div_ceil(8),
        |_| Ok(vec![extract()]),
        |_| Ok(vec![program(&env, "cat", env.root(), [&file])]),
    )?;
    let peak = usage::peak_words(&extract(), env.root(), "");
    let row = BenchRow::new("mem extract --dry-run", "cat", medians);
    Ok(vec![row.within(MILLISECONDS_MAX).also(peak)])
}
