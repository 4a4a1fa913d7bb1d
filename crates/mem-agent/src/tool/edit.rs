//! What edits make of a text: pure functions of text and arguments.
//!
//! `ToolDialect` says whose answers a model gets. The three differ:
//!
//! | | Python | TypeScript | the page |
//! |---|---|---|---|
//! | occurrences of a text | each; overlapping ones too, if several | lines that hold it | as Python, each line once |
//! | lines for an insertion | without the empty one behind the last newline | with it | with it |
//! | taken off the end of what is inserted | every newline | one | one |
//! | end of the file | gets a newline | stays | stays |
//!
//! Tests: `tool::edit::tests::occurrences_are_counted_as_each_sdk_does`,
//! `tool::edit::tests::insertions_end_as_each_sdk_does`, and against the packages themselves
//! `tool::released_clients::the_python_package_says_and_writes_the_same`.

use super::view::numbered_line;
use super::{ToolDialect, ToolFailure};

/// Lines shown before and after the one that changed.
const CONTEXT_LINES: usize = 2;

/// Replaces the one occurrence of a text; returns the new text and the lines around the change.
pub(super) fn replace_once(
    text: &str,
    path: &str,
    old: &str,
    new: &str,
    dialect: ToolDialect,
) -> Result<(String, String), ToolFailure> {
    let lines = match dialect {
        ToolDialect::Python => occurrence_lines(text, old),
        ToolDialect::TypeScript => lines_with(text, old),
        ToolDialect::Docs => distinct_when_many(occurrence_lines(text, old)),
    };
    match lines.as_slice() {
        [] => Err(ToolFailure::NoMatch(old.to_owned(), path.to_owned())),
        [line] => {
            let edited = text.replacen(old, new, 1);
            let snippet = changed_snippet(&edited, line - 1);
            Ok((edited, snippet))
        }
        // The page's dialect names each line once.
        _ => {
            let mut named = lines;
            if dialect == ToolDialect::Docs {
                named.dedup();
            }
            Err(ToolFailure::Many(old.to_owned(), named))
        }
    }
}

/// The lines on which a text occurs, one for each occurrence. One occurrence where those that do not
/// overlap are one; else all, as the Python SDK names them, those that overlap too.
fn occurrence_lines(text: &str, old: &str) -> Vec<usize> {
    let is_one = text.matches(old).take(2).count() == 1;
    let (mut lines, mut line, mut counted, mut at) = (Vec::new(), 1, 0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(old)) {
        let place = at + found;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[counted..place]).count();
        counted = place;
        lines.push(line);
        if is_one {
            break;
        }
        let step = text[place..].chars().next().map_or(1, char::len_utf8);
        at = place + step;
    }
    lines
}

/// As it is where there is one or more than one line; two occurrences on one line stay two.
fn distinct_when_many(lines: Vec<usize>) -> Vec<usize> {
    let mut distinct = lines.clone();
    distinct.dedup();
    if distinct.len() > 1 { distinct } else { lines }
}

/// The lines that contain a text, as the TypeScript SDK counts: one that spans lines is on none.
fn lines_with(text: &str, old: &str) -> Vec<usize> {
    let lines = (1..).zip(text.split('\n'));
    let with = lines.filter(|(_, line)| line.contains(old));
    with.map(|(number, _)| number).collect()
}

/// The lines around the one that changed, counted from 0.
fn changed_snippet(text: &str, changed: usize) -> String {
    let first = changed.saturating_sub(CONTEXT_LINES);
    let lines = text.split('\n').enumerate().skip(first);
    let lines = lines.take_while(|(at, _)| *at <= changed + CONTEXT_LINES);
    let lines: Vec<String> = lines
        .map(|(at, line)| numbered_line(at + 1, line))
        .collect();
    lines.join("\n")
}

