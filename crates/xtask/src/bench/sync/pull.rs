//! Everything, for the first time: beside a clone of the same files.

use std::process::Command;

use mem_tests::TestEnv;

use super::person::Person;
use crate::bench::Bench;
use crate::bench::row::BenchRow;
use crate::bench::timing::{in_turn, time_of};
use crate::run::run;

/// Each takes seconds.
const RUNS_SHARE: usize = 8;

/// `mem team pull` by somebody who has nothing, beside `git clone`.
pub(super) fn measure(bench: &Bench, env: &TestEnv, remote: &str) -> anyhow::Result<BenchRow> {
    let is_git = remote.starts_with("git:");
    let medians = in_turn(
        1,
        bench.runs.div_ceil(RUNS_SHARE),
        &mut [
            &mut |round| {
                let person = Person::new(bench, env, &format!("new{round}"), remote)?;
                // The setup has fetched already, to tell how much there is: a clone has not.
                person.forget_copies()?;
                settle(env)?;
                time_of(vec![person.mem(&["team", "pull"])])
            },
            &mut |round| {
                settle(env)?;
                time_of(vec![clone_of(env, round)])
            },
        ],
    )?;
    let subject = match is_git {
        true => "mem team pull, 10,000 over git",
        false => "mem team pull, 10,000 over HTTP",
    };
    Ok(BenchRow::new(subject, "git -c core.fsync=all clone file://", medians).at_most(1.0))
}

/// Has the disk take what was written before. Whoever syncs would wait for that too: for the thousands of files of the
/// clone that makes ready for a pull, and of the one that was timed before, which git leaves to the system.
fn settle(env: &TestEnv) -> anyhow::Result<()> {
    run(&mut env.command("sync"))
}

/// A clone of the branch that holds the same files.
fn clone_of(env: &TestEnv, round: usize) -> Command {
    let mut git = env.command("git");
    git.args(["-c", "core.fsync=all", "clone", "--quiet", "--branch=main"]);
    git.arg(format!(
        "file://{}",
        env.work().join("origin.git").display()
    ));
    git.arg(env.root().join(format!("clone{round}")));
    git
}
