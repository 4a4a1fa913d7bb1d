//! `cargo xtask ci`: what `.ci/run` runs. Stops at the first failure.

use crate::run::{run as run_command, step};
use crate::workspace::{cargo, has_cargo_tool, release_binary, succeeds, target};

/// Every step, the quick ones first.
pub(crate) fn run() -> anyhow::Result<()> {
    step("format", || {
        run_command(&mut cargo(["fmt", "--all", "--check"]))
    })?;
    step("lints", || {
        let scope = ["clippy", "--workspace", "--all-targets", "--quiet"];
        run_command(cargo(scope).args(["--", "-D", "warnings"]))?;
        // The build for a laptop, which no other step makes.
        let scope = ["clippy", "--package", "mem", "--no-default-features"];
        run_command(cargo(scope).args(["--quiet", "--", "-D", "warnings"]))?;
        // Each view alone.
        for view in ["browse", "console"] {
            let scope = ["clippy", "--package", "mem-views", "--features", view];
            run_command(cargo(scope).args(["--quiet", "--", "-D", "warnings"]))?;
        }
        Ok(())
    })?;
    step("documentation", || {
        let mut doc = cargo(["doc", "--workspace", "--no-deps", "--quiet"]);
        doc.arg("--document-private-items");
        run_command(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    step("house rules", || {
        let scope = ["test", "--quiet", "--package", "mem-tests"];
        run_command(cargo(scope).args(["--test", "runner", "tidy::"]))
    })?;
    // Through cargo, so that the README's own words are what is tested.
    step("tests", || {
        let mut tests = cargo(["xtask", "test"]);
        run_command(tests.env("INSTA_UPDATE", "no").env("NEXTEST_PROFILE", "ci"))
    })?;
    step("tour", tour)?;
    step("packages", packages)?;
    step("crates", crates)?;
    step("dependencies", dependencies)?;
    println!("== all steps passed");
    Ok(())
}

/// The README's first command, once there is a tour.
fn tour() -> anyhow::Result<()> {
    let mem = ["run", "--release", "--quiet", "--"];
    run_command(&mut cargo(["build", "--release", "--quiet"]))?;
    if !succeeds(cargo(mem).args(["help", "tour"])) {
        println!("skipped: `mem tour` does not exist");
        return Ok(());
    }
    run_command(cargo(mem).arg("tour"))
}

/// Every package, from the binary that the tour built, and each installed.
fn packages() -> anyhow::Result<()> {
    let binary = release_binary();
    let dist = ["xtask", "dist", "--verify", "--binary"];
    run_command(cargo(dist).arg(binary))
}

/// What is uploaded to crates.io, each crate within what it takes.
fn crates() -> anyhow::Result<()> {
    const BYTES_MAX: u64 = 10 * 1024 * 1024;
    let made = target().join("package");
    if made.exists() {
        std::fs::remove_dir_all(&made)?;
    }
    let mut package = cargo(["package", "--workspace", "--no-verify", "--quiet"]);
    package.args(["--allow-dirty", "--exclude", "xtask"]);
    run_command(package.args(["--exclude", "mem-tests"]))?;
    for entry in std::fs::read_dir(made)? {
        let path = entry?.path();
        let bytes = path.metadata()?.len();
        if path.extension().is_some_and(|end| end == "crate") {
            println!("{bytes:>10}  {}", path.display());
            anyhow::ensure!(
                bytes < BYTES_MAX,
                "`{}` is too large for crates.io",
                path.display()
            );
        }
    }
    Ok(())
}

/// Licences, bans and sources; advisories too where their database can be fetched.
fn dependencies() -> anyhow::Result<()> {
    if !has_cargo_tool("deny") {
        println!("skipped: cargo-deny is not installed");
        return Ok(());
    }
    if succeeds(&mut cargo(["deny", "fetch", "db"])) {
        return run_command(&mut cargo(["deny", "check"]));
    }
    println!("advisories are left out: their database cannot be fetched");
    run_command(&mut cargo(["deny", "check", "bans", "licenses", "sources"]))
}
