//! What the commands answer, as the browser shows it: every text made fit for a terminal, names for commands as they are.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use jiff::Timestamp;

use super::text::{clean_line, clean_text};
use crate::answers::{self, Change, Diffs, FileDiff, InboxEntry, MemoryList};
use crate::program::ProgramError;

/// One memory of the list.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// The name that commands take: the file, with its scope before it where that is not private.
    pub label: String,
    /// The file.
    pub path: PathBuf,
    /// The title, or else the file.
    pub title: String,
    /// When it matters.
    pub description: String,
    /// `user`, `feedback`, `project`, `reference` or `-`.
    pub kind: String,
    /// `private`, `team` or `global`.
    pub scope: String,
    /// Tags, by commas.
    pub tags: String,
    /// The last day on which it holds.
    pub expires: Option<String>,
    /// Whether pruning leaves it alone.
    pub is_pinned: bool,
    /// When it was last changed.
    pub modified: Timestamp,
    /// What is wrong with the file.
    pub warnings: Vec<String>,
    /// The text below the frontmatter.
    pub text: String,
    /// The text in lower case, for the filter.
    pub words: String,
    /// The verdict as far as it is known.
    pub verdict: Option<String>,
}

impl From<answers::Memory> for Memory {
    fn from(raw: answers::Memory) -> Self {
        let text = clean_text(&raw.text);
        Self {
            label: raw.label(),
            verdict: raw.verdict().map(str::to_owned),
            title: clean_line(raw.title()),
            description: clean_line(raw.description.as_deref().unwrap_or_default()),
            kind: raw.kind.unwrap_or_else(|| "-".to_owned()),
            tags: clean_line(&raw.tags.join(", ")),
            is_pinned: raw.pinned,
            modified: raw.modified.parse().unwrap_or_default(),
            warnings: raw.warnings.iter().map(|one| clean_line(one)).collect(),
            words: text.to_lowercase(),
            text,
            path: raw.path,
            scope: raw.scope,
            expires: raw.expires,
        }
    }
}

impl Memory {
    /// Whether it is one of a person's own across repositories.
    pub(crate) fn is_global(&self) -> bool {
        self.scope == "global"
    }
}

/// The memories of a list, the newest first.
pub(crate) fn newest_first(list: MemoryList) -> Vec<Memory> {
    let mut memories: Vec<Memory> = list.memories.into_iter().map(Memory::from).collect();
    memories.sort_by_key(|memory| std::cmp::Reverse(memory.modified));
    memories
}

/// The labels of what a search found with their ranks, 0 the best.
pub(crate) fn ranks(list: &MemoryList) -> BTreeMap<String, usize> {
    let labels = list.memories.iter().map(answers::Memory::label);
    labels.zip(0..).collect()
}

/// A unified diff of several files with those of the memory index at its end: they repeat what a memory says.
fn memories_first(diff: &str) -> String {
    let (mut memories, mut indexes) = (String::new(), String::new());
    let (mut is_index, mut is_head) = (false, false);
    let mut lines = diff.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        // A removed line may begin with `--- ` too; only a head is followed by `+++ `.
        let next = lines.peek().copied().unwrap_or_default();
        if !is_head && line.starts_with("--- ") && next.starts_with("+++ ") {
            is_index = [line, next]
                .iter()
                .any(|head| head.trim_end().ends_with("/MEMORY.md"));
        }
        is_head = line.starts_with("--- ") && next.starts_with("+++ ");
        match is_index {
            true => indexes.push_str(line),
            false => memories.push_str(line),
        }
    }
    memories + &indexes
}

impl InboxEntry {
    /// What it would change, the memory first, fit for a terminal.
    pub(crate) fn diff_text(&self) -> String {
        clean_text(&memories_first(&self.diff))
    }

    /// The files by commas, without the memory index, which follows every memory.
    pub(crate) fn files_text(&self) -> String {
        let files = self.files.iter().map(|one| one.file.as_str());
        let memories: Vec<&str> = files
            .clone()
            .filter(|file| !file.ends_with("MEMORY.md"))
            .collect();
        let shown = if memories.is_empty() {
            files.collect()
        } else {
            memories
        };
        clean_line(&shown.join(", "))
    }
}

impl Change {
    /// Who made it, or asks for it.
    pub(crate) fn author(&self) -> String {
        clean_line(self.name.as_deref().unwrap_or(&self.actor))
    }

    /// The author within a sentence: `an agent` where there is no name.
    pub(crate) fn author_words(&self) -> String {
        match (&self.name, self.actor.as_str()) {
            (None, "agent") => "an agent".to_owned(),
            (None, "person") => "a person".to_owned(),
            (None, "team") => "the team".to_owned(),
            _ => self.author(),
        }
    }
}

