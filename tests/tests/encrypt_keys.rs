//! The master key where several make or change it at once, and where a command gives it, or gives none.

use std::fs;
use std::time::{Duration, Instant};

use mem_tests::TestEnv;

use crate::encrypt_local::{encrypt, key_file, save};

#[test]
fn those_who_begin_and_rotate_at_once_all_do_and_lose_no_key() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    let data = env.root().join("data");
    let at = [["--local", ""], ["--data-dir", data.to_str().unwrap()]];
    let all_at_once = |verb: &[&str]| {
        let runs = at.map(|place| {
            let place = place.into_iter().filter(|word| !word.is_empty());
            let run = env.invoke(["encrypt"]).args(verb.iter().copied());
            run.args(place).spawn()
        });
        for run in runs {
            let ended = run.wait_with_output().unwrap();
            let told = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.success(), "{verb:?}: {told}");
        }
    };
    all_at_once(&["on"]);
    for round in 1..=3 {
        all_at_once(&["rotate", "--master"]);
        let keys = fs::read_to_string(key_file(&env)).unwrap();
        assert_eq!(keys.lines().count(), 1 + 2 * round);
        repo.mem(["history"]).assert_ok();
        let status = ["encrypt", "status", "--data-dir", data.to_str().unwrap()];
        env.mem(status).assert_ok();
    }
}

#[test]
fn a_key_is_no_place_of_one_and_is_not_quoted() {
    let env = TestEnv::new();
    let key = "5e".repeat(32);
    for wrong in [key.as_str(), "/etc/key", "command:"] {
        let refused = env.mem(["config", "set", "encryption.key", wrong]);
        let refused = refused.assert_code(2).shown();
        assert!(
            refused.contains("where the master key is") && refused.contains("hint:"),
            "{refused}"
        );
        assert!(!refused.contains("5e5e"), "{refused}");
    }
    assert!(!env.home().join(".config/mem/config.toml").exists());
    for right in ["file:~/key", "keyring", "command:pass mem", ""] {
        env.mem(["config", "set", "encryption.key", right])
            .assert_ok();
    }
}

#[test]
fn a_command_that_hangs_is_waited_for_once_and_not_for_long() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(&repo, "ledge", "the heron nests on the ledge");
    encrypt(&env, &["on"]).assert_ok();
    let hang = "command:tail -f /dev/null; echo";
    env.mem(["config", "set", "encryption.key", hang])
        .assert_ok();
    let begun = Instant::now();
    let told = repo.mem(["history"]).assert_code(1).stderr;
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(told.contains("no answer within 5 seconds"), "{told}");
}
