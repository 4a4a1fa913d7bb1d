//! What a person with write access may put behind the ref by hand.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mem_sync::key::EntryKey;
use mem_sync::remote::{Fetched, Remote, RemoteError, StateQuery};
use mem_sync::wire::{RejectionCode, RemoteEntry};

use super::fixture::{Fixture, all, body, key};

/// Writes an object whatever it is, and returns its id.
pub(super) fn object(fixture: &Fixture, kind: &str, bytes: &[u8]) -> String {
    let mut git = Command::new("git");
    git.current_dir(fixture.bare())
        .env_clear()
        .envs(fixture.environment())
        .args(["hash-object", "-w", "--literally", "-t", kind, "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = git.spawn().unwrap();
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

pub(super) fn entry(mode: &str, name: &[u8], id: &str) -> Vec<u8> {
    let raw = (0..40)
        .step_by(2)
        .map(|at| u8::from_str_radix(&id[at..at + 2], 16).unwrap());
    [
        mode.as_bytes(),
        b" ",
        name,
        b"\0",
        &raw.collect::<Vec<u8>>(),
    ]
    .concat()
}

/// Points the ref at a commit of this tree.
pub(super) fn publish(fixture: &Fixture, tree: &str) {
    let commit = fixture.git(&fixture.bare(), &["commit-tree", "-m", "by hand", tree]);
    fixture.git(&fixture.bare(), &["update-ref", "refs/mem/team", &commit]);
}

#[test]
fn a_hostile_tree_costs_its_bad_names_only() {
    let fixture = Fixture::new();
    let good = object(&fixture, "blob", b"good");
    let huge = object(&fixture, "blob", &vec![b'x'; 3_000_000]);
    let binary = object(&fixture, "blob", &[0xff, 0xfe]);
    let target = object(&fixture, "blob", b"/etc/passwd");
    let folder = object(&fixture, "tree", &entry("100644", b"x.md", &good));
    let nothing = "1".repeat(40);
    let tree = [
        entry("40000", b"..", &folder),
        entry("40000", b".git", &folder),
        entry("100644", b"A.md", &good),
        entry("100644", b"a.md", &good),
        entry("100644", b"binary", &binary),
        entry("100644", b"con.md", &good),
        entry("100644", "e\u{301}.md".as_bytes(), &good),
        entry("100755", b"executable", &good),
        entry("40000", b"folder", &folder),
        entry("100644", b"huge", &huge),
        entry("120000", b"link", &target),
        entry("160000", b"module", &nothing),
        entry("100644", b"not-\xff-utf8", &good),
        entry("100664", b"odd", &good),
        entry("100644", b"twice", &good),
        entry("100644", b"twice", &binary),
    ];
    publish(&fixture, &object(&fixture, "tree", &tree.concat()));
    let mut a = fixture.person("a");
    let (_, answer, rejected) = all(&mut a);
    let names: Vec<&str> = answer.entries.keys().map(EntryKey::as_str).collect();
    assert_eq!(names, ["A.md", "executable", "folder/x.md", "odd"]);
    let mut codes: Vec<(&str, RejectionCode)> = rejected
        .iter()
        .map(|one| (one.name.as_str(), one.rejection.code))
        .collect();
    codes.sort_unstable();
    assert_eq!(
        codes,
        [
            ("../x.md", RejectionCode::InvalidKey),
            (".git/x.md", RejectionCode::InvalidKey),
            ("a.md", RejectionCode::Twin),
            ("binary", RejectionCode::Form),
            ("con.md", RejectionCode::InvalidKey),
            ("e\u{301}.md", RejectionCode::InvalidKey),
            ("huge", RejectionCode::TooLarge),
            ("link", RejectionCode::Form),
            ("module", RejectionCode::Form),
            ("not-\u{fffd}-utf8", RejectionCode::InvalidKey),
            ("twice", RejectionCode::Duplicate),
        ]
    );
    let put = a
        .put_entries(
            &body(&[("new.md", "n"), ("link/below", "x"), ("folder", "y")]),
            None,
        )
        .unwrap();
    assert_eq!(
        put.answer.rejected["folder"].code,
        RejectionCode::PathConflict
    );
    assert_eq!(put.answer.written.len(), 2);
    assert_eq!(all(&mut fixture.person("b")).1.entries.len(), 6);
}

#[test]
fn what_stands_beside_its_twin_can_be_asked_for_and_keeps_its_place() {
    let fixture = Fixture::new();
    let (good, other) = (
        object(&fixture, "blob", b"good"),
        object(&fixture, "blob", b"other"),
    );
    let tree = [
        entry("100644", b"A.md", &other),
        entry("100644", b"a.md", &good),
    ];
    publish(&fixture, &object(&fixture, "tree", &tree.concat()));
    let mut a = fixture.person("a");
    let (_, answer, rejected) = all(&mut a);
    let text = |entry: &RemoteEntry| entry.content.clone().unwrap();
    assert_eq!(text(&answer.entries[&key("A.md")]), "other");
    assert_eq!(text(&answer.clashing[&key("a.md")]), "good");
    assert_eq!(rejected.len(), 1);
    let query = StateQuery {
        hashes: false,
        keys: [key("a.md")].into(),
    };
    let Ok(Fetched::Found { answer, .. }) = a.get_state(&query, None) else {
        panic!("it does not answer");
    };
    assert_eq!(text(&answer.clashing[&key("a.md")]), "good");
    // Nobody can tell whether who writes it has seen it.
    let put = a.put_entries(&body(&[("a.md", "new"), ("b.md", "b")]), None);
    assert_eq!(
        put.unwrap().answer.rejected["a.md"].code,
        RejectionCode::Twin
    );
    let (_, answer, _) = all(&mut fixture.person("b"));
    assert_eq!(text(&answer.clashing[&key("a.md")]), "good");
}

#[test]
fn a_tree_without_end_is_refused() {
    let fixture = Fixture::new();
    let good = object(&fixture, "blob", b"good");
    let mut text = String::new();
    for n in 0..2_000 {
        writeln!(text, "{n:05}").unwrap();
    }
    let names = text
        .lines()
        .map(|name| entry("100644", name.as_bytes(), &good));
    let mut tree = object(&fixture, "tree", &names.collect::<Vec<_>>().concat());
    // Each level names the one below many times: 20^20 files.
    for _ in 0..25 {
        let names = (b'a'..=b't').map(|name| entry("40000", &[name], &tree));
        tree = object(&fixture, "tree", &names.collect::<Vec<_>>().concat());
    }
    publish(&fixture, &tree);
    let error = fixture
        .person("a")
        .get_state(&StateQuery::default(), None)
        .unwrap_err();
    assert_eq!(error, RemoteError::AnswerTooLarge);
}

#[test]
fn records_that_are_none_are_passed_over() {
    let fixture = Fixture::new();
    let mut a = fixture.person("a");
    a.put_entries(&body(&[("a.md", "x"), ("b.md", "y")]), None)
        .unwrap();
    let root = fixture.git(&fixture.bare(), &["rev-parse", "refs/mem/team^{tree}"]);
    let junk = object(&fixture, "blob", b"{\"../x\":{\"version\":1},\"a.md\":7}");
    let shards = (0..=255).map(|n| entry("100644", format!("{n:02x}").as_bytes(), &junk));
    let shards = object(&fixture, "tree", &shards.collect::<Vec<_>>().concat());
    let names = fixture.git(&fixture.bare(), &["ls-tree", &root]);
    let mut tree = entry("40000", b".mem.", &shards);
    for line in names.lines().filter(|line| !line.contains(".mem.")) {
        let (left, name) = line.split_once('\t').unwrap();
        tree.extend(entry(
            "100644",
            name.as_bytes(),
            left.rsplit(' ').next().unwrap(),
        ));
    }
    publish(&fixture, &object(&fixture, "tree", &tree));
    let (_, answer, _) = all(&mut a);
    assert_eq!((answer.entries.len(), answer.version), (2, 0));
    assert_eq!(answer.entries[&key("a.md")].actor, "");
    a.put_entries(&body(&[("a.md", "z")]), None).unwrap();
    assert_eq!(
        all(&mut a).1.entries[&key("a.md")].actor,
        "a <a@example.com>"
    );
}

#[test]
fn a_later_format_is_left_alone() {
    let fixture = Fixture::new();
    let head = object(&fixture, "blob", b"{\"format\":2,\"version\":1}");
    let folder = object(&fixture, "tree", &entry("100644", b"head", &head));
    publish(
        &fixture,
        &object(&fixture, "tree", &entry("40000", b".mem.", &folder)),
    );
    let error = fixture
        .person("a")
        .put_entries(&body(&[("a.md", "x")]), None)
        .unwrap_err();
    assert!(error.to_string().contains("later version"), "{error}");
}

#[test]
fn a_ref_that_names_no_commit_is_the_remotes_fault_and_costs_nothing_here() {
    let fixture = Fixture::new();
    let mut person = fixture.person("a");
    person
        .put_entries(&body(&[("a.md", "kept"), ("b.md", "x")]), None)
        .unwrap();
    let good = fixture.git(&fixture.bare(), &["rev-parse", "refs/mem/team"]);
    let blob = object(&fixture, "blob", b"no commit");
    let tree = object(&fixture, "tree", &entry("100644", b"a.md", &blob));
    let copy = fixture.path().join("state-a/team.git");
    let here = || fixture.git(&copy, &["rev-parse", "refs/mem/team"]);
    let known = here();
    for id in [blob, tree] {
        fixture.git(&fixture.bare(), &["update-ref", "refs/mem/team", &id]);
        let found = person.get_state(&StateQuery::default(), None);
        assert!(
            matches!(&found, Err(RemoteError::Nonsense(why)) if why.contains("no commit")),
            "{found:?}"
        );
        assert_eq!(here(), known);
    }
    fixture.git(&fixture.bare(), &["update-ref", "refs/mem/team", &good]);
    assert_eq!(all(&mut person).1.entries.len(), 2);
}
