//! The client of memory stores: a directory on its way into one, and an attached memory while the server is away.

use std::fs;

use anyhow::Context as _;
use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::Bench;
use super::list::write;
use super::process::ServerProcess;
use super::row::BenchRow;
use super::server::yardstick::Yardstick;
use super::timing::{in_turn, interleave, time_of};
use crate::run::output_of;

/// Files of the directory.
const FILES: usize = 1_000;
const FOLDERS: usize = 20;
/// Connections of who asks without `mem`, as many as it has itself.
const AT_ONCE: usize = 8;
/// What scanning for secrets, reading files and comparing with the store may cost beside the requests.
const IMPORT_RATIO_MAX: f64 = 1.5;
/// What looking for attached stores may cost beside reading a file.
const READ_RATIO_MAX: f64 = 1.5;

/// `mem store import` of 1,000 files, beside as many requests to create a memory.
pub(crate) fn measure_import(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let server = ServerProcess::serve(bench, &env, None)?;
    let yardstick = Yardstick::build()?;
    let folder = env.work().join("notes");
    for number in 0..FOLDERS {
        fs::create_dir_all(folder.join(format!("f{number}")))?;
    }
    for number in 0..FILES {
        let text = format!(
            "Note {number}. {}",
            "What was decided, and why. ".repeat(18)
        );
        write(
            &folder.join(format!("f{}/n{number}.md", number % FOLDERS)),
            &text,
        )?;
    }
    let url = format!("http://{}", server.address);
    let store = || anyhow::Ok(yardstick.fill(server.address, 1, 0)?.remove(0));
    let medians = in_turn(
        1,
        bench.runs.div_ceil(8),
        &mut [
            &mut |_| {
                let store = store()?;
                let args = ["store", "import", &store, "notes", "--base-url", &url];
                time_of(vec![bench.mem(&env, &env.work(), &args)])
            },
            &mut |_| {
                let ask = yardstick.ask(server.address, "create", &store()?, AT_ONCE, FILES)?;
                Ok(ask.0)
            },
        ],
    )?;
    let row = BenchRow::new("mem store import, 1,000 files", "the requests", medians);
    Ok(vec![row.at_most(IMPORT_RATIO_MAX)])
}

/// A view of an attached memory whose server is away, beside one of a file in a directory.
pub(crate) fn measure_offline(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let server = ServerProcess::serve(bench, &env, None)?;
    let url = format!("http://{}", server.address);
    let run = |args: &[&str]| output_of(&mut bench.mem(&env, repo.path(), args));
    let made = run(&["store", "create", "Notes", "--json", "--base-url", &url])?;
    let made: Value = serde_json::from_str(&made)?;
    let store = made["id"].as_str().context("a store has an id")?;
    let text = "What was decided, and why.\n".repeat(20);
    let put = ["store", "put", store, "/a.md", "--body", &text];
    run(&[&put[..], &["--base-url", &url]].concat())?;
    run(&["attach", store, "--base-url", &url])?;
    drop(server);
    env.advance(60);
    let plain = env.work().join("plain");
    fs::create_dir_all(plain.join("memories"))?;
    write(&plain.join("memories/a.md"), &text)?;
    let input = |name: &str, path: &str| {
        let file = env.root().join(name);
        let json = json!({ "command": "view", "path": path }).to_string();
        write(&file, &json).map(|()| file)
    };
    let attached = input("attached.json", "/memories/notes/a.md")?;
    let own = input("own.json", "/memories/a.md")?;
    let root = plain.to_str().context("a temporary path is text")?;
    let medians = interleave(
        bench.runs,
        |_| Ok(vec![bench.fed(&env, repo.path(), &["tool"], &attached)]),
        |_| {
            Ok(vec![bench.fed(
                &env,
                repo.path(),
                &["tool", "--root", root],
                &own,
            )])
        },
    )?;
    let subject = "mem tool, attached, server away";
    let row = BenchRow::new(subject, "mem tool --root", medians);
    Ok(vec![row.at_most(READ_RATIO_MAX)])
}
