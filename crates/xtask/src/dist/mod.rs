//! `cargo xtask dist`: the packages of a release, in `target/dist`.
//!
//! ```text
//! platform.rs   for which systems and processors, and their names
//! build.rs      the binary, for the oldest glibc that Rust itself supports
//! release.rs    what every package carries: binary, completions, manual pages, licences
//! archive.rs    the .tar.gz, and the tar of the others
//! wheel.rs npm.rs deb.rs rpm.rs    the packages
//! sbom.rs       what the binary is made of
//! formula.rs    the Homebrew formula and the shell installer, of all platforms that were packed
//! verify.rs     each package installed into a prefix of its own, and the tour run from there
//! ```
//!
//! The same commit gives the same bytes: times are those of the commit, owners nobody's, orders fixed.

mod archive;
mod build;
mod deb;
mod formula;
mod npm;
mod platform;
mod release;
mod rpm;
mod sbom;
mod verify;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::workspace::{empty_folder, target};
use platform::System;
use release::Release;

/// The name of the packages: that of the command alone is taken everywhere.
const PACKAGE: &str = "mem-for-agents";
/// What a package says of itself.
const SUMMARY: &str =
    "The memory of coding agents: Markdown files beside your code, shared by agents and teams";

/// The sums of all files.
const SUMS: &str = "SHA256SUMS";

/// Arguments of `cargo xtask dist`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Pack this binary instead of building one: it runs on machines with the libraries of this one
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Install each package into an empty prefix and run the tour from there
    #[arg(long)]
    verify: bool,
    /// The folder that the release is published in, as the formula and the installer name it
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Build and pack nothing: write formula, installer and sums of the packages in this folder, from all platforms
    #[arg(long, value_name = "DIR", conflicts_with_all = ["binary", "verify"])]
    collect: Option<PathBuf>,
}

/// Builds, packs, sums up.
pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    if let Some(folder) = &args.collect {
        return finish(packages_in(folder)?, folder, version, args.url.as_deref()).map(drop);
    }
    let binary = match &args.binary {
        Some(binary) => binary.clone(),
        None => build::build_portable()?,
    };
    let release = Release::gather(&binary)?;
    let dist = target().join("dist");
    // A package of an earlier version beside those of this one would be summed up with them.
    empty_folder(&dist)?;
    let mut packages = vec![
        archive::archive(&release)?,
        wheel::wheel(&release)?,
        sbom::sbom(&release)?,
    ];
    if release.platform.system == System::Linux {
        packages.push(deb::deb(&release)?);
        packages.push(rpm::rpm(&release)?);
    }
    packages.extend(npm::packages(&release)?);
    for package in &packages {
        write(&dist.join(&package.file_name), &package.bytes)?;
    }
    let packages = finish(packages, &dist, version, args.url.as_deref())?;
    println!("in {}", dist.display());
    if args.verify {
        verify::verify(&dist, &packages)?;
    }
    Ok(())
}

/// Writes what is there once for all platforms, and the sums of all.
fn finish(
    mut packages: Vec<Package>,
    folder: &Path,
    version: &str,
    url: Option<&str>,
) -> anyhow::Result<Vec<Package>> {
    let fronts = formula::fronts(&packages, version, url);
    for package in &fronts {
        write(&folder.join(&package.file_name), &package.bytes)?;
    }
    packages.extend(fronts);
    packages.sort_by(|a, b| a.file_name.cmp(&b.file_name));
    let line = |package: &Package| format!("{}  {}\n", sha256(&package.bytes), package.file_name);
    let sums: String = packages.iter().map(line).collect();
    write(&folder.join(SUMS), sums.as_bytes())?;
    for package in &packages {
        println!("{:>10}  {}", package.bytes.len(), package.file_name);
    }
    Ok(packages)
}

/// The packages that other runs left in a folder.
fn packages_in(folder: &Path) -> anyhow::Result<Vec<Package>> {
    let mut packages = Vec::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name =
            name.filter(|name| name != SUMS && name != "install.sh" && !name.ends_with(".rb"));
        if let (Some(file_name), true) = (name, path.is_file()) {
            let bytes = fs::read(&path)?;
            packages.push(Package { file_name, bytes });
        }
    }
    Ok(packages)
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
