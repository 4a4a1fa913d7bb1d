//! Two replicas over one PostgreSQL beside one of them, and what an organisation of 100,000 developers would need.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use mem_tests::{TestEnv, postgres};

use super::scale::{self, PeakRates};
use super::yardstick::Yardstick;
use super::{GETS, PUTS, get, put};
use crate::bench::Bench;
use crate::bench::process::ServerProcess;
use crate::bench::row::BenchRow;
use crate::bench::timing::{Medians, in_turn};
use crate::test::install_postgres;

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
    let rate = |count: usize, took: Duration| count as f64 / took.as_secs_f64();
    let (gets_rate, puts_rate) = (rate(GETS, gets[1]), rate(PUTS, puts[1]));
    Ok(vec![
        BenchRow::rates(
            "mem serve, 6,400 PUTs, two replicas",
            "one replica",
            puts,
            PUTS,
        ),
        BenchRow::rates("mem serve, 304, two replicas", "one replica", gets, GETS),
        organisation_row(gets_rate, puts_rate),
    ])
}

/// What the model asks for at its peak, beside what one replica here answers.
fn organisation_row(gets_rate: f64, puts_rate: f64) -> BenchRow {
    let begun = Instant::now();
    let PeakRates {
        looks,
        pulls,
        puts,
        bytes_a_day,
    } = scale::simulate();
    // A replica is planned to two thirds of what it can: the others take over where one ends.
    let load = (looks + pulls) / gets_rate + puts / puts_rate;
    let replicas = (load * 1.5).ceil().max(2.0);
    let medians = Medians {
        subject: begun.elapsed(),
        beside: None,
    };
    let words = format!(
        "at the peak {looks:.0} looks (304), {pulls:.0} pulls and {puts:.0} writes a second: {load:.2} of one replica here, \
         so {replicas:.0} replicas; {:.1} GB of new versions a day",
        bytes_a_day / 1e9
    );
    BenchRow::new("100,000 developers, a day simulated", "", medians).also(words)
}
