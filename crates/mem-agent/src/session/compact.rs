//! The notes as a compacted conversation is given them.

use super::budget::{NOTES_TOKENS_MAX, SECTION_TOKENS_MAX};
use super::notes::Notes;
use crate::tokens::estimate;

/// Stands where the rest of a section was cut off.
pub const TRUNCATED: &str = "[... section truncated for length ...]";

/// The sections that hold something, without their lines of guidance, each cut at the end of a line
/// to its budget, and all of them to theirs.
pub fn compact(notes: &Notes) -> String {
    let mut text = String::new();
    let mut left = NOTES_TOKENS_MAX;
    for section in notes.sections.iter().filter(|one| !one.is_empty()) {
        let heading = format!("# {}\n\n", section.title);
        let frame = estimate(&heading) + 1;
        let Some(room) = left.checked_sub(frame).filter(|room| *room > 0) else {
            break;
        };
        let body = cut(section.body.trim(), room.min(SECTION_TOKENS_MAX));
        if body.is_empty() {
            break;
        }
        left -= frame + estimate(&body);
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&heading);
        text.push_str(&body);
        text.push('\n');
    }
    text
}

/// As many whole lines as fit with the marker; nothing where not even that fits.
fn cut(body: &str, tokens_max: usize) -> String {
    if estimate(body) <= tokens_max {
        return body.to_owned();
    }
    let Some(room) = tokens_max.checked_sub(estimate(TRUNCATED) + 2) else {
        return String::new();
    };
    let mut kept = String::new();
    let mut used = 0;
    for line in body.split_inclusive('\n') {
        used += estimate(line);
        if used > room {
            break;
        }
        kept.push_str(line);
    }
    if !kept.is_empty() && !kept.ends_with('\n') {
        kept.push('\n');
    }
    kept + TRUNCATED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guidance_and_empty_sections_are_left_out() {
        let notes = Notes::parse("# A\n_guide_\n\n- one\n\n# B\n_guide_\n\n# C\n_guide_\ntwo\n");
        assert_eq!(compact(&notes), "# A\n\n- one\n\n# C\n\ntwo\n");
        assert_eq!(compact(&Notes::default()), "");
    }

    #[test]
    fn nothing_is_ever_over_budget_and_cuts_are_at_line_ends() {
        let line = "- a line of some words that says a thing\n";
        let section = |title: &str, lines: usize| format!("# {title}\n_g_\n{}", line.repeat(lines));
        let text: String = (0..12).map(|at| section(&format!("S{at}"), 400)).collect();
        let shown = compact(&Notes::parse(&text));
        assert!(estimate(&shown) <= NOTES_TOKENS_MAX, "{}", estimate(&shown));
        for part in shown.split("# S").skip(1) {
            assert!(estimate(part) <= SECTION_TOKENS_MAX + 8);
            let lines = part.lines().skip(2).filter(|line| !line.is_empty());
            for one in lines {
                assert!(one == line.trim_end() || one == TRUNCATED, "{one}");
            }
            assert!(part.contains(TRUNCATED));
        }
    }

    #[test]
    fn one_endless_line_leaves_only_the_marker() {
        let text = format!("# A\n_g_\n{}\n", "word ".repeat(9_000));
        assert_eq!(
            compact(&Notes::parse(&text)),
            format!("# A\n\n{TRUNCATED}\n")
        );
    }
}
