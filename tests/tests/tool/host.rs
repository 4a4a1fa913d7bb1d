//! A host of the memory tool: starts `mem tool` and asks what a model would.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::TestEnv;
use serde_json::{Value, json};

/// A directory of its own in a throw-away home, and how `mem tool` is started for it.
pub(super) struct Host<'e> {
    pub(super) env: &'e TestEnv,
    pub(super) base: PathBuf,
    args: Vec<String>,
    folder: PathBuf,
}

/// What a model was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) text: String,
    pub(super) is_error: bool,
}

impl<'e> Host<'e> {
    /// A host with a directory of its own, `work/base`.
    pub(super) fn new(env: &'e TestEnv, args: &[&str]) -> Self {
        Self::named(env, "base", args)
    }

    /// The same with another name.
    pub(super) fn named(env: &'e TestEnv, name: &str, args: &[&str]) -> Self {
        let base = env.work().join(name);
        let mut all = vec!["--root".to_owned(), base.to_str().unwrap().to_owned()];
        all.extend(args.iter().map(|&arg| arg.to_owned()));
        let folder = env.work();
        Self {
            env,
            base,
            args: all,
            folder,
        }
    }

    /// A host without `--root`, in a folder.
    pub(super) fn of_project(env: &'e TestEnv, folder: &Path, args: &[&str]) -> Self {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        let folder = folder.to_owned();
        Self {
            env,
            base: folder.clone(),
            args,
            folder,
        }
    }

    /// A run of `mem tool` with this input.
    pub(super) fn run(&self, more: &[&str], input: impl Into<Vec<u8>>) -> mem_tests::Output {
        let args = ["tool"]
            .into_iter()
            .chain(self.args.iter().map(String::as_str));
        let args: Vec<&str> = args.chain(more.iter().copied()).collect();
        self.env
            .invoke(args)
            .in_dir(&self.folder)
            .stdin(input)
            .run()
    }

    /// Asks in one process of its own.
    #[track_caller]
    pub(super) fn once(&self, input: &Value) -> Told {
        let output = self.run(&[], input.to_string());
        assert!(matches!(output.code, 0 | 1), "{}", output.shown());
        Told {
            text: String::from_utf8(output.stdout_bytes).unwrap(),
            is_error: output.code == 1,
        }
    }

    /// Asks several things of one process, with `--loop`; the answers come in order.
    #[track_caller]
    pub(super) fn all(&self, inputs: &[Value]) -> Vec<Told> {
        let lines = inputs.iter().enumerate();
        let lines = lines.map(|(id, input)| json!({ "id": id, "input": input }).to_string() + "\n");
        let output = self.run(&["--loop"], lines.collect::<String>()).assert_ok();
        let text = String::from_utf8(output.stdout_bytes).unwrap();
        let answers = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let told = answers.enumerate().map(|(at, answer)| {
            assert_eq!(answer["id"], at);
            Told {
                text: answer["content"].as_str().unwrap().to_owned(),
                is_error: answer["is_error"].as_bool().unwrap(),
            }
        });
        told.collect()
    }

    /// Asks one thing of a loop.
    #[track_caller]
    pub(super) fn ask(&self, input: Value) -> Told {
        self.all(&[input]).remove(0)
    }

    /// The path of a file below the root.
    pub(super) fn at(&self, file: &str) -> PathBuf {
        self.base.join("memories").join(file)
    }

    /// Writes a file behind the back of the tool.
    pub(super) fn put(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The text of a file, `None` where there is none.
    pub(super) fn text(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.at(file)).ok()
    }
}

pub(super) fn view(path: &str) -> Value {
    json!({ "command": "view", "path": path })
}

pub(super) fn view_range(path: &str, range: impl Into<Value>) -> Value {
    let range = range.into();
    json!({ "command": "view", "path": path, "view_range": range })
}

pub(super) fn create(path: &str, text: &str) -> Value {
    json!({ "command": "create", "path": path, "file_text": text })
}

pub(super) fn replace(path: &str, old: &str, new: &str) -> Value {
    json!({ "command": "str_replace", "path": path, "old_str": old, "new_str": new })
}

pub(super) fn insert(path: &str, line: i64, text: &str) -> Value {
    json!({ "command": "insert", "path": path, "insert_line": line, "insert_text": text })
}

pub(super) fn delete(path: &str) -> Value {
    json!({ "command": "delete", "path": path })
}

pub(super) fn rename(old: &str, new: &str) -> Value {
    json!({ "command": "rename", "old_path": old, "new_path": new })
}

/// One step of a table: what is asked, what the model is told. `Err` is an error text.
pub(super) type Step = (Value, Result<&'static str, &'static str>);

/// Runs a table in fresh directories: by one loop, by a process for each step, and by one loop with a
/// history, which is another way of writing.
#[track_caller]
pub(super) fn check(dialect: &str, name: &str, steps: &[Step]) {
    let env = TestEnv::new();
    let inputs: Vec<Value> = steps.iter().map(|(input, _)| input.clone()).collect();
    let looped = Host::named(&env, "looped", &["--dialect", dialect]).all(&inputs);
    let single = Host::named(&env, "single", &["--dialect", dialect]);
    let single: Vec<Told> = inputs.iter().map(|input| single.once(input)).collect();
    let kept = Host::named(&env, "kept", &["--dialect", dialect, "--history"]).all(&inputs);
    for (told, how) in [(looped, "loop"), (single, "single"), (kept, "history")] {
        for ((input, expected), told) in steps.iter().zip(told) {
            let (text, is_error) = match expected {
                Ok(text) => (*text, false),
                Err(text) => (*text, true),
            };
            let expected = Told {
                text: text.to_owned(),
                is_error,
            };
            assert_eq!(told, expected, "{name}, {dialect}, {how}: {input}");
        }
    }
}
