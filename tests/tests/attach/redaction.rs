//! `mem redact --text` and what attached stores have of the text.

use std::fs;
use std::path::PathBuf;

use mem_tests::TestEnv;
use serde_json::json;

use super::Bed;

/// The file of the text that gave way.
fn aside(bed: &Bed<'_>) -> PathBuf {
    let file = bed.attachments()[0]["aside"][0]["file"].clone();
    let root = bed.env.root().to_str().unwrap();
    file.as_str().unwrap().replace("[ENV]", root).into()
}

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
    let file = aside(&bed);
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
    // Its name had a piece of the digest of what it was.
    assert!(!file.exists());
    let file = aside(&bed);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine, of [redacted]\n");
    assert!(file.to_str().unwrap().ends_with("-a.md"), "{file:?}");
    // What is told works, and then nothing is left.
    bed.put(&store, "/b.md", "in a street\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let json = bed
        .repo
        .mem(["redact", "--text", "Kolibri street", "--yes", "--json"]);
    let json = json.assert_ok().json();
    assert_eq!((&json["attached"], &json["aside"]), (&json!([]), &json!(0)));
}

#[test]
fn a_name_that_has_it_goes_from_all_that_is_remembered_of_what_gave_way() {
    let env = TestEnv::new();
    let name = "of Kolibri street.md";
    let path = format!("/{name}");
    let (mut bed, store) = Bed::cut_off(&env, &[(&path, "base\n")]);
    let at = format!("/memories/notes/{name}");
    bed.done(
        &json!({ "command": "str_replace", "path": at, "old_str": "base", "new_str": "mine" }),
    );
    bed.revive();
    bed.put(&store, &path, "theirs\n");
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    assert!(aside(&bed).to_str().unwrap().contains("Kolibristreet"));
    // What is still at the server goes there.
    bed.store(&["mv", &store, &path, "/of.md"]);
    bed.repo.mem(["attachments", "--sync"]).assert_ok();
    let redact = ["redact", "--text", "Kolibri street", "--yes", "--json"];
    let told = bed.repo.mem(redact).assert_ok().json();
    assert_eq!((&told["attached"], &told["aside"]), (&json!([]), &json!(1)));
    let left = aside(&bed);
    assert_eq!(fs::read_to_string(&left).unwrap(), "mine\n");
    assert_eq!(
        bed.attachments()[0]["aside"][0]["path"],
        "/of [redacted].md"
    );
    let attached = bed.copies().parent().unwrap().to_owned();
    for (name, bytes) in env.files_under(&attached) {
        let text = String::from_utf8_lossy(&bytes);
        for part in ["Kolibri", "Kolibristreet"] {
            assert!(
                !name.contains(part) && !text.contains(part),
                "{name}: {text}"
            );
        }
    }
}
