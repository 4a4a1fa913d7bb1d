//! `mem erase`: out of every place, and a proof that says so without saying what.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use std::fs;

use mem_tests::{Invocation, Repo, Server, Session, TestEnv, postgres};
use serde_json::{Value, json};

const TEXT: &str = "The staging database is restored every monday at six";

fn remembering<'e>(env: &'e TestEnv, name: &str, text: &str) -> Repo<'e> {
    let repo = env.repo(name);
    let save = [
        "save",
        "--type",
        "project",
        "--name",
        "Staging restore",
        "--description",
        "when",
        "--body",
        text,
    ];
    repo.mem(save).assert_ok();
    repo.mem(["recall", "when is staging restored"]).assert_ok();
    repo
}

fn holds(env: &TestEnv, text: &str) -> Vec<String> {
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
    let files = env.files_under(&env.home()).into_iter();
    files
        .filter(|(_, bytes)| holds(bytes))
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn a_project_is_gone_from_every_place_and_the_proof_says_so() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let slug = {
        let told = repo.mem(["path"]).assert_ok().line();
        let memory = std::path::PathBuf::from(told);
        memory.parent().unwrap().file_name().unwrap().to_owned()
    };
    // What stands beside the memory: notes of a session, a log, what an editor left.
    let notes = env.base().join("session-memory").join(slug);
    fs::create_dir_all(&notes).unwrap();
    fs::write(notes.join("s1.md"), format!("# Notes\n{TEXT}\n")).unwrap();
    let state = env.home().join(".local/state/mem");
    fs::create_dir_all(state.join("unsaved")).unwrap();
    fs::write(state.join("unsaved/draft.md"), TEXT).unwrap();
    fs::write(
        state.join("hooks.log"),
        format!("1 fine\n2 {TEXT}\n3 fine\n"),
    )
    .unwrap();
    let dry = repo.mem(["erase", "--project", "--dry-run"]).assert_ok();
    assert!(dry.stdout.contains("its whole history"), "{}", dry.stdout);
    assert!(dry.stdout.contains("session-memory"), "{}", dry.stdout);
    assert!(holds(&env, TEXT).len() >= 4);
    repo.mem(["erase", "--project"]).assert_code(2);
    let nowhere = ["erase", "--project", "--yes", "--proof", "nowhere/p.json"];
    repo.mem(nowhere).assert_code(2);
    assert!(holds(&env, TEXT).len() >= 4);
    let erased = repo
        .mem(["erase", "--project", "--yes", "--proof", "proof.json"])
        .assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(
        fs::read_to_string(state.join("hooks.log")).unwrap(),
        "1 fine\n3 fine\n"
    );
    let text = fs::read_to_string(repo.path().join("proof.json")).unwrap();
    let proof: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(proof["is_clean"], true);
    assert!(proof["searched_for"]["content"].as_u64().unwrap() > 0);
    assert!(proof["searched_in"].as_array().unwrap().len() >= 4);
    assert!(
        !text.contains("staging") && !text.contains("Staging"),
        "{text}"
    );
    // Whoever has the text can see that it was looked for.
    let salt = proof["traces"]["salt"].as_str().unwrap();
    assert_eq!(salt.len(), 32);
    let again = ["erase", "--project", "--yes", "--proof", "proof.json"];
    repo.mem(again).assert_code(2);
}

#[test]
fn what_another_memory_says_too_is_told_and_stays() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let other = remembering(&env, "other", TEXT);
    let erased = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_code(1)
        .json();
    assert_eq!(erased["proof"]["is_clean"], false);
    let found = erased["proof"]["found"].as_array().unwrap();
    assert!(!found.is_empty());
    // In its file, and packed in the history.
    let files: Vec<&str> = found
        .iter()
        .filter_map(|one| one["file"].as_str())
        .collect();
    assert!(files.iter().any(|file| file.ends_with(".md")), "{files:?}");
    assert!(
        files.iter().any(|file| file.ends_with("history.git")),
        "{files:?}"
    );
    assert!(
        other
            .mem(["list"])
            .assert_ok()
            .stdout
            .contains("project_staging")
    );
}

