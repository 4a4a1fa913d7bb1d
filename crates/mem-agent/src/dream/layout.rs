//! What only lays a text out: headings, tables, lists in lists, markup. It states nothing.

/// Tags that markup is made of: `<branch>` stands for a branch.
const TAGS: [&str; 28] = [
    "a", "b", "body", "br", "code", "details", "div", "em", "h1", "h2", "h3", "head", "hr", "html",
    "i", "iframe", "img", "li", "ol", "p", "script", "span", "strong", "style", "summary", "table",
    "td", "tr",
];

/// Why a text is no statement, where it is none.
pub(super) fn non_statement_reason(text: &str) -> Option<&'static str> {
    let text = strip_code(text.trim());
    let title = text.trim_start_matches('#');
    if title.len() < text.len() && (title.is_empty() || title.starts_with(' ')) {
        return Some("a heading, and no statement");
    }
    if ["- ", "* ", "+ "].iter().any(|mark| text.starts_with(mark)) {
        return Some("a list within an entry, and no statement");
    }
    let bars = text.replace("||", "").matches('|').count();
    if text.starts_with('|') || bars > 1 {
        return Some("a row of a table, and no statement");
    }
    text.match_indices('<')
        .any(|(at, _)| is_tag(&text[at + 1..]))
        .then_some("markup, and no statement")
}

/// Whether a tag begins here, or a comment.
fn is_tag(rest: &str) -> bool {
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric());
    let name = rest[..end.unwrap_or(0)].to_ascii_lowercase();
    let is_closed = rest.contains('>');
    rest.starts_with("!--") || (is_closed && TAGS.contains(&name.as_str()))
}

/// The text without what stands in it as code.
fn strip_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let plain = parts.filter(|(at, _)| at % 2 == 0).map(|(_, part)| part);
    plain.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_told_from_statements() {
        for text in [
            "# Heading: never",
            "- nested bullet",
            "+ nested bullet",
            "| port | 5433 |",
            "a|b|c <script>alert(1)</script> `rm -rf /`",
            "<div class=\"x\">The owner is Alice</div>",
            "<!-- The owner is Alice -->",
        ] {
            assert!(non_statement_reason(text).is_some(), "{text}");
        }
        for text in [
            "#general is the channel for incidents",
            "<branch> is named after the ticket",
            "<https://example.org> is the board",
            "Count them with `ls | sort | uniq -c`",
            "Wrap answers in a `<div>`",
            "A || B || C is the rule of the gate",
            "-5 degrees is the limit of the server room",
        ] {
            assert_eq!(non_statement_reason(text), None, "{text}");
        }
    }
}
