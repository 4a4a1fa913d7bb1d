//! Opening a file in the person's editor.

use std::ffi::OsStr;
use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::Context as _;
use mem_core::{Config, Diagnose, MemoryPath, regular_file, unsaved_text};

use crate::context::Context;
use crate::sanitize::clean;

/// No editor, or one that failed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub(crate) enum EditorError {
    /// Nothing says which editor to use, and there is no terminal for a default one.
    #[error("there is no editor to open `{0}` with")]
    #[diagnose(
        NotFound,
        hint = "set $VISUAL or $EDITOR, or `mem config set editor COMMAND`"
    )]
    None(String),
    /// It cannot be started.
    #[error("cannot start the editor `{0}`")]
    #[diagnose(
        Io,
        hint = "set $VISUAL or $EDITOR, or `mem config set editor COMMAND`"
    )]
    Start(String, #[source] std::io::Error),
    /// It ended with a failure.
    #[error("the editor `{0}` ended with {1}")]
    #[diagnose(
        Io,
        hint = "set $VISUAL or $EDITOR, or `mem config set editor COMMAND`"
    )]
    Failed(String, ExitStatus),
}

/// The editor of a machine that names none.
const DEFAULT: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Lets the person edit a private copy of a text, under a file name; returns what they made of it.
///
/// # Errors
/// As [`open_editor`], or the copy cannot be written or read.
#[expect(
    clippy::disallowed_methods,
    reason = "a scratch copy; nothing depends on it"
)]
pub(crate) fn edit_copy(
    context: &Context,
    config: &Config,
    name: &str,
    text: &[u8],
) -> anyhow::Result<Vec<u8>> {
    let scratch = tempfile::Builder::new().prefix("mem-edit-").tempdir()?;
    let file = scratch.path().join(name);
    fs::write(&file, text).context("cannot write a scratch copy")?;
    open_editor(context, Some(config), &file)?;
    regular_file::read_whole(&file).context("cannot read the scratch copy")
}

/// Opens a file in the editor and waits for it: the setting `editor`, `$VISUAL`, `$EDITOR`, else
/// the system's own on a terminal. The command may have arguments.
///
/// # Errors
/// There is none, it cannot be started, or it failed.
pub(crate) fn open_editor(
    context: &Context,
    config: Option<&Config>,
    file: &Path,
) -> Result<(), EditorError> {
    let set = config.map(|config| config.values.general.editor.as_str());
    let named = set
        .filter(|editor| !editor.is_empty())
        .or_else(|| context.env.get("VISUAL"))
        .or_else(|| context.env.get("EDITOR"));
    let editor = match named {
        Some(editor) => editor,
        None if std::io::stdin().is_terminal() => DEFAULT,
        None => return Err(EditorError::None(file.display().to_string())),
    };
    let mut command = editor_command(editor, file.as_os_str());
    if !std::io::stdout().is_terminal() {
        // Standard output is for the result of the command.
        command.stdout(std::io::stderr());
    }
    let status = command
        .status()
        .map_err(|error| EditorError::Start(editor.to_owned(), error))?;
    if status.success() {
        Ok(())
    } else {
        Err(EditorError::Failed(editor.to_owned(), status))
    }
}

/// The command line, read by a shell as git does it.
#[cfg(unix)]
fn editor_command(editor: &str, file: &OsStr) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", &format!("{editor} \"$@\""), editor])
        .arg(file);
    command
}

/// The command line, split at spaces.
#[cfg(not(unix))]
fn editor_command(editor: &str, file: &OsStr) -> Command {
    let mut words = editor.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(DEFAULT));
    command.args(words).arg(file);
    command
}

/// Keeps a text that could not be written to its file, and says where it is.
///
/// # Errors
/// It cannot be written either.
pub(crate) fn keep_text(context: &Context, path: &MemoryPath, text: &[u8]) -> anyhow::Result<()> {
    let file = unsaved_text::keep_text(context.dirs()?, context.now, path, text)?;
    // Also where little is said: nobody finds it otherwise.
    let shown = file.to_string_lossy();
    context.print_warning(format_args!("your text is kept in {}", clean(&shown)));
    Ok(())
}
