//! Markdown as lines for a terminal: headings, lists, quotes, code and emphasis; everything else stays as it is typed.

use super::text::{Line, Tone, wrap};

/// The lines of a text, wrapped to `cells`. The text has gone through [`clean_text`](super::text::clean_text).
pub(crate) fn render_markdown(text: &str, cells: usize) -> Vec<Line> {
    let (mut lines, mut is_code) = (Vec::new(), false);
    for raw in text.trim_end().split('\n') {
        let trimmed = raw.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            lines.extend(wrap(&Line::of(Tone::Code, format!("  {raw}")), cells, 2));
            continue;
        }
        let indent = raw.len() - trimmed.len();
        let (line, hang) = render_line(trimmed, &raw[..indent]);
        lines.extend(wrap(&line, cells, hang));
    }
    lines
}

/// One line, and how far its continuations are indented.
fn render_line(trimmed: &str, indent: &str) -> (Line, usize) {
    if let Some(heading) = heading_text(trimmed) {
        return (Line::of(Tone::Heading, heading), 0);
    }
    if let Some(quoted) = trimmed.strip_prefix('>') {
        let start = Line::of(Tone::Faint, format!("{indent}│ "));
        return (with_inline(start, quoted.trim_start()), indent.len() + 2);
    }
    for bullet in ["- ", "* ", "+ "] {
        if let Some(item) = trimmed.strip_prefix(bullet) {
            let start = Line::of(Tone::Plain, format!("{indent}• "));
            return (with_inline(start, item), indent.len() + 2);
        }
    }
    (
        with_inline(Line::of(Tone::Plain, indent), trimmed),
        indent.len(),
    )
}

/// The words of `# Heading`.
fn heading_text(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && rest.starts_with(' ')).then(|| rest.trim())
}

/// Appends a text with its code spans and strong words.
fn with_inline(mut line: Line, text: &str) -> Line {
    let mut rest = text;
    while let Some((at, mark, tone)) = next_mark(rest) {
        let inner = &rest[at + mark.len()..];
        let Some(end) = inner.find(mark).filter(|end| *end > 0) else {
            // A mark without its partner is text.
            let after = at + mark.len();
            line = line.with(Tone::Plain, &rest[..after]);
            rest = &rest[after..];
            continue;
        };
        line = line
            .with(Tone::Plain, &rest[..at])
            .with(tone, &inner[..end]);
        rest = &inner[end + mark.len()..];
    }
    line.with(Tone::Plain, rest)
}

/// The first mark of a text.
fn next_mark(text: &str) -> Option<(usize, &'static str, Tone)> {
    let marks = [
        ("`", Tone::Code),
        ("**", Tone::Strong),
        ("__", Tone::Strong),
    ];
    let found = marks
        .into_iter()
        .filter_map(|(mark, tone)| Some((text.find(mark)?, mark, tone)));
    found.min_by_key(|(at, _, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, cells: usize) -> Vec<String> {
        render_markdown(text, cells)
            .iter()
            .map(Line::plain)
            .collect()
    }

    #[test]
    fn blocks_are_shown_without_their_marks() {
        let text = "# Title\n\n- first `code` here\n> said\n```rust\nfn  main()\n```\n1. one";
        let shown = [
            "Title",
            "",
            "• first code here",
            "│ said",
            "  fn  main()",
            "1. one",
        ];
        assert_eq!(plain(text, 40), shown);
        let tones = render_markdown("a **b** `c`", 40).remove(0).0;
        assert!(tones.contains(&(Tone::Strong, "b".into())), "{tones:?}");
        assert!(tones.contains(&(Tone::Code, "c".into())), "{tones:?}");
    }

    #[test]
    fn marks_without_a_partner_and_long_lines_lose_nothing() {
        assert_eq!(plain("2 ** 3 `x", 40), ["2 ** 3 `x"]);
        assert_eq!(plain("#no heading", 40), ["#no heading"]);
        assert_eq!(plain("- one two three", 10), ["• one two ", "  three"]);
        assert_eq!(plain("", 10), [""]);
    }
}
