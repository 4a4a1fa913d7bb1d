//! A recall through the socket, beside a line that comes back on a socket of the same kind, and a crowd of them.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::process::memory;
use super::{json as mem, settled};
use crate::bench::Bench;
use crate::bench::recall::files::{NotesDir, PROMPT};
use crate::bench::row::{BenchRow, ms};
use crate::bench::timing::median;

const NOTES: u64 = 1_000;
const CLIENTS: usize = 1_000;

/// A connection.
struct DaemonConnection(BufReader<UnixStream>);

impl DaemonConnection {
    fn ask(&mut self, question: &Value) -> Result<(Duration, Value)> {
        let text = format!("{question}\n");
        let begun = Instant::now();
        self.0.get_mut().write_all(text.as_bytes())?;
        let mut answer = String::new();
        self.0.read_line(&mut answer)?;
        let took = begun.elapsed();
        let reply: Value = serde_json::from_str(&answer)?;
        ensure!(reply["error"].is_null(), "{reply}");
        Ok((took, reply))
    }
}

/// Over 1,000 memories: one question after the other, and one of each of 1,000 clients.
pub(crate) fn measure(bench: &Bench) -> Result<Vec<BenchRow>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    NotesDir::new(bench, &env, &repo, NOTES)?.index()?;
    mem(bench, &env, repo.path(), &["daemon", "start"])?;
    let pid = settled(bench, &env, repo.path())?;
    let version = mem(bench, &env, repo.path(), &["--version"])?["version"].clone();
    let entries = fs::read_dir(env.root().join("run/mem"))?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    let socket = paths.find(|path| path.extension().is_some_and(|ending| ending == "sock"));
    let socket = socket.context("no socket")?;
    let home = env.home();
    let recall = json!({
        "protocol": 1, "request": "work", "name": "recall",
        "input": {
            "version": version, "cwd": repo.path(), "now": "2026-01-01T00:00:00Z",
            "env": [["HOME", home], ["MEM_RECALL_BACKGROUND", "false"]],
            "cache": home.join(".cache/mem"), "home": home, "prompt": PROMPT,
            "limit": 5, "min_score": 0.5, "kinds": [], "scopes": [], "tags": [],
            "exclude": [], "chosen": null, "tools": [], "session": null,
        },
    });
    let one = one_by_one(
        bench,
        &socket,
        &echo(&env.root().join("run/echo"))?,
        &recall,
    )?;
    let many = all_at_once(&socket, &recall)?;
    let memory = memory(pid)?;
    let also = format!(
        "every one of 1,000 answered; the daemon has {} kB after it",
        memory.anonymous
    );
    let many = BenchRow::alone("a recall of each of 1,000 clients at once", many).also(also);
    Ok(vec![one, many])
}

fn one_by_one(bench: &Bench, socket: &Path, bare: &Path, recall: &Value) -> Result<BenchRow> {
    let mut daemon = DaemonConnection(BufReader::new(UnixStream::connect(socket)?));
    let mut bare = DaemonConnection(BufReader::new(UnixStream::connect(bare)?));
    // The first one begins the process that answers.
    daemon.ask(recall)?;
    let (mut subject, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..bench.runs {
        subject.push(daemon.ask(recall)?.0);
        beside.push(bare.ask(recall)?.0);
    }
    let medians = [median(subject), median(beside)];
    let goal = 1.5 * ms(medians[1]) + 1.0;
    let row = BenchRow::new("recall through the socket", "a bare echo", medians);
    let also = format!("goal {goal:.2} ms and the encoder of the prompt");
    Ok(row.also(also))
}

/// Says every line back, on a thread for each connection.
fn echo(path: &Path) -> Result<PathBuf> {
    let listener = UnixListener::bind(path)?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || echoes(stream));
        }
    });
    Ok(path.to_owned())
}

fn echoes(stream: UnixStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        reader.get_mut().write_all(&line)?;
        line.clear();
    }
    Ok(())
}

/// All connect, then all ask, then all wait: how long until the last one has an answer.
fn all_at_once(socket: &Path, recall: &Value) -> Result<Duration> {
    let begun = Instant::now();
    let lines = (0..CLIENTS).map(|_| UnixStream::connect(socket));
    let mut lines = lines.collect::<std::io::Result<Vec<_>>>()?;
    let text = format!("{recall}\n");
    for line in &mut lines {
        line.write_all(text.as_bytes())?;
    }
    for line in lines {
        line.set_read_timeout(Some(super::LONG))?;
        let mut answer = String::new();
        BufReader::new(line).read_line(&mut answer)?;
        let reply: Value = serde_json::from_str(&answer)?;
        ensure!(reply["error"].is_null(), "{reply}");
    }
    Ok(begun.elapsed())
}
