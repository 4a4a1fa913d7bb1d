//! The memory stores API under load: beside the same statements as they are, and search and memory by themselves.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use mem_tests::{TestEnv, postgres};

use super::Bench;
use super::process::ServerProcess;
use super::row::BenchRow;
use super::server::yardstick::Yardstick;
use super::timing::in_turn;
use crate::test::install_postgres;

/// Connections.
const AT_ONCE: usize = 64;
/// Requests of one run, over all connections.
const WRITES: usize = 3_200;
const READS: usize = 9_600;
const LISTS: usize = 3_200;
const SEARCHES: usize = 1_000;
/// A write is to take no more than so many times its statements.
const WRITE_RATIO_MAX: f64 = 1.5;
/// At least 0.7 times the answers of one that reads a row.
const READ_RATIO_MAX: f64 = 1.43;
const LIST_RATIO_MAX: f64 = 2.0;
/// All but one of a hundred searches.
const SEARCH_MS_MAX: f64 = 10.0;

/// Over one file of SQLite.
pub(crate) fn measure_sqlite(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let server = ServerProcess::serve(bench, &env, None)?;
    let beside = env.root().join("beside");
    measure(bench, &server, path(&beside)?)
}

/// Over a PostgreSQL of its own.
pub(crate) fn measure_postgres(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    install_postgres();
    let cluster = postgres::Cluster::start();
    let env = TestEnv::new();
    let server = ServerProcess::serve(bench, &env, Some(&cluster.database()))?;
    measure(bench, &server, &cluster.database())
}

/// Every kind of request beside its statements in `place`.
fn measure(bench: &Bench, server: &ServerProcess, place: &str) -> anyhow::Result<Vec<BenchRow>> {
    let yardstick = Yardstick::build()?;
    let runs = bench.runs.div_ceil(8);
    let ask = |what: &str, store: &str, count: usize| {
        let (took, _) = yardstick.ask(server.address, what, store, AT_ONCE, count)?;
        anyhow::Ok(took)
    };
    let mut rows = Vec::new();
    for (what, subject) in [
        ("create", "mem serve, 3,200 memories created"),
        ("update", "mem serve, 3,200 conditional updates"),
    ] {
        let times = in_turn(
            1,
            runs,
            &mut [&mut |_| ask(what, "", WRITES), &mut |_| {
                yardstick.raw(place, what, WRITES)
            }],
        )?;
        let row = BenchRow::rates(subject, "the same statements", times, WRITES);
        rows.push(row.at_most(WRITE_RATIO_MAX));
    }
    let bare = yardstick.row(place)?;
    let times = in_turn(
        1,
        runs,
        &mut [&mut |_| ask("retrieve", "", READS), &mut |_| {
            Ok(yardstick
                .ask(bare.address, "row", "none", AT_ONCE, READS)?
                .0)
        }],
    )?;
    let retrieved = BenchRow::rates("mem serve, 9,600 retrieved", "axum, one row", times, READS);
    rows.push(retrieved.at_most(READ_RATIO_MAX));
    drop(bare);
    let large = yardstick.fill(server.address, 1, 10_000)?.remove(0);
    let times = in_turn(
        1,
        runs,
        &mut [&mut |_| ask("list", &large, LISTS), &mut |_| {
            yardstick.raw(place, "list", LISTS)
        }],
    )?;
    let listed = BenchRow::rates(
        "mem serve, 3,200 pages of 10,000",
        "the query",
        times,
        LISTS,
    );
    rows.push(listed.at_most(LIST_RATIO_MAX));
    rows.push(search(&yardstick, server, &large)?);
    Ok(rows)
}

/// Searches over 10,000 memories, one after the other: what the slowest of a hundred takes.
fn search(yardstick: &Yardstick, server: &ServerProcess, store: &str) -> anyhow::Result<BenchRow> {
    let (first, _) = yardstick.ask(server.address, "search", store, 1, 1)?;
    let (all, slow) = yardstick.ask(server.address, "search", store, 1, SEARCHES)?;
    let (crowd, _) = yardstick.ask(server.address, "search", store, AT_ONCE, SEARCHES)?;
    let words = format!(
        "p99; mean {:.1} ms, the first {:.0} ms, {:.0} a second over 64 connections",
        all.as_secs_f64() * 1e3 / SEARCHES as f64,
        first.as_secs_f64() * 1e3,
        SEARCHES as f64 / crowd.as_secs_f64()
    );
    let row = BenchRow::alone("mem serve, memory_search in 10,000", slow);
    Ok(row.within(SEARCH_MS_MAX).also(words))
}

/// What a server takes with 100 stores of 1,000 memories, each of which was searched.
pub(crate) fn measure_memory(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let yardstick = Yardstick::build()?;
    let server = ServerProcess::serve(bench, &env, None)?;
    let idle = server.resident_mb()?;
    let stores = yardstick.fill(server.address, 100, 1_000)?;
    let filled = server.resident_mb()?;
    let mut all = Duration::ZERO;
    for _ in 0..2 {
        for store in &stores {
            all += yardstick.ask(server.address, "search", store, 1, 1)?.0;
        }
    }
    let words = format!(
        "resident MB {idle:.0} idle, {filled:.0} filled, {:.0} searched (200)",
        server.resident_mb()?
    );
    let subject = "mem serve, a search in each of 100 stores of 1,000";
    Ok(vec![BenchRow::alone(subject, all / 200).also(words)])
}

fn path(place: &Path) -> anyhow::Result<&str> {
    place.to_str().context("a temporary path is text")
}
