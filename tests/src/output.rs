//! [`Output`]: what a run wrote and how it ended.

use std::process;

use serde_json::Value;

use crate::env::TestEnv;

/// A finished run. Text has `[ENV]` in place of the environment's root.
#[derive(Debug)]
pub struct Output {
    /// Data, normalised.
    pub stdout: String,
    /// Talk, normalised.
    pub stderr: String,
    /// Data as it was written.
    pub stdout_bytes: Vec<u8>,
    /// The exit code; -1 where a signal ended it.
    pub code: i32,
    command: String,
}

impl Output {
    /// Reads what a process left.
    pub(crate) fn new(env: &TestEnv, command: String, output: process::Output) -> Self {
        let text = |bytes: &[u8]| env.normalise(&String::from_utf8_lossy(bytes));
        Self {
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
            stdout_bytes: output.stdout,
            code: output.status.code().unwrap_or(-1),
            command,
        }
    }

    /// Asserts success.
    #[track_caller]
    pub fn assert_ok(self) -> Self {
        self.assert_code(0)
    }

    /// Asserts an exit code.
    #[track_caller]
    pub fn assert_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.command, self.shown());
        self
    }

    /// The data as JSON, normalised.
    #[track_caller]
    pub fn json(&self) -> Value {
        parse(&self.stdout, self)
    }

    /// The error that `--json` puts on stderr: the object under `error`.
    #[track_caller]
    pub fn json_error(&self) -> Value {
        parse(&self.stderr, self)["error"].clone()
    }

    /// Data without its final newline; absolute paths in it are real ones.
    pub fn line(&self) -> String {
        let text = String::from_utf8_lossy(&self.stdout_bytes);
        text.trim_end_matches('\n').to_owned()
    }

    /// Everything a snapshot needs: the exit code and both streams.
    pub fn shown(&self) -> String {
        let (code, stdout, stderr) = (self.code, &self.stdout, &self.stderr);
        format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }
}

/// Parses a stream, showing the whole run where it is not JSON.
#[track_caller]
fn parse(text: &str, output: &Output) -> Value {
    serde_json::from_str(text)
        .unwrap_or_else(|error| panic!("not JSON: {error}\n{}", output.shown()))
}
