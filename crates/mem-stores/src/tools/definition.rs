//! Which tools there are, and what a model reads of them.

/// An array of tools as `tools/list` of MCP has them: names, descriptions, schemas, annotations.
pub const DEFINITIONS: &str = mem_templates::MCP_STORES;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolDefinition {
    /// `memory_list`: what there is.
    List,
    /// `memory_search`: what has to do with a query.
    Search,
    /// `memory_read`: one memory whole.
    Read,
    /// `memory_write`: create or replace one.
    Write,
    /// `memory_edit`: replace one piece of one.
    Edit,
    /// `memory_delete`: delete one.
    Delete,
}

impl ToolDefinition {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::List,
        Self::Search,
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::Delete,
    ];

    /// The tool of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "memory_list",
            Self::Search => "memory_search",
            Self::Read => "memory_read",
            Self::Write => "memory_write",
            Self::Edit => "memory_edit",
            Self::Delete => "memory_delete",
        }
    }

    /// Whether it changes anything.
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::Edit | Self::Delete)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_tool_is_described_as_it_is() {
        let all: Vec<Value> = serde_json::from_str(DEFINITIONS).unwrap();
        assert_eq!(all.len(), ToolDefinition::ALL.len());
        for (tool, described) in ToolDefinition::ALL.into_iter().zip(&all) {
            assert_eq!(described["name"], tool.name());
            assert_eq!(described["annotations"]["readOnlyHint"], !tool.writes());
            for schema in ["inputSchema", "outputSchema"] {
                assert_eq!(described[schema]["additionalProperties"], false);
            }
        }
    }
}
