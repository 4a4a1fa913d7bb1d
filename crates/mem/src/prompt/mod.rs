//! What a model is told about memory: the section for a host's system prompt, and the protocols of the
//! memory tool and of MCP.

mod indexes;
mod section;

pub(crate) use indexes::SessionIndex;
pub(crate) use section::section;

use mem_agent::template::fill_template;

const TOOL: &str = mem_templates::PROMPT_MEMORY_TOOL;
const MCP: &str = mem_templates::PROMPT_MCP;

/// The protocol of the memory tool; only about `topic`, where one is given.
pub(crate) fn for_memory_tool(topic: Option<&str>) -> String {
    let topic = topic.map(|topic| format!("- Write down only what is relevant to {topic}.\n"));
    let text = fill_template(TOOL, &[("topic", topic.as_deref().unwrap_or_default())]);
    format!("{}\n", text.trim_end())
}

/// The protocol of our MCP server.
pub(crate) fn for_mcp() -> &'static str {
    MCP
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_one_more_line_and_is_not_a_template() {
        let plain = for_memory_tool(None);
        let about = for_memory_tool(Some("the {{topic}} of invoices"));
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
            assert!(for_mcp().contains(tool), "{tool}");
        }
    }
}
