//! The master key in the system's keyring: a real Secret Service, where `mem` is built with it
//! (`cargo build -p mem --features keyring`, and `MEM_BIN` names that build).

use std::fs;
use std::process::Command;

use mem_tests::{Output, Repo, TestEnv};

use crate::encrypt_local::save;

/// Runs the rest of a script with a keyring that is open.
const SESSION: &str = r#"
exec dbus-run-session -- sh -ec '
  printf x | gnome-keyring-daemon --unlock --daemonize --components=secrets >/dev/null
  SCRIPT
' "$0" "$@"
"#;

/// Whether there is a Secret Service to start here.
fn has_service() -> bool {
    let is_there = |program: &str| {
        let asked = Command::new(program).arg("--version").output();
        asked.is_ok_and(|output| output.status.success())
    };
    is_there("dbus-run-session") && is_there("gnome-keyring-daemon")
}

fn in_session(repo: &Repo<'_>, script: &str) -> Output {
    // Sockets have short names: the folder of the test is too deep for some.
    let run = tempfile::tempdir().unwrap();
    let run_dir = run.path().to_owned();
    let invoked = repo.invoke([""; 0]).env("XDG_RUNTIME_DIR", run_dir);
    invoked
        .through_shell(&SESSION.replace("SCRIPT", script))
        .run()
}

#[test]
fn it_seals_rotates_drops_and_is_missed_where_it_is_gone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    env.mem(["config", "set", "encryption.key", "keyring"])
        .assert_ok();
    save(&repo, "ledge", "the heron nests on the ledge");
    let none = repo.mem(["encrypt", "on", "--local"]).assert_code(1).stderr;
    assert!(none.contains("the keyring: "), "{none}");
    repo.mem(["history"]).assert_ok();
    if none.contains("this build of mem has no keyring") || !has_service() {
        return;
    }
    let sealed = in_session(
        &repo,
        r#""$0" encrypt on --local; "$0" encrypt status --local --check; "$0" history --json"#,
    );
    let sealed = sealed.assert_ok();
    assert!(sealed.stdout.contains("(keyring)"), "{}", sealed.stdout);
    let files = env.files_under(&env.home().join(".local/state/mem"));
    let word = b"heron";
    let holds = |bytes: &[u8]| bytes.windows(word.len()).any(|one| one == word);
    assert!(!files.iter().any(|(_, bytes)| holds(bytes)));
    assert!(!env.home().join(".config/mem/master.key").exists());

    // Six at once: none of them loses the key of another.
    let rotated = in_session(
        &repo,
        r#"for i in 1 2 3 4 5 6; do "$0" encrypt rotate --local --master & done; wait
           "$0" encrypt status --local --check >/dev/null
           "$0" encrypt drop --yes --json; "$0" encrypt status --local --check; "$0" history"#,
    );
    let rotated = rotated.assert_ok();
    assert!(rotated.stdout.contains("0 do not"), "{}", rotated.stdout);
    assert!(rotated.stdout.contains("save"), "{}", rotated.stdout);

    // Without the keyring nothing is overwritten, and notes are read.
    let lost = repo.mem(["history"]).assert_code(1).stderr;
    assert!(lost.contains("the keyring: "), "{lost}");
    repo.mem(["show", "ledge"]).assert_ok();
    fs::remove_dir_all(env.home().join(".local/share/keyrings")).unwrap();
    let empty = in_session(&repo, r#""$0" history"#).assert_code(1).stderr;
    assert!(empty.contains("there is no master key"), "{empty}");
    let again = in_session(&repo, r#""$0" encrypt on --local"#);
    assert_ne!(again.code, 0, "{}", again.shown());
}
