//! The suite of the Python SDK's file system memory tool, re-created as tables: what it asks, and
//! what the released package answers. Its sync and async halves ask the same; here the halves are
//! one process for all, and one for each.

use mem_tests::TestEnv;
use serde_json::json;

use super::host::{Host, Step, check, create, delete, insert, rename, replace, view, view_range};

pub(super) fn table(name: &str, steps: &[Step]) {
    check("python", name, steps);
}

#[test]
fn create_and_view() {
    let created = "File created successfully at: /memories/test.txt";
    table(
        "create",
        &[
            (create("/memories/test.txt", "Hello, World!"), Ok(created)),
            (
                create("/memories/test.txt", "again"),
                Err("File /memories/test.txt already exists"),
            ),
            (
                create("/memories/a/b/c.txt", "deep"),
                Ok("File created successfully at: /memories/a/b/c.txt"),
            ),
            (
                create("/memories/a", "x"),
                Err("File /memories/a already exists"),
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
        ],
    );
    let lines = "Line 1\nLine 2\nLine 3\nLine 4\nLine 5";
    let range = |range| view_range("/memories/l", range);
    table(
        "ranges",
        &[
            (
                create("/memories/l", lines),
                Ok("File created successfully at: /memories/l"),
            ),
            (
                range(json!([2, 4])),
                Ok(
                    "Here's the content of /memories/l with line numbers:\n     2\tLine 2\n     3\tLine 3\n     4\tLine 4",
                ),
            ),
            (
                range(json!([4, -1])),
                Ok(
                    "Here's the content of /memories/l with line numbers:\n     4\tLine 4\n     5\tLine 5",
                ),
            ),
            (
                range(json!([3, -2])),
                Ok("Here's the content of /memories/l with line numbers:\n     3\tLine 3"),
            ),
            (
                range(json!([6, 9])),
                Ok("Here's the content of /memories/l with line numbers:\n"),
            ),
            (
                range(json!([3, 2])),
                Ok("Here's the content of /memories/l with line numbers:\n"),
            ),
            (
                view("/memories/none.txt"),
                Err("The path /memories/none.txt does not exist. Please provide a valid path."),
            ),
            (
                view("/memories/l/x"),
                Err("The path /memories/l/x does not exist. Please provide a valid path."),
            ),
        ],
    );
    table(
        "odd characters",
        &[
            (
                create("/memories/o", "a\r\nb\u{c}\u{2028}\u{feff}\n"),
                Ok("File created successfully at: /memories/o"),
            ),
            (
                view("/memories/o"),
                Ok(
                    "Here's the content of /memories/o with line numbers:\n     1\ta\r\n     2\tb\u{c}\u{2028}\u{feff}\n     3\t",
                ),
            ),
            (
                create("/memories/e", ""),
                Ok("File created successfully at: /memories/e"),
            ),
            (
                view("/memories/e"),
                Ok("Here's the content of /memories/e with line numbers:\n     1\t"),
            ),
        ],
    );
}

#[test]
fn a_directory_is_listed_two_levels_deep() {
    let env = TestEnv::new();
    let host = Host::new(&env, &["--dialect", "python"]);
    let texts = [
        ("b.txt", 5),
        ("a/x.md", 1536),
        ("a/deep/y", 1024),
        ("a/deep/z/far", 1),
    ];
    for (file, size) in
        texts
            .into_iter()
            .chain([(".hidden", 3), ("node_modules/m", 0), ("Z", 1025)])
    {
        host.put(file, "x".repeat(size));
    }
    let told = host.ask(view("/memories"));
    // The size of a directory is the file system's business.
    let lines = told.text.lines().map(|line| match line.rsplit_once('\t') {
        Some((_, path)) if path.ends_with('/') || path == "/memories" => format!("*\t{path}"),
        _ => line.to_owned(),
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items:",
            "*\t/memories",
            "1.0K\t/memories/Z",
            "*\t/memories/a/",
            "*\t/memories/a/deep/",
            "1.5K\t/memories/a/x.md",
            "5B\t/memories/b.txt",
            "*\t/memories/node_modules/",
            "0B\t/memories/node_modules/m",
        ]
    );
    let slash = host.ask(view("/memories/a/deep/")).text;
    assert!(
        slash.ends_with(
            "\n1K\t/memories/a/deep//y\n*\t/memories/a/deep//z/\n1B\t/memories/a/deep//z/far"
        ) || slash.contains("\n1K\t/memories/a/deep//y\n"),
        "{slash}"
    );
    let hidden = host.ask(view("/memories/.hidden"));
    assert!(!hidden.is_error && hidden.text.ends_with("     1\txxx"));
}

#[test]
fn a_million_lines_are_too_many() {
    let env = TestEnv::new();
    for (dialect, expected) in [
        (
            "python",
            "File /memories/big exceeds maximum line limit of 999,999 lines.",
        ),
        (
            "docs",
            "File /memories/big exceeds maximum line limit of 999,999 lines.",
        ),
        (
            "typescript",
            "File /memories/big has too many lines (1000000). Maximum is 999,999 lines.",
        ),
    ] {
        let host = Host::named(&env, dialect, &["--dialect", dialect]);
        host.put("big", "\n".repeat(999_999));
        let told = host.ask(view("/memories/big"));
        assert_eq!((told.text.as_str(), told.is_error), (expected, true));
    }
}

#[test]
fn str_replace() {
    table(
        "one",
        &[
            (
                create("/memories/f", "Hello World\nGoodbye"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                replace("/memories/f", "World", "$& Universe"),
                Ok(concat!(
                    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n",
                    "     1\tHello $& Universe\n     2\tGoodbye"
                )),
            ),
            (
                replace("/memories/f", "nothing", "x"),
                Err(
                    "No replacement was performed, old_str `nothing` did not appear verbatim in /memories/f.",
                ),
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
        "many",
        &[
            (
                create("/memories/f", "Hello\nMiddle\nHello"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                replace("/memories/f", "Hello", "x"),
                Err(
                    "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. Please ensure it is unique",
                ),
            ),
            (
                replace("/memories/f", "Hello\nMiddle", "One"),
                Ok(concat!(
                    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n",
                    "     1\tOne\n     2\tHello"
                )),
            ),
        ],
    );
}

#[test]
fn insertion() {
    let edited = "The file /memories/f has been edited.";
    for (line, expected) in [
        (0, "     1\tNew\n     2\tLine 1\n     3\tLine 2\n     4\t"),
        (1, "     1\tLine 1\n     2\tNew\n     3\tLine 2\n     4\t"),
        (2, "     1\tLine 1\n     2\tLine 2\n     3\tNew\n     4\t"),
    ] {
        let env = TestEnv::new();
        let host = Host::new(&env, &["--dialect", "python"]);
        let steps = [
            create("/memories/f", "Line 1\nLine 2"),
            insert("/memories/f", line, "New\n"),
            view("/memories/f"),
        ];
        let told = host.all(&steps);
        assert_eq!(told[1].text, edited);
        assert_eq!(
            told[2].text,
            format!("Here's the content of /memories/f with line numbers:\n{expected}")
        );
    }
    table(
        "refused",
        &[
            (
                insert("/memories/none", 0, "x"),
                Err("The path /memories/none does not exist. Please provide a valid path."),
            ),
            (
                create("/memories/f", "Line 1\nLine 2"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                insert("/memories/f", 10, "x"),
                Err("Invalid `insert_line` parameter: 10. It should be within the range [0, 2]."),
            ),
            (
                insert("/memories/f", -1, "x"),
                Err("Invalid `insert_line` parameter: -1. It should be within the range [0, 2]."),
            ),
            (
                insert("/memories", 0, "x"),
                Err("The path /memories is not a file."),
            ),
        ],
    );
}

#[test]
fn deletion_and_renaming() {
    table(
        "delete",
        &[
            (
                create("/memories/f", "x"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                delete("/memories/f"),
                Ok("Successfully deleted /memories/f"),
            ),
            (
                delete("/memories/f"),
                Err("The path /memories/f does not exist"),
            ),
            (
                create("/memories/d/e/f", "x"),
                Ok("File created successfully at: /memories/d/e/f"),
            ),
            (
                delete("/memories/d"),
                Ok("Successfully deleted /memories/d"),
            ),
            (
                view("/memories/d/e/f"),
                Err("The path /memories/d/e/f does not exist. Please provide a valid path."),
            ),
            (
                delete("/memories"),
                Err("Cannot delete the /memories directory itself"),
            ),
            (
                delete("/memories/"),
                Err("Cannot delete the /memories directory itself"),
            ),
            (
                delete("/memories/."),
                Err("Cannot delete the /memories directory itself"),
            ),
            (
                delete("/memories/x/.."),
                Err("Cannot delete the /memories directory itself"),
            ),
        ],
    );
    table(
        "rename",
        &[
            (
                create("/memories/old", "x"),
                Ok("File created successfully at: /memories/old"),
            ),
            (
                rename("/memories/old", "/memories/n/e/w"),
                Ok("Successfully renamed /memories/old to /memories/n/e/w"),
            ),
            (
                rename("/memories/old", "/memories/y"),
                Err("The path /memories/old does not exist"),
            ),
            (
                create("/memories/z", "z"),
                Ok("File created successfully at: /memories/z"),
            ),
            (
                rename("/memories/z", "/memories/n/e/w"),
                Err("The destination /memories/n/e/w already exists"),
            ),
            (
                rename("/memories/z", "/memories/z"),
                Err("The destination /memories/z already exists"),
            ),
            (
                rename("/memories/gone", "/memories/z"),
                Err("The destination /memories/z already exists"),
            ),
            (
                rename("/memories", "/memories/q"),
                Err("Cannot rename the /memories directory itself"),
            ),
            (
                rename("/memories/n", "/memories/m"),
                Ok("Successfully renamed /memories/n to /memories/m"),
            ),
            (
                view("/memories/m/e/w"),
                Ok("Here's the content of /memories/m/e/w with line numbers:\n     1\tx"),
            ),
        ],
    );
}
