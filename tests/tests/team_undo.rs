//! What was deleted for everybody and is taken back comes back for everybody; an old copy does not.

use mem_tests::{Server, TestEnv};

use crate::team::{Person, two, without_remote};

const NOTE: &str = "project_freeze.md";

/// A note that everybody has.
fn shared(ann: &Person<'_>, others: &[&Person<'_>]) {
    ann.save("Freeze", "Nothing lands.");
    ann.sync();
    for other in others {
        other.sync();
    }
}

/// The id of the newest change that a sync wrote.
fn newest_pull(person: &Person<'_>) -> String {
    let json = person.mem("history --json").assert_ok().json();
    let mut changes = json["changes"].as_array().unwrap().iter();
    let pull = changes.find(|change| change["verb"] == "pull").unwrap();
    pull["id"].as_str().unwrap().to_owned()
}

/// The same, deleted for everybody by one and taken back by another.
fn deleted_and_back(ann: &Person<'_>, ben: &Person<'_>) {
    shared(ann, &[ben]);
    ann.mem(&format!("team delete {NOTE}")).assert_ok();
    ben.sync();
    ben.mem(&format!("undo {}", newest_pull(ben))).assert_ok();
}

/// Deletes a note, takes that back, and looks at what becomes of it at a colleague who had seen the deletion, and
/// at one who had not.
fn taken_back(ann: &Person<'_>, ben: &Person<'_>, old: &Person<'_>) {
    shared(ann, &[ben, old]);
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
        undone
            .stderr
            .contains("taken back with the next `mem team sync`"),
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
    deleted_and_back(&ann, &ben);
    ben.sync();
    ann.sync();
    assert!(ann.read(NOTE).is_some() && ben.read(NOTE).is_some());
}

#[test]
fn an_edit_that_was_taken_out_again_does_not_undo_a_restore() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    deleted_and_back(&ann, &ben);
    let text = ben.read(NOTE).unwrap();
    for edited in [format!("{text}A line.\n"), text.clone()] {
        ben.write(NOTE, &edited);
        ben.mem("status").assert_ok();
    }
    let told = ben.sync();
    assert_eq!(ben.read(NOTE), Some(text.clone()), "{}", told.shown());
    ann.sync();
    assert_eq!(ann.read(NOTE), Some(text));
}

#[test]
fn a_deletion_that_was_not_sent_yet_is_not_made() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    shared(&ann, &[&ben]);
    without_remote(&env, || {
        let run = ann.mem(&format!("team delete {NOTE}"));
        let told = run.assert_code(5).stderr;
        let queued = "removed here; it is deleted for everybody with the next sync";
        assert!(told.contains("the remote cannot be reached"), "{told}");
        assert!(told.contains(queued), "{told}");
        let hint = "`mem undo` takes the deletion back";
        assert!(told.contains(hint), "{told}");
        ann.mem("undo").assert_ok();
    });
    let json = ann.mem("team sync --json").assert_ok().json();
    assert_eq!(json["kept"], serde_json::json!([NOTE]), "{json}");
    assert_eq!(json["deleted"], serde_json::json!([]), "{json}");
    ben.sync();
    assert!(ann.read(NOTE).is_some() && ben.read(NOTE).is_some());
}

#[test]
fn an_undo_without_an_id_passes_over_what_a_colleague_wrote() {
    let env = TestEnv::new();
    let (ann, ben) = two(&env);
    shared(&ann, &[&ben]);
    ann.save("Freeze", "Everything lands.");
    ann.sync();
    ben.sync();
    let of_ann = ben.read(NOTE);
    ben.save("Own", "Of ben.");
    ben.mem("undo").assert_ok();
    assert!(ben.read("project_own.md").is_none());
    for line in ["undo", "undo 2", "undo --foreign"] {
        let told = ben.mem(line).assert_code(1).stderr;
        assert!(told.contains("nothing to undo"), "{line}: {told}");
    }
    assert_eq!(ben.read(NOTE), of_ann);
    let undo = format!("undo {}", newest_pull(&ben));
    let told = ben.mem(&undo).assert_ok().stderr;
    let warning = "the next `mem team sync` brings this to everybody";
    assert!(told.contains(warning), "{told}");
    ben.sync();
    ann.sync();
    assert!(ann.read(NOTE).unwrap().contains("Nothing lands."));
}
