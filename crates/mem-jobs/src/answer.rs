//! The job that answers questions, one line each, until nobody asks for a while.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::notes::INDEX_FILE;
use mem_core::{Scope, index};
use mem_find::{index_file, remote_recall};
use serde::Deserialize;
use serde_json::Value;

use crate::JobError;
use mem_agent::session::selection::SessionQuery;
use mem_core::RunContext;
use mem_daemon::reader::ReaderAnswer;
use mem_daemon::system::stays_silent;
use mem_tools::error_text::shown_message;

/// Without a question for so long it ends.
const IDLE: Duration = Duration::from_secs(60);
/// A question that takes longer ends it: whoever asked has done without long ago.
const TIME_MAX: Duration = Duration::from_secs(30);

/// A question.
#[derive(Debug, Deserialize)]
struct RecallQuestion {
    name: String,
    #[serde(default)]
    input: Value,
}

/// Answers until the daemon ends, or nobody asks.
///
/// # Errors
/// Standard output cannot be written.
pub(crate) fn run(run: &RunContext) -> io::Result<()> {
    let mut stdin = BufReader::new(io::stdin());
    let mut line = Vec::new();
    let watched = watch_pauses();
    // Prompts come one after the other: the index stays, while its file does.
    index_file::keep_loaded();
    while is_asked(&stdin) {
        line.clear();
        if stdin.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let _ = watched.send(());
        let said = answer_line(&line, run);
        let _ = watched.send(());
        let mut text = serde_json::to_vec(&said)?;
        text.push(b'\n');
        let mut stdout = io::stdout().lock();
        stdout.write_all(&text)?;
        stdout.flush()?;
    }
    Ok(())
}

/// Waits for a question, or for its end.
fn is_asked(stdin: &BufReader<io::Stdin>) -> bool {
    !stdin.buffer().is_empty() || !stays_silent(stdin.get_ref(), IDLE)
}

/// Ends this process when the time between two words is too long.
#[expect(clippy::exit, reason = "the thread that hangs cannot be unwound")]
fn watch_pauses() -> Sender<()> {
    let (sender, words) = channel();
    // Without a thread a question may take as long as it wants.
    let _ = std::thread::Builder::new().spawn(move || {
        while words.recv().is_ok() {
            if words.recv_timeout(TIME_MAX).is_err() {
                std::process::exit(1);
            }
        }
    });
    sender
}

fn answer_line(line: &[u8], run: &RunContext) -> ReaderAnswer {
    match answer_question(line, run) {
        Ok(answer) => ReaderAnswer {
            answer,
            error: None,
        },
        Err(error) => ReaderAnswer {
            answer: Value::Null,
            error: Some(shown_message(&*error)),
        },
    }
}

fn answer_question(line: &[u8], run: &RunContext) -> Result<Value, JobError> {
    let asked: RecallQuestion =
        serde_json::from_slice(line).map_err(|error| format!("not a question: {error}"))?;
    match asked.name.as_str() {
        remote_recall::RECALL_JOB => Ok(remote_recall::answer_question(asked.input, run)?),
        "index" => index(&run.at_present()),
        "session" => notes_due(asked.input, &run.at_present()),
        name => Err(format!("nobody knows `{name}`").into()),
    }
}

/// The indexes as a host loads them, by tier: `{"private": TEXT, ..}`.
fn index(run: &RunContext) -> Result<Value, JobError> {
    let place = run.place()?;
    let memory = ProjectMemory::new(&place.location, run.dirs()?);
    let mut tiers = serde_json::Map::new();
    for scope in Scope::ALL {
        let path = ScopeDir(scope).path(INDEX_FILE)?;
        let read = memory.store(scope).read(&path)?;
        let loaded = index::load_index(&read.unwrap_or_default());
        tiers.insert(scope.as_str().to_owned(), loaded.text.into());
    }
    Ok(tiers.into())
}

/// Whether notes of a session are due: `{"session": ID, "transcript": FILE}`, each may be missing.
fn notes_due(input: Value, run: &RunContext) -> Result<Value, JobError> {
    /// Which session.
    #[derive(Deserialize)]
    struct NamedSession {
        session: Option<String>,
        transcript: Option<PathBuf>,
    }
    let NamedSession {
        session,
        transcript,
    } = serde_json::from_value(input)?;
    let query = SessionQuery {
        session,
        transcript,
    };
    let place = run.place()?;
    let due = query.choose_session(run)?.check_due(&place.project, run)?;
    Ok(serde_json::to_value(due)?)
}
