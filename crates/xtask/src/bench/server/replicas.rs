//! Two replicas over one PostgreSQL beside one of them, and what an organisation of 100,000 developers would need.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use mem_tests::{TestEnv, postgres};

use super::scale::{self, PeakRates};
use super::yardstick::Yardstick;
use super::{GETS, PUTS, REPOSITORY, TARGET, get, put};
use crate::bench::Bench;
use crate::bench::process::ServerProcess;
use crate::bench::row::BenchRow;
use crate::bench::timing::in_turn;
use crate::test::install_postgres;

/// Of the busiest hour of an organisation.
const DRIVEN_SECONDS: f64 = 20.0;

/// The same requests over two replicas and over one. On one machine both, the database and who asks share its cores: the
/// ratio says what a second replica costs, not what it adds.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    install_postgres();
    let cluster = postgres::Cluster::start();
    let yardstick = Yardstick::build()?;
    let env = TestEnv::new();
    let database = cluster.database();
    let one = ServerProcess::serve(bench, &env, Some(&database))?;
    let other = ServerProcess::serve(bench, &env, Some(&database))?;
    let runs = bench.runs.div_ceil(8);
    let both = |status, count: usize, request: &str| {
        let begun = Instant::now();
        let ask =
            |server: &ServerProcess| yardstick.load(server.address, status, count / 2, request);
        thread::scope(|scope| {
            let first = scope.spawn(|| ask(&one));
            ask(&other)?;
            first.join().ok().context("a run of the load")??;
            anyhow::Ok(begun.elapsed())
        })
    };
    let puts = in_turn(
        1,
        runs,
        &mut [
            &mut |round| both(200, PUTS, &put(2 * round)?),
            &mut |round| yardstick.load(one.address, 200, PUTS, &put(2 * round + 1)?),
        ],
    )?;
    let known = get(&one)?;
    let gets = in_turn(
        1,
        runs,
        &mut [&mut |_| both(304, GETS, &known), &mut |_| {
            yardstick.load(one.address, 304, GETS, &known)
        }],
    )?;
    let peak = scale::simulate();
    let driven = in_turn(
        1,
        runs,
        &mut [&mut |round| drive_peak(&yardstick, &one, &peak, round)],
    )?;
    let rates = |subject, times, count| BenchRow::rates(subject, "one replica", times, count);
    Ok(vec![
        rates("mem serve, 6,400 PUTs, two replicas", puts, PUTS),
        rates("mem serve, 304, two replicas", gets, GETS),
        organisation_row(&peak, driven[0]),
    ])
}

/// Asks one replica, as fast as it answers, for what [`DRIVEN_SECONDS`] of the busiest hour ask for: looks, pulls of a store
/// of 64 memories, and writes to it, all at once.
fn drive_peak(
    yardstick: &Yardstick,
    server: &ServerProcess,
    peak: &PeakRates,
    round: usize,
) -> anyhow::Result<Duration> {
    let pull = format!("GET {TARGET} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    // What is written meanwhile changes the state: the looks are for another store, which nobody writes.
    let look = pull.replace(REPOSITORY, "acme/none");
    let look = look.replace("\r\n\r\n", "\r\nif-none-match: \"0\"\r\n\r\n");
    // Another text than in any round of the writes before.
    let write = put(1_000_000 + round)?;
    let count = |rate: f64| (rate * DRIVEN_SECONDS) as usize;
    let loads = [
        (304, count(peak.looks), &look),
        (200, count(peak.pulls), &pull),
        (200, count(peak.puts), &write),
    ];
    let begun = Instant::now();
    thread::scope(|scope| {
        let all = loads.map(|(status, requests, request)| {
            scope.spawn(move || yardstick.load(server.address, status, requests, request))
        });
        for one in all {
            one.join().ok().context("a run of the load")??;
        }
        anyhow::Ok(begun.elapsed())
    })
}

/// What the model asks for in its busiest hour, beside how fast one replica here answers the same mixture.
fn organisation_row(peak: &PeakRates, driven: Duration) -> BenchRow {
    let PeakRates {
        looks,
        pulls,
        puts,
        bytes_a_day,
    } = peak;
    let times = DRIVEN_SECONDS / driven.as_secs_f64();
    // A replica is planned to two thirds of what it can: the others take over where one ends.
    let replicas = (1.5 / times).ceil().max(2.0);
    let words = format!(
        "{DRIVEN_SECONDS} seconds of its busiest hour, each with {looks:.0} looks (304), {pulls:.0} pulls of 64 memories and \
         {puts:.0} writes: one replica here could serve {times:.1} such organisations, so {replicas:.0} replicas; {:.1} GB of \
         new versions a day",
        bytes_a_day / 1e9
    );
    BenchRow::alone("100,000 developers, one replica", driven).also(words)
}
