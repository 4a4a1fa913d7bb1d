//! `mem encrypt --local`: what this machine keeps of memories, read by those alone who have the master key.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use mem_tests::{Output, Repo, TestEnv, history};
use serde_json::{Value, json};

use crate::inbox::{confirming, save as save_as_agent};
use crate::team::both_changed;

const SESSION: &str = "11111111-2222-3333-4444-555555555555";

pub(crate) fn encrypt(env: &TestEnv, args: &[&str]) -> Output {
    env.invoke(["encrypt"]).args(args).args(["--local"]).run()
}

pub(crate) fn key_file(env: &TestEnv) -> PathBuf {
    env.home().join(".config/mem/master.key")
}

pub(crate) fn save(repo: &Repo<'_>, name: &str, body: &str) {
    let args = ["save", "--type", "project", "--update", "--name", name];
    let more = ["--description", "what is known", "--body", body];
    repo.mem(args.into_iter().chain(more)).assert_ok();
}

/// Every file of state and caches, and every content of the histories there, in one piece.
fn kept(env: &TestEnv) -> Vec<(String, Vec<u8>)> {
    let home = env.home();
    let places = [home.join(".local/state/mem"), home.join(".cache/mem")];
    let mut files: Vec<_> = places
        .iter()
        .flat_map(|place| env.files_under(place))
        .collect();
    let folders = history::folders(env).into_iter();
    files.extend(folders.map(|folder| ("contents".to_owned(), history::contents(&folder))));
    files
}

/// Which words stand where.
pub(crate) fn found(env: &TestEnv, words: &[String]) -> Vec<(String, String)> {
    let mut hits = Vec::new();
    for (file, bytes) in kept(env) {
        let text = String::from_utf8_lossy(&bytes);
        let here = words.iter().filter(|word| text.contains(word.as_str()));
        hits.extend(here.map(|word| (word.clone(), file.clone())));
    }
    hits
}

/// A session of a host that says something.
pub(crate) fn transcribe(env: &TestEnv, repo: &Repo<'_>, words: &str) {
    let dash = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let slug: String = repo.path().to_string_lossy().chars().map(dash).collect();
    let folder = env.base().join("projects").join(slug);
    fs::create_dir_all(&folder).unwrap();
    let said = |kind: &str, content: Value| {
        let message = json!({"role": kind, "content": content});
        json!({"type": kind, "uuid": "u", "timestamp": "2026-01-01T10:00:00Z", "message": message})
            .to_string()
    };
    let answer = json!([{"type": "text", "text": format!("{words} was answered")}]);
    let lines = [said("user", words.into()), said("assistant", answer)];
    let transcript = folder.join(format!("{SESSION}.jsonl"));
    let mut text = fs::read_to_string(&transcript).unwrap_or_default();
    text.push_str(&lines.join("\n"));
    text.push('\n');
    fs::write(transcript, text).unwrap();
}

/// The same, and it is noted.
fn talk(env: &TestEnv, repo: &Repo<'_>, words: &str) {
    transcribe(env, repo, words);
    repo.mem(["session", "update"]).assert_ok();
}

/// What a host tells when a person says something.
fn prompt(repo: &Repo<'_>, text: &str) {
    let event = json!({
        "session_id": SESSION, "cwd": repo.path(), "hook_event_name": "UserPromptSubmit", "prompt": text,
    });
    let hook = repo.invoke(["hook", "claude", "user-prompt-submit"]);
    hook.stdin(event.to_string()).run().assert_ok();
}

/// A day's work; returns what was said in it.
pub(crate) fn work(env: &TestEnv, repo: &Repo<'_>, bird: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut say = |text: String| {
        words.push(text.clone());
        text
    };
    for number in 0..25 {
        let body = say(format!("the {bird} nests on ledge {number} of the quarry"));
        save(repo, &format!("ledge {}", number % 8), &body);
    }
    save(
        repo,
        "gone",
        &say(format!("a {bird} that was seen once only")),
    );
    let reason = say(format!("no {bird} was there at all"));
    repo.mem(["remove", "gone", "--reason", &reason])
        .assert_ok();
    let symbol = format!("fn count_{bird}s() {{}}\n");
    repo.commit("src/count.rs", &symbol, "code");
    let cites = say(format!(
        "call `count_{bird}s()` before the census of the {bird}s"
    ));
    save(repo, "cites", &cites);
    words.push(format!("count_{bird}s"));
    // Verdicts that are bad end it with 1.
    drop(repo.mem(["verify"]));
    words.push(format!("a {bird} waits until a person looks"));
    let _ = save_as_agent(repo, SESSION, "waits", &words[words.len() - 1]);
    let asked = format!("where on the quarry does the {bird} nest this year");
    talk(env, repo, &asked);
    prompt(repo, &asked);
    repo.mem(["recall", &asked]).assert_ok();
    repo.mem(["warm"]).assert_ok();
    words.push(asked);
    words
}

