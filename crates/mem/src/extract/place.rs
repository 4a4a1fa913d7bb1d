//! Where each candidate goes: into the memory, to one that says the same, before a person, or nowhere.

use mem_agent::extract::{Candidate, Dropped, Reason};
use mem_core::Scope;
use mem_core::memory::Memory;
use mem_core::topic::NewTopic;

use super::newer::{self, Newer};
use super::remembered::{Remembered, Standing};
use crate::recall::alike::near_new;

/// Where a candidate goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A memory of its own.
    New,
    /// The memory of this file says the same: it gets a line more.
    Same(String),
    /// The memory of this file says the contrary, or an older value, and no person wrote it: the new words take the
    /// place of its own, which are quoted.
    Instead {
        /// The file.
        file: String,
        /// What it says.
        older: String,
    },
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
            Self::Same(_) | Self::Instead { .. } => "update",
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

/// Where the candidates of a run go.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Those that go somewhere.
    pub placed: Vec<Placed>,
    /// Those that were kept before and taken back or removed since.
    pub gone: Vec<Dropped>,
    /// What is wrong with what is remembered.
    pub warnings: Vec<String>,
}

/// Places all of them. What was said in records whose words were `kept` before is not said again.
pub(super) fn all(candidates: &[Candidate], kept: &[String], memory: &Memory) -> Places {
    let mut places = Places::default();
    if candidates.is_empty() {
        return places;
    }
    let (own, damage) = Remembered::of(memory, Scope::Private);
    let (global, global_damage) = Remembered::of(memory, Scope::Global);
    places
        .warnings
        .extend(damage.into_iter().chain(global_damage));
    for one in candidates {
        let remembered = if one.scope == Scope::Global {
            &global
        } else {
            &own
        };
        let standing = remembered.standing(one, memory.store(one.scope));
        match place(one, kept.contains(&one.source.from), standing, memory) {
            Some(placed) => places.placed.push(placed),
            None => places.gone.push(Dropped {
                quote: one.quote.clone(),
                reason: Reason::Gone,
            }),
        }
    }
    newer::among(&mut places.placed);
    places
}

/// Where a candidate goes; nowhere where what was kept of it before is gone.
fn place(
    candidate: &Candidate,
    was_read: bool,
    standing: Standing,
    memory: &Memory,
) -> Option<Placed> {
    let Candidate {
        kind,
        name,
        description,
        body,
        ..
    } = candidate;
    let topic = NewTopic::new(*kind, name, description, body);
    let placed = |target: Target| Placed {
        candidate: candidate.clone(),
        topic: topic.clone(),
        target,
    };
    if let Some(file) = &candidate.file {
        return match candidate.scope {
            _ if standing == Standing::Written => None,
            // Everybody would read what one person said; a memory that is made anew goes by its type.
            Scope::Team => Some(placed(Target::Inbox)),
            Scope::Private | Scope::Global => Some(placed(Target::Same(file.clone()))),
        };
    }
    let was_kept = was_read || matches!(standing, Standing::Written | Standing::Waited);
    // That likeness cannot be told keeps nobody from keeping what was said.
    let near = near_new(memory, candidate.scope, &topic).unwrap_or_default();
    let is_new = !was_kept && standing == Standing::New;
    if is_new && let Some(newer) = newer::than(&near, candidate, memory) {
        return Some(otherwise(candidate, newer, placed));
    }
    let same = newer::same(&near, candidate);
    let here = same.iter().find(|one| one.note.scope == candidate.scope);
    let target = match (here, same.first()) {
        (Some(one), _) if was_kept => Target::Elsewhere(one.note.label()),
        // Nothing is written into what a person wrote.
        (Some(one), _) if newer::is_by_hand(&one.note, memory) => {
            Target::Elsewhere(one.note.label())
        }
        (Some(one), _) => Target::Same(one.note.file.clone()),
        (None, Some(other)) => Target::Elsewhere(other.note.label()),
        (None, None) if standing == Standing::Written => return None,
        // A person has seen it there, or will.
        (None, None) if standing == Standing::Waited => Target::Elsewhere("inbox".to_owned()),
        (None, None) if candidate.is_sure() && standing == Standing::New => Target::New,
        (None, None) if was_kept => Target::Elsewhere("inbox".to_owned()),
        (None, None) => Target::Inbox,
    };
    Some(placed(target))
}

/// Where a candidate goes that says otherwise than a memory: what is not sure before a person, with the older quoted.
fn otherwise(candidate: &Candidate, newer: Newer, placed: impl Fn(Target) -> Placed) -> Placed {
    let is_sure = candidate.is_sure();
    let line = match newer {
        Newer::Own { file, older } if is_sure => return placed(Target::Instead { file, older }),
        Newer::Own { file, older } => newer::before(&file, &older),
        Newer::Beside { line } => line,
    };
    let Candidate {
        kind,
        name,
        description,
        body,
        ..
    } = candidate;
    let target = if is_sure { Target::New } else { Target::Inbox };
    Placed {
        topic: NewTopic::new(*kind, name, description, &format!("{body}\n\n{line}")),
        ..placed(target)
    }
}
