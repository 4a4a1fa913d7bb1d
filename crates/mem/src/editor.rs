//! Opening a file in the person's editor.

use std::ffi::OsStr;
use std::fs;
use std::io::IsTerminal as _;
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::Context as _;
use mem_core::{Config, Diagnose, MemoryPath, regular_file, unsaved_text};
use tempfile::TempDir;

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
    /// Nothing is left of the text.
    #[error("the new text of `{0}` is empty; nothing was changed")]
    #[diagnose(Invalid, hint = "`mem remove NAME` removes a memory")]
    Emptied(String),
}

/// A text that a person wrote, and the copy in their editor, which is deleted with it.
#[derive(Debug)]
pub(crate) struct EditedText {
    /// The text.
    pub bytes: Vec<u8>,
    path: MemoryPath,
    scratch: Option<TempDir>,
}

impl EditedText {
    /// A text for a file that no editor wrote.
    pub(crate) fn new(path: &MemoryPath, bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            path: path.clone(),
            scratch: None,
        }
    }

    /// Whether nothing but white space is left of it.
    pub(crate) fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// Keeps a text that could not be written to its file, and says where: in the state directory, else where the
    /// editor wrote it. A text that no editor wrote is lost where the state directory cannot be written, and that is
    /// said.
    pub(crate) fn keep(self, context: &Context) {
        let printer = &context.printer;
        let kept = context.dirs().map_err(anyhow::Error::from);
        let kept = kept.and_then(|dirs| {
            let kept = unsaved_text::keep_text(dirs, context.now, &self.path, &self.bytes);
            kept.with_context(|| format!("cannot write it into `{}`", dirs.state.display()))
        });
        let kept = kept.or_else(|error| match self.scratch {
            Some(scratch) => {
                printer.warn_always(format_args!(
                    "your text stays where the editor wrote it: {error:#}"
                ));
                Ok(scratch.keep().join(self.path.file_name()))
            }
            None => Err(error),
        });
        match kept {
            Ok(file) => {
                let shown = file.to_string_lossy();
                printer.warn_always(format_args!("your text is kept in {}", clean(&shown)));
            }
            Err(error) => printer.warn_always(format_args!("your text is not kept: {error:#}")),
        }
    }
}

/// The editor of a machine that names none.
const DEFAULT: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// Lets the person edit a private copy of the text of a file; returns what they made of it.
///
/// # Errors
/// As [`open_editor`], when a text that was changed is kept, or the copy cannot be written or read.
#[expect(
    clippy::disallowed_methods,
    reason = "a scratch copy; nothing depends on it"
)]
pub(crate) fn edit_copy(
    context: &Context,
    config: &Config,
    path: &MemoryPath,
    text: &[u8],
) -> anyhow::Result<EditedText> {
    let scratch = tempfile::Builder::new().prefix("mem-edit-").tempdir();
    let scratch = scratch.context("cannot create a temporary directory")?;
    let file = scratch.path().join(path.file_name());
    fs::write(&file, text).with_context(|| format!("cannot write `{}`", file.display()))?;
    let ended = open_editor(context, Some(config), &file);
    let bytes = match regular_file::read_whole(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            // It may be the person's text all the same, so it stays.
            let file = scratch.keep().join(path.file_name());
            let unread = format!("cannot read `{}`", file.display());
            if let Err(failed) = ended {
                context
                    .printer
                    .warn_always(format_args!("{unread}: {error}"));
                return Err(failed.into());
            }
            return Err(error).context(unread);
        }
    };
    let edited = EditedText {
        scratch: Some(scratch),
        ..EditedText::new(path, bytes)
    };
    if let Err(error) = ended {
        if edited.bytes != text && !edited.is_blank() {
            edited.keep(context);
        }
        return Err(error.into());
    }
    Ok(edited)
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
