//! Notes that merely document a tool that is in use already: the conversation shows how it works.
//! What warns of it is another matter.

use mem_core::MemoryType;
use mem_core::memory::Note;

/// Words that make a note a warning wherever they stand.
const WARNINGS: [&str; 12] = [
    "warning",
    "gotcha",
    "known issue",
    "caution",
    "pitfall",
    "beware",
    "caveat",
    "workaround",
    "注意",
    "警告",
    "陷阱",
    "주의",
];
/// Words that make a note a warning where they stand in its name, description, tags or file.
const HEAD_WARNINGS: [&str; 12] = [
    "avoid", "never", "do not", "don't", "must not", "bug", "broken", "fails", "failure", "issue",
    "problem", "limit",
];

/// Whether a note only documents one of these tools.
pub(super) fn only_documents(note: &Note, tools: &[String]) -> bool {
    if tools.is_empty() || note.topic.kind != Some(MemoryType::Reference) {
        return false;
    }
    let topic = &note.topic;
    let name = topic.title(note.path.stem());
    let description = topic.description.as_deref().unwrap_or_default();
    let head = format!(
        "{name}\n{description}\n{}\n{}",
        topic.tags.join("\n"),
        note.path.stem()
    );
    let head = head.to_lowercase();
    let words = split_words(&head);
    tools.iter().any(|tool| names_tool(&words, tool))
        && !warns_of_tool(&head, &topic.text(&note.bytes))
}

/// Whether a tool is named among some words. Of `mcp__server__tool` the server counts.
fn names_tool(words: &[&str], tool: &str) -> bool {
    let tool = tool.trim().to_lowercase();
    let tool = match tool.strip_prefix("mcp__") {
        Some(rest) => rest.split("__").next().unwrap_or(rest),
        None => &tool,
    };
    let wanted = split_words(tool);
    !wanted.is_empty() && words.windows(wanted.len()).any(|part| part == wanted)
}

fn split_words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

fn warns_of_tool(head: &str, body: &str) -> bool {
    let body = body.to_lowercase();
    let anywhere = |word: &&str| head.contains(word) || body.contains(word);
    WARNINGS.iter().any(anywhere) || HEAD_WARNINGS.iter().any(|word| head.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_are_named_by_whole_words() {
        let head = "how we use docker compose\nlinear project board";
        let words = split_words(head);
        assert!(names_tool(&words, "Docker"));
        assert!(names_tool(&words, "docker-compose"));
        assert!(names_tool(&words, "mcp__linear__create_issue"));
        assert!(!names_tool(&words, "dock"));
        assert!(!names_tool(&words, " "));
    }

    #[test]
    fn a_warning_is_known_by_its_words() {
        assert!(warns_of_tool("grafana", "Known issue: the board is slow."));
        assert!(warns_of_tool("never restart grafana", ""));
        assert!(!warns_of_tool("grafana board", "Never mind the colours."));
    }
}
