//! Where identifiers stand: worked out anew only as far as files changed since an earlier run.

use super::files::{SearchedFiles, scan_files};
use super::lexicon::Lexicon;
use super::marks::{Marks, SymbolPresence};
use crate::checkout::{Checkout, TrackedFiles};
use crate::previous_run::{PreviousRun, Sighting};

/// Where to look first.
#[derive(Clone, Copy)]
pub(crate) struct Hints<'a> {
    /// What an earlier run knew.
    pub(crate) earlier: &'a PreviousRun,
    /// Tracked files that the notes cite, by their places: what a note names mostly stands in what it
    /// cites, and what is found there need not be looked for in all the others.
    pub(crate) cited: &'a [usize],
}

/// Finds every group of words; files that are not tracked (`extra`) are always searched.
pub(crate) fn survey_symbols(
    checkout: &Checkout,
    listing: &TrackedFiles,
    extra: &[Vec<u8>],
    groups: &[Vec<String>],
    hints: Hints<'_>,
) -> Vec<Sighting> {
    let known = groups.iter().map(|group| hints.earlier.symbols.get(group));
    let mut survey = SymbolSurvey {
        checkout,
        listing,
        groups,
        found: known.map(Option::<&Sighting>::copied).collect(),
    };
    let is_open =
        |known: Option<Sighting>| known.is_none_or(|one| one.standing != SymbolPresence::Live);
    if let Some(changed) = &hints.earlier.changed {
        survey.search_files(Some(changed), extra, is_open);
    }
    survey.search_files(Some(hints.cited), &[], |known| known.is_none());
    survey.search_files(None, extra, |known| known.is_none());
    let nowhere = Sighting {
        standing: SymbolPresence::Absent,
        place: None,
    };
    let found = survey.found.into_iter();
    found.map(|one| one.unwrap_or(nowhere)).collect()
}

struct SymbolSurvey<'a> {
    checkout: &'a Checkout,
    listing: &'a TrackedFiles,
    groups: &'a [Vec<String>],
    /// Per group, what is known.
    found: Vec<Option<Sighting>>,
}

impl SymbolSurvey<'_> {
    /// Searches some files, or all, for the groups of which too little is known.
    fn search_files(
        &mut self,
        chosen: Option<&[usize]>,
        extra: &[Vec<u8>],
        is_wanted: impl Fn(Option<Sighting>) -> bool,
    ) {
        let wanted = (0..self.groups.len()).filter(|&group| is_wanted(self.found[group]));
        let wanted: Vec<usize> = wanted.collect();
        let words = wanted.iter().map(|&group| self.groups[group].clone());
        let lexicon = Lexicon::new(&words.collect::<Vec<_>>());
        let searched = SearchedFiles {
            listing: self.listing,
            chosen,
            extra,
        };
        let marks = scan_files(self.checkout, searched, &lexicon);
        for (at, &group) in wanted.iter().enumerate() {
            let seen = group_sighting(&marks, at, self.listing);
            // Only a search of all files can tell that something stands nowhere better.
            let is_news = match self.found[group] {
                None => chosen.is_none() || seen.standing == SymbolPresence::Live,
                Some(known) => seen.standing > known.standing,
            };
            if is_news {
                self.found[group] = Some(seen);
            }
        }
    }
}

fn group_sighting(marks: &Marks, group: usize, listing: &TrackedFiles) -> Sighting {
    let standing = marks.group_presence(group);
    let place = marks.group_file(group);
    let is_tracked = standing != SymbolPresence::Absent && place < listing.entries().len();
    Sighting {
        standing,
        place: is_tracked.then_some(place),
    }
}
