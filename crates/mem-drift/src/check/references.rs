//! Answers about commits, branches and tags.

use std::collections::HashMap;

use git2::{BranchType, Commit, Oid, Repository};

use super::check_context::CheckContext;
use super::detail_text;
use crate::checkout::Checkout;
use crate::cite::{Citation, CitationTarget};
use crate::finding::CitationAnswer;
use crate::history::{HistoryQuestions, RewrittenCommit};
use crate::report::CitationStatus;

/// References that are asked whether they hold a commit.
const REFERENCES_MAX: usize = 100;

/// What was found at once, and what the history may still know.
#[derive(Default)]
pub(super) struct References {
    answers: HashMap<CitationTarget, CitationAnswer>,
    branches: Vec<String>,
    rewritten: HashMap<CitationTarget, RewrittenCommit>,
}

impl References {
    pub(super) fn look_up<'c>(
        checkout: &Checkout,
        citations: impl Iterator<Item = &'c Citation>,
    ) -> Self {
        let mut found = Self::default();
        let Some(repository) = &checkout.repository else {
            return found;
        };
        for citation in citations {
            let target = &citation.target;
            if found.answers.contains_key(target) {
                continue;
            }
            let answer = match target {
                CitationTarget::Commit(id) => found.commit(checkout, repository, target, id),
                CitationTarget::Branch(name) => found.branch(repository, name),
                CitationTarget::Tag(name) => Some(tag(repository, name)),
                _ => None,
            };
            found
                .answers
                .extend(answer.map(|answer| (target.clone(), answer)));
        }
        found
    }

    fn branch(&mut self, repository: &Repository, name: &str) -> Option<CitationAnswer> {
        if has_branch(repository, name) {
            return Some(CitationAnswer::from_status(CitationStatus::Present));
        }
        self.branches.push(name.to_owned());
        None
    }

    fn commit(
        &mut self,
        checkout: &Checkout,
        repository: &Repository,
        target: &CitationTarget,
        id: &str,
    ) -> Option<CitationAnswer> {
        let commit = repository.find_commit_by_prefix(id).ok();
        let Some(commit) = commit else {
            let why = if checkout.is_shallow {
                "the clone is shallow"
            } else {
                "no such commit here"
            };
            return Some(CitationAnswer::new(CitationStatus::Unknown, why));
        };
        if is_in_head(repository, checkout.head, &commit) {
            return Some(CitationAnswer::from_status(CitationStatus::Present));
        }
        if is_referenced(repository, commit.id()) {
            return Some(CitationAnswer::new(
                CitationStatus::Present,
                "on another branch",
            ));
        }
        self.rewritten
            .insert(target.clone(), RewrittenCommit::from_commit(&commit));
        None
    }

    /// What the walk has to look for.
    pub(super) fn add_questions(&self, questions: &mut HistoryQuestions) {
        questions.branches.extend(self.branches.iter().cloned());
        questions.rewritten.extend(self.rewritten.values().cloned());
    }

    pub(super) fn answer(
        &self,
        context: &CheckContext<'_>,
        citation: &Citation,
    ) -> Option<CitationAnswer> {
        let past = context.past;
        let answer = match (self.answers.get(&citation.target), &citation.target) {
            (Some(answer), _) => answer.clone(),
            (None, CitationTarget::Branch(name)) => match past.merged.get(name) {
                Some(&at) => CitationAnswer::new(
                    CitationStatus::Gone,
                    format!("merged by {}", detail_text::describe_commit(past, at)),
                ),
                None => CitationAnswer::new(CitationStatus::Unknown, "no such branch"),
            },
            (None, target) => match self.rewritten.get(target) {
                Some(twin) => match past.rewritten.get(&twin.id) {
                    Some(&at) => CitationAnswer::new(
                        CitationStatus::Moved,
                        format!("rewritten as {}", detail_text::describe_commit(past, at)),
                    ),
                    // Squashed or rebased: what it brought may well be there.
                    None => CitationAnswer::new(
                        CitationStatus::Unknown,
                        past.is_partial.unwrap_or("no branch has it any more"),
                    ),
                },
                None => CitationAnswer::new(CitationStatus::Unknown, "there is no repository"),
            },
        };
        answer.for_citation(citation)
    }
}

fn has_branch(repository: &Repository, name: &str) -> bool {
    repository.find_branch(name, BranchType::Local).is_ok()
        || repository.remotes().is_ok_and(|remotes| {
            remotes.iter().flatten().flatten().any(|remote| {
                repository
                    .find_branch(&format!("{remote}/{name}"), BranchType::Remote)
                    .is_ok()
            })
        })
}

fn tag(repository: &Repository, name: &str) -> CitationAnswer {
    match repository.find_reference(&format!("refs/tags/{name}")) {
        Ok(_) => CitationAnswer::from_status(CitationStatus::Present),
        Err(_) => CitationAnswer::new(CitationStatus::Unknown, "no such tag"),
    }
}

fn is_in_head(repository: &Repository, head: Option<Oid>, commit: &Commit<'_>) -> bool {
    head.is_some_and(|head| {
        head == commit.id()
            || repository
                .graph_descendant_of(head, commit.id())
                .unwrap_or(false)
    })
}

/// Whether some branch or tag holds the commit.
fn is_referenced(repository: &Repository, id: Oid) -> bool {
    let Ok(references) = repository.references() else {
        return false;
    };
    let tips: Vec<Oid> = references
        .flatten()
        .filter_map(|reference| Some(reference.peel_to_commit().ok()?.id()))
        .take(REFERENCES_MAX)
        .collect();
    tips.iter()
        .any(|&tip| tip == id || repository.graph_descendant_of(tip, id).unwrap_or(false))
}