/// A session that has no notes yet, of which only what was said is remembered.
fn remembered_session(env: &TestEnv) -> Session<'_> {
    let session = Session::new(env);
    session.say("user", SAID);
    session.repo.mem(["session", "due"]).assert_ok();
    assert_eq!(
        of_mem(env, SAID).len(),
        1,
        "it is remembered, without notes"
    );
    session
}

const SAID: &str = "My rent rises to four thousand in spring, tell nobody";

/// The files that hold a text, but for the host's transcripts.
fn of_mem(env: &TestEnv, text: &str) -> Vec<String> {
    let mut files = holds(env, text);
    files.retain(|file| !file.ends_with(".jsonl"));
    files
}

#[test]
fn what_is_remembered_of_a_session_without_notes_goes_too() {
    for words in [["erase", "--project"], ["purge", "--repo"]] {
        let env = TestEnv::new();
        let session = remembered_session(&env);
        let other = env.repo("other");
        other.mem([words[0], words[1], "--yes"]).assert_ok();
        assert_eq!(of_mem(&env, SAID).len(), 1, "another project's stays");
        session.repo.mem([words[0], words[1], "--yes"]).assert_ok();
        assert_eq!(of_mem(&env, SAID), [""; 0]);
        assert!(session.transcript.exists());
    }
}

#[test]
fn a_session_is_found_by_where_it_stood_and_the_proof_looks_for_its_words() {
    let env = TestEnv::new();
    let session = remembered_session(&env);
    // The host forgot it meanwhile, and a colleague's words say the same elsewhere.
    fs::remove_file(&session.transcript).unwrap();
    let other = remembering(&env, "other", SAID);
    let erased = session.repo.mem(["erase", "--project", "--yes", "--json"]);
    let proof = erased.assert_code(1).json()["proof"].clone();
    assert!(proof["searched_for"]["content"].as_u64().unwrap() > 0);
    assert_eq!(proof["is_clean"], false);
    other.mem(["erase", "--project", "--yes"]).assert_ok();
    assert_eq!(holds(&env, SAID), [""; 0]);
}

#[test]
fn names_that_another_project_has_for_itself_are_no_trace() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let other = env.repo("other");
    let save = ["save", "--type", "project", "--name", "Staging restore"];
    let more = [
        "--description",
        "of the cellar",
        "--body",
        "Pipes are old there",
    ];
    other.mem(save.into_iter().chain(more)).assert_ok();
    for (repo, text) in [
        (&repo, "Looked at pipes today"),
        (&other, "Planted tomatoes at noon"),
    ] {
        repo.mem(["log", text]).assert_ok();
    }
    let erased = repo.mem(["erase", "--project", "--yes", "--json"]).json();
    assert_eq!(erased["proof"]["found"], json!([]));
    assert_eq!(erased["proof"]["is_clean"], true);
    assert!(
        other
            .mem(["list"])
            .assert_ok()
            .stdout
            .contains("project_staging")
    );
}

#[test]
fn a_proof_in_a_folder_that_goes_is_refused_first() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    let memory = repo.mem(["path"]).assert_ok().line();
    let file = format!("{memory}/proof.json");
    let refused = repo.mem(["erase", "--project", "--yes", "--proof", &file]);
    let told = refused.assert_code(2).stderr;
    assert!(told.contains("would stand in what is erased"), "{told}");
    let state = env.home().join(".local/state/mem/proof.json");
    let all = [
        "erase",
        "--all",
        "--yes",
        "--proof",
        state.to_str().unwrap(),
    ];
    repo.mem(all).assert_code(2);
    assert!(!holds(&env, TEXT).is_empty());
}

#[test]
fn a_daemon_ends_before_what_it_looks_after_goes() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    repo.mem(["config", "set", "team.remote", "file:///nowhere"])
        .assert_ok();
    repo.mem(["daemon", "start"]).assert_ok();
    let erased = repo.mem(["erase", "--project", "--yes"]).assert_ok();
    assert!(
        erased.stderr.contains("`team.remote` is set for all"),
        "{}",
        erased.stderr
    );
    let status = repo.mem(["daemon", "status", "--json"]).assert_ok().json();
    assert_eq!(status["running"], false);
    assert_eq!(holds(&env, TEXT), [""; 0]);
    repo.mem(["daemon", "start"]).assert_ok();
    repo.mem(["erase", "--all", "--yes"]).assert_ok();
    let status = repo.mem(["daemon", "status", "--json"]).assert_ok().json();
    assert_eq!(status["running"], false);
    assert!(!env.home().join(".local/state/mem/erasing").exists());
}

