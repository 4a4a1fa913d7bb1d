//! Two hundred people over a line that breaks: the test of that, at its full size.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::Bench;
use super::row::BenchRow;
use super::timing::Medians;
use crate::workspace::cargo;

/// The test, which is left out of ordinary runs.
const TEST: &str = "http::faults::two_hundred_people_over_a_broken_line_end_up_with_the_same";

/// Runs it against the measured binary. It fails where anything is lost, and the rows with it.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let mut test = cargo(["test", "--quiet", "--package", "mem-server"]);
    test.args(["--test", "runner", "--"]);
    test.args(["--ignored", "--exact", "--nocapture", TEST]);
    // What keeps it from being built or run is told.
    test.env("MEM_BIN", &bench.binary).stderr(Stdio::inherit());
    let start = Instant::now();
    let output = test.output()?;
    let took = start.elapsed();
    let said = String::from_utf8(output.stdout)?;
    ensure!(output.status.success(), "it does not hold: {said}");
    let figures = said.lines().find_map(|line| line.split("figures: ").nth(1));
    let medians = Medians {
        subject: took,
        beside: None,
    };
    let row = BenchRow::new("mem serve, 200 people, 5 % faults", "", medians);
    Ok(vec![row.also(figures.context("its figures")?.to_owned())])
}
