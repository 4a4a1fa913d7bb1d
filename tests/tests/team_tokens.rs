//! A token that somebody writes on the command line: it is refused there, and not repeated.

use mem_tests::TestEnv;

use crate::team::Person;

#[test]
fn a_token_on_the_command_line_is_not_repeated() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let token = format!(
        "{}_{}",
        "memtok",
        "d5c67b564575c1baef4ca7dbd0340ddb".repeat(2)
    );
    for end in ["", " --json", " --color always"] {
        for line in [
            "team login",
            "team logout",
            "team login --server",
            "sync setup --remote",
        ] {
            let run = ann.mem(&format!("{line} {token}{end}"));
            let all = run.shown();
            assert!(!all.contains(&token), "{line}{end}: {all}");
        }
        let run = ann.mem(&format!("team login {token}{end}")).assert_code(2);
        assert!(run.stderr.contains("unexpected argument"), "{}", run.stderr);
    }
}