#[test]
fn an_erasure_that_was_interrupted_is_told_in_the_next_proof() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let lock = env.home().join(".local/state/mem/config.lock");
    fs::remove_file(&lock).unwrap();
    fs::create_dir(&lock).unwrap();
    repo.mem(["erase", "--project", "--yes"]).assert_code(1);
    assert_eq!(holds(&env, TEXT), [""; 0], "the memory is gone by then");
    fs::remove_dir(&lock).unwrap();
    let again = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_ok();
    let proof = again.json()["proof"].clone();
    assert!(
        proof["searched_for"]["digest"].as_u64().unwrap() > 0,
        "{proof}"
    );
    assert!(
        proof["not_searched"].to_string().contains("did not end"),
        "{proof}"
    );
    assert_eq!(proof["is_clean"], false);
    let third = repo
        .mem(["erase", "--project", "--yes", "--json"])
        .assert_ok();
    assert_eq!(third.json()["proof"]["is_clean"], true);
    assert!(!env.home().join(".local/state/mem/erasing").exists());
}

#[test]
fn everything_of_this_machine_goes_and_an_agent_does_not_decide() {
    let env = TestEnv::new();
    let repo = remembering(&env, "app", TEXT);
    remembering(
        &env,
        "other",
        "Another text that only one of them has said so far",
    );
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let as_agent = repo
        .invoke(["erase", "--all", "--yes"])
        .env("MEM_ACTOR", "agent");
    as_agent.run().assert_code(1);
    assert!(!holds(&env, TEXT).is_empty());
    repo.mem(["erase", "--all", "--yes"]).assert_ok();
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(holds(&env, "only one of them has said"), [""; 0]);
    repo.mem(["erase"]).assert_code(2);
    repo.mem(["erase", "--all", "--project"]).assert_code(2);
}

#[test]
fn a_store_of_a_server_goes_with_its_versions_and_its_key() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    for repository in ["acme/app", "acme/other"] {
        for text in [TEXT, "Something newer that was said in its place, later"] {
            let text = format!("{repository}: {text}");
            let body = json!({ "entries": { "a.md": text } }).to_string();
            server
                .store("PUT", repository, "")
                .json(body)
                .send()
                .assert(200);
        }
    }
    let erase = |more: &[&str]| {
        let run = env.invoke(["erase", "--store", "team:acme/app", "--data-dir", data]);
        run.args(more).run()
    };
    let refused = erase(&["--yes"]).assert_code(4).stderr;
    assert!(refused.contains("a server is using"), "{refused}");
    assert!(
        erase(&["--dry-run"])
            .assert_ok()
            .stdout
            .contains("2 versions")
    );
    env.mem(["encrypt", "on", "--data-dir", data]).assert_ok();
    server.end();
    let erased = erase(&["--yes", "--json"]).assert_ok().json();
    assert_eq!(erased["proof"]["is_clean"], true);
    assert!(erased["proof"]["searched_for"]["content"].as_u64().unwrap() >= 2);
    erase(&["--yes"]).assert_code(2);
    let server = Server::open(&env);
    let gone = server.store("GET", "acme/app", "").send();
    assert!(gone.status == 404 || gone.json()["entries"] == json!({}));
    let other = server.store("GET", "acme/other", "").send().json();
    assert!(
        other["entries"]["a.md"]["content"]
            .as_str()
            .unwrap()
            .contains("newer")
    );
    server.end();
    // Without the key it cannot be read, and goes all the same.
    fs::remove_file(env.home().join(".config/mem/master.key")).unwrap();
    let other = ["erase", "--store", "team:acme/other", "--yes", "--data-dir"];
    let erased = env.invoke(other).args([data]).run().assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
}