/// Puts a text behind a line.
///
/// Python counts lines without the empty one behind the last newline, takes every newline off the end
/// of the text and ends the file with one; TypeScript counts that line, takes one newline off, and
/// leaves the end of the file as it is.
pub(super) fn insert_at_line(
    text: &str,
    line: i64,
    new: &str,
    dialect: ToolDialect,
) -> Result<String, ToolFailure> {
    let mut lines: Vec<&str> = text.split('\n').collect();
    if dialect == ToolDialect::Python && lines.last() == Some(&"") {
        lines.pop();
    }
    let bad = || ToolFailure::BadLine(line, lines.len());
    let at = usize::try_from(line).map_err(|_| bad())?;
    if at > lines.len() {
        return Err(bad());
    }
    let new = match dialect {
        ToolDialect::Python => new.trim_end_matches('\n'),
        ToolDialect::Docs | ToolDialect::TypeScript => new.strip_suffix('\n').unwrap_or(new),
    };
    lines.insert(at, new);
    let mut edited = lines.join("\n");
    if dialect == ToolDialect::Python && !edited.ends_with('\n') {
        edited.push('\n');
    }
    Ok(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, old: &str, dialect: ToolDialect) -> Result<String, Vec<usize>> {
        match replace_once(text, "/memories/f", old, "X", dialect) {
            Ok((edited, _)) => Ok(edited),
            Err(ToolFailure::Many(_, lines)) => Err(lines),
            Err(_) => Err(Vec::new()),
        }
    }

    #[test]
    fn occurrences_are_counted_as_each_sdk_does() {
        let (docs, python, typescript) = (
            ToolDialect::Docs,
            ToolDialect::Python,
            ToolDialect::TypeScript,
        );
        assert_eq!(lines("a b a\na", "a", python), Err(vec![1, 1, 2]));
        assert_eq!(lines("a b a\na", "a", typescript), Err(vec![1, 2]));
        assert_eq!(lines("a b a\na", "a", docs), Err(vec![1, 2]));
        assert_eq!(lines("a b a", "a", typescript).unwrap(), "X b a");
        assert_eq!(lines("a b a", "a", docs), Err(vec![1]));
        assert_eq!(lines("aaa", "aa", python).unwrap(), "Xa");
        assert_eq!(lines("aaaa", "aa", python), Err(vec![1, 1, 1]));
        assert_eq!(lines("a\nb\nc", "a\nb", python).unwrap(), "X\nc");
        assert_eq!(lines("a\nb\nc", "a\nb", docs).unwrap(), "X\nc");
        assert_eq!(lines("a\nb\nc", "a\nb", typescript), Err(vec![]));
        assert_eq!(lines("", "", python).unwrap(), "X");
        assert_eq!(lines("\u{e9}\n", "", python), Err(vec![1, 1, 2]));
        assert_eq!(lines("abc", "", typescript).unwrap(), "Xabc");
    }

    #[test]
    fn insertions_end_as_each_sdk_does() {
        let insert = |text, line, new, dialect| insert_at_line(text, line, new, dialect);
        let (python, typescript) = (ToolDialect::Python, ToolDialect::TypeScript);
        assert_eq!(insert("1\n2", 1, "x", python).unwrap(), "1\nx\n2\n");
        assert_eq!(insert("1\n2", 1, "x\n\n", typescript).unwrap(), "1\nx\n\n2");
        assert_eq!(insert("1\n2\n", 2, "x\n\n", python).unwrap(), "1\n2\nx\n");
        assert_eq!(insert("", 0, "x", python).unwrap(), "x\n");
        assert_eq!(insert("", 1, "x", typescript).unwrap(), "\nx");
        assert_eq!(
            insert("1\n", 2, "x", python),
            Err(ToolFailure::BadLine(2, 1))
        );
        assert_eq!(
            insert("1\n", -1, "x", typescript),
            Err(ToolFailure::BadLine(-1, 2))
        );
        assert_eq!(
            insert("1\n", 3, "x", typescript),
            Err(ToolFailure::BadLine(3, 2))
        );
    }

    #[test]
    fn a_snippet_is_cut_around_the_old_place() {
        let (_, shown) = replace_once(
            "1\n2\n3\n4\n5\n6",
            "/m",
            "3",
            "a\nb\nc\nd",
            ToolDialect::Docs,
        )
        .unwrap();
        assert_eq!(
            shown,
            "     1\t1\n     2\t2\n     3\ta\n     4\tb\n     5\tc"
        );
    }
}
