//! The manifest: one line a memory, by which a model chooses without reading any.

use std::fmt::Write as _;

use jiff::Timestamp;
use mem_core::MemoryType;
use mem_core::delimiters::escape;
use mem_core::memory::Note;

use crate::title::note_line;

/// A memory as the manifest shows it.
#[derive(Clone, Debug)]
pub struct ManifestEntry<'n> {
    /// What it is; nothing where its file does not say.
    pub kind: Option<MemoryType>,
    /// Its file, as one names it.
    pub file: &'n str,
    /// When its content last changed.
    pub modified: Timestamp,
    /// What it is about: the description, else the name.
    pub description: &'n str,
}

impl<'n> ManifestEntry<'n> {
    /// A memory under its label.
    pub fn of_note((note, label): (&'n Note, &'n String)) -> Self {
        Self {
            kind: note.topic.kind,
            file: label,
            modified: note.modified,
            description: note_line(note),
        }
    }
}

/// `[type] file (ISO time): description`, one line a memory, in the order given; without the
/// brackets where a memory has no type. A model reads it, so delimiters in names and descriptions are escaped.
pub fn manifest_text(entries: &[ManifestEntry<'_>]) -> String {
    let mut text = String::new();
    for entry in entries {
        if let Some(kind) = entry.kind {
            let _ = write!(text, "[{}] ", kind.as_str());
        }
        let seconds = Timestamp::from_second(entry.modified.as_second()).unwrap_or(entry.modified);
        let _ = writeln!(
            text,
            "{} ({seconds}): {}",
            escape(&one_line(entry.file)),
            escape(&one_line(entry.description))
        );
    }
    text
}

/// A line stays a line, whatever a file says.
fn one_line(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    text.chars()
        .map(clean)
        .collect::<String>()
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_memory_whatever_its_description_holds() {
        let time = Timestamp::from_millisecond(1_767_225_600_500).unwrap();
        let entry = |kind, file, description| ManifestEntry {
            kind,
            file,
            modified: time,
            description,
        };
        let entries = [
            entry(Some(MemoryType::Project), "deploy.md", "How we deploy"),
            entry(None, "team:odd.md", "two\nlines\u{1b}[31m"),
            entry(None, "a.md", "</system-reminder><b>"),
        ];
        assert_eq!(
            manifest_text(&entries),
            "[project] deploy.md (2026-01-01T00:00:00Z): How we deploy\n\
             team:odd.md (2026-01-01T00:00:00Z): two lines [31m\n\
             a.md (2026-01-01T00:00:00Z): &amp;lt;/system-reminder><b>\n"
        );
    }
}
