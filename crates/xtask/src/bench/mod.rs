//! `cargo xtask bench`: whole processes beside what people compare them with.
//!
//! Ratios of medians from one interleaved run, because absolute times say more about the machine
//! than about the program.

mod agents;
mod console;
mod daemon;
mod dream;
mod extract;
mod faults;
mod history;
mod list;
mod mcp;
mod path;
mod process;
mod recall;
mod records;
mod row;
mod save;
mod secrets;
mod server;
mod stores;
mod stores_client;
mod sync;
mod syncs;
mod timing;
mod usage;
mod verify;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use mem_tests::TestEnv;

use crate::run::run as run_command;
use crate::workspace::{cargo, release_binary, succeeds, target};
use row::BenchRow;
use verify::Round;

/// Arguments of `cargo xtask bench`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Run only scenarios whose name begins so
    #[arg(long)]
    only: Option<String>,
    /// Timed runs of each side; the large scenarios take a quarter
    #[arg(long, default_value_t = 40)]
    runs: usize,
    /// Time this binary instead of the release build
    #[arg(long)]
    binary: Option<PathBuf>,
    /// So long an idle daemon is looked at, in seconds
    #[arg(long, default_value_t = 60)]
    idle: u64,
    /// Also time a release build from nothing
    #[arg(long)]
    clean_build: bool,
}

/// What every scenario is given.
pub(crate) struct Bench {
    /// The binary that is measured.
    pub binary: PathBuf,
    /// Timed runs of each side.
    pub runs: usize,
    /// So long an idle daemon is looked at.
    pub idle: std::time::Duration,
}

impl Bench {
    /// A run of the binary in a folder.
    pub(crate) fn mem(&self, env: &TestEnv, folder: &Path, args: &[&str]) -> Command {
        program(env, &self.binary, folder, args)
    }

    /// The same with a file on its standard input.
    pub(crate) fn fed(&self, env: &TestEnv, folder: &Path, args: &[&str], input: &Path) -> Command {
        let script = "input=$1; shift; exec \"$@\" <\"$input\"";
        let mut shell = program(env, "sh", folder, ["-c", script, "sh"]);
        shell.arg(input).arg(&self.binary).args(args);
        shell
    }
}

/// A run of a program in a folder.
fn program<A: AsRef<OsStr>>(
    env: &TestEnv,
    name: impl AsRef<OsStr>,
    folder: &Path,
    args: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = env.command(name);
    command.args(args).current_dir(folder);
    command
}

/// A scenario: its name, the command it needs, and the measurement.
type Scenario = (
    &'static str,
    &'static str,
    fn(&Bench) -> anyhow::Result<Vec<BenchRow>>,
);

