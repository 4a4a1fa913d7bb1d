//! A server for the time of an act.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, Result};

/// Ends when it is dropped.
pub(super) struct TourServer {
    child: Child,
    url: String,
}

impl TourServer {
    /// Starts it, and waits for the line that says where it listens.
    pub(super) fn start_server(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let url = line.trim_end().strip_prefix("listening on ");
        let url = url.map(str::to_owned);
        let server = Self {
            child,
            url: url.clone().unwrap_or_default(),
        };
        url.context("the server does not say where it listens")?;
        Ok(server)
    }

    /// Where it listens.
    pub(super) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TourServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
