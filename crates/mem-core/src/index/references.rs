//! Everything in an index that names a file: entries, links in prose and tables, `[[wikilinks]]`.

use std::ops::Range;

use super::MemoryIndex;
use super::line::{IndexLine, LineKind};
use super::link::{Link, link_at};
use super::target::{PathSpellings, file_of};
use crate::limits::LINK_BYTES_MAX;
use crate::memory_path::MemoryPath;

/// What a line names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// Line number, from 1.
    pub line: usize,
    /// Whether the line is an entry.
    pub is_entry: bool,
    /// How it names it.
    pub(super) target: ReferenceTarget,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ReferenceTarget {
    File(PathSpellings),
    Wiki(String),
}

/// How a file is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// By a `[[wikilink]]` only.
    Wiki,
    /// By a link in prose, a table or a heading.
    Link,
    /// By an entry.
    Entry,
}

impl FileReference {
    /// The file that a link names; `None` for a wikilink.
    pub fn file(&self) -> Option<&str> {
        match &self.target {
            ReferenceTarget::File(file) => Some(&file.plain),
            ReferenceTarget::Wiki(_) => None,
        }
    }

    /// Every way in which a link's file may be meant; empty for a wikilink.
    pub(super) fn spellings(&self) -> Vec<&str> {
        match &self.target {
            ReferenceTarget::File(file) => file.all().collect(),
            ReferenceTarget::Wiki(_) => Vec::new(),
        }
    }

    /// Whether and how this names a note; a wikilink may say its stem, its path or its title.
    pub fn of(&self, path: &MemoryPath, title: &str) -> Option<ReferenceKind> {
        match &self.target {
            ReferenceTarget::File(file) if file.is(path.as_str()) => Some(if self.is_entry {
                ReferenceKind::Entry
            } else {
                ReferenceKind::Link
            }),
            ReferenceTarget::File(_) => None,
            ReferenceTarget::Wiki(word) => wiki_names(path, title)
                .contains(word)
                .then_some(ReferenceKind::Wiki),
        }
    }
}

/// Wikilinks do not tell case, blanks, dashes and underscores apart.
pub(super) fn folded(text: &str) -> String {
    text.trim().to_lowercase().replace([' ', '_'], "-")
}

impl MemoryIndex<'_> {
    /// Everything that names a file, in the order of the lines. Code blocks and what is not
    /// loaded do not count.
    pub fn mentions(&self) -> Vec<FileReference> {
        let mut mentions = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if matches!(
                line.kind,
                LineKind::Code | LineKind::Hidden | LineKind::Blank
            ) {
                continue;
            }
            let is_entry = matches!(line.kind, LineKind::Entry(_));
            let targets = self.line_targets(line).into_iter();
            mentions.extend(targets.map(|(_, target)| FileReference {
                line: at + 1,
                // The hook of an entry may hold a wikilink.
                is_entry: is_entry && matches!(target, ReferenceTarget::File(_)),
                target,
            }));
        }
        mentions
    }

    /// The links and wikilinks of a line; their offsets are those of the file.
    pub(super) fn line_targets(&self, line: &IndexLine) -> Vec<(Range<usize>, ReferenceTarget)> {
        let text = self.content(line);
        let mut found = Vec::new();
        let mut at = 0;
        while at < text.len() {
            if text[at..].starts_with(b"[[")
                && let Some(length) = wiki_len(&text[at + 2..])
            {
                let start = line.start + at + 2;
                let word = wiki_target(&self.bytes[start..start + length]);
                let target = ReferenceTarget::Wiki(folded(&String::from_utf8_lossy(word)));
                found.push((start..start + word.len(), target));
                at += length + 4;
            } else if text[at] == b'['
                && let Some(Link { target, end, .. }) = link_at(text, at)
            {
                if let Some(file) = file_of(&text[target.clone()]) {
                    let range = line.start + target.start..line.start + target.end;
                    found.push((range, ReferenceTarget::File(file)));
                }
                at = end;
            } else {
                at += if text[at] == b'\\' { 2 } else { 1 };
            }
        }
        found
    }
}

/// The length of what stands in front of `]]`. A name may end in brackets of its own: `[[x_[redacted]]]`.
fn wiki_len(text: &[u8]) -> Option<usize> {
    let near = &text[..text.len().min(LINK_BYTES_MAX)];
    let length = near.windows(2).position(|pair| pair == b"]]")?;
    let has_own = near[..length].contains(&b'[') && near.get(length + 2) == Some(&b']');
    Some(length + usize::from(has_own))
}

/// `page#part|shown` without what follows the page.
fn wiki_target(inner: &[u8]) -> &[u8] {
    let end = inner
        .iter()
        .position(|byte| matches!(byte, b'|' | b'#' | b'\\'))
        .unwrap_or(inner.len());
    let word = &inner[..end];
    word.strip_suffix(b".md").unwrap_or(word)
}

/// What a wikilink may call a note.
pub(super) fn wiki_names(path: &MemoryPath, title: &str) -> [String; 3] {
    let whole = path.as_str().trim_end_matches(".md");
    [path.stem(), whole, title].map(folded)
}
