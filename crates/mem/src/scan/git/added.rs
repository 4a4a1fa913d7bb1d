//! Which lines of a blob are new: a finding on an old line was there before.

use git2::{Blob, Commit, DiffFindOptions, DiffOptions, Error, Oid, Patch, Repository};
use mem_secrets::Finding;

use super::blobs::Job;

/// Ranges of lines, from 1, both ends included.
type Lines = Vec<(u64, u64)>;

/// Keeps the findings that stand on a line which no parent has.
///
/// # Errors
/// An object cannot be read.
pub(crate) fn retain(
    repo: &Repository,
    job: &Job,
    blob: &Blob<'_>,
    findings: &mut Vec<Finding>,
) -> Result<(), Error> {
    for (parent, old) in job.olds.iter().enumerate() {
        let (old, is_renamed) = match old {
            Some(old) => (Some(*old), false),
            None => (renamed_from(repo, job, parent)?, true),
        };
        let Some(old) = old else { continue };
        if old == blob.id() && is_renamed {
            findings.clear();
            return Ok(());
        }
        // What a partial clone does not have cannot be compared: then every line counts.
        let Ok(old) = repo.find_blob(old) else {
            continue;
        };
        let lines = added(&old, blob)?;
        findings.retain(|one| {
            lines
                .iter()
                .any(|(first, last)| one.line <= *last && one.end_line >= *first)
        });
    }
    Ok(())
}

/// The lines of `new` that `old` lacks.
fn added(old: &Blob<'_>, new: &Blob<'_>) -> Result<Lines, Error> {
    let mut options = DiffOptions::new();
    options.context_lines(0).force_text(true);
    let patch = Patch::from_blobs(old, None, new, None, Some(&mut options))?;
    let mut lines = Lines::new();
    for index in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(index)?;
        let (start, count) = (u64::from(hunk.new_start()), u64::from(hunk.new_lines()));
        if count > 0 {
            lines.push((start, start + count - 1));
        }
    }
    Ok(lines)
}

/// The blob that a new file of a commit was renamed from, by git's own likeness.
fn renamed_from(repo: &Repository, job: &Job, parent: usize) -> Result<Option<Oid>, Error> {
    let Some(commit) = job.commit else {
        return Ok(None);
    };
    let commit: Commit<'_> = repo.find_commit(commit)?;
    let Ok(parent) = commit.parent(parent).and_then(|parent| parent.tree()) else {
        return Ok(None);
    };
    let mut diff = repo.diff_tree_to_tree(Some(&parent), Some(&commit.tree()?), None)?;
    diff.find_similar(Some(DiffFindOptions::new().renames(true)))?;
    let from = diff.deltas().find(|delta| {
        delta.status() == git2::Delta::Renamed
            && delta.new_file().id() == job.oid
            && delta.new_file().path_bytes() == Some(job.path.as_bytes())
    });
    Ok(from.map(|delta| delta.old_file().id()))
}
