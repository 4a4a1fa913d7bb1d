//! The library alone: a warm scan of a note, and input made to be slow.

use std::time::Duration;

use anyhow::Context as _;
use mem_tests::TestEnv;

use crate::bench::Bench;
use crate::bench::list::{note, write};
use crate::bench::row::BenchRow;
use crate::run::{output_of, run};
use crate::workspace::{cargo, example};

/// A scan of 2 KB in a process that has scanned before.
pub(crate) fn measure_library(_: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let file = env.work().join("note.md");
    write(&file, &note(1))?;
    let text = output_of(example("mem-secrets", "latency").arg(&file))?;
    let warm = text.trim_end().rsplit(' ').next();
    let nanoseconds = warm
        .context("the example `latency` prints nothing")?
        .parse()?;
    let row = BenchRow::alone("Scanner::scan, warm", Duration::from_nanos(nanoseconds));
    Ok(vec![row.within(0.1)])
}

/// A line of 100 MB, 10 MB of one letter, a million keywords: the test says whether time is linear.
pub(crate) fn measure_hostile(_: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let args = ["test", "--release", "--quiet", "--package", "mem-secrets"];
    run(cargo(args).args(["--test", "runner", "--", "--ignored", "--nocapture"]))?;
    Ok(Vec::new())
}
