//! `mem erase` beside somebody who is writing down what was said: it waits for them, and what they wrote goes too.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    reason = "tests write files as other programs do"
)]

use std::fs::{self, File};
use std::path::Path;
use std::process::Child;

use mem_tests::{Output, Session, TestEnv};
use serde_json::Value;

use crate::encrypt_local::encrypt;

const SAID: &str = "My rent rises to four thousand in spring, tell nobody";
const LATE: &str = "And the landlord wants it in cash on the first of May";

/// The file that remembers the only session.
fn remembered(env: &TestEnv) -> std::path::PathBuf {
    let folder = env.home().join(".local/state/mem/sessions");
    let files = env.files_under(&folder).into_iter();
    let mut files = files.filter(|(name, _)| name.ends_with(".json"));
    folder.join(files.next().expect("a session").0)
}

/// Waits until a process has a file open, or ended.
fn has_open(child: &mut Child, file: &Path) -> bool {
    let open = format!("/proc/{}/fd", child.id());
    loop {
        let links = fs::read_dir(&open).into_iter().flatten().flatten();
        if links
            .flat_map(|link| fs::read_link(link.path()))
            .any(|to| to == file)
        {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::yield_now();
    }
}

fn holds(env: &TestEnv, text: &str) -> Vec<String> {
    let files = env.files_under(&env.home()).into_iter();
    let holds = |bytes: &[u8]| bytes.windows(text.len()).any(|one| one == text.as_bytes());
    let found = files.filter(|(name, bytes)| holds(bytes) && !name.ends_with(".jsonl"));
    found.map(|(name, _)| name).collect()
}

#[test]
fn what_a_hook_writes_while_it_runs_goes_too_and_the_proof_looks_for_it() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", SAID);
    session.repo.mem(["session", "due"]).assert_ok();
    let state = remembered(&env);
    // Somebody reads the session on, as a hook does.
    let lock = state.with_extension("lock");
    let held = File::options()
        .create(true)
        .append(true)
        .open(&lock)
        .unwrap();
    held.lock().unwrap();
    let run = ["erase", "--project", "--yes", "--json"];
    let mut erase = session.repo.invoke(run).spawn();
    assert!(has_open(&mut erase, &lock), "it does not wait");
    let text = fs::read_to_string(&state).unwrap().replace(SAID, LATE);
    assert!(text.contains(LATE), "{text}");
    fs::write(&state, text).unwrap();
    held.unlock().unwrap();
    let out = erase.wait_with_output().unwrap();
    let told = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{told}");
    let erased: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(erased["proof"]["is_clean"], true, "{erased}");
    assert!(erased["proof"]["searched_for"]["content"].as_u64().unwrap() > 1);
    for text in [SAID, LATE] {
        assert_eq!(holds(&env, text), [""; 0]);
    }
}

#[test]
fn of_everything_no_checksum_of_an_earlier_erasure_stays_either() {
    for word in ["erase", "purge"] {
        let env = TestEnv::new();
        let [one, other] = ["one", "other"].map(|name| env.repo(name));
        for repo in [&one, &other] {
            let save = [
                "save", "--type", "project", "--name", "rent", "--body", SAID,
            ];
            let more = ["--description", "of the flat"];
            repo.mem(save.into_iter().chain(more)).assert_ok();
        }
        // The other one says the same: what was looked for is kept for the next time.
        one.mem(["erase", "--project", "--yes"]).assert_code(1);
        let state = env.home().join(".local/state/mem");
        assert!(state.join("erasing").exists());
        other.mem([word, "--all", "--yes"]).assert_ok();
        assert!(!state.exists(), "{word}");
        // Nor where nothing else is left.
        fs::create_dir_all(state.join("erasing")).unwrap();
        fs::write(state.join("erasing/0123456789abcdef.json"), "{}").unwrap();
        other.mem([word, "--all", "--yes"]).assert_ok();
        assert!(!state.exists(), "{word}");
    }
}

#[test]
fn a_sealed_session_that_says_the_same_is_no_clean_proof() {
    let env = TestEnv::new();
    let session = Session::new(&env);
    session.say("user", SAID);
    session.repo.mem(["session", "due"]).assert_ok();
    let save = [
        "save", "--type", "project", "--name", "rent", "--body", SAID,
    ];
    let more = ["--description", "of the flat"];
    let other = env.repo("other");
    let saved: Output = other.mem(save.into_iter().chain(more));
    saved.assert_ok();
    encrypt(&env, &["on"]).assert_ok();
    // Of the other project; what was said of it in this one stays, and nobody sees that by its bytes.
    let erased = other.mem(["erase", "--project", "--yes", "--json"]);
    let proof = erased.assert_code(1).json()["proof"].clone();
    let found = proof["found"].to_string();
    assert!(found.contains("/sessions/"), "{proof}");
    assert_eq!(proof["is_clean"], false);
    session
        .repo
        .mem(["erase", "--project", "--yes"])
        .assert_ok();
}
