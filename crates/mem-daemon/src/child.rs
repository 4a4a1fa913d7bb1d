//! A process of this program that does one thing for the daemon, and ends with it.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde::de::DeserializeOwned;

/// An answer of more bytes is none.
const ANSWER_BYTES_MAX: u64 = 16 << 20;

/// How jobs are begun.
#[derive(Clone, Debug)]
pub struct Jobs {
    /// This program, found while it was certainly there.
    program: PathBuf,
    root: PathBuf,
}

impl Jobs {
    /// Jobs for a repository.
    ///
    /// # Errors
    /// The system does not say which program this is.
    pub fn new(root: &Path) -> io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
            root: root.to_owned(),
        })
    }

    /// Begins one. Its standard input stays open until the child is dropped: its end is the word to end.
    ///
    /// # Errors
    /// The system's.
    pub fn begin_job(&self, job: &str) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .arg("-C")
            .arg(&self.root)
            .args(["--quiet", "daemon", "run", "--job", job])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command.spawn()
    }

    /// Begins one, waits for its end, and reads what it says.
    ///
    /// # Errors
    /// In words: it does not begin, or ends without an answer.
    pub fn run_job<T: DeserializeOwned>(&self, job: &str) -> Result<T, String> {
        let failed = |error: io::Error| format!("a job ({job}) cannot be run: {error}");
        let mut child = self.begin_job(job).map_err(failed)?;
        let mut answer = Vec::new();
        if let Some(stdout) = child.stdout.take() {
            let read = stdout.take(ANSWER_BYTES_MAX).read_to_end(&mut answer);
            read.map_err(failed)?;
        }
        // Kept until here: without it the job ends.
        let stdin = child.stdin.take();
        let status = child.wait().map_err(failed)?;
        drop(stdin);
        serde_json::from_slice(&answer)
            .map_err(|_| format!("a job ({job}) ended without an answer ({status})"))
    }
}
