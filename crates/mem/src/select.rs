//! The flags with which commands choose among memories.

use mem_core::memory::Note;
use mem_core::{MemoryType, Scope};

/// Which memories.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct MemoryFilter {
    /// Only memories of this type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    pub kind: Option<MemoryType>,
    /// Only one tier: private, team or global
    #[arg(long)]
    pub scope: Option<Scope>,
    /// Only memories with this tag; several must all be there
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
}

impl MemoryFilter {
    /// The tiers to look into.
    pub(crate) fn scopes(&self) -> Vec<Scope> {
        self.scope.map_or(Scope::ALL.to_vec(), |scope| vec![scope])
    }

    /// Whether anything at all is left out.
    pub(crate) fn is_narrow(&self) -> bool {
        self.kind.is_some() || self.scope.is_some() || !self.tags.is_empty()
    }

    /// Whether a memory is chosen.
    pub(crate) fn admits_note(&self, note: &Note) -> bool {
        let has = |tag: &String| {
            note.topic
                .tags
                .iter()
                .any(|one| one.eq_ignore_ascii_case(tag))
        };
        self.kind.is_none_or(|kind| note.topic.kind == Some(kind)) && self.tags.iter().all(has)
    }
}
