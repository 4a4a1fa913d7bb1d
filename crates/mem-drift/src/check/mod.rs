//! From citations to answers: what stands there now, then what the history says of the rest.

mod changed;
mod content;
mod found;
mod lines;
mod notes;
mod paths;
mod references;
mod resolve;
mod symbols;
mod worded;
mod working;

pub(crate) use content::current_id;
pub(crate) use notes::{NoteNames, note_answer};
pub(crate) use resolve::{Found, Resolver};

use crate::checkout::{Checkout, Listing, untracked};
use crate::cite::{Citation, Target};
use crate::finding::{Answer, Finding};
use crate::history::{Wanted, walk};
use crate::note::Note;
use crate::report::Status;

/// Checks the citations of notes. `edited` are the tracked files that the index does not know as
/// they are on disk. The answer has one list a note. Citations that may be none, and
/// of which the repository knows nothing, are left out.
pub(crate) fn check(
    checkout: &Checkout,
    listing: &Listing,
    edited: &[usize],
    notes: &[(&Note, Vec<Citation>)],
) -> Vec<Vec<Finding>> {
    let all = || notes.iter().flat_map(|(_, citations)| citations);
    let resolver = Resolver::new(checkout, listing);
    let paths = paths::Paths::resolve(&resolver, notes);
    let is_needed = paths.any_missing() || all().any(is_symbol);
    let extra = match (&checkout.repository, &checkout.disk) {
        (Some(repository), Some(disk)) if is_needed => untracked(repository, disk, listing),
        _ => Vec::new(),
    };
    let working = working::Working::new(checkout, listing, edited, &extra);
    let mut symbols = symbols::Symbols::scan(checkout, listing, &extra, all());
    symbols.settle_uncommitted(&working);
    let references = references::References::look_up(checkout, all());
    let mut wanted = Wanted::new(paths.missing(&working), &symbols.missing());
    paths.touched(notes, &mut wanted.touched);
    references.wanted(&mut wanted);
    let past = walk(checkout, &wanted);
    let context = found::Context {
        checkout,
        listing,
        working: &working,
        wanted: &wanted,
        past: &past,
    };
    let answer = |note: &Note, citation: &Citation| match &citation.target {
        Target::Path { .. } => paths.answer(&context, note, citation),
        Target::Symbol { .. } => symbols.answer(&context, citation),
        Target::Note(_) => Some(Answer::plain(Status::Unknown)),
        _ => references.answer(&context, citation),
    };
    notes
        .iter()
        .map(|(note, citations)| {
            let found = citations
                .iter()
                .filter_map(|citation| Some(Finding::new(citation, answer(note, citation)?)));
            found.collect()
        })
        .collect()
}

fn is_symbol(citation: &Citation) -> bool {
    matches!(citation.target, Target::Symbol { .. })
}
