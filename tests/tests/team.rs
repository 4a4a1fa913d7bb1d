//! `mem team` over a git remote: two people, two clones, two homes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mem_tests::{Invocation, Output, Repo, TestEnv, github_token};

/// Somebody with a clone and a home of their own.
pub(crate) struct Person<'e> {
    pub(crate) repo: Repo<'e>,
    pub(crate) home: PathBuf,
    team: OnceLock<PathBuf>,
}

impl<'e> Person<'e> {
    pub(crate) fn new(env: &'e TestEnv, name: &str) -> Self {
        let origin = env.work().join("origin.git");
        let repo = Repo::at(env, env.work().join(name));
        if origin.exists() {
            Repo::at(env, env.work()).git(["clone", "--quiet", "origin.git", name]);
        } else {
            let first = env.repo(name);
            Repo::at(env, env.work()).git(["init", "--quiet", "--bare", "origin.git"]);
            first.git(["remote", "add", "origin", &origin.to_string_lossy()]);
            first.git(["push", "--quiet", "origin", "main"]);
        }
        repo.git(["config", "user.name", name]);
        let home = env.root().join(format!("home-{name}"));
        fs::create_dir_all(&home).unwrap();
        let team = OnceLock::new();
        Self { repo, home, team }
    }

    pub(crate) fn invoke<'a>(&self, args: impl IntoIterator<Item = &'a str>) -> Invocation<'e> {
        self.repo.invoke(args).env("HOME", &self.home)
    }

    pub(crate) fn mem(&self, line: &str) -> Output {
        self.invoke(line.split(' ')).run()
    }

    /// Shares with the team, whoever writes what: most tests put files there by hand.
    pub(crate) fn set_up(self) -> Self {
        self.mem("config set team.push auto").assert_ok();
        self.set_up_by_default()
    }

    /// Shares with the team, as somebody does who sets nothing else.
    pub(crate) fn set_up_by_default(self) -> Self {
        self.mem("team setup --remote git:origin --repo acme/app")
            .assert_ok();
        self
    }

    pub(crate) fn save(&self, name: &str, body: &str) {
        let args = [
            "save", "--type", "project", "--scope", "team", "--update", "--name", name,
        ];
        let rest = ["--description", "about it", "--body", body];
        self.invoke(args.into_iter().chain(rest)).run().assert_ok();
    }

    #[track_caller]
    pub(crate) fn sync(&self) -> Output {
        self.mem("team sync").assert_ok()
    }

    pub(crate) fn team(&self) -> PathBuf {
        let ask = || PathBuf::from(self.mem("path --team").line());
        self.team.get_or_init(ask).clone()
    }

    pub(crate) fn read(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.team().join(file)).ok()
    }

    pub(crate) fn write(&self, file: &str, text: &str) {
        let path = self.team().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A file of the state of this repository's memory, by the end of its name.
    pub(crate) fn state(&self, end: &str) -> PathBuf {
        let mut found = Vec::new();
        collect(&self.home.join(".local/state/mem/stores"), end, &mut found);
        found.pop().unwrap()
    }
}

fn collect(folder: &Path, end: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push(path);
        }
    }
}

/// Two people who share.
pub(crate) fn two(env: &TestEnv) -> (Person<'_>, Person<'_>) {
    let ann = Person::new(env, "ann").set_up();
    let ben = Person::new(env, "ben").set_up();
    (ann, ben)
}

/// Two people who both have these files, of one line.
pub(crate) fn two_with<'e>(env: &'e TestEnv, files: &[&str]) -> (Person<'e>, Person<'e>) {
    let (ann, ben) = two(env);
    for file in files {
        ann.write(file, "one\n");
    }
    ann.sync();
    ben.sync();
    (ann, ben)
}

/// Does something while the git remote is not there.
pub(crate) fn without_remote<T>(env: &TestEnv, during: impl FnOnce() -> T) -> T {
    let (origin, away) = (env.work().join("origin.git"), env.work().join("away.git"));
    fs::rename(&origin, &away).unwrap();
    let done = during();
    fs::rename(&away, &origin).unwrap();
    done
}

/// Two people who both changed `x.md`; the first has shared it, so that the second's gives way.
pub(crate) fn both_changed<'e>(env: &'e TestEnv, of_second: &str) -> (Person<'e>, Person<'e>) {
    let (ann, ben) = two_with(env, &["x.md"]);
    ann.write("x.md", "of ann\n");
    ben.write("x.md", of_second);
    ann.sync();
    (ann, ben)
}

const NOTE: &str = "project_freeze.md";

