//! The server under load: beside a bare echo, and beside transactions of its database.

pub(crate) mod encryption;
pub(super) mod yardstick;

use std::time::Duration;

use anyhow::{Context as _, ensure};
use mem_tests::{TestEnv, http, postgres};

use super::Bench;
use super::process::Listening;
use super::row::Row;
use super::timing::{Medians, in_turn};
use yardstick::Yardstick;

/// Requests of one run, over 64 connections.
const GETS: usize = 19_200;
const PUTS: usize = 6_400;
/// At least 0.7 times the requests of the echo.
const GET_RATIO_MAX: f64 = 1.0 / 0.7;
/// A write is to take no more than so many times the transaction.
const PUT_RATIO_MAX: f64 = 1.5;
/// Where the protocol is spoken.
const TARGET: &str = "/api/claude_code/team_memory?repo=acme/app";
/// Characters of an entry.
const ENTRY: usize = 500;

/// Over one file of SQLite.
pub(crate) fn measure_sqlite(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let yardstick = Yardstick::build()?;
    let env = TestEnv::new();
    let server = Listening::serve(bench, &env, None)?;
    let raw = || yardstick.sqlite(env.root(), PUTS);
    let names = ["raw transactions of SQLite", "bare axum echo"];
    measure(bench, &yardstick, &server, names, &raw)
}

/// Over a PostgreSQL of its own.
pub(crate) fn measure_postgres(bench: &Bench) -> anyhow::Result<Vec<Row>> {
    let Some(_) = postgres::binaries() else {
        return Ok(Vec::new());
    };
    let cluster = postgres::Cluster::start();
    let yardstick = Yardstick::build()?;
    let env = TestEnv::new();
    let server = Listening::serve(bench, &env, Some(&cluster.database()))?;
    yardstick::prepare(&cluster)?;
    let raw = || yardstick::pgbench(&cluster, PUTS);
    let names = ["pgbench", "bare axum echo"];
    measure(bench, &yardstick, &server, names, &raw)
}

/// Writes beside transactions, then conditional reads beside the echo.
fn measure(
    bench: &Bench,
    yardstick: &Yardstick,
    server: &Listening,
    [database, echo]: [&'static str; 2],
    raw: &dyn Fn() -> anyhow::Result<Duration>,
) -> anyhow::Result<Vec<Row>> {
    let runs = bench.runs.div_ceil(8);
    let [puts, transactions] = in_turn(
        1,
        runs,
        &mut [
            &mut |round| yardstick.load(server.address, 200, PUTS, &put(round)?),
            &mut |_| raw(),
        ],
    )?;
    let bare = yardstick.echo()?;
    let known = http::Ask::new(server.address, "GET", &format!("{TARGET}&view=hashes"))
        .try_send()
        .context("the server answers")?;
    ensure!(known.status == 200, "the server answers {}", known.status);
    let get = get(known.header("etag").context("an ETag")?);
    let [gets, echoes] = in_turn(
        1,
        runs,
        &mut [
            &mut |_| yardstick.load(server.address, 304, GETS, &get),
            &mut |_| yardstick.load(bare.address, 200, GETS, &get),
        ],
    )?;
    Ok(vec![
        row("mem serve, 6,400 PUTs", database, puts, transactions, PUTS).at_most(PUT_RATIO_MAX),
        row("mem serve, 19,200 GETs, 304", echo, gets, echoes, GETS)
            .at_most((GET_RATIO_MAX * 100.0).round() / 100.0),
    ])
}

fn row(
    subject: &'static str,
    against: &'static str,
    took: Duration,
    beside: Duration,
    count: usize,
) -> Row {
    let rate = |took: Duration| count as f64 / took.as_secs_f64();
    let rates = format!("{:.0} / {:.0} a second", rate(took), rate(beside));
    let medians = Medians {
        subject: took,
        beside: Some(beside),
    };
    Row::new(subject, against, medians).also(rates)
}

/// A write of an entry of its own for each connection, another text in each round.
fn put(round: usize) -> anyhow::Result<String> {
    let text = format!("@@ {round} {}", "x".repeat(ENTRY));
    let body = serde_json::to_string(&serde_json::json!({"entries": {"w@@.md": text}}))?;
    let head = format!("PUT {TARGET} HTTP/1.1\r\nhost: localhost\r\n");
    let kind = "content-type: application/json\r\n";
    Ok(format!(
        "{head}{kind}content-length: {}\r\n\r\n{body}",
        body.len()
    ))
}

fn get(etag: &str) -> String {
    format!("GET {TARGET} HTTP/1.1\r\nhost: localhost\r\nif-none-match: {etag}\r\n\r\n")
}
