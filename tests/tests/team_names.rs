//! Names that should not have left: what a redaction takes of them out of the remote, and that nothing shows them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use mem_tests::{Server, TestEnv, github_token};
use serde_json::json;

use crate::team::{Person, two};

/// A key that a client without a scanner sent.
fn leaked(server: &Server, name: &str) {
    let body = json!({ "entries": { name: "one", "fine.md": "fine" } });
    let put = server.store("PUT", "acme/app", "").json(body.to_string());
    put.send().assert(200);
}

fn person<'e>(env: &'e TestEnv, name: &str, server: &Server) -> Person<'e> {
    let person = Person::new(env, name);
    let setup = format!("team setup --remote {} --repo acme/app", server.url());
    person.mem(&setup).assert_ok();
    person
}

#[test]
fn a_name_that_holds_a_secret_is_shown_nowhere_and_goes_from_the_remote() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let token = github_token(9);
    let name = format!("{token}/x.md");
    leaked(&server, &name);
    let (ann, ben) = (person(&env, "ann", &server), person(&env, "ben", &server));
    ben.mem("team sync").assert_code(1);
    let not_taken = ann.mem("team sync").assert_code(1);
    assert!(
        not_taken
            .stderr
            .contains("not taken: `a file whose name holds a secret`")
            && not_taken.stderr.contains("mem team redact --names"),
        "{}",
        not_taken.shown()
    );
    let redact = ["team", "redact", &name, "--yes"];
    let stands = ann.invoke(redact).run().assert_code(1);
    assert!(
        stands.stderr.contains("mem team delete"),
        "{}",
        stands.shown()
    );
    ann.invoke(["team", "delete", &name]).run().assert_ok();
    let mut said: Vec<String> = [
        "team sync --json",
        "team status",
        "team status --json",
        "team log",
        "team log --json",
        "status",
        "check",
    ]
    .iter()
    .map(|line| ann.mem(line).shown())
    .collect();
    let json = redact.into_iter().chain(["--json"]);
    let redacted = ann.invoke(json).run().assert_ok();
    assert_eq!(redacted.json()["name_redacted"], true);
    said.extend([not_taken.shown(), stands.shown(), redacted.shown()]);
    for said in said {
        assert!(!said.contains(&token), "the secret was printed");
    }
    let there = |target: &str| server.ask("GET", target).send().json().to_string();
    let path = "/api/claude_code/team_memory";
    for target in [path.to_owned(), format!("{path}/log")] {
        let text = there(&format!("{target}?repo=acme/app"));
        assert!(
            text.contains("fine.md") && !text.contains(&token),
            "{target}"
        );
    }
    ann.invoke(redact).run().assert_code(1);
    let unknown = ann.mem("team redact never.md --yes").assert_code(1).stderr;
    assert!(unknown.contains("was ever called `never.md`"), "{unknown}");
    // Nothing was lost, neither for whoever deleted it nor for whoever saw it last when it stood there.
    for person in [&ann, &ben] {
        let synced = person.mem("team sync --json").assert_ok().json();
        assert_eq!(
            (&synced["lost"], &synced["not_taken"]),
            (&json!([]), &json!([]))
        );
    }
}

#[test]
fn names_that_hold_a_secret_need_not_be_written_down_to_be_taken_out() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let ann = person(&env, "ann", &server);
    assert_eq!(
        ann.mem("team redact --names").assert_ok().stdout,
        "no name at the remote holds a secret\n"
    );
    let tokens = [github_token(3), github_token(4)];
    for token in &tokens {
        leaked(&server, &format!("{token}.md"));
    }
    ann.mem("team redact --names").assert_code(2);
    let would = ann.mem("team redact --names --dry-run").assert_ok().stdout;
    assert_eq!(
        would,
        "would delete 2 files for everybody, and take 2 names out of the remote\n"
    );
    let done = ann
        .mem("team redact --names --yes --json")
        .assert_ok()
        .json();
    assert_eq!((&done["names"], &done["deleted"]), (&json!(2), &json!(2)));
    let data = env.root().join("data");
    for (path, bytes) in env.files_under(&data) {
        let holds = |token: &String| {
            bytes
                .windows(token.len())
                .any(|one| one == token.as_bytes())
        };
        assert!(!tokens.iter().any(holds), "{path}");
    }
    let log = ann.mem("team log").assert_ok().stdout;
    assert!(log.contains("fine.md") && log.lines().count() == 1, "{log}");
    ann.sync();
    assert!(ann.read("fine.md").is_some());
}

#[test]
fn a_file_that_waits_for_its_name_says_so() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let token = github_token(6);
    ann.write(&format!("{token}.md"), "nothing secret in it\n");
    ann.mem("team sync").assert_code(3);
    let status = ann.mem("team status").assert_ok();
    assert!(
        status
            .stdout
            .contains("a file whose name holds a secret: the name itself"),
        "{}",
        status.shown()
    );
    assert!(!status.shown().contains(&token));
}