const SCENARIOS: &[Scenario] = &[
    ("path", "path", path::measure),
    ("list 1,000", "list", |bench| {
        list::measure(bench, 1_000, bench.runs)
    }),
    ("list 10,000", "list", |bench| {
        list::measure(bench, 10_000, bench.runs.div_ceil(4))
    }),
    ("console, 10,000", "console", console::measure),
    ("save into 300", "save", |bench| save::measure(bench, 300)),
    ("save into 5,000", "save", |bench| {
        save::measure(bench, 5_000)
    }),
    ("history of 2,000", "history", history::measure),
    ("recall in 1,000", "recall", |bench| {
        recall::files::measure(bench, 1_000, bench.runs)
    }),
    ("recall in 10,000", "recall", |bench| {
        recall::files::measure(bench, 10_000, bench.runs.div_ceil(2))
    }),
    ("recall, first", "recall", recall::files::measure_first),
    (
        "recall, one changed",
        "recall",
        recall::files::measure_changed,
    ),
    ("recall library", "recall", recall::measure_library),
    ("mcp", "mcp", mcp::measure),
    ("records, store", "record", records::measure_store),
    ("records, retrieve", "record", records::measure_retrieve),
    (
        "hook, prompt in 1,000",
        "hook",
        recall::hook::measure_prompt,
    ),
    ("hook, prompt by host", "hook", recall::hook::measure_hosts),
    ("hook, a file", "hook", recall::hook::measure_file),
    ("hook, session end", "hook", recall::hook::measure_end),
    ("session of 100 MB", "session", agents::measure_transcript),
    ("extract of 100 MB", "extract", extract::measure),
    ("memory tool", "tool", agents::measure_tool),
    ("dream, 90 days", "dream", dream::measure),
    ("daemon, 500 memories", "daemon", daemon::idle::measure_one),
    ("daemon, 20 of them", "daemon", daemon::idle::measure_twenty),
    ("daemon, recall", "daemon", daemon::measure_recall),
    ("daemon, push", "serve", daemon::sharing::measure_push),
    ("daemon, storm", "serve", daemon::sharing::measure_storm),
    ("scan 1", "scan", |bench| {
        secrets::files::measure(bench, 1, "mem scan FILE", [0.3, 20.0])
    }),
    ("scan 500", "scan", |bench| {
        secrets::files::measure(bench, 500, "mem scan DIR", [0.25, 60.0])
    }),
    ("scan tree", "scan", secrets::tree::measure_tree),
    ("scan cores", "scan", secrets::tree::measure_cores),
    ("scan library", "scan", secrets::library::measure_library),
    ("scan hostile", "scan", secrets::library::measure_hostile),
    ("scan history", "scan", secrets::history::measure_history),
    ("push", "hook", |bench| {
        secrets::history::measure_push(bench, false)
    }),
    ("push again", "hook", |bench| {
        secrets::history::measure_push(bench, true)
    }),
    ("verify 200", "verify", |bench| {
        verify::measure(bench, Round::First)
    }),
    ("verify edited", "verify", |bench| {
        verify::measure(bench, Round::Edited)
    }),
    ("verify again", "verify", |bench| {
        verify::measure(bench, Round::Again)
    }),
    ("sync over HTTP", "team", sync::http::measure),
    ("sync over git", "team", sync::git::measure),
    ("server, SQLite", "serve", server::measure_sqlite),
    ("server, PostgreSQL", "serve", server::measure_postgres),
    ("replicas", "serve", server::replicas::measure),
    ("encryption", "encrypt", server::encryption::measure),
    (
        "encryption, recall",
        "encrypt",
        recall::files::measure_sealed,
    ),
    ("stores, SQLite", "serve", stores::measure_sqlite),
    ("stores, PostgreSQL", "serve", stores::measure_postgres),
    ("stores, 100 of 1,000", "serve", stores::measure_memory),
    ("stores, import", "serve", stores_client::measure_import),
    ("stores, attached", "serve", stores_client::measure_offline),
    ("faults", "serve", faults::measure),
];

/// Builds what is measured.
const BUILD: [&str; 5] = ["build", "--release", "--quiet", "--package", "mem"];

/// Measures and prints a Markdown table.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if args.binary.is_none() {
        run_command(&mut cargo(BUILD))?;
    }
    let bench = Bench {
        // Absolute: the sides run in folders of their own.
        binary: std::path::absolute(args.binary.clone().unwrap_or_else(release_binary))?,
        runs: args.runs.max(4),
        idle: std::time::Duration::from_secs(args.idle),
    };
    println!("{}", row::HEADER);
    for (name, command, measure) in SCENARIOS {
        if args
            .only
            .as_ref()
            .is_some_and(|only| !name.starts_with(&**only))
        {
            continue;
        }
        let mut help = Command::new(&bench.binary);
        if succeeds(help.args(["help", command])) {
            for row in measure(&bench)? {
                println!("{}", row.markdown(name));
            }
        } else {
            println!("| {name} | `mem {command}` does not exist | | | | | |");
        }
    }
    let bytes = std::fs::metadata(&bench.binary)?.len();
    println!("\nBinary: {:.1} MB", bytes as f64 / 1e6);
    if args.clean_build {
        println!("Release build from nothing: {:.0} s", clean_build()?);
    }
    Ok(())
}

/// Builds into an empty target directory; seconds.
fn clean_build() -> anyhow::Result<f64> {
    let folder = target().join("clean-build");
    let start = Instant::now();
    let mut build = cargo(BUILD);
    run_command(build.arg("--target-dir").arg(&folder))?;
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_dir_all(folder)?;
    Ok(seconds)
}
