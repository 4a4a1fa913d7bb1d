//! The server under load: beside a bare echo, and beside transactions of its database.

pub(crate) mod encryption;
mod pgbench;
pub(crate) mod replicas;
mod scale;
pub(super) mod yardstick;

use std::time::Duration;

use anyhow::{Context as _, ensure};
use mem_tests::{TestEnv, http, postgres};

use super::Bench;
use super::process::ServerProcess;
use super::row::BenchRow;
use super::timing::in_turn;
use crate::test::install_postgres;
use yardstick::Yardstick;

/// Requests of one run, over 64 connections.
const GETS: usize = 19_200;
const PUTS: usize = 6_400;
/// At least 0.7 times the requests of the echo, or the looks of pgbench.
const GET_RATIO_MAX: f64 = 1.43;
/// A write is to take no more than so many times the transaction.
const PUT_RATIO_MAX: f64 = 1.5;
/// Where the protocol is spoken.
const TARGET: &str = "/api/claude_code/team_memory?repo=acme/app";
const REPOSITORY: &str = "acme/app";
/// Characters of an entry.
const ENTRY: usize = 500;

/// What the server is timed beside, given the request that reads it.
type Beside<'b> = &'b dyn Fn(&str) -> anyhow::Result<Duration>;

/// Over one file of SQLite: beside its transactions, and beside the echo.
pub(crate) fn measure_sqlite(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let yardstick = Yardstick::build()?;
    let env = TestEnv::new();
    let server = ServerProcess::serve(bench, &env, None)?;
    let bare = yardstick.echo()?;
    let transact: Beside<'_> = &|_| yardstick.sqlite(env.root(), PUTS);
    let look: Beside<'_> = &|get| yardstick.load(bare.address, 200, GETS, get);
    let beside = [
        ("raw transactions of SQLite", transact),
        ("bare axum echo", look),
    ];
    measure(bench, &yardstick, &server, beside)
}

/// Over a PostgreSQL of its own: beside pgbench with like statements.
pub(crate) fn measure_postgres(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    install_postgres();
    let cluster = postgres::Cluster::start();
    let yardstick = Yardstick::build()?;
    let env = TestEnv::new();
    let database = cluster.database();
    let server = ServerProcess::serve(bench, &env, Some(&database))?;
    pgbench::prepare(&cluster)?;
    let transact: Beside<'_> = &|_| pgbench::write(&cluster, PUTS);
    let look: Beside<'_> = &|_| pgbench::look(&cluster, &database, REPOSITORY, GETS);
    let beside = [
        ("pgbench, a transaction", transact),
        ("pgbench, the state of a store", look),
    ];
    measure(bench, &yardstick, &server, beside)
}

/// Writes beside transactions of the database, and conditional reads of what is known beside looks at it.
fn measure(
    bench: &Bench,
    yardstick: &Yardstick,
    server: &ServerProcess,
    [(transactions, transact), (looks, look)]: [(&'static str, Beside<'_>); 2],
) -> anyhow::Result<Vec<BenchRow>> {
    let runs = bench.runs.div_ceil(8);
    let write = &mut |round| yardstick.load(server.address, 200, PUTS, &put(round)?);
    let puts = in_turn(1, runs, &mut [write, &mut |_| transact("")])?;
    let known = get(server)?;
    let read = &mut |_| yardstick.load(server.address, 304, GETS, &known);
    let gets = in_turn(1, runs, &mut [read, &mut |_| look(&known)])?;
    Ok(vec![
        BenchRow::rates("mem serve, 6,400 PUTs", transactions, puts, PUTS).at_most(PUT_RATIO_MAX),
        BenchRow::rates("mem serve, 19,200 GETs, 304", looks, gets, GETS).at_most(GET_RATIO_MAX),
    ])
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

/// A read on the condition that the store is not as it is.
fn get(server: &ServerProcess) -> anyhow::Result<String> {
    let target = format!("{TARGET}&view=hashes");
    let known = http::Ask::new(server.address, "GET", &target).try_send();
    let known = known.context("the server answers")?;
    ensure!(known.status == 200, "the server answers {}", known.status);
    let etag = known.header("etag").context("an ETag")?;
    let head = format!("GET {TARGET} HTTP/1.1\r\nhost: localhost\r\n");
    Ok(format!("{head}if-none-match: {etag}\r\n\r\n"))
}
