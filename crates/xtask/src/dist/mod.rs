//! `cargo xtask dist`: a release archive and its checksums, in `target/dist`.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;
use sha2::{Digest, Sha256};

use crate::run::run as run_command;
use crate::workspace::{cargo, release_binary, root, target};

/// What an archive carries beside the binary.
const PAPERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Shells, and what they call a completion file.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "mem.bash"),
    ("zsh", "_mem"),
    ("fish", "mem.fish"),
    ("elvish", "mem.elv"),
    ("powershell", "mem.ps1"),
];

/// Builds, gathers, packs and sums up.
pub(crate) fn run() -> anyhow::Result<()> {
    run_command(&mut cargo([
        "build",
        "--release",
        "--locked",
        "--package",
        "mem",
    ]))?;
    let name = format!("mem-{}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let dist = target().join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    gather(&folder)?;
    let archive = format!("{name}.tar.gz");
    let mut tar = Command::new("tar");
    run_command(tar.current_dir(&dist).args(["-czf", &archive, &name]))?;
    let sums = format!("{}  {archive}\n", sha256(&dist.join(&archive))?);
    write(&dist.join("SHA256SUMS"), sums.as_bytes())?;
    println!("{}\n{sums}", dist.join(archive).display());
    Ok(())
}

/// Fills the folder that becomes the archive.
fn gather(folder: &Path) -> anyhow::Result<()> {
    let binary = release_binary();
    fs::create_dir_all(folder.join("completions"))?;
    fs::copy(&binary, folder.join("mem")).context("cannot copy the binary")?;
    for paper in PAPERS {
        fs::copy(root().join(paper), folder.join(paper))
            .with_context(|| format!("cannot copy `{paper}`"))?;
    }
    for (shell, file) in COMPLETIONS {
        let script = Command::new(&binary)
            .args(["completions", shell])
            .output()?;
        anyhow::ensure!(script.status.success(), "no completions for {shell}");
        write(&folder.join("completions").join(file), &script.stdout)?;
    }
    run_command(
        Command::new(&binary)
            .args(["man", "--quiet"])
            .arg(folder.join("man")),
    )
}

/// The target that this compiler builds for.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8(output.stdout)?;
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.context("rustc does not tell its host")?.to_owned())
}

/// The sha256 of a file in lower-case hexadecimal.
fn sha256(path: &Path) -> anyhow::Result<String> {
    let sum = Sha256::digest(fs::read(path)?);
    Ok(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a file of the archive.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
}
