//! The notes as a compacted conversation is given them.

use super::budget::{NOTES_TOKENS_MAX, SECTION_TOKENS_MAX};
use super::fence::Fence;
use super::notes::{NotesSection, SessionNotes};
use crate::space_sharing::{SpaceRequest, share_space};
use crate::tokens::estimate_tokens;

/// Stands where the rest of a section was cut off.
pub const TRUNCATED: &str = "[... section truncated for length ...]";

/// The sections that hold something, without their lines of guidance, each cut at the end of a line
/// to its budget, and all of them to theirs.
pub fn compact_notes(notes: &SessionNotes) -> String {
    let mut text = String::new();
    let mut left = NOTES_TOKENS_MAX;
    for section in notes.sections.iter().filter(|one| !one.is_empty()) {
        let heading = format!("# {}\n\n", section.title);
        let frame = estimate_tokens(&heading) + 1;
        let Some(room) = left.checked_sub(frame).filter(|room| *room > 0) else {
            break;
        };
        let body = cut_body(section.body.trim(), room.min(SECTION_TOKENS_MAX));
        if body.is_empty() {
            break;
        }
        left -= frame + estimate_tokens(&body);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&heading);
        text.push_str(&body);
        text.push('\n');
    }
    text
}

/// The sections that matter most where there is little room.
const FIRST: [&str; 3] = [
    "Current State",
    "Errors & Corrections",
    "Task specification",
];

/// [`compact_notes`] in at most so many characters: every section keeps its beginning, in whole lines, and
/// those that the work cannot go on without keep three times as much of it.
pub fn compact_within(notes: &SessionNotes, chars_max: usize) -> String {
    let whole = compact_notes(notes);
    if whole.chars().count() <= chars_max {
        return whole;
    }
    let notes = SessionNotes::parse(&whole);
    let text = |section: &NotesSection| format!("{}{}", section.head, section.body);
    let wish = |section: &NotesSection| SpaceRequest {
        size: text(section).chars().count(),
        weight: match FIRST
            .iter()
            .any(|one| one.eq_ignore_ascii_case(&section.title))
        {
            true => 3,
            false => 1,
        },
    };
    let wishes: Vec<SpaceRequest> = notes.sections.iter().map(wish).collect();
    let parts = notes.sections.iter().zip(share_space(&wishes, chars_max));
    parts
        .map(|(section, room)| cut_chars(section, &text(section), room))
        .collect()
}

/// A section with as many whole lines as fit, and the marker; nothing where no line fits.
fn cut_chars(section: &NotesSection, text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let frame = section.head.chars().count() + TRUNCATED.chars().count() + 2;
    let Some(room) = room.checked_sub(frame) else {
        return String::new();
    };
    let kept = whole_lines(&section.body, room, |text| text.chars().count());
    match kept.trim().is_empty() {
        true => String::new(),
        false => format!("{}{}\n{TRUNCATED}\n\n", section.head, kept.trim_end()),
    }
}

/// As many whole lines as fit with the marker; nothing where not even that fits.
fn cut_body(body: &str, tokens_max: usize) -> String {
    if estimate_tokens(body) <= tokens_max {
        return body.to_owned();
    }
    let Some(room) = tokens_max.checked_sub(estimate_tokens(TRUNCATED) + 2) else {
        return String::new();
    };
    whole_lines(body, room, estimate_tokens) + TRUNCATED
}

/// As many whole lines as fit, each with its end. A code block that is open after them is closed, within the room: what
/// follows would be code.
fn whole_lines(body: &str, room: usize, size: impl Fn(&str) -> usize) -> String {
    let closing = |fence: Fence<'_>| format!("{}\n", fence.closing_line());
    let (mut kept, mut used, mut open) = (String::new(), 0, None);
    for line in body.split_inclusive('\n') {
        used += size(line);
        let fence = Fence::after_line(open, line);
        let end = fence.map_or(0, |fence| size(&closing(fence)));
        if used + end > room || line.trim_end() == TRUNCATED {
            break;
        }
        kept.push_str(line);
        open = fence;
    }
    if !kept.is_empty() && !kept.ends_with('\n') {
        kept.push('\n');
    }
    kept + &open.map(closing).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_block_that_is_cut_is_closed() {
        let code = "let a_line = \"of some words\";\n".repeat(400);
        let text = format!("# A\n_g_\n~~~~rust\n{code}~~~~\n# B\n_g_\ntwo\n");
        let end = format!(";\n~~~~\n{TRUNCATED}\n");
        let shown = compact_notes(&SessionNotes::parse(&text));
        assert!(shown.contains(&format!("{end}\n# B\n")), "{shown}");
        let first = shown.split("\n# B").next().unwrap_or_default();
        assert!(estimate_tokens(first) <= SECTION_TOKENS_MAX + 8);
        let shown = compact_within(&SessionNotes::parse(&text), 1_000);
        assert!(shown.contains(&end) && shown.contains("\n# B\n"), "{shown}");
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
                assert!(one == line.trim_end() || one == TRUNCATED, "{one}");
            }
            assert!(part.contains(TRUNCATED));
        }
    }

    #[test]
    fn within_little_room_every_section_keeps_its_beginning_in_whole_lines() {
        let line = "- a line of some words that says a thing\n";
        let section = |title: &str| format!("# {title}\n_g_\n{}\n", line.repeat(60));
        let text = ["Task specification", "Workflow", "Current State", "Worklog"].map(section);
        let notes = SessionNotes::parse(&text.concat());
        assert_eq!(compact_within(&notes, 100_000), compact_notes(&notes));
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
        assert!(lines("Worklog") > 0 && shown.contains(TRUNCATED), "{shown}");
    }

    #[test]
    fn one_endless_line_leaves_only_the_marker() {
        let text = format!("# A\n_g_\n{}\n", "word ".repeat(9_000));
        assert_eq!(
            compact_notes(&SessionNotes::parse(&text)),
            format!("# A\n\n{TRUNCATED}\n")
        );
    }
}
