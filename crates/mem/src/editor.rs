//! A person's editor on a piece of text.

use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};
use mem_core::{Config, Environment};

/// No editor, or one that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditorError {
    /// Nothing says which editor to use.
    #[error("no editor is set")]
    NotSet,
    /// It ended with an error; what it made is not used.
    #[error("the editor `{0}` failed")]
    Failed(String),
}

impl mem_core::Diagnose for EditorError {
    fn kind(&self) -> mem_core::ErrorKind {
        mem_core::ErrorKind::Invalid
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotSet => Some("set EDITOR, or `mem config set editor NAME`".to_owned()),
            Self::Failed(_) => Some("nothing was changed".to_owned()),
        }
    }
}

/// The editor's command line: the setting, `VISUAL`, `EDITOR`.
///
/// # Errors
/// None is set.
pub(crate) fn command(config: &Config, env: &Environment) -> Result<String, EditorError> {
    let setting = Some(config.text("editor")).filter(|text| !text.is_empty());
    let found = setting
        .or_else(|| env.get("VISUAL"))
        .or_else(|| env.get("EDITOR"));
    found.map(str::to_owned).ok_or(EditorError::NotSet)
}

/// Lets a person edit some bytes in a private temporary file called `name`; returns what they
/// made of it.
///
/// # Errors
/// The editor cannot be run or fails.
#[expect(
    clippy::disallowed_methods,
    reason = "a scratch copy; nothing depends on it"
)]
pub(crate) fn edit(command: &str, name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let scratch = tempfile::Builder::new().prefix("mem-edit-").tempdir()?;
    let file = scratch.path().join(name);
    fs::write(&file, bytes).context("cannot write a scratch copy")?;
    run(command, &file)?;
    fs::read(&file).context("cannot read the scratch copy")
}

/// Runs the editor on a file. The setting is a command line: the shell splits it, the file's name
/// is an argument of its own.
pub(crate) fn run(command: &str, file: &std::path::Path) -> Result<()> {
    let status = if cfg!(windows) {
        Command::new(command).arg(file).status()
    } else {
        Command::new("sh")
            .args(["-c", &format!("{command} \"$1\""), "mem"])
            .arg(file)
            .status()
    };
    let status = status.with_context(|| format!("cannot run the editor `{command}`"))?;
    if status.success() {
        Ok(())
    } else {
        Err(EditorError::Failed(command.to_owned()).into())
    }
}
