//! The suite that every remote has to pass, and what is true of this one alone.

use std::fs;
use std::path::Path;
use std::time::Duration;

use mem_sync::remote::git::{GitRemote, GitRemoteError};
use mem_sync::remote::{Fetched, LogQuery, Remote, RemoteError, StateQuery, conformance};
use mem_sync::wire::{ETag, RedactBody};

use super::fixture::{Fixture, all, body, key};

#[test]
fn it_conforms() {
    let fixture = Fixture::new();
    let (mut a, b) = (fixture.person("a"), fixture.person("b"));
    let mut b: Box<dyn Remote> = Box::new(b);
    conformance::check_remote(&mut a, &mut b).unwrap();
    let refs = fixture.git(&fixture.bare(), &["for-each-ref", "--format=%(refname)"]);
    assert_eq!(refs, "refs/mem/team");
    fixture.git(&fixture.bare(), &["fsck", "--strict", "--no-dangling"]);
}

#[test]
fn tombstones_outlive_a_ref_that_somebody_deleted_and_contents_do_not() {
    let fixture = Fixture::new();
    let (mut a, mut b) = (fixture.person("a"), fixture.person("b"));
    a.put_entries(&body(&[("gone.md", "old"), ("x.md", "secret")]), None)
        .unwrap();
    let mut delete = body(&[]);
    delete.delete.insert(key("gone.md"));
    delete.reasons.insert(key("gone.md"), "over".to_owned());
    a.put_entries(&delete, None).unwrap();
    let before = all(&mut a).1;
    fixture.git(&fixture.bare(), &["update-ref", "-d", "refs/mem/team"]);
    let (_, lost, _) = all(&mut a);
    assert!(lost.entries.is_empty());
    assert_eq!(
        (lost.version, &lost.deleted),
        (before.version, &before.deleted)
    );
    // Whoever never saw it knows nothing; who did brings it along with what is written next.
    assert!(all(&mut b).1.deleted.is_empty());
    let again = a.put_entries(&body(&[("gone.md", "old"), ("y.md", "y")]), None);
    let again = again.unwrap().answer;
    assert!(again.rejected.contains_key("gone.md") && again.version > before.version);
    assert_eq!(all(&mut b).1.deleted, before.deleted);
    let log = b.read_log(&LogQuery::default()).unwrap().changes;
    assert!(log.iter().any(|one| one.reason.as_deref() == Some("over")));
    let everything = fixture.git(&fixture.bare(), &["log", "-p", "refs/mem/team"]);
    assert!(!everything.contains("secret"), "{everything}");
    let copy = fixture.path().join("state-a/team.git");
    assert_eq!(
        fixture.git(&copy, &["for-each-ref", "--format=%(refname)"]),
        "refs/mem/team"
    );
}

#[test]
fn nothing_gets_into_the_users_repository() {
    let fixture = Fixture::new();
    let mut a = fixture.person("a");
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    all(&mut a);
    let work = fixture.path().join("work-a");
    assert_eq!(fixture.git(&work, &["for-each-ref"]), "");
    assert_eq!(
        fixture.git(&work, &["count-objects"]),
        "0 objects, 0 kilobytes"
    );
    assert!(!work.join(".git/FETCH_HEAD").exists());
}

#[test]
fn hooks_of_nobody_are_run() {
    let fixture = Fixture::new();
    let options = fixture.options("a", fixture.bare().to_str().unwrap());
    let hooks = options.work.join(".git/hooks");
    fixture.git(
        &options.work,
        &["config", "core.hooksPath", hooks.to_str().unwrap()],
    );
    let mut a = GitRemote::open(options.clone()).unwrap();
    all(&mut a);
    for folder in [hooks, options.store.join("hooks")] {
        fs::create_dir_all(&folder).unwrap();
        for name in ["pre-push", "reference-transaction"] {
            let hook = folder.join(name);
            mem_core::atomic::replace_file(&hook, b"#!/bin/sh\ntouch \"$HOME/ran\"\nexit 1\n")
                .unwrap();
            #[cfg(unix)]
            fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755))
                .unwrap();
        }
    }
    a.put_entries(&body(&[("a.md", "x")]), None).unwrap();
    assert!(!fixture.path().join("ran").exists());
}

