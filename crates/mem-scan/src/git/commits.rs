//! Which commits a scan is about, and what they bring.

use std::collections::HashSet;

use super::blobs::{self, BlobJob};
use super::cache::Clean;
use super::changes;
use super::id::ObjectId;
use super::messages;
use super::object::ObjectKind;
use super::open::{GitObjectError, GitObjects};
use super::source::ObjectSource;
use super::walk;
use crate::Counters;
use crate::scan_origin::{CommitKind, ContentKind};
use crate::{Ruleset, ScanTotals};

/// Blobs that are collected before they are scanned: bounds the memory of a long history.
const JOBS_MAX: usize = 50_000;

/// What a scan of commits is given.
pub struct CommitScan<'s> {
    /// The repository.
    pub git: &'s GitObjects,
    /// The rules.
    pub ruleset: &'s Ruleset,
    /// What earlier runs found clean.
    pub clean: &'s mut Clean,
    /// For the progress line.
    pub counters: &'s Counters,
    /// Whether the scan is of a push, which does not send the objects that a partial or a shallow clone lacks: the
    /// remote has them.
    pub is_outgoing: bool,
}

impl CommitScan<'_> {
    /// Scans what is reachable from some commits and not from others.
    ///
    /// # Errors
    /// The repository cannot be opened. What is wrong with one object is a problem of the tally.
    pub(crate) fn reachable(
        &mut self,
        wanted: &[ObjectId],
        hidden: &[ObjectId],
        totals: &mut ScanTotals,
    ) -> Result<(), GitObjectError> {
        let source = self.git.open()?;
        let commits = walk::commits_between(&*source, wanted, hidden, totals);
        if !self.is_outgoing && source.is_shallow() && is_cut_off(&*source, &commits) {
            totals.problem("the clone is shallow: `git fetch --unshallow` gets the older commits");
        }
        self.run(&commits, totals)
    }

    /// Scans what commits bring: blobs, messages and names. They come oldest first, so that a
    /// secret is reported where it first stood.
    ///
    /// # Errors
    /// The repository cannot be opened. What is wrong with one object is a problem of the tally.
    pub(crate) fn run(
        &mut self,
        commits: &[ObjectId],
        totals: &mut ScanTotals,
    ) -> Result<(), GitObjectError> {
        let source = self.git.open()?;
        let mut seen = HashSet::new();
        let mut jobs = Vec::new();
        for (order, oid) in commits.iter().enumerate() {
            let outcome = source.read_commit(*oid).and_then(|commit| {
                messages::of_commit(*oid, &commit, self.ruleset, totals);
                changes::each(&*source, &commit, &mut |change| {
                    messages::of_name(&change.path, *oid, self.ruleset, totals);
                    jobs.extend(self.job(change, *oid, order, &mut seen, totals));
                })
            });
            if let Err(error) = outcome {
                totals.problem(format!("cannot read commit {oid}: {error}"));
            }
            if jobs.len() >= JOBS_MAX {
                blobs::scan(self, std::mem::take(&mut jobs), totals)?;
            }
        }
        blobs::scan(self, jobs, totals)?;
        first_of_each(totals);
        mark_commit_kinds(&*source, totals);
        Ok(())
    }

    /// The work that a change makes, unless it is known or was clean before.
    fn job(
        &self,
        change: changes::AddedBlob,
        commit: ObjectId,
        order: usize,
        seen: &mut HashSet<[u8; 16]>,
        totals: &mut ScanTotals,
    ) -> Option<BlobJob> {
        let mark = Clean::mark(change.oid, &change.path);
        if !seen.insert(mark) {
            return None;
        }
        totals.blobs += 1;
        if self.clean.holds(&mark) {
            self.counters.add(0);
            return None;
        }
        let changes::AddedBlob { path, oid, olds } = change;
        let (commit, kind) = (Some(commit), ContentKind::Blob);
        Some(BlobJob {
            oid,
            path,
            olds,
            commit,
            kind,
            order,
            mark,
        })
    }
}

/// Whether the clone lacks a parent of a commit.
fn is_cut_off(source: &dyn ObjectSource, commits: &[ObjectId]) -> bool {
    let read = commits.iter().filter_map(|id| source.read_commit(*id).ok());
    let mut parents = read.flat_map(|commit| commit.parents);
    parents.any(|id| source.read_commit(id).is_err())
}

/// Says of each finding what its commit is: what is done about it differs.
fn mark_commit_kinds(source: &dyn ObjectSource, totals: &mut ScanTotals) {
    let places = totals.found.iter_mut().map(|one| &mut one.place);
    // A push is scanned in parts, and each marks the findings of those before it, too.
    for place in places.filter(|place| place.commit_kind == CommitKind::Ordinary) {
        let id = place.commit.as_deref().and_then(ObjectId::parse);
        if let Some(id) = id {
            place.commit_kind = commit_kind(source, id);
        }
    }
}

/// What an object is that stands as the commit of a finding.
fn commit_kind(source: &dyn ObjectSource, id: ObjectId) -> CommitKind {
    let Ok(object) = source.read_object(id) else {
        return CommitKind::Ordinary;
    };
    if object.kind == ObjectKind::Tag {
        return CommitKind::Tag;
    }
    match object.commit().map(|commit| commit.parents.len()) {
        Ok(0) => CommitKind::Root,
        Ok(1) | Err(_) => CommitKind::Ordinary,
        Ok(_) => CommitKind::Merge,
    }
}

/// Keeps the first finding of each secret in each file: later versions of the file repeat it.
fn first_of_each(totals: &mut ScanTotals) {
    let mut seen = HashSet::new();
    totals.found.retain(|one| {
        let finding = &one.finding;
        let line = matches!(one.place.kind, ContentKind::Message).then(|| one.place.commit.clone());
        seen.insert((
            one.place.path.clone(),
            line,
            finding.rule.clone(),
            finding.secret.clone(),
        ))
    });
}
