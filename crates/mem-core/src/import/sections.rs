//! The sections of a Markdown file: what stands under each heading, code blocks intact.

use crate::frontmatter::split;
use crate::index::fence::Fence;

/// A heading and what stands below it up to the next one of its level or a higher one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ImportSection<'t> {
    /// The text of the heading; `None` for what stands before the first.
    pub(super) title: Option<&'t str>,
    /// The text below, without blank lines around it.
    pub(super) text: &'t str,
}

/// Splits a text at headings up to a level; deeper ones stay where they are. Frontmatter is left
/// out.
pub(super) fn sections(text: &str, level_max: usize) -> Vec<ImportSection<'_>> {
    let text = &text[split(text.as_bytes()).body];
    let (mut found, mut title, mut start, mut at) = (Vec::new(), None, 0, 0);
    let mut fence: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let plain = line.trim_end();
        match fence {
            Some(open) if open.is_closed_by(plain.as_bytes()) => fence = None,
            Some(_) => {}
            None => {
                fence = Fence::from_text(plain.as_bytes());
                if let Some(heading) = heading(plain, level_max) {
                    found.push(ImportSection {
                        title,
                        text: trimmed(&text[start..at]),
                    });
                    (title, start) = (Some(heading), next);
                }
            }
        }
        at = next;
    }
    found.push(ImportSection {
        title,
        text: trimmed(&text[start..]),
    });
    // A heading with nothing below says nothing.
    found.retain(|section| !section.text.is_empty());
    found
}

/// The text of an ATX heading up to a level.
fn heading(line: &str, level_max: usize) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let is_heading = (1..=level_max).contains(&level) && text.starts_with([' ', '\t']);
    is_heading.then(|| text.trim().trim_end_matches('#').trim_end())
}

/// Without the blank lines around; the indentation of the first line stays.
fn trimmed(text: &str) -> &str {
    let text = text.trim_end();
    let blank = text
        .split_inclusive('\n')
        .take_while(|line| line.trim().is_empty());
    &text[blank.map(str::len).sum::<usize>()..]
}

/// The top-level list items of a text, each with its further lines, bullets taken off.
pub(super) fn bullets(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines() {
        let bullet = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        match (bullet, found.last_mut()) {
            (Some(item), _) => found.push(item.trim().to_owned()),
            (None, Some(last)) => {
                last.push('\n');
                last.push_str(line.trim_end());
            }
            (None, None) => {}
        }
    }
    let found = found.into_iter().map(|item| item.trim().to_owned());
    found.filter(|item| !item.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_in_a_code_block_is_code() {
        let text = "intro\r\n\r\n# Title\n## Build ##\n```sh\n# not a heading\n## nor this\n```\n\
                    ### deeper\nx\n## Empty\n\n##no heading\n";
        let found: Vec<_> = sections(text, 2)
            .into_iter()
            .map(|section| (section.title, section.text))
            .collect();
        assert_eq!(
            found,
            [
                (None, "intro"),
                (
                    Some("Build"),
                    "```sh\n# not a heading\n## nor this\n```\n### deeper\nx"
                ),
                (Some("Empty"), "##no heading"),
            ]
        );
    }

    #[test]
    fn a_bullet_keeps_its_lines() {
        let text = "prose\n- one\n  more\n\n* two\n-three\n- \n";
        assert_eq!(bullets(text), ["one\n  more", "two\n-three"]);
    }

    proptest::proptest! {
        #[test]
        fn no_line_of_a_text_is_lost(text in "([#` a\\n-]|~~~|```|## |\\r\\n){0,60}") {
            let kept: usize = sections(&text, 2)
                .iter()
                .flat_map(|section| section.text.lines().filter(|line| !line.trim().is_empty()))
                .count();
            let fronted = split(text.as_bytes()).yaml.is_some();
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let (headings, others): (Vec<_>, Vec<_>) =
                lines.partition(|line| heading(line.trim_end(), 2).is_some());
            proptest::prop_assert!(fronted || kept >= others.len());
            proptest::prop_assert!(kept <= others.len() + headings.len());
        }
    }
}