impl Diffs {
    /// All differences as one text; of several files without the memory index.
    pub(crate) fn into_text(self) -> String {
        let is_memory = |one: &&FileDiff| !one.file.ends_with("MEMORY.md");
        let has_memory = self.files.iter().any(|one| is_memory(&one));
        let shown = self.files.iter();
        let shown = shown.filter(|one| !has_memory || is_memory(one));
        let texts = shown.filter_map(|one| one.diff.as_deref());
        clean_text(&texts.collect::<String>())
    }

    /// The first change that an undo takes back, with what would be written; `None` where there is nothing to undo.
    pub(crate) fn into_plan(mut self) -> Option<UndoPlan> {
        let undone = std::mem::take(&mut self.undone);
        Some(UndoPlan {
            change: undone.into_iter().next()?,
            diff: self.into_text(),
        })
    }
}

/// What an undo would do.
#[derive(Clone, Debug)]
pub(crate) struct UndoPlan {
    /// The change that goes.
    pub change: Change,
    /// What would be written.
    pub diff: String,
}

/// A command that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The kind, such as `not_found`; empty where the command did not run.
    pub kind: String,
}

/// What a command came to.
pub(crate) type CommandResult<T> = Result<T, Problem>;

impl From<ProgramError> for Problem {
    fn from(error: ProgramError) -> Self {
        match error {
            ProgramError::Refused(refusal) => Self {
                message: clean_line(&refusal.message),
                hint: refusal.hint.as_deref().map(clean_line),
                kind: refusal.kind,
            },
            error => {
                let mut message = error.to_string();
                if let Some(cause) = error.source() {
                    message = format!("{message}: {cause}");
                }
                Self {
                    message: clean_line(&message),
                    hint: None,
                    kind: String::new(),
                }
            }
        }
    }
}

/// How long ago something was, in at most four cells: `now`, `5m`, `3h`, `2d`, `6w`, `2y`.
pub(crate) fn age_text(now: Timestamp, then: Timestamp) -> String {
    let seconds = now.as_second().saturating_sub(then.as_second()).max(0);
    const MINUTE: i64 = 60;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    const WEEK: i64 = 7 * DAY;
    const YEAR: i64 = 365 * DAY;
    match seconds {
        0..MINUTE => "now".to_owned(),
        MINUTE..HOUR => format!("{}m", seconds / MINUTE),
        HOUR..DAY => format!("{}h", seconds / HOUR),
        DAY..WEEK => format!("{}d", seconds / DAY),
        WEEK..YEAR => format!("{}w", seconds / WEEK),
        _ => format!("{}y", seconds / YEAR),
    }
}

/// How long ago something was, within a sentence: `just now`, `5m ago`.
pub(crate) fn ago_text(now: Timestamp, then: Timestamp) -> String {
    match age_text(now, then).as_str() {
        "now" => "just now".to_owned(),
        age => format!("{age} ago"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_an_answer_are_fit_for_a_terminal_and_names_are_whole() {
        let json = "{\"memories\":[{\"file\":\"a.md\",\"path\":\"/m/a.md\",\"name\":\"A\\u001b[2J\\nB\",\
                    \"description\":null,\"type\":null,\"scope\":\"team\",\"tags\":[],\"expires\":null,\
                    \"modified\":\"2026-01-01T00:00:00Z\",\"warnings\":[],\"pinned\":true,\
                    \"text\":\"Xy\\u009b31m\",\"drift\":{\"verdict\":\"fresh\",\"reasons\":[]}}]}";
        let memory = newest_first(serde_json::from_str(json).unwrap()).remove(0);
        assert_eq!(
            (memory.label.as_str(), memory.title.as_str()),
            ("team:a.md", "A[2J B")
        );
        assert_eq!(
            (memory.text.as_str(), memory.words.as_str()),
            ("Xy31m", "xy31m")
        );
        assert_eq!(memory.verdict.as_deref(), Some("fresh"));
    }

    #[test]
    fn a_memory_stands_before_the_index_in_a_diff() {
        let index = "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1 +1 @@\n--- x\n+- [A](a.md)\n";
        let memory = "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1 @@\n+a\n";
        assert_eq!(
            memories_first(&format!("{index}{memory}")),
            format!("{memory}{index}")
        );
        assert_eq!(memories_first(memory), memory);
        assert_eq!(memories_first(""), "");
    }

    #[test]
    fn ages_are_short() {
        let then: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
        let age = |seconds: i64| {
            age_text(
                Timestamp::from_second(then.as_second() + seconds).unwrap(),
                then,
            )
        };
        let ages = [-5, 59, 60, 7_200, 86_400 * 6, 86_400 * 20, 86_400 * 800].map(age);
        assert_eq!(ages, ["now", "now", "1m", "2h", "6d", "2w", "2y"]);
    }
}
