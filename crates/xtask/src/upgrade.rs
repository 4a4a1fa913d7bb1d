//! Whether replicas of an earlier version work beside this one: builds it, and runs the test of a rolling upgrade.

use std::env;
use std::process::Command;

use clap::Args as ClapArgs;

use crate::run::{run, step};
use crate::workspace::{cargo, root, target};

/// The test, which is left out of ordinary runs.
const TEST: &str = "http::upgrade::replicas_of_two_versions_serve_one_database";

/// Which version is upgraded
#[derive(Debug, ClapArgs)]
pub(crate) struct Args {
    /// A commit or tag of the version before
    #[arg(default_value = "before-organisations")]
    from: String,
}

/// Builds the earlier version in a folder of the target directory, and tests it beside this one.
///
/// # Errors
/// There is no such commit, it does not build, or the test fails.
pub(crate) fn run_upgrade(args: &Args) -> anyhow::Result<()> {
    let earlier = target().join("upgrade");
    let checkout = earlier.join("checkout");
    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(arguments).current_dir(root());
        git
    };
    step("checkout", || {
        if checkout.exists() {
            let mut remove = git(&["worktree", "remove", "--force"]);
            run(remove.arg(&checkout))?;
        }
        let mut add = git(&["worktree", "add", "--detach"]);
        run(add.arg(&checkout).arg(&args.from))
    })?;
    let built = earlier.join("target");
    step("build of the version before", || {
        let mut build = cargo(["build", "--package", "mem"]);
        build.current_dir(&checkout);
        run(build.env("CARGO_TARGET_DIR", &built))
    })?;
    step("both versions over one database", || {
        let mut test = cargo(["test", "--package", "mem-server", "--test", "runner", "--"]);
        test.args(["--ignored", "--exact", TEST]);
        let before = built
            .join("debug")
            .join(format!("mem{}", env::consts::EXE_SUFFIX));
        run(test.env("MEM_BIN_BEFORE", before))
    })
}