#[test]
fn a_proof_does_not_speak_for_files_that_were_not_searched() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let env = TestEnv::new();
    let url = cluster.database();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--insecure-no-auth"];
    let server = Server::of(env.invoke(serve).env("MEM_DATABASE_URL", &url));
    for repository in ["acme/app", "acme/other"] {
        let body = json!({ "entries": { "a.md": TEXT } }).to_string();
        server
            .store("PUT", repository, "")
            .json(body)
            .send()
            .assert(200);
    }
    server.end();
    let erase = |store: &str, more: &[&str]| {
        let run = env.invoke(["erase", "--store", store, "--yes"]);
        run.args(more)
            .env("MEM_DATABASE_URL", &url)
            .run()
            .assert_ok()
    };
    let proof = erase("team:acme/app", &["--json"]).json()["proof"].clone();
    assert_eq!(proof["is_clean"], false);
    assert!(proof["not_searched"].to_string().contains("PostgreSQL"));
    let told = erase("team:acme/other", &[]).stdout;
    assert!(
        told.contains("not searched") && !told.contains("nothing is left\n"),
        "{told}"
    );
}

#[test]
fn a_destroyed_key_ends_every_copy_of_what_it_wrapped() {
    let env = TestEnv::new();
    let data = env.root().join("data");
    let data = data.to_str().unwrap();
    let server = Server::open(&env);
    let body = json!({ "entries": { "a.md": TEXT } }).to_string();
    server
        .store("PUT", "acme/app", "")
        .json(body)
        .send()
        .assert(200);
    env.mem(["encrypt", "on", "--data-dir", data]).assert_ok();
    let backup = [
        "server",
        "backup",
        "--to",
        "copy.sqlite",
        "--data-dir",
        data,
    ];
    env.mem(backup).assert_ok();
    server.end();
    env.mem(["erase", "--project", "--destroy-key", "--yes"])
        .assert_code(2);
    let dry = env
        .mem(["erase", "--all", "--destroy-key", "--dry-run"])
        .assert_ok();
    assert!(
        dry.stderr.contains("can never be read again"),
        "{}",
        dry.stderr
    );
    env.mem(["erase", "--all", "--destroy-key", "--yes"])
        .assert_ok();
    assert!(!env.home().join(".config/mem/master.key").exists());
    let restore = [
        "server",
        "restore",
        "--from",
        "copy.sqlite",
        "--data-dir",
        "elsewhere",
    ];
    env.mem(restore).assert_ok();
    let serve = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--insecure-no-auth",
        "--data-dir",
        "elsewhere",
    ];
    let told = env.mem(serve).assert_code(1).stderr;
    assert!(told.contains("there is no master key"), "{told}");
}

#[test]
fn a_user_of_a_host_goes_from_every_place_and_nobody_else() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let record = |user: &str, text: &str| {
        let args = [
            "record",
            "store",
            text,
            "--category",
            "factual_knowledge",
            "--user",
            user,
        ];
        repo.mem(args).assert_ok();
        repo.mem(["record", "retrieve", "staging database", "--user", user])
            .assert_ok();
    };
    record("alice", TEXT);
    record(
        "bob",
        "Bob restores the staging database on fridays at noon",
    );
    // The memory tool keeps files for her in a project, and where a host wanted them.
    let create = |more: &[&str], text: &str| {
        let input = json!({ "command": "create", "path": "/memories/a.md", "file_text": text });
        let run = repo.invoke(["tool"]).args(more).stdin(input.to_string());
        run.run().assert_ok();
    };
    let root = env.root().join("host");
    let root = root.to_str().unwrap();
    let tool = "The tool was told that she lives by the harbour";
    create(&["--user", "alice"], tool);
    create(&["--user", "alice", "--root", root, "--history"], tool);
    create(
        &["--user", "bob"],
        "Bob was here, and wrote of nothing else at all",
    );
    assert!(!holds(&env, TEXT).is_empty() && !holds(&env, tool).is_empty());
    repo.mem(["erase", "--user", "nobody", "--yes"])
        .assert_code(2);
    repo.mem(["erase", "--user", "", "--yes"]).assert_code(2);
    repo.mem(["erase", "--user", "alice", "--all"])
        .assert_code(2);
    let dry = repo.mem(["erase", "--user", "alice", "-n"]).assert_ok();
    assert!(dry.stdout.contains("records/u-alice"), "{}", dry.stdout);
    assert!(dry.stdout.contains("host/users/u-alice"), "{}", dry.stdout);
    assert!(!dry.stdout.contains("bob"), "{}", dry.stdout);
    repo.mem(["erase", "--user", "alice"]).assert_code(2);
    assert!(!holds(&env, TEXT).is_empty());
    let run = ["erase", "--user", "alice", "--yes", "--proof", "proof.json"];
    let erased = repo.mem(run).assert_ok();
    assert!(
        erased.stdout.contains("nothing is left"),
        "{}",
        erased.stdout
    );
    let state = env.home().join(".local/state/mem");
    assert_eq!(holds(&env, TEXT), [""; 0]);
    assert_eq!(holds(&env, tool), [""; 0]);
    assert!(!state.join("records/u-alice").exists());
    assert!(!env.root().join("host/users/u-alice").exists());
    let proof = fs::read_to_string(repo.path().join("proof.json")).unwrap();
    assert!(
        proof.contains("\"is_clean\": true") && !proof.contains("staging"),
        "{proof}"
    );
    let trail = repo
        .mem(["log-audit", "--user", "alice", "--json"])
        .assert_ok()
        .json();
    assert_eq!(trail, json!({ "entries": [] }));
    repo.mem(["erase", "--user", "alice", "--yes"])
        .assert_code(2);
    let bobs = repo
        .mem(["record", "list", "--user", "bob", "--json"])
        .json();
    assert_eq!(bobs["memories"].as_array().unwrap().len(), 1);
    assert!(!holds(&env, "Bob was here").is_empty());
    // Where agents are held back they do not erase either.
    repo.mem(["config", "set", "memory.write", "confirm"])
        .assert_ok();
    let agent = repo.invoke(["erase", "--user", "bob", "--yes"]);
    agent.env("MEM_ACTOR", "agent").run().assert_code(1);
    assert!(!holds(&env, "Bob was here").is_empty());
}

