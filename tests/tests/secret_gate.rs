//! A secret in a note: refused for the team, warned of elsewhere, never printed.

use mem_tests::{Repo, TestEnv, github_token};

fn save(repo: &Repo<'_>, scope: &str, body: &str) -> mem_tests::Output {
    let args = [
        "save",
        "--type",
        "project",
        "--name",
        "Deploy",
        "--description",
        "How to deploy",
    ];
    let args = args.into_iter().chain(["--scope", scope]);
    repo.invoke(args).stdin(body).run()
}

#[test]
fn the_team_tier_refuses_a_secret_and_the_file_stays_as_it_was() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(1);
    let output = save(&repo, "team", &format!("Use\n{token}\n")).assert_code(1);
    assert!(!output.shown().contains(&token));
    insta::assert_snapshot!(output.stderr, @r"
    error: `team/project_deploy.md` line 8 holds a secret, github-pat (GitHub personal access token)
    hint: write where the secret is kept instead of the secret itself
    ");
    assert_eq!(repo.note("team/project_deploy.md"), None);
    save(&repo, "team", "The token is in the vault.\n").assert_ok();
}

#[test]
fn a_private_note_is_saved_with_a_warning_and_an_old_secret_is_not_warned_of_again() {
    let env = TestEnv::new();
    let repo = env.repo("app");
    let token = github_token(2);
    let output = save(&repo, "private", &format!("Use {token}\n")).assert_ok();
    assert!(!output.shown().contains(&token));
    insta::assert_snapshot!(output.stderr, @"warning: `project_deploy.md` line 7 looks like a secret, github-pat (GitHub personal access token): write where it is kept instead, and `mem redact project_deploy.md` removes it from the history");
    let again = ["save", "--update", "--type", "project", "--name", "Deploy"];
    let again = again
        .into_iter()
        .chain(["--description", "How to deploy it"]);
    let output = repo
        .invoke(again)
        .stdin(format!("Still {token}\n"))
        .run()
        .assert_ok();
    assert_eq!(output.stderr, "");
    let json = repo
        .mem(["scan", "--memory", "--format", "json"])
        .assert_code(3)
        .json();
    assert_eq!(json["findings"].as_array().unwrap().len(), 1);
    assert_eq!(json["findings"][0]["rule"], "github-pat");
}
