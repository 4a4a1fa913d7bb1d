//! [`Server`]: one run of `mem serve`, on a port of its own.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, ChildStderr, Command};
use std::thread::{self, JoinHandle};

use crate::env::TestEnv;
use crate::http::Ask;
use crate::invocation::Invocation;

/// Where the protocol is spoken.
const PATH: &str = "/api/claude_code/team_memory";

/// A server that listens. It is killed when it is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    log: Option<JoinHandle<String>>,
}

impl Server {
    /// A server that asks nobody for a token, with its data in `data` of the environment.
    pub fn open(env: &TestEnv) -> Self {
        Self::start(env, &["--insecure-no-auth"])
    }

    /// A server with its data in `data` of the environment, and more arguments.
    pub fn start(env: &TestEnv, args: &[&str]) -> Self {
        let data = env.root().join("data");
        let data = data.to_str().expect("a temporary path is text");
        Self::of(
            env.invoke(["serve", "--listen", "127.0.0.1:0", "--data-dir", data])
                .args(args),
        )
    }

    /// Waits until a run of `mem serve` listens.
    ///
    /// # Panics
    /// It does not.
    pub fn of(invocation: Invocation<'_>) -> Self {
        let mut child = invocation.spawn();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        stdout.read_line(&mut line).expect("a first line");
        let stderr = child.stderr.take().expect("stderr is a pipe");
        let log = thread::spawn(move || collected(stderr));
        let address = line.trim_end().strip_prefix("listening on http://");
        let Some(address) = address.and_then(|address| address.parse().ok()) else {
            let _ = child.kill();
            let said = log.join().unwrap_or_default();
            panic!("it does not listen: {line}{said}");
        };
        Self {
            child,
            address,
            log: Some(log),
        }
    }

    /// Its address as a URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// A request.
    pub fn ask(&self, method: &str, target: &str) -> Ask {
        Ask::new(self.address, method, target)
    }

    /// A request for the store of a repository; `more` begins with `&` or is empty.
    pub fn store(&self, method: &str, repository: &str, more: &str) -> Ask {
        self.ask(method, &format!("{PATH}?repo={repository}{more}"))
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, such as `TERM`.
    ///
    /// # Panics
    /// There is no such process.
    pub fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        kill.arg(format!("-{name}"))
            .arg(self.child.id().to_string());
        assert!(kill.status().expect("kill runs").success());
    }

    /// Waits for its end; returns the exit code (-1 for a signal) and all that it logged.
    ///
    /// # Panics
    /// It cannot be waited for.
    pub fn wait(mut self) -> (i32, String) {
        let status = self.child.wait().expect("a process that ends");
        let log = self.log.take().expect("it is taken once");
        let log = log.join().expect("what it logged");
        (status.code().unwrap_or(-1), log)
    }

    /// Ends it and returns all that it logged.
    pub fn end(self) -> String {
        self.signal("TERM");
        self.wait().1
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collected(mut stderr: ChildStderr) -> String {
    let mut text = Vec::new();
    let _ = stderr.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}
