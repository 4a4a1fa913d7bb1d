//! `cargo xtask test`: every test, after the set-up that it needs.

use std::process::Command;

use mem_tests::{clients, postgres, screen};

use crate::run::run as run_command;
use crate::workspace::{cargo, has_cargo_tool, succeeds};

/// Arguments of `cargo xtask test`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Handed on to `cargo nextest run`, or to `cargo test` where nextest is not installed
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the binary under test, then runs the tests; the examples of the documentation too,
/// unless the arguments ask for something in particular.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    install_postgres();
    install_tmux();
    install_browser();
    let release = args.rest.iter().any(|word| word == "--release");
    run_command(
        cargo(["build", "--workspace", "--bin", "mem"]).args(release.then_some("--release")),
    )?;
    let mut tests = if has_cargo_tool("nextest") {
        cargo(["nextest", "run", "--workspace"])
    } else {
        cargo(["test", "--workspace", "--lib", "--bins", "--tests"])
    };
    run_command(tests.args(&args.rest))?;
    if args.rest.is_empty() {
        run_command(&mut cargo(["test", "--workspace", "--doc"]))?;
    }
    Ok(())
}

/// PostgreSQL, where it is missing and this may install it. Where it cannot, what needs it fails and says so.
pub(crate) fn install_postgres() {
    if postgres::binaries().is_none() {
        install_package("postgresql", "is started in a throw-away cluster");
    }
}

/// The same with tmux, the terminal of the tests.
fn install_tmux() {
    if !screen::is_installed() {
        install_package("tmux", "is the terminal that tests run programs in");
    }
}

/// Chromium, likewise. Where it cannot be installed, the tests of pages say that they test nothing.
pub(crate) fn install_browser() {
    if clients::installed_browser().is_none() {
        install_package("chromium", "opens the pages of `mem console`");
    }
}

/// Installs a package of Debian, where this is root and has apt.
fn install_package(name: &str, purpose: &str) {
    let is_root = || succeeds(Command::new("sh").args(["-c", "test $(id -u) = 0"]));
    let has_apt = || succeeds(Command::new("apt-get").arg("--version"));
    if !is_root() || !has_apt() {
        return;
    }
    println!("installing {name}, which {purpose}");
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    for args in [
        &["update", "--quiet"][..],
        &[&install[..], &[name]].concat(),
    ] {
        let mut apt = Command::new("apt-get");
        if let Err(error) = run_command(apt.args(args).env("DEBIAN_FRONTEND", "noninteractive")) {
            println!("{error:#}");
            return;
        }
    }
}
