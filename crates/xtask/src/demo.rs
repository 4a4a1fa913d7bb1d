//! `cargo xtask demo`: the pictures of the README and the docs.

use std::path::Path;

use anyhow::{Context as _, ensure};
use mem_tests::{Console, TestEnv, console};

use crate::run::output_of;
use crate::workspace::{cargo, root};

/// Draws what the tour prints as `docs/demo.svg`, and takes pictures of the console in `docs`.
pub(crate) fn run() -> anyhow::Result<()> {
    let tour = ["run", "--quiet", "--package", "mem", "--", "tour"];
    let tour = output_of(&mut cargo(tour))?;
    let picture = mem_tests::demo::render(&tour).map_err(anyhow::Error::msg)?;
    std::fs::write(root().join("docs/demo.svg"), &picture)?;
    println!("docs/demo.svg: {} bytes", picture.len());
    take_pictures(&root().join("docs"))
}

/// The overview and a memory of a repository that the tests have too, in both colour schemes.
fn take_pictures(folder: &Path) -> anyhow::Result<()> {
    let env = TestEnv::new();
    let repo = console::shop(&env);
    let run = Console::start(&repo).drive("pictures", Some(folder));
    let run = run.context("pictures of the console need chromium")?;
    let said = String::from_utf8_lossy(&run.stdout);
    ensure!(run.status.success(), "no pictures of the console: {said}");
    println!("docs/console-*.png: light and dark");
    Ok(())
}
