//! `mem encrypt --local` where a key, or what it sealed, is lost for a while: nothing else is lost with it, and nothing
//! is taken for plain.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mem_tests::{Output, Repo, TestEnv};

use crate::encrypt_local::{encrypt, found, key_file, save, transcribe, work};
use crate::inbox::{confirming, directory, ids, save as save_as_agent};

/// The only file of that name, or end of a name, below the state.
fn in_state(env: &TestEnv, end: &str) -> PathBuf {
    let state = env.home().join(".local/state/mem");
    let mut files = env.files_under(&state);
    files.retain(|(name, _)| name.ends_with(end));
    assert_eq!(files.len(), 1, "{end}");
    state.join(&files[0].0)
}

/// Everything that waits, or was rejected, as it is stored.
fn waiting(env: &TestEnv) -> Vec<(String, Vec<u8>)> {
    let mut files = env.files_under(&env.home().join(".local/state/mem"));
    files.retain(|(name, _)| name.contains("/inbox/"));
    files
}

fn wait(repo: &Repo<'_>, name: &str, body: &str) {
    let _ = save_as_agent(repo, &format!("session-{name}"), name, body);
}

fn redact(repo: &Repo<'_>) -> Output {
    repo.mem(["redact", "--text", "heron", "--yes"])
}

/// Refused with a hint, and nothing that waits and no note is another than before.
fn assert_refused(env: &TestEnv, repo: &Repo<'_>, why: &str) {
    let note = directory(repo).join("project_ledge.md");
    let before = (waiting(env), fs::read(&note).unwrap());
    let refused = redact(repo);
    assert_eq!(refused.code, 1, "{why}: {}", refused.shown());
    assert!(
        refused.stderr.contains("hint:"),
        "{why}: {}",
        refused.stderr
    );
    assert!((waiting(env), fs::read(&note).unwrap()) == before, "{why}");
}

#[test]
fn a_redaction_takes_no_write_from_the_inbox_for_want_of_a_key_or_for_damage() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "ledge", "the heron nests on the ledge");
    wait(&repo, "one", "the heron is back");
    wait(&repo, "two", "the curlew is back");
    // Damaged while it is plain.
    let (name, whole) = waiting(&env).remove(0);
    let entry = env.home().join(".local/state/mem").join(name);
    fs::write(&entry, &whole[..whole.len() / 2]).unwrap();
    assert_refused(&env, &repo, "cut short");
    fs::write(&entry, &whole).unwrap();

    encrypt(&env, &["on"]).assert_ok();
    let flipped = |bytes: &[u8]| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        bytes
    };
    let stores = fs::read_dir(env.home().join(".local/state/mem/stores")).unwrap();
    let stores: Vec<_> = stores.flatten().map(|store| store.path()).collect();
    let ring = stores.iter().find(|store| store.join("inbox").exists());
    let ring = ring.unwrap().join("keys.json");
    for path in [key_file(&env), ring, entry] {
        let (whole, name) = (fs::read(&path).unwrap(), path.display().to_string());
        let changes = [vec![], whole[..whole.len() / 2].to_vec(), flipped(&whole)];
        for changed in changes {
            fs::write(&path, changed).unwrap();
            assert_refused(&env, &repo, &name);
        }
        fs::write(&path, &whole).unwrap();
        let away = env.root().join("away");
        if !name.contains("/inbox/") {
            fs::rename(&path, &away).unwrap();
            assert_refused(&env, &repo, &name);
            fs::rename(&away, &path).unwrap();
        }
    }
    assert_eq!(ids(&repo).len(), 2);
    // What holds it waits on without it, and that is said.
    let redacted = redact(&repo).assert_ok();
    let told = "1 write in the inbox cleaned";
    assert!(redacted.stdout.contains(told), "{}", redacted.stdout);
    let left = repo.mem(["inbox"]).assert_ok().stdout;
    assert!(left.contains("curlew") && !left.contains("heron"), "{left}");
}

