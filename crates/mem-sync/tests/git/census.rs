//! How many entries a remote has, asked in passing.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use mem_sync::remote::git::{GitOptions, GitRemoteError, count_remote_entries};
use mem_sync::remote::{Remote as _, RemoteError, StateQuery};

use super::fixture::{Fixture, body};
use super::hostile::{entry, object, publish};

fn of(fixture: &Fixture) -> GitOptions {
    fixture.options("a", fixture.bare().to_str().unwrap())
}

#[test]
fn names_are_counted_and_nothing_stays() {
    let fixture = Fixture::new();
    let entries = [("a.md", "x"), ("b/c.md", "y"), ("MEMORY.md", "- [a](a.md)")];
    let mut ann = fixture.person("ann");
    ann.put_entries(&body(&entries), None).unwrap();
    ann.put_entries(&body(&[("a.md", "z")]), None).unwrap();
    // With a remote that sends folders without their texts, and with one that cannot.
    for can in ["true", "false"] {
        fixture.git(&fixture.bare(), &["config", "uploadpack.allowFilter", can]);
        let url = format!("file://{}", fixture.bare().display());
        assert_eq!(
            count_remote_entries(&fixture.options("a", &url)),
            Ok(2),
            "{can}"
        );
        assert_eq!(count_remote_entries(&of(&fixture)), Ok(2), "{can}");
        assert_eq!(
            count_remote_entries(&fixture.options("a", "../o.git")),
            Ok(2),
            "{can}"
        );
    }
    assert!(!of(&fixture).store.parent().unwrap().exists());
}

#[test]
fn names_that_no_memory_has_are_not_counted() {
    let fixture = Fixture::new();
    let good = object(&fixture, "blob", b"good");
    let folder = object(&fixture, "tree", &entry("100644", b"x.md", &good));
    let tree = [
        entry("40000", b"..", &folder),
        entry("100644", b"A.md", &good),
        entry("100644", b"a.md", &good),
        entry("100644", b"con.md", &good),
        entry("40000", b"folder", &folder),
        entry("120000", b"link", &good),
    ];
    publish(&fixture, &object(&fixture, "tree", &tree.concat()));
    assert_eq!(count_remote_entries(&of(&fixture)), Ok(2));
}

#[test]
fn where_there_is_no_ref_there_is_no_number() {
    let fixture = Fixture::new();
    assert!(matches!(
        count_remote_entries(&of(&fixture)),
        Err(GitRemoteError::Remote(_))
    ));
}

#[test]
fn a_few_folders_in_each_other_are_not_walked_for_ever() {
    let fixture = Fixture::new();
    let mut tree = object(&fixture, "tree", b"");
    for _ in 0..18 {
        let entries = ["0", "1", "2", "3", "4", "5", "6", "7"];
        let entries = entries.map(|name| entry("40000", name.as_bytes(), &tree));
        tree = object(&fixture, "tree", &entries.concat());
    }
    publish(&fixture, &tree);
    assert_eq!(
        count_remote_entries(&of(&fixture)),
        Err(GitRemoteError::TooMuch)
    );
    let mut person = fixture.person("a");
    let got = person.get_state(&StateQuery::default(), None);
    assert!(matches!(got, Err(RemoteError::AnswerTooLarge)), "{got:?}");
}

#[test]
fn one_that_does_not_answer_takes_no_longer_than_it_may() {
    let fixture = Fixture::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("git://{}/x", silent.local_addr().unwrap());
    let options = GitOptions {
        deadline: Duration::from_millis(500),
        ..fixture.options("a", &url)
    };
    let begin = Instant::now();
    assert!(matches!(
        count_remote_entries(&options),
        Err(GitRemoteError::TimedOut(_))
    ));
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn a_program_that_the_clone_names_is_not_run_and_one_of_the_person_is() {
    let fixture = Fixture::new();
    let mut ann = fixture.person("ann");
    ann.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    let url = format!("host.example:{}", fixture.bare().display());
    let mut options = fixture.options("a", &url);
    let ran = fixture.path().join("ran");
    let ssh = |marker: &str| {
        let marker = fixture.path().join(marker);
        let door = "for last; do :; done; exec sh -c \"$last\"";
        format!("sh -c 'touch {}; {door}' --", marker.display())
    };
    fixture.git(&options.work, &["config", "core.sshCommand", &ssh("ran")]);
    // No other ssh is found, so that this one does not go out into the world.
    let nowhere = ("GIT_SSH_COMMAND".into(), "false".into());
    options.environment.push(nowhere);
    assert!(count_remote_entries(&options).is_err() && !ran.exists());
    options.environment.pop();
    fixture.git(
        fixture.path(),
        &["config", "--global", "core.sshCommand", &ssh("of-person")],
    );
    assert_eq!(count_remote_entries(&options), Ok(1));
    assert!(!ran.exists() && fs::exists(fixture.path().join("of-person")).unwrap());
}
