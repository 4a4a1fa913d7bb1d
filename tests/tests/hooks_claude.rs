//! `mem hook claude`, run as a host runs it.

mod files;
mod input;
mod notes;
mod other_hosts;
mod prompt;
mod session;
mod start;
mod subagent;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mem_tests::{Repo, TestEnv};
use serde_json::{Value, json};

/// Far more than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A session of a host in a checkout.
struct Host<'e> {
    env: &'e TestEnv,
    cwd: PathBuf,
    session: String,
    transcript: PathBuf,
}

impl<'e> Host<'e> {
    fn new(env: &'e TestEnv, repo: &Repo<'_>, session: &str) -> Self {
        let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = repo.path().to_string_lossy().chars().map(dash).collect();
        let folder = env.base().join("projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        let transcript = folder.join(format!("{session}.jsonl"));
        fs::write(&transcript, "").unwrap();
        Self {
            env,
            cwd: repo.path().to_owned(),
            session: session.to_owned(),
            transcript,
        }
    }

    /// The event as the host writes it, with `more` fields.
    fn event(&self, name: &str, more: &Value) -> String {
        let mut event = json!({
            "session_id": self.session, "transcript_path": self.transcript,
            "cwd": self.cwd, "hook_event_name": name, "permission_mode": "default",
            "field_of_a_later_version": {"deep": [1, null]},
        });
        let fields = event.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        event.to_string()
    }

    /// The process that a host starts for an event, its input aside.
    fn hook(&self, name: &str) -> Command {
        let mut command = self.env.command(mem_tests::binary::path());
        // A host runs hooks where it likes.
        command
            .args(["hook", "claude", name])
            .current_dir(self.env.root());
        command
    }

    /// Runs a hook to its end: what it answers, if anything.
    #[track_caller]
    fn fire(&self, name: &str, more: &Value) -> Option<Value> {
        self.fire_with(name, more, &[])
    }

    /// The same with variables.
    #[track_caller]
    fn fire_with(&self, name: &str, more: &Value, variables: &[(&str, &str)]) -> Option<Value> {
        let mut hook = self.hook(name);
        hook.envs(variables.iter().copied());
        answer(hook, self.event(name, more).as_bytes())
    }

    /// What the model is told at an event; empty for nothing.
    #[track_caller]
    fn told(&self, name: &str, more: &Value) -> String {
        context(self.fire(name, more))
    }

    /// Adds a record to the transcript, as the host does.
    fn record(&self, kind: &str, content: &Value) {
        let record = json!({"type": kind, "uuid": "u", "sessionId": self.session, "cwd": self.cwd,
            "timestamp": "2026-01-01T10:00:00Z", "message": {"role": kind, "content": content}});
        let mut file = fs::File::options()
            .append(true)
            .open(&self.transcript)
            .unwrap();
        std::io::Write::write_all(&mut file, format!("{record}\n").as_bytes()).unwrap();
    }

    /// So much work that notes are due.
    fn work(&self, task: &str) {
        self.record("user", &json!(task));
        let text = "word ".repeat(11_000);
        self.record("assistant", &json!([{"type": "text", "text": text}]));
        self.record(
            "assistant",
            &json!([{"type": "text", "text": "It works now."}]),
        );
    }

    /// Where the notes of this session are.
    fn notes(&self) -> PathBuf {
        let slug = self.transcript.parent().unwrap().file_name().unwrap();
        let folder = self.env.base().join("session-memory").join(slug);
        folder.join(format!("{}.md", self.session))
    }
}

/// Runs a hook: exit code 0, and one JSON object or nothing.
#[track_caller]
fn answer(mut hook: Command, input: &[u8]) -> Option<Value> {
    let hook = hook
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = hook.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(std::io::Write::write_all(&mut pipe, &input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{talk}");
    let text = String::from_utf8(output.stdout).unwrap();
    (!text.is_empty()).then(|| serde_json::from_str(&text).unwrap())
}

/// The text for the model in an answer.
fn context(answer: Option<Value>) -> String {
    let answer = answer.unwrap_or_default();
    let text = &answer["hookSpecificOutput"]["additionalContext"];
    text.as_str().unwrap_or_default().to_owned()
}

/// The log of the hooks.
fn log(env: &TestEnv) -> String {
    let path = env.home().join(".local/state/mem/hooks.log");
    fs::read_to_string(path).unwrap_or_default()
}

/// Waits until something is so.
#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "still not: {what}");
        std::thread::yield_now();
    }
}

/// The processes that belong to an environment, whoever started them: id and command line.
///
/// Looked at twice: a process that hands on to another may be gone, and the other not yet there, in
/// one look.
fn processes(env: &TestEnv) -> Vec<String> {
    let mut all = look(env);
    all.extend(look(env));
    all.sort();
    all.dedup();
    all
}

/// One that is just being started does not show whose it is yet, and counts as everybody's.
fn look(env: &TestEnv) -> Vec<String> {
    let home = format!("HOME={}", env.home().display());
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_env = all.filter_map(|process| {
        let read = |file: &str| fs::read(process.path().join(file)).unwrap_or_default();
        let id = process.file_name().into_string().ok()?;
        let (environ, line) = (read("environ"), read("cmdline"));
        let program = fs::read_link(process.path().join("exe"));
        if environ.is_empty() && program.is_ok_and(|path| path == mem_tests::binary::path()) {
            return Some(format!("{id} {STARTING}"));
        }
        let is_ours = String::from_utf8_lossy(&environ).contains(&home);
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        (is_ours && !line.is_empty()).then(|| format!("{id} {line}"))
    });
    of_env.collect()
}

/// Stands for the command line of a process that has none yet.
const STARTING: &str = "(starting)";

/// Waits until nothing runs any more.
#[track_caller]
fn until_quiet(env: &TestEnv) {
    until("no process stays behind", || processes(env).is_empty());
}

/// A memory file of a tier, as a host's tool writes it.
fn put(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
