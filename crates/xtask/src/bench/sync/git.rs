//! Over a reference of a git remote: beside git doing the like in a clone.

use std::process::Command;

use mem_tests::TestEnv;

use super::person::Person;
use super::{files, pull};
use crate::bench::row::BenchRow;
use crate::bench::timing::{in_turn, time_of};
use crate::bench::{Bench, program, syncs};

/// Where the files are shared.
const REMOTE: &str = "git:origin";

/// A push of one file, a sync without a change, and a pull of everything.
pub(crate) fn measure(bench: &Bench) -> anyhow::Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    files::into_git(&env, "origin.git", "refs/heads/main")?;
    files::into_git(&env, "origin.git", "refs/mem/team")?;
    let pull = pull::measure(bench, &env, REMOTE)?;
    let ann = Person::new(bench, &env, "ann", REMOTE)?;
    ann.run(&["team", "pull"])?;
    let push = push(bench, &env, &ann)?;
    let nothing = nothing(bench, &env, &ann)?;
    Ok(vec![push, nothing, pull])
}

/// A push of one changed file, beside a commit and a push of it.
fn push(bench: &Bench, env: &TestEnv, ann: &Person<'_>) -> anyhow::Result<BenchRow> {
    let (folder, clone) = (ann.team()?, env.work().join("ann"));
    let git = |args: &[&str]| git(env, args);
    let medians = in_turn(
        1,
        bench.runs.div_ceil(4),
        &mut [
            &mut |round| {
                files::change(&folder, round)?;
                time_of(vec![ann.mem(&["team", "push"])])
            },
            &mut |round| {
                files::change(&clone, round)?;
                time_of(vec![
                    git(&["commit", "--quiet", "--all", "--message=x"]),
                    git(&["push", "--quiet", "origin", "main"]),
                ])
            },
        ],
    )?;
    let subject = "mem team push, one of 10,000 over git";
    let beside = "git -c core.fsync=all commit -a; git push";
    Ok(BenchRow::new(subject, beside, medians))
}

/// A sync where nothing happened, beside asking the remote where its reference is, and a look at all files.
fn nothing(bench: &Bench, env: &TestEnv, ann: &Person<'_>) -> anyhow::Result<BenchRow> {
    ann.run(&["team", "sync"])?;
    let folder = ann.team()?;
    let medians = in_turn(
        1,
        bench.runs.div_ceil(4),
        &mut [
            &mut |_| time_of(vec![ann.mem(&["team", "sync"])]),
            &mut |_| {
                let asked = git(env, &["ls-remote", "--quiet", "origin", "refs/mem/team"]);
                time_of(vec![ann.mem(&["--version"]), asked, ann.listing(&folder)])
            },
        ],
    )?;
    let opened = syncs::notes_opened(&ann.mem(&["team", "sync"]), env.root());
    let opened = opened.map_or_else(String::new, |notes| format!("notes opened {notes}"));
    let subject = "mem team sync, nothing new over git";
    let beside = "mem --version; git ls-remote; find -printf";
    Ok(BenchRow::new(subject, beside, medians).also(opened))
}

/// git in the first clone, as durable as `mem` is.
fn git(env: &TestEnv, args: &[&str]) -> Command {
    let args = [&["-c", "core.fsync=all"], args].concat();
    program(env, "git", &env.work().join("ann"), args)
}
