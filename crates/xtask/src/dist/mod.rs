//! `cargo xtask dist`: the packages of a release, in `target/dist`.
//!
//! ```text
//! build.rs      the binary, for the oldest glibc that Rust itself supports
//! release.rs    what every package carries: binary, completions, manual pages, licences
//! archive.rs    the .tar.gz, and the tar of the others
//! wheel.rs npm.rs deb.rs rpm.rs    the packages
//! sbom.rs       what the binary is made of
//! verify.rs     each package installed into a prefix of its own, and the tour run from there
//! ```
//!
//! The same commit gives the same bytes: times are those of the commit, owners nobody's, orders fixed.

mod archive;
mod build;
mod deb;
mod npm;
mod release;
mod rpm;
mod sbom;
mod verify;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::workspace::target;
use release::Release;

/// The name of the packages: that of the command alone is taken everywhere.
const PACKAGE: &str = "mem-for-agents";
/// What a package says of itself.
const SUMMARY: &str =
    "The memory of coding agents: Markdown files beside your code, shared by agents and teams";

/// Arguments of `cargo xtask dist`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Pack this binary instead of building one: it runs on machines with the libraries of this one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Install each package into an empty prefix and run the tour from there
    #[arg(long)]
    verify: bool,
}

/// Builds, packs, sums up.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => build::build_portable()?,
    };
    let release = Release::gather(&binary)?;
    let dist = target().join("dist");
    // A package of an earlier version beside those of this one would be summed up with them.
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&dist)?;
    let mut packages = vec![
        archive::archive(&release)?,
        wheel::wheel(&release)?,
        deb::deb(&release)?,
        rpm::rpm(&release)?,
        sbom::sbom(&release)?,
    ];
    packages.extend(npm::packages(&release)?);
    packages.sort_by(|a, b| a.file_name.cmp(&b.file_name));
    let line = |package: &Package| format!("{}  {}\n", sha256(&package.bytes), package.file_name);
    let sums: String = packages.iter().map(line).collect();
    for package in &packages {
        write(&dist.join(&package.file_name), &package.bytes)?;
        println!("{:>10}  {}", package.bytes.len(), package.file_name);
    }
    write(&dist.join("SHA256SUMS"), sums.as_bytes())?;
    println!("in {}", dist.display());
    if args.verify {
        verify::verify(&dist, &packages)?;
    }
    Ok(())
}

/// A file of `target/dist`.
struct Package {
    file_name: String,
    bytes: Vec<u8>,
}

/// The sha256 in lower-case hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}
