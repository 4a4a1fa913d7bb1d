//! One text out of several parts, within a number of characters (of UTF-16), in whole lines.

use std::fmt::Write as _;

use mem_agent::space_sharing::{SpaceRequest, share_space};

use crate::reply::count_units;
use mem_agent::injection::InjectedPart;

/// A part: lines between an opening and a closing one.
#[derive(Debug)]
pub(crate) struct ContextPart {
    /// What it is, in the ledger.
    pub(crate) label: String,
    /// The opening line.
    pub(crate) open: String,
    /// The lines, each whole or not at all.
    pub(crate) lines: Vec<String>,
    /// What is said after them in any case; empty for nothing.
    pub(crate) remark: String,
    /// The closing line.
    pub(crate) close: &'static str,
    /// Where all of it can be read.
    pub(crate) whole: String,
    /// How much it counts beside the others, from 1.
    pub(crate) weight: usize,
}

impl ContextPart {
    fn char_count(&self) -> usize {
        let lines = self.lines.iter().map(|line| count_units(line) + 1);
        self.frame_chars() + lines.sum::<usize>()
    }

    pub(crate) fn frame_chars(&self) -> usize {
        let frame = [&*self.open, "\n", &self.remark, self.close, "\n"];
        frame.into_iter().map(count_units).sum()
    }

    /// As many lines as fit, in their order, and how many do not; nothing where none fits.
    fn fitted_lines(&self, room: usize) -> Option<String> {
        let is_whole = self.char_count() <= room;
        let left_chars = if is_whole {
            0
        } else {
            count_units(&self.omitted_line(self.lines.len()))
        };
        let mut room = room.checked_sub(self.frame_chars() + left_chars)?;
        let mut text = format!("{}\n", self.open);
        let mut kept = 0;
        for line in &self.lines {
            let chars = count_units(line) + 1;
            if chars <= room {
                room -= chars;
                kept += 1;
                // Writing into a string cannot fail.
                let _ = writeln!(text, "{line}");
            }
        }
        if kept == 0 {
            return None;
        }
        if kept < self.lines.len() {
            text.push_str(&self.omitted_line(self.lines.len() - kept));
        }
        text.push_str(&self.remark);
        let _ = writeln!(text, "{}", self.close);
        Some(text)
    }

    fn omitted_line(&self, count: usize) -> String {
        let of = self.lines.len();
        format!(
            "[{count} of {of} lines left out for want of room: {}]\n",
            self.whole
        )
    }
}

/// The room that each part has between a head and a tail.
pub(crate) fn share_room(
    head: &str,
    parts: &[ContextPart],
    tail: &str,
    chars_max: usize,
) -> Vec<usize> {
    // Room for one line about parts of which nothing fits.
    let frame = count_units(head) + count_units(tail) + 200;
    let wish = |part: &ContextPart| SpaceRequest {
        size: part.char_count(),
        weight: part.weight,
    };
    let wishes: Vec<SpaceRequest> = parts.iter().map(wish).collect();
    share_space(&wishes, chars_max.saturating_sub(frame))
}

/// The parts between a head and a tail, with what each of them became; empty where nothing fits.
pub(crate) fn build_page(
    head: &str,
    parts: &[ContextPart],
    tail: &str,
    chars_max: usize,
) -> (String, Vec<InjectedPart>) {
    let room = share_room(head, parts, tail, chars_max);
    let (mut text, mut entries, mut left) = (String::new(), Vec::new(), Vec::new());
    for (part, room) in parts.iter().zip(room) {
        match part.fitted_lines(room) {
            Some(fitted) => {
                entries.push(InjectedPart::from_label(part.label.clone(), &fitted));
                text.push_str(&fitted);
            }
            None => left.push(&*part.label),
        }
    }
    if text.is_empty() {
        return (text, entries);
    }
    if !left.is_empty() {
        let names: String = left.join(", ").chars().take(150).collect();
        let _ = writeln!(text, "[left out for want of room: {names}]");
    }
    (format!("{head}{text}{tail}"), entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, lines: usize, chars: usize) -> ContextPart {
        ContextPart {
            label: label.to_owned(),
            open: format!("<{label}>"),
            lines: vec!["x".repeat(chars); lines],
            remark: String::new(),
            close: "</>",
            whole: "read it".to_owned(),
            weight: 1,
        }
    }

    #[test]
    fn whole_lines_stay_within_the_room_and_the_rest_is_said() {
        let parts = [
            part("small", 2, 20),
            part("large", 500, 80),
            part("long", 1, 9_000),
        ];
        let parts_of_emoji = [
            part("small", 2, 20),
            ContextPart {
                lines: vec!["🙂".repeat(50); 300],
                ..part("e", 0, 0)
            },
        ];
        let (text, _) = build_page("head\n", &parts_of_emoji, "tail\n", 3_000);
        assert!(
            (2_500..3_000).contains(&count_units(&text)),
            "{}",
            count_units(&text)
        );
        for room in [300, 1_000, 3_000, 9_500] {
            let (text, entries) = build_page("head\n", &parts, "tail\n", room);
            assert!(count_units(&text) <= room, "{room}");
            assert!(text.is_empty() || text.ends_with("tail\n"));
            assert_eq!(text.is_empty(), entries.is_empty());
        }
        let (text, entries) = build_page("head\n", &parts, "tail\n", 3_000);
        assert!(text.starts_with("head\n<small>\n"), "{text}");
        assert!(
            text.contains("of 500 lines left out for want of room: read it]\n"),
            "{text}"
        );
        assert!(
            text.contains("[left out for want of room: long]\n"),
            "{text}"
        );
        assert!(
            text.lines()
                .all(|line| !line.starts_with('x') || [20, 80].contains(&line.len()))
        );
        assert_eq!(entries.len(), 2);
        assert_eq!(build_page("head\n", &[], "tail\n", 900).0, "");
    }
}
