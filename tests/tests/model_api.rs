//! A model behind the Messages API: a scripted server that plays it, and what `mem` makes of whatever it says.

mod failures;
mod host;
mod key;
mod question;
mod tool_loop;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use mem_tests::{Invocation, Output, Repo, ScriptedModel, TestEnv};
use serde_json::{Value, json};

const ID: &str = "11111111-2222-3333-4444-555555555555";
/// What the rules find in what was said, and what a model quotes of it.
const RULE: &str = "No, never mock the database in tests. We got burned last quarter when mocks hid a broken migration.";
/// What the rules do not find.
const SHEET: &str = "hm, so that ingest lag again, the sheet of platform maybe";
/// The key, in pieces: it is to be in no output.
const KEY: &str = concat!("key-of-", "the-model-0123456789");

/// A session of a host in a repository, and a key in its file.
struct Session<'e> {
    env: &'e TestEnv,
    repo: Repo<'e>,
    transcript: PathBuf,
}

impl<'e> Session<'e> {
    /// A person said [`RULE`] and [`SHEET`].
    fn new(env: &'e TestEnv) -> Self {
        let repo = env.repo("app");
        let path = repo.path().display().to_string();
        let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = path.chars().map(dash).collect();
        let folder = env.base().join("projects").join(slug);
        fs::create_dir_all(&folder).unwrap();
        let transcript = folder.join(format!("{ID}.jsonl"));
        fs::write(&transcript, "").unwrap();
        let session = Self {
            env,
            repo,
            transcript,
        };
        session.keep_key(0o600);
        session.say(RULE);
        session.say(SHEET);
        session
    }

    fn key_file(&self) -> PathBuf {
        self.env.home().join(".config/mem/model.key")
    }

    fn keep_key(&self, mode: u32) {
        let file = self.key_file();
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, format!("{KEY}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn say(&self, text: &str) {
        let before = fs::read_to_string(&self.transcript).unwrap();
        let uuid = format!("u{}", before.lines().count());
        let record = json!({"type": "user", "uuid": uuid, "timestamp": "2026-01-01T10:00:00Z",
            "cwd": self.repo.path(), "message": {"role": "user", "content": text}});
        fs::write(&self.transcript, format!("{before}{record}\n")).unwrap();
    }

    /// Names the model, as a person does.
    fn with(&self, model: &ScriptedModel) -> &Self {
        self.set("model.api", model.url());
        self
    }

    fn set(&self, key: &str, value: &str) {
        self.repo.mem(["config", "set", key, value]).assert_ok();
    }

    /// Writes a setting past the command that would judge it.
    fn write(&self, key: &str, value: &str) {
        let file = self.key_file().with_file_name("config.toml");
        fs::write(file, format!("{key} = \"{value}\"\n")).unwrap();
    }

    fn extract(&self) -> Invocation<'_> {
        self.repo.invoke(["extract", "--json"])
    }

    /// The directory of the repository's memories.
    fn memory(&self) -> PathBuf {
        self.repo.memory()
    }

    /// A note that is there already.
    fn note(&self, file: &str, description: &str, body: &str) {
        let text =
            format!("---\nname: {file}\ndescription: {description}\ntype: project\n---\n{body}\n");
        fs::create_dir_all(self.memory()).unwrap();
        fs::write(self.memory().join(file), text).unwrap();
    }
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout_bytes).unwrap()
}

/// The names of what was found.
fn names(done: &Value) -> Vec<&str> {
    let all = done["candidates"].as_array().unwrap().iter();
    all.map(|one| one["name"].as_str().unwrap()).collect()
}

/// A memory as a model writes it.
fn file(name: &str, kind: &str, quote: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: About {name}\ntype: {kind}\n---\nThe fact of {name}.\n\n> {quote}\n"
    )
}

fn create(path: &str, text: &str) -> Value {
    json!({ "command": "create", "path": path, "file_text": text })
}

fn view(path: &str) -> Value {
    json!({ "command": "view", "path": path })
}

/// The rules' candidates stand, and it is told why.
#[track_caller]
fn assert_rules_stand(output: &Output, why: &str) {
    let done = json_of(output);
    assert_eq!(names(&done).len(), 1, "{done}");
    assert!(names(&done)[0].contains("ever mock the database"), "{done}");
    assert_eq!(done["changes"].as_array().unwrap().len(), 1, "{done}");
    assert!(
        output.stderr.contains("the rules stand") && output.stderr.contains(why),
        "{}",
        output.stderr
    );
}

/// The files of scratch memories.
fn scratch_files(env: &TestEnv) -> Vec<String> {
    let files = env.files_under(&env.home().join(".cache/mem/scratch"));
    files.into_iter().map(|(name, _)| name).collect()
}
