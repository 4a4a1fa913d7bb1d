//! What the server is measured beside, and what asks it: an example of its crate.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Context as _;

use crate::bench::process::ServerProcess;
use crate::run::{output_for, output_of, run};
use crate::workspace::{cargo, target};

/// The example.
pub(crate) struct Yardstick(PathBuf);

impl Yardstick {
    /// Builds it.
    pub(crate) fn build() -> anyhow::Result<Self> {
        // Beside the binary, so that what both are made of is built once.
        let mut build = cargo(["build", "--release", "--quiet", "--package", "mem-server"]);
        run(build.args(["--package", "mem", "--example", "yardstick"]))?;
        let name = format!("yardstick{}", std::env::consts::EXE_SUFFIX);
        Ok(Self(target().join("release/examples").join(name)))
    }

    /// A bare echo.
    pub(super) fn echo(&self) -> anyhow::Result<ServerProcess> {
        ServerProcess::start(Command::new(&self.0).arg("echo"))
    }

    /// How long so many requests take, over all connections.
    pub(super) fn load(
        &self,
        address: SocketAddr,
        status: u16,
        requests: usize,
        request: &str,
    ) -> anyhow::Result<Duration> {
        let mut load = Command::new(&self.0);
        load.args(["load", &address.to_string()]);
        load.args([status.to_string(), requests.to_string()]);
        seconds(&mut load, request)
    }

    /// Makes so many stores of so many memories; their ids.
    pub(crate) fn fill(
        &self,
        address: SocketAddr,
        stores: usize,
        memories: usize,
    ) -> anyhow::Result<Vec<String>> {
        let mut fill = Command::new(&self.0);
        fill.args(["fill", &address.to_string()]);
        fill.args([stores.to_string(), memories.to_string()]);
        let said = output_of(&mut fill)?;
        Ok(said.lines().map(str::to_owned).collect())
    }

    /// How long so many requests to the memory stores API take, and all but one of a hundred of them. Without
    /// a store each connection has one of its own.
    pub(crate) fn ask(
        &self,
        address: SocketAddr,
        what: &str,
        store: &str,
        at_once: usize,
        requests: usize,
    ) -> anyhow::Result<(Duration, Duration)> {
        let mut ask = Command::new(&self.0);
        ask.args(["ask", &address.to_string(), what, store]);
        ask.args([at_once.to_string(), requests.to_string()]);
        let said = output_of(&mut ask)?;
        let (seconds, slow_ms) = said.trim().split_once(' ').context("two numbers")?;
        let slow = Duration::from_secs_f64(slow_ms.parse::<f64>()? / 1e3);
        Ok((Duration::from_secs_f64(seconds.parse()?), slow))
    }

    /// How long so many of the API's statements take by themselves.
    pub(crate) fn raw(&self, place: &str, what: &str, count: usize) -> anyhow::Result<Duration> {
        let mut raw = Command::new(&self.0);
        seconds(raw.args(["raw", place, what, &count.to_string()]), "")
    }

    /// A server that reads one row.
    pub(crate) fn row(&self, place: &str) -> anyhow::Result<ServerProcess> {
        ServerProcess::start(Command::new(&self.0).args(["row", place]))
    }

    /// How long so many transactions of SQLite take.
    pub(super) fn sqlite(&self, folder: &Path, transactions: usize) -> anyhow::Result<Duration> {
        let mut raw = Command::new(&self.0);
        raw.arg("sqlite").arg(folder).arg(transactions.to_string());
        seconds(&mut raw, "")
    }
}

/// What a run of the example measured.
fn seconds(command: &mut Command, input: &str) -> anyhow::Result<Duration> {
    let seconds = output_for(command, input)?.trim().parse()?;
    Ok(Duration::from_secs_f64(seconds))
}
