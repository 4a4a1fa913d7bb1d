//! Where each candidate goes: into the memory, to one that says the same, or before a person.

use mem_agent::extract::Candidate;
use mem_core::Scope;
use mem_core::memory::Memory;
use mem_core::topic::NewTopic;

use crate::recall::alike::same_as_new;

/// Where a candidate goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A memory of its own.
    New,
    /// The memory of this file says the same: it gets a line more.
    Same(String),
    /// The memory of this name says the same, in another tier or since these words were read before: nothing is
    /// written.
    Elsewhere(String),
    /// A person decides.
    Inbox,
}

impl Target {
    /// A stable word.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            Self::New => "memory",
            Self::Same(_) => "update",
            Self::Elsewhere(_) => "known",
            Self::Inbox => "inbox",
        }
    }
}

/// A candidate and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// The candidate.
    pub candidate: Candidate,
    /// As a memory.
    pub topic: NewTopic,
    /// Where it goes.
    pub target: Target,
}

/// Places all of them. What was said in records whose words were `kept` before is not said again.
pub(super) fn all(candidates: &[Candidate], kept: &[String], memory: &Memory) -> Vec<Placed> {
    let is_kept = |one: &Candidate| kept.contains(&one.source.from);
    let candidates = candidates.iter();
    candidates
        .map(|one| place(one, is_kept(one), memory))
        .collect()
}

fn place(candidate: &Candidate, was_kept: bool, memory: &Memory) -> Placed {
    let Candidate {
        kind,
        name,
        description,
        body,
        ..
    } = candidate;
    let topic = NewTopic::new(*kind, name, description, body);
    if let Some(file) = &candidate.file {
        let target = match candidate.scope {
            // Everybody would read what one person said; a memory that is made anew goes by its type.
            Scope::Team => Target::Inbox,
            Scope::Private | Scope::Global => Target::Same(file.clone()),
        };
        return Placed {
            candidate: candidate.clone(),
            topic,
            target,
        };
    }
    // That likeness cannot be told keeps nobody from keeping what was said.
    let same = same_as_new(memory, candidate.scope, &topic).unwrap_or_default();
    let here = same.iter().find(|one| one.note.scope == candidate.scope);
    let target = match (here, same.first()) {
        (Some(one), _) if was_kept => Target::Elsewhere(one.note.label()),
        (Some(one), _) => Target::Same(one.note.file.clone()),
        (None, Some(other)) => Target::Elsewhere(other.note.label()),
        (None, None) if candidate.is_sure() => Target::New,
        // A person has seen it there, or will.
        (None, None) if was_kept => Target::Elsewhere("inbox".to_owned()),
        (None, None) => Target::Inbox,
    };
    Placed {
        candidate: candidate.clone(),
        topic,
        target,
    }
}
