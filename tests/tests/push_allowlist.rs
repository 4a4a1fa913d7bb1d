//! What hides findings from a push: the state that the remote has, and a person, but nothing that comes along.

use mem_tests::{Repo, TestEnv, github_token};

/// Writes what hides a leak in `leak.txt`, and returns what that file holds.
type Way = (&'static str, fn(&Repo<'_>, &str) -> String);

const WAYS: [Way; 7] = [
    ("an allowlist of betterleaks", |repo, token| {
        repo.write(".betterleaks.toml", "[allowlist]\npaths = ['leak']\n");
        format!("token {token}\n")
    }),
    ("an allowlist", |repo, token| {
        repo.write(".gitleaks.toml", "[allowlist]\npaths = ['leak']\n");
        format!("token {token}\n")
    }),
    ("an allowlist that is extended", |repo, token| {
        repo.write(".gitleaks.toml", "[extend]\npath = 'conf/base.toml'\n");
        repo.write("conf/base.toml", "[allowlist]\npaths = ['leak']\n");
        format!("token {token}\n")
    }),
    ("an ignore file", |repo, token| {
        repo.write(".gitleaksignore", "leak.txt:github-pat:1\n");
        format!("token {token}\n")
    }),
    ("an allow of an agent", |repo, token| {
        repo.write("leak.txt", format!("token {token}\n"));
        let json = repo.mem(["scan", "--format", "json"]).assert_code(3).json();
        let print = json["findings"][0]["fingerprint"].as_str().unwrap();
        let allow = repo.invoke(["secrets", "allow", print, "--reason", "mine"]);
        let said = allow.env("CLAUDECODE", "1").run().assert_ok();
        assert!(said.stderr.contains("once the remote has it"), "{said:?}");
        format!("token {token}\n")
    }),
    ("a comment", |_, token| {
        format!("token {token} # gitleaks:allow\n")
    }),
    ("our comment", |_, token| {
        format!("token {token} # mem:allow\n")
    }),
];

fn repository<'e>(env: &'e TestEnv, name: &str) -> Repo<'e> {
    let repo = env.repo(name);
    let remote = format!("../{name}.git");
    repo.git(["init", "--quiet", "--bare", &remote]);
    repo.git(["remote", "add", "origin", &remote]);
    repo
}

/// Whether git pushed, and what was said.
fn push(env: &TestEnv, repo: &Repo<'_>, args: &[&str]) -> Result<String, String> {
    let mut git = env.command("git");
    let git = git.arg("push").args(args).current_dir(repo.path());
    let output = git.output().unwrap();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok(talk),
        false => Err(talk),
    }
}

#[test]
fn nothing_that_comes_along_with_a_push_hides_its_secrets() {
    let env = TestEnv::new();
    for (number, (way, hide)) in WAYS.iter().enumerate() {
        let repo = repository(&env, &format!("r{number}"));
        let token = github_token(number as u64);
        let flags: &[&str] = if number % 2 == 0 { &[] } else { &["--strict"] };
        repo.mem(["hook", "install"].iter().chain(flags))
            .assert_ok();
        let leak = hide(&repo, &token);
        repo.commit("leak.txt", &leak, "leak");
        // Neither where the remote is empty, nor where it has what was before.
        let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
        assert!(
            talk.contains("github-pat") && !talk.contains(&token),
            "{way}: {talk}"
        );
        push(&env, &repo, &["origin", "main~1:refs/heads/main"]).unwrap();
        let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
        assert!(talk.contains("leak.txt:1"), "{way}: {talk}");
        push(&env, &repo, &["origin", "main:refs/heads/other"]).unwrap_err();
        push(&env, &repo, &["origin", "HEAD^{tree}:refs/tags/tree"]).unwrap_err();
        // A commit and a scan on demand obey the repository, and say so.
        let json = repo.mem(["scan", "--format", "json"]).assert_ok().json();
        assert_eq!(json["suppressed"], 1, "{way}");
    }
}

#[test]
fn what_the_remote_has_hides_as_it_says() {
    let env = TestEnv::new();
    for (number, (way, hide)) in WAYS.iter().enumerate() {
        let repo = repository(&env, &format!("r{number}"));
        repo.mem(["hook", "install", "--strict"]).assert_ok();
        push(&env, &repo, &["origin", "main"]).unwrap();
        let leak = hide(&repo, &github_token(number as u64));
        let is_comment = leak.contains("allow");
        if !is_comment {
            repo.write("leak.txt", "");
        } else {
            repo.write("leak.txt", &leak);
        }
        repo.git(["add", "--all"]);
        repo.git(["commit", "--quiet", "--message", "what hides"]);
        push(&env, &repo, &["--no-verify", "origin", "main"]).unwrap();
        repo.write("leak.txt", &leak);
        repo.git(["add", "--all"]);
        // The commit is made anew, so that its own parent has nothing of it.
        let amend = ["commit", "--quiet", "--amend", "--message", "again"];
        match is_comment {
            true => repo.git(amend),
            false => repo.git(["commit", "--quiet", "--message", "leak"]),
        };
        let said = push(&env, &repo, &["--force", "origin", "main"]);
        let said = said.unwrap_or_else(|talk| panic!("{way}: {talk}"));
        assert!(said.contains("1 finding is hidden"), "{way}: {said}");
        // A branch that goes back to what the remote has goes by that, and another secret is found.
        repo.git(["checkout", "--quiet", "-b", "more", "origin/main~1"]);
        repo.commit("more.txt", &format!("x {}\n", github_token(99)), "more");
        push(&env, &repo, &["origin", "more"]).unwrap_err();
    }
}

#[test]
fn a_person_allows_a_finding_at_once_also_for_a_first_push() {
    let env = TestEnv::new();
    let repo = repository(&env, "app");
    repo.mem(["hook", "install", "--strict"]).assert_ok();
    repo.commit("leak.txt", &format!("t {}\n", github_token(1)), "leak");
    let talk = push(&env, &repo, &["origin", "main"]).unwrap_err();
    let line = talk.lines().find(|line| line.contains("mem secrets allow"));
    let print = line.unwrap().split_whitespace().nth(4).unwrap().to_owned();
    let allow = ["secrets", "allow", &print, "--reason", "revoked"];
    let by_agent = repo.invoke(allow).env("CLAUDECODE", "1").run();
    by_agent.assert_ok();
    repo.git(["add", "--all"]);
    repo.git(["commit", "--quiet", "--message", "allowed by an agent"]);
    push(&env, &repo, &["origin", "main"]).unwrap_err();
    repo.mem(allow).assert_ok();
    // Another secret is found all the same.
    repo.git(["checkout", "--quiet", "-b", "other"]);
    repo.commit("other.txt", &github_token(2), "other leak");
    push(&env, &repo, &["origin", "other"]).unwrap_err();
    push(&env, &repo, &["origin", "main"]).unwrap();
}
