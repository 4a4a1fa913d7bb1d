//! Where text comes from that an agent had before it when it wrote a memory.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A source of text that is no person's word, from the one that is trusted most to the one that is trusted least.
///
/// An agent cannot tell an instruction of its user from one that stands in a page which it read: what it writes after
/// that may be what the page wants. The least trusted source of its turn is therefore kept with what it writes, as a
/// change's author has it ([`Author::source`](crate::history::Author::source)) and in the memory itself (`rests_on`),
/// which goes along wherever the file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextSource {
    /// A file or a command of this machine.
    LocalTool,
    /// A memory of a colleague.
    TeamMemory,
    /// A server of the Model Context Protocol that is not `mem`'s own.
    McpServer,
    /// The network: a page, a search, a download.
    WebPage,
}

impl TextSource {
    const ALL: [Self; 4] = [
        Self::LocalTool,
        Self::TeamMemory,
        Self::McpServer,
        Self::WebPage,
    ];

    /// The word in files and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::LocalTool => "local-tool",
            Self::TeamMemory => "team-memory",
            Self::McpServer => "mcp-server",
            Self::WebPage => "web-page",
        }
    }

    /// What a person reads.
    pub fn description(self) -> &'static str {
        match self {
            Self::LocalTool => "a tool on this machine",
            Self::TeamMemory => "a colleague's memory",
            Self::McpServer => "an MCP server",
            Self::WebPage => "a web page",
        }
    }

    /// Whether somebody else than the users of this machine may have written the text.
    pub fn is_outside(self) -> bool {
        self > Self::LocalTool
    }
}

impl fmt::Display for TextSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for TextSource {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, UnknownSource> {
        let mut all = Self::ALL.into_iter();
        all.find(|source| source.as_str() == text)
            .ok_or(UnknownSource)
    }
}

/// A word that names no source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is none of local-tool, team-memory, mcp-server, web-page")]
pub struct UnknownSource;
