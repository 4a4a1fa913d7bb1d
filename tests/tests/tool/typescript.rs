//! The suite of the TypeScript SDK's file system memory tool, re-created where it differs from the
//! Python one: what it asks, and what the released package answers.

use std::fs;
use std::os::unix::fs::symlink;

use mem_tests::TestEnv;
use serde_json::json;

use super::host::{Host, Step, check, create, delete, insert, rename, replace, view, view_range};

fn table(name: &str, steps: &[Step]) {
    check("typescript", name, steps);
}

#[test]
fn files() {
    table(
        "create and view",
        &[
            (
                create("/memories/test.txt", "Hello, World!"),
                Ok("File created successfully at: /memories/test.txt"),
            ),
            (
                create("/memories/test.txt", "x"),
                Err("File /memories/test.txt already exists"),
            ),
            (
                create("/memories/a/b/c", "x"),
                Ok("File created successfully at: /memories/a/b/c"),
            ),
            (
                create("/memories", "x"),
                Err("File /memories already exists"),
            ),
            (
                view("/memories/test.txt"),
                Ok(
                    "Here's the content of /memories/test.txt with line numbers:\n     1\tHello, World!",
                ),
            ),
            (
                view_range("/memories/test.txt", json!([2, 4])),
                Ok("Here's the content of /memories/test.txt with line numbers:\n"),
            ),
            (
                view("/memories/none"),
                Err("The path /memories/none does not exist. Please provide a valid path."),
            ),
        ],
    );
    table(
        "str_replace",
        &[
            (
                create("/memories/f", "Hello\nMiddle\nHello Hello"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                replace("/memories/f", "Hello", "x"),
                Err(
                    "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. Please ensure it is unique",
                ),
            ),
            (
                replace("/memories/f", "Middle\nHello", "x"),
                Err(
                    "No replacement was performed, old_str `Middle\nHello` did not appear verbatim in /memories/f.",
                ),
            ),
            (
                replace("/memories/f", "lo Hel", "$&"),
                Ok(concat!(
                    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n",
                    "     1\tHello\n     2\tMiddle\n     3\tHel$&lo"
                )),
            ),
            (
                replace("/memories/none", "a", "b"),
                Err("The path /memories/none does not exist. Please provide a valid path."),
            ),
            (
                replace("/memories", "a", "b"),
                Err("The path /memories is not a file."),
            ),
        ],
    );
    table(
        "insert",
        &[
            (
                create("/memories/f", "Line 1\nLine 2"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                insert("/memories/f", 1, "New\n"),
                Ok("The file /memories/f has been edited."),
            ),
            (
                view("/memories/f"),
                Ok(
                    "Here's the content of /memories/f with line numbers:\n     1\tLine 1\n     2\tNew\n     3\tLine 2",
                ),
            ),
            (
                insert("/memories/f", 10, "x"),
                Err(
                    "Invalid `insert_line` parameter: 10. It should be within the range of lines of the file: [0, 3]",
                ),
            ),
            (
                insert("/memories/none", 0, "x"),
                Err("The path /memories/none does not exist. Please provide a valid path."),
            ),
        ],
    );
    table(
        "delete and rename",
        &[
            (
                create("/memories/d/f", "x"),
                Ok("File created successfully at: /memories/d/f"),
            ),
            (
                rename("/memories/d/f", "/memories/n/f"),
                Ok("Successfully renamed /memories/d/f to /memories/n/f"),
            ),
            (
                rename("/memories/none", "/memories/q/r"),
                Err("The path /memories/none does not exist"),
            ),
            (
                view("/memories/q"),
                Err("The path /memories/q does not exist. Please provide a valid path."),
            ),
            (
                rename("/memories/d", "/memories/n"),
                Err("The destination /memories/n already exists"),
            ),
            (
                rename("/memories", "/memories/x"),
                Err("Cannot rename the /memories directory itself"),
            ),
            (
                delete("/memories/n"),
                Ok("Successfully deleted /memories/n"),
            ),
            (
                delete("/memories/n"),
                Err("The path /memories/n does not exist"),
            ),
            (
                delete("/memories/x/.."),
                Err("Cannot delete the /memories directory itself"),
            ),
            (
                json!({"command": "undo_edit"}),
                Err("undo_edit not implemented"),
            ),
        ],
    );
}

#[test]
fn a_sibling_that_begins_alike_is_outside() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--dialect", "typescript"]);
    host.run(&[], "").assert_ok();
    let sibling = host.base.join("memories_backup");
    fs::create_dir(&sibling).unwrap();
    fs::write(sibling.join("f"), "theirs").unwrap();
    symlink(&sibling, host.at("link")).unwrap();
    let told = host.ask(view("/memories/link/f"));
    assert_eq!(
        told.text,
        "Path would escape /memories directory via symlink"
    );
    let told = host.ask(view("/memories/../memories_backup/f"));
    assert_eq!(
        told.text,
        "Path /memories/../memories_backup/f would escape /memories directory"
    );
    let file = create("/memories/../memories/e", "ours");
    assert!(!host.ask(file).is_error);
    assert_eq!(fs::read_to_string(host.at("e")).unwrap(), "ours");
    let told = host.ask(view("/memories_backup/f"));
    assert_eq!(
        told.text,
        "Path must start with /memories, got: /memories_backup/f"
    );
}

#[test]
fn a_link_inside_is_changed_itself_and_python_changes_what_it_names() {
    for (dialect, link_is_kept) in [("typescript", false), ("docs", false), ("python", true)] {
        let env = TestEnv::new();
        let host = Host::new(&env, &["--dialect", dialect]);
        host.put("real.txt", "old");
        symlink("real.txt", host.at("link.txt")).unwrap();
        assert!(
            host.ask(view("/memories/link.txt"))
                .text
                .ends_with("     1\told"),
            "{dialect}"
        );
        assert!(
            !host
                .ask(replace("/memories/link.txt", "old", "new"))
                .is_error
        );
        let real = host.text("real.txt").unwrap();
        assert_eq!(real, if link_is_kept { "new" } else { "old" });
        assert_eq!(host.text("link.txt").unwrap(), "new");
        assert_eq!(host.at("link.txt").is_symlink(), link_is_kept);
        symlink("nothing", host.at("dangling")).unwrap();
        let told = host.ask(view("/memories/dangling")).text;
        let expected = match dialect {
            "python" => "The path /memories/dangling does not exist. Please provide a valid path.",
            _ => "Unsupported file type for /memories/dangling",
        };
        assert_eq!(told, expected);
    }
}
