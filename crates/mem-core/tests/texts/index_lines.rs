//! Pointers are added, changed and taken out; every other byte of the index stays.

use mem_core::index::{MemoryIndex, NewIndexEntry, ReferenceKind, put, remove, rename};
use mem_core::{MemoryPath, MemoryType};
use proptest::prelude::*;

pub(crate) fn path(text: &str) -> MemoryPath {
    MemoryPath::parse(text).unwrap()
}

fn put_text(index: &str, file: &str, title: &str, hook: &str) -> String {
    let file = path(file);
    let pointer = NewIndexEntry {
        file: &file,
        title,
        hook,
        kind: Some(MemoryType::Feedback),
    };
    String::from_utf8(put(index.as_bytes(), &pointer)).unwrap()
}

/// File, title and hook of every entry.
fn entries(index: &str) -> Vec<(String, String, String)> {
    let bytes = index.as_bytes();
    let parsed = MemoryIndex::parse(bytes);
    let entry = |(_, e): (usize, &mem_core::index::IndexEntry)| {
        (e.file().to_owned(), e.title(bytes), e.hook(bytes))
    };
    parsed.entries().map(entry).collect()
}

#[test]
fn entries_are_read_in_every_spelling() {
    let lines = [
        "- [T](a.md) — h",
        "* [T](a.md) - h",
        "+ [T](./a.md): h",
        "- [T](<a.md>) -- h",
        "  - [T](a.md) – h",
        "1. [T](a.md) h",
        "- **[T](a.md)** — h",
        "- [T](%61.md) — h",
        "- [T](a.md#part \"x\") — h",
    ];
    for line in lines {
        assert_eq!(
            entries(line),
            [("a.md".into(), "T".into(), "h".into())],
            "{line}"
        );
    }
    assert_eq!(
        entries("- [T](file name.md)"),
        [("file name.md".into(), "T".into(), "".into())]
    );
}

#[test]
fn what_is_no_entry_is_left_alone() {
    for line in [
        "see [T](a.md)",
        "| [T](a.md) | h |",
        "## [T](a.md)",
        "- see [T](a.md)",
        "- [[a]] — h",
        "- [T](https://a.md/) — h",
        "```\n- [T](a.md)\n```",
        "<!--\n- [T](a.md)\n-->",
        "---\nx: |\n - [T](a.md)\n---\n",
        "- [A](a.md), [B](b.md)",
    ] {
        assert_eq!(entries(line), [], "{line}");
    }
}

#[test]
fn a_new_entry_goes_below_the_last_one() {
    assert_eq!(put_text("", "b.md", "B", "h"), "- [B](b.md) — h\n");
    assert_eq!(
        put_text("# Memory\n", "b.md", "B", ""),
        "# Memory\n\n- [B](b.md)\n"
    );
    assert_eq!(
        put_text(
            "# M\r\n- [A](a.md) — x\r\n  more of a\r\n\r\nprose\r\n",
            "b.md",
            "B",
            "h"
        ),
        "# M\r\n- [A](a.md) — x\r\n  more of a\r\n- [B](b.md) — h\r\n\r\nprose\r\n"
    );
    assert_eq!(
        put_text("- [A](a.md)", "b.md", "B", "h"),
        "- [A](a.md)\n- [B](b.md) — h"
    );
    assert_eq!(
        put_text("```\nopen code", "b.md", "B", "h"),
        "- [B](b.md) — h\n```\nopen code"
    );
}

#[test]
fn a_section_of_the_type_takes_its_own() {
    let index = "## Feedback\n- [A](a.md)\n\n## Projects\n- [P](p.md)\n";
    assert_eq!(
        put_text(index, "b.md", "B", ""),
        "## Feedback\n- [A](a.md)\n- [B](b.md)\n\n## Projects\n- [P](p.md)\n"
    );
}

#[test]
fn an_entry_that_is_there_is_updated_in_place() {
    let index = "* [A](./a.md): old\n- [B](b.md)\n| [T](t.md) | x |\n";
    assert_eq!(
        put_text(index, "a.md", "A", "new"),
        index.replace("old", "new")
    );
    assert_eq!(
        put_text(index, "b.md", "C", "h"),
        index.replace("[B](b.md)", "[C](b.md) — h")
    );
    assert_eq!(put_text(index, "t.md", "T", "h"), index);
    let unicode = "- [A](caf\u{e9}.md) — x\n";
    assert_eq!(put_text(unicode, "cafe\u{301}.md", "A", "x"), unicode);
}

