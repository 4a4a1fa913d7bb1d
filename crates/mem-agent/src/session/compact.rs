//! The notes as a compacted conversation is given them.
//!
//! Every section gets a share of the room. A section that is larger loses lines of its middle, and a mark says how
//! many. Which end keeps more follows from the order of its items ([`GiveWay`]): the newest requests and steps before
//! the oldest, the most used files before the others.

use super::budget::{NOTES_TOKENS_MAX, SECTION_TOKENS_MAX};
use super::fence::Fence;
use super::notes::{NotesSection, SessionNotes};
use super::render::{GiveWay, find_give_way};
use crate::space_sharing::{SpaceRequest, share_space};
use crate::tokens::estimate_tokens;

/// The sections that matter most where there is little room.
const FIRST: [&str; 4] = [
    "Current State",
    "Errors & Corrections",
    "Task specification",
    "Worklog",
];

/// The sections that hold something, without their lines of guidance, each within its budget of tokens, and all of them
/// within theirs.
pub fn compact_notes(notes: &SessionNotes) -> String {
    let sizes = (NOTES_TOKENS_MAX, SECTION_TOKENS_MAX);
    cut_sections(notes, sizes, &estimate_tokens)
}

/// The same with a limit in characters (of UTF-16, as hosts count them).
pub fn compact_within(notes: &SessionNotes, chars_max: usize) -> String {
    let size = |text: &str| text.encode_utf16().count();
    // The line break that ends the last section is not in the text.
    cut_sections(notes, (chars_max + 1, chars_max), &size)
}

/// The sections within the sizes of all and of each. Those that the work cannot go on without get three times the
/// share of the others, and what a section leaves of its share goes to those below.
fn cut_sections(
    notes: &SessionNotes,
    (all_max, section_max): (usize, usize),
    size: &dyn Fn(&str) -> usize,
) -> String {
    let sections: Vec<&NotesSection> = notes
        .sections
        .iter()
        .filter(|one| !one.is_empty())
        .collect();
    let wish = |section: &&NotesSection| SpaceRequest {
        size: size(&whole_section(section)).min(section_max + size(&heading(section))),
        weight: match FIRST
            .iter()
            .any(|one| one.eq_ignore_ascii_case(&section.title))
        {
            true => 3,
            false => 1,
        },
    };
    let wishes: Vec<SpaceRequest> = sections.iter().map(wish).collect();
    let (mut text, mut left) = (String::new(), 0);
    for (section, share) in sections.iter().zip(share_space(&wishes, all_max)) {
        left += share;
        let room = left.min(section_max + size(&heading(section)));
        let part = cut_section(section, room, size);
        left = left.saturating_sub(size(&part));
        text.push_str(&part);
    }
    // The last line ends the text, not the section.
    text.pop();
    text
}

fn heading(section: &NotesSection) -> String {
    format!("# {}\n\n", section.title)
}

fn whole_section(section: &NotesSection) -> String {
    format!("{}{}\n\n", heading(section), section.body.trim())
}

