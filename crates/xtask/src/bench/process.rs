//! A server that runs beside the measurement.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use anyhow::Context as _;
use mem_tests::TestEnv;

use super::Bench;

/// It is killed when it is dropped.
pub(crate) struct ServerProcess {
    child: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl ServerProcess {
    /// Starts what says `listening on http://ADDRESS` in its first line.
    pub(crate) fn start(command: &mut Command) -> anyhow::Result<Self> {
        let quiet = command.stdin(Stdio::null()).stderr(Stdio::null());
        let mut child = quiet.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("stdout is a pipe")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim_end().strip_prefix("listening on http://");
        let address = address.context("it does not listen")?.parse()?;
        Ok(Self { child, address })
    }

    /// `mem serve` for everybody, without a limit of requests, with its data in the environment.
    pub(crate) fn serve(
        bench: &Bench,
        env: &TestEnv,
        database: Option<&str>,
    ) -> anyhow::Result<Self> {
        let mut serve = env.command(&bench.binary);
        serve.args(["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"]);
        serve.args(["--rate-limit", "0"]);
        match database {
            Some(url) => serve.env("MEM_DATABASE_URL", url),
            None => serve.arg("--data-dir").arg(env.root().join("data")),
        };
        Self::start(&mut serve)
    }
}

impl ServerProcess {
    /// The memory that it has at this moment, in MB.
    pub(crate) fn resident_mb(&self) -> anyhow::Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let line = line.context("the system does not tell")?;
        let kilobytes = line.trim().trim_end_matches(" kB").parse::<f64>()?;
        Ok(kilobytes / 1e3)
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