#[test]
fn a_memory_travels_with_its_index_line_and_its_author() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ben.save("Deploys", "On Tuesdays.");
    let sent = ann.sync().stdout;
    assert!(
        sent.contains("sent  MEMORY.md\nsent  project_freeze.md"),
        "{sent}"
    );
    let merged = ben.sync().stdout;
    assert!(merged.contains("merged  MEMORY.md"), "{merged}");
    ann.sync();
    for person in [&ann, &ben] {
        let index = person.read("MEMORY.md").unwrap();
        assert!(index.contains("(project_freeze.md)") && index.contains("(project_deploys.md)"));
        assert_eq!(person.mem("check").code, 0);
    }
    let log = ben.mem("team log --json").assert_ok().json();
    let who = |key: &str| {
        let changes = log["changes"].as_array().unwrap().clone();
        let of_key = changes.into_iter().find(|one| one["key"] == key).unwrap();
        of_key["actor"].as_str().unwrap().to_owned()
    };
    assert!(who(NOTE).starts_with("ann <"), "{log}");
    assert!(who("project_deploys.md").starts_with("ben <"), "{log}");
    let history = ben.mem("history project_freeze --json").assert_ok().json();
    let version = &history["versions"][0];
    assert_eq!(version["change"]["actor"], "team", "{history}");
    assert!(
        version["by"].as_str().unwrap().starts_with("ann"),
        "{history}"
    );
    assert!(
        ann.repo
            .git(["ls-remote", "origin"])
            .contains("refs/mem/team")
    );
    let status = ben.mem("status").assert_ok().stdout;
    assert!(
        status.contains("team: 2 memories of acme/app at git:origin"),
        "{status}"
    );
}

#[test]
fn a_removed_file_comes_back_and_a_deleted_one_goes_everywhere() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.sync();
    fs::remove_file(ben.team().join(NOTE)).unwrap();
    let report = ben.mem("team sync --json").assert_ok().json();
    assert_eq!(
        (&report["not_modified"], &report["taken"][0]),
        (&true.into(), &NOTE.into())
    );
    ann.sync();
    assert!(ann.read(NOTE).is_some());
    let args = ["team", "delete", NOTE, "--reason", "the freeze is over"];
    let told = ann.invoke(args).run().assert_ok().stdout;
    assert!(told.contains("deleted  project_freeze.md"), "{told}");
    let copy = ben.read(NOTE).unwrap();
    assert!(ben.sync().stdout.contains("removed  project_freeze.md"));
    assert!(ben.read(NOTE).is_none() && !ben.read("MEMORY.md").unwrap().contains(NOTE));
    assert!(ann.mem("history").stdout.contains("(the freeze is over)"));
    // Somebody who still had it puts the very same text back.
    ben.write(NOTE, &copy);
    ben.sync();
    assert!(ben.read(NOTE).is_none(), "what was deleted came back");
    ann.mem("team delete nothing.md").assert_code(1);
}

#[test]
fn a_secret_stays_and_the_rest_goes() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    let token = github_token(1);
    ann.write("leak.md", &format!("# Keys\n\nuse {token}\n"));
    ann.write(&format!("{token}.md"), "nothing\n");
    ann.write("fine.md", "nothing secret\n");
    ann.write("latin.md", "x");
    fs::write(ann.team().join("latin.md"), [0xff, 0xfe]).unwrap();
    ann.write("large.md", &"x".repeat(102_401));
    let pushed = ann.mem("team push").assert_code(3);
    let all = pushed.shown();
    assert!(!all.contains(&token), "the secret was printed");
    assert!(
        all.contains("`leak.md` holds a secret: github-pat in line 3"),
        "{all}"
    );
    assert!(
        all.contains("`latin.md` is not UTF-8") && all.contains("more than 102400"),
        "{all}"
    );
    assert!(pushed.stdout.contains("sent  fine.md"), "{all}");
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(
        status.contains("github-pat in line 3") && !status.contains(&token),
        "{status}"
    );
    ben.sync();
    assert!(ben.read("leak.md").is_none() && ben.read("fine.md").is_some());
    let json = ann.mem("team sync --json").assert_code(3).json();
    let blocked = json["blocked"].as_array().unwrap();
    let leak = blocked.iter().find(|one| one["file"] == "leak.md").unwrap();
    assert_eq!(
        (&leak["rule"], &leak["line"]),
        (&"github-pat".into(), &3.into())
    );
}

#[test]
fn an_agent_neither_sets_up_nor_decides() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    let elsewhere = env.work().join("elsewhere.git");
    let as_agent = |line: &str| ann.invoke(line.split(' ')).env("MEM_ACTOR", "agent");
    for line in [
        "team setup --remote git:origin --repo acme/app",
        "team join --yes",
        "team leave",
        "team login --server https://mem.example.org",
        "team redact x.md --yes",
        "config set team.remote https://mem.example.org",
    ] {
        let refused = as_agent(line).run().assert_code(1);
        assert!(
            refused.stderr.contains("for a person to"),
            "{}",
            refused.shown()
        );
    }
    let remote = format!("git:{}", elsewhere.display());
    let moved = as_agent("team sync").env("MEM_TEAM_REMOTE", remote).run();
    assert!(moved.assert_code(1).stderr.contains("`MEM_TEAM_REMOTE`"));
    as_agent("team sync").run().assert_ok();
}

