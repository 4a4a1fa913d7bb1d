//! Pipes, devices and links in the places of files that git, hosts and `mem` read: no command waits for one, reads it
//! without end, or shows what stands at the other end of a link.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use mem_tests::{Repo, TestEnv};

/// What stands in the file outside that links lead to.
const CANARY: &str = "CANARY-7781";
/// A run that takes longer hangs.
const RUN_MAX: Duration = Duration::from_secs(60);

/// What is put in the place of a file.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Pipe,
    Device,
    Outside,
}

/// In the checkout: those that are tried together, since an error about one keeps a command from another.
const PLACES: &[&[&str]] = &[
    &[
        ".gitignore",
        "sub/.gitignore",
        ".ignore",
        ".gitattributes",
        "sub/.gitattributes",
        ".gitmodules",
        ".mailmap",
        "cited.rs",
    ],
    &[".betterleaks.toml"],
    &[".gitleaks.toml"],
    &["gitleaks.toml", ".gitleaksignore", ".mem/team.toml"],
    &[".mem/secrets.toml"],
    &[".mem/secrets.key"],
    &[".claude/settings.json", ".claude/settings.local.json"],
    &[
        ".claude/CLAUDE.md",
        "CLAUDE.md",
        "CLAUDE.local.md",
        "AGENTS.md",
        ".mcp.json",
        ".cursor/mcp.json",
    ],
];

