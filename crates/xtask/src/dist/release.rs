//! What every package carries.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use super::platform::Platform;
use crate::run::{output_of, run as run_command};
use crate::workspace::{root, target};

/// Shells, and what they call a completion file.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "mem.bash"),
    ("zsh", "_mem"),
    ("fish", "mem.fish"),
    ("elvish", "mem.elv"),
    ("powershell", "mem.ps1"),
];
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// A release for one kind of machine.
pub(super) struct Release {
    pub(super) version: &'static str,
    pub(super) platform: Platform,
    /// Of the commit, in seconds: what every file in every package is dated.
    pub(super) time: u64,
    pub(super) binary: Vec<u8>,
    /// Name and text, as in [`COMPLETIONS`].
    pub(super) completions: Vec<(&'static str, Vec<u8>)>,
    /// Name (`mem-init.1`) and text, by name.
    pub(super) man_pages: Vec<(String, Vec<u8>)>,
    pub(super) documents: Vec<(&'static str, Vec<u8>)>,
}

impl Release {
    /// Asks the binary for its completions and manual pages, and reads the documents.
    ///
    /// # Errors
    /// It does not run, or a file cannot be read.
    pub(super) fn gather(binary: &Path) -> anyhow::Result<Self> {
        let bytes =
            fs::read(binary).with_context(|| format!("cannot read `{}`", binary.display()))?;
        let completions = COMPLETIONS.map(|(shell, file_name)| {
            let output = Command::new(binary).args(["completions", shell]).output()?;
            anyhow::ensure!(output.status.success(), "no completions for {shell}");
            Ok((file_name, output.stdout))
        });
        let documents = DOCUMENTS.map(|name| {
            let text =
                fs::read(root().join(name)).with_context(|| format!("cannot read `{name}`"))?;
            Ok((name, text))
        });
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            platform: Platform::current()?,
            time: commit_time()?,
            binary: bytes,
            completions: completions.into_iter().collect::<anyhow::Result<_>>()?,
            man_pages: man_pages(binary)?,
            documents: documents.into_iter().collect::<anyhow::Result<_>>()?,
        })
    }

    /// A document, by its name.
    pub(super) fn document(&self, name: &str) -> &[u8] {
        let found = self.documents.iter().find(|(own, _)| *own == name);
        found.map_or(&[], |(_, text)| text)
    }

    /// A completion file, by its name.
    pub(super) fn completion(&self, name: &str) -> &[u8] {
        let found = self.completions.iter().find(|(own, _)| *own == name);
        found.map_or(&[], |(_, text)| text)
    }
}

fn man_pages(binary: &Path) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    let folder = target().join("dist-man");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    run_command(Command::new(binary).args(["man", "--quiet"]).arg(&folder))?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        pages.push((name, fs::read(entry.path())?));
    }
    pages.sort();
    Ok(pages)
}

/// `SOURCE_DATE_EPOCH` where it is set, else the time of the commit.
fn commit_time() -> anyhow::Result<u64> {
    if let Ok(set) = env::var("SOURCE_DATE_EPOCH") {
        return set
            .parse()
            .context("SOURCE_DATE_EPOCH is no number of seconds");
    }
    let mut log = Command::new("git");
    log.current_dir(root()).args(["log", "-1", "--format=%ct"]);
    let time = output_of(&mut log)?;
    time.trim()
        .parse()
        .context("git does not tell the time of the commit")
}
