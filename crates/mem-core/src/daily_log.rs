//! Daily logs: `logs/YYYY/MM/YYYY-MM-DD.md`, append-only, one timestamped bullet an entry.

mod merge;

use jiff::civil::{Date, DateTime};

use crate::MemoryPath;
use crate::memory_path::InvalidPath;
use crate::notes::{LOGS_FOLDER, RETIRED_FOLDER};
use crate::store::{ChangeMetadata, LocalStore, StoreError, WriteGate, WriteOutcome};

pub use merge::merge_logs;

/// Text of one entry.
pub const ENTRY_BYTES_MAX: usize = 64 * 1024;

/// One bullet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The day, by the file's name.
    pub date: Date,
    /// The time of day as written, `HH:MM`; none for a line that has none.
    pub time: Option<String>,
    /// The text, continuation lines included.
    pub text: String,
}

/// The file of a day.
///
/// # Errors
/// Never for a date of this era; the road from a string to a path is one.
pub fn path_of(date: Date) -> Result<MemoryPath, InvalidPath> {
    let (year, month) = (date.year(), date.month());
    MemoryPath::parse(&format!("{LOGS_FOLDER}/{year:04}/{month:02}/{date}.md"))
}

/// The day that a log file is about, by its path.
pub fn date_of(path: &MemoryPath) -> Option<Date> {
    let inside = path.as_str().strip_prefix(LOGS_FOLDER)?.starts_with('/');
    // What was retired keeps its name, which may be a day.
    let is_retired = path.parent() == Some(RETIRED_FOLDER);
    if inside && !is_retired {
        path.stem().parse().ok()
    } else {
        None
    }
}

/// Appends an entry to the log of its day.
///
/// # Errors
/// The gate refuses, or the system does.
pub fn append(
    store: &LocalStore,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
    at: DateTime,
    text: &str,
) -> Result<WriteOutcome<()>, StoreError> {
    let path = path_of(at.date()).map_err(|_| {
        StoreError::io("name the log of", &store.places().root)(
            std::io::ErrorKind::InvalidInput.into(),
        )
    })?;
    let head = format!("# {}\n\n", at.date());
    store.append(
        order,
        gate,
        &path,
        head.as_bytes(),
        render(at, text).as_bytes(),
    )
}

/// One bullet; further lines are indented so that they stay part of it.
fn render(at: DateTime, text: &str) -> String {
    let mut lines = text.trim().lines();
    let first = lines.next().unwrap_or_default();
    let mut bullet = format!("- {:02}:{:02} {first}\n", at.hour(), at.minute());
    for line in lines {
        if line.trim().is_empty() {
            bullet.push('\n');
        } else {
            bullet.push_str("  ");
            bullet.push_str(line);
            bullet.push('\n');
        }
    }
    bullet
}

/// Reads the entries of a log file. Lines that are no bullets belong to the one before them;
/// those before the first bullet are left out.
pub fn parse(date: Date, text: &str) -> Vec<LogEntry> {
    let mut entries: Vec<LogEntry> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) {
            let (time, text) = split_time(rest);
            entries.push(LogEntry {
                date,
                time,
                text: text.to_owned(),
            });
        } else if let Some(last) = entries.last_mut() {
            last.text.push('\n');
            last.text.push_str(line.strip_prefix("  ").unwrap_or(line));
        }
    }
    for entry in &mut entries {
        entry.text.truncate(entry.text.trim_end().len());
    }
    entries
}

/// `09:30 text` -> the time and the text.
fn split_time(text: &str) -> (Option<String>, &str) {
    let is_time = |word: &str| {
        let bytes = word.as_bytes();
        bytes.len() == 5
            && bytes[2] == b':'
            && [0, 1, 3, 4].iter().all(|&at| bytes[at].is_ascii_digit())
    };
    match text.split_once(' ') {
        Some((word, rest)) if is_time(word) => (Some(word.to_owned()), rest),
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bullets_read_back() {
        let at: DateTime = "2026-11-20T09:05:00".parse().unwrap();
        let text = format!(
            "# 2026-11-20\n\n{}{}",
            render(at, "one\n\ntwo"),
            render(at, "- three")
        );
        let entries = parse(at.date(), &text);
        let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
        assert_eq!(texts, ["one\n\ntwo", "- three"]);
        assert_eq!(entries[0].time.as_deref(), Some("09:05"));
    }

    #[test]
    fn the_path_tells_the_day() {
        let date: Date = "2026-01-02".parse().unwrap();
        let path = path_of(date).unwrap();
        assert_eq!(path.as_str(), "logs/2026/01/2026-01-02.md");
        assert_eq!(date_of(&path), Some(date));
        assert_eq!(
            date_of(&MemoryPath::parse("logsx/2026-01-02.md").unwrap()),
            None
        );
        let retired = MemoryPath::parse("logs/retired/2026-01-02.md").unwrap();
        assert_eq!(date_of(&retired), None);
    }
}
