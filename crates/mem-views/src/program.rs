//! The program behind the views: `mem` itself, run with `--json`.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// `mem`, as a view runs it: one process a question, in one directory.
///
/// A process starts in about a millisecond. A view that runs for hours never holds a lock, a file or an old state.
#[derive(Clone, Debug)]
pub struct Program {
    executable: PathBuf,
    directory: PathBuf,
}

/// Why a command gave no data.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The process did not start, or its pipes broke.
    #[error("cannot run `{}`", .0.display())]
    Start(PathBuf, #[source] io::Error),
    /// The command refused, and said why.
    #[error(transparent)]
    Refused(Refusal),
    /// The command printed something else than its data.
    #[error("`mem {command}` printed no data that can be read")]
    Unreadable {
        /// The words of the command.
        command: String,
        /// What is wrong with the data.
        #[source]
        source: serde_json::Error,
    },
}

/// What a command says when it refuses: the `error` object of `--json`.
#[derive(Clone, Debug, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The kind of the error, such as `not_found`.
    pub kind: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(default)]
    pub hint: Option<String>,
}

/// The envelope of a refusal on stderr or stdout.
#[derive(Deserialize)]
struct ErrorAnswer {
    error: Refusal,
}

impl Program {
    /// `executable`, run in `directory`.
    #[must_use]
    pub const fn new(executable: PathBuf, directory: PathBuf) -> Self {
        Self {
            executable,
            directory,
        }
    }

    /// The same program in another directory.
    #[must_use]
    pub fn in_directory(&self, directory: &Path) -> Self {
        Self {
            executable: self.executable.clone(),
            directory: directory.to_owned(),
        }
    }

    /// Where the commands run.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The data that a command prints.
    ///
    /// # Errors
    ///
    /// When the command cannot be run, refuses or prints other data than `T`.
    pub fn read<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Result<T, ProgramError> {
        self.read_with_input(arguments, &[])
    }

    /// As [`read`](Self::read), with `input` on the command's standard input.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn read_with_input<T: DeserializeOwned>(
        &self,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        input: &[u8],
    ) -> Result<T, ProgramError> {
        let arguments: Vec<OsString> = arguments
            .into_iter()
            .map(|argument| argument.as_ref().to_owned())
            .collect();
        let output = self.run(&arguments, input)?;
        serde_json::from_slice(&output.stdout).map_err(|source| match refusal(&output) {
            Some(refusal) => ProgramError::Refused(refusal),
            None => ProgramError::Unreadable {
                command: command_words(&arguments),
                source,
            },
        })
    }

    /// Runs a command that talks to the person itself, such as `edit`: it has the terminal until it ends, as its standard
    /// error, which is the view's where `is_on_stderr`, else the view's standard output. Returns what it printed on its
    /// standard output: `edit` prints what it changed, and nothing where it changed nothing.
    ///
    /// # Errors
    ///
    /// When the process does not start.
    pub fn run_in_terminal(
        &self,
        arguments: &[String],
        is_on_stderr: bool,
    ) -> Result<(ExitStatus, String), ProgramError> {
        let mut command = Command::new(&self.executable);
        command.arg("-C").arg(&self.directory).args(arguments);
        command.stdin(Stdio::inherit()).stderr(match is_on_stderr {
            true => Stdio::inherit(),
            false => io::stdout().into(),
        });
        let output = command
            .output()
            .map_err(|cause| ProgramError::Start(self.executable.clone(), cause))?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((output.status, printed))
    }

    /// Runs a command to its end.
    fn run(&self, arguments: &[OsString], input: &[u8]) -> Result<Output, ProgramError> {
        let failed = |cause| ProgramError::Start(self.executable.clone(), cause);
        let mut child = Command::new(&self.executable)
            .arg("--json")
            .arg("-C")
            .arg(&self.directory)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        // A command that does not read its input closes the pipe: no error of the view.
        let written = child
            .stdin
            .take()
            .map_or(Ok(()), |mut pipe| pipe.write_all(input));
        let output = child.wait_with_output().map_err(failed)?;
        match written {
            Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => Err(failed(cause)),
            _ => match refusal(&output) {
                Some(refusal) if output.stdout.is_empty() => Err(ProgramError::Refused(refusal)),
                _ => Ok(output),
            },
        }
    }
}

/// The refusal that a failed command printed as data: on stderr, alone or after other talk.
fn refusal(output: &Output) -> Option<Refusal> {
    if output.status.success() {
        return None;
    }
    String::from_utf8_lossy(&output.stderr)
        .lines()
        .rev()
        .find_map(|line| serde_json::from_str::<ErrorAnswer>(line).ok())
        .map(|answer| answer.error)
}

/// The first words of a command, for a message: never a memory's text.
fn command_words(arguments: &[OsString]) -> String {
    let words = arguments
        .iter()
        .map(|argument| argument.to_string_lossy().into_owned());
    words
        .take_while(|word| !word.starts_with('-'))
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}