/// Every command, with what it needs to come as far as reading; those that end the memory stand last.
const COMMANDS: &[&[&str]] = &[
    &["list"],
    &["browse", "--plain"],
    &["check"],
    &["check", "--fix"],
    &["verify"],
    &["audit"],
    &["status"],
    &["scan"],
    &["scan", "--staged"],
    &["scan", "--history"],
    &["recall", "how is it kept"],
    &["preview", "how is it kept"],
    &["search", "kept"],
    &["similar", "keep"],
    &["show", "keep"],
    &["path"],
    &["manifest"],
    &["completions", "fish", "--", "mem", "show", "k"],
    &["prompt"],
    &["console", "--no-open", "--idle", "1"],
    &["cost"],
    &["types"],
    &["doctor"],
    &["model"],
    &["model", "status"],
    &["model", "install", "CLAUDE.md"],
    &["model", "remove"],
    &["warm"],
    &["gc"],
    &["history"],
    &["diff"],
    &["log-audit"],
    &["init"],
    &["edit", "keep"],
    &["rename", "keep", "kept"],
    &["rename", "kept", "keep"],
    &["undo"],
    &["restore"],
    &["prune", "--dry-run"],
    &["extract"],
    &["trust"],
    &["mcp"],
    &["tool"],
    &["adopt", "--dry-run"],
    &["export", "--json"],
    &["import", "CLAUDE.md"],
    &["log", "one line"],
    &[
        "save",
        "--type",
        "project",
        "--name",
        "More",
        "--description",
        "d",
        "--body",
        "b",
    ],
    &["dream", "--dry-run"],
    &["index", "show"],
    &["index", "check"],
    &["index", "fit"],
    &["index", "repair"],
    &["secrets", "list"],
    &["secrets", "explain", "github-pat"],
    &["secrets", "allow", "cited.rs", "--reason", "r"],
    &["session", "list"],
    &["session", "due"],
    &["session", "init"],
    &["session", "path"],
    &["session", "prompt"],
    &["session", "prompts"],
    &["session", "prune"],
    &["session", "show"],
    &["session", "update"],
    &["session", "compact"],
    &["session", "wrote-memory"],
    &["hook", "install"],
    &["hook", "status"],
    &["hook", "pre-commit"],
    &["hook", "pre-push", "origin", "nowhere"],
    &["hook", "claude", "session-start"],
    &["hook", "claude"],
    &["hook", "codex", "session-start"],
    &["hook", "copilot", "session-start"],
    &["hook", "cursor", "session-start"],
    &["hook", "gemini", "session-start"],
    &["hook", "opencode", "session-start"],
    &["hook", "qwen", "session-start"],
    &["hook", "uninstall"],
    &["config", "list"],
    &["config", "get", "editor"],
    &["config", "set", "editor", "true"],
    &["config", "unset", "editor"],
    &["config", "edit"],
    &["inbox", "list"],
    &["inbox", "show", "1"],
    &["inbox", "accept", "1"],
    &["inbox", "edit", "1"],
    &["inbox", "reject", "1"],
    &["record", "list"],
    &["record", "store", "one fact"],
    &["record", "retrieve", "fact"],
    &["record", "delete", "1"],
    &["client", "list"],
    &["attachments"],
    &["attach", "folder"],
    &["detach", "folder"],
    &["encrypt", "status"],
    &["encrypt", "on", "--local"],
    &["encrypt", "rotate", "--local"],
    &["encrypt", "off", "--local"],
    &["encrypt", "drop"],
    &["team", "status"],
    &[
        "team",
        "setup",
        "--remote",
        "git:origin",
        "--repo",
        "acme/app",
    ],
    &["team", "join"],
    &["team", "share", "keep"],
    &["team", "review"],
    &["team", "log"],
    &["team", "diff"],
    &["team", "sync"],
    &["team", "push"],
    &["team", "pull"],
    &["team", "resolve", "keep"],
    &["team", "delete", "keep"],
    &["team", "redact", "keep"],
    &["team", "login"],
    &["team", "logout"],
    &["login", "--status"],
    &["logout"],
    &["team", "leave"],
    &["sync"],
    &["sync", "status"],
    &["sync", "setup", "--remote", "git:origin"],
    &["sync", "diff"],
    &["sync", "resolve", "keep"],
    &["sync", "delete", "keep"],
    &["sync", "redact", "keep"],
    &["sync", "leave"],
    &["store", "list"],
    &["store", "show", "s"],
    &["store", "create", "s"],
    &["store", "update", "s"],
    &["store", "archive", "s"],
    &["store", "delete", "s"],
    &["store", "memories", "s"],
    &["store", "cat", "s", "/a"],
    &["store", "put", "s", "/a"],
    &["store", "mv", "s", "/a", "/b"],
    &["store", "rm", "s", "/a"],
    &["store", "diff", "s"],
    &["store", "versions", "s"],
    &["store", "redact", "s"],
    &["store", "rollback", "s"],
    &["store", "export", "s", "there"],
    &["store", "import", "s", "there"],
    &["server", "backup", "there"],
    &["server", "restore", "there"],
    &["server", "prune"],
    &["server", "token", "list"],
    &["server", "token", "create", "--name", "x"],
    &["server", "token", "grant", "x"],
    &["server", "token", "revoke", "x"],
    &["server", "webhook", "list"],
    &["server", "webhook", "create", "https://hooks.example/"],
    &["server", "webhook", "test", "webhook_1"],
    &["server", "webhook", "rotate", "webhook_1"],
    &["server", "webhook", "dead", "webhook_1"],
    &["server", "webhook", "retry", "webhook_1"],
    &["server", "webhook", "delete", "webhook_1"],
    &["server", "token", "rotate", "x"],
    &["server", "workspace", "list"],
    &["server", "workspace", "create", "x"],
    &["daemon", "status"],
    &["daemon", "start"],
    &["daemon", "restart"],
    &["daemon", "logs"],
    &["daemon", "stop"],
    &["install", "claude-code"],
    &["install", "codex"],
    &["install", "copilot"],
    &["install", "cursor"],
    &["install", "gemini"],
    &["install", "opencode"],
    &["install", "qwen"],
    &["install", "vscode"],
    &["install", "mcp"],
    &["uninstall", "claude-code"],
    &["uninstall", "codex"],
    &["uninstall", "copilot"],
    &["uninstall", "cursor"],
    &["uninstall", "gemini"],
    &["uninstall", "opencode"],
    &["uninstall", "qwen"],
    &["uninstall", "vscode"],
    &["uninstall", "mcp"],
    &["redact", "--text", "some words", "--yes"],
    &["remove", "keep"],
    &["erase", "--user", "u1", "--yes"],
    &["uninstall"],
    &["purge", "--yes"],
];

/// Those that are not run here, with the reason.
const NOT_RUN: &[(&str, &str)] = &[
    ("man", "reads nothing"),
    ("help", "reads nothing"),
    ("tour", "makes a repository of its own"),
    ("serve", "does with each request what a command here does"),
    (
        "daemon run",
        "goes on until it is stopped; `daemon start` runs it",
    ),
    ("daemon install", "starts a service of the system"),
    ("daemon uninstall", "stops a service of the system"),
];