#[test]
fn any_name_goes_from_a_git_remote_and_whoever_knew_it_is_deleted_stays_in_step() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("merger-with-acme.md", "when\n");
    ann.sync();
    ben.sync();
    for more in ["--yes", "--dry-run"] {
        let early = ann.mem(&format!("team redact merger-with-acme.md --name {more}"));
        let told = early.assert_code(1).stderr;
        assert!(told.contains("once it is deleted there"), "{told}");
    }
    ann.mem("team delete merger-with-acme.md").assert_ok();
    ben.sync();
    let would = ann
        .mem("team redact merger-with-acme.md --name --dry-run")
        .assert_ok();
    assert_eq!(
        would.stdout,
        "would take 1 version of merger-with-acme.md, and its name out of the remote\n"
    );
    let told = ann
        .mem("team redact merger-with-acme.md --name --yes")
        .assert_ok();
    assert!(told.stdout.contains("its name is gone"), "{}", told.shown());
    assert!(told.stderr.contains("sends it again"), "{}", told.shown());
    for person in [&ann, &ben] {
        let synced = person.mem("team sync --json").assert_ok().json();
        assert_eq!(
            (&synced["lost"], &synced["pushed"]),
            (&json!([]), &json!([]))
        );
        assert!(person.read("merger-with-acme.md").is_none());
    }
    assert!(!ben.mem("team log").assert_ok().stdout.contains("merger"));
}

#[test]
fn a_redacted_name_is_gone_here_with_its_folder_and_from_what_is_remembered() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    // Nothing that the scanner knows.
    let secret = ["hunter", "2", "-", "Tr0ub4dor"].concat();
    for person in [&ann, &ben] {
        person.write(&format!("{secret}/x.md"), "one\n");
        person.write(&format!("{secret}-too/y.md"), "two\n");
        person.sync();
    }
    fs::create_dir_all(ann.team().join(format!("empty/{secret}"))).unwrap();
    let redact = ["redact", "--yes", "--text", &secret];
    let told = ann.invoke(redact).run().assert_ok();
    assert!(
        told.stderr
            .contains("the name of a file that was shared holds it"),
        "{}",
        told.shown()
    );
    for (path, bytes) in env.files_under(&ann.home) {
        assert!(!path.contains(&secret), "{}", path);
        let holds = bytes
            .windows(secret.len())
            .any(|one| one == secret.as_bytes());
        assert!(!holds, "{}", path);
    }
    assert!(!ann.team().join(&secret).exists());
    assert!(!ann.team().join(format!("{secret}-too")).exists());
    assert!(!ann.team().join("empty").join(&secret).exists());
}

#[test]
fn a_remote_that_rejects_rewrites_is_reported() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    for text in ["leaked\n", "clean\n"] {
        ann.write("x.md", text);
        ann.sync();
    }
    let hook = env.work().join("origin.git/hooks/update");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(
        &hook,
        "#!/bin/sh\nexec git merge-base --is-ancestor $2 $3\n",
    )
    .unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    let refused = ann.mem("team redact x.md --yes").assert_code(1);
    assert!(
        refused.stderr.contains("nothing was taken out"),
        "{}",
        refused.shown()
    );
    let synced = ann.mem("team sync --json").assert_ok().json();
    assert_eq!(synced["not_modified"], true);
    fs::remove_file(hook).unwrap();
    ann.mem("team redact x.md --yes").assert_ok();
}

#[test]
fn a_redaction_of_what_only_earlier_versions_hold_names_the_remote() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    for body in ["the leaked one", "a clean one"] {
        ann.save("Cache", body);
        ann.sync();
    }
    let redact = ["redact", "--text", "the leaked one", "--yes"];
    let told = ann.invoke(redact).run().assert_ok();
    assert!(told.stdout.starts_with("0 files"), "{}", told.shown());
    assert!(
        told.stderr.contains("the remote may have it still"),
        "{}",
        told.shown()
    );
}

#[test]
fn a_redaction_names_what_is_to_be_sent_first_and_the_index_with_the_description() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let save = |description: &str| {
        let save = [
            "save", "--type", "project", "--scope", "team", "--update", "--name",
        ];
        let rest = ["Cache", "--description", description, "--body", "b"];
        ann.invoke(save.into_iter().chain(rest)).run().assert_ok();
    };
    save("the leaked one");
    ann.sync();
    save("a clean one");
    let early = ann
        .mem("team redact project_cache.md --yes")
        .assert_code(1)
        .stderr;
    assert!(early.contains("run `mem team sync`, then"), "{early}");
    ann.sync();
    let told = ann
        .mem("team redact project_cache.md --yes")
        .assert_ok()
        .stderr;
    assert!(told.contains("`mem team redact MEMORY.md` takes"), "{told}");
    let all = || {
        ann.repo
            .git(["--git-dir", "../origin.git", "log", "-p", "--all"])
    };
    assert!(all().contains("the leaked one"));
    ann.mem("team redact MEMORY.md --yes").assert_ok();
    assert!(!all().contains("the leaked one"), "{}", all());
}
