//! Each package installed into a prefix of its own, as its users would, and the tour run from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::Context as _;

use super::Package;
use crate::run::run as run_command;
use crate::workspace::{empty_folder, succeeds, target};

/// Installs what this machine has installers for, and says what it has none for.
///
/// # Errors
/// A package cannot be installed, or the tour fails from it.
pub(super) fn verify(dist: &Path, packages: &[Package]) -> anyhow::Result<()> {
    let prefix = target().join("dist-verify");
    empty_folder(&prefix)?;
    let by_end = |end: &str| -> Vec<PathBuf> {
        let names = packages.iter().map(|package| &package.file_name);
        names
            .filter(|name| name.ends_with(end))
            .map(|name| dist.join(name))
            .collect()
    };
    type Install = fn(&Path, &[PathBuf]) -> anyhow::Result<PathBuf>;
    let ways: [(&str, &str, &str, Install); 5] = [
        ("tar.gz", "tar", ".tar.gz", install_archive),
        ("wheel", "python3", ".whl", install_wheel),
        ("npm", "npm", ".tgz", install_npm),
        ("deb", "dpkg", ".deb", install_deb),
        ("install.sh", "tar", "install.sh", install_by_script),
    ];
    for (name, tool, end, install) in ways {
        if !succeeds(Command::new(tool).arg("--version")) {
            println!("untried  {name}: there is no `{tool}`");
            continue;
        }
        let start = Instant::now();
        let folder = prefix.join(name);
        fs::create_dir_all(&folder)?;
        let binary =
            install(&folder, &by_end(end)).with_context(|| format!("the {name} package"))?;
        let seconds = start.elapsed().as_secs_f64();
        let tour = Command::new(&binary).arg("tour").output()?;
        anyhow::ensure!(
            tour.status.success(),
            "the tour fails from the {name} package: {}",
            String::from_utf8_lossy(&tour.stderr)
        );
        // The script takes the archive.
        let taken = if name == "install.sh" { ".tar.gz" } else { end };
        let bytes: u64 = by_end(taken)
            .iter()
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum();
        println!("verified {name}: {bytes} bytes, installed in {seconds:.1} s");
    }
    println!("untried  rpm: nothing here installs it");
    Ok(())
}

fn install_archive(folder: &Path, files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    run_command(
        Command::new("tar")
            .current_dir(folder)
            .arg("--strip-components=1")
            .arg("-xzf")
            .args(files),
    )?;
    Ok(folder.join("mem"))
}

fn install_wheel(folder: &Path, files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    run_command(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    run_command(
        Command::new(folder.join("bin/pip"))
            .args(["install", "--quiet", "--no-index"])
            .arg("--disable-pip-version-check")
            .args(files),
    )?;
    Ok(folder.join("bin/mem"))
}

fn install_npm(folder: &Path, files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    run_command(
        Command::new("npm")
            .args(["install", "--silent", "--offline", "--prefix"])
            .arg(folder)
            .args(files),
    )?;
    Ok(folder.join("node_modules/.bin/mem"))
}

fn install_deb(folder: &Path, files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    for file in files {
        run_command(Command::new("dpkg").arg("-x").arg(file).arg(folder))?;
    }
    Ok(folder.join("usr/bin/mem"))
}

/// The installer, with the folder of the packages as the release.
fn install_by_script(folder: &Path, files: &[PathBuf]) -> anyhow::Result<PathBuf> {
    for file in files {
        let dist = file.parent().context("a package has a folder")?;
        run_command(
            Command::new("sh")
                .arg(file)
                .env("MEM_RELEASE_URL", format!("file://{}", dist.display()))
                .env("MEM_INSTALL_DIR", folder),
        )?;
    }
    Ok(folder.join("mem"))
}
