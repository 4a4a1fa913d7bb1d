//! Answers about identifiers.

use std::collections::HashMap;

use super::found::Context;
use super::paths::unseen;
use super::worded;
use super::working::Working;
use crate::checkout::{Checkout, Listing};
use crate::cite::{Citation, Target};
use crate::finding::Answer;
use crate::history::{LostSymbol, new_name};
use crate::limits::BLOB_BYTES_MAX;
use crate::report::Status;
use crate::scan::{Lexicon, Marks, Source, Standing, is_text, scan};

/// All cited identifiers and where they stand.
pub(super) struct Symbols<'a> {
    checkout: &'a Checkout,
    groups: Vec<Vec<String>>,
    numbers: HashMap<Vec<String>, usize>,
    lexicon: Lexicon,
    marks: Marks,
    /// Groups that stand in what `HEAD` has and the checkout has not.
    uncommitted: Vec<bool>,
    /// The places of missing groups in the list that the walk was given.
    places: HashMap<usize, usize>,
}

impl<'a> Symbols<'a> {
    /// Searches the files, and those that are not tracked.
    pub(super) fn scan<'c>(
        checkout: &'a Checkout,
        listing: &Listing,
        extra: &[Vec<u8>],
        citations: impl Iterator<Item = &'c Citation>,
    ) -> Self {
        let mut groups = Vec::new();
        let mut numbers = HashMap::new();
        for citation in citations {
            let Target::Symbol { alternatives } = &citation.target else {
                continue;
            };
            for group in alternatives {
                numbers.entry(group.clone()).or_insert_with(|| {
                    groups.push(group.clone());
                    groups.len() - 1
                });
            }
        }
        let lexicon = Lexicon::new(&groups);
        let marks = scan(checkout, listing, extra, &lexicon);
        Self {
            checkout,
            uncommitted: vec![false; groups.len()],
            places: HashMap::new(),
            groups,
            numbers,
            lexicon,
            marks,
        }
    }

    /// Whether a group is not in the code any more.
    fn is_missing(&self, group: usize) -> bool {
        self.marks.standing(group) != Standing::Live
    }

    /// Looks for missing identifiers in what was edited or deleted and not committed.
    pub(super) fn settle_uncommitted(&mut self, working: &Working<'_>) {
        let missing: Vec<usize> = (0..self.groups.len())
            .filter(|&group| self.is_missing(group))
            .collect();
        if missing.is_empty() {
            return;
        }
        let mut marks = Marks::new(&self.lexicon);
        for (path, id) in working.replaced() {
            let source = Source::of(&path);
            let text = self
                .checkout
                .blob(id, BLOB_BYTES_MAX)
                .filter(|text| is_text(text));
            if let Some(text) = text {
                self.lexicon.search(&text, source, &mut marks);
                marks.end_file(&self.lexicon);
            }
        }
        for &group in &missing {
            self.uncommitted[group] = marks.standing(group) == Standing::Live;
        }
        let open = missing
            .into_iter()
            .filter(|&group| !self.uncommitted[group]);
        self.places = open.zip(0..).collect();
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
    pub(super) fn answer(&self, context: &Context<'_>, citation: &Citation) -> Option<Answer> {
        let Target::Symbol { alternatives } = &citation.target else {
            return None;
        };
        let known = alternatives
            .iter()
            .filter_map(|group| self.numbers.get(group).copied());
        let groups: Vec<usize> = known.collect();
        if groups.iter().any(|&group| !self.is_missing(group)) {
            return Some(Answer::plain(Status::Present));
        }
        let answer = self.lost(context, &groups);
        let is_known = !matches!(answer.status, Status::Never | Status::Unknown);
        (is_known || !citation.is_tentative).then_some(answer)
    }

    fn lost(&self, context: &Context<'_>, groups: &[usize]) -> Answer {
        if groups.iter().any(|&group| self.uncommitted[group]) {
            return Answer::new(Status::Gone, "removed, not committed");
        }
        let lost = groups.iter().filter_map(|group| {
            let place = *self.places.get(group)?;
            Some((*group, context.past.symbols.get(place)?.as_ref()?))
        });
        if let Some((group, lost)) = lost.min_by_key(|(_, lost)| lost.commit) {
            return self.gone(context, group, lost);
        }
        let is_mentioned = |&group: &usize| self.marks.standing(group) == Standing::Mentioned;
        if groups.iter().any(is_mentioned) {
            return Answer::new(Status::Present, "in comments or prose only");
        }
        unseen(
            context,
            context.past.is_partial.or(context.past.is_unsearched),
        )
    }

    fn gone(&self, context: &Context<'_>, group: usize, lost: &LostSymbol) -> Answer {
        let commit = worded::commit(context.past, lost.commit);
        let path = worded::path(&lost.path);
        if !lost.is_removal {
            return Answer::new(Status::Gone, format!("last seen in {path} before {commit}"));
        }
        let word = self.groups[group]
            .last()
            .map(String::as_str)
            .unwrap_or_default();
        let name = new_name(context.checkout, context.past, lost, word);
        Answer::new(
            Status::Gone,
            match name {
                Some(name) => format!("renamed to `{name}` by {commit}"),
                None => format!("removed from {path} by {commit}"),
            },
        )
    }
}
