//! `cargo xtask demo`: the moving picture of the README, from what the tour prints.

use anyhow::ensure;

use crate::workspace::{cargo, root};

/// Runs the tour and writes `docs/demo.svg`.
pub(crate) fn run() -> anyhow::Result<()> {
    let tour = cargo(["run", "--quiet", "--package", "mem", "--", "tour"]).output()?;
    ensure!(tour.status.success(), "the tour ended with {}", tour.status);
    let tour = String::from_utf8(tour.stdout)?;
    let picture = mem_tests::demo::render(&tour).map_err(anyhow::Error::msg)?;
    std::fs::write(root().join("docs/demo.svg"), &picture)?;
    println!("docs/demo.svg: {} bytes", picture.len());
    Ok(())
}
