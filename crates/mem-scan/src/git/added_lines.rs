//! Which lines of a blob are new: a finding on an old line was there before.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use git2::{DiffOptions, Patch};
use mem_secrets::SecretFinding;

use super::blobs::BlobJob;
use super::id::ObjectId;
use super::object::ObjectError;
use super::source::ObjectSource;

/// Ranges of lines, from 1, both ends included.
pub(super) type Lines = Vec<(u64, u64)>;

/// What [`ObjectSource::renames`] returned for a commit and the number of a parent: git compares all files of a commit
/// for it, and an import of a thousand files has as many questions.
pub(super) type RenameCache = HashMap<(ObjectId, usize), HashMap<String, ObjectId>>;

/// Keeps the findings that stand on a line which no parent has.
///
/// # Errors
/// An object cannot be read.
pub(crate) fn retain(
    source: &dyn ObjectSource,
    job: &BlobJob,
    blob: &[u8],
    renames: &mut RenameCache,
    findings: &mut Vec<SecretFinding>,
) -> Result<(), ObjectError> {
    if findings.is_empty() {
        return Ok(());
    }
    for (parent, old) in job.olds.iter().enumerate() {
        let (old, is_renamed) = match old {
            Some(old) => (Some(*old), false),
            None => (renamed_from(source, job, parent, renames)?, true),
        };
        let Some(old) = old else { continue };
        if old == job.oid && is_renamed {
            findings.clear();
            return Ok(());
        }
        // What a partial clone does not have cannot be compared: then every line counts.
        let Ok(old) = source.read_object(old) else {
            continue;
        };
        let lines = added(&old.bytes, blob)?;
        findings.retain(|one| {
            lines
                .iter()
                .any(|(first, last)| one.line <= *last && one.end_line >= *first)
        });
    }
    Ok(())
}

/// The lines of `new` that `old` lacks.
pub(super) fn added(old: &[u8], new: &[u8]) -> Result<Lines, git2::Error> {
    let mut options = DiffOptions::new();
    options.context_lines(0).force_text(true);
    // Between buffers: of blobs libgit2 would look for `.gitattributes` in the checkout.
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
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

/// The blob that a new file of a commit was renamed from.
fn renamed_from(
    source: &dyn ObjectSource,
    job: &BlobJob,
    parent: usize,
    renames: &mut RenameCache,
) -> Result<Option<ObjectId>, ObjectError> {
    let Some(commit) = job.commit else {
        return Ok(None);
    };
    let known = match renames.entry((commit, parent)) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(place) => {
            place.insert(match source.read_commit(commit)?.parents.get(parent) {
                Some(parent) => source.renames(*parent, commit)?,
                None => HashMap::new(),
            })
        }
    };
    Ok(known.get(&job.path).copied())
}
