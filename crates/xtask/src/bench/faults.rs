//! Two hundred people over a line that breaks and over a database that dies, and idle connections: the tests of
//! that, at their full size.

use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context as _, ensure};

use super::Bench;
use super::row::BenchRow;
use crate::workspace::cargo;

/// The tests, which are left out of ordinary runs, and what each row is called.
const TESTS: [(&str, &str); 3] = [
    (
        "http::faults::two_hundred_people_over_a_broken_line_end_up_with_the_same",
        "mem serve, 200 people, 5 % faults",
    ),
    (
        "http::faults::a_primary_that_dies_costs_none_of_two_hundred_people_a_line",
        "mem serve, 200 people, a primary dies",
    ),
    (
        "http::connections::ten_thousand_idle_connections_keep_nobody_out",
        "mem serve, 10,000 idle connections",
    ),
];

/// Runs them against the measured binary. They fail where anything is lost, and the rows with them.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let rows = TESTS.iter().map(|(test, name)| run(bench, test, name));
    rows.collect()
}

fn run(bench: &Bench, name: &str, row: &'static str) -> anyhow::Result<BenchRow> {
    let mut test = cargo(["test", "--quiet", "--package", "mem-server"]);
    test.args(["--test", "runner", "--"]);
    test.args(["--ignored", "--exact", "--nocapture", name]);
    // What keeps it from being built or run is told.
    test.env("MEM_BIN", &bench.binary).stderr(Stdio::inherit());
    let start = Instant::now();
    let output = test.output()?;
    let took = start.elapsed();
    let said = String::from_utf8(output.stdout)?;
    ensure!(output.status.success(), "it does not hold: {said}");
    let figures = said.lines().find_map(|line| line.split("figures: ").nth(1));
    let figures = figures.context("its figures")?.to_owned();
    Ok(BenchRow::alone(row, took).also(figures))
}
