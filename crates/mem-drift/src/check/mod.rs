//! From citations to answers: what stands there now, then what the history says of the rest.
//!
//! Steps, the cheap ones first: resolve paths in the list of files; look for all identifiers in one pass over the tree;
//! take over answers of an earlier run that still hold; walk the history once, for what is not there and for files that
//! may have changed since the note.
//! Tests: `incremental::what_is_taken_over_is_what_would_be_found`,
//! `verdicts::a_cache_answers_until_anything_changes`.

mod cache_validity;
mod check_context;
mod content;
mod detail_text;
mod file_change;
mod lines;
mod notes;
mod paths;
mod references;
mod resolve;
mod symbols;
mod worktree;

pub(crate) use content::current_id;
pub(crate) use notes::{NoteNames, earlier_file_answer, is_note_file, note_answer};
pub(crate) use resolve::{ResolvedPath, Resolver};

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::checkout::{Checkout, TrackedFiles, Untracked, find_untracked};
use crate::cite::{Citation, CitationTarget};
use crate::finding::{CitationAnswer, CitationFinding};
use crate::history::{HistoryQuestions, walk_history};
use crate::note::DriftInput;
use crate::previous_run::{PreviousRun, Sighting};
use crate::report::CitationStatus;
use crate::scan::Hints;
use crate::stamp::RepositoryStamp;

/// A note to check.
pub(crate) struct CheckedMemory<'a> {
    /// The note.
    pub(crate) note: &'a DriftInput,
    /// What it cites.
    pub(crate) citations: Vec<Citation>,
    /// Answers of an earlier run, if they were found at the same commit with the same files tracked.
    pub(crate) candidate: Option<Vec<CitationFinding>>,
}

/// The state of the repository, now and as an earlier run saw it.
pub(crate) struct RepositoryState<'a> {
    pub(crate) checkout: &'a Checkout,
    pub(crate) listing: &'a TrackedFiles,
    pub(crate) stamp: &'a RepositoryStamp,
    pub(crate) earlier: &'a PreviousRun,
}

/// What the next run may know of the state.
pub(crate) struct Learnt {
    /// Where identifiers stand.
    pub(crate) sightings: HashMap<Vec<String>, Sighting>,
    /// The files that are not tracked.
    pub(crate) untracked: Untracked,
}

/// Checks the citations of notes. The answer has one list a note; citations that may be none, and of
/// which the repository knows nothing, are left out.
pub(crate) fn check(
    terrain: &RepositoryState<'_>,
    mut asked: Vec<CheckedMemory<'_>>,
) -> (Vec<Vec<CitationFinding>>, Learnt) {
    let RepositoryState {
        checkout,
        listing,
        earlier,
        ..
    } = *terrain;
    let resolver = Resolver::new(checkout, listing);
    let is_needed = asked
        .iter()
        .flat_map(|one| &one.citations)
        .any(|citation| is_symbol(citation) || is_path(citation));
    let extra = match (&checkout.repository, &checkout.disk) {
        (Some(_), Some(disk)) if is_needed => find_untracked(disk, listing),
        _ => Untracked::default(),
    };
    let all = || asked.iter().flat_map(|one| &one.citations);
    let cited = resolver.files(all());
    let hints = Hints {
        earlier,
        cited: &cited,
    };
    let mut symbols = symbols::Symbols::find(checkout, listing, &extra.files, hints, all());
    let validity = cache_validity::CacheValidity {
        resolver: &resolver,
        symbols: &symbols,
        earlier,
    };
    for one in &mut asked {
        let candidate = one.candidate.take();
        one.candidate = candidate.filter(|findings| validity.hold(&one.citations, findings));
    }
    let open: Vec<&CheckedMemory<'_>> =
        asked.iter().filter(|one| one.candidate.is_none()).collect();
    let answered = answered(terrain, &resolver, &mut symbols, &extra.files, &open);
    let mut answered = answered.into_iter();
    let findings = asked.into_iter().map(|one| match one.candidate {
        Some(findings) => findings,
        None => answered.next().unwrap_or_default(),
    });
    let learnt = Learnt {
        sightings: earlier.merge_sightings(symbols.sightings()),
        untracked: extra,
    };
    (findings.collect(), learnt)
}

/// Answers what an earlier run cannot.
fn answered(
    terrain: &RepositoryState<'_>,
    resolver: &Resolver<'_>,
    symbols: &mut symbols::Symbols<'_>,
    extra: &[Vec<u8>],
    open: &[&CheckedMemory<'_>],
) -> Vec<Vec<CitationFinding>> {
    let RepositoryState {
        checkout,
        listing,
        stamp,
        ..
    } = *terrain;
    let all = || open.iter().flat_map(|one| &one.citations);
    let paths = paths::Paths::resolve(resolver, open);
    let worktree = worktree::Worktree::new(checkout, listing, &stamp.edited, extra);
    symbols.settle_uncommitted(&worktree, all());
    let references = references::References::look_up(checkout, all());
    let mut questions = HistoryQuestions::new(paths.missing(&worktree), &symbols.missing());
    paths.touched(open, &mut questions.touched);
    references.add_questions(&mut questions);
    let past = walk_history(checkout, &questions);
    let context = check_context::CheckContext {
        checkout,
        listing,
        worktree: &worktree,
        questions: &questions,
        past: &past,
        ignore_rules: OnceCell::new(),
    };
    let answer = |one: &CheckedMemory<'_>, citation: &Citation| match &citation.target {
        CitationTarget::Path { .. } => paths.answer(&context, one, citation),
        CitationTarget::Symbol { .. } => symbols.answer(&context, citation),
        CitationTarget::Note(_) => Some(CitationAnswer::from_status(CitationStatus::Unknown)),
        _ => references.answer(&context, citation),
    };
    let findings = |one: &&CheckedMemory<'_>| {
        let found = one.citations.iter();
        let found = found
            .filter_map(|citation| Some(CitationFinding::new(citation, answer(one, citation)?)));
        found.collect()
    };
    open.iter().map(findings).collect()
}

fn is_symbol(citation: &Citation) -> bool {
    matches!(citation.target, CitationTarget::Symbol { .. })
}

fn is_path(citation: &Citation) -> bool {
    matches!(citation.target, CitationTarget::Path { .. })
}
