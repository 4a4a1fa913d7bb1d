//! A memory as large as may be.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mem_sync::limits::{ENTRIES_MAX, PUT_BYTES_MAX};
use mem_sync::remote::Remote;
use mem_sync::remote::git::TEAM_REF;
use mem_sync::wire::RejectionCode;

use super::fixture::{Fixture, all, body};

/// Puts a commit with the largest number of entries behind the ref.
fn fill(fixture: &Fixture) {
    let mut stream =
        String::from("commit refs/mem/team\ncommitter a <a@example.com> 0 +0000\ndata 0\n");
    for n in 0..ENTRIES_MAX {
        let text = format!("note {n}\n").repeat(100);
        writeln!(
            stream,
            "M 100644 inline d{}/{n}.md\ndata {}\n{text}",
            n % 100,
            text.len()
        )
        .unwrap();
    }
    let mut git = Command::new("git");
    git.current_dir(fixture.bare())
        .env_clear()
        .envs(fixture.environment());
    let mut child = git
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(stream.as_bytes())
        .unwrap();
    assert!(child.wait().unwrap().success());
}

fn objects(fixture: &Fixture) -> usize {
    let all = fixture.git(&fixture.bare(), &["rev-list", "--objects", "--all"]);
    all.lines().count()
}

#[test]
fn ten_thousand_entries_are_read_at_once_and_one_change_is_a_few_objects() {
    let fixture = Fixture::new();
    fill(&fixture);
    let mut a = fixture.person("a");
    let (etag, answer, rejected) = all(&mut a);
    assert_eq!((answer.entries.len(), rejected.len()), (ENTRIES_MAX, 0));
    let before = objects(&fixture);
    let put = a
        .put_entries(
            &body(&[("d7/7.md", "changed"), ("new.md", "x")]),
            Some(&etag),
        )
        .unwrap();
    assert_eq!(put.answer.rejected["new.md"].code, RejectionCode::StoreFull);
    // The entry, its folder, its record, the number, their folder, the root, the commit.
    assert_eq!(objects(&fixture) - before, 7);
    let (_, answer, _) = all(&mut fixture.person("b"));
    assert_eq!((answer.entries.len(), answer.version), (ENTRIES_MAX, 1));
}

#[test]
fn what_is_many_requests_to_a_server_is_one_commit_here() {
    let fixture = Fixture::new();
    let mut a = fixture.person("a");
    assert!(a.put_bytes_max() > 100 * PUT_BYTES_MAX);
    let text = "x".repeat(90_000);
    let names: Vec<String> = (0..5).map(|n| format!("{n}.md")).collect();
    let entries: Vec<(&str, &str)> = names.iter().map(|name| (&**name, &*text)).collect();
    let body = body(&entries);
    assert!(body.to_json().len() > 2 * PUT_BYTES_MAX);
    assert_eq!(a.put_entries(&body, None).unwrap().answer.written.len(), 5);
    assert_eq!(
        fixture.git(&fixture.bare(), &["rev-list", "--count", TEAM_REF]),
        "1"
    );
}
