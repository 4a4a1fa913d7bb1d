//! `mem redact --text` and what attached stores have of the text.

use std::fs;

use mem_tests::TestEnv;
use serde_json::json;

use super::Bed;

#[test]
fn a_text_goes_from_what_gave_way_and_is_named_where_the_server_has_it() {
    let env = TestEnv::new();
    let (mut bed, store) = Bed::cut_off(&env, &[("/a.md", "base\n")]);
    let edit = json!({ "command": "str_replace", "path": "/memories/notes/a.md", "old_str": "base", "new_str": "mine, of Kolibri street" });
    bed.done(&edit);
    bed.revive();
    bed.put(&store, "/a.md", "theirs\n");
    bed.put(&store, "/b.md", "in Kolibri street\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let file = bed.attachments()[0]["aside"][0]["file"].clone();
    let file = file
        .as_str()
        .unwrap()
        .replace("[ENV]", env.root().to_str().unwrap());
    assert!(fs::read_to_string(&file).unwrap().contains("Kolibri"));
    let redact = ["redact", "--text", "Kolibri street", "--yes"];
    let output = bed.repo.mem(redact).assert_code(1);
    let told = output.stderr;
    assert!(
        told.contains("/memories/notes/b.md")
            && told.contains("mem store redact")
            && !told.contains("notes/a.md"),
        "{told}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine, of [redacted]\n");
    // What is told works, and then nothing is left.
    bed.put(&store, "/b.md", "in a street\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let json = bed
        .repo
        .mem(["redact", "--text", "Kolibri street", "--yes", "--json"]);
    let json = json.assert_ok().json();
    assert_eq!((&json["attached"], &json["aside"]), (&json!([]), &json!(0)));
}
