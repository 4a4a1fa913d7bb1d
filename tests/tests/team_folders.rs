//! Folders of the team's memory: they come with what stands in them, and go with it.

use std::fs;

use mem_tests::TestEnv;

use crate::team::two_with;

#[test]
fn what_became_a_folder_or_a_file_elsewhere_becomes_one_here_at_once() {
    let env = TestEnv::new();
    let (ann, ben) = two_with(&env, &["a/b/x.md", "c.md"]);
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
