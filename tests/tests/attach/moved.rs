//! Deletions that wait while a colleague moves what they are about.

use mem_tests::TestEnv;
use serde_json::json;

use super::Bed;

#[test]
fn a_deletion_does_not_follow_a_memory_that_somebody_moved() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "one\n"), ("/b.md", "two\n")]);
    for path in ["/memories/notes/a.md", "/memories/notes/b.md"] {
        bed.done(&json!({ "command": "delete", "path": path }));
    }
    bed.revive();
    bed.store(&["mv", &store, "/a.md", "/kept/a.md"]);
    assert_eq!(bed.attachments()[0]["waiting"], json!(["/a.md", "/b.md"]));
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert_eq!(bed.cat(&store, "/kept/a.md").as_deref(), Some("one\n"));
    assert_eq!(bed.cat(&store, "/b.md"), None);
    assert!(bed.view("/memories/notes/kept/a.md").contains("one"));
    assert_eq!(bed.attachments()[0]["waiting"], json!([]));
}

#[test]
fn a_deletion_right_after_the_move_does_not_either() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "one\n")]);
    // Within the seconds in which a copy counts as fresh.
    bed.store(&["mv", &store, "/a.md", "/kept/a.md"]);
    bed.done(&json!({ "command": "delete", "path": "/memories/notes/a.md" }));
    assert_eq!(bed.cat(&store, "/kept/a.md").as_deref(), Some("one\n"));
    assert!(bed.view("/memories/notes/kept/a.md").contains("one"));
}
