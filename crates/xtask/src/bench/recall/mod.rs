//! Recall: beside the start of the process and a look at every file, which nothing can do without.

pub(crate) mod files;
pub(crate) mod hook;

use super::Bench;
use super::row::BenchRow;
use crate::run::run;
use crate::workspace::example;

/// Prints what the library's own measurement says: queries in 1,000, 10,000 and 100,000 documents
/// (goals 0.5, 2 and 20 ms, the encoder aside), and the encoder (12 tokens: 5 ms on one core).
pub(crate) fn measure_library(_: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    run(example("mem-recall", "eval").arg("--timing"))?;
    Ok(Vec::new())
}