/// The commands that read most, for what is tried file by file.
const READERS: &[&[&str]] = &[
    &["list"],
    &["check"],
    &["verify"],
    &["status"],
    &["recall", "how is it kept"],
    &["scan", "--history"],
    &["log", "one more line"],
    &["hook", "claude", "session-start"],
    &["team", "status"],
    &["doctor"],
    &["audit"],
    &["scan"],
    &["secrets", "list"],
    &["hook", "pre-commit"],
    &["import", "CLAUDE.md"],
];

fn put(path: &Path, kind: Kind, outside: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let _ = fs::remove_file(path);
    match kind {
        Kind::Pipe => assert!(Command::new("mkfifo").arg(path).status().unwrap().success()),
        Kind::Device => symlink("/dev/zero", path).unwrap(),
        Kind::Outside => symlink(outside, path).unwrap(),
    }
}

/// Runs a command to its end, with 8 GB of address space, and says what it printed. Fails where it does not end.
fn run(repo: &Repo<'_>, args: &[&str], what: &str) -> String {
    let event = format!(
        r#"{{"session_id":"s1","cwd":"{}","hook_event_name":"SessionStart","source":"startup","transcript_path":"/nowhere"}}"#,
        repo.path().display()
    );
    let input = repo.path().with_extension("in");
    fs::write(&input, event).unwrap();
    let script = format!(
        "ulimit -v 8000000 2>/dev/null; exec \"$0\" \"$@\" <'{}' 2>&1",
        input.display()
    );
    let command = repo.invoke(args).env("EDITOR", "true");
    let mut child = command.through_shell(&script).spawn();
    let mut stdout = child.stdout.take().unwrap();
    let (sender, printed) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.read_to_end(&mut bytes);
        // The test may have given up.
        let _ = sender.send(read.map(|_| bytes));
    });
    // Ends when the command and all that it started do.
    let Ok(printed) = printed.recv_timeout(RUN_MAX) else {
        child.kill().unwrap();
        panic!("{args:?} hangs on {what}");
    };
    reader.join().unwrap();
    let printed = String::from_utf8_lossy(&printed.unwrap()).into_owned();
    let status = child.wait().unwrap();
    assert!(
        status.signal().is_none() && status.code() != Some(101),
        "{args:?} on {what}: {status}\n{printed}"
    );
    printed
}

/// A repository with a memory that cites its files.
fn repo(env: &TestEnv) -> (Repo<'_>, PathBuf) {
    let repo = env.repo("app");
    repo.commit("cited.rs", "fn kept() {}\n", "first");
    repo.commit("sub/b.rs", "fn b() {}\n", "second");
    repo.write("new.rs", "fn new() {}\n");
    repo.mem([
        "save",
        "--type",
        "project",
        "--name",
        "Keep",
        "--description",
        "how it is kept",
    ])
    .assert_ok();
    repo.mem(["log", "kept in `cited.rs`, `sub/b.rs` and `new.rs`"])
        .assert_ok();
    let outside = env.root().join("outside");
    fs::write(&outside, format!("{CANARY} = [\n{CANARY}\n")).unwrap();
    (repo, outside)
}

