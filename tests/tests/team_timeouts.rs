//! A git that hangs: it is told who is waited for, it ends with `mem` and with the daemon, and one that was
//! left behind by a kill stops nobody.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use mem_tests::{Repo, TestEnv};

use crate::daemon::{LONG, QUICK, processes, wait};
use crate::team::{Person, two};

/// Reads a program's terminal until it says what is waited for, then ends it.
const TERMINAL: &str = r"
import os, pty, signal, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
out = b''
while b' s so far' not in out:
    data = os.read(fd, 4096)
    if not data:
        break
    out += data
os.kill(pid, signal.SIGTERM)
sys.stdout.buffer.write(out)
";

fn script(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Both ends of what a hanging program holds open.
struct Line {
    path: PathBuf,
    said: Receiver<&'static str>,
}

impl Line {
    fn new(env: &TestEnv) -> Self {
        let path = env.root().join("line");
        let made = env.command("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (sender, said) = mpsc::channel();
        let end = path.clone();
        thread::spawn(move || {
            let mut line = BufReader::new(fs::File::open(end).unwrap());
            line.read_line(&mut String::new()).unwrap();
            sender.send("hangs").unwrap();
            // Comes to an end when the last process that has it does.
            line.read_to_string(&mut String::new()).unwrap();
            sender.send("is gone").unwrap();
        });
        Self { path, said }
    }

    /// What a script does to hang.
    fn hang(&self) -> String {
        let path = self.path.display();
        format!("exec 3>'{path}'\necho hangs >&3\nsleep 600 &\nwait\n")
    }

    #[track_caller]
    fn wait(&self, what: &str) {
        assert_eq!(self.said.recv_timeout(LONG), Ok(what));
    }
}

/// A `git` that hangs at a subcommand, with what a killed one leaves in the copy.
fn hanging_git(env: &TestEnv, line: &Line) -> String {
    let mut which = env.command("sh");
    which.args(["-c", "command -v git"]);
    let real = String::from_utf8(which.output().unwrap().stdout).unwrap();
    let text = format!(
        "#!/bin/sh\nfor word in \"$@\"; do\n[ \"$word\" = \"$HANGS_AT\" ] || continue\n\
         mkdir -p \"$GIT_DIR/refs/mem\" \"$GIT_DIR/objects/pack\"\n\
         : >\"$GIT_DIR/refs/mem/team.lock\"\n: >\"$GIT_DIR/objects/pack/tmp_pack_x\"\n\
         {}done\nexec {} \"$@\"\n",
        line.hang(),
        real.trim()
    );
    let folder = env.root().join("bin");
    script(&folder.join("git"), &text);
    let mut shell = env.command("sh");
    shell.args(["-c", "printf %s \"$PATH\""]);
    let path = String::from_utf8(shell.output().unwrap().stdout).unwrap();
    format!("{}:{path}", folder.display())
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status();
    assert!(sent.unwrap().success());
}

fn killed_at(word: &str) {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("x.md", "of ann\n");
    ann.sync();
    ben.write("y.md", "of ben\n");
    let line = Line::new(&env);
    let path = hanging_git(&env, &line);
    let sync = ben.invoke(["team", "sync"]).env("PATH", path);
    let mut child = sync.env("HANGS_AT", word).spawn();
    line.wait("hangs");
    child.kill().unwrap();
    child.wait().unwrap();
    // It ends with its process, not with the next run.
    line.wait("is gone");
    ben.sync();
    assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
    ann.sync();
    assert_eq!(ann.read("y.md").unwrap(), "of ben\n");
    assert!(!ben.mem("team status").stdout.contains("waits"));
}

#[test]
fn a_sync_that_is_killed_in_a_fetch_stops_nobody() {
    killed_at("fetch");
}

#[test]
fn a_sync_that_is_killed_in_a_push_stops_nobody() {
    killed_at("push");
}

#[test]
fn a_sync_that_is_killed_leaves_no_lock_in_a_remote_at_a_path() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.write("y.md", "of ben\n");
    let line = Line::new(&env);
    // Git holds the lock of the remote's ref when it runs this.
    let hook = env.work().join("origin.git/hooks/reference-transaction");
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = prepared ] || exit 0\n{}",
        line.hang()
    );
    script(&hook, &text);
    let mut child = ben.invoke(["team", "sync"]).spawn();
    line.wait("hangs");
    let lock = env.work().join("origin.git/refs/mem/team.lock");
    assert!(lock.exists());
    child.kill().unwrap();
    child.wait().unwrap();
    line.wait("is gone");
    fs::remove_file(&hook).unwrap();
    wait("the lock is gone", || !lock.exists());
    ben.sync();
    ann.sync();
    assert_eq!(ann.read("y.md").unwrap(), "of ben\n");
}

