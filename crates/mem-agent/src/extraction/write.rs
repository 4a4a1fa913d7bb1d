//! Writing what is sure, and putting before a person what is not.

use mem_core::config::MemoryMode;
use mem_core::history::{Author, AuthorKind, ChangeId, CitationSnapshot};
use mem_core::inbox::ReviewGate;
use mem_core::memory::{MemoryError, ProjectMemory, SaveOrAppend, SaveRequest, SavedOrAppended};
use mem_core::store::{
    ChangeMetadata, GateRefusal, GatedFile, ProposedChange, StoreError, WriteGate,
};
use mem_core::{Diagnose as _, ErrorKind, RunContext, Scope};

use super::error::ExtractionError;
use super::placement::{CandidateTarget, PlacedCandidate};
use crate::access::MemoryAccess;

/// The verb of the change.
const VERB: &str = "extract";
/// What the history names as the program that wrote.
pub const HOST: &str = "mem extract";

/// What was written.
#[derive(Debug, Default)]
pub struct ExtractionOutcome {
    /// The changes: one, and one more where something went to one's own notes across repositories.
    pub changes: Vec<ChangeId>,
    /// The file of each candidate that was written.
    pub files: Vec<Option<String>>,
    /// The change of each candidate that was written.
    pub by: Vec<Option<ChangeId>>,
    /// Whether its file was there already: another run may have made it since the candidate was placed.
    pub appended: Vec<bool>,
    /// How many wait for a person.
    pub waiting: usize,
    /// The candidates that cannot be written, and whether they can be quoted: not where a secret is why.
    pub unfit: Vec<(usize, bool)>,
    /// What the gates had to say, and why something cannot be written.
    pub warnings: Vec<String>,
}

/// Puts a change before a person, whoever makes it, once the other gates have let it pass.
pub(super) struct InboxGate<'g>(pub(super) &'g dyn WriteGate);

impl WriteGate for InboxGate<'_> {
    fn check(&self, proposal: &GatedFile<'_>) -> Result<Vec<String>, GateRefusal> {
        self.0.check(proposal)
    }

    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        ReviewGate.consent(change)
    }

    fn cited(&self, proposal: &GatedFile<'_>) -> CitationSnapshot {
        self.0.cited(proposal)
    }
}

/// Writes what was placed.
pub(super) fn all(
    placed: &[PlacedCandidate],
    session: &str,
    memory: &ProjectMemory,
    access: &MemoryAccess<'_>,
) -> Result<ExtractionOutcome, ExtractionError> {
    let MemoryAccess { place, gate, run } = *access;
    let reason = format!("from what was said in session {session}");
    let order = because(&reason, session, run);
    let with_index = place.config.values.memory.mode != MemoryMode::Log;
    let mut outcome = ExtractionOutcome {
        files: vec![None; placed.len()],
        by: vec![None; placed.len()],
        appended: vec![false; placed.len()],
        ..ExtractionOutcome::default()
    };
    for scope in [Scope::Private, Scope::Global] {
        let is_here = |at: &usize| {
            let one = &placed[*at];
            one.target.is_written() && same_store(one.candidate.scope, scope)
        };
        let here: Vec<usize> = (0..placed.len()).filter(is_here).collect();
        if !here.is_empty() {
            let write = |some: &[usize]| {
                let additions = some.iter().map(|at| addition(&placed[*at], with_index));
                memory.add_all(scope, &additions.collect::<Vec<_>>(), &order, gate)
            };
            outcome.add_what_can_be(&here, &write)?;
            run.clean_up_when_due(place, memory.store(scope));
        }
    }
    let aside = InboxGate(gate);
    for (at, one) in placed.iter().enumerate() {
        if one.target == CandidateTarget::Inbox {
            let addition = [addition(one, with_index)];
            let write =
                |_: &[usize]| memory.add_all(one.candidate.scope, &addition, &order, &aside);
            outcome.add_what_can_be(&[at], &write)?;
        }
    }
    if !outcome.changes.is_empty() {
        run.remember_project(place);
    }
    Ok(outcome)
}

pub(super) fn same_store(one: Scope, other: Scope) -> bool {
    (one == Scope::Global) == (other == Scope::Global)
}

