//! What killed runs left of files that they were writing, of keys too, once something is encrypted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mem_tests::TestEnv;

use crate::encrypt_local::{encrypt, key_file, save};

/// The number of a process that has ended.
fn ended() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

/// What a killed run left in a folder.
fn leave(folder: &Path, pid: u32, bytes: &[u8]) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(format!(".mem-tmp-{pid}-0"));
    fs::write(&path, bytes).unwrap();
    path
}

/// The inbox of the only store.
fn inbox(env: &TestEnv) -> PathBuf {
    let stores = fs::read_dir(env.home().join(".local/state/mem/stores")).unwrap();
    stores.flatten().next().unwrap().path().join("inbox")
}

#[test]
fn what_killed_runs_left_is_told_and_goes_before_anything_is_called_sealed_or_gone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    encrypt(&env, &["on"]).assert_ok();
    let keys = fs::read(key_file(&env)).unwrap();
    let config = env.home().join(".config/mem");
    let both = || {
        [
            leave(&inbox(&env), ended(), b"a bittern, plain"),
            leave(&config, ended(), &keys),
        ]
    };
    let gone = |left: &[PathBuf]| left.iter().all(|path| !path.exists());
    // Of a process that lives it is left alone.
    let mut living = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let others = leave(&config, living.id(), b"half");

    let left = both();
    let doctor = repo.mem(["doctor"]).shown();
    assert!(doctor.contains("left 2 temporary files"), "{doctor}");
    let status = encrypt(&env, &["status"]).assert_code(1).stderr;
    assert!(
        status.contains("killed runs left 2 temporary files"),
        "{status}"
    );
    assert!(left.iter().all(|path| path.exists()));
    for verb in ["on", "rotate", "off"] {
        let left = both();
        encrypt(&env, &[verb]).assert_ok();
        assert!(gone(&left), "{verb}");
    }
    let left = both();
    drop(repo.mem(["doctor", "--fix"]));
    assert!(gone(&left));
    let left = both();
    repo.mem(["redact", "--text", "bittern", "--yes"])
        .assert_ok();
    assert!(gone(&left));
    let left = both();
    repo.mem(["erase", "--project", "--yes"]).assert_ok();
    assert!(gone(&left) && key_file(&env).exists());
    let left = leave(&config, ended(), &keys);
    repo.mem(["erase", "--all", "--destroy-key", "--yes"])
        .assert_ok();
    assert!(!left.exists() && !key_file(&env).exists() && others.exists());
    drop(living.stdin.take());
    living.wait().unwrap();
}