#[test]
fn a_lock_that_stays_in_the_remote_is_named() {
    let env = TestEnv::new();
    let (ann, _) = two(&env);
    let lock = env.work().join("origin.git/refs/mem/team.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    ann.write("x.md", "of ann\n");
    let told = ann.mem("team sync").assert_code(4);
    assert!(
        told.stderr
            .contains("the git remote's ref `refs/mem/team` is locked"),
        "{}",
        told.shown()
    );
    assert!(
        told.stderr.contains("refs/mem/team.lock"),
        "{}",
        told.shown()
    );
    fs::remove_file(&lock).unwrap();
    ann.sync();
}

/// The contents that the copy of the remote holds, whether its ref reaches them or not.
fn contents_of_copy(env: &TestEnv, person: &Person<'_>) -> String {
    let copy = person.state("mem-copy");
    let copy = Repo::at(env, copy.parent().unwrap());
    let objects = ["cat-file", "--batch-all-objects"];
    let listed = copy.git(objects.into_iter().chain(["--batch-check"]));
    let blobs = listed.lines().filter_map(|line| line.split_once(" blob "));
    let texts = blobs.map(|(id, _)| copy.git(["cat-file", "blob", id]));
    texts.collect::<Vec<String>>().join("\n")
}

/// Somebody is ended while the copy still holds what was taken out of the remote.
fn ended_before_it_is_gone(env: &TestEnv, person: &Person<'_>, command: &str) {
    let line = Line::new(env);
    let path = hanging_git(env, &line);
    let run = person.invoke(command.split(' ')).env("PATH", path);
    let mut child = run.env("HANGS_AT", "gc").spawn();
    line.wait("hangs");
    child.kill().unwrap();
    child.wait().unwrap();
    line.wait("is gone");
    fs::remove_file(&line.path).unwrap();
    assert!(contents_of_copy(env, person).contains("leaked"));
    let status = person.mem("team status").assert_ok().stdout;
    assert!(status.contains("unfinished: a run was ended"), "{status}");
    let json = person.mem("team status --json").assert_ok().json();
    assert_eq!(json["unfinished"], true);
    person.sync();
    assert!(!contents_of_copy(env, person).contains("leaked"));
    let json = person.mem("team status --json").assert_ok().json();
    assert_eq!(json["unfinished"], false);
}

#[test]
fn what_was_redacted_is_gone_from_the_copies_whoever_was_killed() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    for text in ["leaked\n", "clean\n"] {
        ann.write("x.md", text);
        ann.sync();
    }
    ben.sync();
    ended_before_it_is_gone(&env, &ann, "team redact x.md --yes");
    ended_before_it_is_gone(&env, &ben, "team sync");
    let log = ann.mem("team redact x.md --dry-run").assert_ok().stdout;
    assert!(log.contains("would take 0 versions"), "{log}");
    assert_eq!(ben.read("x.md").unwrap(), "clean\n");
}

/// Ends a daemon whose synchronisation hangs in git at a word.
fn daemon_ended_at(word: &str, by: &str) {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ben.write("y.md", "of ben\n");
    ben.sync();
    ann.write("x.md", "of ann\n");
    let line = Line::new(&env);
    let path = hanging_git(&env, &line);
    let start = ann.invoke(["daemon", "start"]).env("PATH", path);
    let start = start.env("MEM_DAEMON_PACE", format!("{QUICK},drain=300"));
    start.env("HANGS_AT", word).run().assert_ok();
    line.wait("hangs");
    let pid = ann.mem("daemon status --json").assert_ok().json()["pid"].to_string();
    let sent = Command::new("kill").args([by, &pid]).status();
    assert!(sent.unwrap().success());
    line.wait("is gone");
    wait("no process is left", || processes(&env).is_empty());
    // What it could not send is sent by whoever comes next.
    ann.sync();
    ben.sync();
    assert_eq!(ben.read("x.md").unwrap(), "of ann\n");
}

#[test]
fn a_daemon_that_is_ended_in_a_fetch_leaves_nothing_behind() {
    daemon_ended_at("fetch", "-TERM");
}

#[test]
fn a_daemon_that_is_ended_in_a_push_leaves_nothing_behind() {
    daemon_ended_at("push", "-TERM");
}

#[test]
fn a_daemon_that_is_killed_in_a_push_leaves_nothing_behind() {
    daemon_ended_at("push", "-KILL");
}

/// Runs a program at a terminal to its end, and prints what that showed.
const AT_A_TERMINAL: &str = r"
import os, pty, sys
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))
";