#[test]
fn nobody_says_that_nothing_waits_or_that_all_is_damaged_while_the_key_is_away() {
    let env = TestEnv::new();
    let repo = confirming(&env);
    save(&repo, "ledge", "the heron nests on the ledge");
    wait(&repo, "one", "the heron is back");
    encrypt(&env, &["on"]).assert_ok();
    let key = fs::read_to_string(key_file(&env)).unwrap();
    let verbs = [
        "inbox",
        "inbox list --json",
        "inbox accept --all",
        "inbox reject --all",
    ];
    let said = |says: &str| {
        for verb in verbs {
            let run = repo.mem(verb.split(' ')).assert_code(1);
            assert!(run.stderr.contains(says), "{verb}: {}", run.shown());
            assert!(!run.shown().contains("nothing waits"), "{verb}");
        }
        let doctor = repo.mem(["doctor"]).shown();
        assert_eq!(doctor.matches(says).count(), 1, "{doctor}");
        assert!(
            !doctor.contains("damaged") && !doctor.contains("aside"),
            "{doctor}"
        );
    };
    fs::remove_file(key_file(&env)).unwrap();
    said("there is no master key");
    fs::write(key_file(&env), format!("{}\n", "5a".repeat(32))).unwrap();
    fs::set_permissions(key_file(&env), fs::Permissions::from_mode(0o600)).unwrap();
    said("the master key is another one");
    fs::write(key_file(&env), key).unwrap();
    assert_eq!(ids(&repo).len(), 1);
    let doctor = repo.mem(["doctor"]).shown();
    assert!(doctor.contains("the history is whole"), "{doctor}");
}

#[test]
fn data_keys_that_are_gone_are_not_taken_for_encryption_that_is_off() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    encrypt(&env, &["on"]).assert_ok();
    let state = env.home().join(".local/state/mem");
    let (ring, away) = (state.join("keys.json"), env.root().join("away"));
    fs::rename(&ring, &away).unwrap();
    let other = env.repo("other");
    let word = "a bittern that nobody may read";
    let args = [
        "save", "--type", "project", "--name", "bittern", "--body", word,
    ];
    let more = ["--description", "what is known"];
    let refused = other
        .mem(args.into_iter().chain(more))
        .assert_code(1)
        .stderr;
    assert!(
        refused.contains("keys.json") && refused.contains("hint:"),
        "{refused}"
    );
    transcribe(&env, &other, word);
    drop(other.mem(["session", "update"]));
    drop(other.mem(["recall", word]));
    drop(other.mem(["warm"]));
    assert_eq!(found(&env, &[word.to_owned()]), []);
    let status = encrypt(&env, &["status"]).assert_code(1).stderr;
    assert!(status.contains("keys.json"), "{status}");
    let doctor = repo.mem(["doctor"]).assert_code(1).shown();
    assert!(doctor.contains("keys.json"), "{doctor}");
    encrypt(&env, &["on"]).assert_code(1);
    encrypt(&env, &["off"]).assert_code(1);
    assert!(!ring.exists(), "no new keys are made");
    fs::rename(&away, &ring).unwrap();
    // The same of one directory's.
    let own = in_state(&env, "/keys.json");
    fs::rename(&own, &away).unwrap();
    let refused = repo.mem(["log", "seen again"]).assert_code(1).stderr;
    assert!(refused.contains("is gone"), "{refused}");
    fs::rename(&away, &own).unwrap();
    work(&env, &other, "bittern");
    encrypt(&env, &["off"]).assert_ok();
    // Off is off: nothing is missed afterwards.
    save(&env.repo("third"), "ledge", "the heron is back");
    encrypt(&env, &["status"]).assert_ok();
}

#[test]
fn four_begin_at_once_beside_hooks_and_one_key_is_made_in_the_place_of_an_empty_one() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    fs::create_dir_all(key_file(&env).parent().unwrap()).unwrap();
    fs::write(key_file(&env), "").unwrap();
    let is_done = AtomicBool::new(false);
    let cache = env.home().join(".cache/mem/recall");
    let runs = std::thread::scope(|scope| {
        scope.spawn(|| fill(&cache, &is_done));
        let runs = [(); 4].map(|()| repo.invoke(["encrypt", "on", "--local"]).spawn());
        let runs = runs.map(std::process::Child::wait_with_output);
        is_done.store(true, Ordering::Relaxed);
        runs
    });
    let mut made = 0;
    for run in runs {
        let run = run.unwrap();
        let told = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success(), "{told}");
        made += told.matches("made a master key").count();
    }
    assert_eq!(made, 1);
    encrypt(&env, &["status"]).assert_ok();
    let left = fs::read_dir(cache.parent().unwrap()).unwrap().flatten();
    let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
    assert!(
        !left
            .iter()
            .any(|name| name.to_string_lossy().contains("dropped")),
        "{left:?}"
    );
}

/// Puts files into a cache as hooks do, without a pause.
fn fill(cache: &Path, is_done: &AtomicBool) {
    let mut number = 0;
    while !is_done.load(Ordering::Relaxed) {
        number += 1;
        let folder = cache.join(format!("{}", number % 7));
        let _ = fs::create_dir_all(&folder);
        let _ = fs::write(folder.join(format!("{}", number % 50)), "an index");
    }
}
