//! A recall through the socket, beside a bare question and answer on the same socket.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mem_tests::TestEnv;
use serde_json::{Value, json};

use super::{json as mem, settled};
use crate::bench::Bench;
use crate::bench::list::{memory_directory, note, write};
use crate::bench::row::Row;
use crate::bench::timing::Medians;

const NOTES: usize = 1_000;
const PROMPT: &str = "how do we run the integration tests against the database?";

/// A connection.
struct Line(BufReader<UnixStream>);

impl Line {
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

/// Over 1,000 memories.
pub(crate) fn measure(bench: &Bench) -> Result<Vec<Row>> {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let folder = memory_directory(bench, &env, repo.path())?;
    for number in 0..NOTES {
        write(
            &folder.join(format!("project_note_{number}.md")),
            &note(number),
        )?;
    }
    mem(bench, &env, repo.path(), &["warm"])?;
    mem(bench, &env, repo.path(), &["daemon", "start"])?;
    settled(bench, &env, repo.path())?;
    let version = mem(bench, &env, repo.path(), &["--version"])?["version"].clone();
    let entries = fs::read_dir(env.root().join("run/mem"))?.flatten();
    let mut paths = entries.map(|entry| entry.path());
    let socket = paths.find(|path| path.extension().is_some_and(|ending| ending == "sock"));
    let stream = UnixStream::connect(socket.context("no socket")?)?;
    let mut line = Line(BufReader::new(stream));
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
    let echo = json!({ "protocol": 1, "request": "status" });
    // The first one begins the process that answers.
    line.ask(&recall)?;
    let (mut subject, mut beside) = (Vec::new(), Vec::new());
    for _ in 0..bench.runs {
        subject.push(line.ask(&recall)?.0);
        beside.push(line.ask(&echo)?.0);
    }
    let medians = Medians {
        subject: median(subject),
        beside: Some(median(beside)),
    };
    let row = Row::new("recall through the socket", "status through it", medians);
    let also = "goal: 1.5 of it, 1 ms and the encoder".to_owned();
    Ok(vec![row.also(also)])
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
