//! A unified diff beside itself: what was on the left, what is on the right.

use maud::{Markup, html};

use super::texts;
use crate::common_lines::common_lines;

/// The memory index of a directory.
const INDEX_FILE: &str = "MEMORY.md";

/// Larger texts, in pairs of lines, are shown as one replaced by the other.
const CELLS_MAX: usize = 4_000_000;

/// A row of two columns.
#[derive(Debug, PartialEq, Eq)]
enum Row<'d> {
    /// The name of a file.
    File(&'d str),
    /// Lines that are left out.
    Gap,
    /// Both sides; `None` where a side has no line.
    Lines(Option<Cell<'d>>, Option<Cell<'d>>),
}

/// A line of one side.
#[derive(Debug, PartialEq, Eq)]
struct Cell<'d> {
    number: usize,
    text: &'d str,
    is_changed: bool,
}

impl<'d> Cell<'d> {
    const fn new(number: usize, text: &'d str, is_changed: bool) -> Self {
        Self {
            number,
            text,
            is_changed,
        }
    }
}

/// Pairs the lines of a diff.
fn rows(diff: &str) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    let (mut old, mut new) = (0, 0);
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    // Lines of the hunk that are still to come: a removed line may look like the head of a file.
    let (mut old_left, mut new_left) = (0, 0);
    for line in diff.lines() {
        let is_inside = old_left > 0 || new_left > 0;
        match line.as_bytes().first() {
            Some(b'-') if is_inside => {
                removed.push(Cell::new(old, &line[1..], true));
                (old, old_left) = (old + 1, old_left - usize::from(old_left > 0));
            }
            Some(b'+') if is_inside => {
                added.push(Cell::new(new, &line[1..], true));
                (new, new_left) = (new + 1, new_left - usize::from(new_left > 0));
            }
            Some(b'\\') => {}
            _ if is_inside => {
                pair(&mut rows, &mut removed, &mut added);
                let text = line.get(1..).unwrap_or_default();
                let cell = |number| Some(Cell::new(number, text, false));
                rows.push(Row::Lines(cell(old), cell(new)));
                (old, new) = (old + 1, new + 1);
                (old_left, new_left) = (old_left.saturating_sub(1), new_left.saturating_sub(1));
            }
            _ => {
                pair(&mut rows, &mut removed, &mut added);
                if let Some(hunk) = line.strip_prefix("@@ ") {
                    ((old, old_left), (new, new_left)) = hunk_start(hunk);
                    if !matches!(rows.last(), None | Some(Row::File(_))) {
                        rows.push(Row::Gap);
                    }
                } else if let Some(name) = line
                    .strip_prefix("+++ ")
                    .filter(|name| *name != "/dev/null")
                {
                    rows.push(Row::File(name.strip_prefix("b/").unwrap_or(name)));
                } else if let Some(name) = line.strip_prefix("--- a/") {
                    // What is gone has no name on the other side; else the next line names it again.
                    rows.push(Row::File(name));
                }
            }
        }
    }
    pair(&mut rows, &mut removed, &mut added);
    rows.dedup_by(|next, before| matches!((next, before), (Row::File(a), Row::File(b)) if a == b));
    rows
}

/// Where a hunk begins, and how many lines it has, on both sides.
fn hunk_start(hunk: &str) -> ((usize, usize), (usize, usize)) {
    let mut sides = hunk.split(' ').take(2).map(|side| {
        let side = side.trim_start_matches(['-', '+']);
        let (first, count) = side.split_once(',').unwrap_or((side, "1"));
        (first.parse().unwrap_or(0), count.parse().unwrap_or(0))
    });
    (
        sides.next().unwrap_or_default(),
        sides.next().unwrap_or_default(),
    )
}

/// Puts what was removed beside what was added in its place.
fn pair<'d>(rows: &mut Vec<Row<'d>>, removed: &mut Vec<Cell<'d>>, added: &mut Vec<Cell<'d>>) {
    let (mut old, mut new) = (removed.drain(..), added.drain(..));
    loop {
        match (old.next(), new.next()) {
            (None, None) => break,
            (left, right) => rows.push(Row::Lines(left, right)),
        }
    }
}

