//! The house rules, as a test over the working tree: what CONTRIBUTING.md says holds here.

mod source;

use std::path::Path;
use std::{fs, iter};

use source::Source;

/// What may stand at the top level, beside files that begin with a dot.
const TOP_LEVEL: [&str; 16] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "crates",
    "deny.toml",
    "docs",
    "rustfmt.toml",
    "templates",
    "tests",
];

/// Module names that say nothing about a subject.
const EMPTY_NAMES: [&str; 8] = [
    "common", "helper", "helpers", "manager", "misc", "service", "types", "utils",
];

/// Paths of a machine that the project was written on; in pieces, so that this file passes.
const MACHINE_PATHS: [&str; 6] = [
    concat!("/ro", "ot/"),
    concat!("/tmp", "/wt"),
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/shared"),
    concat!("..", "/shared/"),
    concat!("/Us", "ers/"),
];

/// Fails with every complaint at once.
#[track_caller]
fn assert_none(rule: &str, complaints: impl IntoIterator<Item = String>) {
    let complaints: Vec<String> = complaints.into_iter().collect();
    assert!(
        complaints.is_empty(),
        "{rule}:\n  {}",
        complaints.join("\n  ")
    );
}

/// Where a line of a file matches.
fn lines_with<'s>(
    source: &'s Source,
    lines: impl IntoIterator<Item = &'s str> + 's,
    is_bad: impl Fn(&str) -> bool + 's,
) -> impl Iterator<Item = String> + 's {
    iter::zip(1.., lines)
        .filter(move |(_, line)| is_bad(line))
        .map(|(number, line)| format!("{}:{number}: {}", source.name, line.trim()))
}

#[test]
fn every_file_says_why_it_exists() {
    let silent = source::rust().into_iter().filter(|source| {
        let header = source.text.lines().take(10);
        !header.into_iter().any(|line| line.starts_with("//!"))
    });
    assert_none(
        "a file has no `//!` header",
        silent.map(|source| source.name),
    );
}

#[test]
fn every_file_is_part_of_its_crate() {
    // cargo-fuzz names its targets in a manifest of their own.
    let is_fuzz = |source: &Source| source.segments().any(|name| name == "fuzz_targets");
    let orphans = source::rust().into_iter();
    let orphans = orphans.filter(|source| source::is_orphan(source) && !is_fuzz(source));
    assert_none("no `mod` line names it", orphans.map(|source| source.name));
}

#[test]
fn module_names_name_a_subject() {
    let empty = source::rust()
        .into_iter()
        .filter(|source| source.segments().any(|name| EMPTY_NAMES.contains(&name)));
    assert_none("this name says nothing", empty.map(|source| source.name));
}

#[test]
fn lints_are_expected_never_allowed() {
    let starts = [concat!("#[", "allow"), concat!("#![", "allow")];
    let sources = source::rust();
    let found = sources.iter().flat_map(|source| {
        lines_with(source, source.text.lines(), |line| {
            starts.iter().any(|start| line.trim().starts_with(start))
        })
    });
    assert_none("write `#[expect(.., reason = ..)]`", found);
}

#[test]
fn production_code_never_unwraps() {
    let calls = [concat!(".unw", "rap()"), concat!(".exp", "ect(\"")];
    let sources = source::production();
    let found = sources.iter().flat_map(|source| {
        lines_with(source, source.production(), |line| {
            !line.trim().starts_with("//") && calls.iter().any(|call| line.contains(call))
        })
    });
    assert_none("return an error instead", found);
}

/// The SDK of MCP changes its major version several times a year.
#[test]
fn the_sdk_of_mcp_stays_in_its_folders() {
    let sources = source::production();
    let folders = ["crates/mem-tools/src/mcp/", "crates/mem-server/src/mcp/"];
    let is_within = |name: &str| folders.iter().any(|folder| name.starts_with(folder));
    let elsewhere = sources.iter().filter(|source| !is_within(&source.name));
    let found = elsewhere.flat_map(|source| {
        lines_with(source, source.production(), |line| {
            !line.trim().starts_with("//") && line.contains("rmcp::")
        })
    });
    assert_none("only the two `mcp/` folders know rmcp", found);
}

/// An answer that is read elsewhere would have no limit, and no time to come in.
#[test]
fn answers_are_read_in_one_place() {
    let sources = source::production();
    let is_within = |name: &str| name.starts_with("crates/mem-http/");
    let elsewhere = sources.iter().filter(|source| !is_within(&source.name));
    let calls = [".chunk()", ".bytes_stream()", "Client::builder()"];
    let found = elsewhere.flat_map(|source| {
        lines_with(source, source.production(), |line| {
            !line.trim().starts_with("//") && calls.iter().any(|call| line.contains(call))
        })
    });
    assert_none("only mem-http makes clients and reads answers", found);
}

#[test]
fn no_path_of_a_machine_is_left() {
    let texts = source::texts();
    let found = texts.iter().flat_map(|source| {
        lines_with(source, source.text.lines(), |line| {
            // SCIM has a path of that name (RFC 7644).
            let line = line.replace("/scim/v2/Users/", "");
            MACHINE_PATHS.iter().any(|path| line.contains(path))
        })
    });
    assert_none("a path of somebody's machine", found);
}

#[test]
fn the_top_level_holds_what_is_listed() {
    let strangers = fs::read_dir(source::root()).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = name.starts_with('.') || name == "target" || TOP_LEVEL.contains(&&*name);
        (!known).then_some(name)
    });
    assert_none("this does not belong at the top level", strangers);
}

#[test]
fn the_changelog_is_open() {
    let changelog = fs::read_to_string(source::root().join("CHANGELOG.md")).unwrap();
    assert!(changelog.contains("## Unreleased"));
}

#[test]
fn every_crate_takes_the_workspace_lints() {
    let lax = source::texts().into_iter().filter(|source| {
        let path = Path::new(&source.name);
        path.ends_with("Cargo.toml")
            && path != Path::new("Cargo.toml")
            // A workspace of its own cannot take another's lints.
            && !source.text.contains("\n[workspace]\n")
            && !source.text.contains("[lints]\nworkspace = true")
    });
    assert_none(
        "it lacks the workspace lints",
        lax.map(|source| source.name),
    );
}

#[test]
fn every_published_crate_says_what_it_is() {
    let keys = [
        "\ndescription = \"",
        "\nlicense",
        "\nkeywords",
        "\ncategories",
        "\ndocumentation = \"https://docs.rs/",
    ];
    let published = source::texts().into_iter().filter(|source| {
        source.name.ends_with("/Cargo.toml")
            && !source.text.contains("publish = false")
            && !source.text.contains("\n[workspace]\n")
    });
    let lacking = published.filter(|source| !keys.iter().all(|key| source.text.contains(key)));
    assert_none("it lacks a key", lacking.map(|source| source.name));
}
