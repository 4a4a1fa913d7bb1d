//! The `mem` that is tested: `MEM_BIN`, else the one that this build's sources make.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;
use std::{env, fs};

/// The binary under test, built first when it is missing or older than its sources.
pub fn path() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| match env::var_os("MEM_BIN") {
        Some(given) => PathBuf::from(given),
        None => sibling(),
    })
}

/// The binary beside this executable: a test is `<target>/<profile>/deps/runner-..`, a chore `<target>/<profile>/xtask`.
fn sibling() -> PathBuf {
    let test = env::current_exe().expect("a test has an executable");
    let mut folders = test.ancestors().skip(1);
    let profile = folders
        .find(|folder| !folder.ends_with("deps"))
        .expect("a test lies in the target directory");
    let binary = profile.join(format!("mem{}", env::consts::EXE_SUFFIX));
    if is_stale(&binary) {
        build(profile);
    }
    binary
}

/// Whether the binary is missing or older than a file that cargo made it from.
///
/// Asking cargo itself would cost every test process a quarter of a second.
fn is_stale(binary: &Path) -> bool {
    let Some(built) = modified(binary) else {
        return true;
    };
    let Ok(recipe) = fs::read_to_string(binary.with_extension("d")) else {
        return true;
    };
    let sources = recipe.split_once(": ").map_or("", |(_, sources)| sources);
    // Spaces inside a path are escaped; such a path is looked up in pieces and counts as stale.
    sources
        .split_whitespace()
        .any(|source| modified(Path::new(source)).is_none_or(|changed| changed > built))
}

/// When a file was last changed, if it is there.
fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Builds the binary into the target directory of the running test.
fn build(profile: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        // The features of dependencies are then nearly those of the tests: less is compiled twice.
        .args(["build", "--quiet", "--workspace", "--bin", "mem"])
        .arg("--target-dir")
        .arg(
            profile
                .parent()
                .expect("a profile lies in the target directory"),
        )
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "cannot build the binary under test");
}
