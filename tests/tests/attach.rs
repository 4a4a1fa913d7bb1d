//! Stores that are attached to a repository, with a real server.

mod agent_context;
mod attachments;
mod deletion_conflicts;
mod mcp;
mod offline;
mod races;
mod read_only;
mod redaction;
mod rejected_content;
mod resources;
mod tool;

use std::path::PathBuf;

use mem_tests::{Output, Repo, Server, TestEnv};
use serde_json::{Value, json};

/// A repository, a server, and stores in it.
pub(crate) struct Bed<'e> {
    pub(crate) env: &'e TestEnv,
    pub(crate) repo: Repo<'e>,
    pub(crate) server: Option<Server>,
    pub(crate) url: String,
}

impl<'e> Bed<'e> {
    pub(crate) fn new(env: &'e TestEnv) -> Self {
        let server = Server::open(env);
        Self {
            env,
            repo: env.repo("app"),
            url: server.url(),
            server: Some(server),
        }
    }

    /// The same with a store `Notes` that is attached at `/memories/notes` and holds this; its id.
    #[track_caller]
    pub(crate) fn with(env: &'e TestEnv, memories: &[(&str, &str)]) -> (Self, String) {
        let bed = Self::new(env);
        let store = bed.create("Notes");
        for (path, text) in memories {
            bed.put(&store, path, text);
        }
        bed.attach(&[&store]).assert_ok();
        (bed, store)
    }

    /// The same, and then the server is away.
    #[track_caller]
    fn cut_off(env: &'e TestEnv, memories: &[(&str, &str)]) -> (Self, String) {
        let (mut bed, store) = Self::with(env, memories);
        bed.kill();
        env.advance(60);
        (bed, store)
    }

    /// Ends the server as a power failure would.
    pub(crate) fn kill(&mut self) {
        self.server = None;
    }

    /// Starts it again at its address.
    pub(crate) fn revive(&mut self) {
        let address = self.url.trim_start_matches("http://").to_owned();
        let data = self.env.root().join("data");
        let args = [
            "serve",
            "--insecure-no-auth",
            "--listen",
            &address,
            "--data-dir",
        ];
        self.server = Some(Server::of(self.env.invoke(args).args([data])));
    }

    #[track_caller]
    pub(crate) fn store(&self, args: &[&str]) -> Value {
        let run = self.repo.invoke(["store", "--json"]).args(args);
        run.args(["--base-url", &self.url]).run().assert_ok().json()
    }

    /// A new store; its id.
    #[track_caller]
    pub(crate) fn create(&self, name: &str) -> String {
        let made = self.store(&["create", name, "--description", &format!("About {name}")]);
        made["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn put(&self, store: &str, path: &str, text: &str) {
        self.store(&["put", store, path, "--body", text]);
    }

    /// What the server has at a path.
    pub(crate) fn cat(&self, store: &str, path: &str) -> Option<String> {
        let run = self
            .repo
            .invoke(["store", "cat", store, path, "--base-url", &self.url]);
        let output = run.run();
        output.stderr.is_empty().then_some(output.stdout)
    }

    /// How many memories a store has.
    #[track_caller]
    pub(crate) fn count(&self, store: &str) -> usize {
        let there = self.store(&["memories", store]);
        there["memories"].as_array().unwrap().len()
    }

    pub(crate) fn attach(&self, args: &[&str]) -> Output {
        let run = self.repo.invoke(["attach"]).args(args);
        run.args(["--base-url", &self.url]).run()
    }

    /// One input of the memory tool: what the model is told, and whether it is an error.
    pub(crate) fn tool(&self, input: &Value) -> (String, bool) {
        let run = self
            .repo
            .invoke(["tool", "--json"])
            .stdin(input.to_string());
        let answer = run.run().json();
        let content = answer["content"].as_str().unwrap().to_owned();
        (content, answer["is_error"] == true)
    }

    #[track_caller]
    pub(crate) fn done(&self, input: &Value) -> String {
        let (content, is_error) = self.tool(input);
        assert!(!is_error, "{content}");
        content
    }

    #[track_caller]
    pub(crate) fn refused(&self, input: &Value) -> String {
        let (content, is_error) = self.tool(input);
        assert!(is_error, "{content}");
        content
    }

    #[track_caller]
    pub(crate) fn create_file(&self, path: &str, text: &str) -> String {
        self.done(&json!({ "command": "create", "path": path, "file_text": text }))
    }

    #[track_caller]
    pub(crate) fn view(&self, path: &str) -> String {
        self.done(&json!({ "command": "view", "path": path }))
    }

    #[track_caller]
    pub(crate) fn attachments(&self) -> Vec<Value> {
        let json = self.repo.mem(["attachments", "--json"]).assert_ok().json();
        json["resources"].as_array().unwrap().clone()
    }

    /// The folder of the offline copies.
    pub(crate) fn copies(&self) -> PathBuf {
        let all = self.env.files_under(&self.env.home());
        let book = all
            .iter()
            .find(|(name, _)| name.ends_with("attached/attachments.json"));
        let book = self.env.home().join(&book.unwrap().0);
        book.parent().unwrap().join("memories")
    }
}
