//! What colleagues wrote and waits in the inbox can be redacted by its name, like what was taken.

use mem_tests::TestEnv;

use crate::team::{Person, two};

/// Whether a text stands in any file of somebody's home.
fn has(env: &TestEnv, person: &Person<'_>, text: &str) -> bool {
    let files = env.files_under(&person.home);
    files
        .iter()
        .any(|(_, bytes)| String::from_utf8_lossy(bytes).contains(text))
}

#[test]
fn a_name_that_only_waited_is_redacted() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.mem("config set team.pull review").assert_ok();
    let leaked = ["oxhorn", "-blue"].concat();
    ann.write("leak.md", &format!("the passphrase is {leaked}\n"));
    ann.write("other.md", "one\n");
    ann.sync();
    ben.sync();
    // It takes the place of the leak, which is kept as turned down.
    ann.write("leak.md", "it stands in the vault\n");
    ann.sync();
    ann.mem("team redact leak.md --yes").assert_ok();
    ben.sync();
    assert!(has(&env, &ben, &leaked) && ben.read("leak.md").is_none());
    let dry = ben
        .mem("redact leak.md --dry-run --json")
        .assert_ok()
        .json();
    assert_eq!(dry["inbox"], 2, "{dry}");
    assert!(has(&env, &ben, &leaked));
    ben.mem("redact team:leak.md --yes").assert_ok();
    assert!(!has(&env, &ben, &leaked), "it is still there");
    let left = ben.mem("inbox list").assert_ok().stdout;
    assert!(left.contains("team:other.md"), "{left}");
    ben.mem("redact nothing.md --yes").assert_code(1);
    // What the remote has now comes again, and is asked about.
    ben.sync();
    assert!(
        ben.mem("inbox list")
            .assert_ok()
            .stdout
            .contains("team:leak.md")
    );
}
