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
    // The line above and its place, where it is alone in its paragraph; and whether a paragraph goes on.
    let (mut above, mut is_paragraph) = (None, false);
    for line in text.split_inclusive('\n') {
        let next = at + line.len();
        let plain = line.trim_end();
        match fence {
            Some(open) if open.is_closed_by(plain.as_bytes()) => fence = None,
            Some(_) => {}
            None => {
                fence = Fence::from_text(plain.as_bytes());
                let is_underline = underline_level(plain).is_some_and(|level| level <= level_max);
                let underlined = above.take().filter(|_| is_underline);
                let opened = heading(plain, level_max)
                    .map(|heading| (at, heading))
                    .or(underlined);
                if let Some((end, heading)) = opened {
                    found.push(ImportSection {
                        title,
                        text: trimmed(&text[start..end]),
                    });
                    (title, start) = (Some(heading), next);
                }
                let is_alone = opened.is_none() && fence.is_none() && !is_paragraph;
                above = (is_alone && is_prose(plain)).then(|| (at, plain.trim()));
                is_paragraph = opened.is_none()
                    && fence.is_none()
                    && plain.contains(char::is_alphanumeric)
                    && !plain.starts_with('#');
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

/// The level of the setext heading that a line below a paragraph makes of it.
fn underline_level(line: &str) -> Option<usize> {
    let marks = line.trim();
    let is_of = |mark: char| !marks.is_empty() && marks.chars().all(|c| c == mark);
    match () {
        () if is_indented(line) => None,
        () if is_of('=') => Some(1),
        () if is_of('-') => Some(2),
        () => None,
    }
}

/// Whether a line begins a paragraph, and no item of a list, quotation, table, element or import: a line of `-` below
/// those is a rule.
fn is_prose(line: &str) -> bool {
    let text = line.trim_start();
    let marker = text.split_whitespace().next().unwrap_or_default();
    let number = marker.strip_suffix(['.', ')']).unwrap_or_default();
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_item = is_number || matches!(marker, "-" | "*" | "+");
    !is_indented(line)
        && !is_item
        && !text.starts_with(['>', '|', '<', '#', '@'])
        && text.contains(char::is_alphanumeric)
}

/// Whether a line stands so far in that it is code.
fn is_indented(line: &str) -> bool {
    line.starts_with("    ") || line.starts_with('\t')
}

/// A text without the lines that import files (`@docs/rules.md`, in a list or by itself), and the paths that those name.
/// Such a line is no import in a code block, nor where `is_file` denies what it names: it may name a person, a package or
/// a decorator.
pub(super) fn split_imports(text: &str, is_file: impl Fn(&str) -> bool) -> (String, Vec<&str>) {
    let (mut rest, mut imported) = (String::with_capacity(text.len()), Vec::new());
    let mut fence: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end().as_bytes();
        match fence {
            Some(open) if open.is_closed_by(plain) => fence = None,
            Some(_) => {}
            None => fence = Fence::from_text(plain),
        }
        let path = imported_path(line).filter(|path| fence.is_none() && is_file(path));
        match path {
            Some(path) => imported.push(path),
            None => rest.push_str(line),
        }
    }
    (trimmed(&rest).to_owned(), imported)
}

/// The path that a line may import, which stands there alone.
fn imported_path(line: &str) -> Option<&str> {
    let text = line.trim();
    let item = text.strip_prefix("- ").or_else(|| text.strip_prefix("* "));
    let path = item.unwrap_or(text).trim_start().strip_prefix('@')?;
    (!path.is_empty() && !path.contains(char::is_whitespace)).then_some(path)
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
    fn an_underlined_line_is_a_heading_and_a_rule_is_none() {
        let text = "Title\n=====\nintro\n\n- item\n---\ntwo lines\nof prose\n---\n\n### deep\nUsage\n-----\r\nrun it\n\n\
                    ```\ncode\n====\n```\n===\n| a |\n---\n";
        let found: Vec<_> = sections(text, 2)
            .into_iter()
            .map(|section| (section.title, section.text))
            .collect();
        assert_eq!(
            found,
            [
                (
                    Some("Title"),
                    "intro\n\n- item\n---\ntwo lines\nof prose\n---\n\n### deep"
                ),
                (
                    Some("Usage"),
                    "run it\n\n```\ncode\n====\n```\n===\n| a |\n---"
                ),
            ]
        );
        assert_eq!(sections("Usage\n---\nrun it\n", 1).len(), 1);
    }

    #[test]
    fn imports_are_lines_of_their_own() {
        let text = "@a.md\n- @b/c.md\nask @kim\n- @kim\n@Override\n```\n@code.md\n```\n";
        assert_eq!(
            split_imports(text, |path| path.ends_with(".md")),
            (
                "ask @kim\n- @kim\n@Override\n```\n@code.md\n```".to_owned(),
                vec!["a.md", "b/c.md"]
            )
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
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            let is_filled = |at: &usize| !lines[*at].is_empty();
            let filled = (0..lines.len()).filter(is_filled);
            let is_underline = |at: usize| lines.get(at).is_some_and(|line| underline_level(line).is_some());
            let is_of_heading =
                |at: usize| heading(lines[at], 2).is_some() || is_underline(at) || is_underline(at + 1);
            proptest::prop_assert!(kept <= filled.clone().count());
            proptest::prop_assert!(fronted || kept >= filled.filter(|at| !is_of_heading(*at)).count());
        }
    }
}
