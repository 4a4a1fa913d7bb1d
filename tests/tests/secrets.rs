//! `mem secrets`: allows that survive moves and never hide a new leak.

use mem_tests::{Repo, TestEnv, github_token};

fn fingerprint(repo: &Repo<'_>) -> String {
    let json = repo.mem(["scan", "--format", "json"]).assert_code(3).json();
    json["findings"][0]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn an_allow_follows_the_secret_and_nothing_else() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("t {}\n", github_token(1)));
    let print = fingerprint(&repo);
    assert!(
        !repo.path().join(".mem").exists(),
        "a scan writes nothing into the repository"
    );
    let allow = ["secrets", "allow", &print, "--reason", "revoked long ago"];
    repo.mem(allow).assert_ok();
    let text = std::fs::read_to_string(repo.path().join(".mem/secrets.toml")).unwrap();
    assert!(
        text.contains("revoked long ago") && text.contains(&print),
        "{text}"
    );
    let json = repo.mem(["scan", "--format", "json"]).assert_ok().json();
    assert_eq!(json["suppressed"], 1);
    repo.write("a.txt", "nothing\n");
    repo.write("deep/b.txt", format!("moved\n\n\nt {}\n", github_token(1)));
    repo.mem(["scan"]).assert_ok();
    repo.write("deep/b.txt", format!("moved\n\n\nt {}\n", github_token(2)));
    repo.mem(["scan"]).assert_code(3);
}

#[test]
fn an_allow_holds_on_another_machine_through_the_key_beside_it() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("t {}\n", github_token(1)));
    let print = fingerprint(&repo);
    repo.mem(["secrets", "allow", &print, "--reason", "test data"])
        .assert_ok();
    let elsewhere = env.root().join("elsewhere");
    let run = repo.invoke(["scan"]).env("XDG_STATE_HOME", elsewhere).run();
    run.assert_ok();
}

#[test]
fn an_allow_needs_a_fingerprint_and_a_reason() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let bad = repo
        .mem(["secrets", "allow", "nonsense", "--reason", "r"])
        .assert_code(2);
    insta::assert_snapshot!(bad.stderr, @r"
    error: `nonsense` is not a fingerprint (`rule:` and 16 hexadecimal digits)
    hint: copy it from the output of `mem scan`
    ");
    let print = format!("github-pat:{}", "0".repeat(16));
    repo.mem(["secrets", "allow", &print, "--reason", " "])
        .assert_code(2);
    repo.mem(["secrets", "allow", &print]).assert_code(2);
}

#[test]
fn a_secret_in_the_reason_of_an_allow_is_written_nowhere() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    repo.write("a.txt", format!("t {}\n", github_token(1)));
    let print = fingerprint(&repo);
    let reason = format!("it is only {}", github_token(2));
    let run = repo.mem(["secrets", "allow", &print, "--reason", &reason]);
    let run = run.assert_ok();
    assert!(
        run.stderr
            .contains("the reason held a secret: it is kept without"),
        "{}",
        run.stderr
    );
    let allows = [
        repo.path().join(".mem/secrets.toml"),
        env.home().join(".local/state/mem/secrets-allows.json"),
    ];
    for file in allows {
        let text = std::fs::read_to_string(file).unwrap();
        assert!(text.contains("it is only [redacted: ") && !text.contains(&github_token(2)));
    }
}

#[test]
fn rules_are_listed_and_explained() {
    let env = TestEnv::new();
    let rules = env.mem(["secrets", "list", "--json"]).assert_ok().json();
    assert!(rules["rules"].as_array().unwrap().len() >= 250);
    let text = env
        .mem(["secrets", "explain", "github-pat"])
        .assert_ok()
        .stdout;
    assert!(text.starts_with("github-pat: "), "{text}");
    let unknown = env.mem(["secrets", "explain", "no-such-rule"]);
    insta::assert_snapshot!(unknown.assert_code(2).stderr, @r"
    error: no rule is called `no-such-rule`
    hint: `mem secrets list` names them all
    ");
}
