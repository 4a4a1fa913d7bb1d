//! `mem encrypt --local` where keys are gone with their mark, or something cannot be opened at all: nothing is written
//! plain in the place of what is sealed, and one thing that does not open keeps no other one back.

use std::fs;
use std::path::{Path, PathBuf};

use mem_tests::{TestEnv, history};
use serde_json::json;

use crate::encrypt_local::{encrypt, found, save, transcribe, work};
use crate::inbox::{confirming, ids, save as save_as_agent};

fn state(env: &TestEnv) -> PathBuf {
    env.home().join(".local/state/mem")
}

/// Moves the keys and the mark of a place to another one.
fn move_keys(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in ["keys.json", "encrypted"] {
        fs::rename(from.join(name), to.join(name)).unwrap();
    }
}

/// The state of the only store.
fn only_store(env: &TestEnv) -> PathBuf {
    let stores = fs::read_dir(state(env).join("stores")).unwrap();
    let stores: Vec<PathBuf> = stores.flatten().map(|entry| entry.path()).collect();
    assert_eq!(stores.len(), 1);
    stores[0].clone()
}

/// Saving is refused, with the reason and a way out.
fn assert_not_saved(repo: &mem_tests::Repo<'_>, word: &str, why: &str) {
    let args = ["save", "--type", "project", "--name", "new", "--body", word];
    let more = ["--description", "what is known"];
    let refused = repo.mem(args.into_iter().chain(more)).assert_code(1).stderr;
    assert!(
        refused.contains(why) && refused.contains("hint:"),
        "{refused}"
    );
}

#[test]
fn keys_that_are_gone_with_their_mark_are_not_taken_for_encryption_that_is_off() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let mut words = work(&env, &repo, "heron");
    encrypt(&env, &["on"]).assert_ok();
    let away = env.root().join("away");
    move_keys(&state(&env), &away);
    // The mark of a directory says it, and where that is gone too, a session does.
    let store = only_store(&env);
    let other = env.repo("other");
    for is_marked in [true, false] {
        if !is_marked {
            move_keys(&store, &env.root().join("store"));
        }
        assert_not_saved(&other, "a bittern that nobody may read", "keys.json");
        transcribe(&env, &other, "a bittern that nobody may read");
        drop(other.mem(["session", "update"]));
        drop(other.mem(["recall", "where is the bittern"]));
        drop(other.mem(["warm"]));
        words.push("a bittern that nobody may read".to_owned());
        assert_eq!(found(&env, &words), []);
        for verb in [["on"], ["status"], ["rotate"]] {
            let told = encrypt(&env, &verb).assert_code(1).stderr;
            assert!(
                told.contains("is encrypted") && told.contains("hint:"),
                "{verb:?}: {told}"
            );
        }
        let doctor = repo.mem(["doctor"]).assert_code(1).shown();
        assert!(doctor.contains("keys.json"), "{doctor}");
        assert!(!state(&env).join("keys.json").exists());
    }
    move_keys(&env.root().join("store"), &store);
    move_keys(&away, &state(&env));
    encrypt(&env, &["status"]).assert_ok();
    save(&repo, "ledge 1", "the heron nests on the ledge once more");
}

#[test]
fn without_a_backup_of_the_keys_off_opens_what_opens_and_on_makes_new_keys() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    work(&env, &repo, "heron");
    encrypt(&env, &["on"]).assert_ok();
    move_keys(&state(&env), &env.root().join("away"));
    let off = encrypt(&env, &["off", "--json"]).assert_code(1);
    let failed = off.json()["failed"].clone();
    let sessions = failed.as_array().unwrap();
    assert_eq!(sessions.len(), 1, "{failed}");
    let path = sessions[0]["path"].as_str().unwrap();
    assert!(path.contains("/sessions/"), "{failed}");
    assert!(
        sessions[0]["why"].as_str().unwrap().contains("is gone"),
        "{failed}"
    );
    let path = path.replace("[ENV]", env.root().to_str().unwrap());
    assert!(fs::read(&path).unwrap().starts_with(&[0xF5]), "it stays");
    let history = repo.mem(["history"]).assert_ok().stdout;
    assert!(history.contains("no heron was there"), "{history}");
    save(&env.repo("other"), "ledge", "the heron is back");
    fs::remove_file(&path).unwrap();
    encrypt(&env, &["on"]).assert_ok();
    encrypt(&env, &["status"]).assert_ok();
    assert_eq!(found(&env, &["the heron is back".to_owned()]), []);
}

#[test]
fn nothing_is_written_plain_beside_a_history_whose_keys_are_gone() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "ledge", "the heron nests on the ledge");
    let _ = save_as_agent(&repo, "s1", "one", "the heron waits until a person looks");
    encrypt(&env, &["on"]).assert_ok();
    let (store, away) = (only_store(&env), env.root().join("away"));
    move_keys(&store, &away);
    assert_not_saved(&repo, "a bittern that nobody may read", "is gone");
    let agent = save_as_agent(&repo, "s2", "two", "a bittern that nobody may read");
    assert!(agent.stderr.contains("is gone"), "{}", agent.shown());
    assert_eq!(
        found(&env, &["a bittern that nobody may read".to_owned()]),
        []
    );
    for verb in ["on", "off"] {
        let told = encrypt(&env, &[verb]).assert_code(1).stderr;
        assert!(told.contains("stays as it is"), "{told}");
    }
    assert!(!store.join("keys.json").exists(), "no new keys are made");
    // The files of the directory are read as ever.
    repo.mem(["show", "ledge"]).assert_ok();
    move_keys(&away, &store);
    encrypt(&env, &["on"]).assert_ok();
    assert_eq!(ids(&repo).len(), 1);
    save(&repo, "ledge", "the heron nests on another ledge");
}