#[test]
fn no_file_of_state_and_caches_holds_what_was_said() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    let mut words = work(&env, &repo, "heron");
    let plain = found(&env, &words);
    let is_found = |word: &String| plain.iter().any(|(found, _)| found == word);
    assert!(words.iter().all(is_found), "{plain:?}");
    let on = encrypt(&env, &["on"]).assert_ok();
    assert!(on.stderr.contains("keep a copy elsewhere"), "{}", on.stderr);
    assert_eq!(found(&env, &words), []);
    // And of what comes later, in this repository and in another one.
    words.extend(work(&env, &repo, "curlew"));
    let other = env.repo("other");
    words.extend(work(&env, &other, "bittern"));
    assert_eq!(found(&env, &words), []);
    let status = encrypt(&env, &["status", "--json"]).assert_ok().json();
    assert_eq!(
        (
            &status["on"],
            &status["stores"],
            &status["sealed"],
            &status["key"]
        ),
        (&json!(true), &json!(2), &json!(2), &json!("ok"))
    );
    // All of it is still there.
    let asked = repo
        .mem(["recall", "where does the curlew nest"])
        .assert_ok();
    assert!(
        asked.stdout.contains("curlew nests on ledge"),
        "{}",
        asked.stdout
    );
    repo.mem(["undo"]).assert_ok();
    let history = repo.mem(["history"]).assert_ok().stdout;
    assert!(history.contains("no heron was there"), "{history}");
    assert!(
        repo.mem(["inbox", "list"])
            .assert_ok()
            .stdout
            .contains("waits")
    );
    encrypt(&env, &["rotate", "--master"]).assert_ok();
    assert_eq!(found(&env, &words), []);
    encrypt(&env, &["off"]).assert_ok();
    fs::remove_file(key_file(&env)).unwrap();
    let history = repo.mem(["history"]).assert_ok().stdout;
    assert!(history.contains("no heron was there"), "{history}");
    let status = encrypt(&env, &["status", "--json"]).assert_ok().json();
    assert_eq!(
        (&status["on"], &status["amiss"]),
        (&json!(false), &json!([]))
    );
}

/// The files of the state that are gone or not as they were; what was recalled by name may be noted.
fn differing(env: &TestEnv, before: &[(String, Vec<u8>)]) -> Vec<String> {
    let now = env.files_under(&env.home().join(".local/state/mem"));
    let is_other = |file: &&(String, Vec<u8>)| !now.contains(file);
    let names = before.iter().filter(is_other).map(|(name, _)| name.clone());
    let is_noted = |name: &String| name.contains("/recalled/") || name == "hooks.log";
    names.filter(|name| !is_noted(name)).collect()
}

#[test]
fn without_the_key_nothing_is_written_and_notes_are_still_read() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    work(&env, &repo, "heron");
    encrypt(&env, &["on"]).assert_ok();
    let key = fs::read_to_string(key_file(&env)).unwrap();
    let state = env.home().join(".local/state/mem");
    let before = env.files_under(&state);
    let refused = |says: &str| {
        let args = [
            "save", "--type", "project", "--name", "new", "--body", "new",
        ];
        let more = ["--description", "what is known"];
        let run = repo.mem(args.into_iter().chain(more)).assert_code(1);
        assert!(
            run.stderr.contains(says) && run.stderr.contains("hint:"),
            "{}",
            run.stderr
        );
        for verb in [&["rotate", "--master"][..], &["off"], &["on"], &["status"]] {
            encrypt(&env, verb).assert_code(1);
        }
        let redacted = repo.mem(["redact", "--text", "heron", "--yes"]);
        assert_ne!(redacted.code, 0, "{}", redacted.shown());
        // Agents read the files as ever, and a hook keeps silent.
        let read = repo.mem(["show", "ledge 1"]).assert_ok().stdout;
        assert!(read.contains("the heron nests"), "{read}");
        let asked = repo.mem(["search", "heron"]).assert_ok().stdout;
        assert!(asked.contains("project_ledge_1.md"), "{asked}");
        prompt(&repo, "where does the heron nest");
    };
    fs::remove_file(key_file(&env)).unwrap();
    refused("there is no master key");
    assert!(!key_file(&env).exists(), "no new key is made");
    let write = |text: &str| {
        fs::write(key_file(&env), text).unwrap();
        let mut git = Command::new("chmod");
        assert!(
            git.arg("600")
                .arg(key_file(&env))
                .status()
                .unwrap()
                .success()
        );
    };
    write(&format!("{}\n", "5a".repeat(32)));
    refused("is another one");
    assert_eq!(differing(&env, &before), Vec::<String>::new());
    let words = ["the heron nests".to_owned()];
    assert_eq!(found(&env, &words), []);
    write(&key);
    encrypt(&env, &["status"]).assert_ok();
    save(&repo, "new", "new");
}

