//! Over a server: `mem serve` with SQLite.

use std::time::Instant;

use mem_tests::TestEnv;
use serde_json::json;

use super::person::Person;
use super::request_count::Proxy;
use super::{files, pull};
use crate::bench::process::ServerProcess;
use crate::bench::row::BenchRow;
use crate::bench::timing::{in_turn, time_of};
use crate::bench::{Bench, syncs};

/// The store that a bare round trip writes to.
const BARE: &str = "acme/bare";
/// What a run of `mem` is measured beside.
const FLOOR: &str = "mem --version; find -printf";
/// Beyond its start and the listing, a push may take so many bare round trips.
const ROUND_TRIPS_MAX: f64 = 2.0;
/// A round that the timing does not use.
const COUNTED_ROUND: usize = 2_000;

/// A push of one file, a sync without a change, and a pull of everything.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    files::into_git(&env, "origin.git", "refs/heads/main")?;
    let server = ServerProcess::serve(bench, &env, None)?;
    files::into_server(server.address, "acme/app")?;
    let url = format!("http://{}", server.address);
    let ann = Person::new(bench, &env, "ann", &url)?;
    ann.run(&["team", "pull"])?;
    let [pushed, synced] = counted(bench, &env, &server)?;
    let (push, bare) = push(bench, &ann, &server)?;
    let nothing = nothing(bench, &ann)?;
    let pull = pull::measure(bench, &env, &url)?;
    Ok(vec![push.also(pushed), bare, nothing.also(synced), pull])
}

/// A push of one changed file: the whole of it, and what is left of it beside the bare round trip.
fn push(
    bench: &Bench,
    ann: &Person<'_>,
    server: &ServerProcess,
) -> anyhow::Result<(BenchRow, BenchRow)> {
    let folder = ann.team()?;
    let mut etag = files::into_server(server.address, BARE)?;
    let mut round_trip = |round: usize| {
        let body = json!({"entries": {files::name(round): files::text(round, round + 1)}});
        let start = Instant::now();
        etag = files::put(server.address, BARE, &body, Some(&etag))?;
        Ok(start.elapsed())
    };
    let [push, start, listing, trip] = in_turn(
        3,
        bench.runs,
        &mut [
            &mut |round| {
                files::change(&folder, round)?;
                time_of(vec![ann.mem(&["team", "push"])])
            },
            &mut |_| time_of(vec![ann.mem(&["--version"])]),
            &mut |_| time_of(vec![ann.listing(&folder)]),
            &mut round_trip,
        ],
    )?;
    let beside = start + listing;
    let beyond = [push.saturating_sub(beside), trip];
    let subject = "mem team push, one of 10,000 over HTTP";
    let whole = BenchRow::new(subject, FLOOR, [push, beside]);
    let rest = BenchRow::new("the same, beyond these", "the same PUT, bare", beyond);
    Ok((whole, rest.at_most(ROUND_TRIPS_MAX)))
}

/// A sync where nothing happened.
fn nothing(bench: &Bench, ann: &Person<'_>) -> anyhow::Result<BenchRow> {
    let folder = ann.team()?;
    let sync = || ann.mem(&["team", "sync"]);
    let medians = in_turn(
        3,
        bench.runs,
        &mut [&mut |_| time_of(vec![sync()]), &mut |_| {
            time_of(vec![ann.mem(&["--version"]), ann.listing(&folder)])
        }],
    )?;
    let subject = "mem team sync, nothing new over HTTP";
    Ok(BenchRow::new(subject, FLOOR, medians))
}

/// What somebody asks through a proxy, in words: for a push, and for a sync where nothing happened.
fn counted(bench: &Bench, env: &TestEnv, server: &ServerProcess) -> anyhow::Result<[String; 2]> {
    let proxy = Proxy::to(server.address)?;
    let ben = Person::new(bench, env, "ben", &format!("http://{}", proxy.address))?;
    ben.run(&["team", "pull"])?;
    let folder = ben.team()?;
    proxy.take();
    let size = files::change(&folder, COUNTED_ROUND)?;
    ben.run(&["team", "push"])?;
    let pushed = proxy.take();
    // Whatever was read again because its time could not show a change is settled by the first one.
    ben.run(&["team", "sync"])?;
    proxy.take();
    let opened = syncs::notes_opened(&ben.mem(&["team", "sync"]), env.root());
    let synced = proxy.take();
    let opened = opened.map_or_else(String::new, |notes| format!(", notes opened {notes}"));
    let goal = size * 6 / 5 + 2_048;
    Ok([
        format!("{}; bytes sent {} ({goal})", pushed.words(), pushed.sent),
        format!("{}{opened}", synced.words()),
    ])
}