#[test]
fn what_cannot_be_opened_is_named_and_keeps_nothing_else_back() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    save(&repo, "ledge", "the heron nests beneath the ledge");
    let other = env.repo("other");
    let words = work(&env, &other, "curlew");
    // One version of one file is damaged on the disk.
    let told = repo.mem(["path"]).assert_ok().line();
    let stores = fs::read_dir(state(&env).join("stores")).unwrap().flatten();
    let mut stores = stores.map(|entry| entry.path());
    let is_its = |store: &PathBuf| {
        let root = fs::read_to_string(store.join("root")).unwrap();
        root.trim_end() == told
    };
    let history = stores.find(is_its).unwrap().join("history");
    let of_first = "id = (SELECT min(content) FROM files WHERE path = 'project_ledge.md')";
    let read = format!("SELECT bytes FROM contents WHERE {of_first}");
    let write = format!("UPDATE contents SET bytes = ? WHERE {of_first}");
    let whole: Vec<u8> = history::database(&history)
        .query_row(&read, (), |row| row.get(0))
        .unwrap();
    let put = |bytes: &[u8]| {
        history::database(&history)
            .execute(&write, [bytes])
            .unwrap()
    };
    put(&whole[..whole.len() / 2]);

    let on = encrypt(&env, &["on", "--json"]).assert_code(1);
    let failed = on.json()["failed"].clone();
    assert_eq!(failed.as_array().unwrap().len(), 1, "{failed}");
    assert_eq!(failed[0]["path"], json!(env.normalise(&told)));
    let why = failed[0]["why"].as_str().unwrap();
    assert!(why.contains("a version of `project_ledge.md`"), "{why}");
    let aside = env.root().join("aside");
    fs::rename(&history, &aside).unwrap();
    assert_eq!(found(&env, &words), [], "all else is sealed");
    fs::rename(&aside, &history).unwrap();
    // Nothing of it is lost, and it goes on as it was.
    save(&repo, "ledge", "the heron nests above the ledge");
    assert!(repo.mem(["history"]).assert_ok().stdout.contains("ledge"));
    encrypt(&env, &["status"]).assert_code(1);
    // A session that cannot be opened keeps no history back either.
    let sessions = env.files_under(&state(&env).join("sessions"));
    let session = sessions.iter().find(|(name, _)| name.ends_with(".json"));
    let (name, sealed) = session.unwrap();
    let path = state(&env).join("sessions").join(name);
    let mut tampered = sealed.clone();
    *tampered.last_mut().unwrap() ^= 1;
    fs::write(&path, &tampered).unwrap();
    put(&whole);
    let on = encrypt(&env, &["rotate", "--json"]).assert_code(1);
    let failed = on.json()["failed"].clone();
    assert_eq!(failed.as_array().unwrap().len(), 1, "{failed}");
    let why = failed[0]["why"].as_str().unwrap();
    assert!(why.contains("was changed since it was sealed"), "{why}");
    assert_eq!(fs::read(&path).unwrap(), tampered);
    assert_eq!(found(&env, &["the heron nests".to_owned()]), []);
    // It was sealed by the key of before, which is still there.
    fs::write(&path, sealed).unwrap();
    encrypt(&env, &["rotate"]).assert_ok();
    encrypt(&env, &["status"]).assert_ok();
}

#[test]
fn a_status_counts_what_stays_plain() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let store = ["record", "store", "the heron nests on the ledge"];
    let more = ["--category", "factual_knowledge", "--user", "alice"];
    repo.mem(store.into_iter().chain(more)).assert_ok();
    save(&repo, "ledge", "the heron nests on the ledge");
    encrypt(&env, &["on"]).assert_ok();
    let status = encrypt(&env, &["status", "--json"]).assert_ok().json();
    assert!(
        status["plain_files"]["users"].as_u64().unwrap() > 0,
        "{status}"
    );
    assert_eq!(status["plain_files"]["attached"], json!(0));
    let told = encrypt(&env, &["status"]).assert_ok().stdout;
    assert!(told.contains("of a host's users"), "{told}");
    assert!(!told.contains("of attached stores"), "{told}");
}

#[test]
fn what_nobody_can_open_is_erased_all_the_same_and_the_proof_says_what_it_could_not_look_for() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let words = work(&env, &repo, "heron");
    encrypt(&env, &["on"]).assert_ok();
    move_keys(&only_store(&env), &env.root().join("away"));
    let erased = repo.mem(["erase", "--project", "--yes", "--json"]);
    let proof = erased.assert_ok().json()["proof"].clone();
    assert_eq!(
        (&proof["is_clean"], &proof["found"]),
        (&json!(false), &json!([]))
    );
    let untold = proof["not_searched"].to_string();
    assert!(untold.contains("what the history of"), "{proof}");
    assert_eq!(found(&env, &words), []);
    assert!(
        !state(&env)
            .join("stores")
            .read_dir()
            .unwrap()
            .flatten()
            .any(|_| true)
    );
}
