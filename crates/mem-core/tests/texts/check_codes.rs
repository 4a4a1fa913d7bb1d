//! Every code of the check, on a small directory that earns it.

use mem_core::check::{CheckCode, CheckFinding, CheckInput, CheckSeverity, CheckedNote, check};
use mem_core::topic::TopicFile;
use mem_core::{MemoryPath, Scope};

use super::index_lines::path;

fn findings(index: &str, notes: &[(&str, &str)]) -> Vec<CheckFinding> {
    let read: Vec<(MemoryPath, TopicFile, &str)> = notes
        .iter()
        .map(|(file, text)| (path(file), TopicFile::parse(text.as_bytes()), *text))
        .collect();
    let notes: Vec<_> = read
        .iter()
        .map(|(path, topic, text)| CheckedNote {
            path,
            topic,
            bytes: text.as_bytes(),
        })
        .collect();
    check(&CheckInput {
        scope: Scope::Private,
        notes: &notes,
        unreadable: &[],
        index: Some(index.as_bytes()),
        archive: None,
    })
}

/// Code, file and line of what is found.
fn codes(index: &str, notes: &[(&str, &str)]) -> Vec<(CheckCode, String, Option<usize>)> {
    let found = findings(index, notes).into_iter();
    found.map(|f| (f.code, f.file, f.line)).collect()
}

fn only(
    code: CheckCode,
    file: &str,
    line: Option<usize>,
) -> Vec<(CheckCode, String, Option<usize>)> {
    vec![(code, file.to_owned(), line)]
}

const GOOD: &str = "---\nname: A\ndescription: says more\ntype: user\n---\nbody\n";

#[test]
fn a_good_directory_has_no_findings() {
    let readme = ("README.md", "# About\n");
    assert_eq!(
        codes("# M\n- [A](a.md) — h\n", &[("a.md", GOOD), readme]),
        []
    );
}

#[test]
fn a_note_that_cannot_be_read_is_told_once_and_is_not_dangling() {
    let unreadable = [(path("a.md"), "cannot read `a.md`".to_owned())];
    let found = check(&CheckInput {
        scope: Scope::Private,
        notes: &[],
        unreadable: &unreadable,
        index: Some(b"- [A](a.md) \xe2\x80\x94 h\n"),
        archive: None,
    });
    let found: Vec<_> = found.iter().map(|one| (one.code, &*one.file)).collect();
    assert_eq!(found, [(CheckCode::Unreadable, "a.md")]);
}

#[test]
fn the_index_and_the_files_must_agree() {
    assert_eq!(
        codes("", &[("a.md", GOOD)]),
        only(CheckCode::Orphan, "a.md", None)
    );
    assert_eq!(
        codes("\n- [X](x.md)\n", &[]),
        only(CheckCode::Dangling, "MEMORY.md", Some(2))
    );
    assert_eq!(
        codes("see [X](x.md)\n", &[]),
        only(CheckCode::DanglingLink, "MEMORY.md", Some(1))
    );
    let twice = "- [A](a.md)\n- [A](a.md)\n";
    assert_eq!(
        codes(twice, &[("a.md", GOOD)]),
        only(CheckCode::RepeatedPointer, "MEMORY.md", Some(2))
    );
    assert_eq!(
        findings("- [X](x.md)", &[])[0].fix.as_deref(),
        Some("mem index repair")
    );
}

#[test]
fn the_size_of_the_index_is_watched() {
    let lines = |count| "- point\n".repeat(count);
    assert_eq!(codes(&lines(179), &[]), []);
    assert_eq!(
        codes(&lines(180), &[]),
        only(CheckCode::NearCap, "MEMORY.md", None)
    );
    assert_eq!(codes(&lines(201), &[])[0].0, CheckCode::OverCap);
    let long = format!("- {}\n", "x".repeat(199));
    assert_eq!(
        codes(&long, &[]),
        only(CheckCode::LongIndexLine, "MEMORY.md", Some(1))
    );
    let prose = format!("# M\n\n{}", "prose prose prose\n".repeat(30));
    assert_eq!(
        codes(&prose, &[]),
        only(CheckCode::ContentInIndex, "MEMORY.md", Some(3))
    );
    assert_eq!(
        codes("---\na: b\n---\n", &[]),
        only(CheckCode::ContentInIndex, "MEMORY.md", Some(1))
    );
}

#[test]
fn notes_are_held_to_their_fields() {
    let index = "- [A](a.md)\n";
    let of = |text: &str| codes(index, &[("a.md", text)]);
    assert_eq!(
        of(&GOOD.replace("type: user\n", "")),
        only(CheckCode::MissingType, "a.md", None)
    );
    assert_eq!(
        of(&GOOD.replace("user", "report")),
        only(CheckCode::UnknownType, "a.md", None)
    );
    assert_eq!(
        of(&GOOD.replace("body\n", " \n")),
        only(CheckCode::Empty, "a.md", None)
    );
    assert_eq!(
        of(&GOOD.replace("says more", "\"\"")),
        only(CheckCode::MissingDescription, "a.md", None)
    );
    assert_eq!(
        of(&GOOD.replace("more", &"x".repeat(200))),
        only(CheckCode::LongDescription, "a.md", None)
    );
    assert_eq!(
        of(&GOOD.replace("says more", "“a.”")),
        only(CheckCode::DescriptionRepeatsName, "a.md", None)
    );
    // A note of one sentence has nothing more to say.
    assert_eq!(
        of(&GOOD.replace("says more", "a").replace("body", "a.")),
        []
    );
    assert_eq!(
        of(&GOOD.replace("says", "says: x")),
        only(CheckCode::UnreadableFrontmatter, "a.md", Some(3))
    );
    assert_eq!(
        of(&GOOD.replace("more", "#1")),
        only(CheckCode::UnreadableFrontmatter, "a.md", Some(3))
    );
}

#[test]
fn copies_name_their_original() {
    let index = "- [A](a.md)\n- [B](b.md)\n";
    let found = findings(
        index,
        &[
            ("a.md", GOOD),
            ("b.md", &GOOD.replace("name: A", "name: B")),
        ],
    );
    assert_eq!(
        (found.len(), found[0].code, found[0].file.as_str()),
        (1, CheckCode::Duplicate, "b.md")
    );
    assert!(found[0].message.contains("`a.md`"));
    assert_eq!(found[0].severity, CheckSeverity::Warning);
    assert_eq!(found[0].fix.as_deref(), Some("mem remove b.md"));
}

#[test]
fn of_copies_the_one_that_says_most_about_itself_stays() {
    let bare = "---\nname: A\ntype: user\n---\nbody\n";
    let index = "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n";
    let notes = [("a.md", bare), ("b.md", GOOD), ("c.md", GOOD)];
    let found = findings(index, &notes);
    let copies = found.iter().filter(|one| one.code == CheckCode::Duplicate);
    let told: Vec<_> = copies
        .map(|one| (one.file.as_str(), one.message.as_str()))
        .collect();
    let message = "says the very same as `b.md`";
    assert_eq!(told, [("a.md", message), ("c.md", message)]);
}
