//! What the commands answer, as the browser shows it: every text made fit for a terminal, names for commands as they are.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::Deserialize;

use super::text::{clean_line, clean_text};
use crate::program::ProgramError;

/// One memory of the list.
#[derive(Clone, Debug)]
pub struct Memory {
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

/// The answer of `mem list --json --text`.
#[derive(Debug, Deserialize)]
pub struct ListAnswer {
    memories: Vec<RawMemory>,
}

#[derive(Debug, Deserialize)]
struct RawMemory {
    file: String,
    path: PathBuf,
    name: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    scope: String,
    tags: Vec<String>,
    expires: Option<String>,
    modified: Timestamp,
    warnings: Vec<String>,
    pinned: bool,
    text: String,
    drift: Option<RawDrift>,
}

#[derive(Debug, Deserialize)]
struct RawDrift {
    verdict: String,
}

/// The name that commands take.
#[must_use]
pub fn label(scope: &str, file: &str) -> String {
    match scope {
        "private" => file.to_owned(),
        scope => format!("{scope}:{file}"),
    }
}

impl ListAnswer {
    /// The memories, the newest first.
    #[must_use]
    pub fn into_memories(self) -> Vec<Memory> {
        let mut memories: Vec<Memory> = self.memories.into_iter().map(Memory::from).collect();
        memories.sort_by_key(|memory| std::cmp::Reverse(memory.modified));
        memories
    }
}

impl From<RawMemory> for Memory {
    fn from(raw: RawMemory) -> Self {
        let text = clean_text(&raw.text);
        let name = raw.name.filter(|name| !name.trim().is_empty());
        Self {
            label: label(&raw.scope, &raw.file),
            path: raw.path,
            title: clean_line(name.as_deref().unwrap_or(&raw.file)),
            description: clean_line(raw.description.as_deref().unwrap_or_default()),
            kind: raw.kind.unwrap_or_else(|| "-".to_owned()),
            scope: raw.scope,
            tags: clean_line(&raw.tags.join(", ")),
            expires: raw.expires,
            is_pinned: raw.pinned,
            modified: raw.modified,
            warnings: raw
                .warnings
                .iter()
                .map(|warning| clean_line(warning))
                .collect(),
            words: text.to_lowercase(),
            text,
            verdict: raw.drift.map(|drift| drift.verdict),
        }
    }
}

/// The answer of `mem verify --json`.
#[derive(Debug, Deserialize)]
pub struct VerifyAnswer {
    /// One report a memory, under its label.
    pub notes: Vec<Report>,
}

/// What a memory cites, and whether the code still has it.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    /// The label of the memory.
    pub file: String,
    /// `fresh`, `aging`, `drifted` or `broken`.
    pub verdict: String,
    /// What it cites.
    pub citations: Vec<Citation>,
}

/// One citation.
#[derive(Clone, Debug, Deserialize)]
pub struct Citation {
    /// The text of the memory.
    pub text: String,
    /// `path`, `function` and others.
    pub kind: String,
    /// `present`, `moved`, `changed`, `gone`, `never` or `unknown`.
    pub status: String,
    /// Why.
    pub detail: Option<String>,
    /// Where it is now.
    pub moved_to: Option<String>,
}

/// The answer of `mem inbox list --json`.
#[derive(Debug, Deserialize)]
pub struct InboxAnswer {
    /// What waits, the oldest first.
    pub entries: Vec<InboxEntry>,
}

/// One write that waits.
#[derive(Clone, Debug, Deserialize)]
pub struct InboxEntry {
    /// The id that commands take.
    pub id: String,
    /// When it was asked for.
    pub time: Timestamp,
    /// `save`, `edit` and others.
    pub verb: String,
    /// Why.
    pub reason: Option<String>,
    /// `agent`, `team` and others.
    pub actor: String,
    /// Whose.
    pub name: Option<String>,
    /// How far its text is trusted.
    pub trust: Option<String>,
    /// The files.
    pub files: Vec<InboxFile>,
    /// What it would change.
    pub diff: String,
}

/// A file of an inbox entry.
#[derive(Clone, Debug, Deserialize)]
pub struct InboxFile {
    /// Its label.
    pub file: String,
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
    #[must_use]
    pub fn diff_text(&self) -> String {
        clean_text(&memories_first(&self.diff))
    }