#[test]
fn an_agent_decides_on_no_key_and_a_command_gives_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let run = repo.invoke(["encrypt", "on", "--local"]);
    let refused = run.env("MEM_ACTOR", "agent").run().assert_code(1);
    assert!(
        refused.stderr.contains("for a person"),
        "{}",
        refused.stderr
    );
    let both = repo.mem(["encrypt", "on", "--local", "--data-dir", "x"]);
    both.assert_code(2);
    let secret = env.root().join("printed");
    fs::write(&secret, format!("{}\n", "3c".repeat(32))).unwrap();
    let line = format!("command:cat {}", secret.display());
    repo.mem(["config", "set", "encryption.key", &line])
        .assert_ok();
    encrypt(&env, &["on"]).assert_ok();
    save(&repo, "deploys", "deploys go out on tuesdays");
    assert_eq!(found(&env, &["go out on tuesdays".to_owned()]), []);
    fs::remove_file(&secret).unwrap();
    let told = encrypt(&env, &["status"]).assert_code(1);
    assert!(told.stdout.contains("the command of"), "{}", told.stdout);
    assert!(!told.stdout.contains("printed"), "{}", told.stdout);
}

#[test]
fn texts_that_gave_way_to_the_team_are_sealed_and_none_is_lost_for_want_of_a_key() {
    let env = TestEnv::new();
    let (_, ben) = both_changed(&env, "the heron of ben\n");
    ben.sync();
    let outcome = ben.state("-outcome.json");
    let state = outcome.to_string_lossy().replace("-outcome.json", ".state");
    let stored = || fs::read_to_string(&state).unwrap();
    assert!(stored().contains("heron of ben"));
    for verb in ["on", "rotate"] {
        ben.mem(&format!("encrypt {verb} --local")).assert_ok();
        assert!(!stored().contains("heron of ben"));
        let shown = ben.mem("team resolve --json").assert_ok().json();
        assert_eq!(shown["conflicts"][0]["mine"], "the heron of ben\n");
    }
    let (key, away) = (
        ben.home.join(".config/mem/master.key"),
        env.root().join("away"),
    );
    fs::rename(&key, &away).unwrap();
    let before = stored();
    ben.write("x.md", "something else\n");
    let refused = ben.mem("team sync").assert_code(1).stderr;
    assert!(refused.contains("there is no master key"), "{refused}");
    assert_eq!(stored(), before);
    fs::rename(&away, &key).unwrap();
    ben.mem("team resolve x.md --mine").assert_ok();
    ben.sync();
    assert_eq!(ben.read("x.md").unwrap(), "the heron of ben\n");
}

#[test]
fn without_a_server_the_hint_names_what_this_machine_keeps() {
    let env = TestEnv::new();
    let verbs = ["status", "rotate", "off"];
    let told = |verb: &str| env.mem(["encrypt", verb]).assert_code(2).stderr;
    for verb in verbs {
        assert!(told(verb).contains("--data-dir DIR"), "{verb}");
    }
    encrypt(&env, &["on"]).assert_ok();
    for verb in verbs {
        let told = told(verb);
        assert!(
            told.contains(&format!("`mem encrypt {verb} --local`")),
            "{told}"
        );
        encrypt(&env, &["status"]).assert_ok();
    }
}
