//! Answers about identifiers.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::check_context::CheckContext;
use super::detail_text;
use super::paths::unseen;
use super::worktree::Worktree;
use crate::checkout::{Checkout, TrackedFiles};
use crate::cite::{Citation, CitationTarget};
use crate::finding::CitationAnswer;
use crate::history::{LostSymbol, new_name};
use crate::limits::BLOB_BYTES_MAX;
use crate::previous_run::Sighting;
use crate::report::CitationStatus;
use crate::scan::{Hints, Lexicon, Marks, SourceKind, SymbolPresence, is_text, survey_symbols};

/// All cited identifiers and where they stand.
pub(super) struct Symbols<'a> {
    checkout: &'a Checkout,
    groups: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, usize>,
    sightings: Vec<Sighting>,
    /// Groups that stand in what `HEAD` has and the checkout has not.
    uncommitted: HashSet<usize>,
    /// The places of missing groups in the list that the walk was given.
    places: HashMap<usize, usize>,
}

impl<'a> Symbols<'a> {
    /// Searches the files, and those that are not tracked, as far as an earlier run does not tell.
    pub(super) fn find<'c>(
        checkout: &'a Checkout,
        listing: &TrackedFiles,
        extra: &[Vec<u8>],
        hints: Hints<'_>,
        citations: impl Iterator<Item = &'c Citation>,
    ) -> Self {
        let mut groups = Vec::new();
        let mut numbers = HashMap::new();
        for group in citations.flat_map(alternatives) {
            numbers.entry(group.clone()).or_insert_with(|| {
                groups.push(group.clone());
                groups.len() - 1
            });
        }
        Self {
            checkout,
            sightings: survey_symbols(checkout, listing, extra, &groups, hints),
            uncommitted: HashSet::new(),
            places: HashMap::new(),
            groups,
            numbers,
        }
    }

    /// What the next run may know.
    pub(super) fn sightings(&self) -> HashMap<Vec<String>, Sighting> {
        let pairs = self.groups.iter().zip(&self.sightings);
        pairs.map(|(group, seen)| (group.clone(), *seen)).collect()
    }

    /// How well a group stands; `None` for one that nobody cites.
    pub(super) fn standing(&self, group: &[String]) -> Option<SymbolPresence> {
        let number = self.numbers.get(group)?;
        Some(self.sightings[*number].standing)
    }

    /// Whether a group is not in the code any more.
    fn is_missing(&self, group: usize) -> bool {
        self.sightings[group].standing != SymbolPresence::Live
    }

    /// Looks for missing identifiers of some citations in what was edited or deleted and not
    /// committed. What is found nowhere is left to the history.
    pub(super) fn settle_uncommitted<'c>(
        &mut self,
        worktree: &Worktree<'_>,
        citations: impl Iterator<Item = &'c Citation>,
    ) {
        let cited = citations.flat_map(alternatives);
        let missing: BTreeSet<usize> = cited
            .filter_map(|group| self.numbers.get(group).copied())
            .filter(|&group| self.is_missing(group))
            .collect();
        if missing.is_empty() {
            return;
        }
        let missing: Vec<usize> = missing.into_iter().collect();
        let words: Vec<_> = missing
            .iter()
            .map(|&group| self.groups[group].clone())
            .collect();
        let lexicon = Lexicon::new(&words);
        let mut marks = Marks::new(&lexicon);
        for (path, id) in worktree.replaced_contents() {
            let source = SourceKind::from_path(&path);
            let text = self
                .checkout
                .read_blob(id, BLOB_BYTES_MAX)
                .filter(|text| is_text(text));
            if let Some(text) = text {
                lexicon.mark_words(&text, source, &mut marks);
                marks.end_file(&lexicon, 0);
            }
        }
        for (at, group) in missing.into_iter().enumerate() {
            if marks.group_presence(at) == SymbolPresence::Live {
                self.uncommitted.insert(group);
            } else {
                self.places.insert(group, self.places.len());
            }
        }
    }

    /// The groups that only the history can explain.
    pub(super) fn missing(&self) -> Vec<Vec<String>> {
        let mut missing = vec![Vec::new(); self.places.len()];
        for (&group, &place) in &self.places {
            missing[place].clone_from(&self.groups[group]);
        }
        missing
    }

    /// The answer for one citation; `None` for a tentative one that means nothing here.
    pub(super) fn answer(
        &self,
        context: &CheckContext<'_>,
        citation: &Citation,
    ) -> Option<CitationAnswer> {
        let known = alternatives(citation).iter();
        let groups: Vec<usize> = known
            .filter_map(|group| self.numbers.get(group).copied())
            .collect();
        if groups.iter().any(|&group| !self.is_missing(group)) {
            return Some(CitationAnswer::from_status(CitationStatus::Present));
        }
        let answer = self.lost_symbol_answer(context, &groups);
        answer.for_citation(citation)
    }

    fn lost_symbol_answer(&self, context: &CheckContext<'_>, groups: &[usize]) -> CitationAnswer {
        if groups.iter().any(|group| self.uncommitted.contains(group)) {
            return CitationAnswer::new(CitationStatus::Gone, "removed, not committed");
        }
        let lost = groups.iter().filter_map(|group| {
            let place = *self.places.get(group)?;
            Some((*group, context.past.symbols.get(place)?.as_ref()?))
        });
        if let Some((group, lost)) = lost.min_by_key(|(_, lost)| lost.commit) {
            return self.removed_symbol_answer(context, group, lost);
        }
        let is_mentioned =
            |&group: &usize| self.sightings[group].standing == SymbolPresence::Mentioned;
        if groups.iter().any(is_mentioned) {
            return CitationAnswer::new(CitationStatus::Present, "in comments or prose only");
        }
        unseen(
            context,
            context.past.is_partial.or(context.past.is_unsearched),
        )
    }

    fn removed_symbol_answer(
        &self,
        context: &CheckContext<'_>,
        group: usize,
        lost: &LostSymbol,
    ) -> CitationAnswer {
        let commit = detail_text::describe_commit(context.past, lost.commit);
        let path = detail_text::printable_path(&lost.path);
        if !lost.is_removal {
            // What was last in one file with its type may have a type of another name by now.
            let status = match self.groups[group].len() {
                0 | 1 => CitationStatus::Gone,
                _ => CitationStatus::Unknown,
            };
            return CitationAnswer::new(status, format!("last seen in {path} before {commit}"));
        }
        let word = self.groups[group]
            .last()
            .map(String::as_str)
            .unwrap_or_default();
        let name = new_name(context.checkout, context.past, lost, word);
        CitationAnswer::new(
            CitationStatus::Gone,
            match name {
                Some(name) => format!("renamed to `{name}` by {commit}"),
                None => format!("removed from {path} by {commit}"),
            },
        )
    }
}

/// The groups of words of an identifier; none for anything else.
fn alternatives(citation: &Citation) -> &[Vec<String>] {
    match &citation.target {
        CitationTarget::Symbol { alternatives } => alternatives,
        _ => &[],
    }
}
