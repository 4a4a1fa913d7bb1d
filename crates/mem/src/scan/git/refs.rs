//! What references name: the starting points of a scan of history.

use git2::{ObjectType, Oid, Repository};

use super::changes::{self, Change};
use super::messages;
use super::open::GitError;
use crate::scan::{Ruleset, Tally};

/// What a name leads to.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Commits to walk from.
    pub commits: Vec<Oid>,
    /// Blobs that are named without a commit: tags of files and trees.
    pub loose: Vec<Change>,
}

/// Every reference, and `HEAD`. Messages of tags are scanned on the way.
///
/// # Errors
/// The references cannot be read.
pub(crate) fn all(
    repo: &Repository,
    ruleset: &Ruleset,
    tally: &mut Tally,
) -> Result<Targets, GitError> {
    let mut targets = Targets::default();
    for reference in repo.references()? {
        match reference {
            Ok(reference) => {
                if let Some(oid) = reference.target() {
                    targets.add(repo, oid, ruleset, tally);
                }
            }
            Err(error) => tally.problem(format!("cannot read a reference: {}", error.message())),
        }
    }
    if let Ok(head) = repo.refname_to_id("HEAD") {
        targets.add(repo, head, ruleset, tally);
    }
    targets.commits.sort();
    targets.commits.dedup();
    Ok(targets)
}

impl Targets {
    /// Adds what an object leads to.
    pub(crate) fn add(
        &mut self,
        repo: &Repository,
        oid: Oid,
        ruleset: &Ruleset,
        tally: &mut Tally,
    ) {
        let mut next = Some(oid);
        while let Some(oid) = next.take() {
            match self.step(repo, oid, ruleset, tally) {
                Ok(target) => next = target,
                Err(error) => {
                    tally.problem(format!("cannot read object {oid}: {}", error.message()));
                }
            }
        }
    }

    /// Takes one object; the one that a tag points at comes next.
    fn step(
        &mut self,
        repo: &Repository,
        oid: Oid,
        ruleset: &Ruleset,
        tally: &mut Tally,
    ) -> Result<Option<Oid>, git2::Error> {
        let object = repo.find_object(oid, None)?;
        match object.kind() {
            Some(ObjectType::Commit) => self.commits.push(oid),
            Some(ObjectType::Tag) => {
                let tag = repo.find_tag(oid)?;
                messages::of_tag(&tag, ruleset, tally);
                return Ok(Some(tag.target_id()));
            }
            Some(ObjectType::Tree) => {
                let tree = repo.find_tree(oid)?;
                changes::all(repo, &tree, &mut |change| self.loose.push(change))?;
            }
            _ => self.loose.push(Change {
                path: format!("blob {oid}"),
                oid,
                olds: Vec::new(),
            }),
        }
        Ok(None)
    }
}