/// A section without as many whole lines of its middle as do not fit; nothing where not even the mark fits.
fn cut_section(section: &NotesSection, room: usize, size: &dyn Fn(&str) -> usize) -> String {
    let whole = whole_section(section);
    if size(&whole) <= room {
        return whole;
    }
    let lines = section.body.trim().lines();
    let lines: Vec<String> = lines.map(|line| format!("{line}\n")).collect();
    let heading = heading(section);
    let mark = |count: usize| format!("[... {count} of {} lines left out ...]\n", lines.len());
    let frame = size(&heading) + size(&mark(lines.len())) + size("\n");
    let Some(room) = room.checked_sub(frame) else {
        return String::new();
    };
    // The code block that is open before each line, and after the last one. One that the cut divides is closed before
    // the mark and opened again behind it: the mark and the sections below would be code.
    let mut fences = vec![None];
    for line in &lines {
        fences.push(Fence::after_line(fences.last().copied().flatten(), line));
    }
    let fence_line =
        |at: usize| fences[at].map_or(String::new(), |fence| fence.closing_line() + "\n");
    // How many lines in a row fit, each with the place of the cut behind it.
    let fitting = |room: usize, ends: &mut dyn Iterator<Item = (usize, usize)>| {
        let mut used = 0;
        let fits = ends.take_while(|(line, cut)| {
            used += size(&lines[*line]);
            used + size(&fence_line(*cut)) <= room
        });
        fits.count()
    };
    let (lines_max, start_room) = match find_give_way(&section.title) {
        Some(GiveWay::Last) => (lines.len(), room),
        Some(GiveWay::First) => (0, 0),
        Some(GiveWay::Second) => (1, room / 2),
        None => (lines.len(), room / 2),
    };
    let start = fitting(start_room, &mut (0..lines_max).map(|at| (at, at + 1)));
    let start_text = lines[..start].concat() + &fence_line(start);
    let room = room.saturating_sub(size(&start_text));
    let end = lines.len() - fitting(room, &mut (start..lines.len()).rev().map(|at| (at, at)));
    let mark = mark(end - start);
    let end_text = fence_line(end) + &lines[end..].concat();
    format!("{heading}{start_text}{mark}{end_text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How every mark begins.
    const MARK: &str = "[... ";

    #[test]
    fn a_code_block_that_is_cut_is_closed() {
        let code = "let a_line = \"of some words\";\n".repeat(400);
        let text = format!("# A\n_g_\n~~~~rust\n{code}~~~~\n# B\n_g_\ntwo\n");
        let is_cut = |shown: &str| {
            let (start, end) = shown.split_once(MARK).expect("a mark");
            let (_, end) = end.split_once('\n').expect("the end of its line");
            start.ends_with(";\n~~~~\n")
                && end.starts_with("~~~~\nlet")
                && end.contains("\n~~~~\n\n# B\n")
        };
        let shown = compact_notes(&SessionNotes::parse(&text));
        assert!(is_cut(&shown), "{shown}");
        let first = shown.split("\n# B").next().unwrap_or_default();
        assert!(estimate_tokens(first) <= SECTION_TOKENS_MAX + 8);
        let shown = compact_within(&SessionNotes::parse(&text), 1_000);
        assert!(is_cut(&shown), "{shown}");
        assert!(shown.chars().count() <= 1_000, "{shown}");
    }

    #[test]
    fn guidance_and_empty_sections_are_left_out() {
        let notes =
            SessionNotes::parse("# A\n_guide_\n\n- one\n\n# B\n_guide_\n\n# C\n_guide_\ntwo\n");
        assert_eq!(compact_notes(&notes), "# A\n\n- one\n\n# C\n\ntwo\n");
        assert_eq!(compact_notes(&SessionNotes::default()), "");
    }

    #[test]
    fn nothing_is_ever_over_budget_and_cuts_are_at_line_ends() {
        let line = "- a line of some words that says a thing\n";
        let section = |title: &str, lines: usize| format!("# {title}\n_g_\n{}", line.repeat(lines));
        let text: String = (0..12).map(|at| section(&format!("S{at}"), 400)).collect();
        let shown = compact_notes(&SessionNotes::parse(&text));
        assert!(
            estimate_tokens(&shown) <= NOTES_TOKENS_MAX,
            "{}",
            estimate_tokens(&shown)
        );
        for part in shown.split("# S").skip(1) {
            assert!(estimate_tokens(part) <= SECTION_TOKENS_MAX + 8);
            let lines = part.lines().skip(2).filter(|line| !line.is_empty());
            for one in lines {
                assert!(one == line.trim_end() || one.starts_with(MARK), "{one}");
            }
            assert!(part.contains(MARK));
        }
    }

    #[test]
    fn within_little_room_every_section_keeps_whole_lines() {
        let line = "- a line of some words that says a thing\n";
        let section = |title: &str| format!("# {title}\n_g_\n{}\n", line.repeat(60));
        let text = ["Task specification", "Workflow", "Current State", "Worklog"].map(section);
        let notes = SessionNotes::parse(&text.concat());
        let whole = compact_notes(&notes);
        assert_eq!(compact_within(&notes, whole.len()), whole);
        for room in [0, 90, 300, 1_000, 4_000] {
            let shown = compact_within(&notes, room);
            assert!(shown.chars().count() <= room, "{room}: {}", shown.len());
        }
        let shown = compact_within(&notes, 4_000);
        let lines = |title: &str| {
            let part = shown.split("# ").find(|part| part.starts_with(title));
            part.map_or(0, |part| {
                part.lines().filter(|one| *one == line.trim_end()).count()
            })
        };
        assert!(lines("Current State") > 2 * lines("Workflow"), "{shown}");
        assert!(lines("Worklog") > 0 && shown.contains(MARK), "{shown}");
    }

    #[test]
    fn one_endless_line_leaves_only_the_marker() {
        let text = format!("# A\n_g_\n{}\n", "word ".repeat(9_000));
        assert_eq!(
            compact_notes(&SessionNotes::parse(&text)),
            "# A\n\n[... 1 of 1 lines left out ...]\n"
        );
    }
}
