//! The dialect of the published page, which is the default: its prefixes, its sizes.

use mem_tests::TestEnv;

use super::host::{Host, Step, check, create, delete, insert, rename, replace, view};

fn table(name: &str, steps: &[Step]) {
    check("docs", name, steps);
}

#[test]
fn errors_have_the_prefixes_of_the_page() {
    table(
        "errors",
        &[
            (
                create("/memories/f", "Hello\nMiddle\nHello\n"),
                Ok("File created successfully at: /memories/f"),
            ),
            (
                create("/memories/f", "x"),
                Err("Error: File /memories/f already exists"),
            ),
            (
                create("/memories/d/g", "x"),
                Ok("File created successfully at: /memories/d/g"),
            ),
            (
                view("/memories/x"),
                Err("The path /memories/x does not exist. Please provide a valid path."),
            ),
            (
                replace("/memories/x", "a", "b"),
                Err("Error: The path /memories/x does not exist. Please provide a valid path."),
            ),
            (
                replace("/memories/d", "a", "b"),
                Err("Error: The path /memories/d does not exist. Please provide a valid path."),
            ),
            (
                replace("/memories/f", "none", "b"),
                Err(
                    "No replacement was performed, old_str `none` did not appear verbatim in /memories/f.",
                ),
            ),
            (
                replace("/memories/f", "Hello", "b"),
                Err(
                    "No replacement was performed. Multiple occurrences of old_str `Hello` in lines: 1, 3. Please ensure it is unique",
                ),
            ),
            (
                insert("/memories/x", 0, "b"),
                Err("Error: The path /memories/x does not exist"),
            ),
            (
                insert("/memories/d", 0, "b"),
                Err("Error: The path /memories/d does not exist"),
            ),
            (
                insert("/memories/f", 9, "b"),
                Err(
                    "Error: Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 4]",
                ),
            ),
            (
                delete("/memories/x"),
                Err("Error: The path /memories/x does not exist"),
            ),
            (
                delete("/memories"),
                Err("Cannot delete the /memories directory itself"),
            ),
            (
                rename("/memories/x", "/memories/y"),
                Err("Error: The path /memories/x does not exist"),
            ),
            (
                rename("/memories/f", "/memories/d"),
                Err("Error: The destination /memories/d already exists"),
            ),
            (
                rename("/memories/d", "/memories/d/e"),
                Err("The path /memories/d cannot be moved into itself"),
            ),
            (
                rename("/memories/f", "/memories/e/f"),
                Ok("Successfully renamed /memories/f to /memories/e/f"),
            ),
            (
                insert("/memories/e/f", 2, "between\n"),
                Ok("The file /memories/e/f has been edited."),
            ),
            (
                replace("/memories/e/f", "Middle\nbetween", "one"),
                Ok(
                    "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tHello\n     2\tone\n     3\tHello\n     4\t",
                ),
            ),
            (
                delete("/memories/e"),
                Ok("Successfully deleted /memories/e"),
            ),
        ],
    );
}

#[test]
fn sizes_have_one_decimal_and_node_modules_is_left_out() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    for (file, size) in [
        ("guidelines.xml", 1536),
        ("policies.xml", 2048),
        ("small", 7),
        ("node_modules/m", 1),
        (".git/x", 1),
    ] {
        host.put(file, "x".repeat(size));
    }
    let told = host.ask(view("/memories")).text;
    let (header, rest) = told.split_once('\n').unwrap();
    assert_eq!(
        header,
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:"
    );
    let (own, rest) = rest.split_once('\n').unwrap();
    assert!(own.ends_with("\t/memories"), "{own}");
    assert_eq!(
        rest,
        "1.5K\t/memories/guidelines.xml\n2.0K\t/memories/policies.xml\n7B\t/memories/small"
    );
}

#[test]
fn the_sdks_name_every_line_and_the_page_a_thousand() {
    let env = TestEnv::new();
    for (dialect, end) in [
        ("docs", ", 999, 1000, .... Please ensure it is unique"),
        ("python", ", 1200, 1201. Please ensure it is unique"),
        ("typescript", ", 1200, 1201. Please ensure it is unique"),
    ] {
        let host = Host::named(&env, dialect, &["--dialect", dialect]);
        host.put("many", "x\n".repeat(1_200) + "x");
        let told = host.ask(replace("/memories/many", "x", "y")).text;
        assert!(told.ends_with(end), "{dialect}: {told}");
    }
}

#[test]
fn a_trailing_slash_of_a_directory_is_ignored() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    host.put("d/f", "x");
    let told = host.ask(view("/memories/d")).text;
    assert!(told.contains("\t/memories/d/f"), "{told}");
    assert_eq!(host.ask(view("/memories/d/")).text, told);
}

#[test]
fn an_empty_input_makes_the_directory_and_says_nothing() {
    let env = TestEnv::new();
    let host = Host::new(&env, &[]);
    for input in ["", "\n"] {
        let output = host.run(&[], input).assert_ok();
        assert_eq!(output.shown(), "exit 0\n--- stdout\n--- stderr\n");
    }
    assert!(host.at("").is_dir());
    assert_eq!(std::fs::read_dir(&host.base).unwrap().count(), 1);
    assert!(
        env.files_under(&env.home()).is_empty(),
        "a plain directory has no history"
    );
}
