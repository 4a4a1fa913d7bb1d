//! Which commits a scan is about, and what they bring.

use std::collections::HashSet;

use super::blobs::{self, BlobJob};
use super::cache::{Clean, Mark};
use super::changes::{self, AddedBlob, TreeCache};
use super::id::ObjectId;
use super::messages;
use super::object::ObjectKind;
use super::open::{GitObjectError, GitObjects};
use super::parallel::map_parts;
use super::source::ObjectSource;
use super::walk;
use crate::Counters;
use crate::scan_origin::{CommitKind, ContentKind};
use crate::{Ruleset, ScanTotals};

/// Blobs that are collected before they are scanned: bounds the memory of a long history.
const JOBS_MAX: usize = 50_000;
/// Commits whose trees are compared before their blobs count as jobs: bounds the memory, too.
const COMMITS_AT_ONCE: usize = 512;

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
        let (git, ruleset) = (self.git, self.ruleset);
        let mut seen = HashSet::new();
        let mut jobs = Vec::new();
        let numbered: Vec<(usize, ObjectId)> = commits.iter().copied().enumerate().collect();
        for commits in numbered.chunks(COMMITS_AT_ONCE) {
            let parts = map_parts(commits, |part| {
                Ok(read_commits(&*git.open()?, part, ruleset))
            })?;
            for (brought, share) in parts {
                totals.merge(share);
                let brought = brought.into_iter();
                jobs.extend(brought.filter(|job| self.is_new(job, &mut seen, totals)));
            }
            if jobs.len() >= JOBS_MAX {
                blobs::scan(self, std::mem::take(&mut jobs), totals)?;
            }
        }
        blobs::scan(self, jobs, totals)?;
        if !totals.found.is_empty() {
            first_of_each(totals);
            mark_commit_kinds(&*git.open()?, totals);
        }
        Ok(())
    }

    /// Whether a blob is to be scanned: no earlier commit has it at its path, and it was not clean before.
    fn is_new(&self, job: &BlobJob, seen: &mut HashSet<Mark>, totals: &mut ScanTotals) -> bool {
        if !seen.insert(job.mark) {
            return false;
        }
        totals.blobs += 1;
        let is_clean = self.clean.holds(&job.mark);
        if is_clean {
            self.counters.add(0);
        }
        !is_clean
    }
}

/// The blobs that commits bring, each with the number of its commit. Messages and names are scanned on the way.
fn read_commits(
    source: &dyn ObjectSource,
    commits: &[(usize, ObjectId)],
    ruleset: &Ruleset,
) -> (Vec<BlobJob>, ScanTotals) {
    let (mut jobs, mut totals) = (Vec::new(), ScanTotals::default());
    let (mut trees, mut clean_persons) = (TreeCache::new(source), HashSet::new());
    for &(order, id) in commits {
        let outcome = source.read_commit(id).and_then(|commit| {
            messages::of_commit(id, &commit, ruleset, &mut clean_persons, &mut totals);
            changes::each(&mut trees, &commit, &mut |AddedBlob { path, oid, olds }| {
                messages::of_name(&path, id, ruleset, &mut totals);
                jobs.push(BlobJob {
                    mark: Clean::mark(oid, &path),
                    oid,
                    path,
                    olds,
                    commit: Some(id),
                    kind: ContentKind::Blob,
                    order,
                });
            })
        });
        if let Err(error) = outcome {
            totals.problem(format!("cannot read commit {id}: {error}"));
        }
    }
    (jobs, totals)
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
