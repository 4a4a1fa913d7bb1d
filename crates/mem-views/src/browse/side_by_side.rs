//! Two texts in two columns, equal lines beside each other.

use super::text::{Line, Tone, cut, width, wrap};
use crate::common_lines::common_lines;

/// More lines than this are shown one beside the other as they come: comparing takes the product of both numbers.
const LINES_MAX: usize = 2_000;

/// The columns, each under its heading. Lines that only one text has are marked.
pub(crate) fn side_by_side(left: (&str, &str), right: (&str, &str), cells: usize) -> Vec<Line> {
    let column = cells.saturating_sub(3) / 2;
    let heading = |text: &str| vec![Line::of(Tone::Strong, cut(text, column))];
    let mut lines = join(&heading(left.0), &heading(right.0), column);
    let (left, right): (Vec<&str>, Vec<&str>) =
        (left.1.lines().collect(), right.1.lines().collect());
    for (mine, theirs) in align(&left, &right) {
        let is_equal = mine == theirs;
        let side = |text: Option<&str>, tone| {
            let tone = if is_equal { Tone::Plain } else { tone };
            text.map_or_else(Vec::new, |text| wrap(&Line::of(tone, text), column, 0))
        };
        lines.extend(join(
            &side(mine, Tone::Good),
            &side(theirs, Tone::Warning),
            column,
        ));
    }
    lines
}

/// Puts two columns into lines.
fn join(left: &[Line], right: &[Line], column: usize) -> Vec<Line> {
    let empty = Line::empty();
    let rows = left.len().max(right.len());
    let row = |at: usize| {
        let (mine, theirs) = (
            left.get(at).unwrap_or(&empty),
            right.get(at).unwrap_or(&empty),
        );
        let padding = column.saturating_sub(width(&mine.plain()));
        let start = mine
            .clone()
            .with(Tone::Faint, format!("{} │ ", " ".repeat(padding)));
        theirs
            .0
            .iter()
            .fold(start, |line, (tone, text)| line.with(*tone, text.clone()))
    };
    (0..rows).map(row).collect()
}

type Pair<'t> = (Option<&'t str>, Option<&'t str>);

/// Pairs of lines by a longest common subsequence. Lines between two equal ones stand beside each other in their order.
fn align<'t>(left: &[&'t str], right: &[&'t str]) -> Vec<Pair<'t>> {
    let mut pairs = Vec::new();
    let (mut mine, mut theirs) = (0, 0);
    let common = match left.len().max(right.len()) <= LINES_MAX {
        true => common_lines(left, right),
        false => Vec::new(),
    };
    for (at, other) in common {
        pair_up(&left[mine..at], &right[theirs..other], &mut pairs);
        pairs.push((Some(left[at]), Some(right[other])));
        (mine, theirs) = (at + 1, other + 1);
    }
    pair_up(&left[mine..], &right[theirs..], &mut pairs);
    pairs
}

fn pair_up<'t>(left: &[&'t str], right: &[&'t str], pairs: &mut Vec<Pair<'t>>) {
    let rows = 0..left.len().max(right.len());
    pairs.extend(rows.map(|at| (left.get(at).copied(), right.get(at).copied())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lines_stand_beside_each_other() {
        let shown = side_by_side(("mine", "a\nb\nd"), ("theirs", "a\nc\nc2\nd"), 15);
        let shown: Vec<String> = shown.iter().map(Line::plain).collect();
        let wanted = [
            "mine   │ theirs",
            "a      │ a",
            "b      │ c",
            "       │ c2",
            "d      │ d",
        ];
        assert_eq!(shown, wanted);
    }

    #[test]
    fn columns_keep_to_their_widths() {
        let long = "통과통과통과 and some more words\nx";
        for cells in 3..60 {
            for line in side_by_side(("m", long), ("t", "short"), cells) {
                assert!(width(&line.plain()) <= cells.max(7), "{line:?} in {cells}");
            }
        }
    }
}
