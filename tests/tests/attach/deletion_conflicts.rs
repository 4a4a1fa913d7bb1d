//! Deletions that wait while a colleague moves what they are about.

use mem_tests::TestEnv;
use serde_json::json;

use super::Bed;
use crate::mcp::served;

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
    let told = bed.repo.mem(["attachments", "--sync"]).assert_ok().stdout;
    assert!(
        told.contains("/memories/notes/a.md was not deleted"),
        "{told}"
    );
    assert_eq!(bed.cat(&store, "/kept/a.md").as_deref(), Some("one\n"));
    assert_eq!(bed.cat(&store, "/b.md"), None);
    // The agent is told with the next answer, once.
    let undone = "[/memories/notes/a.md was not deleted: somebody else moved it to /memories/notes/kept/a.md meanwhile]";
    assert!(bed.view("/memories/notes").contains(undone));
    assert!(!bed.view("/memories/notes").contains("not deleted"));
    assert!(bed.view("/memories/notes/kept/a.md").contains("one"));
    assert_eq!(bed.attachments()[0]["waiting"], json!([]));
}

#[test]
fn a_deletion_right_after_the_move_does_not_either() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "one\n")]);
    // Within the seconds in which a copy counts as fresh.
    bed.store(&["mv", &store, "/a.md", "/kept/a.md"]);
    let said = bed.refused(&json!({ "command": "delete", "path": "/memories/notes/a.md" }));
    assert!(
        said.contains("not deleted") && said.contains("/memories/notes/kept/a.md"),
        "{said}"
    );
    assert_eq!(bed.cat(&store, "/kept/a.md").as_deref(), Some("one\n"));
    assert!(bed.view("/memories/notes/kept/a.md").contains("one"));
}

#[test]
fn a_deletion_that_met_a_change_is_told_too() {
    let env = TestEnv::new();
    let (bed, store) = Bed::with(&env, &[("/a.md", "one\n")]);
    bed.put(&store, "/a.md", "two\n");
    let said = bed.refused(&json!({ "command": "delete", "path": "/memories/notes/a.md" }));
    assert!(said.contains("changed it meanwhile"), "{said}");
    assert!(bed.view("/memories/notes/a.md").contains("two"));
}

#[test]
fn the_tools_of_the_api_say_so_as_well() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::with(&env, &[("/a.md", "one\n"), ("/b.md", "two\n")]);
    let mut rpc = served(&bed.repo, &[]);
    bed.store(&["mv", &store, "/a.md", "/kept/a.md"]);
    let at = |path: &str| json!({ "store": "notes", "path": path });
    let said = rpc.refused("memory_delete", at("/a.md"));
    assert!(
        said.contains("`/kept/a.md`") && said.contains("delete it there"),
        "{said}"
    );
    bed.kill();
    env.advance(60);
    rpc.tool("memory_delete", at("/b.md"));
    bed.revive();
    bed.store(&["mv", &store, "/b.md", "/kept/b.md"]);
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let list = rpc.tool("memory_list", json!({ "store": "notes" }));
    let undone = "/b.md was not deleted: somebody else moved it to /kept/b.md meanwhile";
    assert_eq!(list["undone"], json!([undone]));
    let list = rpc.tool("memory_list", json!({ "store": "notes" }));
    assert!(list["undone"].is_null(), "{list}");
    rpc.finish();
}