#[test]
fn a_redaction_leaves_no_reachable_commit_with_the_content_here_or_there() {
    let fixture = Fixture::new();
    let (mut a, mut b) = (fixture.person("a"), fixture.person("b"));
    a.put_entries(&body(&[("a.md", "leaked once"), ("b.md", "fine")]), None)
        .unwrap();
    a.put_entries(&body(&[("c.md", "more")]), None).unwrap();
    a.put_entries(&body(&[("a.md", "clean")]), None).unwrap();
    all(&mut b);
    let id = fixture.git(&fixture.bare(), &["rev-parse", "refs/mem/team~1:a.md"]);
    let redacted = a
        .redact_key(&RedactBody::for_contents(&key("a.md")))
        .unwrap();
    assert_eq!(redacted.redacted, 1);
    assert!(redacted.note.contains("replace the value"));
    let reachable = fixture.git(&fixture.bare(), &["rev-list", "--objects", "--all"]);
    assert!(!reachable.contains(&id));
    assert_eq!(
        fixture.git(&fixture.bare(), &["rev-list", "--count", "refs/mem/team"]),
        "3"
    );
    all(&mut b);
    for name in ["a", "b"] {
        let copy = fixture.path().join(format!("state-{name}/team.git"));
        let objects = fixture.git(&copy, &["cat-file", "--batch-all-objects", "--batch-check"]);
        assert!(!objects.contains(&id), "{name} still has it");
    }
    let log = b.read_log(&LogQuery::default()).unwrap();
    let told: Vec<String> = log
        .changes
        .iter()
        .map(|one| format!("{} {} {}", one.version, one.key, one.operation.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            "3 a.md modified",
            "2 c.md created",
            "1 a.md created",
            "1 b.md created"
        ]
    );
    assert_eq!(
        log.changes[2].redacted_by.as_deref(),
        Some("a <a@example.com>")
    );
    assert_eq!(log.changes[0].at, "2026-11-22T09:00:00Z");
}

#[test]
fn a_copy_that_is_damaged_or_half_made_is_rebuilt() {
    let fixture = Fixture::new();
    let mut a = fixture.person("a");
    a.put_entries(&body(&[("a.md", "x"), ("d/b.md", "y")]), None)
        .unwrap();
    let copy = fixture.path().join("state-a/team.git");
    for (folder, left) in [
        ("refs/mem", "team.lock"),
        ("objects/pack", "tmp_pack_x"),
        ("", "config.lock"),
    ] {
        fs::create_dir_all(copy.join(folder)).unwrap();
        mem_core::atomic::replace_file(&copy.join(folder).join(left), b"").unwrap();
    }
    a.put_entries(&body(&[("c.md", "z")]), None).unwrap();
    fs::remove_dir_all(copy.join("objects")).unwrap();
    fs::create_dir(copy.join("objects")).unwrap();
    assert_eq!(all(&mut fixture.person("a")).1.entries.len(), 3);
    fs::remove_file(copy.join("HEAD")).unwrap();
    assert_eq!(all(&mut fixture.person("a")).1.entries.len(), 3);
}

#[test]
fn what_is_no_copy_is_not_removed() {
    let fixture = Fixture::new();
    let options = fixture.options("a", fixture.bare().to_str().unwrap());
    let file = options.store.join("thesis.txt");
    mem_core::atomic::replace_file(&file, b"years").unwrap();
    let error = GitRemote::open(options)
        .unwrap()
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap_err();
    assert!(matches!(error, RemoteError::Local(_)), "{error:?}");
    assert!(file.exists());
}

