//! The lines of code that a citation means, for a view that shows them beside the memory.

use std::path::Path;

use mem_core::regular_file;
use serde_json::{Value, json};

/// Lines before and after the one that is meant.
const CONTEXT_LINES: usize = 3;
/// Lines of a file that is cited as a whole.
const HEAD_LINES: usize = 8;
/// A larger file is not shown.
const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// A longer line is cut.
const LINE_CHARS_MAX: usize = 240;

/// Adds `code` to the citations of `mem verify --json` whose lines are in a file below `top`.
///
/// A symbol is looked for in the files that the same memory cites, for a word alone may stand anywhere.
pub(crate) fn add_code(report: &mut Value, top: &Path) {
    for note in report["notes"].as_array_mut().into_iter().flatten() {
        let Some(citations) = note["citations"].as_array_mut() else {
            continue;
        };
        let files: Vec<String> = citations
            .iter()
            .filter_map(|one| cited_file(one).map(|(file, _)| file))
            .collect();
        for citation in citations {
            let code = match cited_file(citation) {
                Some((file, line)) => excerpt(top, &file, line),
                None if is_symbol(citation) => {
                    let text = citation["text"].as_str().unwrap_or_default();
                    let word = text
                        .trim_end_matches("()")
                        .rsplit(['.', ':'])
                        .next()
                        .unwrap_or_default();
                    files
                        .iter()
                        .find_map(|file| excerpt_of_word(top, file, word))
                }
                None => None,
            };
            if let Some(code) = code {
                citation["code"] = code;
            }
        }
    }
}

fn is_symbol(citation: &Value) -> bool {
    ["function", "type", "symbol", "key", "env", "flag"]
        .iter()
        .any(|kind| citation["kind"] == *kind)
}

/// The file of a citation, and the line in it.
fn cited_file(citation: &Value) -> Option<(String, Option<usize>)> {
    if !["path", "line", "range"]
        .iter()
        .any(|kind| citation["kind"] == *kind)
    {
        return None;
    }
    let text = citation["text"].as_str()?;
    let (path, line) = match text.rsplit_once(':') {
        Some((path, lines)) => (
            path,
            lines
                .split(['-', '–'])
                .next()
                .and_then(|line| line.parse().ok()),
        ),
        None => match text.split_once("#L") {
            Some((path, lines)) => (
                path,
                lines.split('-').next().and_then(|line| line.parse().ok()),
            ),
            None => (text, None),
        },
    };
    let path = citation["moved_to"].as_str().unwrap_or(path);
    Some((path.trim_start_matches("./").to_owned(), line))
}

fn read_lines(top: &Path, file: &str) -> Option<String> {
    let bytes = regular_file::read_inside(top, Path::new(file), FILE_BYTES_MAX).ok()?;
    String::from_utf8(bytes).ok()
}

fn excerpt(top: &Path, file: &str, line: Option<usize>) -> Option<Value> {
    let text = read_lines(top, file)?;
    let lines: Vec<&str> = text.lines().collect();
    let line = line.filter(|line| (1..=lines.len()).contains(line));
    let (from, to) = match line {
        Some(line) => (line.saturating_sub(CONTEXT_LINES + 1), line + CONTEXT_LINES),
        None => (0, HEAD_LINES),
    };
    let shown = &lines[from..to.min(lines.len())];
    let shown: Vec<String> = shown
        .iter()
        .map(|line| line.chars().take(LINE_CHARS_MAX).collect())
        .collect();
    Some(json!({ "path": file, "first": from + 1, "line": line, "lines": shown }))
}

/// Around the first line of a file that has the word.
fn excerpt_of_word(top: &Path, file: &str, word: &str) -> Option<Value> {
    let text = read_lines(top, file)?;
    let is_word = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let is_inside = |c: char| c.is_alphanumeric() || c == '_';
            !line[..at].ends_with(is_inside) && !line[at + word.len()..].starts_with(is_inside)
        })
    };
    let at = text
        .lines()
        .position(|line| !word.is_empty() && is_word(line))?;
    excerpt(top, file, Some(at + 1))
}