fn try_all(kind: Kind) {
    for places in PLACES {
        let env = TestEnv::new();
        let (repo, outside) = repo(&env);
        for place in *places {
            put(&repo.path().join(place), kind, &outside);
        }
        for args in READERS {
            let printed = run(&repo, args, &format!("{kind:?} at {places:?}"));
            assert!(
                !printed.contains(CANARY),
                "{args:?}, {places:?}:\n{printed}"
            );
        }
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_of_the_checkout_stops_no_command() {
    try_all(Kind::Pipe);
}

#[test]
fn a_link_to_a_device_in_the_place_of_a_file_of_the_checkout_stops_no_command() {
    try_all(Kind::Device);
}

#[test]
fn a_link_out_of_the_checkout_shows_nothing_of_where_it_leads() {
    try_all(Kind::Outside);
}

#[test]
fn every_command_is_tried_or_has_a_reason_why_not() {
    let env = TestEnv::new();
    let pages = env.root().join("pages");
    env.mem([OsStr::new("man"), pages.as_os_str()]).assert_ok();
    let names = fs::read_dir(&pages).unwrap().map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.trim_end_matches(".1").trim_start_matches("mem");
        name.trim_start_matches('-').to_owned()
    });
    let names: BTreeSet<String> = names.collect();
    let is_tried = |name: &str| {
        let mut tried = COMMANDS.iter();
        tried.any(|args| (1..=args.len()).any(|count| args[..count].join("-") == name))
    };
    let is_left_out = |name: &str| {
        let mut left_out = NOT_RUN.iter();
        left_out.any(|(command, _)| command.replace(' ', "-") == name || name.starts_with("help-"))
    };
    let missing: Vec<_> = names
        .iter()
        .filter(|name| !name.is_empty() && !is_tried(name) && !is_left_out(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn every_command_ends_on_pipes_in_the_checkout() {
    let env = TestEnv::new();
    let (repo, outside) = repo(&env);
    for place in PLACES.iter().copied().flatten() {
        put(&repo.path().join(place), Kind::Pipe, &outside);
    }
    for args in COMMANDS {
        run(&repo, args, "pipes in the checkout");
    }
}

#[test]
fn every_command_ends_on_links_out_of_the_memory_directory() {
    let env = TestEnv::new();
    let (repo, outside) = repo(&env);
    let memory = repo.memory();
    let places = ["linked.md", "sub/linked.md", "team/MEMORY.md", "team/x.md"];
    for place in places.iter().chain(&[".gitignore", "MEMORY-archive.md"]) {
        put(&memory.join(place), Kind::Outside, &outside);
    }
    put(&memory.join("pipe.md"), Kind::Pipe, &outside);
    put(&memory.join("team/pipe.md"), Kind::Pipe, &outside);
    put(&memory.join("device.md"), Kind::Device, &outside);
    for args in COMMANDS {
        let printed = run(&repo, args, "links out of the memory directory");
        assert!(!printed.contains(CANARY), "{args:?}:\n{printed}");
    }
}

#[test]
fn a_pipe_in_the_place_of_any_file_of_git_stops_no_command() {
    let env = TestEnv::new();
    let (repo, outside) = repo(&env);
    repo.git(["gc", "--quiet"]);
    repo.git(["multi-pack-index", "write"]);
    repo.git(["commit-graph", "write", "--reachable"]);
    repo.commit("loose.rs", "fn loose() {}\n", "third");
    repo.git(["tag", "-a", "-m", "one", "v1"]);
    let git = repo.path().join(".git");
    each_in_turn(&repo, &files_of(&git), &outside);
    // What a configuration includes is opened with it.
    put(&git.join("more"), Kind::Pipe, &outside);
    repo.write(".git/config.old", fs::read(git.join("config")).unwrap());
    let config = fs::read_to_string(git.join("config")).unwrap();
    fs::write(
        git.join("config"),
        format!("{config}[include]\n\tpath = more\n"),
    )
    .unwrap();
    for args in READERS {
        run(&repo, args, "an included pipe");
    }
}

#[test]
fn a_pipe_in_the_place_of_any_file_of_ours_stops_no_command() {
    let env = TestEnv::new();
    let (repo, outside) = repo(&env);
    for args in COMMANDS
        .iter()
        .filter(|args| !matches!(args[0], "encrypt" | "daemon"))
    {
        if args[0] == "redact" {
            break;
        }
        run(&repo, args, "nothing");
    }
    repo.mem(["log", "again, in `cited.rs`"]).assert_ok();
    // What libgit2 reads of a history of ours is nobody else's to write.
    let mut files = files_of(&env.home());
    files.retain(|file| !file.to_string_lossy().contains(".git/"));
    assert!(files.len() > 20, "{files:?}");
    each_in_turn(&repo, &files, &outside);
}

/// All files below a folder.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap() {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_file() => files.push(entry.path()),
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// Puts a pipe in the place of each file, runs what reads, and puts the file back.
fn each_in_turn(repo: &Repo<'_>, files: &[PathBuf], outside: &Path) {
    for file in files {
        // A run may have taken it away.
        let Ok(bytes) = fs::read(file) else { continue };
        put(file, Kind::Pipe, outside);
        for args in READERS {
            run(repo, args, &format!("a pipe at {}", file.display()));
        }
        let _ = fs::remove_file(file);
        fs::write(file, bytes).unwrap();
    }
}