fn addition(placed: &PlacedCandidate, with_index: bool) -> SaveOrAppend {
    let candidate = &placed.candidate;
    let (file, older) = match &placed.target {
        CandidateTarget::Same(file) => (Some(file), None),
        CandidateTarget::Instead { file, older } => (Some(file), Some(older)),
        CandidateTarget::New | CandidateTarget::Elsewhere(_) | CandidateTarget::Inbox => {
            (candidate.file.as_ref(), None)
        }
    };
    let (on, until) = match candidate.source.time.get(..10).unwrap_or_default() {
        "" => Default::default(),
        day => (format!(" on {day}"), format!(" {day}")),
    };
    // What a model put into a memory need not say the same.
    let said = match candidate.file {
        Some(_) => "Said",
        None => "Said again",
    };
    SaveOrAppend {
        request: SaveRequest {
            topic: placed.topic.clone(),
            scope: candidate.scope,
            file: file.cloned(),
            update: true,
            with_index,
        },
        instead: older.map(|older| format!("**Before{until}:** \"{older}\"")),
        again: format!("**{said}{on}:** \"{}\"", candidate.quote),
    }
}

/// The same for a reason.
pub(super) fn because(reason: &str, session: &str, run: &RunContext) -> ChangeMetadata {
    let author = Author {
        actor: AuthorKind::Agent,
        session: Some(session.to_owned()),
        host: Some(HOST.to_owned()),
        ..run.author()
    };
    ChangeMetadata::new(VERB, author, run.now).because(Some(reason.to_owned()))
}

/// Whether what is wrong lies in what was to be written, or in the memory that it belongs to: then it would be wrong
/// the next time too. Whether an agent may write at all is another matter, and so is what the system says.
fn is_of_the_candidate(error: &MemoryError) -> bool {
    match error {
        MemoryError::Store(StoreError::Refused(refusal)) => CONTENT_CODES.contains(&refusal.code),
        _ => matches!(error.kind(), ErrorKind::Invalid | ErrorKind::NotFound),
    }
}

fn is_of_a_secret(error: &MemoryError) -> bool {
    matches!(error, MemoryError::Store(StoreError::Refused(refusal)) if refusal.code == GateRefusal::SECRET)
}

/// The refusals of the gates that look at contents.
const CONTENT_CODES: [&str; 3] = [GateRefusal::SECRET, "team-entry-too-large", "user-in-team"];

type Written = mem_core::store::WriteOutcome<Vec<SavedOrAppended>>;

impl ExtractionOutcome {
    /// The change of a candidate; none where it waits, or was not written.
    pub(super) fn change_of(&self, at: usize) -> Option<String> {
        self.by.get(at)?.as_ref().map(ToString::to_string)
    }

    /// Writes the candidates at some places in one change. Where one of them cannot be written, now or later, the
    /// others are written each by itself: what is read again and again must not fail again and again.
    fn add_what_can_be(
        &mut self,
        at: &[usize],
        write: &dyn Fn(&[usize]) -> Result<Written, MemoryError>,
    ) -> Result<(), ExtractionError> {
        let written = write(at);
        let Err(error) = &written else {
            return self.add(written, at);
        };
        match (is_of_the_candidate(error), at) {
            (false, _) => self.add(written, at),
            (true, [one]) => {
                self.unfit.push((*one, !is_of_a_secret(error)));
                self.warnings.push(format!("one is left out: {error}"));
                Ok(())
            }
            (true, _) => at
                .iter()
                .try_for_each(|one| self.add_what_can_be(&[*one], write)),
        }
    }

    /// Takes in what became of the candidates at some places.
    fn add(
        &mut self,
        written: Result<Written, MemoryError>,
        at: &[usize],
    ) -> Result<(), ExtractionError> {
        match written {
            Ok(written) => {
                let change = written.change.map(|change| change.id);
                for (at, added) in at.iter().zip(written.value) {
                    self.files[*at] = Some(added.file);
                    self.appended[*at] = !added.created;
                    self.by[*at].clone_from(&change);
                }
                self.changes.extend(change);
                self.warnings.extend(written.warnings);
            }
            Err(error) if error.awaits_consent() => self.waiting += at.len(),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