/// A server of two users, over SQLite or PostgreSQL.
struct Users {
    env: TestEnv,
    url: Option<String>,
}

impl Users {
    /// With the arguments or the environment that name the database.
    fn at<'e>(&'e self, run: Invocation<'e>) -> Invocation<'e> {
        let data = self.env.root().join("data");
        match &self.url {
            Some(url) => run.env("MEM_DATABASE_URL", url),
            None => run.args(["--data-dir", data.to_str().unwrap()]),
        }
    }

    fn token(&self, name: &str) -> String {
        let create = ["server", "token", "create", "--name", name];
        self.at(self.env.invoke(create)).run().assert_ok().line()
    }

    fn serve(&self) -> Server {
        Server::of(self.at(self.env.invoke(["serve", "--listen", "127.0.0.1:0"])))
    }

    fn erase(&self, more: &[&str]) -> mem_tests::Output {
        self.at(self.env.invoke(["erase", "--user", "alice"]).args(more))
            .run()
    }
}

/// Puts texts into a repository's store.
fn put(server: &Server, token: &str, entries: &Value) {
    let body = json!({ "entries": entries }).to_string();
    server
        .store("PUT", "acme/app", "")
        .token(token)
        .json(body)
        .send()
        .assert(200);
}

/// Makes a store of a name, and a memory in it.
fn noted(server: &Server, token: &str, store: Option<&str>, path: &str, text: &str) -> String {
    let post = |rest: &str, body: &Value| {
        let ask = server.ask("POST", &format!("/v1/memory_stores{rest}"));
        let answer = ask.token(token).json(body.to_string()).send();
        answer.assert(200);
        answer.json()["id"].as_str().unwrap().to_owned()
    };
    let made = || post("", &json!({ "name": "notes" }));
    let store = store.map_or_else(made, str::to_owned);
    post(
        &format!("/{store}/memories"),
        &json!({ "path": path, "content": text }),
    );
    store
}

