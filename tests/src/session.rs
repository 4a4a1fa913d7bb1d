//! A session of a host: its transcript, written line by line as the host does.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::env::TestEnv;
use crate::repo::Repo;

/// A session of a host in a repository of its own.
#[derive(Debug)]
pub struct Session<'e> {
    /// The repository.
    pub repo: Repo<'e>,
    /// The file of the transcript.
    pub transcript: PathBuf,
}

impl<'e> Session<'e> {
    /// Its id.
    pub const ID: &'static str = "11111111-2222-3333-4444-555555555555";

    /// One in which nothing was said yet.
    #[track_caller]
    pub fn new(env: &'e TestEnv) -> Self {
        Self::in_repo(env, env.repo("app"))
    }

    /// The same in a repository that is there.
    #[track_caller]
    pub fn in_repo(env: &TestEnv, repo: Repo<'e>) -> Self {
        let path = repo.path().display().to_string();
        let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = path.chars().map(dash).collect();
        let folder = env.base().join("projects").join(slug);
        fs::create_dir_all(&folder).expect("a folder");
        let transcript = folder.join(format!("{}.jsonl", Self::ID));
        fs::write(&transcript, "").expect("a transcript");
        Self { repo, transcript }
    }

    /// The transcript of another session in the same repository.
    #[track_caller]
    pub fn sibling(&self, id: &str) -> Self {
        let transcript = self.transcript.with_file_name(format!("{id}.jsonl"));
        fs::write(&transcript, "").expect("a transcript");
        Self {
            repo: self.repo.clone(),
            transcript,
        }
    }

    /// Adds what somebody said: `user` or `assistant`.
    #[track_caller]
    pub fn say(&self, kind: &str, content: impl Into<Value>) {
        let text = fs::read_to_string(&self.transcript).expect("a transcript");
        let uuid = format!("u{}", text.lines().count());
        let record = json!({"type": kind, "uuid": uuid, "timestamp": "2026-01-01T10:00:00Z",
            "cwd": self.repo.path(), "message": {"role": kind, "content": content.into()}});
        fs::write(&self.transcript, format!("{text}{record}\n")).expect("written");
    }

    /// Adds a call of a tool with its result.
    #[track_caller]
    pub fn call(&self, id: &str, tool: &str, input: &Value, result: &str, failed: bool) {
        self.say(
            "assistant",
            json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]),
        );
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed}]);
        self.say("user", result);
    }
}
