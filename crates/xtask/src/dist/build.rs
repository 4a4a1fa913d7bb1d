//! The binary of a release: it runs wherever Rust's standard library does.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

use super::platform::{Platform, System};
use crate::run::run as run_command;
use crate::workspace::{cargo, release_binary, root, target};

/// The glibc of the oldest systems that Rust supports.
const GLIBC: &str = "2.17";
/// A C compiler that carries the stubs of every glibc, and what puts cargo on it; both from the Python index.
const TOOLS: [&str; 2] = ["ziglang==0.15.2", "cargo-zigbuild==0.23.0"];

/// Builds `mem` for this kind of machine, on Linux for glibc 2.17; returns the binary's path.
///
/// # Errors
/// The tools cannot be installed, it does not build, or the binary wants a newer glibc.
pub(super) fn build_portable() -> anyhow::Result<PathBuf> {
    let platform = Platform::current()?;
    if platform.system != System::Linux {
        let mut build = cargo(["build", "--release", "--locked", "--package", "mem"]);
        run_command(build.env("CARGO_ENCODED_RUSTFLAGS", remapped_paths().join("\x1f")))?;
        return Ok(release_binary());
    }
    let bin = install_tools()?;
    let triple = platform.triple();
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([bin.clone()].into_iter().chain(env::split_paths(&path)))?;
    let mut build = cargo(["zigbuild", "--release", "--locked", "--package", "mem"]);
    build
        .args(["--target", &format!("{triple}.{GLIBC}")])
        .env("PATH", path)
        .env("CARGO_ZIGBUILD_ZIG_PATH", bin.join("python-zig"))
        .env("CARGO_ENCODED_RUSTFLAGS", remapped_paths().join("\x1f"))
        .env("MEM_PORTABLE", "1")
        .env("CFLAGS", c_flags());
    run_command(&mut build)?;
    let binary = target().join(triple).join("release").join("mem");
    refuse_newer_glibc(&binary)?;
    Ok(binary)
}

/// What stands in the binary instead of the folders of this machine: two machines make the same bytes.
fn remapped_paths() -> Vec<String> {
    path_names()
        .into_iter()
        .map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()))
        .collect()
}

fn c_flags() -> String {
    let map =
        |(path, name): (PathBuf, &str)| format!(" -ffile-prefix-map={}={name}", path.display());
    let maps: String = path_names().into_iter().map(map).collect();
    format!("-fno-asynchronous-unwind-tables{maps}")
}

fn path_names() -> [(PathBuf, &'static str); 4] {
    let rust = Path::new(env!("CARGO")).ancestors().nth(2);
    let home = env::home_dir().unwrap_or_default();
    let cargo_home = env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
    [
        (target(), "target"),
        (root(), "mem"),
        (cargo_home.join("registry/src"), "crates"),
        (rust.unwrap_or(Path::new("/")).to_owned(), "rust"),
    ]
}

/// A Python environment in the target folder with the tools; returns its folder of programs.
fn install_tools() -> anyhow::Result<PathBuf> {
    let folder = target().join("dist-tools");
    let bin = folder.join("bin");
    if !bin.join("cargo-zigbuild").exists() {
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&folder))
            .context("a release is built with zig, which Python's index has")?;
        run_command(
            Command::new(bin.join("pip"))
                .args(["install", "--quiet", "--disable-pip-version-check"])
                .args(TOOLS),
        )?;
    }
    Ok(bin)
}

fn refuse_newer_glibc(binary: &Path) -> anyhow::Result<()> {
    let bytes = fs::read(binary).with_context(|| format!("cannot read `{}`", binary.display()))?;
    match glibc_versions(&bytes).last() {
        Some(&newest) if newest > (2, 17) => {
            bail!(
                "the binary needs glibc {}.{}, not {GLIBC}",
                newest.0,
                newest.1
            )
        }
        _ => Ok(()),
    }
}

/// The versions of glibc that the symbols of a binary name.
fn glibc_versions(binary: &[u8]) -> BTreeSet<(u32, u32)> {
    let text = binary.split(|&byte| byte == 0);
    text.filter_map(|one| {
        let version = std::str::from_utf8(one).ok()?.strip_prefix("GLIBC_")?;
        let mut numbers = version.split('.').map(|number| number.parse().ok());
        Some((numbers.next()??, numbers.next()??))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::glibc_versions;

    #[test]
    fn the_newest_glibc_is_the_last_by_number() {
        let names = b"\0GLIBC_2.9\0GLIBC_2.17\0GLIBC_2.2.5\0GLIBC_PRIVATE\0memGLIBC_2.40\0";
        assert_eq!(glibc_versions(names).last(), Some(&(2, 17)));
    }
}
