//! Merging indexes: a file has one entry, and no entry, text or code of either side is lost.

use std::collections::BTreeMap;

use mem_core::index::{MemoryIndex, merge};
use proptest::prelude::*;

use super::index_lines::index_text;

#[track_caller]
fn check(base: &str, ours: &str, theirs: &str, merged: &str) {
    let bytes = merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
    assert_eq!(String::from_utf8(bytes).unwrap(), merged);
}

#[test]
fn an_entry_that_both_changed_stands_once() {
    let base = "# M\n- [A](a.md) — old\n- [B](b.md)\n";
    check(
        base,
        "# M\n- [A](a.md) — mine\n- [B](b.md)\n",
        "# M\n- [A](a.md) — theirs\n- [B](b.md)\n",
        "# M\n- [A](a.md) — theirs\n- [B](b.md)\n",
    );
    // Title of one, hook of the other.
    check(
        base,
        "# M\n- [New](a.md) — old\n- [B](b.md)\n",
        "# M\n- [A](a.md) — theirs\n- [B](b.md)\n",
        "# M\n- [New](a.md) — theirs\n- [B](b.md)\n",
    );
    // Moved by one and changed by the other.
    check(
        base,
        "# M\n- [B](b.md)\n\n## Pinned\n- [A](a.md) — old\n",
        "# M\n- [A](a.md) — theirs\n- [B](b.md)\n",
        "# M\n- [B](b.md)\n\n## Pinned\n- [A](a.md) — theirs\n",
    );
}

#[test]
fn an_entry_that_both_added_stands_once_in_every_spelling() {
    for theirs in [
        "./n w.md",
        "n%20w.md",
        "<n w.md>",
        "n%20w.md#part",
        "N%20W.md",
    ] {
        check(
            "# M\n\n- [A](a.md)\n",
            "# M\n\n- [A](a.md)\n- [New](n%20w.md) — mine\n",
            &format!("# M\n- [Neu]({theirs}) — theirs\n\n- [A](a.md)\n- [B](b.md)\n"),
            &format!("# M\n\n- [A](a.md)\n- [B](b.md)\n- [Neu]({theirs}) — theirs\n"),
        );
    }
    // Where one index lists both, case tells files apart.
    check(
        "",
        "- [Big](A.md)\n- [Small](a.md)\n",
        "- [Big](A.md) — x\n",
        "- [Big](A.md) — x\n- [Small](a.md)\n",
    );
}

#[test]
fn what_one_removed_goes_unless_the_other_changed_it() {
    let base = "- [A](a.md)\n- [B](b.md)\n";
    check(
        base,
        "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n",
        "- [A](a.md)\n",
        "- [A](a.md)\n- [C](c.md)\n",
    );
    check(
        base,
        "- [A](a.md)\n",
        "- [A](a.md)\n- [B](b.md) — x\n",
        "- [A](a.md)\n- [B](b.md) — x\n",
    );
}

#[test]
fn text_below_an_entry_and_beside_it_stays() {
    check(
        "- [A](a.md)\n  - base\n",
        "intro\n- [A](a.md) — mine\n  - base\n  - mine\n",
        "- [A](a.md)\n  - base\n  - theirs\n\n```\n- [A](a.md)\n```\n",
        "intro\n- [A](a.md) — mine\n  - base\n  - mine\n  - theirs\n\n```\n- [A](a.md)\n```\n",
    );
    // An open code block of one side hides no entry of the other.
    let merged = merge(
        b"x\n",
        b"x\n- [A](a.md)\n```\n",
        b"y\n```\n- [B](b.md)\n```\n- [C](c.md)\n",
    );
    let files: Vec<String> = MemoryIndex::parse(&merged)
        .entries()
        .map(|(_, entry)| entry.file().to_owned())
        .collect();
    assert_eq!(files.len(), 2, "{}", String::from_utf8_lossy(&merged));
}

/// How many entries each file has, and what they say, but for case, which `merge` ignores.
fn entries(bytes: &[u8]) -> BTreeMap<String, Vec<String>> {
    let index = MemoryIndex::parse(bytes);
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, entry) in index.entries() {
        let words = format!("{} {}", entry.title(bytes), entry.hook(bytes));
        all.entry(entry.file().to_owned()).or_default().push(words);
    }
    all
}

/// An index in which each file has at most one entry.
fn single(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    loop {
        let index = MemoryIndex::parse(&bytes);
        let mut seen = std::collections::BTreeSet::new();
        let again = index
            .entries()
            .find(|(_, entry)| !seen.insert(entry.file().to_owned()))
            .map(|(line, _)| index.lines()[line - 1].clone());
        match again {
            Some(line) => drop(bytes.drain(line.start..line.next)),
            None => return bytes,
        }
    }
}

/// One side of a merge: the base with lines taken out, changed and added.
fn edited(base: &str, cuts: &[bool], change: &str, added: &str, at: usize) -> Vec<u8> {
    let mut lines: Vec<&str> = base.lines().collect();
    let mut cut = cuts.iter().chain(std::iter::repeat(&false));
    lines.retain(|_| !cut.next().unwrap());
    let lines: Vec<String> = lines
        .into_iter()
        .map(|line| line.replace(" — ", change))
        .collect();
    let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    lines.splice(at.min(lines.len())..at.min(lines.len()), added.lines());
    single(&(lines.join("\n") + "\n"))
}

fn edits() -> impl Strategy<Value = (Vec<bool>, String, String, usize)> {
    let change = prop::sample::select(vec![" — ", " — new ", ": other "]);
    let cuts = prop::collection::vec(prop::bool::weighted(0.2), 0..9);
    (
        cuts,
        change.prop_map(str::to_owned),
        index_text(),
        0_usize..9,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_merge_has_one_entry_for_each_file_and_loses_none(base in index_text(), a in edits(), b in edits()) {
        let ours = edited(&base, &a.0, &a.1, &a.2, a.3);
        let theirs = edited(&base, &b.0, &b.1, &b.2, b.3);
        let base = single(&base);
        let merged = merge(&base, &ours, &theirs);
        let [before, mine, other, after] = [&base, &ours, &theirs, &merged].map(|bytes| entries(bytes));
        for (file, all) in &after {
            prop_assert_eq!(all.len(), 1, "{} in {:?}", file, String::from_utf8_lossy(&merged));
        }
        for file in mine.keys().chain(other.keys()) {
            let (old, mine, other) = (before.get(file), mine.get(file), other.get(file));
            // The text below an entry is part of it: only one without a change in its line may be gone.
            let is_gone = mine.is_none() && other == old || other.is_none() && mine == old;
            prop_assert!(is_gone || after.contains_key(file), "{} of {:?} and {:?} in {:?}", file,
                String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs), String::from_utf8_lossy(&merged));
        }
    }
}
