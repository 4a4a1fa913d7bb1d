//! What was deleted for everybody and is taken back comes back for everybody; an old copy does not.

use std::fs;

use mem_tests::{Server, TestEnv};

use crate::team::{Person, two};

const NOTE: &str = "project_freeze.md";

/// Deletes a note, takes that back, and looks at what becomes of it at a colleague who had seen the deletion, and
/// at one who had not.
fn taken_back(ann: &Person<'_>, ben: &Person<'_>, old: &Person<'_>) {
    ann.save("Freeze", "Nothing lands.");
    for person in [ann, ben, old] {
        person.sync();
    }
    let text = ann.read(NOTE).unwrap();
    ann.mem(&format!("team delete {NOTE}")).assert_ok();
    ben.sync();
    assert!(ben.read(NOTE).is_none());
    // Whoever merely has the old text is no reason to bring it back.
    ben.write(NOTE, &text);
    let told = ben.sync().stdout;
    assert!(told.contains(&format!("removed  {NOTE}")), "{told}");
    let undone = ann.mem("undo").assert_ok();
    assert!(
        undone.stderr.contains("brings it back for everybody"),
        "{}",
        undone.shown()
    );
    let status = ann.mem("team status").assert_ok().stdout;
    assert!(
        status.contains(&format!(
            "waits to be sent  {NOTE}: its deletion was taken back here"
        )),
        "{status}"
    );
    let json = ann.mem("team push --json").assert_ok().json();
    assert_eq!(json["revived"], serde_json::json!([NOTE]), "{json}");
    assert!(json["pushed"].to_string().contains(NOTE), "{json}");
    for person in [ann, ben, old, ann] {
        person.sync();
        assert_eq!(person.read(NOTE).as_deref(), Some(text.as_str()));
        let index = person.read("MEMORY.md").unwrap();
        assert_eq!(index.matches(NOTE).count(), 1, "{index}");
    }
    // It can be deleted again like any other.
    ben.mem(&format!("team delete {NOTE}")).assert_ok();
    ann.sync();
    assert!(ann.read(NOTE).is_none());
}

#[test]
fn a_deletion_that_was_taken_back_is_taken_back_for_everybody_over_git() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    taken_back(&ann, &ben, &Person::new(&env, "old").set_up());
}

#[test]
fn a_deletion_that_was_taken_back_is_taken_back_for_everybody_over_a_server() {
    let env = TestEnv::new();
    let server = Server::open(&env);
    let at = |name: &str| {
        let person = Person::new(&env, name);
        let setup = format!("team setup --remote {} --repo acme/app", server.url());
        person.mem(&setup).assert_ok();
        person
    };
    taken_back(&at("ann"), &at("ben"), &at("old"));
}

#[test]
fn a_colleague_takes_a_deletion_back_that_came_to_them() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.sync();
    ann.mem(&format!("team delete {NOTE}")).assert_ok();
    ben.sync();
    ben.mem("undo").assert_ok();
    ben.sync();
    ann.sync();
    assert!(ann.read(NOTE).is_some() && ben.read(NOTE).is_some());
}

#[test]
fn a_deletion_that_was_not_sent_yet_is_not_made() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    ben.sync();
    let (origin, away) = (env.work().join("origin.git"), env.work().join("away.git"));
    fs::rename(&origin, &away).unwrap();
    ann.mem(&format!("team delete {NOTE}")).assert_code(5);
    ann.mem("undo").assert_ok();
    fs::rename(&away, &origin).unwrap();
    let json = ann.mem("team sync --json").assert_ok().json();
    assert_eq!(json["kept"], serde_json::json!([NOTE]), "{json}");
    assert_eq!(json["deleted"], serde_json::json!([]), "{json}");
    ben.sync();
    assert!(ann.read(NOTE).is_some() && ben.read(NOTE).is_some());
}

#[test]
fn what_became_a_folder_or_a_file_elsewhere_becomes_one_here_at_once() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    ann.write("a/b/x.md", "below\n");
    ann.write("c.md", "a file\n");
    ann.sync();
    ben.sync();
    for key in ["a/b/x.md", "c.md"] {
        ann.mem(&format!("team delete {key}")).assert_ok();
    }
    ann.write("a", "was a folder\n");
    ann.write("c.md/y.md", "was a file\n");
    ann.sync();
    let told = ben.mem("team sync --json").assert_ok().json();
    assert_eq!(told["not_taken"], serde_json::json!([]), "{told}");
    assert_eq!(ben.read("a").unwrap(), "was a folder\n");
    assert_eq!(ben.read("c.md/y.md").unwrap(), "was a file\n");
    ben.sync();
    // A folder that only became empty goes too, and the team's own stays.
    ann.mem("team delete c.md/y.md").assert_ok();
    assert!(!ann.team().join("c.md").exists());
    ben.sync();
    assert!(!ben.team().join("c.md").exists() && ben.team().is_dir());
    // One that holds what is not shared stays.
    ann.write("d/z.md", "one\n");
    ann.sync();
    ben.sync();
    fs::write(ben.team().join("d/.hidden"), "mine").unwrap();
    ann.mem("team delete d/z.md").assert_ok();
    ben.sync();
    assert!(ben.team().join("d/.hidden").exists());
}
