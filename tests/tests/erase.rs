//! `mem erase`: out of every place, and a proof that says so without saying what.
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use std::fs;

use mem_tests::{Repo, Server, TestEnv, postgres};
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
    assert!(refused.contains("another server is using"), "{refused}");
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
