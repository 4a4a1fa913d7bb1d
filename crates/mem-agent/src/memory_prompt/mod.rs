//! What a model reads about memory: the section for a host's system prompt, and the protocol of the memory tool.

mod section;

pub use section::host_section;

use crate::template::fill_template;

const TOOL: &str = mem_templates::PROMPT_MEMORY_TOOL;

/// The protocol of the memory tool; only about `topic`, where one is given.
pub fn memory_tool_protocol(topic: Option<&str>) -> String {
    let topic = topic.map(|topic| format!("- Write down only what is relevant to {topic}.\n"));
    let text = fill_template(TOOL, &[("topic", topic.as_deref().unwrap_or_default())]);
    format!("{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_more_line_and_is_not_a_template() {
        let plain = memory_tool_protocol(None);
        let about = memory_tool_protocol(Some("the {{topic}} of invoices"));
        assert!(!plain.contains("{{") && plain.ends_with("refused.\n"));
        let more = about.strip_prefix(&plain).unwrap();
        assert_eq!(
            more,
            "- Write down only what is relevant to the {{topic}} of invoices.\n"
        );
    }

    #[test]
    fn the_protocol_of_mcp_names_tools_that_exist() {
        for tool in [
            "memory_recall",
            "memory_write",
            "memory_edit",
            "session_notes",
        ] {
            assert!(mem_templates::PROMPT_MCP.contains(tool), "{tool}");
        }
    }
}
