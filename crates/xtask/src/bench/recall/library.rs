//! The ranking alone, warm, and the encoder alone: what `mem-recall` measures of itself.

use crate::bench::Bench;
use crate::bench::row::BenchRow;
use crate::run::run as run_command;
use crate::workspace::cargo;

/// Prints what the library's own measurement says: queries in 1,000, 10,000 and 100,000 documents
/// (goals 0.5, 2 and 20 ms, the encoder aside), and the encoder (12 tokens: 5 ms on one core).
pub(crate) fn measure_library(_: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let words = [
        "run",
        "--release",
        "--quiet",
        "-p",
        "mem-recall",
        "--example",
        "eval",
        "--",
        "--timing",
    ];
    run_command(&mut cargo(words))?;
    Ok(Vec::new())
}
