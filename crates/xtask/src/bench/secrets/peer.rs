//! Other scanners, with validation and update checks off.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use mem_tests::TestEnv;

use crate::bench::row::BenchRow;
use crate::bench::timing::{BenchSide, alone, interleave_ending};

/// Folders in which peers are looked for before `PATH`, separated as `PATH` is.
const FOLDERS_VARIABLE: &str = "MEM_BENCH_PEERS";
/// How scanners end: nothing found, or something (gitleaks, `mem`, kingfisher).
pub(super) const CODES: &[i32] = &[0, 1, 3, 200, 205];

/// Program, what it is asked, and how it is shown.
const PEERS: [(&str, &[&str], &str); 3] = [
    ("ripsecrets", &[], "ripsecrets"),
    (
        "kingfisher",
        &["scan", "--no-validate", "--no-update-check", "--quiet"],
        "kingfisher scan",
    ),
    (
        "gitleaks",
        &["dir", "--no-banner", "--log-level", "error"],
        "gitleaks dir",
    ),
];

/// A scanner that is installed.
pub(super) struct Peer {
    /// How it is shown.
    pub shown: &'static str,
    /// Its name.
    pub name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
}

impl Peer {
    /// The command that scans a path.
    pub(super) fn command(&self, env: &TestEnv, path: &Path) -> Command {
        let mut command = env.command(&self.program);
        command.args(self.arguments).arg(path);
        command
    }
}

/// Every peer that is installed.
pub(super) fn installed() -> Vec<Peer> {
    let peer = |&(name, arguments, shown): &(&'static str, _, _)| {
        Some(Peer {
            shown,
            name,
            program: find(name)?,
            arguments,
        })
    };
    PEERS.iter().filter_map(peer).collect()
}

/// The program itself: a script that starts it would be measured too.
fn find(name: &str) -> Option<PathBuf> {
    let variables = [FOLDERS_VARIABLE, "PATH"].map(env::var_os);
    let folders = variables.iter().flatten().flat_map(env::split_paths);
    folders.map(|folder| folder.join(name)).find(|program| {
        let mut head = [0; 2];
        let read = File::open(program).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && &head != b"#!"
    })
}

/// A line for each peer, or one for `mem` alone.
pub(super) fn rows(
    subject: &'static str,
    peers: &[(Peer, usize)],
    runs: usize,
    mut mem: impl BenchSide,
    mut other: impl FnMut(&Peer) -> Command,
) -> anyhow::Result<Vec<BenchRow>> {
    if peers.is_empty() {
        return Ok(vec![BenchRow::alone(subject, alone(CODES, runs, mem)?)]);
    }
    let row = |(peer, runs): &(Peer, usize)| {
        let medians = interleave_ending(CODES, *runs, &mut mem, |_| Ok(vec![other(peer)]))?;
        Ok(BenchRow::new(subject, peer.shown, medians))
    };
    peers.iter().map(row).collect()
}
