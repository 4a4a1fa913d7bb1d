//! Who made a change.

use serde::{Deserialize, Serialize};

use crate::text_source::TextSource;

/// The kind of author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthorKind {
    /// A person at a terminal.
    Person,
    /// A coding agent.
    Agent,
    /// An import of another tool's memory.
    Import,
    /// A colleague, through the team tier.
    Team,
    /// Something that wrote without `mem`: an editor, a host, a sync tool.
    Foreign,
}

impl AuthorKind {
    /// The word used in JSON and in listings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Import => "import",
            Self::Team => "team",
            Self::Foreign => "foreign",
        }
    }
}

/// An author, as recorded with every change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    /// The kind.
    pub actor: AuthorKind,
    /// A login or an agent's name, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The host's session id, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The program that the author used (`mem save`, `claude-code`), where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// Of an agent: the least trusted text that it had before it in its turn, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<TextSource>,
}

impl Author {
    /// An author of whom only the kind is known.
    pub fn from_actor(actor: AuthorKind) -> Self {
        Self {
            actor,
            name: None,
            session: None,
            host: None,
            source: None,
        }
    }

    /// The class of trust, as JSON has it: `person`; `agent` (on a person's word), or the least trusted source of an
    /// agent's turn; `team-memory`; `unknown` for what was written without `mem`.
    pub fn trust_class(&self) -> &'static str {
        match (self.actor, self.source) {
            (AuthorKind::Agent, None) => "agent",
            (AuthorKind::Agent, Some(source)) => source.as_str(),
            (AuthorKind::Person | AuthorKind::Import, _) => "person",
            (AuthorKind::Team, _) => TextSource::TeamMemory.as_str(),
            (AuthorKind::Foreign, _) => "unknown",
        }
    }
}
