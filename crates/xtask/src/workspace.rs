//! Where things are, and which tools are installed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The top of the working tree.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

/// The `cargo` that runs this chore, at the top of the working tree.
pub(crate) fn cargo<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(args).current_dir(root());
    cargo
}

/// An example of a package, built for a release, whose arguments follow.
pub(crate) fn example(package: &str, name: &str) -> Command {
    let mut example = cargo(["run", "--release", "--quiet", "--package"]);
    example.args([package, "--example", name, "--"]);
    example
}

/// A folder with nothing in it.
///
/// # Errors
/// It cannot be removed or made.
pub(crate) fn empty_folder(folder: &Path) -> std::io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)
}

/// The target directory.
pub(crate) fn target() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(set) => root().join(set),
        None => root().join("target"),
    }
}

/// The release binary, once it is built.
pub(crate) fn release_binary() -> PathBuf {
    let name = format!("mem{}", env::consts::EXE_SUFFIX);
    target().join("release").join(name)
}

/// Whether a command succeeds; its output is nobody's business.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether `cargo <tool>` is installed.
pub(crate) fn has_cargo_tool(tool: &str) -> bool {
    succeeds(&mut cargo([tool, "--version"]))
}
