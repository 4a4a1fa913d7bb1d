//! What a push would send: from the references it changes to commits and objects.

use std::collections::HashSet;

use super::blobs::{self, BlobJob};
use super::cache::Clean;
use super::commits::CommitScan;
use super::id::ObjectId;
use super::messages;
use super::open::{GitObjectError, GitObjects};
use super::refs::Targets;
use super::source::ObjectSource;
use super::updates::Update;
use crate::ScanTotals;
use crate::scan_origin::{CommitKind, ContentKind};

/// Files of a repository that say which findings are allowed.
const ALLOWING_FILES: [&str; 6] = [
    ".betterleaks.toml",
    ".gitleaks.toml",
    "gitleaks.toml",
    ".gitleaksignore",
    ".mem/secrets.toml",
    ".mem/secrets.key",
];

/// Where git keeps the notes of commits.
const NOTES: &str = "refs/notes/";

/// What a push changes, by what the remote already allows.
#[derive(Debug)]
pub struct PushPlan {
    /// Updates that go by the same allows.
    pub parts: Vec<PushPart>,
    /// What the remote has, as far as it is here.
    known: Vec<ObjectId>,
    /// What updates name that some reference of the remote named before.
    moved: Vec<ObjectId>,
}

/// Updates of references for which the remote allows the same.
#[derive(Debug)]
pub struct PushPart {
    /// The commits of the remote that these updates begin at; none where it has nothing of them.
    pub bases: Vec<ObjectId>,
    updates: Vec<Update>,
    /// What the files say that allow findings.
    allowing: Vec<Option<ObjectId>>,
}

impl PushPlan {
    /// Sorts updates by the state that the remote has of each: the commit that a reference named, else the newest
    /// one of the remote's that the update goes back to.
    ///
    /// # Errors
    /// The repository cannot be opened.
    pub fn new(
        git: &GitObjects,
        updates: Vec<Update>,
        remote: &str,
        url: &str,
    ) -> Result<Self, GitObjectError> {
        let source = &*git.open()?;
        let olds = || updates.iter().filter_map(|update| update.old);
        let (moved, tracked): (Vec<_>, _) =
            (olds().collect(), tracked_objects(source, remote, url));
        let mut known: Vec<ObjectId> = olds().chain(tracked).collect();
        known.sort();
        known.dedup();
        // A force push may replace what was never fetched.
        known.retain(|id| source.read_object(*id).is_ok());
        let commits: Vec<ObjectId> = known
            .iter()
            .filter_map(|id| source.commit_of(*id))
            .collect();
        let mut parts: Vec<PushPart> = Vec::new();
        for update in updates.into_iter().filter(|update| update.new.is_some()) {
            let base = update_base(source, &update, &commits);
            let allowing = allow_files(source, base);
            match parts.iter_mut().find(|part| part.allowing == allowing) {
                Some(part) => {
                    part.bases.extend(base);
                    part.updates.push(update);
                }
                None => parts.push(PushPart {
                    bases: base.into_iter().collect(),
                    updates: vec![update],
                    allowing,
                }),
            }
        }
        for part in &mut parts {
            part.bases.sort();
            part.bases.dedup();
        }
        Ok(Self {
            parts,
            known,
            moved,
        })
    }

    /// Scans what the remote does not have of one part.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub fn scan_part(
        &self,
        part: &PushPart,
        scan: &mut CommitScan<'_>,
        totals: &mut ScanTotals,
    ) -> Result<(), GitObjectError> {
        let source = scan.git.open()?;
        let mut targets = Targets::default();
        let mut sent: Vec<ObjectId> = part.updates.iter().filter_map(|one| one.new).collect();
        sent.sort();
        sent.dedup();
        for id in sent.into_iter().filter(|id| !self.moved.contains(id)) {
            targets.add_object(&*source, id, scan.ruleset, totals);
        }
        for update in part.updates.iter().filter(|update| update.old.is_none()) {
            messages::of_reference(&update.name, scan.ruleset, totals);
        }
        let commits = std::mem::take(&mut targets.commits);
        scan_loose(scan, targets, totals)?;
        scan.reachable(&commits, &self.known, totals)?;
        self.mark_notes(&*source, part, totals);
        Ok(())
    }

    /// Says of each finding whether its commit is one of a notes reference: no branch has it to rebase.
    fn mark_notes(&self, source: &dyn ObjectSource, part: &PushPart, totals: &mut ScanTotals) {
        let updates = part.updates.iter();
        let notes = updates.filter(|update| update.name.starts_with(NOTES));
        let tips: Vec<ObjectId> = notes.filter_map(|update| update.new).collect();
        if tips.is_empty() || totals.found.is_empty() {
            return;
        }
        // Commits that cannot be walked keep the kind that they have by themselves.
        let commits = source.between(&tips, &self.known).unwrap_or_default();
        let commits: HashSet<ObjectId> = commits.into_iter().collect();
        for place in totals.found.iter_mut().map(|one| &mut one.place) {
            let id = place.commit.as_deref().and_then(ObjectId::parse);
            if id.is_some_and(|id| commits.contains(&id)) {
                place.commit_kind = CommitKind::Notes;
            }
        }
    }
}

/// The commit of the remote that an update begins at.
fn update_base(source: &dyn ObjectSource, update: &Update, known: &[ObjectId]) -> Option<ObjectId> {
    let old = update.old.and_then(|old| source.commit_of(old));
    old.or_else(|| {
        let new = source.commit_of(update.new?)?;
        source.merge_bases(new, known).first().copied()
    })
}

/// The files of a commit that allow findings.
fn allow_files(source: &dyn ObjectSource, base: Option<ObjectId>) -> Vec<Option<ObjectId>> {
    let tree = base.and_then(|base| Some(source.read_commit(base).ok()?.tree));
    let files = ALLOWING_FILES.iter();
    files.map(|path| source.find_file(tree?, path)).collect()
}

/// Scans blobs that no commit brings.
pub(crate) fn scan_loose(
    scan: &mut CommitScan<'_>,
    targets: Targets,
    totals: &mut ScanTotals,
) -> Result<(), GitObjectError> {
    totals.blobs += targets.loose.len() as u64;
    let jobs = targets.loose.into_iter().map(|change| BlobJob {
        mark: Clean::mark(change.oid, &change.path),
        oid: change.oid,
        path: change.path,
        olds: Vec::new(),
        commit: None,
        kind: ContentKind::Blob,
        order: 0,
    });
    let jobs = jobs.filter(|job| !scan.clean.holds(&job.mark)).collect();
    blobs::scan(scan, jobs, totals)
}

/// What the remote had when it was last seen. Git names a remote by its URL where it has no name.
fn tracked_objects(source: &dyn ObjectSource, remote: &str, url: &str) -> Vec<ObjectId> {
    let remotes = source.remotes().into_iter();
    let meant = remotes.filter(|one| one.name == remote || one.url == url);
    meant.flat_map(|one| source.tracked(&one.name)).collect()
}