#[test]
fn titles_and_hooks_cannot_break_the_line() {
    let hostile = "a] (x.md) [b\n- [c](d.md)\u{1b} `";
    let index = put_text(
        "",
        "sp ace(1).md",
        hostile,
        &format!("{hostile} {}", "long ".repeat(90)),
    );
    assert_eq!(index.lines().count(), 1, "{index}");
    assert!(index.trim_end().chars().count() <= 200, "{index}");
    assert_eq!(entries(&index).len(), 1, "{index}");
    assert_eq!(entries(&index)[0].0, "sp ace(1).md");
    assert_eq!(entries(&index)[0].1, "a] (x.md) [b - [c](d.md) `");
}

#[test]
fn removing_takes_the_entry_and_its_own_text() {
    let index = "- [A](a.md) — x\n  of a\n- [B](b.md)\nprose with [A](a.md)\n";
    let after = remove(index.as_bytes(), &path("a.md"));
    assert_eq!(
        String::from_utf8(after).unwrap(),
        "- [B](b.md)\nprose with [A](a.md)\n"
    );
}

#[test]
fn renaming_follows_every_link() {
    let index =
        "- [A](a.md#x) — see [[a]]\nprose [A](<a.md>), [[a|b]], [[ab]]\n`x`\n```\n[A](a.md)\n```\n";
    let after = rename(index.as_bytes(), &path("a.md"), &path("new name.md"));
    assert_eq!(
        String::from_utf8(after).unwrap(),
        "- [A](new%20name.md#x) — see [[new name]]\nprose [A](new%20name.md), [[new name|b]], [[ab]]\n`x`\n```\n[A](a.md)\n```\n"
    );
}

#[test]
fn mentions_count_wikilinks() {
    let index = MemoryIndex::parse(b"see [[No Mocks]] and [[feedback_x|shown]]\n| [p](p.md) |\n");
    let mentioned = |file: &str, title: &str| {
        index
            .mentions()
            .iter()
            .filter_map(|m| m.of(&path(file), title))
            .max()
    };
    assert_eq!(mentioned("a.md", "No mocks"), Some(ReferenceKind::Wiki));
    assert_eq!(mentioned("feedback_x.md", ""), Some(ReferenceKind::Wiki));
    assert_eq!(mentioned("p.md", ""), Some(ReferenceKind::Link));
    assert_eq!(mentioned("other.md", "Other"), None);
}

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "- \\[[a-c ]{1,3}\\]\\([a-c]\\.md\\)( — [a-z ]{0,9})?",
        1 => "[ -~]{0,20}",
        1 => prop::sample::select(vec!["", "# H", "## Feedback", "```", "~~~", "<!--", "-->", "<!-- x -->", "---",
            "| [t](a.md) | [[b]] |", "  deeper", "* [x](<a.md>): y", "\u{feff}", "- [x](b.md) [y](c.md)"])
            .prop_map(str::to_owned),
    ]
}

pub(crate) fn index_text() -> impl Strategy<Value = String> {
    let eol = prop::sample::select(vec!["\n", "\r\n"]);
    (prop::collection::vec(line(), 0..9), eol, any::<bool>())
        .prop_map(|(lines, eol, end)| lines.join(eol) + if end { eol } else { "" })
}

/// The lines of `part` stand in `whole` in the same order.
fn is_kept(part: &str, whole: &str) -> bool {
    let part = part.trim_start_matches('\u{feff}');
    let mut lines = whole.trim_start_matches('\u{feff}').lines();
    part.lines().all(|line| lines.any(|other| other == line))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn parsing_loses_nothing(bytes in prop::collection::vec(any::<u8>(), 0..120), text in index_text()) {
        for bytes in [&bytes[..], text.as_bytes()] {
            let index = MemoryIndex::parse(bytes);
            let mut next = index.lines().first().map_or(bytes.len(), |line| line.start);
            prop_assert!(next == bytes.len() || next == 0 || next == 3);
            for line in index.lines() {
                prop_assert_eq!(line.start, next);
                next = line.next;
            }
            prop_assert_eq!(next, bytes.len());
        }
    }

    #[test]
    fn putting_gives_one_entry_and_keeps_the_rest(text in index_text(), title: String, hook: String) {
        let before = entries(&text);
        let after = put_text(&text, "new.md", &title, &hook);
        let new: Vec<_> = entries(&after).into_iter().filter(|(file, ..)| file == "new.md").collect();
        prop_assert_eq!(new.len(), 1, "{:?}", after);
        prop_assert_eq!(entries(&after).len(), before.len() + 1);
        prop_assert!(is_kept(&text, &after), "{:?} -> {:?}", text, after);
        prop_assert!(after.lines().filter(|line| line.contains("new.md")).all(|line| line.chars().count() <= 200));
        // Doing it again changes nothing, and taking it out gives the old lines.
        prop_assert_eq!(&put_text(&after, "new.md", &title, &hook), &after);
        let out = String::from_utf8(remove(after.as_bytes(), &path("new.md"))).unwrap();
        prop_assert!(is_kept(&text, &out), "{:?} -> {:?}", text, out);
        prop_assert_eq!(entries(&out), before);
    }
}
