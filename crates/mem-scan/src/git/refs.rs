//! What references name: the starting points of a scan of history.

use super::changes::{self, AddedBlob};
use super::id::ObjectId;
use super::messages;
use super::object::{ObjectError, ObjectKind};
use super::open::GitObjectError;
use super::source::ObjectSource;
use crate::{Ruleset, ScanTotals};

/// What a name leads to.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Commits to walk from.
    pub commits: Vec<ObjectId>,
    /// Blobs that are named without a commit: tags of files and trees.
    pub loose: Vec<AddedBlob>,
}

/// Every reference, and `HEAD`. Messages of tags are scanned on the way.
///
/// # Errors
/// The references cannot be read.
pub(crate) fn all_targets(
    source: &dyn ObjectSource,
    ruleset: &Ruleset,
    totals: &mut ScanTotals,
) -> Result<Targets, GitObjectError> {
    let mut problems = Vec::new();
    let mut ids = source.references(&mut problems)?;
    for problem in problems {
        totals.problem(format!("cannot read a reference: {problem}"));
    }
    ids.sort();
    ids.dedup();
    let mut targets = Targets::default();
    for id in ids {
        targets.add_object(source, id, ruleset, totals);
    }
    targets.commits.sort();
    targets.commits.dedup();
    Ok(targets)
}

impl Targets {
    /// Adds what an object leads to.
    pub(crate) fn add_object(
        &mut self,
        source: &dyn ObjectSource,
        id: ObjectId,
        ruleset: &Ruleset,
        totals: &mut ScanTotals,
    ) {
        let mut next = Some(id);
        while let Some(id) = next.take() {
            match self.follow_object(source, id, ruleset, totals) {
                Ok(target) => next = target,
                Err(error) => totals.problem(format!("cannot read object {id}: {error}")),
            }
        }
    }

    /// Takes one object; the one that a tag points at comes next.
    fn follow_object(
        &mut self,
        source: &dyn ObjectSource,
        id: ObjectId,
        ruleset: &Ruleset,
        totals: &mut ScanTotals,
    ) -> Result<Option<ObjectId>, ObjectError> {
        let blob = |id| AddedBlob {
            path: format!("blob {id}"),
            oid: id,
            olds: Vec::new(),
        };
        let object = match source.read_object(id) {
            // It is looked at, and told of, as every blob is.
            Err(ObjectError::TooLarge(_)) => {
                self.loose.push(blob(id));
                return Ok(None);
            }
            object => object?,
        };
        match object.kind {
            ObjectKind::Commit => self.commits.push(id),
            ObjectKind::Tag => {
                let tag = object.tag()?;
                messages::of_tag(id, &tag, ruleset, totals);
                return Ok(Some(tag.target));
            }
            ObjectKind::Tree => {
                changes::all(source, id, &mut |change| self.loose.push(change))?;
            }
            ObjectKind::Blob => self.loose.push(blob(id)),
        }
        Ok(None)
    }
}