#[test]
fn a_git_remote_that_was_moved_is_asked_about_again() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    ann.save("Freeze", "Nothing lands.");
    Repo::at(&env, env.work()).git(["init", "--quiet", "--bare", "other.git"]);
    let other = env.work().join("other.git");
    ann.repo
        .git(["remote", "set-url", "origin", &other.to_string_lossy()]);
    let refused = ann.mem("team sync").assert_code(1);
    assert!(
        refused
            .stderr
            .contains("is not the one that team memory was set up with")
    );
    let again = "`mem team setup --remote git:origin --repo acme/app`";
    assert!(refused.stderr.contains(again), "{}", refused.stderr);
    assert!(
        ann.mem("status")
            .assert_ok()
            .stdout
            .contains("is not the one")
    );
    assert_eq!(ann.repo.git(["ls-remote", "origin"]), "");
    ann.mem("team setup --remote git:origin --repo acme/app")
        .assert_ok();
    ann.sync();
    assert!(
        ann.repo
            .git(["ls-remote", "origin"])
            .contains("refs/mem/team")
    );
}

#[test]
fn offline_is_told_and_nothing_is_lost() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.sync();
    without_remote(&env, || {
        ann.save("Freeze", "Nothing lands.");
        ann.mem("team sync").assert_code(5);
        ann.mem("team pull").assert_code(5);
    });
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(
        status.contains("waits to be sent  project_freeze.md"),
        "{status}"
    );
    ann.sync();
    ben.sync();
    assert!(ben.read(NOTE).is_some());
    assert!(!ann.mem("team status").stdout.contains("waits"));
}

#[test]
fn a_suggestion_is_shown_and_followed_only_after_a_yes() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    ann.repo.write(
        ".mem/team.toml",
        "remote = \"git:origin\"\nrepo = \"acme/app\"\n",
    );
    ann.save("Freeze", "Nothing lands.");
    let status = ann.mem("status").assert_ok().stdout;
    assert!(
        status.contains("origin shares team memory: mem team join"),
        "{status}"
    );
    // Before a person has joined, every command names the same way as `mem status`.
    let told = ann.mem("team sync").assert_code(1).stderr;
    assert!(told.contains("`mem team join`"), "{told}");
    assert!(!told.contains("mem team setup"), "{told}");
    ann.mem("team join").assert_code(2);
    assert_eq!(ann.repo.git(["for-each-ref", "refs/mem"]), "");
    ann.mem("team join --yes").assert_ok();
    ann.sync();
    let status = ann.mem("status").assert_ok().stdout;
    assert!(
        !status.contains("mem team join") && status.contains("acme/app"),
        "{status}"
    );
    // What the file says later changes nothing by itself.
    ann.repo
        .write(".mem/team.toml", "remote = \"https://mem.example.org\"\n");
    let json = ann.mem("status --json").assert_ok().json();
    assert_eq!(json["team"]["remote"], "git:origin", "{json}");
    assert_eq!(json["team"]["suggested"], "https://mem.example.org");
    ann.repo
        .write(".mem/team.toml", "remote = \"git:ext::sh -c date\"\n");
    ann.mem("team join --yes").assert_code(1);
    ann.mem("team leave").assert_ok();
    ann.mem("team sync").assert_code(1);
    assert!(ann.read(NOTE).is_some());
}

#[test]
fn a_dry_run_tells_and_touches_nothing() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    let told = ann.mem("team sync --dry-run").assert_ok().stdout;
    assert!(told.contains("would send  project_freeze.md"), "{told}");
    assert!(told.contains("nothing was changed"), "{told}");
    assert_eq!(ann.repo.git(["ls-remote", "origin", "refs/mem/team"]), "");
    ann.sync();
    let told = ben.mem("team pull --dry-run").assert_ok().stdout;
    assert!(told.contains("would take  project_freeze.md"), "{told}");
    assert!(ben.read(NOTE).is_none());
    ben.sync();
    assert!(ben.read(NOTE).is_some());
}

#[test]
fn without_a_daemon_hints_name_the_command_that_sends() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    let save = "save --type project --scope team --name Freeze --description d --body b";
    let saved = ann.mem(save).assert_ok().shown();
    let hint = "no daemon runs: `mem team sync` sends";
    assert!(saved.contains(&format!("{hint} it")), "{saved}");
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(status.contains(hint), "{status}");
    let status = ann.mem("status").assert_ok().stdout;
    assert!(status.contains(hint), "{status}");
    ann.sync();
    for line in ["team status", "status"] {
        let status = ann.mem(line).assert_ok().stdout;
        assert!(!status.contains(hint), "{status}");
    }
}

#[test]
fn an_edit_that_makes_a_team_memory_personal_names_a_command_for_it() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    ann.save("Freeze", "Nothing lands.");
    let refused = ann.mem("edit project_freeze.md --type user").shown();
    assert!(
        refused.contains("about a person") && refused.contains("`mem save --type user` keeps it"),
        "{refused}"
    );
}
