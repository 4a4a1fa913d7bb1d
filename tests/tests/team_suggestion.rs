//! What a repository suggests once somebody has agreed, and what it may not suggest.

use std::fs;

use mem_tests::TestEnv;

use crate::sync::TERMINAL;
use crate::team::Person;

fn suggest(person: &Person<'_>, remote: &str, repo: &str) {
    let text = format!("remote = \"{remote}\"\nrepo = \"{repo}\"\n");
    person.repo.write(".mem/team.toml", &text);
}

#[test]
fn an_address_with_a_password_is_followed_nowhere_and_shown_nowhere() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let password = ["h4rb0ur", "-tide-77"].concat();
    let shown = |line: &str, code: i32| {
        let all = ann.mem(line).assert_code(code).shown();
        assert!(!all.contains(&password), "{line}: {all}");
        all
    };
    for remote in [
        format!("git:https://me:{password}@127.0.0.1:9/acme/app"),
        format!("git:https://{password}@127.0.0.1:9/acme/app"),
        format!("git:ssh://me:{password}@127.0.0.1:9/acme/app"),
        format!("https://me:{password}@127.0.0.1:9"),
    ] {
        suggest(&ann, &remote, "acme/app");
        shown("team join --yes", 1);
        let status = shown("status", 0);
        assert!(status.contains("a user or a password"), "{status}");
        let told = shown(&format!("team setup --remote {remote} --repo acme/app"), 1);
        assert!(told.contains("hint:"), "{told}");
        shown(&format!("sync setup --name me --remote {remote}"), 1);
        // Somebody wrote it into the settings.
        ann.mem("config set --repository team.remote git:origin")
            .assert_ok();
        let settings = env.files_under(&env.root().join("home-ann"));
        let is_settings = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("\"git:origin\"");
        let (file, text) = settings
            .iter()
            .find(|(_, bytes)| is_settings(bytes))
            .unwrap();
        let text = String::from_utf8_lossy(text).replace("git:origin", &remote);
        fs::write(env.root().join("home-ann").join(file), text).unwrap();
        for (line, code) in [("team sync", 1), ("team status", 1), ("status --json", 0)] {
            shown(line, code);
        }
        ann.mem("config unset --repository team.remote").assert_ok();
    }
    // A clone has it from its own settings: it is used, and not shown.
    let url = format!("https://me:{password}@127.0.0.1:9/acme/app");
    ann.repo.git(["remote", "set-url", "origin", &url]);
    suggest(&ann, "git:origin", "acme/app");
    shown("team join --yes", 5);
    shown("status -v", 0);
}

#[test]
fn another_suggestion_than_the_one_that_is_followed_is_told() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let status = || ann.mem("status").assert_ok().stdout;
    suggest(&ann, "git:upstream", "acme/app");
    assert!(
        status().contains("has no git remote `upstream`") && !status().contains("mem team join"),
        "{}",
        status()
    );
    suggest(&ann, "git:origin", "acme/app");
    ann.mem("team join --yes").assert_ok();
    assert!(!status().contains("mem team join"));
    suggest(&ann, "git:origin", "Acme/Other");
    let told = "suggests acme/other at origin now: mem team join";
    assert!(status().contains(told), "{}", status());
    // In another spelling, or without a name, it is the one that is followed.
    for same in ["ACME/app", ""] {
        suggest(&ann, "git:origin", same);
        assert!(!status().contains("mem team join"), "{same}: {}", status());
    }
}

#[test]
fn whoever_is_asked_sees_where_a_name_leads() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    suggest(&ann, "git:origin", "acme/app");
    let asked = |answer: &str| {
        let mut python = env.command("python3");
        python.args(["-c", TERMINAL, answer]);
        python.arg(mem_tests::binary::path()).args(["team", "join"]);
        python.env("HOME", &ann.home).current_dir(ann.repo.path());
        let said = python.output().unwrap();
        String::from_utf8_lossy(&said.stdout).into_owned()
    };
    let said = asked("n");
    let origin = env.work().join("origin");
    let at = format!("at git:origin, which is file:{}?", origin.display());
    assert!(said.contains(&at), "{said}");
    ann.mem("team status").assert_code(1);
    // How team files leave is asked too, where nothing says so yet; any other word is no answer.
    let said = asked("y\nnever");
    assert!(said.contains("nothing was set up"), "{said}");
    ann.mem("team status").assert_code(1);
    let said = asked("y\nauto");
    let question = "how do team files leave this machine?";
    assert!(
        said.contains(question) && said.contains("shares the team's memory"),
        "{said}"
    );
    assert_eq!(ann.mem("config get team.push").line(), "auto");
    assert!(!asked("y").contains(question));
    // What is given up for another one is said, too.
    suggest(&ann, "http://127.0.0.1:9", "acme/other");
    let said = asked("n");
    let wanted = "acme/other at http://127.0.0.1:9, instead of acme/app at git:origin?";
    assert!(said.contains(wanted), "{said}");
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(status.contains("git:origin"), "{status}");
}
