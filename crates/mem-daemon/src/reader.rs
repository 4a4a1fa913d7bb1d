//! The process that recalls for a daemon: begun by the first question, kept while there are more, gone a
//! minute after the last. The index that it holds is none of the daemon's memory.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{ChildStdin, ChildStdout};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::child::Jobs;

/// Whoever waits for a process to end needs no more.
const WAITER_STACK_BYTES: usize = 64 * 1024;

/// At most one such process.
#[derive(Debug, Default)]
pub struct ReaderProcess {
    open: Mutex<Option<ReaderPipes>>,
}

/// Both ends of it.
#[derive(Debug)]
struct ReaderPipes {
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

/// What it answers.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ReaderAnswer {
    /// The answer.
    #[serde(default)]
    pub answer: Value,
    /// Why there is none.
    #[serde(default)]
    pub error: Option<String>,
}

impl ReaderProcess {
    /// Asks it; one question at a time.
    ///
    /// # Errors
    /// In words.
    pub fn ask_reader(&self, jobs: &Jobs, name: &str, input: &Value) -> Result<Value, String> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut line = json!({ "name": name, "input": input }).to_string();
        line.push('\n');
        let said = match open.as_mut().and_then(|open| open.send_question(&line)) {
            Some(said) => said,
            // It has ended meanwhile: another one answers.
            None => {
                *open = None;
                let mut new = ReaderPipes::start_reader(jobs)?;
                let said = new
                    .send_question(&line)
                    .ok_or("the question ended the process")?;
                *open = Some(new);
                said
            }
        };
        match said.error {
            Some(error) => Err(error),
            None => Ok(said.answer),
        }
    }
}

impl ReaderPipes {
    fn start_reader(jobs: &Jobs) -> Result<Self, String> {
        let begun = jobs.begin_job("answer");
        let mut child = begun.map_err(|error| format!("no process for it: {error}"))?;
        let ends = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = ends.ok_or("no pipes to it")?;
        let waiter = std::thread::Builder::new().stack_size(WAITER_STACK_BYTES);
        // Without one it stays a name in the table of processes until the daemon ends.
        let _ = waiter.spawn(move || child.wait());
        let stdout = BufReader::new(stdout);
        Ok(Self { stdin, stdout })
    }

    fn send_question(&mut self, line: &str) -> Option<ReaderAnswer> {
        self.stdin.write_all(line.as_bytes()).ok()?;
        let mut answer = Vec::new();
        self.stdout.read_until(b'\n', &mut answer).ok()?;
        serde_json::from_slice(&answer).ok()
    }
}
