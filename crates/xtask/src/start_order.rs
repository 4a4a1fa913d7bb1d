//! `cargo xtask start-order`: the functions that every start runs, for the linker to lay side by side.
//!
//! They are 500 of 48,000 and have 0.2 of 20 MB of code. Wherever they lie by chance, each costs a page fault.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use anyhow::Context as _;

use crate::run::run;
use crate::workspace::{cargo, root, target};

/// What the file says of itself; the linker leaves such lines out.
const HEAD: &str = "# The functions that `mem path` runs, as `cargo xtask start-order` found them. The linker lays them side by side;
# a name that it does not find changes nothing. Names hold for one release of the compiler.
";

/// Builds the binary with its names, runs it under valgrind, and writes `crates/mem/start.order`.
pub(crate) fn write_order() -> anyhow::Result<()> {
    let built = target().join("start-order");
    let mut build = cargo(["build", "--release", "--package", "mem"]);
    // Not by the profile: cargo puts a hash of that into every name.
    build.env("RUSTFLAGS", "-Cstrip=none");
    run(build.env("CARGO_TARGET_DIR", &built))?;
    let profile = built.join("callgrind.out");
    let mut start = Command::new("valgrind");
    start.args(["--tool=callgrind", "--demangle=no"]);
    start.arg(format!("--callgrind-out-file={}", profile.display()));
    start.arg(built.join("release/mem")).arg("path");
    run(start.current_dir(root())).context("the order of a start needs valgrind")?;
    let profile = fs::read_to_string(&profile)?;
    let names = called_functions(&profile);
    let lines: String = names.iter().flat_map(|name| [*name, "\n"]).collect();
    fs::write(
        root().join("crates/mem/start.order"),
        [HEAD, &lines].concat(),
    )?;
    println!("crates/mem/start.order: {} functions", names.len());
    Ok(())
}

/// The functions of Rust's that a profile of callgrind names: `fn=(12) name`, and `name'2` where it calls itself.
fn called_functions(profile: &str) -> BTreeSet<&str> {
    let named = profile.lines().filter_map(|line| {
        let rest = line
            .strip_prefix("fn=")
            .or_else(|| line.strip_prefix("cfn="))?;
        let (_, name) = rest.split_once(") ")?;
        Some(name.split('\'').next().unwrap_or(name))
    });
    named
        .filter(|name| name.starts_with("_ZN") || name.starts_with("_R"))
        .collect()
}