#[test]
fn two_processes_take_turns() {
    let fixture = Fixture::new();
    let mut options = fixture.options("a", fixture.bare().to_str().unwrap());
    GitRemote::open(options.clone())
        .unwrap()
        .put_entries(&body(&[("a", "x")]), None)
        .unwrap();
    let mut lock = options.store.clone().into_os_string();
    lock.push(".lock");
    let lock = fs::File::open(lock).unwrap();
    lock.lock().unwrap();
    options.deadline = Duration::ZERO;
    let error = GitRemote::open(options)
        .unwrap()
        .put_entries(&body(&[("a", "y")]), None)
        .unwrap_err();
    let busy = RemoteError::from(GitRemoteError::Busy);
    assert_eq!(error, busy);
}

#[test]
fn writers_without_a_condition_all_get_their_turn() {
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        for name in ["a", "b", "c"] {
            let mut person = fixture.person(name);
            scope.spawn(move || {
                for n in 0..4 {
                    let text = format!("{name}{n}");
                    person.put_entries(&body(&[(&text, "x")]), None).unwrap();
                }
            });
        }
    });
    let (_, answer, _) = all(&mut fixture.person("d"));
    assert_eq!((answer.entries.len(), answer.version), (12, 12));
}

#[test]
fn a_redacted_name_is_in_no_reachable_object_here_or_there() {
    let fixture = Fixture::new();
    let (mut a, mut b) = (fixture.person("a"), fixture.person("b"));
    let name = ["tok", "en-4711.md"].concat();
    let named = key(&name);
    a.put_entries(&body(&[(&name, "one"), ("b.md", "fine")]), None)
        .unwrap();
    a.put_entries(&body(&[("c.md", "more")]), None).unwrap();
    let mut delete = body(&[]);
    delete.delete.insert(named.clone());
    a.put_entries(&delete, None).unwrap();
    // Its content alone is not all: the records of it name it yet.
    b.redact_key(&RedactBody::for_contents(&named)).unwrap();
    let there = |folder: &Path| {
        let all = fixture.git(folder, &["rev-list", "--objects", "--all"]);
        let ids = all.lines().filter_map(|line| line.split(' ').next());
        all.contains(&name)
            || ids
                .map(|id| fixture.git(folder, &["cat-file", "-p", id]))
                .any(|text| text.contains(&name))
    };
    assert!(there(&fixture.bare()));
    let done = b.redact_key(&RedactBody::for_name(&named)).unwrap();
    assert!(done.name);
    assert!(!there(&fixture.bare()));
    all(&mut a);
    for person in ["a", "b"] {
        let copy = fixture.path().join(format!("state-{person}/team.git"));
        assert!(!there(&copy), "{person} still has it");
    }
    let log = a.read_log(&LogQuery::default()).unwrap().changes;
    let told: Vec<&str> = log.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(told, ["c.md", "b.md"]);
}

#[test]
fn a_ref_that_was_put_back_says_so_and_a_redacted_one_does_not() {
    let fixture = Fixture::new();
    let (mut a, mut b) = (fixture.person("a"), fixture.person("b"));
    a.put_entries(&body(&[("a.md", "leaked"), ("b.md", "old")]), None)
        .unwrap();
    a.put_entries(&body(&[("a.md", "clean")]), None).unwrap();
    let is_put_back = |remote: &mut GitRemote, tag: &ETag| {
        let found = remote.get_state(&StateQuery::of_hashes(), Some(tag));
        match found.unwrap() {
            Fetched::Found { answer, .. } => answer.is_put_back,
            Fetched::NotModified => panic!("the ref moved"),
        }
    };
    let known = all(&mut a).0;
    let redaction = RedactBody::for_contents(&key("a.md"));
    b.redact_key(&redaction).unwrap();
    b.put_entries(&body(&[("c.md", "more")]), None).unwrap();
    assert!(!is_put_back(&mut a, &known));
    let known = all(&mut a).0;
    fixture.git(&fixture.bare(), &["update-ref", "-d", "refs/mem/team"]);
    let mut c = fixture.person("c");
    for text in ["old", "newer", "newest", "last", "of all"] {
        c.put_entries(&body(&[("b.md", text)]), None).unwrap();
    }
    assert!(is_put_back(&mut a, &known));
}
