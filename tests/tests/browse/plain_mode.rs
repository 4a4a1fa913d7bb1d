//! `mem browse --plain`, and where nothing can be drawn.

use mem_tests::TestEnv;

use super::{save, save_three};
use crate::inbox;

#[test]
fn it_is_read_and_answered_line_by_line() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let typed = "/dply\n1\nd 1\ny\nover\nu\nyes\n/\nnonsense\n99\nq\n";
    let output = repo
        .invoke(["browse", "--plain"])
        .stdin(typed)
        .run()
        .assert_ok();
    insta::assert_snapshot!(output.shown(), @r#"
    exit 0
    --- stdout
    1 to 3 of 3
    1. No mocks: tests use the real thing (feedback, private, now, fresh)
    2. Deploy rule: how to put it live (project, private, now)
    3. Green tea: what the person drinks (user, private, now)
    > 1 to 1 of 1
    1. Deploy rule: how to put it live (project, private, now, aging)
    > Deploy rule
    how to put it live
    project_deploy_rule.md · project · private · changed just now by a person
    verdict: aging, 1 citation

    Rule

    Use src/gone.rs and never on Friday.

    Citations
    never   src/gone.rs path
    > Remove project_deploy_rule.md?
    Deploy rule

    `u` brings it back.
    yes or no [no]: reason (may be empty): removed project_deploy_rule.md; `u` brings it back
    > Undo `remove` by person (now)?

    --- /dev/null
    +++ b/project_deploy_rule.md
    @@ -0,0 +1,9 @@
    +---
    +name: Deploy rule
    +description: how to put it live
    +type: project
    +---
    +
    +# Rule
    +
    +Use `src/gone.rs` and never on **Friday**.
    yes or no [no]: undone: remove
    > 1 to 3 of 3
    1. No mocks: tests use the real thing (feedback, private, now, fresh)
    2. Deploy rule: how to put it live (project, private, now, aging)
    3. Green tea: what the person drinks (user, private, now)
    > `nonsense` is not understood; ? lists what is
    > there is no row 99
    > --- stderr
    "#);
    assert!(repo.note("project_deploy_rule.md").is_some());
}

#[test]
fn the_inbox_is_decided_on_without_a_terminal() {
    let env = TestEnv::new();
    let repo = inbox::confirming(&env);
    inbox::save(&repo, "s1", "No mocks", "Use a real database.");
    let typed = "i\n1\na 1\nb\n";
    let output = repo
        .invoke(["browse", "--plain"])
        .stdin(typed)
        .run()
        .assert_ok();
    assert!(
        output.stdout.contains("+Use a real database."),
        "{}",
        output.stdout
    );
    assert!(
        output.stdout.contains("accepted feedback_no_mocks.md"),
        "{}",
        output.stdout
    );
    assert!(repo.note("feedback_no_mocks.md").is_some());
}

#[test]
fn a_choice_goes_to_stdout_alone() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save_three(&repo);
    let run = |typed: &str, json: &[&str]| {
        let args = [&["browse", "--plain", "--pick", "mocks"], json].concat();
        repo.invoke(args).stdin(typed).run()
    };
    let path = repo.memory().join("feedback_no_mocks.md");
    let path = path.to_string_lossy();
    let printed = run("1\n", &[]).assert_ok().line();
    assert_eq!(printed, path);
    let json = run("1\n", &["--json"]).assert_ok().json();
    assert_eq!(json["path"], env.normalise(&path).as_str());
    assert_eq!(run("q\n", &[]).assert_code(1).stdout, "");
    assert_eq!(run("", &[]).assert_code(1).stdout, "");
}

#[test]
fn text_of_others_is_harmless_here_too() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    save(
        &repo,
        "project",
        "Harm",
        "harms",
        "red \u{1b}[31mtext\u{7} \u{9b}1m",
    );
    let output = repo
        .invoke(["browse", "--plain"])
        .stdin("1\nh 1\n1\n/\u{1b}[2J\n")
        .run();
    let is_harmful = |c: char| c.is_control() && c != '\n';
    assert!(!output.stdout.contains(is_harmful), "{:?}", output.stdout);
    assert!(
        output.stdout.contains("red [31mtext 1m"),
        "{}",
        output.stdout
    );
}

#[test]
fn without_a_terminal_it_says_what_to_do_and_an_agent_is_refused() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let output = repo.mem(["browse"]).assert_code(2);
    assert!(
        output.stderr.contains("standard input is no terminal"),
        "{}",
        output.stderr
    );
    assert!(
        output
            .stderr
            .contains("hint: `mem browse --plain` needs none"),
        "{}",
        output.stderr
    );
    let refused = inbox::as_agent(&repo, "s1", ["browse", "--plain"]).assert_code(1);
    assert!(
        refused.stderr.contains("is for a person"),
        "{}",
        refused.stderr
    );
}