    /// The files by commas, without the memory index, which follows every memory.
    #[must_use]
    pub fn files_text(&self) -> String {
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

    /// Who asks.
    #[must_use]
    pub fn author(&self) -> String {
        clean_line(self.name.as_deref().unwrap_or(&self.actor))
    }
}

/// The answer of `mem team resolve --json` and `mem sync resolve --json`.
#[derive(Debug, Deserialize)]
pub struct ConflictAnswer {
    /// The conflicts.
    pub conflicts: Vec<Conflict>,
}

/// Two texts of one file.
#[derive(Clone, Debug, Deserialize)]
pub struct Conflict {
    /// The key that `resolve` takes.
    pub file: String,
    /// The text that both came from.
    pub base: Option<String>,
    /// The local text, kept aside.
    pub mine: String,
    /// The remote's text, which the memory has now.
    pub theirs: Option<String>,
    /// `team` or `sync`: the command that resolves it.
    #[serde(default)]
    pub command: String,
}

/// The answer of `mem history NAME --json`.
#[derive(Debug, Deserialize)]
pub struct HistoryAnswer {
    /// The versions, the newest first.
    #[serde(default)]
    pub versions: Vec<Version>,
}

/// One version of a memory.
#[derive(Clone, Debug, Deserialize)]
pub struct Version {
    /// The file in that version.
    pub file: String,
    /// `created`, `modified`, `deleted` or `renamed`.
    pub operation: String,
    /// The change that made it.
    pub change: Change,
}

/// One change.
#[derive(Clone, Debug, Deserialize)]
pub struct Change {
    /// The id that commands take.
    pub id: String,
    /// `save`, `edit` and others.
    pub verb: String,
    /// `person`, `agent` and others.
    pub actor: String,
    /// Whose.
    pub name: Option<String>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub time: Timestamp,
}

impl Change {
    /// Who made it.
    #[must_use]
    pub fn author(&self) -> String {
        clean_line(self.name.as_deref().unwrap_or(&self.actor))
    }
}

/// The answer of `mem diff --json`.
#[derive(Debug, Deserialize)]
pub struct DiffAnswer {
    files: Vec<FileDiff>,
}

#[derive(Debug, Deserialize)]
struct FileDiff {
    file: String,
    diff: String,
}

impl DiffAnswer {
    /// All differences as one text; of several files without the memory index.
    #[must_use]
    pub fn into_text(self) -> String {
        let has_memory = self
            .files
            .iter()
            .any(|one| !one.file.ends_with("MEMORY.md"));
        let shown = self
            .files
            .iter()
            .filter(|one| !has_memory || !one.file.ends_with("MEMORY.md"));
        clean_text(&shown.map(|one| one.diff.as_str()).collect::<String>())
    }
}

/// The answer of `mem undo --dry-run --json`.
#[derive(Debug, Deserialize)]
pub struct UndoAnswer {
    undone: Vec<Change>,
    #[serde(flatten)]
    files: DiffAnswer,
}

/// What an undo would do.
#[derive(Clone, Debug)]
pub struct UndoPlan {
    /// The change that goes.
    pub change: Change,
    /// What would be written.
    pub diff: String,
}

impl UndoAnswer {
    /// The first change with what would be written; `None` where there is nothing to undo.
    #[must_use]
    pub fn into_plan(self) -> Option<UndoPlan> {
        let change = self.undone.into_iter().next()?;
        Some(UndoPlan {
            change,
            diff: self.files.into_text(),
        })
    }
}

/// The answer of `mem search --json`.
#[derive(Debug, Deserialize)]
pub struct SearchAnswer {
    memories: Vec<SearchHit>,
}

#[derive(Debug, Deserialize)]
struct SearchHit {
    file: String,
    scope: String,
}

impl SearchAnswer {
    /// The labels of what was found with their ranks, 0 the best.
    #[must_use]
    pub fn into_ranks(self) -> BTreeMap<String, usize> {
        let labels = self.memories.iter().map(|hit| label(&hit.scope, &hit.file));
        labels
            .enumerate()
            .map(|(rank, label)| (label, rank))
            .collect()
    }
}

/// A command that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// The kind, such as `not_found`; empty where the command did not run.
    pub kind: String,
}

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
#[must_use]
pub fn age_text(now: Timestamp, then: Timestamp) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_an_answer_are_fit_for_a_terminal_and_names_are_whole() {
        let json = "{\"memories\":[{\"file\":\"a.md\",\"path\":\"/m/a.md\",\"name\":\"A\\u001b[2J\\nB\",\
                    \"description\":null,\"type\":null,\"scope\":\"team\",\"tags\":[],\"expires\":null,\
                    \"modified\":\"2026-01-01T00:00:00Z\",\"warnings\":[],\"pinned\":true,\
                    \"text\":\"Xy\\u009b31m\",\"drift\":{\"verdict\":\"fresh\",\"reasons\":[]}}]}";
        let answer: ListAnswer = serde_json::from_str(json).unwrap();
        let memory = answer.into_memories().remove(0);
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
