//! The line that `mem` writes for a file: one line, short, and never a broken link.

use crate::limits::{INDEX_HOOK_CHARS_MAX, INDEX_LINE_CHARS_MAX, INDEX_TITLE_CHARS_MAX};
use crate::memory_path::MemoryPath;
use crate::memory_type::MemoryType;
use crate::topic::TopicFile;

/// A hook shorter than this says nothing.
const HOOK_CHARS_MIN: usize = 12;

/// A note as the index shows it.
#[derive(Clone, Copy, Debug)]
pub struct NewIndexEntry<'a> {
    /// The file, relative to the index.
    pub file: &'a MemoryPath,
    /// The text of the link.
    pub title: &'a str,
    /// Why one would open it, on one line; may be empty.
    pub hook: &'a str,
    /// The type, which decides the section where an index has sections by type.
    pub kind: Option<MemoryType>,
}

impl<'a> NewIndexEntry<'a> {
    /// What a memory says of itself.
    pub fn from_topic(file: &'a MemoryPath, topic: &'a TopicFile) -> Self {
        Self {
            file,
            title: topic.title(file.stem()),
            hook: topic.description.as_deref().unwrap_or_default(),
            kind: topic.kind,
        }
    }
}

impl NewIndexEntry<'_> {
    /// `- [Title](file.md) — hook`, without a line ending.
    pub(super) fn line(&self) -> String {
        let start = format!("- [{}]({})", self.shown_title(), target(self.file));
        let hook = hook_part(self.hook, " — ", start.chars().count());
        format!("{start}{hook}")
    }

    /// The title as it is written; the file's stem when there is nothing to show.
    pub(super) fn shown_title(&self) -> String {
        let shown = title(self.title);
        if shown.is_empty() {
            title(self.file.stem())
        } else {
            shown
        }
    }
}

/// A separator and a hook that fit behind a start of so many characters; nothing without a hook.
pub(super) fn hook_part(hook: &str, separator: &str, start_chars: usize) -> String {
    let taken = start_chars + separator.chars().count();
    let room = INDEX_LINE_CHARS_MAX
        .saturating_sub(taken)
        .min(INDEX_HOOK_CHARS_MAX);
    // A link in a hook would make the line speak of two files.
    let hook = hook_line(&hook.replace("](", "] ("), room);
    if hook.is_empty() {
        String::new()
    } else {
        format!("{separator}{hook}")
    }
}

/// A text on one line of at most `max` characters, cut between words; nothing when that leaves
/// next to nothing of it.
pub fn hook_line(text: &str, max: usize) -> String {
    let line = one_line(text);
    if line.chars().count() <= max {
        return line;
    }
    if max < HOOK_CHARS_MIN {
        return String::new();
    }
    cut(&line, max)
}

/// White space and control characters become single blanks.
fn one_line(text: &str) -> String {
    let blank = |c: char| c.is_whitespace() || c.is_control();
    let words: Vec<&str> = text.split(blank).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The start of a text and an ellipsis, at most `max` characters together.
fn cut(text: &str, max: usize) -> String {
    let start: String = text.chars().take(max.saturating_sub(1)).collect();
    let end = match start.rfind(' ') {
        Some(at) if at * 2 > start.len() => at,
        _ => start.len(),
    };
    format!(
        "{}…",
        start[..end].trim_end_matches([' ', ',', ';', '—', '-'])
    )
}

/// A title that cannot end its link early.
fn title(text: &str) -> String {
    let line = one_line(text);
    let line = if line.chars().count() > INDEX_TITLE_CHARS_MAX {
        cut(&line, INDEX_TITLE_CHARS_MAX)
    } else {
        line
    };
    let ticks = line.matches('`').count() % 2 == 1;
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if matches!(c, '[' | ']' | '\\' | '<') || (c == '`' && ticks) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A link target that every Markdown reader takes for this file.
pub(super) fn target(file: &MemoryPath) -> String {
    use std::fmt::Write as _;

    let mut written = String::with_capacity(file.as_str().len());
    for c in file.as_str().chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '%' | '#' | '?' | '"' | '\'' | '[' | ']' | '`' | '*'
            | '|' | '^' | '{' | '}' => {
                let _ = write!(written, "%{:02X}", u32::from(c));
            }
            c if c.is_whitespace() => {
                for byte in c.to_string().bytes() {
                    let _ = write!(written, "%{byte:02X}");
                }
            }
            c => written.push(c),
        }
    }
    // `a:b.md` would be a scheme.
    if written.contains(':') {
        written.insert_str(0, "./");
        written = written.replace(':', "%3A");
    }
    written
}
