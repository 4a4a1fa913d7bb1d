//! The index as a whole: as loaded, repaired, fitted.

use mem_core::index::{self, Age, MemoryIndex, NewIndexEntry, fit, load_index, repair, size};
use mem_core::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};
use mem_core::{MemoryPath, Scope};
use proptest::prelude::*;

use super::index_lines::{index_text, path};

fn repaired(index: &str, files: &[MemoryPath]) -> index::Repair {
    let notes: Vec<_> = files
        .iter()
        .map(|file| NewIndexEntry {
            file,
            title: file.stem(),
            hook: "h",
            kind: None,
        })
        .collect();
    repair(index.as_bytes(), None, &notes, &[], Scope::Private)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn what_is_small_is_loaded_whole() {
    let shown = load_index(b"# M\n- [A](a.md)\n");
    assert_eq!(shown.text, "# M\n- [A](a.md)\n");
    assert_eq!(
        (shown.lines, shown.units, shown.cut_lines, shown.cut_units),
        (2, 16, 0, 0)
    );
    assert!(shown.warnings.is_empty());
    assert_eq!(load_index(b"").text, "");
}

#[test]
fn frontmatter_and_comment_blocks_are_not_loaded() {
    let index = "\u{feff}---\nx: y\n---\n<!-- a\nb -->\n# M\n```\n<!-- code -->\n```\nx <!-- inline -->\n<!-- c --> d\n";
    assert_eq!(
        load_index(index.as_bytes()).text,
        "# M\n```\n<!-- code -->\n```\nx <!-- inline -->\n<!-- c --> d\n"
    );
    let open = load_index(b"<!-- never\n- [A](a.md)\n");
    assert_eq!((open.lines, open.warnings.len()), (2, 1));
}

#[test]
fn too_many_lines_are_cut_at_a_line_end() {
    let index: String = (0..250).map(|n| format!("- [{n}](f{n}.md)\n")).collect();
    let shown = load_index(index.as_bytes());
    assert_eq!((shown.lines, shown.cut_lines), (INDEX_LINES_MAX, 50));
    assert_eq!(shown.text.lines().count(), INDEX_LINES_MAX + 1);
    assert_eq!(shown.units + shown.cut_units, index.len());
    assert!(shown.text.lines().last().unwrap().contains("50 lines"));
    assert_eq!(shown.warnings.len(), 1);
}

#[test]
fn too_many_characters_are_cut_at_a_line_end() {
    let index = format!("{}\n", "x".repeat(999)).repeat(30);
    let shown = load_index(index.as_bytes());
    assert_eq!((shown.lines, shown.units, shown.cut_lines), (25, 25_000, 5));
    let exact = "y".repeat(INDEX_UNITS_MAX) + "\n";
    assert_eq!(load_index(exact.as_bytes()).warnings, Vec::<String>::new());
}

#[test]
fn one_line_over_the_cap_is_cut_between_characters() {
    let shown = load_index("\u{1f980}".repeat(20_000).as_bytes());
    assert_eq!(
        (shown.lines, shown.units, shown.cut_lines, shown.cut_units),
        (1, 25_000, 1, 15_000)
    );
    let shown = load_index(format!("x{}\nmore\n", "\u{1f980}".repeat(20_000)).as_bytes());
    assert_eq!((shown.units, shown.cut_lines), (24_999, 2));
}

#[test]
fn characters_are_counted_as_hosts_count_them() {
    let entries = (0..150).map(|n| {
        format!(
            "- [記憶の索引{n}](project_n{n}.md) — {}\n",
            "日本語の説明文がここに入ります".repeat(6)
        )
    });
    let index: String = entries.collect();
    assert!(index.len() > INDEX_UNITS_MAX);
    let shown = load_index(index.as_bytes());
    assert_eq!((shown.lines, shown.cut_units), (150, 0));
    assert!(!size(index.as_bytes()).is_over());
}

#[test]
fn repair_adds_what_is_missing_and_drops_what_is_gone() {
    let index = "# M\n- [A](a.md) — x\n- [Gone](gone.md)\n  text of gone\n| [Gone](gone2.md) |\n\
                 - [Log](logs/x.md)\n- [T](team/x.md)\n- [Pic](p.png)\n- [[c]]\n- [A](a.md)\n";
    let files: Vec<_> = ["a.md", "b.md", "c.md", "README.md", "sub/d.md"]
        .map(path)
        .into();
    let report = repaired(index, &files);
    assert_eq!(
        text(&report.bytes),
        "# M\n| [Gone](gone2.md) |\n- [Log](logs/x.md)\n- [T](team/x.md)\n\
         - [Pic](p.png)\n- [[c]]\n- [A](a.md)\n- [b](b.md) — h\n- [d](sub/d.md) — h\n"
    );
    assert_eq!(report.added, [path("b.md"), path("sub/d.md")]);
    assert_eq!((report.removed.len(), report.removed[0].line), (1, 3));
    assert_eq!((report.left.len(), report.left[0].line), (1, 5));
    assert_eq!(report.repeated, [path("a.md")]);
}

#[test]
fn one_of_several_entries_stays() {
    let one = |index: &str| text(&repaired(index, &[path("a.md")]).bytes).to_owned();
    // The one with the memory's own words, wherever it stands; the text below the others is not lost.
    assert_eq!(
        one(
            "- [X](a.md) — x\r\n  below x\r\nprose\r\n- [a](./a.md) — h\r\n  own\r\n- [Y](%61.md#y)"
        ),
        "prose\r\n- [a](./a.md) — h\r\n  own\r\n  below x\r\n"
    );
    assert_eq!(one("- [X](a.md)\n- [Y](a.md) — y\n"), "- [Y](a.md) — y\n");
    assert_eq!(
        one("# Pinned\n- [X](a.md)\n# Rest\n- [a](a.md) — h\n"),
        "# Pinned\n- [X](a.md)\n# Rest\n"
    );
}

#[test]
fn a_pointer_in_the_archive_is_a_pointer() {
    let file = path("a.md");
    let note = NewIndexEntry {
        file: &file,
        title: "A",
        hook: "",
        kind: None,
    };
    let archive = b"- [A](a.md)\n";
    let report = repair(b"", Some(archive), &[note], &[], Scope::Private);
    assert_eq!((report.added.len(), report.bytes.len()), (0, 0));
}

#[test]
fn a_note_that_cannot_be_read_keeps_its_pointer_and_gets_none() {
    let (pointed, bare) = (path("a.md"), path("b.md"));
    let index = b"- [A](a.md)\n- [Gone](gone.md)\n";
    let report = repair(index, None, &[], &[&pointed, &bare], Scope::Private);
    assert_eq!(text(&report.bytes), "- [A](a.md)\n");
    assert_eq!((report.added.len(), report.removed.len()), (0, 1));
}

fn age_of(file: &str) -> Age {
    let number: i64 = file
        .trim_matches(|c: char| !c.is_ascii_digit())
        .parse()
        .unwrap_or(0);
    Age {
        changed: Some(jiff::Timestamp::from_second(number * 1_000).unwrap()),
        pinned: number == 7,
    }
}

#[test]
fn fitting_moves_the_stalest_and_keeps_the_pinned() {
    let index: String = (0..300)
        .map(|n| format!("- [{n}](f{n}.md) — {}\n", "h".repeat(90)))
        .collect();
    let index = format!("# M\n\n{index}\nprose at the end\n");
    let fitted = fit(index.as_bytes(), b"- [old](f3.md)\n", &age_of);
    assert!(!fitted.is_over && !fitted.size.is_near());
    let kept = text(&fitted.index);
    assert!(
        kept.contains("f299.md")
            && kept.contains("(f7.md)")
            && kept.ends_with("prose at the end\n")
    );
    let archive = text(&fitted.archive);
    assert!(archive.contains("(f0.md)") && archive.matches("(f3.md)").count() == 1);
    assert!(!archive.contains("(f7.md)") && !archive.contains("(f299.md)"));
    // Nothing is lost, and doing it again changes nothing.
    let count = |text: &str| text.matches("- [").count();
    assert_eq!(count(kept) + count(archive), 300);
    let again = fit(&fitted.index, &fitted.archive, &age_of);
    assert_eq!((again.index, again.archive), (fitted.index, fitted.archive));
}

#[test]
fn a_line_that_could_never_fit_goes_alone() {
    let long = format!("- [New](f9.md) — {}\n", "x".repeat(30_000));
    let shown = load_index(long.as_bytes());
    assert!(
        shown.text.ends_with(
            "only the beginning of line 1 is above, 5018 characters are not. Keep one short line per \
             memory and move detail into the memory files.\n"
        ),
        "{}",
        shown.warnings[0]
    );
    let index = format!("{long}- [Old](f1.md)\n- [Older](f0.md)\n");
    let fitted = fit(index.as_bytes(), b"", &age_of);
    assert_eq!(fitted.moved, ["f9.md"]);
    assert_eq!(text(&fitted.index), "- [Old](f1.md)\n- [Older](f0.md)\n");
}

#[test]
fn another_title_leaves_a_hook_that_a_person_wrote() {
    let file = path("a.md");
    let pointer = NewIndexEntry {
        file: &file,
        title: "New",
        hook: "the description",
        kind: None,
    };
    let index = b"1. [Old](./a.md): my own words\r\nrest";
    let new = index::retitle(index, &pointer);
    assert_eq!(text(&new), "1. [New](./a.md): my own words\r\nrest");
    let new = index::retitle(b"", &pointer);
    assert_eq!(text(&new), "- [New](a.md) — the description\n");
}

#[test]
fn prose_over_the_cap_is_said_not_cut() {
    let prose = "prose\n".repeat(300);
    let fitted = fit(prose.as_bytes(), b"", &age_of);
    assert_eq!(
        (text(&fitted.index), fitted.is_over),
        (prose.as_str(), true)
    );
    assert_eq!(fitted.archive, b"");
    // Pointers that would not help stay where they are.
    let both = format!("- [a](f1.md)\n- [b](f2.md)\n\n{prose}");
    let fitted = fit(both.as_bytes(), b"", &age_of);
    assert_eq!((text(&fitted.index), fitted.is_over), (both.as_str(), true));
    assert!(fitted.moved.is_empty() && fitted.archive.is_empty());
    assert_eq!(index::prose_size(both.as_bytes()).lines, 301);
}

#[test]
fn an_entry_that_comes_to_stand_in_frontmatter_is_written_behind_it() {
    let files = [path("c.md")];
    let once = repaired("- [a](c.md)\n---\n- [ ](c.md)\n---", &files);
    let index = text(&once.bytes);
    assert!(
        index.starts_with("---\n- [ ](c.md)\n---\n\n- [c](c.md)"),
        "{index}"
    );
    assert_eq!(repaired(index, &files).bytes, once.bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn repairing_twice_changes_nothing(text in index_text(), files in prop::collection::btree_set("[a-f]\\.md", 0..5)) {
        let files: Vec<_> = files.iter().map(|file| path(file)).collect();
        let once = repaired(&text, &files);
        let index = std::str::from_utf8(&once.bytes).unwrap();
        let twice = repaired(index, &files);
        prop_assert_eq!(&twice.bytes, &once.bytes, "{:?}", text);
        prop_assert!(twice.added.is_empty() && twice.removed.is_empty());
        // Every file is named, and every line that is no dangling entry is still there.
        let parsed = MemoryIndex::parse(&once.bytes);
        for file in &files {
            prop_assert!(parsed.mentions().iter().any(|m| m.of(file, file.stem()).is_some()));
        }
        if once.removed.is_empty() && once.added.is_empty() && once.repeated.is_empty() {
            prop_assert_eq!(index, &text);
        }
    }

    #[test]
    fn what_is_loaded_is_within_the_cap(bytes in prop::collection::vec(any::<u8>(), 0..300), times in 1_usize..200) {
        let index = bytes.repeat(times);
        let shown = load_index(&index);
        prop_assert!(shown.lines <= INDEX_LINES_MAX && shown.units <= INDEX_UNITS_MAX);
        prop_assert!(shown.text.lines().count() <= INDEX_LINES_MAX + 1);
        prop_assert!(shown.text.len() <= 3 * INDEX_UNITS_MAX + 300);
        prop_assert_eq!(shown.cut_units > 0, size(&index).is_over());
    }
}
