//! Where each candidate goes: into the memory, to one that says the same, before a person, or nowhere.

use crate::extract::{Candidate, Dropped, Reason};
use mem_core::Scope;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::topic::NewTopic;
use mem_find::similar::{SimilarNote, near_or_against};
use mem_recall::versus::Statement;

use super::extraction_memory::{ExtractionMemory, QuoteStatus};
use super::supersession::{self, Supersession};

/// Where a candidate goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CandidateTarget {
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

impl CandidateTarget {
    /// Whether it goes into a memory without asking.
    pub(super) fn is_written(&self) -> bool {
        matches!(self, Self::New | Self::Same(_) | Self::Instead { .. })
    }

    /// A stable word.
    pub fn as_str(&self) -> &'static str {
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
pub struct PlacedCandidate {
    /// The candidate.
    pub candidate: Candidate,
    /// As a memory.
    pub topic: NewTopic,
    /// Where it goes.
    pub target: CandidateTarget,
}

impl PlacedCandidate {
    fn new(candidate: &Candidate, target: CandidateTarget) -> Self {
        Self {
            candidate: candidate.clone(),
            topic: topic_of(candidate, ""),
            target,
        }
    }
}

/// A candidate as a memory, with more below its text.
fn topic_of(candidate: &Candidate, more: &str) -> NewTopic {
    let Candidate {
        kind,
        name,
        description,
        body,
        ..
    } = candidate;
    match more {
        "" => NewTopic::new(*kind, name, description, body),
        more => NewTopic::new(*kind, name, description, &format!("{body}\n\n{more}")),
    }
}

/// Where the candidates of a run go.
#[derive(Debug, Default)]
pub(super) struct CandidateTargets {
    /// Those that go somewhere.
    pub placed: Vec<PlacedCandidate>,
    /// Those that go nowhere, because they were kept before and taken back or removed since, or because a memory says
    /// otherwise that was said later.
    pub gone: Vec<Dropped>,
    /// What is wrong with what is remembered.
    pub warnings: Vec<String>,
}

/// Places all of them. What was said in records whose words were `kept` before is not said again.
pub(super) fn all(
    candidates: &[Candidate],
    kept: &[String],
    memory: &ProjectMemory,
) -> CandidateTargets {
    let mut places = CandidateTargets::default();
    if candidates.is_empty() {
        return places;
    }
    let (own, damage) = ExtractionMemory::for_memory(memory, Scope::Private);
    let (global, global_damage) = ExtractionMemory::for_memory(memory, Scope::Global);
    places
        .warnings
        .extend(damage.into_iter().chain(global_damage));
    for one in candidates {
        let remembered = if one.scope == Scope::Global {
            &global
        } else {
            &own
        };
        let look = CandidateView {
            candidate: one,
            said: Statement::from_text(&one.description),
            was_read: kept.contains(&one.source.from),
            standing: remembered.standing(one, memory.store(one.scope)),
            remembered,
            memory,
        };
        match look.place() {
            Ok(placed) => places.placed.push(placed),
            Err(reason) => places.gone.push(Dropped::new(&one.quote, reason)),
        }
    }
    supersession::among(&mut places.placed);
    places
}

/// A candidate, looked at to find out where it goes.
struct CandidateView<'a> {
    candidate: &'a Candidate,
    said: Statement,
    /// Whether its words were kept before.
    was_read: bool,
    standing: QuoteStatus,
    remembered: &'a ExtractionMemory,
    memory: &'a ProjectMemory,
}

impl CandidateView<'_> {
    /// Where it goes; nowhere where what was kept of it before is gone, or what was said later says otherwise.
    fn place(&self) -> Result<PlacedCandidate, Reason> {
        let (candidate, standing) = (self.candidate, self.standing);
        let placed = |target| Ok(PlacedCandidate::new(candidate, target));
        if let Some(file) = &candidate.file {
            return match candidate.scope {
                _ if standing == QuoteStatus::Written => Err(Reason::Gone),
                // Everybody would read what one person said; a memory that is made anew goes by its type.
                Scope::Team => placed(CandidateTarget::Inbox),
                Scope::Private | Scope::Global => placed(CandidateTarget::Same(file.clone())),
            };
        }
        let was_kept =
            self.was_read || matches!(standing, QuoteStatus::Written | QuoteStatus::Waited);
        let near = self.near();
        let is_new = !was_kept && standing == QuoteStatus::New;
        if is_new && let Some(newer) = self.newer(&near) {
            return self.otherwise(newer);
        }
        let same = supersession::same(&near, &self.said);
        let here = same.iter().find(|one| one.note.scope == candidate.scope);
        placed(match (here, same.first()) {
            (Some(one), _) if was_kept => CandidateTarget::Elsewhere(one.note.label()),
            // Nothing is written into what a person wrote.
            (Some(one), _) if supersession::is_by_hand(&one.note, self.memory) => {
                CandidateTarget::Elsewhere(one.note.label())
            }
            (Some(one), _) => CandidateTarget::Same(one.note.file.clone()),
            (None, Some(other)) => CandidateTarget::Elsewhere(other.note.label()),
            (None, None) if standing == QuoteStatus::Written => return Err(Reason::Gone),
            // A person has seen it there, or will.
            (None, None) if standing == QuoteStatus::Waited => {
                CandidateTarget::Elsewhere("inbox".to_owned())
            }
            (None, None) if candidate.is_sure() && standing == QuoteStatus::New => {
                CandidateTarget::New
            }
            (None, None) if was_kept => CandidateTarget::Elsewhere("inbox".to_owned()),
            (None, None) => CandidateTarget::Inbox,
        })
    }

    /// The memories that it is near, and those that it denies. That likeness cannot be told keeps nobody from keeping
    /// what was said.
    fn near(&self) -> Vec<SimilarNote> {
        let topic = topic_of(self.candidate, "");
        let denies = |note: &Note| supersession::denies(note, &self.said);
        near_or_against(self.memory, self.candidate.scope, &topic, Some(&denies))
            .unwrap_or_default()
    }

    fn newer(&self, near: &[SimilarNote]) -> Option<Supersession> {
        supersession::than(
            near,
            self.candidate,
            &self.said,
            self.remembered,
            self.memory,
        )
    }

    /// Where it goes when it says otherwise than a memory: what is not sure before a person, with the older quoted.
    fn otherwise(&self, newer: Supersession) -> Result<PlacedCandidate, Reason> {
        let candidate = self.candidate;
        let is_sure = candidate.is_sure();
        let line = match newer {
            Supersession::Overtaken => return Err(Reason::Overtaken),
            Supersession::Own { file, older } if is_sure => {
                return Ok(PlacedCandidate::new(
                    candidate,
                    CandidateTarget::Instead { file, older },
                ));
            }
            Supersession::Own { file, older } => supersession::before(&file, &older),
            Supersession::Beside { line } => line,
        };
        let target = if is_sure {
            CandidateTarget::New
        } else {
            CandidateTarget::Inbox
        };
        Ok(PlacedCandidate {
            topic: topic_of(candidate, &line),
            ..PlacedCandidate::new(candidate, target)
        })
    }
}
