//! Where things stand on the screen.

use ratatui_core::layout::Rect;

/// Columns from which on the pane stands beside the list.
const BESIDE_COLUMNS: u16 = 110;
/// Rows below which there is a list and no pane.
const PANE_ROWS: u16 = 12;

/// The parts of a screen: head line, list, pane with a line above or beside it, foot line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The rows of the list.
    pub list: Rect,
    /// The line between list and pane: a row or a column.
    pub rule: Rect,
    /// What is selected.
    pub pane: Rect,
}

impl Layout {
    /// The layout of a size. The pane has everything while it is read.
    pub(crate) fn of((columns, rows): (u16, u16), is_reading: bool) -> Self {
        let body = Rect::new(0, 1.min(rows), columns, rows.saturating_sub(2));
        let nothing = Rect::new(0, body.y, 0, 0);
        if is_reading {
            return Self {
                list: nothing,
                rule: nothing,
                pane: body,
            };
        }
        if columns >= BESIDE_COLUMNS {
            let left = columns * 11 / 20;
            let pane = Rect::new(left + 2, body.y, columns - left - 2, body.height);
            let rule = Rect::new(left, body.y, 1, body.height);
            return Self {
                list: Rect {
                    width: left,
                    ..body
                },
                rule,
                pane,
            };
        }
        if rows < PANE_ROWS {
            return Self {
                list: body,
                rule: nothing,
                pane: nothing,
            };
        }
        let height = (body.height - 1) / 2;
        let rule = Rect::new(0, body.y + height, columns, 1);
        let pane = Rect::new(0, rule.y + 1, columns, body.height - height - 1);
        Self {
            list: Rect { height, ..body },
            rule,
            pane,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_screen_and_never_overlap() {
        for columns in 0..200 {
            for rows in 0..60 {
                for is_reading in [false, true] {
                    let layout = Layout::of((columns, rows), is_reading);
                    let screen = Rect::new(0, 0, columns, rows);
                    let parts = [layout.list, layout.rule, layout.pane];
                    let parts = parts.into_iter().filter(|part| !part.is_empty());
                    let parts: Vec<Rect> = parts.collect();
                    for (at, part) in parts.iter().enumerate() {
                        assert_eq!(part.intersection(screen), *part, "{columns}x{rows}");
                        assert!(parts[..at].iter().all(|one| !one.intersects(*part)));
                    }
                }
            }
        }
        assert_eq!(Layout::of((80, 24), false).list.height, 10);
    }
}
