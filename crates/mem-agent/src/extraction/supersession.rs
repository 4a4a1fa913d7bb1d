//! Whether what was said says otherwise than a memory: then the newer words stand, and the older ones are quoted.

use crate::extract::Candidate;
use mem_core::history::{Author, AuthorKind, HistoryEntry, Sha256, Version};
use mem_core::memory::{Note, ProjectMemory};
use mem_find::similar::SimilarNote;
use mem_recall::versus::{Statement, StatementRelation, compare_statements, is_contrary};

use super::extraction_memory::ExtractionMemory;
use super::placement::{CandidateTarget, PlacedCandidate};
use super::statement_time::is_outdated;
use super::write::HOST;
use crate::title::note_line;

/// A folder whose memories stay: hosts keep what is pinned in one of this name.
const PINNED_FOLDER: &str = "pinned/";

/// How what was said takes the place of what a memory says.
pub(super) enum Supersession {
    /// In the memory itself: extractions alone wrote it.
    Own {
        /// The file.
        file: String,
        /// What it says.
        older: String,
    },
    /// Not at all: it was said before that.
    Overtaken,
    /// In a memory of its own, because somebody else wrote that one, or pinned it.
    Beside {
        /// The line that names the older memory and quotes it.
        line: String,
    },
}

/// What a candidate says otherwise, and nothing where no memory of its tier says the contrary or an older value.
pub(super) fn than(
    near: &[SimilarNote],
    candidate: &Candidate,
    said: &Statement,
    remembered: &ExtractionMemory,
    memory: &ProjectMemory,
) -> Option<Supersession> {
    let is_here = |one: &&SimilarNote| one.note.scope == candidate.scope;
    let is_older = |one: &&SimilarNote| replaces(&Statement::from_text(note_line(&one.note)), said);
    let one = near.iter().filter(is_here).find(is_older)?;
    let older = note_line(&one.note).to_owned();
    Some(match is_own(&one.note, memory) {
        true if is_outdated(candidate, &one.note, remembered) => Supersession::Overtaken,
        true => Supersession::Own {
            file: one.note.file.clone(),
            older,
        },
        false => Supersession::Beside {
            line: before(&one.note.label(), &older),
        },
    })
}

/// The line that names an older memory and quotes it.
pub(super) fn before(file: &str, older: &str) -> String {
    format!("**Before, in `{file}`:** \"{older}\"")
}

/// What was said otherwise later in the same run is not kept beside it.
pub(super) fn among(placed: &mut [PlacedCandidate]) {
    let of = |one: &PlacedCandidate| Statement::from_text(&one.candidate.description);
    let said: Vec<Statement> = placed.iter().map(of).collect();
    for at in 1..placed.len() {
        let (before, rest) = placed.split_at_mut(at);
        let Some(later) = rest
            .first_mut()
            .filter(|one| one.target != CandidateTarget::Inbox)
        else {
            continue;
        };
        for (earlier, older) in before.iter_mut().zip(&said) {
            let both = [&*earlier, &*later].map(|one| &one.candidate);
            let is_asked = earlier.target.is_written() && both[0].scope == both[1].scope;
            if !is_asked || !replaces(older, &said[at]) {
                continue;
            }
            if later.target == CandidateTarget::New {
                let line = format!("\n\n**Before:** \"{}\"", both[0].description);
                later.topic.body.push_str(&line);
            }
            earlier.target = CandidateTarget::Elsewhere(later.candidate.name.clone());
        }
    }
}

/// Whether the newer says the contrary, or another value of the same.
fn replaces(older: &Statement, newer: &Statement) -> bool {
    matches!(
        compare_statements(older, newer),
        StatementRelation::Contrary | StatementRelation::Updated(_)
    )
}

/// Whether a memory says the contrary of what was said.
pub(super) fn denies(note: &Note, said: &Statement) -> bool {
    is_contrary(&Statement::from_text(note_line(note)), said)
}

/// Those that say the same, and not the like of another thing, nor the contrary of it.
pub(super) fn same<'n>(near: &'n [SimilarNote], said: &Statement) -> Vec<&'n SimilarNote> {
    let is_same = |one: &&SimilarNote| {
        let older = Statement::from_text(note_line(&one.note));
        let is_otherwise = matches!(
            compare_statements(&older, said),
            StatementRelation::Another | StatementRelation::Contrary
        );
        // A no is not the yes again, even where words alone do not tell whether it denies it.
        one.is_same && !is_otherwise && !older.is_against(said)
    };
    near.iter().filter(is_same).collect()
}

/// Whether a person is known to have written any of it, or pinned it.
pub(super) fn is_by_hand(note: &Note, memory: &ProjectMemory) -> bool {
    let is_person =
        |(entry, _): &(HistoryEntry, Version)| entry.change.author.actor == AuthorKind::Person;
    is_pinned(note) || versions(note, memory).iter().any(is_person)
}

/// Whether extractions alone wrote it.
fn is_own(note: &Note, memory: &ProjectMemory) -> bool {
    let is_ours = |author: &Author| author.host.as_deref() == Some(HOST);
    !is_pinned(note) && all_by(note, memory, is_ours)
}

fn is_pinned(note: &Note) -> bool {
    note.topic.pinned || note.file.to_ascii_lowercase().starts_with(PINNED_FOLDER)
}

/// Whether all of it is by such authors. What an editor wrote a moment ago is not in the history yet.
fn all_by(note: &Note, memory: &ProjectMemory, is_one: impl Fn(&Author) -> bool) -> bool {
    let versions = versions(note, memory);
    let latest = versions.first().and_then(|(_, version)| version.sha256);
    let is_recorded = latest == Some(Sha256::digest(&note.bytes));
    is_recorded
        && versions
            .iter()
            .all(|(entry, _)| is_one(&entry.change.author))
}

/// All that was ever written of it, the latest first.
fn versions(note: &Note, memory: &ProjectMemory) -> Vec<(HistoryEntry, Version)> {
    let history = memory.store(note.scope).open_history().ok().flatten();
    let versions = history.and_then(|history| history.of_note(&note.id).ok());
    versions.unwrap_or_default()
}