/// The diff as tables, one a file. The memory index, which follows every change, comes last and closed.
pub(crate) fn side_by_side(diff: &str) -> Markup {
    let rows = rows(diff);
    let starts: Vec<usize> = (0..rows.len())
        .filter(|at| *at == 0 || matches!(rows[*at], Row::File(_)))
        .collect();
    let ends = starts.iter().skip(1).copied().chain([rows.len()]);
    let files: Vec<&[Row<'_>]> = starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &rows[*start..end])
        .collect();
    let (index, memories): (Vec<_>, Vec<_>) = files.into_iter().partition(|rows| is_index(rows));
    html! {
        div.diff tabindex="0" role="region" aria-label=(texts::DIFF) {
            @for rows in &memories { (table(rows)) }
            @for rows in &index { @match rows {
                [Row::File(name), rows @ ..] => details { summary { (name) } (table(rows)) },
                rows => (table(rows)),
            } }
        }
    }
}

/// A diff of one hunk that holds both texts.
pub(crate) fn whole_diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - start;
    let pairs = old.iter().rev().zip(new.iter().rev()).take(rest);
    let end = pairs.take_while(|(a, b)| a == b).count();
    let (a, b) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let common = match a.len() * b.len() <= CELLS_MAX {
        true => common_lines(a, b),
        false => Vec::new(),
    };
    let mut diff = format!("@@ -1,{} +1,{} @@\n", old.len(), new.len());
    let mut push = |mark: char, lines: &[&str]| {
        for line in lines {
            diff.push(mark);
            diff.push_str(line);
            diff.push('\n');
        }
    };
    push(' ', &old[..start]);
    let (mut i, mut j) = (0, 0);
    for (at, other) in common {
        push('-', &a[i..at]);
        push('+', &b[j..other]);
        push(' ', &a[at..=at]);
        (i, j) = (at + 1, other + 1);
    }
    push('-', &a[i..]);
    push('+', &b[j..]);
    push(' ', &old[old.len() - end..]);
    diff
}

fn is_index(rows: &[Row<'_>]) -> bool {
    matches!(rows, [Row::File(name), ..] if name.rsplit('/').next() == Some(INDEX_FILE))
}

fn table(rows: &[Row<'_>]) -> Markup {
    html! {
        table {
            colgroup { col.number; col; col.number; col; }
            thead.sr { tr {
                th scope="col" { (texts::LINE) } th scope="col" { (texts::BEFORE) }
                th scope="col" { (texts::LINE) } th scope="col" { (texts::AFTER) }
            } }
            tbody {
                @for row in rows {
                    @match row {
                        Row::File(name) => tr.file { td colspan="4" { (name) } },
                        Row::Gap => tr.gap { td colspan="4" { "⋯" } },
                        Row::Lines(old, new) => tr.same[is_same(old, new)] {
                            (cell(old.as_ref(), "removed"))
                            (cell(new.as_ref(), "added"))
                        },
                    }
                }
            }
        }
    }
}

/// Whether both sides say the same: a narrow screen shows one of them.
fn is_same(old: &Option<Cell<'_>>, new: &Option<Cell<'_>>) -> bool {
    [old, new]
        .iter()
        .all(|cell| cell.as_ref().is_some_and(|cell| !cell.is_changed))
}

fn cell(cell: Option<&Cell<'_>>, class: &str) -> Markup {
    html! {
        @match cell {
            None => { td.number.none {} td.none {} },
            Some(Cell { number, text, is_changed: false }) => { td.number { (number) } td { (text) } },
            // The words are for those who see no colour.
            Some(Cell { number, text, is_changed: true }) => {
                td class={ "number " (class) } { (number) }
                td class=(class) { @if class == "added" { ins { (text) } } @else { del { (text) } } }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines_stand_beside_each_other() {
        let diff = "--- a/x.md\n+++ b/x.md\n@@ -1,3 +1,3 @@\n one\n--- two\n+++ 2\n+more\n three\n@@ -9 +10,0 @@\n-nine\n";
        let cell = |number, text, is_changed| Some(Cell::new(number, text, is_changed));
        let expected = [
            Row::File("x.md"),
            Row::Lines(cell(1, "one", false), cell(1, "one", false)),
            Row::Lines(cell(2, "-- two", true), cell(2, "++ 2", true)),
            Row::Lines(None, cell(3, "more", true)),
        ];
        assert_eq!(rows(diff)[..4], expected);
        let gone = "--- a/x.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n\\ No newline at end of file\n";
        assert_eq!(
            rows(gone),
            [Row::File("x.md"), Row::Lines(cell(1, "one", true), None)]
        );
    }

    #[test]
    fn two_edits_of_a_text_are_two_differences() {
        let old = "a\nb\nc\nd\ne\nf";
        let diff = whole_diff(old, "a\nB\nc\nd\nf\ng\n");
        assert_eq!(diff, "@@ -1,6 +1,6 @@\n a\n-b\n+B\n c\n d\n-e\n f\n+g\n");
        assert_eq!(whole_diff("x", "x"), "@@ -1,1 +1,1 @@\n x\n");
        assert_eq!(whole_diff("", "x\ny"), "@@ -1,0 +1,2 @@\n+x\n+y\n");
        let (long, other) = ("x\n".repeat(3_000), "y\n".repeat(3_000));
        let replaced = whole_diff(&long, &other);
        assert!(replaced.contains("-x\n+y\n") && replaced.lines().count() == 6_001);
    }

    #[test]
    fn a_diff_is_text() {
        let html =
            side_by_side("--- /dev/null\n+++ b/<b>.md\n@@ -0,0 +1 @@\n+<script>\n").into_string();
        assert!(
            html.contains("&lt;script&gt;") && !html.contains("<script>") && !html.contains("<b>")
        );
    }
}
