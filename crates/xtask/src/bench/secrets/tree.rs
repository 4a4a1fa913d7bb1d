//! A tree of 200 MB of real source: that of the dependencies, as cargo keeps it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use mem_tests::TestEnv;

use super::peer::{self, CODES};
use crate::bench::Bench;
use crate::bench::row::BenchRow;
use crate::bench::timing::interleave_ending;
use crate::bench::usage::{self, CommandUsage};
use crate::run::output_of;
use crate::workspace::cargo;

/// Bytes of the tree.
const TREE_BYTES: u64 = 200 << 20;
/// Larger files are data, not source.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Copies of the sources, should there be too few of them.
const COPIES_MAX: usize = 64;

/// The tree beside the peer whose time is worth waiting for.
pub(crate) fn measure_tree(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let tree = env.work().join("tree");
    let bytes = grow(&tree)?;
    let mut peers = peer::installed();
    // The others take minutes.
    peers.retain(|peer| peer.name == "kingfisher");
    let runs = bench.runs.div_ceil(10);
    let peers: Vec<_> = peers.into_iter().map(|peer| (peer, runs)).collect();
    let rows = peer::rows(
        "mem scan DIR",
        &peers,
        runs,
        |_| Ok(vec![scan(bench, &env, &tree)]),
        |peer| peer.command(&env, &tree),
    )?;
    let ours = usage::of(&scan(bench, &env, &tree), env.root());
    let besides = peers
        .iter()
        .map(|(peer, _)| usage::of(&peer.command(&env, &tree), env.root()));
    let besides: Vec<Option<CommandUsage>> = besides.collect();
    let also = |(row, place): (BenchRow, usize)| {
        let beside = besides.get(place).copied().flatten();
        row.at_most(0.6).also(words(bytes, ours, beside))
    };
    Ok(rows.into_iter().zip(0..).map(also).collect())
}

/// All processors beside one of them.
pub(crate) fn measure_cores(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let tree = env.work().join("tree");
    grow(&tree)?;
    let cores = std::thread::available_parallelism()?;
    let medians = interleave_ending(
        CODES,
        bench.runs.div_ceil(10),
        |_| Ok(vec![scan(bench, &env, &tree)]),
        |_| {
            let mut one = env.command("taskset");
            one.args(["-c", "0"]).arg(&bench.binary);
            one.arg("scan").arg(&tree);
            Ok(vec![one])
        },
    )?;
    let row = BenchRow::new("mem scan DIR", "taskset -c 0 mem scan DIR", medians);
    Ok(vec![row.also(format!("cores {cores} / 1"))])
}

fn scan(bench: &Bench, env: &TestEnv, tree: &Path) -> Command {
    let mut mem = env.command(&bench.binary);
    mem.args(["scan", "--quiet"]).arg(tree);
    mem
}

/// Processor time, throughput and memory of both.
fn words(bytes: u64, ours: Option<CommandUsage>, beside: Option<CommandUsage>) -> String {
    let Some(ours) = ours else {
        return String::new();
    };
    let rate = |usage: CommandUsage| bytes as f64 / 1e6 / usage.cpu;
    let both = |figure: &dyn Fn(CommandUsage) -> String| match beside {
        Some(beside) => format!("{} / {}", figure(ours), figure(beside)),
        None => figure(ours),
    };
    format!(
        "CPU s {}; MB for each {}; peak MB {}",
        both(&|usage| format!("{:.2}", usage.cpu)),
        both(&|usage| format!("{:.0}", rate(usage))),
        both(&|usage| format!("{:.0}", usage.peak)),
    )
}

/// Copies sources until there are enough; their bytes.
fn grow(tree: &Path) -> anyhow::Result<u64> {
    let mut sources = Vec::new();
    collect(&registry()?, &mut sources);
    // The same tree wherever cargo keeps them.
    sources.sort();
    let mut bytes = 0;
    for copy in 0..COPIES_MAX {
        for (number, source) in sources.iter().enumerate() {
            if bytes >= TREE_BYTES {
                return Ok(bytes);
            }
            let name = source.file_name().context("a file has a name")?;
            let folder = tree.join(format!("{copy}/{}/{number}", number / 100));
            fs::create_dir_all(&folder)?;
            bytes += fs::copy(source, folder.join(name))?;
        }
    }
    Ok(bytes)
}

/// Where cargo keeps the sources of this workspace's dependencies.
fn registry() -> anyhow::Result<PathBuf> {
    let text = output_of(&mut cargo(["metadata", "--format-version", "1"]))?;
    let path = text
        .split('"')
        .find(|word| word.contains("/registry/src/") && word.ends_with("Cargo.toml"));
    let path = Path::new(path.context("no dependency comes from a registry")?);
    let folder = path.ancestors().nth(2);
    Ok(folder.context("a registry has a folder")?.to_owned())
}

/// The files below a folder that are source.
fn collect(folder: &Path, sources: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_dir() {
            collect(&entry.path(), sources);
        } else if metadata.is_file() && metadata.len() <= FILE_BYTES_MAX {
            sources.push(entry.path());
        }
    }
}