fn a_user_goes(users: &Users) {
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    for (token, content) in [
        (&alice, TEXT),
        (&bob, "Bob restores it on fridays, in the afternoon"),
    ] {
        let record =
            json!({ "content": content, "category": "factual_knowledge", "importance": 3 });
        let ask = server.ask("POST", "/api/records").token(token);
        ask.json(record.to_string()).send().assert(200);
    }
    // In a repository: what both wrote, and what is hers.
    put(
        &server,
        &bob,
        &json!({ "both.md": "The harbour opens at eight in the morning" }),
    );
    put(
        &server,
        &alice,
        &json!({
            "both.md": "Alice moved the opening of the harbour to nine",
            "hers.md": "Alice alone keeps the list of the berths",
        }),
    );
    put(
        &server,
        &bob,
        &json!({ "his.md": "Bob alone keeps the list of the cranes" }),
    );
    let alone = noted(
        &server,
        &alice,
        None,
        "/diary.md",
        "Alice keeps a diary of the tides here",
    );
    let shared = noted(
        &server,
        &bob,
        None,
        "/b.md",
        "Bob began the store that both of them use",
    );
    noted(
        &server,
        &alice,
        Some(&shared),
        "/a.md",
        "Alice added a page about the pilots",
    );
    server.end();
    let dry = users.erase(&["--dry-run", "--json"]).assert_ok().json();
    assert_eq!(
        (&dry["records"][0]["memories"], &dry["tokens"]),
        (&json!(1), &json!(1)),
        "{dry}"
    );
    assert_eq!(dry["stores"][0]["store"], alone.as_str());
    assert_eq!(
        (&dry["memories"], &dry["memories_back"]),
        (&json!(2), &json!(1)),
        "{dry}"
    );
    users.erase(&[]).assert_code(2);
    users
        .erase(&["--workspace", "none", "--yes"])
        .assert_code(1);
    let told = users.erase(&["--yes"]).assert_ok().stdout;
    assert!(told.contains("records: 1 memories"), "{told}");
    users.erase(&["--yes"]).assert_code(2);
    let server = users.serve();
    assert_eq!(
        server
            .ask("GET", "/api/records")
            .token(&alice)
            .send()
            .status,
        401
    );
    let his = server.ask("GET", "/api/records").token(&bob).send().json();
    assert_eq!(his["memories"].as_array().unwrap().len(), 1);
    let team = server
        .store("GET", "acme/app", "")
        .token(&bob)
        .send()
        .json();
    assert_eq!(
        team["entries"]["both.md"]["content"],
        "The harbour opens at eight in the morning"
    );
    assert_eq!(
        team["entries"]["his.md"]["content"],
        "Bob alone keeps the list of the cranes"
    );
    assert!(team["entries"]["hers.md"].is_null(), "{team}");
    let log = server.store("GET", "acme/app", "/log").token(&bob).send();
    log.assert(200);
    assert!(
        !String::from_utf8_lossy(&log.body).contains("alice"),
        "{log:?}"
    );
    let stores = server
        .ask("GET", "/v1/memory_stores")
        .token(&bob)
        .send()
        .json();
    let ids: Vec<&str> = stores["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert!(
        ids.contains(&shared.as_str()) && !ids.contains(&alone.as_str()),
        "{stores}"
    );
    let versions = format!("/v1/memory_stores/{shared}/memory_versions");
    let versions = server.ask("GET", &versions).token(&bob).send();
    assert_eq!(
        versions.json()["data"].as_array().unwrap().len(),
        1,
        "{versions:?}"
    );
    // She begins anew, as anybody does.
    server.end();
    let again = users.token("alice");
    let server = users.serve();
    let none = server
        .ask("GET", "/api/records")
        .token(&again)
        .send()
        .json();
    assert_eq!(none, json!({ "memories": [] }));
}

#[test]
fn a_user_of_a_server_goes_with_all_that_they_wrote() {
    for is_encrypted in [false, true] {
        let users = Users {
            env: TestEnv::new(),
            url: None,
        };
        if is_encrypted {
            users.token("carol");
            users
                .at(users.env.invoke(["encrypt", "on"]))
                .run()
                .assert_ok();
        }
        a_user_goes(&users);
        let files = users.env.files_under(&users.env.root().join("data"));
        for text in [
            TEXT,
            "Alice moved",
            "Alice alone",
            "diary",
            "about the pilots",
            "alice",
        ] {
            let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
            let left: Vec<_> = files
                .iter()
                .filter(|(_, bytes)| holds(bytes))
                .map(|(name, _)| name)
                .collect();
            // She was given a token again at the end.
            assert!(left.is_empty() || text == "alice", "{text}: {left:?}");
        }
    }
}

#[test]
fn a_user_of_a_server_on_postgresql_goes_too() {
    let Some(cluster) = postgres::cluster() else {
        return;
    };
    let url = Some(cluster.database());
    let users = Users {
        env: TestEnv::new(),
        url,
    };
    a_user_goes(&users);
}