#[test]
fn an_ssh_that_would_ask_at_the_terminal_is_refused_at_once() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann");
    let key = env.root().join("key");
    let mut make = env.command("ssh-keygen");
    make.args(["-q", "-t", "ed25519", "-N", "a phrase", "-f"]);
    assert!(make.arg(&key).status().unwrap().success());
    // What OpenSSH does with a locked key, and what it says in the end.
    let (ssh, key) = (env.root().join("ssh"), key.display());
    let text = format!(
        "#!/bin/sh\nssh-keygen -y -f '{key}' >&2\necho 'git@h: Permission denied (publickey).' >&2\nexit 255\n"
    );
    script(&ssh, &text);
    let url = "git@git.example.org:acme/app.git";
    ann.repo.git(["remote", "set-url", "origin", url]);
    ann.repo
        .git(["config", "core.sshCommand", &ssh.to_string_lossy()]);
    let mut python = env.command("python3");
    python.args(["-c", AT_A_TERMINAL]);
    python.arg(mem_tests::binary::path());
    python.args([
        "team",
        "setup",
        "--remote",
        "git:origin",
        "--push",
        "review",
    ]);
    python.env("HOME", &ann.home).current_dir(ann.repo.path());
    let run = python.output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(1), "{said}");
    assert!(!said.contains("passphrase"), "{said}");
    let why = "git cannot use the remote: git@h: Permission denied (publickey).";
    assert!(said.contains(why), "{said}");
}

/// Somebody whose `origin` is behind an ssh that hangs, by their own setting of git.
fn behind_ssh<'e>(env: &'e TestEnv, line: &Line) -> Person<'e> {
    let ann = Person::new(env, "ann");
    let ssh = env.root().join("hanging-ssh");
    script(&ssh, &format!("#!/bin/sh\n{}", line.hang()));
    let url = "git@git.example.org:acme/app.git";
    ann.repo.git(["remote", "set-url", "origin", url]);
    ann.repo
        .git(["config", "core.sshCommand", &ssh.to_string_lossy()]);
    ann
}

#[test]
fn whoever_ends_mem_ends_the_ssh_that_hangs() {
    let env = TestEnv::new();
    for name in ["-TERM", "-INT"] {
        let line = Line::new(&env);
        let ann = behind_ssh(&env, &line);
        let mut child = ann
            .invoke(["team", "setup", "--remote", "git:origin"])
            .spawn();
        line.wait("hangs");
        signal(&child, name);
        assert!(!child.wait().unwrap().success());
        line.wait("is gone");
        fs::remove_file(&line.path).unwrap();
        fs::remove_dir_all(ann.repo.path()).unwrap();
        fs::remove_dir_all(env.work().join("origin.git")).unwrap();
    }
}

#[test]
fn a_daemon_that_is_ended_ends_the_ssh_that_hangs() {
    let env = TestEnv::new();
    let line = Line::new(&env);
    let ann = Person::new(&env, "ann");
    // One that does here what it is asked to do there, until it is told to hang.
    let (ssh, hangs) = (env.root().join("ssh"), env.root().join("hangs"));
    let text = format!(
        "#!/bin/sh\n[ \"$1\" = -G ] && exit 1\nif [ -e '{}' ]; then\n{}fi\n\
         for last; do :; done\nexec sh -c \"$last\"\n",
        hangs.display(),
        line.hang()
    );
    script(&ssh, &text);
    let origin = env.work().join("origin.git");
    let url = format!("ssh://git.example.org{}", origin.display());
    ann.repo.git(["remote", "set-url", "origin", &url]);
    ann.repo
        .git(["config", "core.sshCommand", &ssh.to_string_lossy()]);
    let ann = ann.set_up();
    fs::write(&hangs, "").unwrap();
    let start = ann.invoke(["daemon", "start"]);
    let pace = format!("{QUICK},drain=300");
    start.env("MEM_DAEMON_PACE", pace).run().assert_ok();
    line.wait("hangs");
    let pid = ann.mem("daemon status --json").assert_ok().json()["pid"].to_string();
    let sent = Command::new("kill").args(["-TERM", &pid]).status();
    assert!(sent.unwrap().success());
    line.wait("is gone");
    wait("no process is left", || processes(&env).is_empty());
}

#[test]
fn a_terminal_says_who_is_waited_for() {
    let env = TestEnv::new();
    let line = Line::new(&env);
    let ann = behind_ssh(&env, &line);
    let mut python = env.command("python3");
    python.args(["-c", TERMINAL]).arg(mem_tests::binary::path());
    python.args([
        "team",
        "setup",
        "--remote",
        "git:origin",
        "--push",
        "review",
    ]);
    python.env("HOME", &ann.home).current_dir(ann.repo.path());
    let said = python.output().unwrap().stdout;
    let said = String::from_utf8_lossy(&said);
    assert!(
        said.contains("looking at the remote: git:origin, 3 s so far"),
        "{said}"
    );
    line.wait("hangs");
    line.wait("is gone");
}
