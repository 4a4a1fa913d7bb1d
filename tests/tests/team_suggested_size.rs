//! `mem status` in a clone whose repository suggests a git remote: how many memories it shares is asked once a day,
//! in passing, and of whoever may be asked.

use std::fs;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use mem_tests::TestEnv;

use crate::team::{Person, without_remote};

const DAY: u64 = 86_400;

/// Somebody whose repository suggests this.
fn invited<'e>(env: &'e TestEnv, name: &str, remote: &str) -> Person<'e> {
    let person = Person::new(env, name);
    let text = format!("remote = \"{remote}\"\nrepo = \"acme/app\"\n");
    person.repo.write(".mem/team.toml", text);
    person
}

#[track_caller]
fn says(person: &Person<'_>, what: &str) {
    let status = person.mem("status").assert_ok().stdout;
    let line = format!("origin shares {what}: mem team join");
    assert!(status.contains(&line), "{status}");
}

#[test]
fn the_number_is_asked_for_once_a_day_and_nothing_else_comes() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    ann.save("Freeze", "Nothing lands on Fridays.");
    ann.write("second.md", "of ann\n");
    ann.sync();
    let ben = invited(&env, "ben", "git:origin");
    says(&ben, "2 memories");
    let json = ben.mem("status --json").assert_ok().json();
    assert_eq!(json["team"]["suggested_memories"], 2, "{json}");
    for (name, bytes) in env.files_under(&ben.home) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Fridays"), "{name}");
        assert!(!name.contains(".git/"), "{name}");
    }
    assert!(ben.read("second.md").is_none());
    assert_eq!(ben.repo.git(["for-each-ref", "refs/mem"]), "");
    let left = fs::read_dir(env.root().join("tmp")).unwrap();
    assert_eq!(left.count(), 0);
    ann.write("third.md", "of ann\n");
    ann.sync();
    env.advance(DAY - 60);
    says(&ben, "2 memories");
    env.advance(60);
    says(&ben, "3 memories");
    // Another address under the same name is another question.
    let other = env.work().join("other.git");
    ben.repo
        .git(["init", "--quiet", "--bare", &other.to_string_lossy()]);
    ben.repo
        .git(["remote", "set-url", "origin", &other.to_string_lossy()]);
    says(&ben, "team memory");
}

#[test]
fn that_nothing_was_to_be_learnt_holds_for_a_day_too() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    let ben = invited(&env, "ben", "git:origin");
    without_remote(&env, || says(&ben, "team memory"));
    says(&ben, "team memory");
    env.advance(DAY);
    says(&ben, "1 memory");
}

#[test]
fn neither_an_agent_nor_the_setting_switched_off_asks() {
    let env = TestEnv::new();
    let ann = Person::new(&env, "ann").set_up();
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    let ben = invited(&env, "ben", "git:origin");
    let status = ben.invoke(["status"]).env("MEM_ACTOR", "agent").run();
    assert!(status.assert_ok().stdout.contains("shares team memory"));
    ben.mem("config set team.glance false").assert_ok();
    says(&ben, "team memory");
    ben.mem("config unset team.glance").assert_ok();
    says(&ben, "1 memory");
}

/// Somebody who takes every call and says nothing, and how often that was.
pub(crate) fn silent() -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let calls = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&calls);
    thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            count.fetch_add(1, Ordering::SeqCst);
            held.push(stream);
        }
    });
    (address, calls)
}

#[test]
fn a_remote_that_hangs_is_waited_for_once_and_not_for_long() {
    let env = TestEnv::new();
    let (address, calls) = silent();
    let ben = invited(&env, "ben", "git:origin");
    let url = format!("git://{address}/acme/app");
    ben.repo.git(["remote", "set-url", "origin", &url]);
    says(&ben, "team memory");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    says(&ben, "team memory");
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_server_and_an_address_of_the_suggestions_own_hear_nothing() {
    let env = TestEnv::new();
    let (address, calls) = silent();
    for (name, remote) in [
        ("ann", format!("http://{address}")),
        ("ben", format!("git:http://{address}/acme/app")),
        ("cyd", format!("git:git://{address}/acme/app")),
        ("dan", "git:../../elsewhere".to_owned()),
    ] {
        let person = invited(&env, name, &remote);
        let status = person.mem("status").assert_ok().stdout;
        let line = "shares team memory: mem team join";
        assert!(status.contains(line), "{remote}: {status}");
    }
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}