#[test]
fn what_somebody_else_wrote_to_the_letter_stays_and_is_told() {
    let users = Users {
        env: TestEnv::new(),
        url: None,
    };
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    let late = "Both say that the ferry is late today";
    for (token, text) in [
        (&bob, late),
        (&alice, "Alice says it is early"),
        (&alice, late),
    ] {
        put(&server, token, &json!({ "same.md": text }));
    }
    let shared = noted(&server, &bob, None, "/b.md", late);
    server.end();
    // The file has the text yet, which is his; that is no clean proof.
    let told = users.erase(&["--yes"]).assert_code(1);
    assert!(
        told.stdout.contains("mem.sqlite (content)"),
        "{}",
        told.stdout
    );
    assert!(told.stderr.contains("may say the same"), "{}", told.stderr);
    let server = users.serve();
    let team = server
        .store("GET", "acme/app", "")
        .token(&bob)
        .send()
        .json();
    assert_eq!(team["entries"]["same.md"]["content"], late);
    let memories = format!("/v1/memory_stores/{shared}/memories");
    let memories = server.ask("GET", &memories).token(&bob).send().json();
    assert_eq!(memories["data"].as_array().unwrap().len(), 1, "{memories}");
    let files = users.env.files_under(&users.env.root().join("data"));
    let name = b"alice";
    let holds = |bytes: &[u8]| bytes.windows(name.len()).any(|one| one == name);
    let left: Vec<_> = files.iter().filter(|(_, bytes)| holds(bytes)).collect();
    assert!(left.is_empty(), "her name is left");
}

#[test]
fn an_archived_store_goes_back_to_what_others_wrote_and_who_is_named_is_told() {
    let users = Users {
        env: TestEnv::new(),
        url: None,
    };
    let [alice, bob] = ["alice", "bob"].map(|name| users.token(name));
    let server = users.serve();
    let post = |token: &str, rest: &str, body: &Value| {
        let ask = server.ask("POST", &format!("/v1/memory_stores{rest}"));
        let answer = ask.token(token).json(body.to_string()).send();
        answer.assert(200);
        answer.json()
    };
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let made = json!({ "name": "tides", "description": "What Alice and Bob know of the tides" });
    let store = id(&post(&bob, "", &made));
    let memories = format!("/{store}/memories");
    let his = "Bob says that the tide turns at noon";
    let page = id(&post(
        &bob,
        &memories,
        &json!({ "path": "/page.md", "content": his }),
    ));
    let hers = json!({ "content": "Alice says that the tide turns at one" });
    post(&alice, &format!("{memories}/{page}"), &hers);
    let alone = json!({ "path": "/hers.md", "content": "Alice alone knows of the moon" });
    post(&alice, &memories, &alone);
    post(&bob, &format!("/{store}/archive"), &json!({}));
    // Not while somebody is told of it.
    let beside = users.erase(&["--yes"]);
    assert_ne!(beside.code, 0, "{}", beside.shown());
    let told = &beside.stderr;
    assert!(
        told.contains("a server is using") && told.contains("hint: stop it"),
        "{told}"
    );
    let page_now = || {
        let ask = server.ask("GET", &format!("/v1/memory_stores/{store}/memories/{page}"));
        ask.token(&bob).send().json()["content"].clone()
    };
    assert_eq!(page_now(), hers["content"]);
    server.end();

    let erased = users.erase(&["--yes", "--json"]).assert_ok().json();
    assert_eq!(
        (&erased["memories"], &erased["memories_back"]),
        (&json!(1), &json!(1))
    );
    let proof = &erased["proof"];
    let stays = proof["stays"][0].as_str().unwrap();
    assert!(stays.contains(&store), "{proof}");
    assert_eq!(
        (&proof["is_clean"], &proof["found"]),
        (&json!(false), &json!([]))
    );
    users.erase(&["--yes"]).assert_code(2);
    let server = users.serve();
    let get = |rest: &str| {
        let ask = server.ask("GET", &format!("/v1/memory_stores/{store}{rest}"));
        ask.token(&bob).send().json()
    };
    let listed = get("/memories");
    let listed = listed["data"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!(get(&format!("/memories/{id}"))["content"], his);
    assert!(get("")["archived_at"].is_string());
}
