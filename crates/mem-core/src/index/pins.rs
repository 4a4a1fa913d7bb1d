//! What an index pins: the entries below a heading `Pinned`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::line::{LineKind, MemoryIndex};

/// The heading, in any case and at any depth.
const HEADING: &str = "pinned";

impl MemoryIndex<'_> {
    /// The files of the entries that stand below a heading `Pinned`, up to the next heading.
    pub fn pinned(&self) -> BTreeSet<String> {
        let file = |at: usize| match &self.lines[at].kind {
            LineKind::Entry(entry) => Some(entry.file().to_owned()),
            _ => None,
        };
        self.pinned_sections()
            .into_iter()
            .flatten()
            .filter_map(file)
            .collect()
    }

    /// The lines of the sections that pin, each with its heading first. Nothing is put there but by
    /// who means it.
    pub(super) fn pinned_sections(&self) -> Vec<Range<usize>> {
        let mut sections: Vec<Range<usize>> = Vec::new();
        let mut begun = None;
        for (at, line) in self.lines.iter().enumerate() {
            if line.kind == LineKind::Heading {
                sections.extend(begun.take().map(|start| start..at));
                begun = is_heading(self.content(line)).then_some(at);
            }
        }
        sections.extend(begun.map(|start| start..self.lines.len()));
        sections
    }
}

fn is_heading(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let text = text.trim().trim_matches('#').trim();
    text.trim_end_matches(':').eq_ignore_ascii_case(HEADING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::NewIndexEntry;

    #[test]
    fn only_what_stands_below_the_heading_is_pinned() {
        let text = "# Memory\n- [A](a.md) — x\n\n## Pinned\n\n- [B](b.md) — x\n- [C](<c d.md>)\n\
            ```\n- [D](d.md)\n```\n## Others\n- [E](e.md)\n";
        let pinned = MemoryIndex::parse(text.as_bytes()).pinned();
        assert_eq!(Vec::from_iter(pinned), ["b.md", "c d.md"]);
        let one = "- [B](b.md)\n\n## Pinned\n- [A](a.md)\n";
        let new = NewIndexEntry {
            file: &crate::MemoryPath::parse("new.md").unwrap(),
            title: "New",
            hook: "new",
            kind: None,
        };
        let put = |text: &str| String::from_utf8(crate::index::put(text.as_bytes(), &new)).unwrap();
        let added = put(one);
        assert!(added.starts_with("- [B](b.md)\n- [New](new.md)"), "{added}");
        for text in [
            one,
            "# M\n\n## Pinned\n- [A](a.md)\n",
            "## Pinned\n- [A](a.md)\n",
        ] {
            let pinned = MemoryIndex::parse(put(text).as_bytes()).pinned();
            assert_eq!(Vec::from_iter(pinned), ["a.md"], "{text}");
        }
        let pinned = MemoryIndex::parse(b"- [A](a.md)\n## pinned: ##\n").pinned();
        assert!(pinned.is_empty());
    }
}
